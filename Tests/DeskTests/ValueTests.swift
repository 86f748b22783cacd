import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// The whole of a value, with its result.
@Suite struct ValueTests {
  /// Digits of two days beside each other are none.
  @Test(arguments: [(80, 24), (120, 40), (170, 40)]) func aDayIsShownWhole(columns: Int, rows: Int) {
    let desk = TestDesk([Sample.dentist], columns: columns, rows: rows).typing("<enter>gjjj")
    for screen in [desk.screen.description, desk.typing("<enter>g").screen.description] {
      #expect(screen.contains("2026-11-20 2026-11-21 00:00:00.000"), "\(screen)")
    }
    var inWords = desk
    inWords.state.bracketsWords = true
    let words = inWords.screen.description
    #expect(words.contains("[-2026-11-20-]{+2026-11-21+} 00:00:00.000"), "\(words)")
  }

  /// A value may be the last that was to decide; what is told then has its keys here.
  @Test func whatComesNextIsReachedFromAValue() {
    let decided = TestDesk().typing("j<enter><enter>c")
    let words = decided.state.status?.text ?? ""
    #expect(words.contains("> goes to the next record, w reviews and writes"), "\(words)")
    #expect(decided.typing("w").state.topic == .review && decided.typing("w<esc>").state.topic == .value)
    let next = decided.typing(">").state
    #expect(next.topic == .record && next.top(RecordPage.self)?.id == "91:reminders", "\(next.pages)")
    #expect(decided.typing("<lt>").state.top(RecordPage.self)?.id == "42:reminders")
  }

  /// What is there now stands beside what it took the place of, however long that is.
  @Test(arguments: [(80, 24), (120, 40), (60, 20)])
  func ofALongTextThatWasReplacedTheNewOneIsSeen(columns: Int, rows: Int) {
    let old = (1...60).map { "word\($0)" }.joined(separator: " ")
    let record = Sample.record(
      "55:reminders", title: "Replaced", ancestor: ["notes": .text("Same. " + old)],
      client: ["notes": .text("Same. Settled by telephone now")],
      server: ["notes": .text("Same. Written off long ago")])
    for brackets in [false, true] {
      var desk = TestDesk([record], columns: columns, rows: rows).typing("<enter>")
      desk.state.bracketsWords = brackets
      let detail = desk.screen.description.split(separator: "\n").suffix(rows - 8).joined(separator: "\n")
      #expect(detail.contains("Settled") && detail.contains("Written"), "\(desk.screen)")
      #expect(detail.contains("word1"), "\(desk.screen)")
    }
  }

  /// Three texts that differ are not told to be one because all are hidden.
  @Test func whatIsHiddenIsNotCalledTheSame() {
    let shown = TestDesk().typing("<enter><enter>P").screen.description
    #expect(shown.contains("***") && !shown.contains("A=C") && !shown.contains("C=S"))
  }

  @Test(arguments: [(80, 24), (120, 40), (200, 50), (40, 12), (60, 15)])
  func theWholeValue(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>gj<enter>").screen, matches: "value")
  }

  private static func letter(_ changes: [Int: String]) -> Value {
    .text((1...40).map { changes[$0] ?? "This is line \($0) of a long letter." }.joined(separator: "\n"))
  }

  /// The client changed its third and its twentieth line, the server the last one.
  static let letter = Sample.record(
    "31:reminders", title: "Letter", ancestor: ["notes": letter([:])],
    client: ["notes": letter([3: "This is line 3 of my letter.", 20: "Line 20 is mine."])],
    server: ["notes": letter([40: "Yours, Bob"])])

  @Test func aLongTextIsShownWhereItDiffers() throws {
    let desk = TestDesk([Self.letter]).typing("<enter><enter>")
    try expect(desk.screen, matches: "value-letter")
    let wide = TestDesk([Self.letter], columns: 120, rows: 40).typing("<enter><enter>")
    try expect(wide.screen, matches: "value-letter")
  }

