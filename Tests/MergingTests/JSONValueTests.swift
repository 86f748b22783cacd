import ExactJSON
import StoreInterface
import Testing

@testable import Merging

@Suite struct JSONValueTests {
  @Test(arguments: [
    "12345678901234567890123", "1.10", "1E5", "-0", "0.1", "1e-7", "100000", "true", "null", #""\ud800""#,
  ])
  func literalsStayAsTheyWereWritten(token: String) throws {
    let document = "{\"a\":\(token)}"
    let value = try JSONValue(parsing: document)
    #expect(value.text == document)
    guard case .object(let members) = value, let member = members["a"] else {
      throw JSONProblem(reason: "", offset: 0)
    }
    #expect(Value(member).json == member)
  }

  @Test(arguments: [
    ("1", Value.integer(1)), ("1.5", .real(1.5)), (#""1""#, .text("1")), ("null", .null),
    ("1.10", .opaque(kind: "JSON", bytes: Array("1.10".utf8))),
    ("[ 1, 2 ]", .opaque(kind: "JSON", bytes: Array("[1,2]".utf8))),
  ])
  func whatFitsAValueBecomesOne(text: String, value: Value) throws {
    #expect(Value(try JSONValue(parsing: text)) == value)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\" 1}", "01", "1.", "1e", "+1", "nul", "\"\\x\"", "\"\\u12\"", "\"\n\"", "1 2",
    "{a:1}", "\"open",
  ])
  func whatIsNotJSONIsRefused(text: String) {
    #expect(throws: JSONProblem.self) { try JSONValue(parsing: text) }
  }

  @Test func escapesAreRead() throws {
    #expect(try JSONValue(parsing: #""\u00e9\ud83d\ude00\/\t\b""#) == .string("\u{e9}😀/\t\u{8}"))
    #expect(try JSONValue(parsing: #""a\tb""#).text == #""a\u0009b""#)
  }

  @Test func aDocumentIsNeverDeeperThanTheStack() {
    #expect(throws: JSONProblem.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
  }

  @Test func ofMoreValuesThanThereMayBeNoneIsKept() throws {
    let text = Array("[1,[2],{\"a\":3}]".utf8)
    #expect(try JSONValue(parsing: text, atMost: 6).text == "[1,[2],{\"a\":3}]")
    let problem = #expect(throws: JSONProblem.self) { try JSONValue(parsing: text, atMost: 5) }
    #expect(problem?.mostValues == 5)
  }

  @Test func aKeyThatComesTwiceIsRefusedAndNormalFormsAreTwoKeys() throws {
    #expect(throws: JSONProblem(reason: "the object has this name twice", offset: 7)) {
      try JSONValue(parsing: #"{"a":1,"a":2}"#)
    }
    guard case .object(let members) = try JSONValue(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}") else { return }
    #expect(members.count == 2)
  }
}

@Suite struct JSONMergeTests {
  private func merge(_ ancestor: String, _ client: String, _ server: String, tie: TieRule = .client) throws
    -> Suggestion<Value>
  {
    let versions = try [ancestor, client, server].map {
      FieldVersion(Value(try JSONValue(parsing: $0)), time: nil)
    }
    return MergePolicy.keys(tie: tie).suggestion(
      for: ThreeWay(ancestor: versions[0], client: versions[1], server: versions[2]))
  }

  @Test func differentKeysAreMergedAllTheWayDown() throws {
    let merged = try merge(
      #"{"a":1,"b":{"c":1,"d":1},"gone":1}"#, #"{"a":2,"b":{"c":1,"d":2},"gone":1}"#,
      #"{"a":1,"b":{"c":2,"d":1},"new":1.10}"#)
    #expect(merged.value.jsonText == #"{"a":2,"b":{"c":2,"d":2},"new":1.10}"#)
    #expect((merged.source, merged.certainty, merged.reason) == (.merged, .sure, .policy("keys")))
  }

  @Test func oneKeyThatBothChangedIsAPersonsToDecide() throws {
    let merged = try merge(#"{"a":1,"b":1}"#, #"{"a":2,"b":2}"#, #"{"a":3,"b":1}"#, tie: .server)
    #expect(merged.value.jsonText == #"{"a":3,"b":2}"#)
    #expect((merged.certainty, merged.reason) == (.yours, .overlap(places: 1)))
  }

  @Test func elementsAreMergedByTheirPlaceAndLookedAt() throws {
    let merged = try merge("[1,2,3]", "[9,2,3]", "[1,2,7]")
    #expect(merged.value.jsonText == "[9,2,7]")
    #expect(merged.certainty == .yours)
    let moved = try merge("[1,2]", "[1,2,3]", "[0,1,2]")
    #expect((moved.value.jsonText, moved.certainty) == ("[1,2,3]", .yours))
  }

  @Test func whatIsNoContainerIsMergedByTheLatest() throws {
    let merged = try merge("1", "2", "3")
    #expect(
      (merged.value, merged.certainty, merged.reason) == (
        .integer(2), .yours, .sameTime(nil, tieRule: .client)
      ))
  }
}

@Suite struct LeavesTests {
  private func conflict(
    ancestor: [String: Value]?, _ leaves: [[String: Value]], _ rule: MergeRule = .keys
  ) -> RecordConflict {
    func version(_ fields: [String: Value]) -> RecordVersion {
      .present(fields.mapValues { FieldVersion($0, time: nil) })
    }
    let all = leaves.enumerated().map { Leaf(id: "2-\($0)", isDeleted: false, version: version($1)) }
    return RecordConflict(
      id: "milk", table: "docs", primaryKey: "milk", title: "milk",
      fields: ["a", "b", "c"].map { Field($0) },
      versions: ThreeWay(
        ancestor: ancestor.map(version), client: all[0].version, server: all[1].version),
      rules: MergeRules(defaultRule: rule),
      details: RecordConflict.Details(serverTag: "2-1", leaves: all))
  }

