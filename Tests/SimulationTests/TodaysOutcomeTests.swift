import Merging
import Testing

@testable import Simulation

/// What SQLiteData today would do with a real conflict.
struct TodaysOutcomeTests {
  @Test(arguments: SyncPath.allCases)
  func everyEditIsKeptAndFieldFourDiffers(path: SyncPath) {
    let outcome = TodaysRules.outcome(of: sevenFields(), on: path)
    #expect(Set(outcome.keys) == ["field2", "field3", "field4", "field5", "field6", "field7"])
    #expect(outcome.filter { $0.value.kept == .server }.keys.sorted() == ["field3"])
    #expect(outcome.filter { $0.value.differs }.keys.sorted() == ["field4"])
    #expect(
      outcome["field4"]
        == TodaysOutcome(
          kept: .client, value: .text("bar"),
          reason: "edited here and not sent, so the row is kept, whatever the times", differs: true))
    #expect(outcome["field3"]?.reason == "not edited here, so the server's value is taken")
  }

  @Test func withTiesToTheServerFieldSixDiffersToo() {
    let outcome = TodaysRules.outcome(of: sevenFields(rules: MergeRules(tie: .server)))
    #expect(outcome.filter { $0.value.differs }.keys.sorted() == ["field4", "field6"])
  }

  @Test func withoutAnAncestorAFetchTakesTheServersRowAndASendTheNewer() {
    let conflict = record(
      ancestor: nil, client: ["title": ("Milk", 60), "notes": ("2 l", 60)],
      server: ["title": ("Bread", 30), "notes": ("1 l", 90)])
    let fetch = TodaysRules.outcome(of: conflict, on: .fetch)
    #expect(fetch.mapValues(\.kept) == ["title": .server, "notes": .server])
    #expect(fetch["title"]?.differs == true)
    #expect(fetch["title"]?.reason == "there is no last-known record, so the server's whole row is taken")
    let send = TodaysRules.outcome(of: conflict, on: .send)
    #expect(send.mapValues(\.kept) == ["title": .client, "notes": .server])
    #expect(send.values.allSatisfy { !$0.differs })
    #expect(send["title"]?.reason == "what was just sent counts as last known, and is as new as the server's")
    #expect(send["notes"]?.reason == "what was just sent counts as last known, and the server's is newer")
  }

  /// Other software changed the value and left the time alone.
  @Test func aValueWithoutANewerTimeIsNotTaken() {
    let conflict = record(
      ancestor: ["title": ("Milk", 10)], client: ["title": ("Milk", 10)], server: ["title": ("Bread", 10)])
    let outcome = TodaysRules.outcome(of: conflict)
    #expect(outcome["title"]?.kept == .client)
    #expect(outcome["title"]?.differs == true)
    #expect(outcome["title"]?.reason == "the last-known value is as new as the server's, so it is put back")
  }

  @Test func aBlobThatWasSetToNullIsNotSeen() {
    let image = Value.blob(Blob(sha256: Array(repeating: 7, count: 32)))
    let fields = { (value: Value, time: Int64) in
      RecordVersion.present(["image": FieldVersion(value, time: time)])
    }
    let conflict = conflict(
      ThreeWay(ancestor: fields(image, 10), client: fields(.null, 60), server: fields(image, 10)))
    let outcome = TodaysRules.outcome(of: conflict)["image"]
    #expect(outcome?.kept == .server && outcome?.differs == true)
    #expect(outcome?.reason == "that a blob was set to NULL here is not seen, so the server's is taken")
  }

  @Test func aDeletionOnTheServerLosesTheEditOnFetch() throws {
    let conflict = conflict(
      ThreeWay(
        ancestor: version(["title": ("Milk", 10)]), client: version(["title": ("Bread", 60)]),
        server: .deleted(time: 90)))
    #expect(TodaysRules.outcome(of: conflict).isEmpty)
    let fetch = try #require(TodaysRules.recordOutcome(of: conflict, on: .fetch))
    #expect(fetch.kept == .server && fetch.differs)
    #expect(fetch.reason == "the deletion is applied without a look at the edit, which is lost")
    let send = try #require(TodaysRules.recordOutcome(of: conflict, on: .send))
    #expect(send.kept == .client && !send.differs)
  }

  /// A fetch only writes the row again, and then the deletion is sent as well.
  @Test(arguments: SyncPath.allCases) func aDeletionHereDeletesTheRecordEverywhere(path: SyncPath) throws {
    let conflict = conflict(
      ThreeWay(
        ancestor: version(["title": ("Milk", 10)]), client: .deleted(time: 60),
        server: version(["title": ("Bread", 90)])))
    let outcome = try #require(TodaysRules.recordOutcome(of: conflict, on: path))
    #expect(outcome.kept == .client && outcome.differs)
    #expect(outcome.reason.contains("its row stays here") == (path == .fetch))
  }

  /// To the engine an acknowledgement without fields is an ancestor that has nothing: the row differs from it wherever it has a
  /// value.
  @Test(arguments: SyncPath.allCases) func overAnAncestorWithoutFieldsTheClientIsKept(path: SyncPath) {
    let conflict = conflict(
      ThreeWay(
        ancestor: .unknown(reason: "the acknowledgement carried no fields"),
        client: .present([
          "title": FieldVersion(.text("Milk"), time: 60), "notes": FieldVersion(.null, time: 60),
        ]),
        server: version(["title": ("Bread", 90), "notes": ("2 l", 90)])))
    let outcome = TodaysRules.outcome(of: conflict, on: path)
    #expect(outcome.mapValues(\.kept) == ["title": .client, "notes": .server])
    #expect(outcome["title"]?.differs == true)
    #expect(
      outcome["title"]?.reason
        == "the last-known record has no fields, so whatever the row has counts as edited here")
  }

  @Test func whatWasMetOnSendIsToldAsThat() throws {
    var deletion = conflict(
      ThreeWay(
        ancestor: version(["title": ("Milk", 10)]), client: version(["title": ("Bread", 60)]),
        server: .deleted(time: 90)))
    #expect(TodaysRules.recordOutcome(of: deletion)?.kept == .server)
    deletion.details.isMetOnSend = true
    #expect(TodaysRules.recordOutcome(of: deletion)?.kept == .client)
    var made = record(ancestor: nil, client: ["title": ("Milk", 60)], server: ["title": ("Bread", 30)])
    #expect(TodaysRules.outcome(of: made)["title"]?.kept == .server)
    made.details.isMetOnSend = true
    #expect(TodaysRules.outcome(of: made)["title"]?.kept == .client)
  }

  @Test func aRecordThatIsDecidedFieldByFieldHasNoOutcomeAsAWhole() {
    #expect(TodaysRules.recordOutcome(of: sevenFields()) == nil)
  }

  /// What is foretold for a whole record is what playing it to its end gives.
  @Test(arguments: [Lifecycle.WhatIf.clientDeletes, .serverDeletes])
  func theOutcomeOfADeletionIsWhatTheStoryTells(whatIf: Lifecycle.WhatIf) throws {
    let conflict = try #require(
      Lifecycle.scenario(whatIf).timeline(under: .model()).conflict(after: "9a"))
    let today = try #require(Lifecycle.scenario(whatIf).timeline(under: .sqliteData()).entries.last?.after)
    let foretold = TodaysRules.recordOutcome(of: conflict, on: .fetch)?.kept
    #expect(foretold == (whatIf == .serverDeletes ? .server : .client))
    #expect((today.row == nil) == (whatIf == .serverDeletes))
    #expect(today.server == nil)
  }

  private typealias Fields = [String: (String, Int64)]

  /// What an app's draft goes by, over all small inputs and on both ways that a record can come in. Where both ways differ, and where
  /// it could be told only by what an archive may lack, nothing is said.
  @Test func theSideThatATypedConflictSaysIsLeftIsLeft() throws {
    let values = ["Milk", "Oats", "Soy"]
    for client in values {
      for (server, time) in values.flatMap({ server in [Int64(5), 10, 50, 60, 70].map { (server, $0) } }) {
        for ancestor in [nil, "Milk"] {
          try expectLeft(ancestor, client, server, at: time)
        }
      }
    }
  }

  private func expectLeft(_ ancestor: String?, _ client: String, _ server: String, at time: Int64) throws {
    let old = ancestor.map { RowVersion(row: TitleRow(title: $0), columnTimes: ["title": Int64(10)]) }
    let typed = MergeConflict(
      ancestor: old,
      client: RowVersion(clientRow: TitleRow(title: client), modificationTime: 60, ancestor: old),
      server: RowVersion(row: TitleRow(title: server), columnTimes: ["title": time]))
    let clientTime = try #require(typed.versions.client.columnTimes["title"])
    let conflict = record(
      ancestor: ancestor.map { ["title": ($0, Int64(10))] }, client: ["title": (client, clientTime)],
      server: ["title": (server, time)])
    let outcomes = SyncPath.allCases.map {
      TodaysRules.outcome(of: conflict, on: $0)["title"]?.kept ?? .client
    }
    let left = typed.sideLeft(in: "title")
    #expect(
      left == nil || outcomes.allSatisfy { $0 == left }, "\(ancestor ?? "-") \(client) \(server) \(time)")
    let isOpen = client != server && (ancestor == nil ? time <= 60 : client == ancestor && time <= 10)
    #expect((left == nil) == isOpen, "\(ancestor ?? "-") \(client) \(server) \(time)")
  }

  private func sevenFields(rules: MergeRules = MergeRules()) -> RecordConflict {
    let lines = SevenFieldsTests.lines.map { line in
      (
        "field\(line.name)", line.ancestor, line.client, line.server
      )
    }
    let ancestor = Fields(uniqueKeysWithValues: lines.map { ($0.0, ($0.1, 0)) })
    let client = Fields(uniqueKeysWithValues: lines.map { ($0.0, ($0.2, $0.2 == $0.1 ? 0 : 100)) })
    let server = Fields(uniqueKeysWithValues: lines.map { ($0.0, $0.3) })
    return record(ancestor: ancestor, client: client, server: server, rules: rules)
  }

  private func record(
    ancestor: Fields?, client: Fields, server: Fields, rules: MergeRules = MergeRules()
  ) -> RecordConflict {
    conflict(
      ThreeWay(ancestor: ancestor.map(version), client: version(client), server: version(server)),
      rules: rules)
  }

  private func version(_ fields: Fields) -> RecordVersion {
    .present(fields.mapValues { FieldVersion(.text($0.0), time: $0.1) })
  }

  private func conflict(
    _ versions: ThreeWay<RecordVersion>, rules: MergeRules = MergeRules()
  ) -> RecordConflict {
    let names = Set((versions.client.fields ?? versions.server.fields ?? [:]).keys).sorted()
    return RecordConflict(
      id: "1:reminders", table: "reminders", primaryKey: "1", title: "Milk", fields: names.map { Field($0) },
      versions: versions, rules: rules)
  }
}

private struct TitleRow: Mergeable {
  var title: String
  var primaryKey: Int { 1 }
  static let mergeFields: [MergeField<TitleRow>] = [.field("title", \.title)]
}
