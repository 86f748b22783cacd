import ExactJSON
import Testing

@testable import Merging

/// What each policy makes of two, three and four leaves, whichever of them changed the field. What is expected is told by the table of
/// ``FoldedLeaves``, and not by merging two leaves after the other.
@Suite struct LeafPolicyTests {
  static let before: Value = .integer(10)

  /// Every way in which so many leaves may have a number that was 10.
  static func patterns(of leaves: Int) -> [[Value]] {
    var patterns: [[Value]] = [[]]
    for _ in 0..<leaves {
      patterns = patterns.flatMap { pattern in
        [before, .integer(12), .integer(7), .missing].map { pattern + [$0] }
      }
    }
    return patterns
  }

  static let all = (2...4).flatMap { patterns(of: $0) }

  static func conflict(
    _ leaves: [Value], from ancestor: Value?, by rule: MergeRule, tie: TieRule = .client,
    unread: [Leaf] = []
  ) -> RecordConflict {
    func version(_ value: Value) -> RecordVersion { .present(["stock": FieldVersion(value, time: nil)]) }
    let all = leaves.enumerated().map { Leaf(id: "2-\($0)", isDeleted: false, version: version($1)) }
    return RecordConflict(
      id: "milk", table: "docs", primaryKey: "milk", title: "Milk", fields: [Field("stock", form: .json)],
      versions: ThreeWay(
        ancestor: ancestor.map(version), client: all[0].version, server: all[1].version),
      rules: MergeRules(tie: tie, defaultRule: rule),
      details: RecordConflict.Details(serverTag: "2-1", leaves: all + unread))
  }

  struct Expected: Equatable {
    var value: Value
    var certainty: Certainty?
  }

  /// The tie rule's side has the first say, and where it has none, the leaf next to it.
  private func tied(_ leaves: [Value], _ ancestor: Value?, _ tie: TieRule) -> Expected? {
    let ordered = tie == .client ? leaves : Array(leaves[1...] + leaves[..<1])
    return ordered.first { $0 != ancestor }.map { Expected(value: $0, certainty: .yours) }
  }

  private func integers(_ edits: [Value]) -> [Int64]? {
    let found = edits.compactMap { edit -> Int64? in
      if case .integer(let number) = edit { number } else { nil }
    }
    return found.count == edits.count ? found : nil
  }

  private func expected(_ leaves: [Value], from before: Int64, _ rule: MergeRule, _ tie: TieRule)
    -> Expected?
  {
    let edits = leaves.filter { $0 != .integer(before) }
    guard let first = edits.first else { return Expected(value: .integer(before), certainty: nil) }
    if edits.count == 1 { return Expected(value: first, certainty: .sure) }
    if rule == .ancestor { return Expected(value: .integer(before), certainty: .sure) }
    if rule == .counter, let numbers = integers(edits) {
      let sum = numbers.reduce(before) { $0 + ($1 - before) }
      return Expected(value: .integer(sum), certainty: .sure)
    }
    if edits.allSatisfy({ $0 == first }) { return Expected(value: first, certainty: .sure) }
    return sure(leaves, edits, rule) ?? tied(leaves, .integer(before), tie)
  }

  private func expectedOfNoAncestor(_ leaves: [Value], _ rule: MergeRule, _ tie: TieRule) -> Expected? {
    if leaves.allSatisfy({ $0 == leaves[0] }) { return Expected(value: leaves[0], certainty: .sure) }
    return sure(leaves, leaves, rule) ?? tied(leaves, nil, tie)
  }

  /// nil where a person decides between edits that differ.
  private func sure(_ leaves: [Value], _ edits: [Value], _ rule: MergeRule) -> Expected? {
    let value: Value? =
      switch rule {
      case .client: leaves[0]
      case .server: leaves[1]
      case .maximum: integers(edits)?.max().map(Value.integer)
      case .minimum: integers(edits)?.min().map(Value.integer)
      case .latest, .ancestor, .counter, .set, .text, .keys: nil
      }
    return value.map { Expected(value: $0, certainty: .sure) }
  }

