import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A law: a key that a footer names does something there, or says why not. All footers are read off the screen.
@Suite struct FooterTests {
  /// On a low screen little is left beside a message, and nobody should have to wait for the keys.
  @Test(arguments: [(40, 10), (60, 12)]) func aMessageOnALowScreenLeavesTheKeys(columns: Int, rows: Int)
    throws
  {
    for keys in ["A", "c", "<enter>A", "<enter>c", "Ro9"] {
      let desk = TestDesk(columns: columns, rows: rows).typing(keys)
      let text = try #require(desk.state.status?.text, "\(keys)")
      let screen = desk.screen.description
      #expect(screen.hasSuffix("? help"), "\(keys)\n\(screen)")
      #expect(text.split(separator: " ").allSatisfy { screen.contains($0) }, "\(text)\n\(screen)")
    }
    #expect(TestDesk(columns: 60, rows: 13).typing("A").screen.description.contains("? help") == false)
  }

  /// What would be refused is not offered.
  @Test func aRecordOffersWhatCanBeTaken() {
    let lastLine = { (desk: TestDesk) in
      String(desk.screen.description.split(separator: "\n").last ?? "")
    }
    let poster = lastLine(TestDesk([Sample.cover]).typing("<enter>"))
    #expect(poster.contains("c client") && !poster.contains("s server"), "\(poster)")
    #expect(lastLine(TestDesk([Sample.sure]).typing("<enter>")).contains("s server"))
    let rehearsal = lastLine(TestDesk().typing("Lllllllt"))
    #expect(!rehearsal.contains("w write"), "\(rehearsal)")
  }

  /// A key, and what is computed of other columns, is never written, and a file is taken as it is.
  @Test func editingIsOfferedWhereAValueCanBeTyped() {
    let documents = Bookshop.desk([Bookshop.album], columns: 150, rows: 40)
    let offers = { (keys: String, desk: TestDesk) in
      let desk = desk.typing("<enter>=g" + keys)
      let editor = desk.typing("e").state.topic == .editor
      return (footer: Self.footer(desk).contains("e edit"), editor: editor)
    }
    let rows = TestDesk(columns: 150, rows: 40)
    for keys in ["", "G", "j", "jj", "<enter>", "j<enter>"] {
      for desk in [rows, documents] {
        #expect(offers(keys, desk).footer == offers(keys, desk).editor, "\(keys)\n\(desk.screen)")
      }
    }
    #expect(!offers("", rows).footer && !offers("G", rows).footer && offers("j", rows).footer)
    #expect(!offers("j", documents).footer && offers("jj", documents).footer)
  }

  private static func footer(_ desk: TestDesk) -> String {
    String(desk.screen.description.split(separator: "\n").last ?? "")
  }

