import Testing

@testable import Terminal

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("", 0), ("Buy milk", 8), ("Müller", 6), ("日本語", 6), ("👍", 2), ("e\u{301}", 1),
    // One cluster, three places: terminals and ncurses place code points.
    ("👩‍👧‍👦", 6),
    ("👍🏽", 4),
    // A variation selector changes no width, or the terminal would disagree with ncurses.
    ("❤️", 1),
    ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("a\tb\nc", 5), ("\u{1B}[31m", 5), ("\u{200B}", 1), ("\u{FEFF}x", 2), ("\u{0}", 1), ("\r\n", 2),
  ])
  func widthIsWhatNcursesPlaces(text: String, columns: Int) {
    #expect(DisplayText.width(text) == columns)
  }

  @Test(arguments: [
    ("Buy milk", "Buy milk"), ("tab\there", "tab␉here"), ("a\r\nb", "a␍↵b"),
    ("\u{1B}]0;title\u{7}", "␛]0;title␇"),
    ("\u{7F}", "␡"), ("\u{9B}31m", "\u{FFFD}31m"),
    // Directions turn nothing, and nothing hides.
    ("abc\u{202E}cba", "abc\u{FFFD}cba"), ("\u{2066}x\u{2069}", "\u{FFFD}x\u{FFFD}"),
    ("a\u{200B}b", "a\u{FFFD}b"),
    ("a\u{200D}b", "a\u{FFFD}b"), ("a\u{AD}b", "a\u{FFFD}b"), ("a\u{E0041}b", "a\u{FFFD}b"),
    ("\u{3164}", "\u{FFFD}"), ("\u{2028}", "\u{FFFD}"), ("a\u{200D}", "a\u{FFFD}"),
    // What only shapes its neighbours is left out.
    ("👩‍💻", "👩💻"), ("❤️", "❤"), ("می\u{200C}خواهم", "میخواهم"), ("❤️‍🔥", "❤🔥"),
    // A visible format character stays.
    ("\u{6DD}", "\u{6DD}"),
    // A mark on nothing.
    ("\u{301}a", "◌\u{301}a"),
    // More marks than a cell of ncurses holds.
    ("e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "e\u{301}\u{302}\u{303}\u{304}"),
  ])
  func safeTextCanNeitherMoveTheCursorNorHide(text: String, safe: String) {
    #expect(Array(DisplayText.safe(text).unicodeScalars) == Array(safe.unicodeScalars))
  }

  @Test func safeTextStaysAsItIs() {
    let scalars: [Unicode.Scalar] = [
      "a", "\t", "\u{1B}", "\u{301}", "日", "👩", "\u{200D}", "\u{FE0F}", "\u{202E}", "\u{10FFFF}", "\u{1161}",
    ]
    for first in scalars {
      for second in scalars {
        for third in scalars {
          let safe = DisplayText.safe(String(String.UnicodeScalarView([first, second, third])))
          #expect(DisplayText.safe(safe).unicodeScalars.elementsEqual(safe.unicodeScalars))
        }
      }
    }
  }

  /// What is let through at once is what the look at each glyph would give: of every code point there is, between letters.
  @Test func whatStandsAloneIsShownAsItIs() {
    var wrong: [UInt32] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), SafeScalars.standsAlone(scalar) else { continue }
      let text = String(String.UnicodeScalarView(["é", scalar, scalar, "a"]))
      var glyphs = String.UnicodeScalarView()
      Glyph.each(of: text) { glyph in
        glyphs += glyph.text.unicodeScalars
        return true
      }
      if !glyphs.elementsEqual(text.unicodeScalars) { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  /// What stands before the first other code point is told byte by byte, and all texts of four pieces are told alike behind it.
  @Test func whatStandsBeforeChangesNothing() {
    let pieces = ["a", " ", "~", "\u{301}", "é", "…", "\u{200D}", "\u{FE0F}", "\n", "\u{7F}", "日", "👩"]
    var texts = [""]
    for _ in 0..<3 { texts += texts.suffix(1_728).flatMap { text in pieces.map { text + $0 } } }
    for text in texts {
      let before = String(String.UnicodeScalarView(["x", "y", "z"]))
      #expect(Glyph.all(of: before + text).dropFirst(2) == Glyph.all(of: "z" + text)[...], "\(text)")
    }
  }

  @Test(arguments: [0, 1, 7, 15, 16, 17, 31, 64, 999, 2_000])
  func plainIsWhatHasAColumnForEachByte(count: Int) {
    let text = String(repeating: "~", count: count)
    #expect(text.isPlain)
    for other in ["\u{1F}", "\u{7F}", "\u{80}", "é", "\n"] where count > 0 {
      for place in [0, count / 2, count] {
        #expect(!(String(text.prefix(place)) + other + text.dropFirst(place)).isPlain)
      }
    }
  }

  /// Every code point there is, alone and after a letter: one or two columns, never a column less than before it.
  @Test func noCodePointTakesBackColumns() {
    var wrong: [UInt32] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let alone = DisplayText.width(String(scalar))
      // A variation selector alone shows nothing.
      if !(0...2).contains(alone) || DisplayText.width("a" + String(scalar) + "b") < 2 { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [
    ("Buy milk", 8, "Buy milk"), ("Buy milk", 7, "Buy mi›"), ("Buy milk", 1, "›"), ("Buy milk", 0, ""),
    ("Buy milk", -3, ""), ("", 0, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本›"), ("日本語", 4, "日›"),
    ("日本語", 2, "›"), ("日本語", 1, "›"), ("ae\u{301}b", 3, "ae\u{301}b"), ("ae\u{301}bc", 3, "ae\u{301}›"),
    ("👩‍👧", 4, "👩👧"), ("👩‍👧", 3, "👩›"), ("a\u{301}", 1, "a\u{301}"),
  ])
  func cutTextEndsInItsMark(text: String, columns: Int, cut: String) {
    #expect(DisplayText.cut(text, to: columns) == cut)
    #expect(DisplayText.width(DisplayText.cut(text, to: columns)) <= max(0, columns))
  }

  @Test(arguments: [
    "a", "漢", "e\u{301}", "👩\u{200D}💻 ", "\u{7}\n", "a" + String(repeating: "\u{301}", count: 9),
  ])
  func longTextIsCutAsAShortOne(part: String) {
    let (short, long) = (String(repeating: part, count: 60), String(repeating: part, count: 3_000))
    for columns in [0, 1, 2, 30, 59] {
      #expect(DisplayText.cut(long, to: columns) == DisplayText.cut(short, to: columns))
    }
    #expect(DisplayText.cut(long, to: 100_000) == DisplayText.safe(long))
  }

  @Test(arguments: [
    ("attachment-3-rootaa", 12, "attach…ootaa"), ("attachment-3-rootaa", 11, "attac…ootaa"),
    ("short", 5, "short"), ("longer", 5, "lo…er"), ("日本語日本語", 7, "日…語"), ("abcdef", 2, "a›"),
    ("ab\u{7}cdefgh", 5, "ab…gh"), ("", 3, ""),
  ])
  func aNameIsCutInItsMiddle(text: String, width: Int, cut: String) {
    #expect(DisplayText.cutInside(text, to: width) == cut)
    #expect(DisplayText.width(DisplayText.cutInside(text, to: width)) <= width)
  }

  @Test(arguments: [
    ("deleted on the server", 21, "deleted on the server"), ("deleted on the server", 18, "deleted on the…"),
    ("deleted on the server", 16, "deleted on the…"),
    ("deleted on the server", 15, "deleted on the…"), ("deleted on the server", 14, "deleted on…"),
    ("incomprehensibilities so", 12, "incomprehen…"),
    ("日本 日本語日本語", 10, "日本 日本…"), ("a longer one", 5, "a lo›"), ("", 9, ""),
  ])
  func aSentenceIsCutAtAWord(text: String, width: Int, cut: String) {
    #expect(DisplayText.cutAtWord(text, to: width) == cut)
    #expect(DisplayText.width(DisplayText.cutAtWord(text, to: width)) <= width)
  }
}
