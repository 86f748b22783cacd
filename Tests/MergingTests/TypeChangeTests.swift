import Testing

@testable import Merging

/// A document takes a value of any type; an app that reads it may not.
struct TypeChangeTests {
  private static let truth = Value(typed: "true")!  // because it is JSON
  private static let list = Value(typed: "[1]")!  // because it is JSON
  private static let object = Value(typed: "{}")!  // because it is JSON

  private func change(
    _ ancestor: Value?, _ client: Value, _ server: Value, to value: Value, form: Field.Form = .json
  ) throws -> String? {
    func side(_ value: Value) -> RecordVersion { .present(["n": FieldVersion(value, time: 1)]) }
    let conflict = RecordConflict(
      id: "d", table: "documents", primaryKey: "d", title: "", fields: [Field("n", form: form)],
      versions: ThreeWay(ancestor: ancestor.map(side), client: side(client), server: side(server)))
    return try #require(conflict["n"]).typeChange(to: value)
  }

  @Test(
    arguments: [
      (.integer(1), .text("a"), "it was a number on every side, and would be text now"),
      (truth, .text("a"), "it was true or false on every side, and would be text now"),
      (.text("a"), .real(1.5), "it was text on every side, and would be a number now"),
      (list, .integer(1), "it was a list on every side, and would be a number now"),
      (object, truth, "it was an object on every side, and would be true or false now"),
    ] as [(Value, Value, String)])
  func anotherTypeIsTold(before: Value, after: Value, words: String) throws {
    #expect(try change(before, before, before, to: after) == words)
  }

  @Test func whatASideHasIsNothingNew() throws {
    #expect(try change(.integer(1), .integer(2), .text("a"), to: .text("b")) == nil)
    #expect(try change(.integer(1), .integer(2), .real(2.5), to: .real(3)) == nil)
    #expect(
      try change(.integer(1), .integer(2), .text("a"), to: Self.list)
        == "it was text or a number on every side, and would be a list now")
  }

  /// Nothing and null are of no type.
  @Test func whereNothingIsKnownNothingIsSaid() throws {
    #expect(try change(nil, .null, .missing, to: .text("a")) == nil)
    #expect(try change(.integer(1), .integer(1), .integer(1), to: .null) == nil)
    #expect(try change(.integer(1), .integer(1), .integer(1), to: .missing) == nil)
    #expect(
      try change(nil, .integer(1), .missing, to: .text("a"))
        == "it was a number so far, and would be text now")
  }

  /// A column has a type of its own.
  @Test func aColumnIsNotJudgedByWhatStandsInIt() throws {
    #expect(try change(.integer(1), .integer(1), .integer(1), to: .text("a"), form: .column) == nil)
  }
}
