import Merging
import StoreInterface
import Testing

@testable import Desk

/// Something was decided, and what it was about is no more in conflict: nothing is undecided, and the decision would go without a word.
@Suite struct LookAgainTests {
  private static let id = "42:reminders"
  private static let note = "What was decided about title holds no longer, as it is no more in conflict."

  /// The same record once the title is on all sides what it was before.
  private var settled: RecordConflict { dentist(having: Sample.fields) }

  private func dentist(having fields: [Field]) -> RecordConflict {
    let seen = Sample.dentist
    func settled(_ version: RecordVersion?) -> RecordVersion {
      var row = version?.fields ?? [:]
      row["title"] = seen.versions.ancestor?.fields?["title"]
      return .present(row)
    }
    return RecordConflict(
      id: seen.id, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: fields,
      versions: ThreeWay(
        ancestor: seen.versions.ancestor, client: settled(seen.versions.client),
        server: settled(seen.versions.server)),
      details: seen.details)
  }

  /// All was decided before this desk, and then the store changed.
  private func desk(_ fields: [Field] = Sample.fields, typing keys: String = "") -> TestDesk {
    let seen = Sample.dentist
    var choices = Dictionary(uniqueKeysWithValues: seen.subjects.map { ($0, Choice.take(.server)) })
    choices[.field("title")] = .edit(.text("typed"))
    let decisions = seen.decisions(about: seen.subjects, in: Resolution(choices: choices), at: 1)
    var desk = TestDesk([dentist(having: fields)], findings: [], columns: 120, rows: 40)
    desk.journal = decisions
    desk.take(.storeChanged)
    return desk.typing(keys)
  }

  @Test func acceptingTakesNothingAndTellsTheWay() {
    let desk = desk(typing: "A")
    #expect(desk.state.status?.text.contains(Self.note) == true, "\(desk.screen)")
    #expect(desk.state.status?.text.contains("Enter opens it, and there x takes it back") == true)
    #expect(desk.state.open[Self.id]?.isMoved == true && desk.state.open[Self.id]?.draft == nil)
    #expect(desk.state.list.ready.isEmpty && desk.typing("wY").written.isEmpty)
    #expect(desk.screen.description.contains("! look again"))
  }

  @Test func theRecordSaysSoToo() {
    var desk = desk(typing: "<enter>")
    #expect(!desk.screen.description.contains("✓ ready"), "\(desk.screen)")
    #expect(desk.screen.description.contains("! look again"))
    desk.type("w")
    #expect(desk.state.status?.text.hasPrefix("Nothing is ready. \(Self.note)") == true, "\(desk.screen)")
  }

  /// On another field it takes back what is decided about that, so the way to it is told.
  @Test(arguments: [
    ("<enter>w", "x takes it back; or decide it anew.", "x"),
    ("<enter>jw", "Tab goes to it, and x takes it back; or decide it anew.", "<tab>x"),
    ("<enter>js", "Tab goes to it, and x takes it back; or decide it anew.", "<tab>x"),
    ("A", "Enter opens it, and there x takes it back; or decide it anew.", "<enter>x"),
    ("<enter>j<esc>A", "Enter opens it, and there x takes it back; or decide it anew.", "<enter>x"),
  ])
  func theKeysThatAreToldTakeItBack(way: String, words: String, keys: String) {
    let told = desk(typing: way)
    #expect(told.state.status?.text.hasSuffix("conflict. " + words) == true, "\(told.screen)")
    let before = told.state.open[Self.id]?.resolution
    let done = told.typing(keys).state.open[Self.id]
    #expect(done?.isMoved == false && done?.resolution == before, "\(told.typing(keys).screen)")
  }

  /// What is looked for is under the cursor first.
  @Test func itIsToldWhereTheCursorBeginsElsewhere() {
    let told = desk(typing: "/tooth<enter>A")
    #expect(
      told.state.status?.text.contains("there Tab goes to it, and x takes it back") == true, "\(told.screen)")
    #expect(told.typing("<enter><tab>x").state.open[Self.id]?.isMoved == false)
  }

  /// The app has dropped its column: it cannot be decided anew.
  @Test func ofAFieldThatIsGoneTheWayIsToldThatThereIs() {
    let told = desk(Sample.fields.filter { $0.name != "title" }, typing: "A")
    let words = "as there is no such field any more. Enter opens it, and there x takes it back."
    #expect(told.state.status?.text.hasSuffix(words) == true, "\(told.screen)")
    #expect(told.typing("<enter>x").state.open[Self.id]?.isMoved == false)
  }

  @Test func decidingAnotherFieldDoesNotReleaseIt() {
    let desk = desk(typing: "<enter>gjs")
    #expect(desk.state.open[Self.id]?.isMoved == true)
    #expect(DecidedConflict(settled, decisions: desk.journal).isMoved, "nor is it so for who reads it anew")
  }

  /// Where nothing of it is left to see, wherever the cursor is.
  @Test(arguments: ["gx", "g]x"]) func itIsTakenBackByItsKey(keys: String) {
    let desk = desk(typing: "<enter>" + keys)
    #expect(desk.state.open[Self.id]?.isMoved == false, "\(desk.screen)")
    #expect(!DecidedConflict(settled, decisions: desk.journal).isMoved)
  }

  @Test func itIsDecidedAnewWhereItStands() {
    let desk = desk(typing: "<enter>gs")
    #expect(desk.state.open[Self.id]?.resolution[.field("title")] == .take(.server), "\(desk.screen)")
    #expect(desk.state.open[Self.id]?.isDecided == true && desk.state.list.ready.count == 1)
    #expect(DecidedConflict(settled, decisions: desk.journal).isDecided)
  }

  @Test func rulesOverManyLeaveItAsSuch() {
    #expect(desk(typing: "B").screen.description.contains("to look at again"))
  }
}