  @Test func keysGoFromChangeToChange() {
    var desk = TestDesk([Self.letter]).typing("<enter><enter>")
    let titles = (0..<5).map { _ in
      desk.type("]")
      return desk.screen.description.prefix(80).split(separator: " ").suffix(4).joined(separator: " ")
    }
    #expect(titles.map { $0.prefix(8) } == ["change 2", "change 3", "change 4", "change 4", "change 4"])
    #expect(desk.state.status?.text == "This is the last change.")
    #expect(desk.screen.description.contains("Yours, Bob"))
    desk.type("[[[[[")
    #expect(desk.state.status?.text == "This is the first change.")
    #expect(desk.screen.description.contains("line 3 of"))
  }

  /// All of it stands there as one change then, which is not the last one.
  @Test func whatIsHiddenHasNoChangesToGoThrough() {
    for (way, key) in [("", "]"), ("]", "]"), ("]", "["), ("]m", "]")] {
      let shown = TestDesk([Self.letter]).typing("<enter><enter>" + way)
      let hidden = shown.typing("P")
      let screen = hidden.screen.description
      #expect(!screen.contains("change 1") && !screen.contains("] ["), "\(screen)")
      let desk = hidden.typing(key)
      #expect(desk.state.status?.text == "Values are hidden. P shows them, and where they differ.")
      #expect(desk.typing("P").state.pages == shown.state.pages, "\(desk.typing("P").screen)")
    }
  }

  @Test func allOfItIsShownWhenAskedFor() {
    let desk = TestDesk([Self.letter], rows: 60).typing("<enter><enter>")
    #expect(!desk.screen.description.contains("line 10 "))
    #expect(desk.typing("=").screen.description.contains("line 10 "))
  }

  @Test func whatIsUnfoldedOfAValueChangesNothingOfTheRecordBehindIt() {
    let record = TestDesk([Self.letter], rows: 60).typing("<enter>").screen
    #expect(TestDesk([Self.letter], rows: 60).typing("<enter><enter>=<esc>").screen == record)
  }

