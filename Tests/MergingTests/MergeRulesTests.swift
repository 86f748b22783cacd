import Merging
import Testing

@Suite struct MergeRulesTests {
  private let rules = MergeRules(
    tie: .server, rules: ["reminders": .client, "reminders.visits": .counter, "lists.title": .text])

  @Test(arguments: [
    ("reminders", "visits", MergeRule.counter), ("reminders", "title", .client), ("lists", "title", .text),
    ("lists", "visits", .latest), ("tags", "title", .latest), ("Reminders", "visits", .latest),
    ("", "", .latest),
  ])
  func theMostSpecificEntryWins(table: String, field: String, rule: MergeRule) {
    #expect(rules.rule(table: table, field: field) == rule)
  }

  @Test func whatNoEntryNamesHasTheDefaultRule() {
    let rules = MergeRules(rules: ["reminders": .client], defaultRule: .server)
    #expect(rules.rule(table: "reminders", field: "title") == .client)
    #expect(rules.rule(table: "lists", field: "title") == .server)
    #expect(MergeRules(defaultRule: .maximum).rule(table: "lists", field: "title") == .maximum)
  }

  @Test func aRuleIsKnownByItsName() {
    let names = [
      "latest", "client", "server", "ancestor", "counter", "set", "maximum", "minimum", "text", "keys",
    ]
    #expect(names.map(MergeRule.init(rawValue:)) == MergeRule.allCases.map(Optional.some))
    #expect(MergeRule(rawValue: "newest") == nil)
    #expect(MergeRule(rawValue: "Latest") == nil)
    #expect(MergeRule.allCases.allSatisfy { $0.policy(tie: .client).name == $0.rawValue })
  }

  @Test func aRecordsFieldsAreMergedByTheirRules() {
    let conflict = reminder(
      client: ["title": .text("Oat milk"), "priority": .integer(4)], at: 100,
      server: ["title": .text("Soy milk"), "priority": .integer(6)], at: 100,
      rules: MergeRules(tie: .server, rules: ["reminders.priority": .counter]))
    #expect(conflict["title"]?.suggestion.source == .server)
    #expect(conflict["priority"]?.suggestion.value == .integer(9))
    #expect(conflict["priority"]?.suggestion.certainty == .sure)
  }

  @Test func aMergedSuggestionIsAcceptedAsMerged() throws {
    let conflict = reminder(
      client: ["priority": .integer(4)], server: ["priority": .integer(6)],
      rules: MergeRules(defaultRule: .counter))
    let resolution = conflict.accepting(.sure, in: Resolution())
    #expect(resolution[.field("priority")] == .merged(.integer(9)))
    #expect(try #require(conflict.draft(resolution))["priority"] == .integer(9))
  }

  @Test func theAncestorsSuggestionIsAcceptedAsTheAncestors() {
    let conflict = reminder(
      client: ["priority": .integer(4)], server: ["priority": .integer(6)],
      rules: MergeRules(defaultRule: .ancestor))
    #expect(conflict.accepting(.sure, in: Resolution())[.field("priority")] == .take(.ancestor))
  }
}
