import Merging
import Testing

@testable import Simulation

/// The stories that are shipped.
struct ScenarioTests {
  @Test func everyStoryHasANameOfItsOwn() {
    #expect(Set(Scenario.all.map(\.id)).count == Scenario.all.count)
    #expect(Scenario.all.allSatisfy { !$0.id.contains(" ") && !$0.about.isEmpty })
  }

  @Test(arguments: Scenario.all) func labelsAreUnique(scenario: Scenario) {
    #expect(Set(scenario.chapters.map(\.label)).count == scenario.chapters.count)
  }

  @Test(arguments: Scenario.all) func underTheModelAllAgreeAtTheEnd(scenario: Scenario) throws {
    let last = try #require(scenario.timeline(under: .model()).entries.last)
    #expect(last.after.isAgreed)
    for device in scenario.devices {
      #expect(last.world.standing(of: scenario.record, on: device).row == last.after.row, "\(device)")
    }
  }

  @Test func theSameConflictOnFetchAndOnSend() throws {
    let fetch = Scenario.conflictOnFetch.timeline(under: .model())
    let send = Scenario.conflictOnSend.timeline(under: .model())
    let conflict = try #require(fetch.conflict(after: "9a"))
    #expect(send.conflict(after: "9a") == conflict)
    #expect(fetch["9a"]?.events == [.conflictOnFetch(.waiting(conflict))])
    #expect(send["9a"]?.events == [.conflictOnSend(.waiting(conflict))])
    #expect(fetch["11"]?.after == send["11"]?.after)
  }

  @Test func disjointEditsAreSure() throws {
    let conflict = try #require(Scenario.disjointEdits.timeline(under: .model()).conflict(after: "9a"))
    #expect(conflict.certainty == .sure)
    #expect(row(.disjointEdits, .model()) == Lifecycle.row("Water all plants", 4))
    #expect(row(.disjointEdits, .sqliteData()) == Lifecycle.row("Water all plants", 4))
  }

  /// Nothing was edited twice, and still the title looks six minutes newer than it is: the merge wrote the row.
  @Test func sqliteDataStampsWhatWasNotSent() {
    let title = { (rules: RuleSet) in
      Scenario.disjointEdits.timeline(under: rules)["10"]?.after.server?.fields["title"]?.time
    }
    #expect(title(.model()) == Lifecycle.clock(4))
    #expect(title(.sqliteData()) == Lifecycle.clock(10))
  }

  @Test func withoutAnAncestorTheNewerIsSuggestedAndSQLiteDataTakesTheServers() {
    #expect(row(.noAncestor, .model())?["count"] == .integer(3))
    #expect(row(.noAncestor, .sqliteData())?["count"] == .integer(4))
    #expect(Scenario.noAncestor.timeline(under: .model()).conflict(after: "6")?.kind == .noAncestor)
  }

  @Test func twoDevicesDivergeByATieForGood() throws {
    let last = try #require(Scenario.divergingByTie.timeline(under: .sqliteData()).entries.last)
    #expect(row("phone", last) == Lifecycle.row("Water all plants", 3))
    #expect(row("tablet", last) == Lifecycle.row("Water the garden", 4))
    #expect(last.world.devices.values.filter(\.isSettled).count == 2)
    var later = last.world
    for minute in 20..<30 as Range<Int64> {
      for device in Scenario.divergingByTie.devices {
        for action in [.fetch, .send, .receiveAnswer] as [DeviceAction] {
          later.play(Moment(Lifecycle.clock(minute), .device(device, action)))
        }
      }
    }
    #expect(
      later.devices.mapValues { $0[Lifecycle.record].row }
        == last.world.devices.mapValues { $0[Lifecycle.record].row })
  }

  @Test func theNewestEditIsLostOnBothDevices() throws {
    let last = try #require(Scenario.lostEdit.timeline(under: .sqliteData()).entries.last)
    #expect(row("phone", last)?["count"] == .integer(3))
    #expect(row("tablet", last)?["count"] == .integer(3))
    #expect(row(.lostEdit, .model())?["count"] == .integer(4))
  }

  /// The first upload becomes the last-known record before anybody has confirmed it.
  @Test func sqliteDataAdvancesTheAncestorTooEarly() {
    let sent = { (rules: RuleSet) in Scenario.creation.timeline(under: rules)["3"] }
    #expect(sent(.model())?.after.lastKnown == nil)
    #expect(sent(.sqliteData())?.after.lastKnown?.tag == nil)
    #expect(sent(.sqliteData())?.after.lastKnown != nil)
    #expect(sent(.sqliteData())?.picture.description == "[*] : >*> / <a>")
  }

  private func row(_ scenario: Scenario, _ rules: RuleSet) -> [String: Value]? {
    scenario.timeline(under: rules).entries.last?.after.row
  }

  private func row(_ device: String, _ entry: Timeline.Entry) -> [String: Value]? {
    entry.world.standing(of: Lifecycle.record, on: device).row
  }
}

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { id }
}
