import ExactJSON
import StoreInterface
import Testing

/// Objects that stand for a value, in a line of decisions as in a row.
@Suite("A value of a decision that cannot be read")
struct UnreadableValueTests {
  private static let hash = String(repeating: "0f", count: 32)

  @Test(
    "is told with what its kind takes, and what is too much in it by its name",
    arguments: [
      (#"{"integer":"1e22"}"#, "“integer” takes a string of digits, from "),
      (#"{"real":"1e400"}"#, "“real” takes a string with a number in decimal digits, or with inf"),
      (#"{"real":1}"#, "“real” takes "), (#"{"real":""}"#, "“real” takes "),
      (#"{"real":"٣"}"#, "“real” takes "),
      (#"{"blob":"zz"}"#, "“blob” takes a string of hexadecimal digits in pairs, and this is none"),
      (#"{"blob":"0"}"#, "“blob” takes "), (#"{"blob":1}"#, "“blob” takes "),
      (#"{"real":"0x10"}"#, "“real” takes "), (#"{"real":"+inf"}"#, "“real” takes "),
      (#"{"real":"NaN"}"#, "“real” takes "), (#"{"real":"+1"}"#, "“real” takes "),
      (#"{"integer":"+5"}"#, "“integer” takes "),
      (#"{"sha256":"x"}"#, "“sha256” takes a string of 64 hexadecimal digits, and “bytes”, where it stands"),
      (#"{"sha256":"\#(hash)","bytes":-3}"#, "“sha256” takes "),
      (#"{"sha256":"\#(hash)","bytes":"3"}"#, "“sha256” takes "),
      (#"{"sha256":"\#(hash)","bytes":null}"#, "“sha256” takes "),
      (#"{"json":[1]}"#, "“json” takes a string of JSON, and this is none"),
      (#"{"json":"[1"}"#, "“json” takes a string of JSON, and this is none: a list goes on with"),
      (#"{"attachment":{}}"#, "“attachment” takes a string, as show --json tells it, and this is none"),
      (#"{"missing":false}"#, "“missing” takes true, and this is none"),
      (#"{"opaque":"00"}"#, "“opaque” takes a string of hexadecimal digits in pairs, with “kind”"),
      (#"{"integer":"1","x":1}"#, "“integer” goes without \"x\""),
      (#"{"integer":"1","a\nb":1}"#, "“integer” goes without \"a\\nb\""),
      (#"{"sha256":"00","bytes":1,"kind":"a"}"#, "“sha256” goes without \"kind\""),
      (#"{"json":"[1]","a":null}"#, "“json” goes without \"a\""),
      (#"{"x":1}"#, "an object that is neither integer, real, blob, sha256 nor opaque"),
    ])
  func told(value: String, words: String) {
    let error = #expect(throws: RowJSON.Malformed.self) { try RowJSON.value(read(value)) }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "none")")
  }

  @Test(
    "is none of those that OUTPUT.md lists",
    arguments: [
      #"{"integer":"9007199254740993"}"#, #"{"real":"inf"}"#, #"{"real":"-inf"}"#, #"{"real":"nan"}"#,
      #"{"blob":"00ff"}"#, #"{"opaque":"00ff","kind":"CKLocation"}"#, #"{"missing":true}"#,
      #"{"json":"[1.10,true]"}"#, #"{"attachment":"{}"}"#,
      #"{"sha256":"\#(hash)"}"#, #"{"sha256":"\#(hash)","bytes":52133}"#,
    ])
  func documented(value: String) throws {
    let told = JSON(try RowJSON.value(read(value))).bytes()
    #expect(String(decoding: told, as: UTF8.self) == value)
  }

  private func read(_ text: String) throws -> JSONNode {
    var reader = JSONReader(Array(text.utf8))
    return try reader.single()
  }
}
