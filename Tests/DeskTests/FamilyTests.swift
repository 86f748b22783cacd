import Merging
import StoreInterface
import Testing

@testable import Desk

/// `f`: a record and what belongs to it are seen and decided together.
@Suite struct FamilyTests {
  /// The list of all reminders of the sample, deleted here and renamed there.
  static let inbox = RecordConflict(
    id: "7:lists", table: "lists", primaryKey: "7", title: "Inbox", fields: [Field("name", kind: .text)],
    versions: ThreeWay(
      ancestor: .present(["name": FieldVersion(.text("Inbox"), time: Sample.synced)]),
      client: .deleted(time: Sample.now - Sample.minute),
      server: .present(["name": FieldVersion(.text("In"), time: Sample.now)])))

  static let records = [inbox, Sample.sure, Sample.clock, Sample.deletedOnServer]

  private static func desk(columns: Int = 80, rows: Int = 24) -> TestDesk {
    TestDesk(records, findings: [], columns: columns, rows: rows)
  }

  private static func decided(_ desk: TestDesk) -> [DecidedConflict] {
    desk.records.map { record in
      DecidedConflict(record, decisions: desk.journal.filter { $0.id == record.id })
    }
  }

  @Test(arguments: [(60, 15), (80, 24), (120, 40)]) func screen(columns: Int, rows: Int) throws {
    var desk = Self.desk(columns: columns, rows: rows).typing("fcYj")
    // There the rules fill the screen, and `Y` shows what becomes of the fields first.
    if rows == 15 { desk.type("Yj") }
    try expect(desk.screen, matches: "family")
  }

  @Test(arguments: ["f", "<enter>f", "jf", "jj<enter>f", ":decide its family<enter>"])
  func itIsFoundFromEachOfItsMembers(way: String) {
    let desk = Self.desk().typing(way)
    #expect(desk.state.topic == .family)
    #expect(Set(desk.state.family?.members.map(\.id) ?? []) == Set(Self.records.map(\.id)))
  }

  /// Seen from a child the others that point to its parent are no children of anybody here.
  @Test func kinIsThatOfTheRecordWhoseFamilyItIs() {
    let kin = { (way: String) in
      Self.desk().typing(way).screen.description.matches(of: /child|parent|sibling/).map { String($0.0) }
    }
    #expect(kin("f").filter { $0 == "child" }.count == 3 && !kin("f").contains("sibling"), "\(kin("f"))")
    #expect(kin("jf").contains("parent"), "\(kin("jf"))")
    #expect(kin("jf").filter { $0 == "sibling" }.count == 2 && !kin("jf").contains("child"), "\(kin("jf"))")
  }

  /// A law: with one key and `Y` all that was open is decided by one rule, as drafts; and one key takes all of it back.
  @Test(arguments: [("c", Side.client), ("s", Side.server)])
  func allIsDecidedByOneSideAndTakenBackByOneKey(key: String, side: Side) {
    let desk = Self.desk().typing("f\(key)Y")
    #expect(desk.state.topic == .family && desk.written.isEmpty)
    for record in Self.decided(desk) {
      #expect(record.undecided.isEmpty && record.draft != nil, "\(record.conflict.title)")
      #expect(record.resolution.choices.values.allSatisfy { $0 == .take(side) })
    }
    #expect(desk.state.family?.undecided.isEmpty == true, "it is shown at once")
    let undone = desk.typing("u")
    #expect(Self.decided(undone).allSatisfy(\.resolution.isEmpty) && undone.state.topic == .family)
    #expect(undone.state.family?.undecided.count == Self.records.count)
    #expect(Self.decided(undone.typing("U")) == Self.decided(desk))
  }

  @Test func whatIsSureOrByClockIsAcceptedAndDeletionsAreLeft() {
    let desk = Self.desk().typing("fAY")
    #expect(Set(desk.journal.map(\.id)) == [Sample.sure.id, Sample.clock.id])
    #expect(desk.state.family?.undecided.map(\.id) == [Self.inbox.id, Sample.deletedOnServer.id])
  }

  /// What a person decided stays, and that is said before anything is a draft.
  @Test func whatIsDecidedStaysAndIsTold() {
    let before = Self.desk().typing("jcgf")
    let preview = before.typing("s")
    #expect(preview.screen.description.contains("Drafts already: 1."), "\(preview.screen)")
    #expect(preview.screen.description.contains("Gives up"), "\(preview.screen)")
    let (old, new) = (Self.decided(before)[1], Self.decided(preview.typing("Y"))[1])
    #expect(old.draft != nil && new == old)
    let told = preview.typing("Ys").state
    #expect(told.topic == .family && told.status?.text.hasPrefix("All of them are decided") == true)
  }

