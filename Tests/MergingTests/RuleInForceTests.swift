import Merging
import Testing

/// Which rule decides a field, and what another one would do.
@Suite struct RuleInForceTests {
  private static let rules = MergeRules(
    rules: ["books": .server, "books.stock": .counter], defaultRule: .maximum)

  @Test(arguments: [
    ("books", "stock", MergeRule.counter, RuleInForce.Level.field, "books.stock"),
    ("books", "price", .server, .table, "books"), ("shops", "stock", .maximum, .store, "default"),
  ])
  func theMostSpecificEntryIsNamed(
    table: String, field: String, rule: MergeRule, level: RuleInForce.Level, entry: String
  ) {
    let force = Self.rules.ruleInForce(table: table, field: field)
    #expect((force.rule, force.level, force.entry) == (rule, level, entry))
    #expect(Self.rules.rule(table: table, field: field) == rule)
    #expect(Self.rules[entry] == rule)
  }

  @Test func whatStandsForTheNewestCountsOnlyWhereNothingWasAsked() {
    var rules = MergeRules(rules: ["books": .latest])
    rules.withoutTimes = .keys
    #expect(rules.rule(table: "shops", field: "name") == .keys)
    #expect(rules.rule(table: "books", field: "stock") == .latest)
    rules.defaultRule = .text
    #expect(rules.rule(table: "shops", field: "name") == .text)
  }

  /// Bytes are neither numbers nor text, and none are larger than others.
  @Test(arguments: [MergeRule.counter, .set, .text, .keys, .maximum, .minimum])
  func noRuleThatReadsItsValuesFitsBytes(rule: MergeRule) {
    #expect(RuleEntryProblem(rule, on: .blob) == .cannotFit(rule, .blob))
  }

  @Test(arguments: [MergeRule.latest, .client, .server])
  func aRuleThatTakesASideFitsAll(rule: MergeRule) {
    for kind in [Field.Kind.integer, .real, .text, .blob, .numeric, .any] {
      #expect(RuleEntryProblem(rule, on: kind) == nil)
    }
  }

  private func record(_ versions: ThreeWay<FieldVersion<Value>>, _ rules: MergeRules) -> RecordConflict {
    let version = { (field: FieldVersion<Value>) in RecordVersion.present(["stock": field]) }
    return RecordConflict(
      id: "1", table: "books", primaryKey: "1", title: "One", fields: [Field("stock", kind: .any)],
      versions: ThreeWay(
        ancestor: versions.ancestor.map(version), client: version(versions.client),
        server: version(versions.server)), rules: rules)
  }

  /// Over all small inputs and all rules: a record by other rules is the one that was made by them, and what is told of one
  /// field by another rule is what it then is.
  @Test(arguments: MergeRule.allCases)
  func otherRulesMakeTheRecordThatTheyWouldHaveMade(rule: MergeRule) {
    for versions in all {
      let plain = record(versions, MergeRules())
      let other = record(versions, MergeRules(rules: ["books.stock": rule]))
      #expect(plain.merged(by: other.rules) == other, "\(versions)")
      #expect(other.merged(by: plain.rules) == plain, "\(versions)")
      guard let field = plain["stock"] else { continue }
      #expect(plain.suggestion(of: field, by: rule) == other["stock"]?.suggestion, "\(versions)")
      #expect(plain.suggestion(of: field, by: nil) == field.suggestion, "\(versions)")
    }
  }

  /// No rule changes a field that is not contested, and only those that one was asked about are told to be a rule's.
  @Test func onlyContestedFieldsAreARulesToDecide() {
    for versions in all {
      guard let field = record(versions, MergeRules())["stock"] else { continue }
      let plain = record(versions, MergeRules())
      let all = MergeRule.allCases.map { plain.suggestion(of: field, by: $0) }
      if !field.isContested { #expect(all.allSatisfy { $0 == field.suggestion }, "\(versions)") }
      #expect(!field.isByRule || field.isContested)
    }
  }

  /// What a store knows of times is no rule of a person's, and stays.
  @Test func whatTheStoreKnowsStays() {
    var rules = MergeRules(latestTime: 10)
    (rules.withoutTimes, rules.leavesTies) = (.keys, true)
    let versions = fieldVersions(Value.integer(1), .integer(2), .integer(3), clientTime: 5, serverTime: 20)
    let merged = record(versions, rules).merged(by: MergeRules(rules: ["books": .latest]))
    #expect((merged.rules.latestTime, merged.rules.withoutTimes) == (10, .keys))
    #expect(merged.rules.leavesTies)
    #expect(merged["stock"]?.suggestion.reason == .timeAhead(.server))
  }

  /// Over all small inputs, rules and ties: where ties are left, the same is suggested as before, unless a person decided and no
  /// edit has a time. There nothing is, so that accepting all suggestions leaves it open.
  @Test(arguments: MergeRule.allCases, TieRule.allCases)
  func aTieThatIsLeftSuggestsNothing(rule: MergeRule, tie: TieRule) throws {
    let rules = MergeRules(tie: tie, defaultRule: rule)
    var leaving = rules
    leaving.leavesTies = true
    var left = 0
    for versions in all {
      let (before, after) = (record(versions, rules), record(versions, leaving))
      let (named, open) = (try #require(before["stock"]), try #require(after["stock"]))
      let isTie =
        named.suggestion.certainty == .yours
        && [versions.client, versions.server].allSatisfy { $0.time == nil }
      var expected = named.suggestion
      if isTie { expected.source = nil }
      #expect(open.suggestion == expected && open.isOpenWithoutSuggestion == isTie, "\(versions)")
      if isTie { #expect(after.accepting(.yours, in: Resolution()).isEmpty, "\(versions)") }
      left += isTie ? 1 : 0
    }
    #expect(left > 0 || [.client, .server, .maximum, .minimum].contains(rule))
  }
}
