import Testing

@testable import Merging

/// The policy `keys` on a column that holds JSON as text.
struct KeysOfTextTests {
  private func suggestion(
    _ ancestor: Value?, _ client: Value, _ server: Value, declaredType: String = "TEXT",
    form: Field.Form = .column
  ) throws -> Suggestion<Value> {
    func side(_ value: Value, _ time: Int64) -> RecordVersion {
      .present(["settings": FieldVersion(value, time: time)])
    }
    let conflict = RecordConflict(
      id: "1:lists", table: "lists", primaryKey: "1", title: "",
      fields: [Field("settings", kind: .text, form: form, declaredType: declaredType)],
      versions: ThreeWay(
        ancestor: ancestor.map { side($0, 0) }, client: side(client, 1), server: side(server, 2)),
      rules: MergeRules(rules: ["lists.settings": .keys]))
    return try #require(conflict["settings"]).suggestion
  }

  @Test func bothSidesKeepTheirKeys() throws {
    let merged = try suggestion(
      .text(#"{"sort": "name", "open": true}"#), .text(#"{"sort": "time", "open": true}"#),
      .text(#"{"open": false, "sort": "name"}"#))
    #expect(merged.value == .text(#"{"sort": "time", "open": false}"#))
    #expect(merged.certainty == .sure && merged.source == .merged)
  }

  @Test func aKeyThatBothChangedIsAPersonsToDecide() throws {
    let merged = try suggestion(.text(#"{"a":1}"#), .text(#"{"a":2}"#), .text(#"{"a":3}"#))
    #expect(merged.certainty == .yours && merged.reason == .overlap(places: 1))
  }

  @Test func aMergeThatASideHasAlreadyIsItsOwnText() throws {
    let merged = try suggestion(
      .text(#"{"a":1,"b":1}"#), .text(#"{ "b": 2, "a": 2 }"#), .text(#"{"a":2,"b":1}"#))
    #expect(merged.value == .text(#"{ "b": 2, "a": 2 }"#) && merged.source == .client)
  }

  @Test(arguments: [Value.text("not JSON"), .null, .text("[1"), .text("7")])
  func whatIsNoJSONIsMergedByTheLatestEdit(value: Value) throws {
    let merged = try suggestion(.text(#"{"a":1}"#), .text(#"{"a":2}"#), value)
    #expect(merged.value == value && merged.certainty == .byClock)
  }

  /// A document's string stays a string, whatever is written in it.
  @Test func aTextInADocumentIsNoJSON() throws {
    let merged = try suggestion(
      .text(#"{"a":1,"b":1}"#), .text(#"{"a":2,"b":1}"#), .text(#"{"a":1,"b":2}"#), declaredType: "",
      form: .json)
    #expect(merged.value == .text(#"{"a":1,"b":2}"#))
  }

  /// SQLite takes any value there, and a text is one.
  @Test func aColumnWithoutATypeHoldsJSONAsTextToo() throws {
    let merged = try suggestion(
      .text(#"{"a":1,"b":1}"#), .text(#"{"a":2,"b":1}"#), .text(#"{"a":1,"b":2}"#), declaredType: "")
    #expect(merged.value == .text(#"{"a":2,"b":2}"#) && merged.certainty == .sure)
  }
}
