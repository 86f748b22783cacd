import StoreInterface
import Testing

@testable import Merging

@Suite struct ComputedPolicyTests {
  private static let edges: [Int8] = [-128, -127, -100, -64, -2, -1, 0, 1, 2, 63, 100, 126, 127]

  @Test func aCounterGivesTheSumExactlyIfItFits() {
    for ancestor in Self.edges {
      for client in Self.edges {
        for server in Self.edges {
          let sum = Int8(exactly: Int(client) + Int(server) - Int(ancestor))
          #expect(counted(from: ancestor, client: client, server: server) == sum)
        }
      }
    }
  }

  @Test func anUnsignedCounterCountsDownToo() {
    let edges: [UInt8] = [0, 1, 2, 100, 127, 128, 200, 254, 255]
    for ancestor in edges {
      for client in edges {
        for server in edges {
          let sum = UInt8(exactly: Int(client) + Int(server) - Int(ancestor))
          #expect(counted(from: ancestor, client: client, server: server) == sum)
        }
      }
    }
  }

  private func suggestion(
    _ rule: MergeRule, _ ancestor: Value?, _ client: Value, _ server: Value, tie: TieRule = .client
  ) -> Suggestion<Value> {
    rule.policy(tie: tie).suggestion(for: fieldVersions(ancestor, client, server))
  }