  @Test func everyLeafHasItsSayInWinnerOrder() {
    let zero: Value = .integer(0)
    let conflict = conflict(
      ancestor: ["a": zero, "b": zero, "c": zero],
      [
        ["a": .integer(1), "b": zero, "c": zero], ["a": zero, "b": .integer(2), "c": zero],
        ["a": zero, "b": zero, "c": .integer(3)],
      ])
    let draft = conflict.draft(conflict.accepting(.sure, in: Resolution()))
    #expect(["a", "b", "c"].map { draft?[$0] } == [.integer(1), .integer(2), .integer(3)])
    #expect(conflict["c"]?.suggestion.source == .merged)
    #expect(conflict["c"]?.suggestion.reason == .folded(leaves: 1, .changed))
  }

  @Test func aThirdEditOfTheSameFieldIsNotSure() {
    let zero: Value = .integer(0)
    let conflict = conflict(ancestor: ["a": zero], [["a": .integer(1)], ["a": zero], ["a": .integer(3)]])
    #expect(conflict["a"]?.suggestion.certainty == .yours)
    #expect(conflict["a"]?.suggestion.value == .integer(1))
    #expect(conflict["a"]?.suggestion.source == .client)
  }

  /// Three replicas sold one each of ten.
  @Test func eachLeafCountsEvenIfItsValueIsKnown() {
    let leaves: [[String: Value]] = [["a": .integer(9)], ["a": .integer(10)], ["a": .integer(9)]]
    let counted = conflict(ancestor: ["a": .integer(10)], leaves, .counter)
    #expect(counted["a"]?.suggestion.value == .integer(8))
    let latest = conflict(ancestor: ["a": .integer(10)], leaves)
    #expect(latest["a"]?.suggestion.value == .integer(9))
    #expect((latest["a"]?.suggestion.source, latest["a"]?.suggestion.certainty) == (.client, .sure))
    #expect(latest["a"]?.suggestion.reason == .folded(leaves: 2, .agree))
  }

  @Test func anyLeafCanBeShownAndTaken() throws {
    let conflict = conflict(ancestor: nil, [["a": .integer(1)], ["a": .integer(2)], ["a": .integer(3)]])
    let shown = try #require(conflict.showing(leaf: "2-2"))
    #expect(shown["a"]?.server?.value == .integer(3))
    #expect(shown.details.serverTag == "2-2")
    #expect(shown["a"]?.suggestion.value == conflict["a"]?.suggestion.value)
    #expect(conflict.choice(of: "2-0", for: .field("a")) == .take(.client))
    #expect(conflict.choice(of: "2-1", for: .field("a")) == .take(.server))
    #expect(conflict.choice(of: "2-2", for: .field("a")) == .merged(.integer(3)))
    #expect(conflict.showing(leaf: "2-0") == nil)
  }

  @Test func aDecisionHoldsOnlyWhileTheThirdLeafStays() {
    let before = conflict(ancestor: nil, [["a": .integer(1)], ["a": .integer(2)], ["a": .integer(3)]])
    let after = conflict(ancestor: nil, [["a": .integer(1)], ["a": .integer(2)], ["a": .integer(4)]])
    #expect(before.fingerprint(of: .field("a")) != after.fingerprint(of: .field("a")))
  }

  /// The reason counts the leaves that changed the field, and not all that there are.
  @Test(arguments: [
    ([1, 0, 3, 0, 4], "3 leaves changed"), ([0, 0, 3, 3, 3], "3 leaves agree"),
    ([0, 0, 3, 0, 0], "1 leaf changed"),
  ])
  func theReasonOfAFoldCountsTheLeavesThatChanged(values: [Int64], words: String) {
    let leaves: [[String: Value]] = values.map { ["a": .integer($0)] }
    let conflict = conflict(ancestor: ["a": .integer(0)], leaves)
    #expect(conflict["a"]?.suggestion.reason.description == words)
    #expect(self.conflict(ancestor: nil, leaves)["a"]?.suggestion.reason.description == "5 leaves differ")
  }
}
