import Merging
import Terminal
import Testing

@testable import Desk

/// The record screen of a document with more than two live leaves.
@Suite struct LeafTests {
  static let sizes = [(80, 24), (100, 30), (120, 40)]

  private func resolution(_ desk: TestDesk, _ id: String = "walden") -> Resolution? {
    desk.state.open[id]?.resolution
  }

  /// The line of a field, and the one below it.
  private func line(_ field: String, _ desk: TestDesk) -> String {
    String(desk.screen.description.split(separator: "\n").first { $0.contains(field) } ?? "")
  }

  @Test(arguments: sizes + [(200, 50), (40, 12)]) func record(columns: Int, rows: Int) throws {
    try expect(Bookshop.desk(columns: columns, rows: rows).typing("<enter>").screen, matches: "record-leaves")
  }

  @Test func noTieIsToldWhereNoTimesAreKnown() {
    let dracula = Bookshop.document(
      "dracula", title: "Dracula",
      leaves: [1, 9].map { Bookshop.leaf(Bookshop.id(2, $0), ["stock": .integer(Int64($0 + 1))]) })
    let screen = Bookshop.desk([dracula]).typing("<enter>").screen.description
    #expect(screen.contains("! to decide: both changed; C is suggested"), "\(screen)")
  }

  @Test(arguments: sizes + [(200, 50), (40, 12)]) func turned(columns: Int, rows: Int) throws {
    try expect(
      Bookshop.desk(columns: columns, rows: rows).typing("<enter>G]]").screen, matches: "record-leaves-turned"
    )
  }

  @Test func taken() throws {
    try expect(
      Bookshop.desk().typing("<enter>G]]s[").screen,
      matches: "record-leaves-taken")
  }

  @Test func written() throws {
    let desk = Bookshop.desk().typing("<enter>G]]sAw")
    try expect(desk.screen, matches: "review-leaves")
    try expect(desk.typing("Y").screen, matches: "written-leaves")
    try expect(desk.typing("YuY").screen, matches: "undone-leaves")
  }

  @Test func aLeafWithoutABody() throws {
    try expect(
      Bookshop.desk().typing("jj<enter>g]s").screen, matches: "record-bare-leaf")
  }

  @Test(arguments: sizes) func list(columns: Int, rows: Int) throws {
    try expect(Bookshop.desk(columns: columns, rows: rows).screen, matches: "list-documents")
    try expect(
      Bookshop.desk(columns: columns, rows: rows).typing("6").screen, matches: "list-documents-findings")
  }

  @Test func aValueIsShownOfTheLeafInTheColumn() throws {
    try expect(Bookshop.desk().typing("<enter>g]<enter>").screen, matches: "value-leaf")
    #expect(Bookshop.desk().typing("<enter>g]e").screen.description.contains("S  352"))
  }

  @Test func theShownLeafsValueIsTaken() {
    let desk = Bookshop.desk().typing("<enter>G]]s")
    #expect(resolution(desk) == Resolution(choices: [.field("stock"): .merged(.integer(7))]))
    #expect(resolution(desk.typing("[[s")) == Resolution(choices: [.field("stock"): .take(.server)]))
    #expect(resolution(desk.typing("[[c")) == Resolution(choices: [.field("stock"): .take(.client)]))
    let cell = Bookshop.desk().typing("<enter>G]]ll ")
    #expect(resolution(cell) == resolution(desk))
  }