  /// What nobody gets on or back without has its room before all else.
  @Test(arguments: [
    ("<enter>", ["c client", "s server", "w write", "Enter value", "u undo", "Esc back", "? help"]),
    ("<enter>gj", ["m merge", "c client", "A accept", "Enter value", "u undo", "Esc back"]),
    ("<enter>Agj", ["m merge", "c client", "w write", "Enter value", "u undo", "Esc back"]),
    ("<enter>gj<enter>", ["m merge", "Esc back", "C S whole", "] [ change", "u undo", "? help"]),
    ("<enter>gjm", ["] [ change", "c client", "s server", "A accept value", "u undo", "Esc back"]),
  ])
  func aNarrowFooterHasWhatIsNeededMost(keys: String, hints: [String]) {
    let footer = Self.footer(TestDesk().typing(keys))
    for hint in hints { #expect(footer.contains(hint), "\(footer)") }
  }

  /// Nor what does nothing there: a rule is turned on where one is, and a single change has no next one.
  @Test func whatDoesNothingHereIsNotOffered() {
    let footer = { (keys: String) in Self.footer(TestDesk().typing(keys)) }
    #expect(footer("B").contains("Space rule on/off") && !footer("BG<up>").contains("rule on/off"))
    #expect(footer("<enter>gj<enter>").contains("] [ change"))
    #expect(!footer("<enter><enter>").contains("] [ change"), "\(footer("<enter><enter>"))")
    #expect(footer("?").contains("Esc close") && footer("?zz<esc>").contains("Esc close"))
    #expect(footer("?zz").contains("Esc clear"), "\(footer("?zz"))")
  }

  /// What another record has ready is not taken for nothing.
  @Test func aNarrowFooterTellsOfTheReviewWhereSomethingIsReady() {
    let desk = TestDesk([Sample.dentist, Sample.sure])
    let (nothing, ready) = (Self.footer(desk.typing("<enter>gj")), Self.footer(desk.typing("jAk<enter>gj")))
    #expect(nothing.contains("A accept") && !nothing.contains("w write"), "\(nothing)")
    #expect(ready.contains("m merge") && ready.contains("w write"), "\(ready)")
  }

  /// As far as what is typed leaves room; the way out has it always.
  @Test(arguments: ["<enter><enter>/", "<enter>gjm/"])
  func whileWordsAreLookedForBothKeysStandThere(keys: String) {
    for columns in [40, 80] {
      let desk = TestDesk(columns: columns, rows: 24).typing(keys)
      #expect(Self.footer(desk).contains("/ _   Enter take  Esc cancel"), "\(desk.screen)")
      let long = desk.typing(String(repeating: "milk ", count: 20))
      #expect(Self.footer(long).hasSuffix("   Esc cancel"), "\(long.screen)")
    }
  }

  /// `A` stands there only where it would decide something.
  @Test func acceptingIsOfferedWhereSomethingIsSuggested() {
    let offers = { (record: RecordConflict, keys: String) in
      Self.footer(TestDesk([record], findings: [], columns: 150, rows: 24).typing(keys)).contains("A accept")
    }
    for keys in ["", "<enter>"] {
      #expect(offers(Sample.sure, keys) && offers(Sample.clock, keys), "\(keys)")
      #expect(!offers(Sample.deletedOnServer, keys) && !offers(Sample.cover, keys), "\(keys)")
      #expect(!offers(Sample.sure, "A" + keys), "it is accepted")
    }
    #expect(offers(Sample.deletedOnServer, " "), "it is marked")
  }

  /// `Tab` stands there only where it goes to another field: elsewhere it told that only this is left, or that the record is decided as a
  /// whole.
  @Test func theNextToDecideIsOfferedWhereThereIsOne() {
    let offers = { (record: RecordConflict, keys: String) in
      Self.footer(TestDesk([record], findings: [], columns: 150, rows: 24).typing(keys)).contains("Tab next")
    }
    let one = Sample.edit(
      "7:reminders", title: "One", client: ["priority": .integer(2)], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now)])
    let two = Sample.edit(
      "8:reminders", title: "Two", client: ["priority": .integer(2), "notes": .text("mine")], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now), "notes": (.text("yours"), Sample.now)])
    #expect(!offers(Sample.deletedOnServer, "<enter>") && !offers(one, "<enter>"))
    #expect(offers(two, "<enter>") && offers(two, "<enter>j"))
  }

  /// What is marked is meant wherever the cursor is, so the footer has the same on a finding.
  @Test func whatIsDoneToMarkedRowsIsOfferedOnAFinding() {
    let desk = TestDesk(columns: 120, rows: 40)
    #expect(!Self.footer(desk.typing("G")).contains("B bulk"), "a finding alone")
    let marked = desk.typing(" G")
    #expect(Self.footer(marked).contains("A accept marked") && Self.footer(marked).contains("B bulk"))
    #expect(marked.typing("A").state.topic == .bulk && marked.typing("B").state.topic == .bulk)
  }

  /// Where a text has more lines than the screen its words are looked for.
  @Test func wordsAreLookedForInALongText() {
    let desk = { (lines: Int) in
      let text = TextPage(title: "SQL", paragraphs: (0..<lines).map { "line \($0)" })
      return TestDesk().typing("jjjjjAw").taking(.exported(text))
    }
    #expect(Self.footer(desk(60)).contains("/ find"), "\(desk(60).screen)")
    #expect(!Self.footer(desk(3)).contains("/ find"), "\(desk(3).screen)")
  }

  /// Where it would be refused, or nothing could be put together, it is not offered.
  @Test(arguments: ["", "P", "]"]) func mergingIsOfferedWhereItGoes(keys: String) {
    let wide = { (records: [RecordConflict], store: StoreInfo) in
      TestDesk(records, findings: [], columns: 200, rows: 60, store: store)
    }
    var offers = 0
    let desks = Sample.all.map { wide([$0], Sample.store) } + [wide([Bookshop.walden], Bookshop.store)]
    for desk in desks {
      for place in 0..<desk.records[0].fields.count {
        let at = desk.typing(keys == "P" ? "P<enter>" : "<enter>" + keys)
          .typing(String(repeating: "j", count: place))
        for way in ["", "<enter>"] where Self.footer(at.typing(way)).contains("m merge") {
          offers += 1
          #expect(at.typing(way + "m").state.topic == .merge, "\(at.typing(way + "m").screen)")
        }
      }
    }
    #expect((offers > 0) == (keys != "P"))
  }

  private static let store = {
    var desk = TestDesk([Sample.dentist, Sample.deletedOnServer, Sample.sure, Sample.cover])
    desk.outcomes[Sample.cover.id] = .refused(field: "cover", "no room")
    desk.findings[0].canBeMended = "The row is queued."
    return desk
  }()

  private static let documents = TestDesk(
    [Bookshop.walden], findings: [], store: Bookshop.store, trees: [Bookshop.walden.id: Bookshop.waldenTree])

  private static let empty = TestDesk([], findings: [])

  /// Ways to every screen, and to what a screen looks like meanwhile.
  private static let ways = [
    "", "j", "G", "/", "/milk", "/milk<enter>", "6", "6<enter>", "6m", "6mY", "?", "?<tab>", "?zz", "<enter>",
    "<enter><enter>", "<enter><enter>G", "<enter>e", "<enter>e<c-n>", "<enter>e<c-u>", "<enter>?", "<enter>G",
    "j<enter>", "j<enter>c", "jjAw", "jjAwn", "jjAw<enter>", "jjAw ", "jjAwd", "jjAwi", "jjAwY", "jjAwYu",
    "jjAwYuY", "jjAjcw", "jjAjcwY", "jjAjcwY<tab>", "L", "L<enter>", "L<tab>", "L<right><right>", "Lt", "LGt",
    "<enter>L", "<enter>L=", "<enter>L<left>", "<enter>L<left><left><left><left>", "<enter>L/", "<enter>L/2-",
    " ", "v", " B", "B", "Bj ", "BG", "B   ", "BY", "BYu",
    "f", "<enter>f", "fc", "fcY", "fcYu", "t",
  ]

  @Test(arguments: [(30, 8), (40, 12), (80, 24), (200, 50)])
  func everyKeyDoesSomething(columns: Int, rows: Int) {
    for var desk in [Self.store, Self.documents, Self.empty] {
      desk.take(.terminal(.resized(Size(columns: columns, rows: rows))))
      for way in Self.ways { check(desk.typing(way), "\(way) at \(columns)x\(rows)") }
    }
  }

  @Test func everyKeyDoesSomethingWhereValuesAreHiddenAndNothingCanBeWritten() {
    for var desk in [Self.store, Self.documents] {
      desk.state.access = .readOnly(reason: "The app runs.")
      for way in Self.ways { check(desk.typing("P" + way), "P\(way)") }
    }
  }

  /// The store has not answered yet.
  @Test func everyKeyDoesSomethingMeanwhile() {
    for desk in [Self.store, Self.documents] {
      var desk = desk.typing("<enter>")
      var unread = desk
      unread.state.open = [:]
      check(unread, "a record that is read")
      desk.treesWait = true
      check(desk.typing("L"), "a tree that is read")
      desk.type("e")
      desk.records = []
      desk.take(.settled(id: desk.state.pages[0].record ?? ""))
      check(desk, "an editor of what is settled")
    }
  }

  @Test func everyKeyOfABulkActDoesSomethingMeanwhile() {
    for key in ["B", "BY", "BYu", "f"] {
      var desk = TestDesk(BulkTests.many(3)).typing(String(key.dropLast()))
      desk.answersWait = true
      check(desk.typing(String(key.suffix(1))), key)
    }
  }

  @Test(arguments: [ReviewPage.Stage.reading, .checking, .writing])
  func everyKeyOfAReviewDoesSomethingMeanwhile(stage: ReviewPage.Stage) {
    var desk = Self.store.typing("jjAw")
    guard case .review(var page)? = desk.state.pages.last else { preconditionFailure("because w reviews") }
    page.stage = stage
    if stage == .reading { (page.drafts, page.checks) = ([], []) }
    desk.state.pages = [.review(page)]
    check(desk, "a review while \(stage)")
  }

  /// So that the law cannot hold because nothing is found.
  @Test(arguments: [
    ("", ["Enter"]), ("/", ["Esc"]), ("<enter>e", ["Up", "Down"]), ("L", ["h", "l"]), ("?", ["Tab"]),
  ])
  func footersAreRead(way: String, names: [String]) {
    #expect(Self.keys(of: Self.store.typing(way)).contains { $0.map(\.name) == names }, "\(way)")
  }

  private func check(_ desk: TestDesk, _ way: String) {
    var desk = desk
    desk.state.status = nil
    desk.effects = []
    for keys in Self.keys(of: desk) {
      #expect(keys.contains { doesSomething($0, desk) }, "\(keys.map(\.name)) after \(way):\n\(desk.screen)")
    }
  }

  private func doesSomething(_ key: Key, _ desk: TestDesk) -> Bool {
    var pressed = desk
    pressed.take(.terminal(.key(key)))
    if pressed.state.status?.text.hasSuffix("does nothing here. ? shows the keys.") == true { return false }
    return pressed.state.status != nil || !pressed.effects.isEmpty || pressed.state.pages != desk.state.pages
      || pressed.state.list != desk.state.list || pressed.state.open != desk.state.open
      || pressed.state.waiting != nil
  }

  /// The keys that the last line names, or the lines of the editor's box; those that do one thing together.
  private static func keys(of desk: TestDesk) -> [[Key]] {
    let names = Dictionary(
      Keymap.bindings(on: desk.state.topic).flatMap(\.keys).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let lines = desk.screen.description.split(separator: "\n")
    let footers = desk.state.topic == .editor ? lines.suffix(lines.count / 2) : lines.suffix(1)
    let parts = footers.flatMap { $0.trimmingPrefix { "│└─ ".contains($0) }.split(separator: "  ") }
    return parts.map { part in part.split(separator: " ").map { names[String($0)] } }
      .map { $0.prefix { $0 != nil }.compactMap(\.self) }.filter { !$0.isEmpty }
  }
}
