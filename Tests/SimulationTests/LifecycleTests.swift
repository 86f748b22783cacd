import Merging
import Testing

@testable import Simulation

/// The eleven steps, as the walkthrough shows them.
struct LifecycleTests {
  @Test func theModelGoesThroughTheElevenSteps() {
    #expect(Lifecycle.scenario().timeline(under: .model()).description == LifecycleTests.model)
  }

  @Test func sqliteDataMergesInStepNineAndKeepsTheOlderCount() {
    #expect(Lifecycle.scenario().timeline(under: .sqliteData()).description == LifecycleTests.today)
  }

  @Test func elevenStepsInThreePhases() {
    let chapters = Lifecycle.scenario().chapters
    let numbers = chapters.compactMap { Int($0.label.filter(\.isNumber)) }
    #expect(Set(numbers) == Set(1...11))
    #expect(chapters.map(\.label).filter { $0.hasPrefix("9") } == ["9a", "9b"])
    let phases = Dictionary(grouping: zip(numbers, chapters), by: \.1.phase).mapValues { Set($0.map(\.0)) }
    #expect(phases == [.create: [1, 2, 3, 4], .update: [5, 6], .conflict: [7, 8, 9, 10, 11]])
  }

  @Test(arguments: [
    (Lifecycle.WhatIf.serverNewer, Value.integer(4), Value.integer(3)),
    (.clientNewer, .integer(3), .integer(3)),
    (.sameTime, .integer(3), .integer(3)),
  ])
  func theCountDependsOnTheTimesUnderTheModelAlone(whatIf: Lifecycle.WhatIf, model: Value, today: Value) {
    #expect(end(whatIf, .model()).row?["count"] == model)
    #expect(end(whatIf, .sqliteData()).row?["count"] == today)
    #expect(end(whatIf, .model()).isAgreed)
  }

  @Test func theTieRuleDecidesTheSameTime() {
    #expect(end(.sameTime, .model(MergeRules(tie: .server))).row?["count"] == .integer(4))
  }

  @Test func aPolicyMayCount() {
    let counting = RuleSet.model(MergeRules(rules: ["reminders.count": .counter]))
    let story = Lifecycle.scenario().timeline(under: counting)
    #expect(story["9b"]?.after.row?["count"] == .integer(5), "2, and one and two more")
    #expect(
      story["10"]?.after.server?.fields["count"] == FieldVersion(.integer(5), time: Lifecycle.clock(11)))
  }

  @Test func anEditSurvivesADeletionOnTheServerUnderTheModelAlone() {
    #expect(end(.serverDeletes, .model()).row?["title"] == .text("Water all plants"))
    #expect(end(.serverDeletes, .model()).isAgreed)
    let today = Lifecycle.scenario(.serverDeletes).timeline(under: .sqliteData())
    #expect(today["9a"]?.events == [.fetchedDeletion(lostEdit: true)])
    #expect(today["10"]?.events == [.nothingToSend])
    #expect(today.entries.last?.after.server == nil)
  }

  @Test func anEditOnTheServerSurvivesADeletionHereUnderTheModelAlone() {
    #expect(end(.clientDeletes, .model()).row?["count"] == .integer(4))
    #expect(end(.clientDeletes, .model()).isAgreed)
    let today = end(.clientDeletes, .sqliteData())
    #expect(today.row?["count"] == .integer(4), "the row is back")
    #expect(today.server == nil, "and the record is gone for everybody else")
  }

  @Test func aPersonMayDecideOtherwise() {
    let taken = Resolution(choices: [.field("count"): .edit(.integer(9))])
    let story = Lifecycle.scenario(.serverNewer, resolution: taken).timeline(under: .model())
    #expect(story.entries.last?.after.row?["count"] == .integer(9))
    #expect(story["9b"]?.why.contains("count 9: decided.") == true)
    #expect(story["10"]?.after.server?.fields["count"]?.time == Lifecycle.clock(11), "decided now")
    let deletion = Resolution(choices: [.record: .take(.server)])
    let gone = Lifecycle.scenario(.serverDeletes, resolution: deletion).timeline(under: .model())
    #expect(gone.entries.last?.after.row == nil)
  }

  /// A decision against the suggestion is made now; everything else keeps its time.
  @Test func onlyADecisionAgainstTheSuggestionGetsANewTime() {
    let taken = Resolution(choices: [.field("count"): .take(.client)])
    let story = Lifecycle.scenario(.serverNewer, resolution: taken).timeline(under: .model())
    let sent = story["10"]?.after.server?.fields
    #expect(sent?["count"] == FieldVersion(.integer(3), time: Lifecycle.clock(11)))
    #expect(sent?["title"] == FieldVersion(.text("Water all plants"), time: Lifecycle.clock(4)))
  }

  @Test func theConflictOfStepNineCanBeTakenIntoTheRecordScreen() throws {
    let story = Lifecycle.scenario().timeline(under: .model())
    let conflict = try #require(story.conflict(after: "9a"))
    #expect(conflict["count"]?.suggestion.value == .integer(4))
    #expect(conflict["count"]?.suggestion.reason == .newer(.server, by: 300_000_000_000))
    #expect(conflict.details.ancestorTag == "b" && conflict.details.serverTag == "c")
    #expect(story.conflict(after: "9b") == nil)
    #expect(Lifecycle.scenario().timeline(under: .sqliteData()).conflict(after: "9a") == nil)
  }

  @Test func everyStepSaysWhyAndWhatChanged() {
    let story = Lifecycle.scenario().timeline(under: .model())
    #expect(story.entries.allSatisfy { !$0.why.isEmpty })
    #expect(
      story.entries.map(\.changes) == [
        [], [.row], [.server], [.lastKnown], [.server], [.row, .lastKnown], [.row], [.server], [],
        [.row, .lastKnown], [.server], [.lastKnown],
      ])
    #expect(
      story["9a"]?.why == "The server's record comes in. It waits for a decision. "
        + "title Water all plants: only client changed. count 4: server newer by 5m 00s.")
  }

  @Test func everyKindOfNodeIsInThePictureOnce() {
    let pictures = Lifecycle.scenario().timeline(under: .model()).entries.map(\.picture)
    let nodes = pictures.flatMap { [$0.past, $0.stem, $0.client, $0.server, $0.merged].compactMap(\.self) }
    #expect(Set(nodes.map(\.kind)) == Set(BranchPicture.Node.Kind.allCases))
  }

  private func end(_ whatIf: Lifecycle.WhatIf, _ rules: RuleSet) -> Standing {
    let story = Lifecycle.scenario(whatIf).timeline(under: rules)
    return story.entries[story.entries.count - 1].after
  }
}