  @Test(arguments: MergeRule.allCases, TieRule.allCases)
  func whicheverLeavesChanged(rule: MergeRule, tie: TieRule) throws {
    for leaves in Self.all {
      let known = try #require(Self.conflict(leaves, from: Self.before, by: rule, tie: tie)["stock"])
      #expect(
        Expected(value: known.suggestion.value, certainty: known.suggestion.certainty)
          == expected(leaves, from: 10, rule, tie), "\(leaves)")
      let unknown = try #require(Self.conflict(leaves, from: nil, by: rule, tie: tie)["stock"])
      #expect(
        Expected(value: unknown.suggestion.value, certainty: unknown.suggestion.certainty)
          == expectedOfNoAncestor(leaves, rule, tie), "\(leaves), no ancestor")
    }
  }

  /// What one leaf alone has changed is told so, and is no rule's to decide; all else is, and may come out otherwise by another.
  @Test func whatOneLeafAloneHasChangedIsNoRulesToDecide() throws {
    for leaves in Self.all {
      let conflict = Self.conflict(leaves, from: Self.before, by: .latest)
      let field = try #require(conflict["stock"])
      let edits = leaves.count { $0 != Self.before }
      #expect(field.isOneSided == (edits == 1), "\(leaves)")
      #expect(field.isContested == (edits > 1), "\(leaves)")
      let lost = conflict.edits(lostBy: field.draft(.take(.ancestor)), of: .take(.ancestor))
      #expect(lost.count == edits && lost.allSatisfy { $0.isUncontested == (edits == 1) }, "\(leaves)")
      let agree = Set(leaves).subtracting([Self.before]).count == 1
      #expect(field.isByRule == (edits > 1 && !agree), "\(leaves)")
      let all = MergeRule.allCases.map { conflict.suggestion(of: field, by: $0) }
      if edits < 2 { #expect(all.allSatisfy { $0 == field.suggestion }, "\(leaves)") }
    }
  }

  /// What is shown as decided by a policy is what the column of that policy shows, and says so.
  @Test func aSideIsTheOneOfItsColumn() throws {
    for (rule, side) in [(MergeRule.client, Side.client), (.server, .server), (.ancestor, .ancestor)] {
      for leaves in Self.all {
        let conflict = Self.conflict(leaves, from: Self.before, by: rule)
        let field = try #require(conflict["stock"])
        guard field.isByPolicy else { continue }
        #expect(field.suggestion.reason == .policy(rule.rawValue))
        #expect(field.suggestion.value == field.version(side)?.value, "\(leaves)")
        let taken = conflict.taking(side, in: Resolution())
        #expect(
          conflict.draft(conflict.accepting(.sure, in: Resolution()))?["stock"]
            == conflict.draft(taken)?["stock"], "\(leaves)")
      }
    }
  }

  /// As they came out before: the last of three, which "alone had changed" what the policy had made of the others.
  @Test(arguments: [
    (MergeRule.ancestor, Int64(1), Source.ancestor), (.client, 2, .client), (.server, 3, .server),
  ])
  func threeThatDiffer(rule: MergeRule, value: Int64, source: Source) {
    let leaves = [2, 3, 4].map { Value.integer($0) }
    let suggestion = Self.conflict(leaves, from: .integer(1), by: rule)["stock"]?.suggestion
    #expect(
      suggestion
        == Suggestion(
          .integer(value), source: source, certainty: .sure, reason: .policy(rule.rawValue)))
  }

  /// Each is told as given up that the policy has left behind.
  @Test(arguments: [MergeRule.client, .server, .ancestor, .maximum, .minimum])
  func whatAPolicyLeavesBehindIsGivenUp(rule: MergeRule) throws {
    for leaves in Self.all {
      let conflict = Self.conflict(leaves, from: Self.before, by: rule)
      let field = try #require(conflict["stock"])
      guard field.suggestion.certainty == .sure else { continue }
      let lost = conflict.edits(lostBy: field.draft(nil), of: nil)
      #expect(
        lost.map(\.value) == leaves.filter { $0 != Self.before && $0 != field.suggestion.value }, "\(leaves)")
    }
  }

  /// The ancestor's value is no leaf's, whichever leaf is shown; nor is it put together.
  @Test func theAncestorStaysTheAncestor() throws {
    let leaves = [2, 3, 4].map { Value.integer($0) }
    let conflict = Self.conflict(leaves, from: .integer(1), by: .ancestor)
    let shown = try #require(conflict.showing(leaf: "2-2"))
    #expect(shown["stock"]?.suggestion == conflict["stock"]?.suggestion)
    #expect(shown["stock"]?.suggestion.source == .ancestor)
  }

  static let times: [([Int64?], Int64, Certainty)] = [
    ([100, 300, 200], 1, .byClock), ([300, 300, 400], 2, .byClock), ([400, 100, 400], 0, .yours),
    ([100, 200, nil], 1, .byClock), ([nil, nil, 100], 2, .yours),
  ]

  /// By the clock it is the newest of all, and as sure as it is newer than the newest of another value.
  @Test(arguments: times) func theNewestOfAll(times: [Int64?], newest: Int64, certainty: Certainty) {
    let leaves = times.enumerated().map { place, time in
      let version = RecordVersion.present(["stock": FieldVersion(.integer(Int64(place)), time: time)])
      return Leaf(id: "2-\(place)", isDeleted: false, version: version)
    }
    let conflict = RecordConflict(
      id: "milk", table: "docs", primaryKey: "milk", title: "Milk", fields: [Field("stock")],
      versions: ThreeWay(
        ancestor: .present(["stock": FieldVersion(Self.before, time: 0)]), client: leaves[0].version,
        server: leaves[1].version), details: RecordConflict.Details(leaves: leaves))
    let suggestion = conflict["stock"]?.suggestion
    #expect(suggestion?.value == .integer(newest))
    #expect(suggestion?.certainty == certainty)
  }
}

/// The policies that put edits together, of all leaves.
@Suite struct LeavesPutTogetherTests {
  private func suggested(_ leaves: [Value], from ancestor: Value, by rule: MergeRule, tie: TieRule = .client)
    -> Suggestion<Value>?
  {
    LeafPolicyTests.conflict(leaves, from: ancestor, by: rule, tie: tie)["stock"]?.suggestion
  }