  /// At 80 columns there is no room for the whole name, and what they begin with is the same for all.
  @Test(arguments: ["", "<enter>", "<enter>ccGcw"])
  func attachmentsAreToldApart(keys: String) {
    let names = ["a", "b"].map { "_attachments/attachment-3-roota\($0)" }
    func files(_ text: String) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: names.map { ($0, Value.text(text)) })
    }
    let album = Bookshop.document(
      "album", title: "Album", ancestor: Bookshop.version(files("old")),
      leaves: [
        Bookshop.leaf(Bookshop.id(2, 1), [:], of: files("mine")),
        Bookshop.leaf(Bookshop.id(2, 2), [:], of: files("yours")),
      ])
    let screen = Bookshop.desk([album]).typing(keys).screen.description
    #expect(screen.contains("ootaa") && screen.contains("ootab"))
  }

  @Test func aDecisionHoldsWhicheverLeafIsShown() {
    let desk = Bookshop.desk().typing("<enter>G]]s")
    #expect(Bookshop.walden.resolution(from: desk.journal) == resolution(desk))
    let kept = Bookshop.walden.decisions(about: [.field("stock")], in: Resolution(), at: 0)
    #expect(desk.journal.map(\.fingerprint) == kept.map(\.fingerprint))
    for _ in 0..<5 { #expect(resolution(desk.typing("]")) == resolution(desk)) }
  }

  @Test func theMarkStandsAtTheChosenCellOnlyWhileItIsShown() {
    let taken = Bookshop.desk().typing("<enter>G]]s")
    #expect(line("✓  stock", taken).contains("●7") && line("✓  stock", taken).contains("S ✓"))
    let turned = taken.typing("]")
    #expect(!line("✓  stock", turned).contains("●1") && line("✓  stock", turned).contains("S4 ✓"))
    let second = Bookshop.desk().typing("<enter>Gs")
    #expect(line("✓  stock", second).contains("●2"))
    #expect(!line("✓  stock", second.typing("]")).contains("●1"))
    #expect(line("✓  stock", second.typing("]")).contains("S2 ✓"))
  }

  @Test func turningGoesAroundAndAnswers() {
    let desk = Bookshop.desk().typing("<enter>")
    let places = (0...4).map { desk.typing(String(repeating: "]", count: $0)).screen.description }
    for (place, number) in zip(places, [2, 3, 4, 5, 2]) { #expect(place.contains("\(number) of 5")) }
    #expect(desk.typing("[").screen.description.contains("5 of 5"))
    #expect(
      Bookshop.desk().typing("jjj<enter>]").state.status?.text.hasPrefix("There is no third live leaf.")
        == true)
    #expect(
      TestDesk().typing("<enter>]").state.status?.text.hasPrefix("A record of this store has one history.")
        == true)
  }

  @Test func allLeavesCanBeTurnedTo() {
    var desk = Bookshop.desk().typing("j<enter>")
    var seen: Set<String> = []
    for _ in 0..<839 {
      if case .record(let page)? = desk.state.pages.last { seen.insert(page.leaf ?? "7-root938") }
      desk.type("]")
    }
    #expect(seen.count == 839)
  }

  @Test func decisionsAreTakenBackWhicheverLeafIsShown() {
    let desk = Bookshop.desk().typing("<enter>G]]s]")
    #expect(resolution(desk.typing("u"))?.isEmpty == true)
    #expect(resolution(desk.typing("uU")) == resolution(desk))
    #expect(resolution(desk.typing("x"))?.isEmpty == true)
  }

  @Test func theValueOfAnotherLeafIsWrittenAndTakenBack() {
    let desk = Bookshop.desk().typing("<enter>G]]sAwY")
    #expect(desk.written["walden"]?["stock"] == .integer(7))
    #expect(desk.written["walden"]?["pages"] == .integer(352))
    #expect(desk.typing("uY").written.isEmpty)
  }

  @Test func whatLosesIsSeenBeforeItIsWritten() {
    let review = Bookshop.desk(columns: 120, rows: 40).typing("<enter>Gc<up>cAw").screen.description
    #expect(
      review.contains("given up, of leaf 2: 2") && review.contains("given up, of leaf 4: 7"), "\(review)")
    #expect(review.contains("given up, of leaf 4: B"))
    #expect(!review.contains("of the server"))
  }

  /// Of more than three the number alone was told, as of other leaves, be the client's among them.
  @Test func whoseManyEditsAreIsToldInTheReview() {
    let document = Bookshop.document(
      "many", title: "Many", ancestor: Bookshop.version(["n": .integer(0)]),
      leaves: (1...6).map { Bookshop.leaf(Bookshop.id(2, $0), ["n": .integer(Int64($0))], of: [:]) })
    let desk = Bookshop.desk([document], columns: 120, rows: 40).typing("<enter>")
    for (keys, told) in [
      ("e<c-u>9<enter>w", "given up: 6 edits of the client and of leaves 2, 3, 4, and 2 more"),
      ("cw", "given up: 5 edits of leaves 2, 3, 4, and 2 more"),
    ] {
      let review = desk.typing(keys).screen.description
      #expect(review.contains(told), "\(review)")
    }
  }

  /// Of six keys of the client five were told, and that two other leaves lose anything was not.
  @Test func eachLeafThatLosesKeysIsToldInTheReview() {
    func review(_ keys: [[String]]) -> String {
      func json(_ keys: [String]) -> Value {
        let members = keys.map { "\"\($0)\":1" }.joined(separator: ",")
        return .opaque(kind: Value.jsonKind, bytes: Array("{\(members)}".utf8))
      }
      let document = Bookshop.document(
        "keys", title: "Keys", ancestor: Bookshop.version(["n": json([])]),
        leaves: keys.enumerated().map { Bookshop.leaf(Bookshop.id(2, $0 + 1), ["n": json($1)], of: [:]) })
      let desk = Bookshop.desk([document], columns: 120, rows: 40)
      return desk.typing("<enter>e<c-u>{\"q\":1}<enter>w").screen.description
    }
    let three = review([["a", "b", "c", "d", "e", "f"], ["y"], ["z"]])
    for told in ["of the client: a: added 1", "of leaf 2: y: added 1", "of leaf 3: z: added 1"] {
      #expect(three.contains("given up, " + told), "\(three)")
    }
    #expect(three.contains("   and 3 more: D lists all"), "\(three)")
    let seven = review((1...7).map { ["k\($0)"] })
    #expect(seven.contains("of leaf 5: k5: added 1"), "\(seven)")
    #expect(seven.contains("   and 2 more, also of leaves 6 and 7: D lists all"), "\(seven)")
  }

  /// Only where a record may have more leaves than two.
  @Test func theHelpTellsWhatTheLettersOfLeavesMean() {
    for (columns, rows) in Self.sizes {
      let help = Bookshop.desk([Bookshop.walden], columns: columns, rows: rows).typing("<enter>?").screen
        .description
      #expect(help.contains("S3 leaf 3") && help.contains("S3+ leaf 3 and others"), "\(help)")
    }
    #expect(!TestDesk().typing("<enter>?").screen.description.contains("S3"))
  }

  /// What was decided of fields before is not what is written, and not what is shown.
  @Test func whatIsDeletedShowsNothingOfItsFields() {
    var record = Bookshop.walden
    record.details.alternatives = record.versionsAsAlternatives
    let deleted = Bookshop.desk([record], columns: 120, rows: 40).typing("<enter>cccoG<enter><esc>").screen
      .description
    #expect(
      deleted.contains("the whole record: delete it") && !deleted.contains("client taken"), "\(deleted)")
    let resolution = Resolution(choices: [
      .record: .alternative("delete"), .field("stock"): .edit(.integer(9)),
    ])
    #expect(record.spelledOut(resolution) == Resolution(choices: [.record: .alternative("delete")]))
  }

  /// Of many leaves each is told with what it has: nobody knows one by its number.
  @Test func theWaysTellWhatEachLeafHas() {
    var record = Bookshop.walden
    record.details.alternatives = record.versionsAsAlternatives
    let ways = Bookshop.desk([record], columns: 120, rows: 40).typing("<enter>o").screen.description
    let lines = ways.split(separator: "\n").filter { $0.contains("'s record ") }
    #expect(lines.count > 2 && lines.allSatisfy { $0.contains("pages ") }, "\(ways)")
    #expect(Set(lines).count == lines.count)
  }

  /// Where two leaves have the same in a field, it is still the taken one's.
  @Test func aLeafTakenAsAWholeIsToldOfEachField() {
    var record = Bookshop.walden
    record.details.alternatives = record.versionsAsAlternatives
    let desk = Bookshop.desk([record], columns: 120, rows: 40).typing("<enter>ojj<enter>")
    let taken = desk.screen.description.split(separator: "\n").filter { $0.contains(" taken") }
    #expect(!taken.isEmpty && taken.allSatisfy { $0.contains("leaf 3 taken") }, "\(desk.screen)")
    let review = desk.typing("w").screen.description.split(separator: "\n")
    let fields = review.filter { line in
      ["pages", "price", "shelf", "stock"].contains { line.hasPrefix("       \($0) ") }
    }
    #expect(fields.count == 4 && fields.allSatisfy { $0.hasSuffix("leaf 3") }, "\(review)")
  }

  /// Which of them it was taken from is not kept. Of the first alone it was told, in the cell, the detail and the whole value.
  @Test func aValueOfSeveralLeavesIsToldOfAllWhereNoneIsShown() {
    func desk(columns: Int) -> TestDesk {
      let agreeing = Bookshop.document(
        "agreeing", title: "Agreeing", ancestor: Bookshop.version(["n": .integer(0)]),
        leaves: [1, 2, 5, 5, 7].enumerated().map {
          Bookshop.leaf(Bookshop.id(2, $0 + 1), ["n": .integer(Int64($1))], of: [:])
        })
      return Bookshop.desk([agreeing], columns: columns, rows: 30).typing("<enter>]]s")
    }
    let (shown, turned) = (desk(columns: 120), desk(columns: 120).typing("]"))
    #expect(shown.screen.description.contains("✓ leaf 4 taken"), "\(shown.screen)")
    for screen in [turned.screen.description, turned.typing("<enter>").screen.description] {
      #expect(screen.contains("✓ leaves 3 and 4 taken") && !screen.contains("✓ leaf 3"), "\(screen)")
    }
    #expect(turned.typing("<enter>").screen.description.contains("of leaves 3 and 4"))
    let narrow = desk(columns: 80)
    #expect(line("✓  n", narrow).contains("S ✓"), "\(narrow.screen)")
    #expect(line("✓  n", narrow.typing("]")).contains("S3+ ✓"), "\(narrow.typing("]").screen)")
  }

  /// Neither column has it, so the whole value tells it beside them, or below.
  @Test(arguments: [(120, 40, ""), (120, 40, "|"), (80, 24, ""), (60, 12, "")])
  func theWholeValueHasTheResultOfAnotherLeaf(columns: Int, rows: Int, keys: String) {
    let desk = Bookshop.desk([Bookshop.walden], columns: columns, rows: rows).typing("<enter>g<enter>" + keys)
    let lines = desk.screen.description.split(separator: "\n").map(String.init)
    let value = lines.prefix(rows > 12 ? rows - 6 : rows)
    #expect(desk.state.topic == .value && value.contains { $0.contains("352") }, "\(desk.screen)")
    let three = columns < 100 || keys == "|" ? "all 300" : "300"
    #expect(value.contains { $0.contains(three) }, "\(desk.screen)")
    guard rows > 12 else { return }
    #expect(lines.suffix(5).contains { $0.contains("R  352   of leaf 3") }, "\(desk.screen)")
    #expect(lines.contains { $0.contains("only leaf 3 changed") }, "\(desk.screen)")
  }

  @Test func aLeafWithoutABodyHasNothingToTake() {
    let desk = Bookshop.desk().typing("jj<enter>]s")
    #expect(resolution(desk, "bare")?.isEmpty == true)
    #expect(desk.state.status?.text.hasPrefix("Nothing to take:") == true)
    #expect(resolution(desk.typing("c"), "bare")?.isEmpty == false)
  }

  @Test func aRecordDecidedAsAWholeHasEveryLeafToTake() {
    var first = Bookshop.bare.details.leaves
    first.swapAt(1, 2)
    let whole = Bookshop.document("bare", title: "Compacted", ancestor: nil, leaves: first, ancestorTag: nil)
    var offered = whole
    offered.details.alternatives = whole.versionsAsAlternatives
    let third = whole.liveLeaves[2].id
    #expect(
      resolution(Bookshop.desk([offered]).typing("<enter>]s"), "bare")?[.record] == .alternative(third))
    let desk = Bookshop.desk([whole]).typing("<enter>]s")
    #expect(desk.state.status?.text.contains("cannot be decided as") == true, "its store does not offer it")
    #expect(resolution(desk, "bare")?.isEmpty == true)
    #expect(resolution(desk.typing("c"), "bare")?[.record] == .take(.client))
  }

  @Test func aLeafThatIsGoneIsNoLongerShown() {
    var desk = Bookshop.desk().typing("<enter>]]")
    let left = Bookshop.document(
      "walden", title: "Walden", leaves: Array(Bookshop.walden.details.leaves.prefix(3)))
    desk.records[0] = left
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("2 of 3"))
    #expect(desk.typing("]").screen.description.contains("3 of 3"))
  }

  @Test func keysOfLeavesAreToldWhereThereAreSome() {
    #expect(Bookshop.desk(columns: 140, rows: 40).typing("<enter>").screen.description.contains("] leaf"))
    #expect(!Bookshop.desk(columns: 140, rows: 40).typing("jjj<enter>").screen.description.contains("] leaf"))
    #expect(!TestDesk(columns: 140, rows: 40).typing("<enter>").screen.description.contains("] leaf"))
    #expect(!TestDesk(columns: 140, rows: 40).typing("<enter>").screen.description.contains("L tree"))
  }

  @Test func nothingIsSaidOfTimesRowsOrUploads() {
    let screens = [
      "", "6", "<enter>", "<enter>]]", "<enter>G]]sAw", "<enter>G]]sAwY", "<enter>G]]sAwYuY", "L",
      "jj<enter>", "jjj<enter>",
    ]
    .map { Bookshop.desk(columns: 120, rows: 40).typing($0).screen.description }
    for screen in screens {
      for word in [
        "upload", "inbox", " row", "metadata", "newer", "times", "Last edit", "stuck", "SQLiteData",
        "NOT NULL", "tag ",
      ] {
        #expect(!screen.contains(word), "\(word) in:\n\(screen)")
      }
    }
  }

  /// The client is the first leaf, and is called so wherever something is said of it.
  @Test func theClientsLeafIsTheClient() {
    let document = Bookshop.document(
      "cup", title: "Cup", ancestor: Bookshop.version(["n": .integer(0)]),
      leaves: (1...3).map { Bookshop.leaf(Bookshop.id(2, $0), ["n": .integer(Int64($0))], of: [:]) })
    let review = Bookshop.desk([document], columns: 120, rows: 40).typing("<enter>sAw")
    for lost in ["given up, of the client: its value now", "given up, of leaf 3: 3"] {
      #expect(review.screen.description.contains(lost), "\(review.screen)")
    }
    let told = review.typing("<esc>D").screen.description
    #expect(told.contains("n of the client: 1") && told.contains("n of leaf 3: 3"), "\(told)")
    #expect(!told.contains("leaf 1"))
  }
}
