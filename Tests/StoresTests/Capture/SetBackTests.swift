import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// The app's engine has merged, and then somebody sets the row to what one of the sides has: the values alone tell no edit.
@Suite struct SetBackTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  /// The title was edited there alone, and the body on both sides: the engine takes the one, and keeps ours of the other.
  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "UPDATE notes SET body = '2 l'")
    try app.receive(Self.record("b", 160, title: ("Oat milk", 160), body: ("3 l", 160)), at: 200)
  }

  private static func record(
    _ tag: String, _ time: Int64, title: (String, Int64), body: (String, Int64)
  ) -> ArchivedRecord {
    .milk(tag, time, title: title, body: body)
  }

  private func conflict(_ name: String = Self.milk) throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(name)
  }

  @Test func whatTheEngineMadeIsNoEdit() throws {
    try app.edit(at: 900, "UPDATE notes SET rank = 1")
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text("2 l")]])
    let title = try #require(try conflict()["title"])
    #expect(title.change == .onlyServer)
    #expect(title.client == FieldVersion(.text("Milk"), time: 10))
  }

  @Test func aValueThatIsSetBackIsALaterEdit() throws {
    try app.edit(at: 900, "UPDATE notes SET title = 'Milk'")
    let conflict = try conflict()
    let title = try #require(conflict["title"])
    #expect(title.change == .different && title.ancestor == nil)
    #expect(title.client == FieldVersion(.text("Milk"), time: 900))
    #expect(title.server == FieldVersion(.text("Oat milk"), time: 160))
    #expect(title.suggestion.value == .text("Milk"))
    // A union of the two would undo what was set back, and call it sure.
    #expect(conflict.details.withoutPolicy == ["title"])
    #expect(conflict["body"]?.client == FieldVersion(.text("2 l"), time: 150))
    #expect(conflict.details.notes.contains("the row was edited after this record came in"))
  }

  /// Whatever time the metadata has then: the engine had set another one.
  @Test(arguments: [60, 170, 250] as [Int64]) func soItIsByAClockThatWasSetBack(time: Int64) throws {
    try app.edit(at: time, "UPDATE notes SET title = 'Milk'")
    let title = try #require(try conflict()["title"])
    #expect(title.change == .different && title.client?.value == .text("Milk"))
  }

  /// An upload sets the time back to that of before: what else the row has of the record tells that it was merged.
  @Test func soItIsOnceThatWasSent() throws {
    func bread(_ tag: String, _ title: String, _ body: String, _ time: Int64) -> ArchivedRecord {
      .sample(
        "2:notes", tag: tag, serverTime: time,
        ["id": (.string("2"), 9), "title": (.string(title), time), "body": (.string(body), time)])
    }
    try app.receive(bread("a", "Bread", "1", 10), at: 110)
    try app.edit(at: 150, "UPDATE notes SET rank = 1 WHERE id = '2'")
    try app.receive(bread("b", "Rye bread", "2", 160), at: 200)
    try app.edit(at: 170, "UPDATE notes SET title = 'Bread' WHERE id = '2'")
    try app.inTransaction {
      try $0.run(
        "UPDATE sqlitedata_icloud_metadata SET userModificationTime = 150 WHERE recordPrimaryKey = '2'")
    }
    let (title, body) = try (conflict("2:notes")["title"], conflict("2:notes")["body"])
    #expect(title?.change == .different && title?.client?.value == .text("Bread"))
    #expect(body?.change == .onlyServer)
  }

  private static func bread(
    _ tag: String, _ title: String, _ body: (String, Int64), _ time: Int64
  ) -> ArchivedRecord {
    .sample(
      "2:notes", tag: tag, serverTime: time,
      ["id": (.string("2"), 9), "title": (.string(title), time), "body": (.string(body.0), body.1)])
  }

  /// The engine keeps an edit of the body beside the server's, and then the row has that.
  private func setToTheServers(_ body: (String, Int64)) throws {
    try app.receive(Self.bread("a", "Bread", ("1", 10), 10), at: 110)
    try app.edit(at: 150, "UPDATE notes SET body = '2' WHERE id = '2'")
    try app.receive(Self.bread("b", "Rye bread", body, 160), at: 200)
    #expect(
      try app.rows("SELECT title, body FROM notes WHERE id = '2'") == [[.text("Rye bread"), .text("2")]])
    try app.edit(at: 300, "UPDATE notes SET body = ? WHERE id = '2'", [.text(body.0)])
  }

  /// The row has the server's value, though the engine keeps an edit that it knows for one: nobody knows whether somebody has set it. Nor that
  /// it was this device, once the app has it with a later time.
  @Test(arguments: [("1", 10), ("1", 160), ("3", 160)] as [(String, Int64)])
  func soItIsWhereAnEditIsSetBackThatTheEngineKept(body: String, time: Int64) throws {
    try setToTheServers((body, time))
    for _ in 0..<2 {
      let conflict = try conflict("2:notes")
      let field = try #require(conflict["body"])
      #expect(conflict["title"]?.change == .onlyServer)
      #expect(field.change == .different && field.client?.value == .text("2"))
      #expect(field.suggestion.certainty != .sure && conflict.details.withoutPolicy == ["body"])
      #expect(field.ancestor?.value == (body == "1" ? nil : .text("1")))
      try app.receive(Self.bread("c", "Rye bread", (body, 350), 360), at: 400)
    }
    // That is the newest of the three by then.
    let field = try #require(try conflict("2:notes")["body"])
    #expect(field.client?.time == 150 && field.server == FieldVersion(.text(body), time: 350))
    #expect(field.suggestion.value == .text(body))
  }

  /// By the newest record alone nothing is left of that.
  @Test(arguments: [("1", 10), ("3", 160)] as [(String, Int64)])
  func nobodyKnowsThatWhereAnotherRecordCameInEither(body: String, time: Int64) throws {
    try setToTheServers((body, time))
    try app.edit(at: 350, "UPDATE notes SET rank = 1 WHERE id = '2'")
    try app.receive(Self.bread("c", "Wheat bread", (body, time), 360), at: 400)
    let conflict = try conflict("2:notes")
    #expect(conflict["title"]?.change == .onlyServer && conflict["title"]?.client?.value == .text("Bread"))
    let field = try #require(conflict["body"])
    #expect(field.change == .different && field.client == FieldVersion(.text("2"), time: 150))
    #expect(field.suggestion.certainty != .sure && conflict.details.withoutPolicy == ["body"])
    #expect(field.ancestor?.value == (body == "1" ? nil : .text("1")))
  }

  /// Not so where the engine knew no ancestor, as after a save that was refused for good: it takes the whole row.
  @Test func whatAnEngineWithoutAnAncestorTookIsNoEdit() throws {
    try app.upload(Self.milk, tag: "c", at: 210)
    try app.edit(at: 220, "UPDATE notes SET body = '9 l'")
    try app.refuse(Self.milk, .serverRejectedRequest, at: 230)
    try app.receive(Self.record("d", 260, title: ("Oat milk", 160), body: ("2 l", 150)), at: 300)
    #expect(try app.rows("SELECT body FROM notes") == [[.text("2 l")]])
    let body = try #require(try conflict()["body"])
    #expect(body.client?.value == .text("9 l") && body.change != .unchanged)
  }

  /// It knows no record of the row then, as after a deletion. But the row was never deleted.
  @Test(arguments: PlayedApp.GivenUp.allCases)
  func aRowThatGoesOnAfterARefusedSaveKeepsItsAncestor(reason: PlayedApp.GivenUp) throws {
    try app.refuse(Self.milk, reason, at: 300)
    try app.edit(at: 310, "UPDATE notes SET rank = 1")
    #expect(try app.lastKnown(Self.milk) == nil)
    let conflict = try conflict()
    #expect(conflict.kind == .edit && conflict.details.withoutPolicy.isEmpty)
    #expect(conflict["title"]?.change == .onlyServer && conflict["title"]?.client?.value == .text("Milk"))
    #expect(conflict["body"]?.ancestor?.value == .text("1 l") && conflict["body"]?.change == .different)
    // Nothing notes that any more.
    try app.edit(at: 320, "DELETE FROM notes")
    _ = try app.send(Self.milk, tag: "c", at: 330)
    try app.edit(at: 340, "INSERT INTO notes (id, title, body) VALUES ('1', 'Soy milk', '4 l')")
    #expect(try self.conflict().kind == .noAncestor)
  }

  /// By its value the server's would be the only edit; ours was made after it. So it is where another record came in after that.
  @Test func soItIsWhereAnEditIsSetToWhatBothHadBefore() throws {
    try app.edit(at: 300, "UPDATE notes SET body = '1 l'")
    for time in [400, 500] as [Int64] {
      let conflict = try conflict()
      let body = try #require(conflict["body"])
      #expect(body.change == .different && body.ancestor == nil && body.suggestion.certainty != .sure)
      #expect(body.client?.value == .text("1 l") && body.server?.value == .text("3 l"))
      #expect(conflict.details.withoutPolicy.contains("body"))
      try app.receive(Self.record("c\(time)", time, title: ("Oat milk", 160), body: ("3 l", 160)), at: time)
    }
  }

  /// The engine kept ours of the body and sent it, and another device has edited that: the policy would put the server's of before over it.
  @Test func aPolicyTakesNoValueOfTheServerThatIsOlderThanItsNewest() throws {
    let (policy, takesServers) = (Reason.policy("server"), MergeRules(defaultRule: .server))
    func body() throws -> FieldConflict? {
      try SQLiteDataStore.open(path: app.path, rules: takesServers).conflict(Self.milk)["body"]
    }
    try app.upload(Self.milk, tag: "c", at: 210)
    #expect(try body()?.suggestion.reason == policy && body()?.suggestion.value == .text("3 l"))
    try app.receive(Self.record("d", 360, title: ("Oat milk", 160), body: ("5 l", 360)), at: 400)
    #expect(try app.rows("SELECT body FROM notes") == [[.text("5 l")]])
    let now = try #require(try body())
    #expect(now.suggestion.reason != policy && now.suggestion.value == .text("5 l"))
    #expect(now.client?.value == .text("5 l") && now.server?.value == .text("3 l"))
  }

  @Test func whatCameInLaterIsNotToldAsAnEditOfTheRow() throws {
    let note = "the row was edited after this record came in"
    try app.upload(Self.milk, tag: "c", at: 210)
    try app.receive(Self.record("d", 360, title: ("Rice milk", 360), body: ("2 l", 360)), at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Rice milk")]])
    #expect(try !conflict().details.notes.contains(note))
    try app.edit(at: 500, "UPDATE notes SET title = 'Soy milk'")
    #expect(try conflict().details.notes.contains(note))
  }

  /// An inbox of before there were any has no times: nobody knows that it was not.
  @Test(arguments: [true, false]) func soItIsWhereAnotherRecordCameInAfterThat(hasTimes: Bool) throws {
    try app.edit(at: 300, "UPDATE notes SET title = 'Milk'")
    try app.receive(Self.record("c", 360, title: ("Oat milk", 160), body: ("4 l", 360)), at: 400)
    if !hasTimes { try app.inTransaction { try $0.run("UPDATE parley_inbox SET clientTime = NULL") } }
    let title = try #require(try conflict()["title"])
    #expect(title.change == .different && title.client?.value == .text("Milk"))
    if hasTimes { #expect(title.client?.time == 300) }
  }

  /// Nothing was changed there since: 108 is what was made of 101, whatever the ancestor had. So it is where another record comes in after that.
  @Test func whatIsMadeOfWhatTheEngineTookIsChangedHereAlone() throws {
    try app.edit(at: 300, "UPDATE notes SET title = 'Oat milk, sweet'")
    let title = try #require(try conflict()["title"])
    #expect(title.change == .onlyClient && title.ancestor == FieldVersion(.text("Oat milk"), time: 160))
    #expect(title.client == FieldVersion(.text("Oat milk, sweet"), time: 300))
    #expect(try conflict()["body"]?.ancestor?.value == .text("1 l"))
    try app.receive(Self.record("c", 360, title: ("Oat milk", 160), body: ("4 l", 360)), at: 400)
    #expect(try conflict()["title"]?.change == .onlyClient)
    #expect(try conflict()["title"]?.ancestor?.value == .text("Oat milk"))
    try app.edit(at: 500, "UPDATE notes SET title = 'Milk'")
    let back = try #require(try conflict()["title"])
    #expect(back.change == .onlyClient && back.client == FieldVersion(.text("Milk"), time: 500))
  }

  /// Where both devices made the record, too, though there is no ancestor: a policy would merge the edit with what it was made upon.
  @Test func soItIsWhereBothMadeTheRecord() throws {
    func bread(_ tag: String, _ title: String, _ time: Int64) -> ArchivedRecord {
      .sample(
        "2:notes", tag: tag, serverTime: time, ["id": (.string("2"), 9), "title": (.string(title), time)])
    }
    try app.edit(at: 250, "INSERT INTO notes (id, title) VALUES ('2', 'Rolls')")
    try app.receive(bread("a", "Bread", 260), at: 300)
    #expect(try app.rows("SELECT title FROM notes WHERE id = '2'") == [[.text("Bread")]])
    #expect(try conflict("2:notes").details.withoutPolicy.isEmpty)
    try app.edit(at: 350, "UPDATE notes SET title = 'Rye bread' WHERE id = '2'")
    let conflict = try conflict("2:notes")
    #expect(conflict.kind == .noAncestor && conflict["title"]?.client?.value == .text("Rye bread"))
    #expect(conflict.details.withoutPolicy == ["title"])
  }

  /// What both have added is added to that.
  @Test func bothHaveAddedToWhatTheEngineTook() throws {
    try app.edit(at: 300, "UPDATE notes SET title = 'Oat milk, sweet'")
    try app.receive(Self.record("c", 360, title: ("Rice milk", 360), body: ("4 l", 360)), at: 400)
    let title = try #require(try conflict()["title"])
    #expect(title.change == .different && title.ancestor?.value == .text("Oat milk"))
  }

  /// The edit was made on the server's title, which the engine had taken; by the ancestor of before that, this device alone changed it.
  @Test func aValueThatTheServerSetBackIsNoEditOfTheClientAlone() throws {
    try app.edit(at: 300, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record("c", 360, title: ("Milk", 360), body: ("1 l", 360)), at: 400)
    let store = try SQLiteDataStore.open(path: app.path)
    let title = try #require(try conflict()["title"])
    #expect(title.change == .different && title.ancestor?.value == .text("Oat milk"))
    #expect(title.client == FieldVersion(.text("Soy milk"), time: 300))
    #expect(title.server == FieldVersion(.text("Milk"), time: 360))
    let summary = try #require(try summaries(of: store).first)
    #expect(summary.certainty == title.suggestion.certainty && summary.certainty != .sure)
    // That was edited before the server's other one came in, and is the client's alone.
    #expect(try conflict()["body"]?.change == .onlyClient)
  }

  /// The engine took that one, too, and then somebody edited it: on the old value both had agreed again.
  @Test func whatIsEditedAfterTheServerSetItBackIsTheClientsAlone() throws {
    try app.receive(Self.record("c", 360, title: ("Milk", 360), body: ("4 l", 360)), at: 400)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Milk"), .text("2 l")]])
    try app.edit(at: 900, "UPDATE notes SET title = 'Soy milk'")
    let conflict = try conflict()
    let title = try #require(conflict["title"])
    #expect(title.change == .onlyClient && title.ancestor?.value == .text("Milk"))
    #expect(title.client == FieldVersion(.text("Soy milk"), time: 900))
    #expect(conflict["body"]?.change == .different)
  }

  /// That the row has the server's body may be an edit as well.
  @Test(arguments: [("title", "Milk"), ("body", "3 l")])
  func whatWasDecidedBeforeThatIsLookedAtAgain(field: String, value: String) throws {
    let choices: [Subject: Choice] = [.field("title"): .take(.server), .field("body"): .take(.client)]
    let seen = try conflict()
    let decisions = seen.decisions(
      about: Array(choices.keys), in: Resolution(choices: choices), at: 500)
    #expect(DecidedConflict(seen, decisions: decisions).isDecided)
    try app.edit(at: 900, "UPDATE notes SET \(field) = ?", [.text(value)])
    let now = try conflict()
    let decided = DecidedConflict(now, decisions: decisions)
    #expect(decided.isMoved && decided.draft == nil)
    #expect(decided.outdated.map(\.subject) == [.field(field)])
    #expect(seen.moved(to: now) == "\(field) changed in the row")
  }

  @Test func aRowThatWasPutBackAndIsDeletedOnceMoreIsLookedAtAgain() throws {
    let name = "2:notes"
    func bread(_ tag: String, _ title: String, _ time: Int64) -> ArchivedRecord {
      .sample(
        name, tag: tag, serverTime: time, ["id": (.string("2"), 9), "title": (.string(title), time)])
    }
    try app.receive(bread("a", "Bread", 9), at: 210)
    try app.edit(at: 250, "DELETE FROM notes WHERE id = '2'")
    try app.receive(bread("b", "Rye bread", 260), at: 300)
    let seen = try conflict(name)
    #expect(seen.details.rowIsBack)
    let decisions = seen.decisions(
      about: [.record], in: Resolution(choices: [.record: .take(.server)]), at: 500)
    #expect(DecidedConflict(seen, decisions: decisions).isDecided)
    try app.edit(at: 900, "UPDATE notes SET rank = 1 WHERE id = '2'")
    try app.edit(at: 901, "DELETE FROM notes WHERE id = '2'")
    let now = try conflict(name)
    #expect(now.versions.client == .deleted(time: 900))
    #expect(DecidedConflict(now, decisions: decisions).isMoved)
    #expect(seen.moved(to: now) == "the row was deleted")
  }
}
