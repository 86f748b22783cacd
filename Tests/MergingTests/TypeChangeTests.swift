import Testing

@testable import Merging

/// A document takes a value of any type; an app that reads it may not.
struct TypeChangeTests {
  private static let truth = Value(typed: "true")!  // because it is JSON
  private static let list = Value(typed: "[1]")!  // because it is JSON
  private static let object = Value(typed: "{}")!  // because it is JSON

  private func change(
    _ ancestor: Value?, _ client: Value, _ server: Value, to value: Value, form: Field.Form = .json
  ) -> String? {
    func side(_ value: Value) -> RecordVersion { .present(["n": FieldVersion(value, time: 1)]) }
    let conflict = RecordConflict(
      id: "d", table: "documents", primaryKey: "d", title: "", fields: [Field("n", form: form)],
      versions: ThreeWay(ancestor: ancestor.map(side), client: side(client), server: side(server)))
    return conflict.typeChange(of: "n", to: value)
  }

  @Test(
    arguments: [
      (.integer(1), .text("a"), "it was a number on every side, and would be text now"),
      (truth, .text("a"), "it was true or false on every side, and would be text now"),
      (.text("a"), .real(1.5), "it was text on every side, and would be a number now"),
      (list, .integer(1), "it was a list on every side, and would be a number now"),
      (object, truth, "it was an object on every side, and would be true or false now"),
    ] as [(Value, Value, String)])
  func anotherTypeIsTold(before: Value, after: Value, words: String) {
    #expect(change(before, before, before, to: after) == words)
  }

  @Test func whatASideHasIsNothingNew() {
    #expect(change(.integer(1), .integer(2), .text("a"), to: .text("b")) == nil)
    #expect(change(.integer(1), .integer(2), .real(2.5), to: .real(3)) == nil)
    #expect(
      change(.integer(1), .integer(2), .text("a"), to: Self.list)
        == "it was text or a number on every side, and would be a list now")
  }

  /// Nothing and null are of no type.
  @Test func whereNothingIsKnownNothingIsSaid() {
    #expect(change(nil, .null, .missing, to: .text("a")) == nil)
    #expect(change(.integer(1), .integer(1), .integer(1), to: .null) == nil)
    #expect(change(.integer(1), .integer(1), .integer(1), to: .missing) == nil)
    #expect(
      change(nil, .integer(1), .missing, to: .text("a"))
        == "it was a number so far, and would be text now")
  }

  /// Of each value the third leaf's is of another type, or of none.
  @Test func whatAFurtherLeafHasCounts() throws {
    func conflict(_ values: [Value]) -> RecordConflict {
      let versions = values.map { RecordVersion.present(["n": FieldVersion($0, time: nil)]) }
      let leaves = versions.enumerated().map { Leaf(id: "2-\($0)", isDeleted: false, version: $1) }
      return RecordConflict(
        id: "d", table: "documents", primaryKey: "d", title: "", fields: [Field("n", form: .json)],
        versions: ThreeWay(ancestor: nil, client: versions[0], server: versions[1]),
        details: .init(leaves: leaves))
    }
    func typed(_ text: String, in conflict: RecordConflict) throws -> Value {
      try conflict.typed(text, for: try #require(conflict["n"]))
    }
    let text = conflict([.integer(2), .integer(3), .text("x")])
    #expect(text.typeChange(of: "n", to: .text("y")) == nil)
    #expect(try typed("y", in: text) == .text("y"))
    let words = "it was text or a number so far, and would be a list now"
    #expect(text.typeChange(of: "n", to: Self.list) == words)
    let list = conflict([.missing, .missing, Self.list])
    #expect(try typed("[1]", in: list) == Self.list)
    #expect(throws: ChoiceRefusal.notReadable(field: "n", expected: "a list")) { try typed("x", in: list) }
  }

  /// A column has a type of its own.
  @Test func aColumnIsNotJudgedByWhatStandsInIt() {
    #expect(change(.integer(1), .integer(1), .integer(1), to: .text("a"), form: .column) == nil)
  }
}