  @Test func wideSidesCanStandUnderEachOther() {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>j<enter>")
    #expect(desk.screen.description.contains("│ R Result"))
    #expect(!desk.typing("|").screen.description.contains("R Result"))
    #expect(desk.typing("||").screen == desk.screen)
    #expect(
      TestDesk().typing("<enter>j<enter>|").state.status?.text
        == "They stand beside each other from 100 columns on.")
  }

  /// What the keys decide on the value is what they decide on the record.
  @Test(arguments: ["c", "s", "a", "cx", "cu", "cuU", "scuu"])
  func aFieldIsDecidedWhereItIsRead(keys: String) {
    let (value, record) = (
      TestDesk().typing("<enter>jj<enter>" + keys), TestDesk().typing("<enter>jj" + keys)
    )
    #expect(value.journal == record.journal)
    #expect(value.state.open["42:reminders"] == record.state.open["42:reminders"])
    #expect(value.state.topic == .value)
  }

  /// What is shown as selected is what is taken; the whole value is another key's.
  @Test func oneChangeIsTakenWhereSeveralAreShown() throws {
    let value = TestDesk(columns: 100, rows: 30).typing("<enter>gj<enter>")
    let change = value.typing("]]s")
    let both = "Ask about the wisdom tooth, X-ray and cleaning. Bring new insurance card."
    guard case .parts(let parts)? = change.journal.last?.choice else {
      return #expect(Bool(false), "\(change.journal)")
    }
    #expect(parts.value == .text(both) && change.state.topic == .merge, "with what is sure")
    for desk in [value, change] {
      let whole = desk.typing("S")
      #expect(whole.journal.last?.choice == .take(.server) && whole.state.topic == .value)
    }
    #expect(value.screen.description.contains("C S whole"), "\(value.screen)")
  }

  private func text(_ desk: TestDesk) -> String? {
    guard case .parts(let parts)? = desk.journal.last?.choice, case .text(let text)? = parts.value else {
      return nil
    }
    return text
  }

  /// Of the others stays what somebody has decided; beside a suggestion what is sure is in, and the rest is to decide.
  @Test(
    arguments: [
      ("c", nil), ("]c", nil),
      ("]]c", "Ask about the wisdom tooth, X-ray and cleaning. Bring both cards."),
      ("C]]s", "Ask about the wisdom tooth and cleaning. Bring new insurance card."),
      ("Ca", "Ask about wisdom tooth and cleaning. Bring both cards."),
    ] as [(String, String?)])
  func ofTheOtherChangesStaysWhatIsDecided(keys: String, result: String?) {
    let desk = TestDesk().typing("<enter>gj<enter>" + keys)
    #expect(text(desk) == result, "\(desk.screen)")
    let undone = desk.typing("u")
    #expect(
      undone.state.open["42:reminders"]?.resolution[.field("notes")]?.side
        == (keys.hasPrefix("C") ? .client : nil))
  }

  @Test func whatTheResultShowsAsToDecideStaysToDecide() {
    let record = Sample.record(
      "58:reminders", title: "Trip", ancestor: ["notes": .text("By train at nine. Bring tea. Call Ann.")],
      client: ["notes": .text("By bus at nine. Bring coffee. Call Ann today.")],
      server: ["notes": .text("By tram at nine. Bring juice. Call Ann.")],
      serverTime: Sample.now - Sample.minute)
    let value = TestDesk([record], columns: 120, rows: 40, advances: true).typing("<enter><enter>")
    #expect(value.screen.description.contains("[ bus | tram ]"), "\(value.screen)")
    #expect(value.screen.description.contains("Call Ann today"), "\(value.screen)")
    let desk = value.typing("c")
    #expect(desk.screen.description.contains("[ coffee |"), "\(desk.screen)")
    #expect(
      desk.state.status?.text == "Change 1: client taken. Next is change 2, 1 to decide. u takes it back.")
    let done = desk.typing("s")
    #expect(text(done) == "By bus at nine. Bring juice. Call Ann today.")
    #expect(done.state.status?.text.hasPrefix("Change 2: server taken. All of notes is decided") == true)
  }

  @Test func whatWasTypedIsReplacedByAChangeAndThatIsSaid() {
    let desk = TestDesk().typing("<enter>gj<enter>e<c-u>Nothing<enter>c")
    #expect(desk.state.status?.text.contains("and what was typed is replaced") == true, "\(desk.screen)")
  }

  @Test func whatIsDecidedIsLeftByOneKey() {
    let decided = TestDesk().typing("<enter>gj<enter>]]c")
    #expect(decided.state.topic == .merge && decided.typing("<esc>").state.topic == .record)
    #expect(decided.typing("u<esc>").state.topic == .value)
  }

  /// A value's lines are all there, or it is told how many are not.
  @Test(arguments: [(80, 24), (120, 40), (200, 50), (60, 20), (100, 30)])
  func noLineOfAPanelIsCutWithoutASign(columns: Int, rows: Int) throws {
    let text = { (words: String) in Value.text("Ask about \(words) wisdom teeth.\n\nAppointment 14:30") }
    let record = Sample.record(
      "59:reminders", title: "Lines", ancestor: ["notes": text("his"), "due": .text("a")],
      client: ["notes": text("her"), "due": .text("b")], server: ["notes": text("all"), "due": .text("c")])
    for keys in ["<enter>", "<enter>c"] {
      let desk = TestDesk([record], columns: columns, rows: rows).typing(keys)
      let lines = desk.screen.description.components(separatedBy: "\n")
      let starts = try ["A", "C", "S", "R"].map { letter in
        try #require(lines.lastIndex { $0.contains("   \(letter)  Ask about") }, "\(letter): \(desk.screen)")
      }
      for (start, end) in zip(starts, starts.dropFirst() + [lines.count]) {
        let panel = lines[start..<end].joined(separator: "\n")
        #expect(panel.contains("Appointment 14:30") || panel.contains("more"), "\(desk.screen)")
      }
    }
  }

  /// Its cells that are reversed, line by line.
  private func reversed(_ desk: TestDesk) -> String {
    let grid = desk.screen
    return (0..<grid.size.rows).map { row in
      (0..<grid.size.columns).map { grid[$0, row] }.filter(\.ink.isSelected).map(\.text).joined()
    }.joined(separator: "|")
  }

  /// Three changes stand in one line.
  @Test(arguments: [(80, 24), (120, 40), (200, 50)])
  func theChangeUnderTheCursorIsSeen(columns: Int, rows: Int) {
    var desk = TestDesk(columns: columns, rows: rows).typing("<enter>gj<enter>")
    #expect(reversed(desk).contains("the") && !reversed(desk).contains("X-ray"), "\(reversed(desk))")
    #expect(reversed(desk.typing("]")).contains("X-ray"), "\(reversed(desk.typing("]")))")
    #expect(reversed(desk.typing("]]")).contains("both") && !reversed(desk.typing("]]")).contains("X-ray"))
    desk.state.bracketsWords = true
    #expect(
      desk.screen.description.contains(">{+the +}<") || desk.screen.description.contains(">{+ the+}<"),
      "\(desk.screen)")
    #expect(desk.typing("]").screen.description.contains(">{+, X-ray+}<"), "\(desk.typing("]").screen)")
  }

  @Test func theResultIsThatOfTheChoice() {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>gj<enter>")
    #expect(desk.typing("C").screen.description.contains("│ Ask about the wisdom tooth and"))
    #expect(desk.typing("S").screen.description.contains("│ Ask about wisdom tooth, X-ray and"))
    #expect(desk.typing("e<c-u>Nothing<enter>g").screen.description.contains("R  Nothing"))
  }

  @Test func aRecordThatIsDecidedAsAWholeIsNotDecidedHere() throws {
    let desk = TestDesk([Sample.deletedOnServer], columns: 120, rows: 20).typing("<enter><enter>")
    try expect(desk.screen, matches: "value-deleted")
    #expect(desk.typing("m").state.status?.isFailure == true)
  }

  /// Word by word a key and what it is called were "7 9  Inbox Health".
  @Test(arguments: [false, true]) func aKeyIsReadAsAWhole(brackets: Bool) {
    var desk = TestDesk().typing("<enter>gjj<enter>")
    desk.state.bracketsWords = brackets
    let screen = desk.screen.description
    #expect(screen.contains("C   9  Health") && screen.contains("S   12  Family"), "\(screen)")
  }

  @Test func aValueThatIsNoTextIsOneChange() throws {
    try expect(TestDesk().typing("<enter>gjj<enter>").screen, matches: "value-key")
  }
}

