import Merging
import Testing

@testable import parley

/// What is said of numbers of a document on the page about what is typed.
@Suite struct NumberFormTests {
  private func typed(_ text: String) throws -> Value {
    let side = RecordVersion.present(["n": FieldVersion(.integer(1), time: nil)])
    let record = RecordConflict(
      id: "d", table: "docs", primaryKey: "d", title: "D", fields: [Field("n", kind: .integer, form: .json)],
      versions: ThreeWay(ancestor: side, client: side, server: side))
    return try ValueArgument(record: record, conflict: try #require(record["n"])).value(text)
  }

  @Test(
    arguments: [
      ("integer:007", .integer(7)), ("integer:-0", .integer(0)), ("real:.5", .real(0.5)),
    ] as [(String, Value?)])
  func behindItsTypeANumberIsReadAsSQLiteReadsIt(text: String, value: Value?) throws {
    #expect(try typed(text) == value)
  }

  @Test(arguments: ["-0", "1.10", "1E5", "12345678901234567890123"])
  func withoutATypeItStaysAsItIsWritten(text: String) throws {
    #expect(try typed(text).jsonText == text)
  }

  @Test(arguments: ["007", ".5", "integer:0x1F", "real:0x1F"])
  func whatIsNoNumberIsRefused(text: String) {
    #expect(throws: ChoiceRefusal.self) { try typed(text) }
  }
}
