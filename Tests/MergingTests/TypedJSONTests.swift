import Testing

@testable import Merging

@Suite("What is typed for a key of a document")
struct TypedJSONTests {
  private func typed(_ text: String, _ values: [Value]) throws -> Value {
    let versions = (values + [.missing, .missing]).prefix(3).map {
      RecordVersion.present(["key": FieldVersion($0, time: nil)])
    }
    let conflict = RecordConflict(
      id: "d", table: "documents", primaryKey: "d", title: "", fields: [Field("key", form: .json)],
      versions: ThreeWay(ancestor: versions[2], client: versions[0], server: versions[1]))
    return try conflict.typed(text, for: try #require(conflict["key"]))
  }

  @Test(
    "is read as the type that the key has so far, also where a side has null or lacks it",
    arguments: [
      ("3", [.integer(2), .integer(1)], .integer(3)), ("3", [.integer(2), .null, .missing], .integer(3)),
      ("3", [.integer(2), .real(1.5)], .integer(3)), ("2.5", [.integer(2), .integer(1)], .real(2.5)),
      ("1.10", [.integer(2), .integer(1)], json("1.10")),
      ("12345678901234567890123", [.integer(2)], json("12345678901234567890123")),
      ("7", [json("1.10")], .integer(7)), ("-0", [.integer(2)], json("-0")), ("7", [.text("x")], .text("7")),
      ("true", [json("false")], json("true")), ("true", [.text("x")], .text("true")),
      ("[1, 2]", [json("[]"), .null], json("[1,2]")), (#"{"a":1}"#, [json("{}")], json(#"{"a":1}"#)),
      ("true", [json("false"), .integer(1)], json("true")),
      ("[1]", [json("[]"), json("{}")], json("[1]")),
      ("word", [.integer(2), .text("x")], .text("word")), ("word", [.null], .text("word")),
      ("0x1F", [.text("x")], .text("0x1F")), ("+5", [.text("x"), json("[]")], .text("+5")),
      ("nan", [.integer(2), .text("x")], .text("nan")), ("1.0.0", [.null], .text("1.0.0")),
    ] as [(String, [Value], Value)])
  func read(text: String, versions: [Value], value: Value) throws {
    #expect(try typed(text, versions) == value)
  }

  @Test(
    "and refused where it is none, or could be two",
    arguments: [
      ("many", [.integer(2)], .notReadable(field: "key", expected: "a number")),
      ("1e999", [.integer(2)], .beyondDoubles(field: "key")),
      ("1e999", [json("[]")], .notReadable(field: "key", expected: "a list")),
      ("red", [json("[]")], .notReadable(field: "key", expected: "a list")),
      ("[1]", [json("{}")], .notReadable(field: "key", expected: "an object")),
      ("1", [json("true")], .notReadable(field: "key", expected: "true or false")),
      ("3", [.integer(2), .text("x")], .readableTwice(field: "key", expected: "text or a number")),
      ("3", [.null], .readableTwice(field: "key", expected: "")),
    ] as [(String, [Value], ChoiceRefusal)])
  func refused(text: String, versions: [Value], refusal: ChoiceRefusal) {
    #expect(throws: refusal) { try typed(text, versions) }
  }

  @Test(
    "and refused where it is a number elsewhere, and none of JSON",
    arguments: ["0x1F", "+5", ".5", "5.", "007"])
  func numberElsewhere(text: String) {
    #expect(throws: ChoiceRefusal.notReadable(field: "key", expected: "a number")) {
      try typed(text, [.integer(2), .real(1.5)])
    }
    #expect(throws: ChoiceRefusal.readableTwice(field: "key", expected: "text or a number")) {
      try typed(text, [.integer(2), .text("x")])
    }
    #expect(throws: ChoiceRefusal.readableTwice(field: "key", expected: "")) { try typed(text, [.null]) }
  }
}

private func json(_ text: String) -> Value { .opaque(kind: Value.jsonKind, bytes: Array(text.utf8)) }
