import Merging
import StoreInterface
import Testing

@testable import parley

/// What is kept of a number in a file of decisions.
extension ApplyTests {
  @Test(
    "A number that a column would keep as another is not taken, however it is written",
    arguments: [
      ("priority", "9007199254740993.0", "Give 9007199254740993,"),
      ("priority", "9007199254740993e0", "Give 9007199254740993,"),
      ("priority", "1234567890123456780.0", "Give 1234567890123456780,"),
      ("priority", "1.2345678901234568e+18", "Give 1234567890123456800,"),
      ("priority", "1e-400", "priority takes a whole number. Give such"),
      ("weight", "9007199254740993.0", "rounded to 9007199254740992"),
      ("weight", "1e-400", "rounded to 0"),
      ("title", "1.5", "title takes text"),
      ("extra", "9007199254740993e0", "rounded to 9007199254740992"),
    ])
  func otherNumber(field: String, value: String, words: String) {
    let session = Session()
    let run = applying([line(Samples.dentist, field, #""choice":"value","value":\#(value)"#)], to: session)
    #expect(run.status == .refused && session.store.decisions.isEmpty)
    #expect(run.output.contains(words), "\(run.output)")
  }

  @Test(
    "A NUMERIC column takes what SQLite keeps of a value",
    arguments: [
      (#""7""#, Value.integer(7)), ("3.0", .integer(3)), (#""a""#, .text("a")), ("3.5", .real(3.5)),
    ])
  func numeric(value: String, kept: Value) {
    let values: (Value) -> RecordVersion = { .present(["j": FieldVersion($0, time: 1)]) }
    let conflict = RecordConflict(
      id: "N1:nums", table: "nums", primaryKey: "N1", title: "", fields: [Field("j", kind: .numeric)],
      versions: ThreeWay(ancestor: values(.integer(0)), client: values(.null), server: values(.real(-0.5))))
    let session = Session([conflict])
    #expect(
      applying([line(conflict, "j", #""choice":"value","value":\#(value)"#)], to: session).errors.isEmpty)
    #expect(session.store.decisions.map(\.choice) == [.edit(kept)])
  }

  @Test(
    "A column takes a number however JSON writes it",
    arguments: [
      ("extra", #"{"json":"1.10"}"#, Value.real(1.1)), ("extra", #"{"json":"1e3"}"#, .real(1000)),
      ("extra", "-0.0", .real(-0.0)), ("weight", "-0.0", .real(0)), ("weight", "3", .real(3)),
      ("priority", "1000.0", .integer(1000)), ("priority", "1e3", .integer(1000)),
      ("weight", "100000000000000000000", .real(1e20)), ("weight", "1e23", .real(1e23)),
      ("weight", "1.2345678901234568e+18", .real(0x1.12210F47DE981p60)), ("extra", "1.50", .real(1.5)),
    ])
  func numbers(field: String, value: String, kept: Value) {
    let session = Session()
    let run = applying([line(Samples.dentist, field, #""choice":"value","value":\#(value)"#)], to: session)
    #expect(session.store.decisions.map(\.choice) == [.edit(kept)], "\(run)")
  }

  @Test(
    "A document takes the JSON that apps read, as what is typed",
    arguments: [
      #"{"real":"nan"}"#, #"{"real":"inf"}"#, "1e400", #"{"json":"1e400"}"#, #"{"json":"\"\\ud800\""}"#,
      #"{"json":"[\"\\udfff\"]"}"#, #"{"attachment":"{}"}"#, #"{"opaque":"00","kind":"CKLocation"}"#,
      #"{"blob":"00"}"#,
    ])
  func ofADocument(value: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      Live.run("resolve", path, "book-dracula", "--set", "stock=7")
      let line = try #require(Live.run("resolve", path, "--export").lines.first)
      let bad = line.replacing(#""value":7"#, with: #""value":\#(value)"#)
      #expect(bad != line)
      let run = Live.run(["apply", path, "-"], input: bad + "\n")
      #expect(run.status == .refused && run.output.contains("stock"), "\(run)")
      #expect(Live.run("resolve", path, "--export").lines == [line])
    }
  }

  @Test(
    "A document takes the digits of a number as they are",
    arguments: [
      ("12345678901234567890", #"{"json":"12345678901234567890"}"#), ("1e3", #"{"json":"1e3"}"#),
      ("9007199254740993.0", #"{"json":"9007199254740993.0"}"#), ("7.5", "7.5"),
    ])
  func digitsOfADocument(given: String, kept: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      Live.run("resolve", path, "book-dracula", "--set", "stock=7")
      let line = try #require(Live.run("resolve", path, "--export").lines.first)
      let long = line.replacing(#""value":7"#, with: #""value":\#(given)"#)
      Live.run(["apply", path, "-"], input: long + "\n")
      let exported = Live.run("resolve", path, "--export").output
      #expect(exported.contains(#""value":\#(kept),"#), "\(exported)")
    }
  }
}
