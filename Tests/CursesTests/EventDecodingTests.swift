import Terminal
import Testing

@testable import Curses

@Suite struct EventDecodingTests {
  @Test func twoPressesAtOnePlaceAreADoubleClick() {
    var clicks = Clicks()
    let (point, start) = (Point(column: 3, row: 4), ContinuousClock.now)
    #expect(clicks.press(at: point, start) == .click(point))
    #expect(clicks.press(at: point, start + .milliseconds(200)) == .doubleClick(point))
    #expect(clicks.press(at: point, start + .milliseconds(300)) == .click(point))
    #expect(
      clicks.press(at: Point(column: 3, row: 5), start + .milliseconds(350))
        == .click(Point(column: 3, row: 5)))
    #expect(
      clicks.press(at: Point(column: 3, row: 5), start + .seconds(2)) == .click(Point(column: 3, row: 5)))
  }

  @Test(
    arguments: [
      ("0;5;3M", MouseReport.Meaning.press(Point(column: 4, row: 2))),
      ("4;500;300M", .press(Point(column: 499, row: 299))),
      ("64;1;1M", .wheel(-1)), ("81;1;1M", .wheel(1)), ("0;5;3m", nil), ("2;5;3M", nil), ("32;5;3M", nil),
      ("0;0;3M", nil),
      ("0;5M", nil), ("0;5;3", nil), ("", nil), ("99999999999999999999;1;1M", nil),
    ] as [(String, MouseReport.Meaning?)])
  func mouseReportsMeanAPressOrTheWheel(text: String, meaning: MouseReport.Meaning?) {
    #expect(MouseReport(text)?.meaning == meaning)
  }

  @Test(arguments: [
    ("x", 1), ("[1;9Zq", 5), ("[Aq", 2), ("OPq", 2), ("]0;title\u{7}q", 9), ("]0;t\u{1B}\\q", 6),
    ("P1+r\u{1B}\\q", 6),
    ("\u{1B}xq", 2), ("[<0;1;1Mq", 8), ("日q", 1), ("O3Bq", 3), ("O1;16Dq", 6),
  ])
  func whatFollowsAnEscapeIsSwallowedWhole(text: String, count: Int) {
    var tail = EscapeTail()
    var swallowed = 0
    for scalar in text.unicodeScalars {
      swallowed += 1
      if !tail.swallow(scalar.value) { break }
    }
    #expect(swallowed == count)
  }

  @Test func whatBeginsASequenceIsNoKey() {
    let beginning = (UInt32(0x20)..<0x7F).filter { EscapeTail.begins(with: $0) }
    #expect(beginning == "O P [ ]".split(separator: " ").compactMap { $0.unicodeScalars.first?.value })
  }

  @Test(arguments: [
    ("one\rtwo", "one\ntwo"), ("one\r\ntwo", "one\ntwo"), ("one\ntwo\r", "one\ntwo\n"),
    ("日\u{301}", "日\u{301}"),
    ("", ""),
  ])
  func pastedLinesEndInNewlines(pasted: String, text: String) {
    #expect(Paste.text(Array(pasted.utf8)) == text)
  }

  @Test func aPasteIsOpenUntilItsEndHasComeOrNothingForLong() {
    let start = ContinuousClock.now
    var paste = Paste(at: start)
    paste.take(UInt8(ascii: "a"), at: start + .seconds(50))
    #expect(paste.isOpen(at: start + .seconds(50) + Paste.longest / 2, Pauses()))
    #expect(!paste.isOpen(at: start + .seconds(50) + Paste.longest, Pauses()))
    for byte in "\u{1B}[201~".utf8 { paste.take(byte, at: start + .seconds(51)) }
    #expect(!paste.isOpen(at: start + .seconds(51), Pauses()))
    #expect(paste.takeText() == "a")
  }

  /// Behind an Esc in it more comes before anybody could have typed it.
  @Test func aPasteThatHasStoppedEndsWhereNothingComesBehindAnEsc() {
    let start = ContinuousClock.now
    let (soon, late) = (start + Pauses().behindEscape / 2, start + Pauses().behindEscape)
    var paste = Paste(at: start)
    #expect(paste.takeText().isEmpty)
    paste.goOn(with: 27, at: start)
    #expect(paste.isOpen(at: soon, Pauses()) && !paste.isOpen(at: late, Pauses()))
    #expect(paste.takeText().isEmpty)
    paste.take(UInt8(ascii: "["), at: start)
    #expect(paste.isOpen(at: late, Pauses()))
  }

  /// As Esc that is held. The paste need not have stopped before, and what had come of it is text.
  @Test(arguments: [2, 6]) func escapesThatEndAPasteAreOfNoText(count: Int) {
    let start = ContinuousClock.now
    let late = start + Pauses().behindEscape
    var paste = Paste(at: start)
    for byte in "abc".utf8 { paste.take(byte, at: start) }
    #expect(paste.patience(Pauses().inPaste, Pauses()) == Pauses().inPaste)
    for _ in 0..<count { paste.goOn(with: 27, at: start) }
    #expect(paste.patience(Pauses().inPaste, Pauses()) == Pauses().behindEscape)
    #expect(paste.takeText() == "abc")
    #expect(!paste.isOpen(at: late, Pauses()))
    paste.take(UInt8(ascii: "d"), at: start)
    #expect(paste.takeText() == String(repeating: "\u{1B}", count: count) + "d")
  }

  /// As of coloured text. Once all has stopped for that long it ends the paste, as Esc does in one that has stopped.
  @Test func aSingleEscapeInAPasteThatGoesOnIsItsOwn() {
    let start = ContinuousClock.now
    let late = start + Pauses().behindEscape
    var paste = Paste(at: start)
    for byte in "abc".utf8 { paste.take(byte, at: start) }
    paste.goOn(with: 27, at: start)
    #expect(paste.patience(Pauses().inPaste, Pauses()) == Pauses().inPaste)
    #expect(paste.isOpen(at: late, Pauses()))
    var stopped = paste
    #expect(stopped.takeText() == "abc")
    #expect(!stopped.isOpen(at: late, Pauses()))
    for byte in "[4m\u{1B}[201~".utf8 { paste.goOn(with: byte, at: late) }
    #expect(paste.isEnded)
    #expect(paste.takeText() == "abc\u{1B}[4m")
  }

  @Test func pastedBytesThatAreNoTextAreReplaced() {
    #expect(Paste.text([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
  }

  @Test func controlKeysHaveTheirLetter() {
    #expect(Key(typed: "\u{3}") == .control("c"))
    #expect(Key(typed: "\u{C}") == .control("l"))
    #expect(Key(typed: "\u{0}") == nil)
    #expect(Key(typed: "\u{7F}") == .backspace)
    #expect(Key(typed: "é") == .character("é"))
  }

  @Test func errorsSayWhatToDo() {
    #expect(TerminalError.unknownTerminal(name: "vt9999").description.contains("“vt9999”"))
    #expect(TerminalError.unknownTerminal(name: "").description.contains("TERM is not set"))
    #expect(TerminalError.notATerminal.description.contains("terminal"))
  }

  @MainActor
  @Test func copyingIsWrappedForTmux() {
    #expect(CursesTerminal.copyRequest("milk", isInsideTmux: false) == "\u{1B}]52;c;bWlsaw==\u{7}")
    #expect(
      CursesTerminal.copyRequest("milk", isInsideTmux: true)
        == "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;bWlsaw==\u{7}\u{1B}\\")
  }
}