  @Test(arguments: [
    (Value.integer(10), Value.integer(15), Value.integer(7), Value.integer(12)),
    (.integer(-5), .integer(-10), .integer(.max), .integer(.max - 5)),
    (.real(1.5), .real(2), .real(3), .real(3.5)),
  ])
  func aCounterAddsBothDifferences(ancestor: Value, client: Value, server: Value, sum: Value) {
    #expect(
      suggestion(.counter, ancestor, client, server)
        == Suggestion(sum, source: .merged, certainty: .sure, reason: .policy("counter")))
  }

  @Test(arguments: [
    (Value.integer(0), Value.integer(.max), Value.integer(1)), (.integer(0), .integer(.min), .integer(-1)),
    (.real(0), .real(.greatestFiniteMagnitude), .real(.greatestFiniteMagnitude / 2 * 1.5)),
    (.real(1), .real(.nan), .real(2)), (.integer(1), .real(2), .integer(3)),
    (.null, .integer(1), .integer(2)),
    (.integer(1), .text("2"), .text("3")), (.integer(1), .null, .integer(2)),
  ])
  func aCounterThatDoesNotFitIsAPersonsAndSuggestsTheNewer(ancestor: Value, client: Value, server: Value) {
    #expect(
      suggestion(.counter, ancestor, client, server)
        == Suggestion(server, source: .server, certainty: .yours, reason: .policyNotApplicable("counter")))
  }

  @Test func withoutAnAncestorACounterSuggestsTheNewer() {
    #expect(
      suggestion(.counter, nil, .integer(1), .integer(2))
        == Suggestion(.integer(2), source: .server, certainty: .yours, reason: .noAncestor(newer: .server)))
  }

  @Test func aPolicyWithoutAnAnswerFollowsTheTieRule() {
    let versions = fieldVersions(Value.null, .text("a"), .text("b"), clientTime: 1, serverTime: 1)
    #expect(MergeRule.counter.policy(tie: .client).suggestion(for: versions).source == .client)
    #expect(MergeRule.counter.policy(tie: .server).suggestion(for: versions).source == .server)
  }

  @Test(arguments: [
    (Value.integer(2), Value.integer(10), Value.integer(10)), (.text("b"), .text("a"), .text("b")),
    (.text("Z"), .text("a"), .text("a")), (.real(-0.0), .real(0), .real(0)),
    (.real(0), .real(-0.0), .real(0)),
    (.real(-1), .real(.infinity), .real(.infinity)),
  ])
  func theLargerOfTwoValues(client: Value, server: Value, larger: Value) {
    let smaller = larger == client ? server : client
    #expect(suggestion(.maximum, .null, client, server).value == larger)
    #expect(suggestion(.minimum, .null, client, server).value == smaller)
    #expect(suggestion(.maximum, nil, client, server).certainty == .sure, "the ancestor does not matter")
  }

  @Test(arguments: [
    (Value.integer(1), Value.real(2)), (.null, .integer(1)), (.real(.nan), .real(1)),
    (.blob(Blob(bytes: [1])), .blob(Blob(bytes: [2]))), (.opaque(kind: "x", bytes: [1]), .integer(1)),
  ])
  func valuesWithoutAnOrderAreAPersonsToDecide(client: Value, server: Value) {
    for rule in [MergeRule.maximum, .minimum] {
      let suggestion = suggestion(rule, .text("a"), client, server)
      #expect(suggestion.certainty == .yours)
      #expect(suggestion.reason == .policyNotApplicable(rule.rawValue))
    }
  }

  private func inAColumn(
    _ rule: MergeRule, _ ancestor: Value, _ client: Value, _ server: Value, form: Field.Form = .column
  ) -> Suggestion<Value> {
    let field = Field("size", kind: .real, form: form)
    return rule.policy(tie: .client, of: field).suggestion(for: fieldVersions(ancestor, client, server))
  }

  /// SQLite keeps a whole number of a NUMERIC column as an integer.
  @Test func inAColumnAnIntegerAndARealAreTwoNumbers() {
    let three = Value.integer(3)
    #expect(inAColumn(.counter, three, .real(4.5), .real(4.5)).value == .real(6))
    #expect(inAColumn(.counter, .real(0.5), three, .integer(2)).value == .real(4.5))
    #expect(inAColumn(.counter, three, .integer(5), .integer(4)).value == .integer(6))
    #expect(inAColumn(.maximum, .null, three, .real(4.5)).value == .real(4.5))
    #expect(inAColumn(.maximum, .null, three, .real(2.5)).value == three)
    #expect(inAColumn(.minimum, .null, three, .real(4.5)).value == three)
    #expect(inAColumn(.maximum, .null, three, .text("4")).certainty == .yours)
  }

  /// 2^53 + 1.
  @Test(arguments: [MergeRule.counter, .maximum, .minimum])
  func anIntegerThatNoDoubleHasDoesNotFitBesideAReal(rule: MergeRule) {
    let large = Value.integer(9_007_199_254_740_993)
    #expect(inAColumn(rule, .integer(1), large, .real(4.5)).reason == .policyNotApplicable(rule.rawValue))
    #expect(inAColumn(rule, .integer(1), large, .integer(2)).certainty == .sure)
  }

  /// JSON tells 3 from 3.0, and so do the document's other devices.
  @Test(arguments: [MergeRule.counter, .maximum, .minimum])
  func inADocumentTheyAreOfTwoKinds(rule: MergeRule) {
    let suggestion = inAColumn(rule, .integer(1), .integer(3), .real(4.5), form: .json)
    #expect(suggestion.reason == .policyNotApplicable(rule.rawValue))
  }

  @Test(arguments: [
    // What either added is added, what either removed is removed.
    (#"["a","b"]"#, #"["a","b","c"]"#, #"["b","d"]"#, #"["b","c","d"]"#),
    // Each element stays as it was written: no number is respelled, 1 is not "1".
    ("[]", #"[1.0, 12345678901234567890123]"#, #"["1", 1]"#, #"[1.0,12345678901234567890123,"1",1]"#),
    ("[]", #"["a\/b","\u00e9"]"#, #"["é"]"#, #"["a\/b","\u00e9","é"]"#),
    ("[]", "[\"\u{E9}\"]", "[\"e\u{301}\"]", "[\"\u{E9}\",\"e\u{301}\"]"),
    ("[]", " [ true , null ] ", "[-0.5e+10]", "[true,null,-0.5e+10]"),
    // A result with the elements of one side is that side's own text.
    (#"["a"]"#, #"[ "b" ]"#, "[]", #"[ "b" ]"#),
    ("[1]", "[1,2,2,2]", "[1,3,2]", "[1,3,2]"),
  ])
  func aSetIsMergedByItsElements(ancestor: String, client: String, server: String, merged: String) {
    let value = suggestion(.set, .text(ancestor), .text(client), .text(server)).value
    #expect(value == .text(merged))
  }

  private func ofADocument(_ ancestor: Value?, _ client: Value, _ server: Value) -> Suggestion<Value> {
    MergeRule.set.policy(tie: .client, of: Field("tags", form: .json))
      .suggestion(for: fieldVersions(ancestor, client, server))
  }

  private func json(_ text: String) -> Value { .opaque(kind: Value.jsonKind, bytes: Array(text.utf8)) }

  /// As a text that holds the same, and it stays a list.
  @Test(arguments: [
    (#"["a","b"]"#, #"["a","b","c"]"#, #"["b","d"]"#, #"["b","c","d"]"#),
    (
      "[]", "[1.0,12345678901234567890123,null]", #"["1",1,true]"#,
      #"[1.0,12345678901234567890123,null,"1",1,true]"#
    ),
    (#"["a","b"]"#, #"["b"]"#, #"["a","b","c"]"#, #"["b","c"]"#), ("[1]", "[1,2,2,2]", "[1,3,2]", "[1,3,2]"),
  ])
  func aListOfADocumentIsMergedByItsElements(ancestor: String, client: String, server: String, merged: String)
  {
    let suggestion = ofADocument(json(ancestor), json(client), json(server))
    #expect(suggestion.value == json(merged) && suggestion.certainty == .sure)
    #expect(suggestion.reason == .policy("set"))
    #expect(ofADocument(nil, json("[1,2]"), json("[2,3]")).value == json("[1,2,3]"))
  }

  /// What has parts of its own is no element, a key that was not there is no empty list, and a text that reads as a list is not one.
  @Test func whatIsNoFlatListOfADocumentIsNoSet() {
    let list = json("[1]")
    for other in [
      json("[[1]]"), json(#"[{"a":1}]"#), json(#"{"a":1}"#), json("true"), .text("[1,2]"), .missing, .null,
    ] {
      #expect(ofADocument(list, other, json("[1,2,3]")).reason == .policyNotApplicable("set"), "\(other)")
      #expect(
        ofADocument(other, json("[1,2]"), json("[1,3]")).reason == .policyNotApplicable("set"), "\(other)")
    }
    #expect(ofADocument(.text("[1]"), .text("[1,2]"), .text("[1,3]")).value == .text("[1,2,3]"))
  }

  @Test func withoutAnAncestorASetIsTheUnion() {
    #expect(suggestion(.set, nil, .text("[1,2]"), .text("[2,3]")).value == .text("[1,2,3]"))
  }

  @Test(arguments: [
    "", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "[01]", "[1.]", "[.5]", "[1e]", "[-]", "[+1]", "[nan]",
    "[tru]",
    #"["a]"#, #"["\x"]"#, #"["\u12g4"]"#, "[\"\n\"]", "[[1]]", "[{}]", "{}", "1", "[1]x", "[1]]",
  ])
  func aTextThatIsNoFlatJSONArrayIsNoSet(text: String) {
    #expect(ElementList(.text(text)) == nil)
    let suggestion = suggestion(.set, .text("[]"), .text(text), .text("[1]"))
    #expect(suggestion.reason == .policyNotApplicable("set"))
  }

  @Test func aPolicyInCodeMayLeaveItToAPerson() {
    let policy = MergePolicy<Int>.custom("even") { _, client, server in
      [client, server].first { $0.isMultiple(of: 2) }
    }
    #expect(policy.suggestion(for: fieldVersions(1, 3, 4)).source == .server)
    #expect(policy.suggestion(for: fieldVersions(1, 3, 5)).reason == .policyNotApplicable("even"))
    #expect(policy.suggestion(for: fieldVersions(nil, 3, 5)).reason == .noAncestor(newer: .server))
    #expect(policy.suggestion(for: fieldVersions(1, 3, 3)).source == .both)
  }

  /// A function of one's own that has no answer, of values that a column may lack: its nil is no NULL.
  @Test func aPolicyInCodeOfWhatMayBeNullLeavesItToAPersonToo() {
    @Sendable func total(_ old: Int?, _ client: Int, _ server: Int) -> Int? {
      old.map { client + server - $0 }
    }
    let policy = MergePolicy<Int?>.customIfPresent("sum", tie: .server, value: total)
    #expect(policy.suggestion(for: fieldVersions(1, 3, 4)).value == 6)
    for (ancestor, client, server) in [(nil, 3, 4), (1, nil, 4), (1, 3, nil)] as [(Int?, Int?, Int?)] {
      let suggestion = policy.suggestion(for: fieldVersions(.some(ancestor), client, server))
      #expect(suggestion.certainty == .yours && suggestion.reason == .policyNotApplicable("sum"))
    }
    let same = MergePolicy<Int?>.customIfPresent("none") { _, _, _ in nil }
    #expect(same.suggestion(for: fieldVersions(1, nil, nil)).certainty == .sure)
  }
}
