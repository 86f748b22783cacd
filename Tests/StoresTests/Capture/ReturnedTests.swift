import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A row had an edit when a deletion was fetched, and the server has the record again since: the engine made the row anew of that one,
/// and the edit lies in the inbox alone.
@Suite struct ReturnedTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receiveDeletion(of: "notes", "true", at: 200)
  }

  private static func record(
    _ tag: String, _ time: Int64, title: (String, Int64), body: (String, Int64), madeAt made: Int64? = nil
  ) -> ArchivedRecord {
    var record = ArchivedRecord.milk(tag, time, title: title, body: body)
    // By the server's clock: after the deletion there was none.
    record.createdAt = (made ?? (tag == "a" ? 10 : 260)) * 1_000_000
    return record
  }

  /// Another device had edited the body, and made the record again.
  private func comeBack() throws {
    try app.receive(Self.record("c", 260, title: ("Milk", 10), body: ("3 l", 250)), at: 270)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Milk"), .text("3 l")]])
    #expect(try app.rows("SELECT isDeleted FROM parley_inbox") == [[.integer(1)]])
  }

  private func store(_ route: WriteRoute = .direct) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, route: route, clock: { 300 })
  }

  @Test func theCapturedRowIsTheClientsAndTheRecordTheServers() throws {
    try comeBack()
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .edit)
    let (title, body) = (try #require(conflict["title"]), try #require(conflict["body"]))
    #expect(title.change == .different && title.server == FieldVersion(.text("Milk"), time: 10))
    #expect(title.client == FieldVersion(.text("Milk 2%"), time: 150))
    // As this device may have made it again.
    #expect(title.ancestor == nil && title.suggestion.certainty != .sure)
    #expect(body.change == .onlyServer && body.client == FieldVersion(.text("1 l"), time: 10))
    #expect(body.server == FieldVersion(.text("3 l"), time: 250))
    #expect(conflict.details.mergedRow?["title"] == .text("Milk"))
    #expect(conflict.details.notes.allSatisfy { $0.hasPrefix("the server had deleted it") })
    // It was received after the deletion, and nobody has noted when.
    #expect(conflict.details.notes.count == 1 && conflict.details.clocksApart == nil)
  }

  /// The engine forgets the record then, and has what it sends next for it; but the server has not deleted it again.
  @Test(arguments: PlayedApp.GivenUp.allCases, [true, false])
  func soItIsAfterARefusedSave(reason: PlayedApp.GivenUp, isSent: Bool) throws {
    try comeBack()
    try app.refuse(Self.milk, reason, at: 280)
    app.enqueue(Self.milk)
    if isSent { #expect(try app.send(Self.milk, tag: "d", at: 290) != nil) }
    #expect(try app.lastKnown(Self.milk)?.isConfirmed == (isSent ? false : nil))
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .edit)
    let (title, body) = (try #require(conflict["title"]), try #require(conflict["body"]))
    #expect(title.client == FieldVersion(.text("Milk 2%"), time: 150) && title.server?.value == .text("Milk"))
    #expect(title.suggestion.certainty != .sure && conflict.details.withoutPolicy == ["title"])
    #expect(body.change == .onlyServer && body.server == FieldVersion(.text("3 l"), time: 250))
  }

  @Test(arguments: WriteRoute.allCases) func whatIsWrittenThenIsSent(route: WriteRoute) throws {
    try comeBack()
    try app.refuse(Self.milk, .serverRejectedRequest, at: 280)
    if route == .direct { try app.close() }
    let store = try store(route)
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    if route == .outbox { try app.drainOutbox(at: 400) }
    #expect(try summaries(of: store).isEmpty)
    try expectBoth(route)
  }

  /// The same row of the inbox waits, whatever tag the record has by now.
  @Test func whatWasDecidedHoldsAsAnotherFieldComesIn() throws {
    try comeBack()
    let resolution = Resolution(choices: [.field("title"): .take(.client)])
    let seen = try store().conflict(Self.milk)
    let decisions = seen.decisions(about: [.field("title")], in: resolution, at: 280)
    try app.receive(Self.record("d", 285, title: ("Milk", 10), body: ("4 l", 284)), at: 290)
    let judged = try store().conflict(Self.milk).judged(decisions)
    #expect(judged.resolution.choices.count == 1 && judged.outdated.isEmpty)
  }

  /// Both have the record that the app knows by now for the server's, and only the later one was decided and written.
  @Test func whatWasDecidedAboutALaterOneIsNothingOfIt() throws {
    try comeBack()
    try app.edit(at: 275, "UPDATE notes SET body = '4 l'")
    let anew = Self.record("d", 280, title: ("Rice milk", 280), body: ("5 l", 280), madeAt: 280)
    try app.receive(anew, at: 290)
    try app.close()
    let store = try store()
    let later = try store.conflict(Self.milk)
    #expect(later.details.hasEarlier && later["body"]?.client?.value == .text("4 l"))
    let resolution = later.accepting(.yours, in: Resolution(choices: [.field("body"): .take(.server)]))
    let decisions = later.decisions(about: later.subjects, in: resolution, at: 299)
    #expect(decisions.contains { $0.subject == .field("body") } && later.judged(decisions).kept.isEmpty)
    try store.journal.append(decisions)
    let draft = try #require(later.draft(resolution))
    #expect(try store.write([PlannedWrite(seen: later, draft: draft)], note: nil).map(\.outcome) == [.fine])
    let earlier = try #require(try store.journal.decided([store.conflict(Self.milk)]).first)
    #expect(earlier.conflict["title"]?.client?.value == .text("Milk 2%"))
    #expect(earlier.outdated.isEmpty && earlier.resolution.isEmpty && !earlier.undecided.isEmpty)
  }

  /// The engine had put the other device's title beside an edit of the body, and nobody here has typed any.
  @Test func whatTheEngineTookBeforeTheDeletionIsNoEdit() throws {
    let folder = try TestFolder()
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "UPDATE notes SET body = '2 l'")
    try app.receive(Self.record("b", 160, title: ("Oat milk", 160), body: ("1 l", 10), madeAt: 10), at: 180)
    try app.receiveDeletion(of: "notes", "true", at: 200)
    try app.receive(Self.record("c", 260, title: ("Soy milk", 260), body: ("1 l", 260)), at: 270)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    let (title, body) = (try #require(conflict["title"]), try #require(conflict["body"]))
    #expect(title.change == .onlyServer && title.ancestor?.value == .text("Milk"))
    #expect(body.client?.value == .text("2 l") && body.ancestor == nil && body.suggestion.certainty != .sure)
    #expect(conflict.details.withoutPolicy == ["body"])
  }

  @Test func theEditIsGivenUpByWhoeverDeletes() throws {
    try comeBack()
    let conflict = try store().conflict(Self.milk)
    let delete = try #require(conflict.alternative(.delete))
    let losses = Losses(conflict).of(delete)
    #expect(losses.contains(.edits(by: "the client", fields: ["title"])), "\(losses)")
    #expect(losses.contains(.edits(by: "the server", fields: ["title", "body"])), "\(losses)")
  }

  @Test(arguments: WriteRoute.allCases) func bothEditsAreWritten(route: WriteRoute) throws {
    try comeBack()
    if route == .direct { try app.close() }
    let store = try store(route)
    let planned = try #require(try plan(Self.milk, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    if route == .outbox { try app.drainOutbox(at: 400) }
    #expect(try app.lastKnown(Self.milk)?.changeTag == "c")
    #expect(try summaries(of: store).isEmpty)
    try expectBoth(route)
  }

  private func expectBoth(_ route: WriteRoute) throws {
    let (both, sql) = (Value.text("Milk 2%, 3 l"), "SELECT title || ', ' || body FROM notes")
    if route == .outbox {
      #expect(try app.rows(sql) == [[both]] && app.queued == [Self.milk: .save])
      return
    }
    let files = try StoreFilesInspector(app.path)
    #expect(try files.value(sql) == both && files.pending(Self.milk).map(\.kind) == [.save])
  }

  /// Of another device that has the key again as it was before: the row has nothing of the edit any more.
  @Test func anEditOfTheClientAloneIsStillAsked() throws {
    try app.receive(Self.record("c", 260, title: ("Milk", 10), body: ("1 l", 10)), at: 270)
    #expect(try summaries(of: store()).map(\.id) == [Self.milk])
    let title = try #require(try store().conflict(Self.milk)["title"])
    #expect(title.change == .different && title.client?.value == .text("Milk 2%"))
  }

  @Test func aLaterEditOfTheRowIsTheClients() throws {
    try comeBack()
    try app.edit(at: 280, "UPDATE notes SET body = '4 l'")
    let conflict = try store().conflict(Self.milk)
    let body = try #require(conflict["body"])
    // The engine had made the row of the record that came back: that is what was edited.
    #expect(body.change == .onlyClient && body.ancestor?.value == .text("3 l"))
    #expect(body.client == FieldVersion(.text("4 l"), time: 280))
    #expect(conflict["title"]?.client == FieldVersion(.text("Milk 2%"), time: 150))
    #expect(conflict.details.notes.contains("the row was edited after this record came in"))
  }

  @Test func aRowThatIsMadeAgainHereIsTheClients() throws {
    try app.edit(at: 280, "INSERT INTO notes (id, title) VALUES ('1', 'Soy milk')")
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .deletedOnServer)
    #expect(conflict["title"]?.client?.value == .text("Soy milk"))
  }

  /// Once that is sent nothing tells it from a record that another device made: which of the two stands is to decide.
  @Test func onceThatIsSentNothingIsSure() throws {
    try app.edit(at: 280, "INSERT INTO notes (id, title) VALUES ('1', 'Soy milk')")
    try app.upload(Self.milk, tag: "c", at: 290)
    #expect(try app.lastKnown(Self.milk)?.changeTag == "c")
    let conflict = try store().conflict(Self.milk)
    let title = try #require(conflict["title"])
    #expect(title.client?.value == .text("Milk 2%") && title.server?.value == .text("Soy milk"))
    #expect(title.ancestor == nil && title.suggestion.certainty != .sure)
    #expect(conflict.details.withoutPolicy == ["title"])
  }

  /// What was captured of the one before is nothing that this one was made of. But it is nowhere else, and who deleted the one before nobody
  /// knows.
  @Test(arguments: ["Rice milk", "Oat milk"])
  func aRecordThatWasMadeAnewIsNotMergedWithTheOneBefore(title: String) throws {
    try app.receive(Self.record("c", 260, title: ("Milk", 10), body: ("1 l", 10)), at: 270)
    try app.inTransaction { try $0.execute(sql: "DELETE FROM parley_inbox") }
    try app.edit(at: 300, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record("d", 360, title: ("Oat milk", 360), body: ("3 l", 360)), at: 400)
    #expect(try store().conflict(Self.milk)["title"]?.ancestor != nil)
    try app.edit(at: 500, "DELETE FROM notes")
    _ = try app.send(Self.milk, tag: "e", at: 510)
    let anew = Self.record("f", 560, title: (title, 560), body: ("", 560), madeAt: 560)
    try app.receive(anew, at: 600)
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .noAncestor)
    #expect(conflict["title"]?.client == FieldVersion(.text("Soy milk"), time: 300))
    // The record as it is, and nothing of the one that the deletion took: no server ever had some of both.
    #expect(conflict["title"]?.server == FieldVersion(.text(title), time: 560))
    #expect(conflict["body"]?.client?.value == .text(""))
    #expect(conflict["body"]?.server == FieldVersion(.text(""), time: 560))
    #expect(conflict.details.mergedRow?["title"] == .text(title))
    #expect(conflict["title"]?.suggestion.certainty != .sure)
    #expect(conflict["title"]?.suggestion.value == .text(title))
    #expect(conflict.details.withoutPolicy.contains("title"))
    #expect(conflict.details.notes.contains { $0.contains("was deleted in between, and made anew") })
    try app.edit(at: 700, "UPDATE notes SET title = 'Almond milk'")
    let later = try #require(try store().conflict(Self.milk)["title"])
    #expect(later.client?.value == .text("Almond milk") && later.server?.value == .text(title))
    // It is what the one before had there, and no less an edit.
    try app.edit(at: 710, "UPDATE notes SET title = 'Oat milk'")
    let client = try store().conflict(Self.milk)["title"]?.client?.value
    #expect(client == .text(title == "Oat milk" ? "Soy milk" : "Oat milk"))
  }

  /// So it is where that came in while an edit of the one before waited.
  @Test func anEditOfTheOneBeforeIsNoEditOfThatOne() throws {
    let folder = try TestFolder()
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    let anew = Self.record("b", 260, title: ("Milk", 260), body: ("", 260), madeAt: 260)
    try app.receive(anew, at: 300)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(conflict.kind == .noAncestor && conflict["title"]?.suggestion.certainty != .sure)
    #expect(conflict["title"]?.client?.value == .text("Milk 2%"))
  }

  /// An app that has nothing of what `init` did. Its edit of the title was refused for good, and then the record that was made anew came in:
  /// where the engine knows no ancestor any more, that one takes its place in the row.
  private func takingItsPlace(in folder: TestFolder) throws -> PlayedApp {
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.refuse(Self.milk, .serverRejectedRequest, at: 160)
    try app.receive(Self.record("b", 260, title: ("Rice milk", 260), body: ("", 260)), at: 300)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Rice milk")]])
    return app
  }

  @Test func soItIsWhereItTookTheEditsPlace() throws {
    let folder = try TestFolder()
    let app = try takingItsPlace(in: folder)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(conflict["title"]?.client?.value == .text("Milk 2%"))
    #expect(conflict["title"]?.suggestion.certainty != .sure && conflict["body"]?.client?.value == .text(""))
  }

  /// The newest of the records that came in has an ancestor, of which that edit is none; and without an edit over it is in the row alone.
  @Test(arguments: [true, false]) func soItIsWhereAnotherCameInUponThatOne(isEdited: Bool) throws {
    let folder = try TestFolder()
    let app = try takingItsPlace(in: folder)
    if isEdited { try app.edit(at: 350, "UPDATE notes SET body = '9 l'") }
    try app.receive(Self.record("c", 360, title: ("Oat milk", 360), body: ("", 260)), at: 400)
    #expect(try app.rows("SELECT 1 FROM parley_inbox").count == (isEdited ? 2 : 1))
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    let title = try #require(conflict["title"])
    #expect(title.client == FieldVersion(.text("Milk 2%"), time: 150))
    #expect(title.server?.value == .text("Oat milk") && title.suggestion.certainty != .sure)
    #expect(conflict["body"]?.client?.value == .text(isEdited ? "9 l" : ""))
    #expect(conflict.details.mergedRow?["title"] == .text("Oat milk"))
  }

  /// Both made the record, so that all of the row that was captured is an edit, and the app does not know it any more.
  @Test func soItIsWhereBothMadeTheOneBefore() throws {
    let folder = try TestFolder()
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.edit(at: 150, "INSERT INTO notes (id, title, body) VALUES ('1', 'Milk 2%', '1 l')")
    try app.receive(Self.record("b", 260, title: ("Oat milk", 260), body: ("1 l", 260)), at: 300)
    try app.refuse(Self.milk, .serverRejectedRequest, at: 310)
    // As an app that did not note that.
    try app.inTransaction { try $0.execute(sql: "DELETE FROM parley_sending") }
    try app.edit(at: 320, "UPDATE notes SET rank = 1")
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(conflict["title"]?.client == FieldVersion(.text("Milk 2%"), time: 150))
    #expect(conflict["title"]?.server?.value == .text("Oat milk"))
    #expect(conflict["title"]?.suggestion.certainty != .sure)
    #expect(conflict["rank"]?.client?.value == .integer(1))
    #expect(conflict.details.notes.filter { $0.contains("ancestor") }.count == 1)
  }

  /// The app's own deletion is not sent: it stands against that one, and would take it away on every device.
  @Test func aDeletionOfTheOneBeforeIsTheClients() throws {
    let folder = try TestFolder()
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "DELETE FROM notes")
    try app.receive(Self.record("b", 260, title: ("Rice milk", 260), body: ("", 260)), at: 300)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Rice milk")]])
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(conflict.kind == .deletedOnClient && conflict.details.rowIsBack)
    #expect(conflict["title"]?.server?.value == .text("Rice milk"))
    try app.edit(at: 400, "UPDATE notes SET title = 'Soy milk'")
    let later = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(later["title"]?.client?.value == .text("Soy milk"))
  }

  /// Nor is one that this device has made anew, and not sent yet.
  @Test func aRowOfWhichTheAppKnowsNoRecordIsNotMerged() throws {
    try app.receive(Self.record("c", 260, title: ("Milk", 10), body: ("1 l", 10)), at: 270)
    try app.inTransaction { try $0.execute(sql: "DELETE FROM parley_inbox") }
    try app.edit(at: 300, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record("d", 360, title: ("Oat milk", 360), body: ("3 l", 360)), at: 400)
    try app.edit(at: 500, "DELETE FROM notes")
    _ = try app.send(Self.milk, tag: "e", at: 510)
    try app.edit(at: 520, "INSERT INTO notes (id, title) VALUES ('1', 'Rice milk')")
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .noAncestor && conflict["title"]?.client?.value == .text("Rice milk"))
    #expect(conflict["title"]?.server?.value == .text("Oat milk"))
    #expect(conflict.details.withoutPolicy.contains("title"))
    #expect(
      conflict.details.notes.contains { $0.contains("knows no record of the server's for this row any more") }
    )
  }

  /// Nor is one whose deletion waits. The mark of it stands, whether the app saved the same record so or made another one, and the time is that
  /// of before.
  @Test func aRowOverItsDeletionIsNotMerged() throws {
    try app.receive(Self.record("c", 260, title: ("Milk", 10), body: ("1 l", 10)), at: 270)
    try app.inTransaction { try $0.execute(sql: "DELETE FROM parley_inbox") }
    try app.edit(at: 300, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record("d", 360, title: ("Oat milk", 360), body: ("1 l", 10)), at: 400)
    #expect(try store().conflict(Self.milk)["body"]?.change == .unchanged)
    try app.edit(at: 500, "DELETE FROM notes")
    try app.edit(at: 520, "INSERT INTO notes (id, title, body) VALUES ('1', 'Rice milk', '9 l')")
    #expect(try app.rows("SELECT _isDeleted FROM sqlitedata_icloud_metadata") == [[.integer(1)]])
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .noAncestor && conflict["title"]?.client?.value == .text("Rice milk"))
    #expect(conflict["body"]?.client == FieldVersion(.text("9 l"), time: nil))
    #expect(conflict["body"]?.suggestion.certainty == .yours)
    #expect(conflict.details.withoutPolicy.isSuperset(of: ["title", "body"]))
    #expect(conflict.details.notes.contains { $0.contains("the row was deleted here and is there again") })
  }

  @Test func whatIsGoneOnceMoreIsTheClientsAgainstTheDeletion() throws {
    try comeBack()
    try app.receiveDeletion(of: "notes", "true", at: 300)
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .deletedOnServer)
    #expect(conflict["title"]?.client?.value == .text("Milk 2%"))
  }
}
