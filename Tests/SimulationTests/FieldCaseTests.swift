import Merging
import Testing

@testable import Simulation

/// Every field-level case of the facts, played under both rule sets. Skipped where the facts are missing.
@Suite(.enabled(if: SharedCases.exist, "\(SharedCases.file.path) is missing"))
struct FieldCaseTests {
  @Test(arguments: SharedCases.played)
  func todayEndsAsTheTestsOfSQLiteDataSay(fieldCase: FieldCase) throws {
    let today = try #require(fieldCase.expectedCurrentBehaviour)
    let world = fieldCase.run(.sqliteData(today.recordDates), at: fieldCase.processingTime ?? 0)
    expect(world, toEndAs: today, fieldCase)
  }

  @Test(arguments: SharedCases.played.filter { $0.expectedCurrentBehaviourProductionClock != nil })
  func todayEndsAsExpectedWithARunningClock(fieldCase: FieldCase) throws {
    let today = try #require(fieldCase.expectedCurrentBehaviourProductionClock)
    let time = try #require(today.processingTime)
    expect(fieldCase.run(.sqliteData(.present), at: time), toEndAs: today, fieldCase)
  }

  private func expect(_ world: World, toEndAs today: FieldCase.Today, _ fieldCase: FieldCase) {
    let onDevice = world.devices[FieldCase.device]?[fieldCase.record]
    #expect(onDevice?.row == today.localRow.mapValues(\.value))
    let server = RecordVersion.Fields(today.serverRecord.mapValues(\.field))
    #expect(world.cloud.records[fieldCase.record]?.fields == server)
    #expect((onDevice?.pending != nil) == today.stillPending)
    guard let time = today.userModificationTime else { return }
    #expect(onDevice?.metadata?.userModificationTime == time)
  }

  /// What is foretold for a real conflict is what the row holds in the end.
  @Test(arguments: SharedCases.played)
  func todaysOutcomeIsForetold(fieldCase: FieldCase) throws {
    let today = try #require(fieldCase.expectedCurrentBehaviour)
    let path = try #require(SyncPath(rawValue: fieldCase.path))
    // Where SQLiteData's own test server differs is not what happens to a real record.
    let row = (fieldCase.expectedCurrentBehaviourProductionClock ?? today).localRow.mapValues(\.value)
    let outcome = TodaysRules.outcome(of: fieldCase.conflict, on: path)
    for (field, outcome) in outcome {
      #expect(outcome.value == row[field], "\(field)")
      let merged = fieldCase.expectedThreeWay.values[field]?.value
      #expect(outcome.differs == (outcome.value != merged), "\(field)")
    }
  }

  @Test(arguments: SharedCases.all.scenarios)
  func theModelEndsWithTheThreeWayMerge(fieldCase: FieldCase) {
    let tie: TieRule = fieldCase.expectedThreeWay.tieRule.hasPrefix("server") ? .server : .client
    expectModel(fieldCase, tie: tie, values: fieldCase.expectedThreeWay.values.mapValues(\.value))
  }

  @Test(arguments: SharedCases.all.scenarios.filter { $0.expectedThreeWay.valuesPR370TieServer != nil })
  func withTiesToTheServerTheModelEndsWithTheirValues(fieldCase: FieldCase) throws {
    let values = try #require(fieldCase.expectedThreeWay.valuesPR370TieServer)
    expectModel(fieldCase, tie: .server, values: values.mapValues(\.value))
  }

  /// The row, the server's record and the last-known record agree, and every time is that of the edit it came from.
  private func expectModel(_ fieldCase: FieldCase, tie: TieRule, values: [String: Value]) {
    guard !fieldCase.isSlim else { return expectSlimToBeSeen(fieldCase) }
    let world = fieldCase.run(.model(MergeRules(tie: tie)), at: 1000)
    let onDevice = world.devices[FieldCase.device]?[fieldCase.record]
    let server = world.cloud.records[fieldCase.record]
    #expect(onDevice?.row == values)
    #expect(onDevice?.lastKnown == server)
    #expect(onDevice?.pending == nil)
    for field in fieldCase.fields {
      #expect(server?.fields[field.name] == expected(field, values), "\(field.name)")
    }
  }

  private func expected(_ field: FieldCase.Column, _ values: [String: Value]) -> FieldVersion<Value>? {
    if values[field.name] == field.server.value.value { return field.server.field }
    let time = max(field.client.derivedTime ?? .min, field.server.time ?? .min)
    return values[field.name].map { FieldVersion($0, time: time) }
  }

  /// Under the model an acknowledgement without fields cannot become the ancestor: only what the server confirmed can. So the
  /// device still has the ancestor it sent, its row equals it, and the server's newer values are simply taken.
  private func expectSlimToBeSeen(_ fieldCase: FieldCase) {
    var world = fieldCase.world(.model())
    var sent = ServerRecord(RecordVersion.Fields(fieldCase.row.mapValues { FieldVersion($0, time: 30) }))
    sent.tag = ChangeTag(1)
    world.devices[FieldCase.device]?.records[fieldCase.record]?.metadata?.lastKnown = sent
    world.play(Moment(1000, .device(FieldCase.device, .fetch)))
    #expect(
      world.devices[FieldCase.device]?[fieldCase.record].row
        == fieldCase.expectedThreeWay.values.mapValues(\.value))
  }

  @Test func allCasesArePlayed() {
    #expect(SharedCases.all.scenarios.count >= 29)
    #expect(SharedCases.played.count >= 26)
    let unit = SharedCases.all.scenarios.filter { $0.expectedCurrentBehaviour == nil }
    #expect(
      unit.allSatisfy { $0.path == "unit" }, "facts about the merge alone, without a device to play them")
  }
}