/// Blobs.
extension ValueTests {
  /// 640 by 480, and what comes after.
  private static func picture(_ changes: [Int: UInt8] = [:], count: Int = 400) -> Value {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    bytes += [0, 0, 2, 0x80, 0, 0, 1, 0xE0] + (0..<count).map { UInt8($0 % 251) }
    for (place, byte) in changes { bytes[place] = byte }
    return .blob(Blob(bytes: bytes))
  }

  private static let poster = Sample.record(
    "70:reminders", title: "Poster", ancestor: ["cover": picture()],
    client: ["cover": picture([40: 0xFF, 41: 0x41])], server: ["cover": picture([300: 0], count: 380)])

  @Test(arguments: [(80, 24), (120, 40)]) func bytesAreShownWhereTheyDiffer(columns: Int, rows: Int) throws {
    let desk = TestDesk([Self.poster], columns: columns, rows: rows).typing("<enter><enter>")
    try expect(desk.screen, matches: "value-picture")
    let next = desk.typing("]").screen.description
    #expect(next.contains("change 2 of 3") && next.contains("00012"), "\(next)")
  }

  /// Bytes that differ everywhere, but where both happen to have the same between two lines.
  private static func noise(_ high: Int, _ count: Int, same: Int) -> Value {
    .blob(Blob(bytes: (0..<count).map { $0 == same ? 0 : UInt8($0 * 7 % 127 + high) }))
  }

  private static let large = Sample.record(
    "71:reminders", title: "Scan", ancestor: ["cover": .null],
    client: ["cover": noise(1, 12_000, same: 4_000)],
    server: ["cover": noise(128, 12_000, same: 4_000)])

