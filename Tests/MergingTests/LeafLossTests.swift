import ExactJSON
import Testing

@testable import Merging

/// What is told as given up of three leaves is what the draft does not have, and all of it: each key, place and word that a leaf changed is
/// the draft's, or is told.
///
/// What a version has at a place is told here by taking JSON and texts apart flat, and not as the merge or ``FieldParts`` do.
@Suite struct LeafLossTests {
  /// Values of one field: of the ancestor first, then as leaves may have it, and what somebody may type over all.
  struct Family: Sendable, CustomTestStringConvertible {
    let name: String
    let values: [Value]
    let typed: [Value]
    var testDescription: String { name }
  }

  private static func json(_ text: String) -> Value {
    (try? JSONValue(parsing: text)).map { Value($0) } ?? .text(text)
  }

  static let families = [
    Family(
      name: "keys",
      values: [
        #"{"a":1,"b":1}"#, #"{"a":7,"b":1}"#, #"{"a":1,"b":9}"#, #"{"a":7,"b":9}"#, #"{"b":3}"#,
        #"{"a":2,"b":1,"c":"é"}"#, "a whole text",
      ].map(json) + [Value.missing],
      typed: [#"{"a":7,"b":3}"#, #"{"a":5,"b":1,"c":"é"}"#, "[1]", "typed words"].map(json)),
    Family(
      name: "keys in keys",
      values: [
        #"{"o":{"x":1,"y":1}}"#, #"{"o":{"x":2,"y":1}}"#, #"{"o":{"x":3,"y":4}}"#, #"{"o":5}"#,
        #"{"o":{"x":1,"y":1},"p":[1,2]}"#, #"{"o":{"x":1,"y":1},"p":[1]}"#, "{}",
      ].map(json),
      typed: [#"{"o":{"x":2,"y":4}}"#, #"{"o":{"x":2,"y":1},"p":[1]}"#].map(json)),
    Family(
      name: "places",
      values: ["[1,2,3]", "[7,2,3]", "[8,2,3]", "[1,2,9]", "[1,2]", "[1,2,3,4]", "5"].map(json),
      typed: ["[7,5,9]", "[1,5,3]", "[7]"].map(json)),
    Family(
      name: "words",
      values: [
        "one two three", "ONE two three", "one two THREE", "uno two three", "one two three four",
      ].map(json) + [Value.missing],
      typed: ["ONE two THREE", "uno two THREE", "ONE two three four", "nothing of it"].map(json)),
  ]

  /// Each way in which three leaves may have these, with and without an ancestor.
  private static func cases(of family: Family) -> [(leaves: [Value], ancestor: Value?)] {
    let values = family.values
    let ancestors: [Value?] = [values[0], nil]
    return values.flatMap { first in
      values.flatMap { second in
        values.flatMap { third in
          ancestors.map { (leaves: [first, second, third], ancestor: $0) }
        }
      }
    }
  }

  private func text(_ value: Value?) -> String? { if case .text(let text)? = value { text } else { nil } }

  /// By a JSON pointer, or the number of the word.
  private func places(of value: Value?) -> [String: String] {
    if let words = text(value)?.split(separator: " ") {
      return Dictionary(uniqueKeysWithValues: words.enumerated().map { ("\($0)", String($1)) })
    }
    return value?.json.map { flat($0, at: "") } ?? [:]
  }

  /// What holds others is there itself, too.
  private func flat(_ json: JSONValue, at place: String) -> [String: String] {
    let inside: [(String, JSONValue)] =
      switch json {
      case .object(let members): members.map { ($0.key.text, $0.value) }
      case .array(let elements): elements.enumerated().map { ("\($0)", $1) }
      case .literal, .string: []
      }
    return inside.reduce(into: [place: label(json)]) { all, member in
      all.merge(flat(member.1, at: "\(place)/\(member.0)")) { first, _ in first }
    }
  }

  private func label(_ json: JSONValue) -> String {
    switch json {
    case .object: "object"
    case .array(let elements): "list of \(elements.count)"
    case .literal, .string: json.text
    }
  }

  private func changed(by leaf: Value, from ancestor: Value?) -> Set<String> {
    let (own, before) = (places(of: leaf), places(of: ancestor))
    // Without an ancestor nobody knows what it took away.
    let all = ancestor == nil ? Set(own.keys) : Set(own.keys).union(before.keys)
    return all.filter { own[$0] != before[$0] }
  }

  /// Whether they have the same places: objects, lists of one length, and texts.
  private func areOfOneShape(_ values: [Value?]) -> Bool {
    let shapes = values.compactMap { $0.map(shape) }
    return Set(shapes).count == 1
  }

  private func shape(_ value: Value) -> String {
    switch value.json {
    case .string?: "text"
    case let json?: label(json)
    case nil: "not there"
    }
  }

  /// All that one leaf may have lost, and what of it is told.
  private struct Told {
    let leaf: Value
    let draft: Value
    let ancestor: Value?
    let edits: [LostEdit]
    var isWhole: Bool { edits.contains { $0.part == nil } }
  }

  /// What the leaf changed and the draft does not have, and nobody is told of.
  private func untold(_ told: Told) -> Set<String> {
    if told.leaf == told.ancestor || told.leaf == told.draft || told.isWhole { return [] }
    guard areOfOneShape([told.leaf, told.draft, told.ancestor]) else { return ["all of it"] }
    let (own, there) = (places(of: told.leaf), places(of: told.draft))
    return changed(by: told.leaf, from: told.ancestor).filter { place in
      own[place] != there[place] && !told.edits.contains { isTold(place, own[place], by: $0) }
    }
  }

  private func isTold(_ place: String, _ word: String?, by edit: LostEdit) -> Bool {
    guard let part = edit.part else { return true }
    guard let pointer = part.pointer else { return word.map { part.new?.contains($0) == true } ?? true }
    return place == pointer || place.hasPrefix(pointer + "/") || pointer.hasPrefix(place + "/")
  }

  /// What is told although the draft has it, or the leaf never did it.
  private func untrue(_ told: Told) -> [LostEdit] {
    told.edits.filter { edit in
      if told.leaf == told.ancestor || told.leaf == told.draft { return true }
      guard let part = edit.part else { return hasAll(told) }
      guard let pointer = part.pointer else { return text(told.draft)?.contains(part.new ?? "") == true }
      func there(_ value: Value?) -> String? { value?.json?.value(at: pointer)?.text }
      return there(told.leaf) != part.new || there(told.ancestor) != part.old || there(told.draft) == part.new
        || part.new == part.old
    }
  }

  private func hasAll(_ told: Told) -> Bool {
    guard told.ancestor != nil, areOfOneShape([told.leaf, told.draft, told.ancestor]) else { return false }
    let (own, there) = (places(of: told.leaf), places(of: told.draft))
    return changed(by: told.leaf, from: told.ancestor).allSatisfy { own[$0] == there[$0] }
  }

  /// - Parameter isLeafs: whether the draft may be what one leaf has, and was not put together: then the others are given up as a whole.
  private func check(_ conflict: RecordConflict, _ choice: Choice, isLeafs: Bool) throws -> Int {
    let field = try #require(conflict["stock"])
    let draft = field.draft(choice)
    let lost = conflict.edits(lostBy: draft, of: choice)
    // The journal is told by the same function.
    #expect(conflict.givenUp(by: choice, for: .field("stock")) == lost.map { GivenUp($0) })
    let leaves = conflict.liveLeaves.compactMap { $0.version.fields?["stock"]?.value }
    for (number, leaf) in zip(1..., leaves) {
      // Of two leaves none has a number.
      let own = lost.filter { ($0.leaf ?? ($0.side == .client ? 1 : 2)) == number }
      let told = Told(leaf: leaf, draft: draft.value, ancestor: field.ancestor?.value, edits: own)
      #expect(untold(told).isEmpty, "\(leaves), from \(told.ancestor as Any): \(draft.value), leaf \(number)")
      if isLeafs && leaves.contains(draft.value) { continue }
      #expect(untrue(told).isEmpty, "\(leaves), from \(told.ancestor as Any): \(draft.value), leaf \(number)")
    }
    return lost.count
  }

  @Test(arguments: families, [MergeRule.keys, .latest, .text])
  func whatIsSuggested(family: Family, rule: MergeRule) throws {
    // Of texts no keys are taken apart.
    let isLeafs = rule != .keys || family.name == "words"
    var count = 0
    for tie in rule == .keys ? TieRule.allCases : [.server] {
      for (leaves, ancestor) in Self.cases(of: family) {
        let conflict = LeafPolicyTests.conflict(leaves, from: ancestor, by: rule, tie: tie)
        let choice = conflict.accepting(.yours, in: Resolution())[.field("stock")]
        if let choice { count += try check(conflict, choice, isLeafs: isLeafs) }
      }
    }
    #expect(count > 100)
  }

  @Test(arguments: families) func whatIsTyped(family: Family) throws {
    var count = 0
    for (leaves, ancestor) in Self.cases(of: family) {
      let conflict = LeafPolicyTests.conflict(leaves, from: ancestor, by: .keys)
      for value in family.typed { count += try check(conflict, .edit(value), isLeafs: false) }
    }
    #expect(count > 100)
  }
}

extension LeafLossTests {
  /// What one leaf has may have all in it that another did, be it one of two: nothing of that is given up.
  @Test(arguments: families.filter { $0.name != "words" }, [MergeRule.latest, .keys])
  func whatATakenLeafHasInItIsNotGivenUp(family: Family, rule: MergeRule) throws {
    for (leaves, ancestor) in Self.cases(of: family) {
      for leaves in [leaves, Array(leaves.prefix(2))] {
        let conflict = LeafPolicyTests.conflict(leaves, from: ancestor, by: rule)
        for leaf in conflict.liveLeaves {
          let choice = try #require(conflict.choice(of: leaf.id, for: .field("stock")))
          _ = try check(conflict, choice, isLeafs: false)
        }
      }
    }
  }

  private static func ofTwo(by rule: MergeRule) -> (conflict: RecordConflict, client: Value) {
    let versions =
      switch rule {
      case .set: ["[1,2]", "[1,2,3,4]", "[1,2,3]"]
      case .text: ["one two three", "ONE two THREE", "one two THREE"]
      default: [#"{"a":1}"#, #"{"a":7,"b":9}"#, #"{"a":1,"b":9}"#]
      }
    let all = versions.map(json)
    return (LeafPolicyTests.conflict(Array(all.dropFirst()), from: all[0], by: rule), all[1])
  }

  /// As it was seen of two: taken from the first, or merged, or typed, all that the second has was told.
  @Test(arguments: [MergeRule.latest, .keys, .set, .text])
  func whatASideHasInItOfTheOtherIsNotGivenUp(rule: MergeRule) {
    let (conflict, client) = Self.ofTwo(by: rule)
    for choice in [Choice.take(.client), .edit(client), .merged(client)] {
      #expect(conflict.givenUp(by: choice, for: .field("stock")).isEmpty)
    }
    #expect(conflict.givenUp(by: .take(.server), for: .field("stock")).count == 1)
    #expect(conflict.givenUp(by: .take(.ancestor), for: .field("stock")).count == 2)
  }

  /// Each leaf taken as a whole, and then the deletion.
  @Test func whatARecordHasInItOfAnotherIsNotGivenUp() {
    let (conflict, _) = Self.ofTwo(by: .latest)
    let ways = conflict.versionsAsAlternatives
    #expect(ways.map { Losses(conflict).of($0).count } == [0, 1, 2])
    #expect(ways.map { Losses(conflict).givenUp(by: $0).count } == [0, 1, 2])
  }

  /// What is looked for of one leaf alone is what taking all three versions apart finds.
  @Test(arguments: families) func whatALeafLostIsWhatThePartsSay(family: Family) {
    var count = 0
    let values = family.values + family.typed
    for leaf in values {
      for (value, ancestor) in values.flatMap({ value in (values + [nil]).map { (value, $0) } }) {
        let parts = FieldParts(json: ThreeWay(ancestor: ancestor, client: leaf, server: value))
        let taken = parts?.parts.map { ($0.id, PartChoice.take(.server)) } ?? []
        let lost = parts?.lost(by: Dictionary(uniqueKeysWithValues: taken)).filter { $0.side == .client }
        var held = HeldChanges(in: value, ancestor: ancestor)
        #expect(held.missingKeys(of: leaf) == lost?.map(\.part), "\(ancestor as Any): \(leaf), \(value)")
        count += lost?.count ?? 0
      }
    }
    #expect(family.name == "words" ? count == 0 : count > 100)
  }

  /// By the tie rule's other side as well the clash is put together in its order, with all in it that did not clash. How often that is done no
  /// test holds: only time would tell.
  @Test(arguments: TieRule.allCases) func manyLeavesThatClashArePutTogetherWhole(tie: TieRule) throws {
    let leaves = (0..<300).map { Self.json(#"{"k":\#($0 + 1),"own \#($0)":1}"#) }
    let conflict = LeafPolicyTests.conflict(leaves, from: Self.json(#"{"k":0}"#), by: .keys, tie: tie)
    let field = try #require(conflict["stock"])
    let json = try #require(field.suggestion.value.json)
    #expect(json.value(at: "/k")?.text == (tie == .client ? "1" : "2"))
    #expect((0..<300).allSatisfy { json.value(at: "/own \($0)")?.text == "1" })
    let lost = conflict.edits(lostBy: field.draft(nil), of: nil)
    #expect(lost.map(\.part?.name) == Array(repeating: "k", count: 299))
  }

  /// By its keys, as where a third leaf stands beside them; all that the sides changed was told.
  @Test func whatIsTypedOfTwoSidesIsToldByItsKeys() throws {
    let versions = [#"{"a":1,"b":1}"#, #"{"a":7,"b":1}"#, #"{"a":1,"b":9}"#].map(Self.json)
    for others in [[], [versions[0]]] {
      let conflict = LeafPolicyTests.conflict(
        versions.dropFirst() + others, from: versions[0], by: .latest)
      let field = try #require(conflict["stock"])
      let lost = { (typed: String) in
        conflict.edits(lostBy: field.draft(.edit(Self.json(typed))), of: .edit(Self.json(typed)))
      }
      #expect(lost(#"{"a":7,"b":3}"#).map(\.side) == [.server])
      #expect(lost(#"{"a":7,"b":3}"#).map(\.part?.name) == ["b"])
      #expect(lost(#"{"a":7,"b":9,"c":1}"#).isEmpty)
      #expect(lost("5").map(\.part?.name) == [nil, nil])
    }
  }

  /// Who only laid out a text anew has not done what the other did.
  @Test func aTextThatWasLaidOutAnewIsGivenUp() throws {
    let versions = [#"{"a":1,"b":2}"#, #"{"a":7,"b":2}"#, #"{ "a": 1, "b": 2 }"#].map { Value.text($0) }
    let conflict = LeafPolicyTests.conflict(Array(versions.dropFirst()), from: versions[0], by: .latest)
    for choice in [Choice.take(.client), .edit(.text(#"{"a":7,"b":3}"#))] {
      let lost = conflict.givenUp(by: choice, for: .field("stock")).filter { $0.side == .server }
      #expect(lost.map(\.what) == [.edit(field: "stock", versions[2])], "\(choice)")
    }
  }

  struct Example: Sendable {
    let ancestor: String
    let leaves: [String]
    var tie = TieRule.client
    let draft: String
    let told: [String]
  }

  static let examples = [
    Example(
      ancestor: #"{"a":1}"#, leaves: [#"{"a":7}"#, #""a whole text""#, #"{"a":1,"b":9}"#],
      draft: #"{"a":7,"b":9}"#, told: ["leaf 2: a whole text"]),
    Example(
      ancestor: #"{"a":1}"#, leaves: [#"{"a":7}"#, #"{"b":3}"#, #"{"a":2}"#], draft: #"{"a":7,"b":3}"#,
      told: ["leaf 2: a: 1 → nothing", "leaf 3: a: 1 → 2"]),
    Example(
      ancestor: #"{"a":1}"#, leaves: [#"{"a":2}"#, #"{"a":1,"b":"é"}"#, #"{"a":3}"#],
      draft: #"{"a":2,"b":"é"}"#, told: ["leaf 3: a: 1 → 3"]),
    Example(
      ancestor: "[1,2,3]", leaves: ["[7,2,3]", "[8,2,3]", "[1,2,9]"], draft: "[7,2,9]",
      told: ["leaf 2: [0]: 1 → 8"]),
    Example(
      ancestor: #"{"a":1}"#, leaves: [#""my own text""#, #"{"a":7}"#, #"{"a":1,"b":9}"#], tie: .server,
      draft: #"{"a":7,"b":9}"#, told: ["leaf 1: my own text"]),
    // The draft is by chance what the first has, with all in it that the third did.
    Example(
      ancestor: #"{"a":1}"#, leaves: [#"{"a":7,"b":9}"#, #"{"a":8}"#, #"{"a":1,"b":9}"#],
      draft: #"{"a":7,"b":9}"#, told: [#"leaf 2: {"a":8}"#]),
  ]

  private func words(_ edit: LostEdit) -> String {
    let what = edit.part.map { part in
      (part.name.map { "\($0): " } ?? "") + "\(part.old ?? "nothing") → \(part.new ?? "nothing")"
    }
    return "leaf \(edit.leaf ?? 0): " + (what ?? edit.value.jsonText ?? text(edit.value) ?? "not there")
  }

  /// As they were seen: nothing at all was told of the first five.
  @Test(arguments: examples) func whatKeysThatClashLeaveOutIsTold(example: Example) throws {
    let leaves = example.leaves.map(Self.json)
    let ancestor = Self.json(example.ancestor)
    let conflict = LeafPolicyTests.conflict(leaves, from: ancestor, by: .keys, tie: example.tie)
    let field = try #require(conflict["stock"])
    #expect(field.suggestion.value == Self.json(example.draft))
    let choice = conflict.accepting(.yours, in: Resolution())[.field("stock")]
    #expect(conflict.edits(lostBy: field.draft(choice), of: choice).map(words) == example.told)
  }

  /// A text that reads like the object is another type than that, and is in nothing that is none.
  @Test func aTextThatReadsLikeTheObjectIsToldAsGivenUp() throws {
    let ancestor = Self.json(#"{"a":1,"b":2}"#)
    let leaves = [Self.json(#"{"a":1,"b":8}"#), .text(#"{"a":1,"b":2}"#), ancestor]
    let conflict = LeafPolicyTests.conflict(leaves, from: ancestor, by: .keys)
    let field = try #require(conflict["stock"])
    for choice in [Choice.take(.client), .edit(Self.json(#"{"a":7,"b":2}"#))] {
      let edits = conflict.edits(lostBy: field.draft(choice), of: choice)
      #expect(edits.contains { $0.leaf == 2 && $0.value == leaves[1] && $0.part == nil }, "\(edits)")
    }
  }

  /// What a policy is sure of that was asked for this once has all in it, as the field's own has.
  @Test(arguments: [(MergeRule.set, "[2,7]"), (.counter, "22")])
  func whatAnotherPolicyPutTogetherIsNotGivenUp(rule: MergeRule, value: String) throws {
    let versions = rule == .set ? ["[1,2,3]", "[2,3]", "[1,2]", "[1,2,3,7]"] : ["10", "12", "17", "13"]
    let leaves = versions.dropFirst().map(Self.json)
    let conflict = LeafPolicyTests.conflict(leaves, from: Self.json(versions[0]), by: .latest)
    let field = try #require(conflict["stock"])
    #expect(conflict.suggestion(of: field, by: rule).value == Self.json(value))
    let choice = Choice.merged(Self.json(value))
    #expect(conflict.edits(lostBy: field.draft(choice), of: choice).isEmpty)
  }

  private static let unread = Leaf(id: "2-x", isDeleted: false, version: .unknown(reason: "it is not kept"))

  /// Beside a leaf that cannot be read a person decides, and what the policy puts together has all in it all the same.
  @Test(arguments: [MergeRule.set, .latest])
  func besideAnUnreadLeafWhatHasAllEditsGivesUpNone(rule: MergeRule) throws {
    let versions = ["[1,2,3]", "[2,3]", "[1,2]", "[1,2,3,7]"].map(Self.json)
    let conflict = LeafPolicyTests.conflict(
      Array(versions.dropFirst()), from: versions[0], by: rule, unread: [Self.unread])
    let field = try #require(conflict["stock"])
    #expect(field.suggestion.certainty == .yours)
    #expect(rule != .set || field.suggestion.reason == .leafNotKnown)
    let put = conflict.suggestion(of: field, by: .set).value
    #expect(put == Self.json("[2,7]"))
    let accepted = conflict.accepting(.yours, in: Resolution())[.field("stock")]
    let choice = try #require(rule == .set ? accepted : .merged(put))
    #expect(field.draft(choice).value == put)
    #expect(conflict.edits(lostBy: field.draft(choice), of: choice).isEmpty)
  }

  /// Nor does any rule decide what one leaf alone is known to have changed.
  @Test func besideAnUnreadLeafAnEditOfOneLeafIsNotContested() throws {
    let leaves: [Value] = [.integer(10), .integer(10), .integer(12)]
    for unread in [[], [Self.unread]] {
      let conflict = LeafPolicyTests.conflict(leaves, from: .integer(10), by: .latest, unread: unread)
      let field = try #require(conflict["stock"])
      #expect(field.suggestion.certainty == (unread.isEmpty ? .sure : .yours))
      #expect(field.isOneSided && !field.isContested && !field.isByRule)
    }
  }

  /// Two columns put together hold what a third leaf changed alike, and no more of it.
  @Test func whatAThirdLeafHasOfPartsIsNotGivenUp() throws {
    let leaves = [#"{"a":7,"b":1}"#, #"{"a":8,"b":9}"#, #"{"a":2,"b":9}"#].map(Self.json)
    let conflict = LeafPolicyTests.conflict(leaves, from: Self.json(#"{"a":1,"b":1}"#), by: .keys)
    let field = try #require(conflict["stock"])
    let parts = try #require(field.parts)
    let choice = Choice.parts(PartChoices(["/a": .take(.client)], of: parts))
    let draft = field.draft(choice)
    #expect(draft.value == Self.json(#"{"a":7,"b":9}"#))
    #expect(
      conflict.edits(lostBy: draft, of: choice).map(words) == ["leaf 2: a: 1 → 8", "leaf 3: a: 1 → 2"])
  }
}