  /// Each leaf's own, three and four at a time.
  private func patterns(of values: [Value]) -> [[Value]] {
    let two = values.flatMap { first in values.map { [first, $0] } }
    let three = two.flatMap { pair in values.map { pair + [$0] } }
    return three + three.flatMap { leaves in values.map { leaves + [$0] } }
  }

  @Test func setsHaveWhatAnyAddedAndNobodyTookOut() throws {
    func list(_ letters: String) -> Value {
      .text("[" + letters.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }
    for leaves in patterns(of: ["ab", "abc", "b", "abd"].map(list)) {
      let sets = leaves.map { Set(($0.words ?? "").filter(\.isLetter)) }
      let kept = sets.reduce(Set("ab")) { $0.intersection($1) }
      let added = sets.reduce(Set<Character>()) { $0.union($1) }.subtracting("ab")
      let suggestion = try #require(suggested(leaves, from: list("ab"), by: .set))
      #expect(Set((suggestion.value.words ?? "").filter(\.isLetter)) == kept.union(added), "\(leaves)")
      #expect(suggestion.certainty != .yours && suggestion.certainty != .byClock, "\(leaves)")
    }
  }

  @Test func textsHaveAllEditsThatDoNotTouch() throws {
    let texts = ["one two three", "ONE two three", "one two THREE", "uno two three"].map { Value.text($0) }
    for leaves in patterns(of: texts) {
      let suggestion = try #require(suggested(leaves, from: texts[0], by: .text))
      let clash = leaves.contains(texts[1]) && leaves.contains(texts[3])
      if clash {
        #expect(suggestion.certainty == .yours, "\(leaves)")
        #expect(suggestion.value == leaves.first(where: { $0 != texts[0] }), "\(leaves)")
      } else {
        let first = leaves.contains(texts[1]) ? "ONE" : leaves.contains(texts[3]) ? "uno" : "one"
        let last = leaves.contains(texts[2]) ? "THREE" : "three"
        #expect(suggestion.value == .text("\(first) two \(last)"), "\(leaves)")
        #expect(suggestion.certainty != .yours, "\(leaves)")
      }
    }
  }

  @Test(arguments: TieRule.allCases) func objectsHaveAllKeys(tie: TieRule) throws {
    func object(_ first: Int, _ second: Int) throws -> Value {
      Value(try JSONValue(parsing: #"{"p":\#(first),"q":\#(second)}"#))
    }
    let keys = [(0, 0), (1, 0), (0, 1), (2, 0)]
    let values = try keys.map { try object($0.0, $0.1) }
    for leaves in patterns(of: values) {
      let chosen = leaves.compactMap { leaf in values.firstIndex(of: leaf).map { keys[$0] } }
      let ordered = tie == .client ? chosen : Array(chosen[1...] + chosen[..<1])
      let first = ordered.map(\.0).first { $0 != 0 } ?? 0
      let suggestion = try #require(suggested(leaves, from: values[0], by: .keys, tie: tie))
      let merged = try object(first, chosen.map(\.1).max() ?? 0)
      #expect(suggestion.value == merged, "\(leaves)")
      let clash = Set(chosen.map(\.0)).isSuperset(of: [1, 2])
      #expect((suggestion.certainty == .yours) == clash, "\(leaves)")
    }
  }

  /// What three replicas sold is in the sum, be it what one of them has, or what there was before.
  @Test(arguments: [[11, 12, 9], [11, 10, 9], [12, 8, 13], [8, 9, 13, 12]])
  func whatIsInASumIsNotGivenUp(numbers: [Int64]) throws {
    let leaves = numbers.map { Value.integer($0) }
    let conflict = LeafPolicyTests.conflict(leaves, from: .integer(10), by: .counter)
    let field = try #require(conflict["stock"])
    let sum = numbers.reduce(10) { $0 + ($1 - 10) }
    #expect(field.suggestion.value == .integer(sum))
    #expect(([10] + numbers).contains(sum))
    #expect(conflict.edits(lostBy: field.draft(nil), of: nil).isEmpty)
    let accepted = conflict.accepting(.sure, in: Resolution())
    #expect(conflict.edits(lostBy: field.draft(accepted[.field("stock")]), of: nil).isEmpty)
    let other = conflict.edits(lostBy: field.draft(.edit(.integer(99))), of: nil)
    #expect(other.map(\.value) == leaves.filter { $0 != .integer(10) })
  }

  /// One leaf that a policy cannot read leaves all to a person; what it made of the others is no leaf's, and is not suggested.
  @Test(arguments: [MergeRule.counter, .maximum, .minimum, .set, .text])
  func whatDoesNotFitOneLeafFitsNone(rule: MergeRule) {
    let leaves: [Value] = [.integer(12), .missing, .integer(7)]
    #expect(
      suggested(leaves, from: .integer(10), by: rule)
        == Suggestion(
          .integer(12), source: .client, certainty: .yours, reason: .policyNotApplicable(rule.rawValue)))
  }
}

extension Value {
  fileprivate var words: String? { if case .text(let text) = self { text } else { nil } }
}
