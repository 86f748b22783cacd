import Merging
import Testing

@testable import StoreInterface

/// What is said of a captured row that cannot be read: before all else what is no JSON, wherever that stands in it.
@Suite struct MalformedRowTests {
  @Test(arguments: [
    (#"{"a":[1],"b":2}"#, "a list is no value of a field"),
    (#"{"a":[1],"a":"b"}"#, "the object has this name twice at byte 9"),
    (#"{"a":"b","a":[1]}"#, "the object has this name twice at byte 9"),
    (#"{"a":1,"b":2,"a":3}"#, "the object has this name twice at byte 13"),
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "two columns whose names differ in their Unicode normal form only"),
    ("{\"\u{E9}\":1,\"e\u{301}\":2,\"e\u{301}\":3}", "the object has this name twice at byte 16"),
    ("{\"\u{E9}\":[1],\"\u{E9}\":1,\"z\":}", "the object has this name twice at byte 10"),
    (#"{"a":[1],"z":}"#, "no value begins like this at byte 13"),
    (#"{"a":1} {"a":1}"#, "something follows the end of the value at byte 8"),
    ("[1]", "a row is a JSON object"), ("1 2", "something follows the end of the value at byte 2"),
    (" ", "there is nothing at byte 1"),
  ])
  func itIsSaidWhy(json: String, why: String) {
    #expect(message { try RowJSON.decode(json) } == why)
  }

  /// A journal that keeps such a row keeps the length and one more.
  @Test(arguments: ["2147483648", "36028797018963968", "9223372036854775807", "-1"])
  func aLengthThatNoBlobHasIsSaidToBeNone(length: String) throws {
    let hash = String(repeating: "00", count: 32)
    let why = message { try RowJSON.decode(#"{"a":{"sha256":"\#(hash)","bytes":\#(length)}}"#) }
    #expect(why?.hasSuffix("a count up to 2147483647, and this is none") == true, "\(why ?? "")")
    let longest = try RowJSON.decode(#"{"a":{"sha256":"\#(hash)","bytes":2147483647}}"#)
    let blob = try #require(longest?["a"])
    #expect(blob == .blob(Blob(sha256: [UInt8](repeating: 0, count: 32), count: 2_147_483_647)))
  }

  private func message(_ body: () throws -> RowImage?) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func nullIsNoRow() throws {
    #expect(try RowJSON.decode(" null ") == nil)
    #expect(try RowJSON.decode(#" {"a" : 1} "#) == ["a": .integer(1)])
    #expect(try RowJSON.decode("{}")?.isEmpty == true)
  }
}
