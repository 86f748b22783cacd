import Merging
import Testing

@Suite struct TextPolicyTests {
  @Test func thePolicyMergesEditsApart() {
    let versions = fieldVersions("the red car", "the blue car", "the red bus")
    let expected = Suggestion("the blue bus", source: .merged, certainty: .sure, reason: .policy("text"))
    #expect(MergePolicy.text.suggestion(for: versions) == expected)
    let stored = MergeRule.text.policy(tie: .client).suggestion(
      for: versions.map { FieldVersion(.text($0.value), time: $0.time) })
    #expect(
      stored == Suggestion(.text("the blue bus"), source: .merged, certainty: .sure, reason: .policy("text")))
  }

  @Test func thePolicyLeavesOverlapsToAPersonAndSuggestsTheNewer() {
    let versions = fieldVersions("a b c", "x b y", "u b v")
    let expected = Suggestion("u b v", source: .server, certainty: .yours, reason: .overlap(places: 2))
    #expect(MergePolicy.text.suggestion(for: versions) == expected)
  }

  @Test func thePolicyWithoutAnAncestorSuggestsTheNewer() {
    let versions = fieldVersions(nil, "x b c", "a b y", clientTime: 5, serverTime: 1)
    let expected = Suggestion(
      "x b c", source: .client, certainty: .yours, reason: .noAncestor(newer: .client))
    #expect(MergePolicy.text.suggestion(for: versions) == expected)
  }

  @Test func thePolicyFitsTextsOnly() {
    let policy = MergeRule.text.policy(tie: .server)
    for ancestor in [Value.null, .integer(1), .opaque(kind: "x", bytes: [])] {
      let versions = fieldVersions(ancestor, .text("a"), .text("b"), clientTime: 1, serverTime: 1)
      let expected = Suggestion(
        Value.text("b"), source: .server, certainty: .yours, reason: .policyNotApplicable("text"))
      #expect(policy.suggestion(for: versions) == expected)
    }
  }
}