  @Test(arguments: [(80, 24), (120, 40)]) func allBytesThatDifferCanBeReached(columns: Int, rows: Int) {
    let desk = TestDesk([Self.large], columns: columns, rows: rows).typing("<enter><enter>")
    let last = desk.typing("G").screen.description
    #expect(last.contains("002ed0") && last.contains("002ee0") == false, "\(last)")
    var seen: Set<Substring> = []
    var scrolling = desk
    for _ in 0..<200 {
      let lines = scrolling.screen.description.split(separator: "\n")
      seen.formUnion(lines.compactMap { $0.firstMatch(of: #/00[0-9a-f]{3}0 /#)?.output })
      scrolling.type("<pagedown>")
    }
    #expect(seen.count == 12_000 / 16, "\(seen.count)")
  }

  @Test func runsOfBytesThatDifferAreChanges() {
    let desk = TestDesk([Self.large]).typing("<enter><enter>")
    #expect(desk.screen.description.contains("change 1 of 2"), "\(desk.screen)")
    let next = desk.typing("]").screen.description
    #expect(next.contains("change 2 of 2") && next.contains("000fa0"), "\(next)")
  }

  @Test func whatWouldBeRefusedOfAValueIsNotOffered() {
    let desk = TestDesk([Sample.cover], columns: 120, rows: 40).typing("<enter><enter>")
    let footer = desk.screen.description.split(separator: "\n").last ?? ""
    #expect(footer.contains("c client") && !footer.contains("s server"), "\(footer)")
    #expect(!footer.contains("change"), "\(footer)")
  }

  @Test func bytesThatAreNotHereAreSaidToBe() {
    let desk = TestDesk([Sample.cover]).typing("<enter><enter>")
    #expect(desk.screen.description.contains("not here"), "\(desk.screen)")
    #expect(desk.screen.description.contains("01 02 03"), "\(desk.screen)")
  }

  @Test func aBlobIsNotPutTogether() {
    let desk = TestDesk([Self.poster]).typing("<enter>m")
    #expect(desk.state.topic == .record && desk.state.status?.isFailure == true)
  }
}

@Suite struct BytesKindTests {
  @Test(
    arguments: [
      (hex("89504e470d0a1a0a0000000d49484452000002800000 01e0"), "PNG image, 640x480"),
      (hex("89504e470d0a1a0a 61616161616161616161616161616161"), "PNG image"),
      (hex("474946383961 8002e001"), "GIF image, 640x480"),
      (hex("ffd8 ffe00004 0000 ffc0 0011 08 01e0 0280 03"), "JPEG image, 640x480"),
      (hex("ffd8 ffe00004"), "JPEG image"), (hex("ffd8ffe00000 ffc0"), "JPEG image"),
      (hex("424d 000000000000000000000000 28000000 80020000 e0010000"), "BMP image, 640x480"),
      (hex("52494646 00000000 57454250 56503858 00000000 00000000 7f0200 df0100"), "WebP image, 640x480"),
      (hex("52494646 00000000 57454250 56503820 00000000 000000 9d012a 8002 e001"), "WebP image, 640x480"),
      (hex("52494646 00000000 57454250 5650384c 00000000 2f 7fc27700"), "WebP image, 640x480"),
      (hex("00000018 66747970 68656963"), "HEIC image"), (hex("255044462d312e37"), "PDF document"),
      (hex("504b0304"), "ZIP archive"), (hex("1f8b08"), "gzip archive"), (hex("0102"), nil), ([], nil),
    ] as [([UInt8], String?)])
  func theBeginningTellsWhatItIs(bytes: [UInt8], words: String?) {
    #expect(BytesKind(bytes)?.words == words)
  }

  /// Whatever is cut off or damaged, nothing is read that is not there.
  @Test func aDamagedPictureIsStillOne() {
    let picture = hex("ffd8 ffe00004 0000 ffc0 0011 08 01e0 0280 03")
    for count in 0..<picture.count {
      let kind = BytesKind(Array(picture.prefix(count)))
      #expect(count < 3 ? kind == nil : kind?.name == "JPEG image")
    }
  }

}

private func hex(_ digits: String) -> [UInt8] {
  let digits = Array(digits.filter { $0 != " " })
  return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
}