  @Test func aParentThatGoesAndAChildThatStaysAreTold() {
    let desk = Self.desk().typing("fcY")
    #expect(desk.state.family?.contradictions.map(\.child) == Self.records.dropFirst().map(\.id))
    #expect(desk.screen.description.contains("✗ goes, 3 stay"), "\(desk.screen)")
    #expect(desk.typing("j").screen.description.contains("✗ Inbox goes, and Milk stays"), "\(desk.screen)")
    // The list is kept after all.
    let mended = desk.typing("<enter>s<esc>")
    #expect(mended.state.topic == .family && mended.state.family?.contradictions.isEmpty == true)
    #expect(!mended.screen.description.contains("✗"), "\(mended.screen)")
  }

  @Test func whoTypesNoFilterAfterAllHasTheFamilyStill() {
    let desk = Self.desk().typing("f<enter>/<esc><esc>")
    #expect(desk.state.topic == .family && desk.state.family?.members.count == Self.records.count)
    #expect(desk.screen.description == Self.desk().typing("f").screen.description)
  }

  @Test func aFamilyThatCannotBeReadIsNotWaitedFor() {
    var desk = Self.desk()
    desk.answersWait = true
    desk.type("f")
    desk.take(.familyFailed(id: Self.records[0].id, "The store is gone."))
    #expect(desk.state.topic == .list && desk.state.status == .failed("The store is gone."))
  }

  /// What was decided is written as ever, by one more step; then there is no family to come back to.
  @Test func whatIsWrittenIsNoLongerThere() {
    let desk = Self.desk().typing("fsYwY")
    #expect(desk.written.count == Self.records.count && desk.state.topic == .review)
    let back = desk.typing("<esc>")
    #expect(back.state.topic == .list && back.state.family == nil, "\(back.screen)")
  }

  @Test func whatAnotherSettledLeavesNoPage() {
    var desk = Self.desk().typing("f")
    desk.records = []
    desk.type("r")
    #expect(desk.state.topic == .list && desk.state.family == nil, "\(desk.screen)")
  }

  @Test func whatIsWrittenInPartLeavesTheRest() {
    var desk = Self.desk()
    desk.outcomes[Sample.clock.id] = .moved("it changed")
    let back = desk.typing("fsYwY<esc>")
    #expect(back.state.topic == .family && back.state.family?.members.map(\.id) == [Sample.clock.id])
  }

  @Test func afterATakingBackTheCursorRestsOnWhatIsThereAgain() {
    let others = ["8", "9"].map { key in
      RecordConflict(
        id: "\(key):lists", table: "lists", primaryKey: key, title: "Other \(key)",
        fields: Self.inbox.fields.map(\.field),
        versions: Self.inbox.versions)
    }
    let desk = TestDesk(others + Self.records, findings: []).typing("jjfsYwY<esc>")
    #expect(desk.state.list.count == others.count, "\(desk.screen)")
    let back = desk.typing("guY<esc>")
    #expect(back.state.list.selected?.id == Self.inbox.id, "\(back.screen)")
  }

  @Test func whatAnotherDecidesIsShown() {
    var desk = Self.desk().typing("f")
    desk.another(decides: Self.inbox.id, .record, .take(.client))
    #expect(desk.state.family?.undecided.count == Self.records.count - 1)
  }

