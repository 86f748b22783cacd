import Merging
import Testing

@testable import Simulation

/// The lifecycle of a real record, from its conflict on.
struct RealConflictTests {
  @Test func theStoryMeetsTheConflictItStartsWith() throws {
    let conflict = try story(.serverNewer)
    let timeline = try #require(Lifecycle.scenario(of: conflict, now: now)).timeline(under: .model())
    let met = try #require(timeline.conflict(after: "9a"))
    #expect(met.fields == conflict.fields)
    #expect(met.versions == conflict.versions)
    #expect(
      timeline.entries.map(\.picture.description) == [
        "[a] : <*> / <b>", "[a] : <*> / <b> : {*'}", "(a)-[b] : <*'> / ( )", "(a)-[b] : >*'> / <c>",
        "(b)-[c] : ( ) / ( )",
      ])
  }

  @Test func itEndsWithTheDraft() throws {
    let conflict = try story(.serverNewer)
    let resolution = Resolution(choices: [.field("count"): .take(.client)])
    let scenario = try #require(Lifecycle.scenario(of: conflict, resolution: resolution, now: now))
    let last = try #require(scenario.timeline(under: .model()).entries.last)
    let draft = try #require(conflict.draft(conflict.accepting(.yours, in: resolution)))
    #expect(last.after.isAgreed)
    #expect(last.after.row?["count"] == draft["count"])
    #expect(last.after.row?["title"] == draft["title"])
  }

  @Test(arguments: Lifecycle.WhatIf.allCases)
  func underTheModelEveryConflictEndsInAgreement(whatIf: Lifecycle.WhatIf) throws {
    let scenario = try #require(Lifecycle.scenario(of: story(whatIf), now: now))
    let last = try #require(scenario.timeline(under: .model()).entries.last)
    #expect(last.after.isAgreed)
    #expect(last.after.row != nil, "no edit is lost by itself")
  }

  /// The two ways to ask what SQLiteData does today give one answer.
  @Test(arguments: [Lifecycle.WhatIf.serverNewer, .clientNewer, .sameTime])
  func underSQLiteDataItEndsAsForetold(whatIf: Lifecycle.WhatIf) throws {
    let conflict = try story(whatIf)
    let timeline = try #require(Lifecycle.scenario(of: conflict, now: now)).timeline(under: .sqliteData())
    for (field, outcome) in TodaysRules.outcome(of: conflict, on: .fetch) {
      #expect(timeline["9a"]?.after.row?[field] == outcome.value)
    }
  }

  @Test func aDeletionOnTheServerIsSeen() throws {
    let scenario = try #require(Lifecycle.scenario(of: story(.serverDeletes), now: now))
    let timeline = scenario.timeline(under: .model())
    #expect(timeline["8"]?.picture.description == "[a] : <*> / <->")
    #expect(timeline["8"]?.why == "The record was deleted on the server, and the client has it.")
  }

  @Test func nothingIsForetoldOfAVersionThatIsNotKnown() throws {
    let known = try story(.serverNewer)
    let unknown = RecordConflict(
      id: known.id, table: known.table, primaryKey: known.primaryKey, title: known.title,
      fields: known.fields.map(\.field),
      versions: ThreeWay(
        ancestor: known.versions.ancestor, client: known.versions.client, server: .unknown(reason: "no file"))
    )
    #expect(Lifecycle.scenario(of: unknown, now: now) == nil)
    #expect(TodaysRules.outcome(of: unknown).isEmpty)
    #expect(TodaysRules.recordOutcome(of: unknown) == nil)
  }

  private let now = Lifecycle.clock(30)

  private func story(_ whatIf: Lifecycle.WhatIf) throws -> RecordConflict {
    try #require(Lifecycle.scenario(whatIf).timeline(under: .model()).conflict(after: "9a"))
  }
}