  @Test func aRecordWithoutRelativesSaysSo() {
    for way in ["f", "<enter>f"] {
      let desk = TestDesk([Sample.sure], findings: []).typing(way)
      #expect(
        desk.state.status?.text
          == "Milk has no family: it points to no row in conflict, and none points to it.")
      #expect(desk.state.topic != .family && desk.state.family == nil)
    }
  }

  /// What a person has to decide is not promised to be accepted.
  @Test func whatIsSaidOfTheKeysIsSo() {
    let desk = Self.desk().typing("f")
    #expect(desk.screen.description.contains("c or s decides the other 4; A 2 of them."), "\(desk.screen)")
    let rest = desk.typing("AY")
    #expect(
      rest.screen.description.contains("c or s decides the other 2; A\n none of them."), "\(rest.screen)")
  }

  /// Each says why, and stays where it is.
  @Test func whereThereIsNoneItIsSaid() {
    let cases: [(TestDesk, String, String)] = [
      (TestDesk([Bookshop.walden], findings: [], store: Bookshop.store), "f", "do not point to each other"),
      (TestDesk(), "6f", "Only conflicts have a family"),
      (TestDesk([]), "f", "Only conflicts have a family"),
      (TestDesk(), "Llllllltf", "A rehearsal has no family."),
      (Self.desk(), "BG<enter>f", "Esc leaves them first"),
    ]
    for (desk, way, words) in cases {
      let after = desk.typing(way).state
      #expect(after.status?.text.contains(words) == true && after.topic != .family, "\(way): \(words)")
    }
  }

  /// Nobody waits for the walk any more.
  @Test func leavingWhileItIsReadStopsThat() {
    var desk = Self.desk()
    desk.answersWait = true
    desk.type("f")
    #expect(desk.screen.description.contains("looking for them"))
    desk.type("c")
    #expect(desk.state.topic == .family && desk.state.status != nil)
    desk.type("<esc>")
    #expect(desk.state.topic == .list && desk.effects.contains(.stopFamily))
    desk.take(.family(id: Self.inbox.id, []))
    #expect(desk.state.family == nil)
  }

  /// The family of one that was opened from a family takes the place of that, so that Esc leads out.
  @Test func familiesDoNotPileUp() {
    let desk = Self.desk().typing("fj<enter>f")
    #expect(desk.state.pages.count == 1 && desk.state.family?.id == Sample.sure.id)
  }

  /// The server has put it into the list that is gone here.
  private static func moved(pointsToNothing: Bool) -> RecordConflict {
    let child = Sample.record(
      "16:reminders", title: "Coffee", ancestor: ["list": .text("9")], client: [:],
      server: ["list": .text("7")])
    var details = child.details
    if pointsToNothing { details.unreferenced = ["list": [.text("7")]] }
    return RecordConflict(
      id: child.id, table: child.table, primaryKey: child.primaryKey, title: child.title,
      fields: child.fields.map(\.field), versions: child.versions, details: details)
  }

  /// By whoever decides it, and by whoever takes that back.
  @Test func whatPointsToAMissingRecordIsReadAgainWheneverThatComesBackOrGoes() {
    func pointsToNothing(_ desk: TestDesk) -> Bool? {
      desk.state.open["16:reminders"].map { !$0.conflict.details.unreferenced.isEmpty }
    }
    var desk = TestDesk([Self.inbox, Self.moved(pointsToNothing: true)], columns: 120, rows: 40)
    desk.type("/Coffee<enter><enter><esc>/Inbox<enter>")
    #expect(pointsToNothing(desk) == true)
    desk.records[1] = Self.moved(pointsToNothing: false)
    desk.type("<enter>s")
    #expect(pointsToNothing(desk) == false, "\(desk.screen)")
    desk.records[1] = Self.moved(pointsToNothing: true)
    desk.type("u")
    #expect(pointsToNothing(desk) == true, "\(desk.screen)")
  }

  /// Another Parley decided it, and what the store says to this one is newer than what was read.
  @Test func whatIsTakenThoughItPointedToNothingIsReadAgain() {
    var desk = TestDesk([Self.moved(pointsToNothing: true)], findings: [], columns: 120, rows: 40)
    #expect(desk.typing("s").state.list.counts[.ready] ?? 0 == 0)
    desk.records = [Self.moved(pointsToNothing: false)]
    #expect(desk.typing("s").state.list.counts[.ready] == 1)
  }

  /// What the list told of it is what it was when it was read.
  @Test func whatIsListedAsRefusedForAKeyIsReadAgainOnceThatPointsToSomething() {
    var desk = TestDesk([Self.inbox, Self.moved(pointsToNothing: false)], columns: 120, rows: 40)
    let reason = DraftRefusal.missing([.text("7")], in: "lists")
    desk.state.unwritten["16:reminders"] = DraftRefusal(field: "list", reason: reason).outcome
    #expect(desk.state.list.refused.count == 1)
    desk.type("/Inbox<enter><enter>s")
    #expect(desk.state.unwritten.isEmpty, "\(desk.screen)")
  }

  /// Over which no cursor was yet. Nothing else of the screen moves by it.
  @Test func whatIsListedAsPointingToNothingIsReadAgainOnceTheMissingRecordComesBack() {
    func certainty(_ desk: TestDesk) -> Certainty? { desk.state.list.summary("16:reminders")?.certainty }
    let others = [Self.inbox, Sample.sure, Sample.tie]
    var desk = TestDesk(others + [Self.moved(pointsToNothing: true)], findings: [], columns: 120, rows: 40)
    #expect(desk.state.open["16:reminders"] == nil && certainty(desk) == .yours)
    let unread = desk.typing("c").state.open["16:reminders"]
    #expect(unread == nil, "the record stays deleted")
    let unchanged = desk.typing("s")
    desk.records[3] = Self.moved(pointsToNothing: false)
    let sure = desk.state.list.counts[.sure] ?? 0
    desk.type("s")
    #expect(certainty(desk) == .sure && desk.state.list.counts[.sure] == sure + 1, "\(desk.screen)")
    #expect(desk.state.status == unchanged.state.status && desk.state.status?.isFailure == false)
    #expect(desk.state.list.selected?.id == Self.inbox.id && desk.state.pages.isEmpty)
  }
}
