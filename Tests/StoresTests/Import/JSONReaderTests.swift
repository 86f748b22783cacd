import Testing

@testable import ExactJSON
@testable import KeyedArchives

struct JSONReaderTests {
  private func read(_ bytes: [UInt8]) throws -> JSONNode {
    var reader = JSONReader(bytes)
    return try reader.single()
  }

  private func read(_ text: String) throws -> JSONNode { try read(Array(text.utf8)) }

  @Test func ofTwoEqualNamesTheLastCountsIfARuleSaysSo() throws {
    var rules = JSONReader.Rules()
    rules.takesLastOfTwins = true
    var reader = JSONReader(Array(#"{"a": 1, "b": 2, "a": 3}"#.utf8), rules: rules)
    let node = try reader.single()
    #expect((node["a"]?.numeral, node["b"]?.numeral, node.members?.count) == ("3", "2", 2))
    #expect((node["a"]?.extent.lowerBound ?? 0) > (node["b"]?.extent.lowerBound ?? .max))
  }

  @Test(arguments: [
    "0", "-0", "7", "-9223372036854775808", "9223372036854775807", "9007199254740993", "1.0", "1.50",
    "6.02e23", "1E-5", "123456789012345678901234567890",
  ])
  func aNumberStaysAsItWasWritten(token: String) throws {
    #expect(try read(" \(token)\n").number == token)
  }

  @Test(arguments: [
    (#""""#, ""), (#""Milk""#, "Milk"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83e\uddb7 \uD83D\uDED2""#, "🦷 🛒"), ("\"買い物 🛒\"", "買い物 🛒"),
    (#""\u0000""#, "\u{0}"),
  ])
  func textIsRead(json: String, text: String) throws {
    #expect(try read(json).text?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
  }

  @Test func objectsAndListsKnowTheirMembersAndWhereTheyStand() throws {
    let text = "{\"a\": [1, {\"b\": null}, []], \"c\": true, \"d\": {}, \"e\":false}"
    let node = try read(text)
    #expect(node["a"]?.elements?.count == 3)
    #expect(node["c"]?.bool == true && node["e"]?.bool == false && node["d"]?.members?.isEmpty == true)
    #expect(node["nothing"] == nil && node["a"]?.elements?[1]["b"] == nil)
    let extent = try #require(node["a"]?.elements?[1].extent)
    #expect(String(decoding: Array(text.utf8)[extent], as: UTF8.self) == "{\"b\": null}")
  }

  @Test func aByteOrderMarkIsPassedOver() throws {
    #expect(try read([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)).elements?.count == 1)
  }

  @Test(arguments: [
    ("", "there is nothing", "line 1, column 1"),
    ("{\"a\": 1,\n \"b\": 2,\n  \"a\": 3}", "the object has this name twice", "line 3, column 3"),
    ("[1e400]", "a number too large to be kept", "line 1, column 2"),
    ("[\n-1e999\n]", "a number too large to be kept", "line 2, column 1"),
    ("[\"é\", \"\\ud83e\"]", "half of a surrogate pair", "line 1, column 8"),
    ("[\"\\udd00\\ud800\"]", "half of a surrogate pair", "line 1, column 3"),
    ("[\"\\ud800\\u0041\"]", "half of a surrogate pair", "line 1, column 3"),
    ("\"\\u12g4\"", "four hexadecimal digits follow \\u", "line 1, column 6"),
    ("\"\\x\"", "no such escape", "line 1, column 2"),
    ("\"a\nb\"", "a control character that is not escaped", "line 1, column 3"),
    ("\"abc", "the text ends within this string", "line 1, column 1"),
    ("[1, 2", "a list goes on with a comma or ends with ]", "line 1, column 6"),
    ("[1,]", "no value begins like this", "line 1, column 4"),
    ("{\"a\" 1}", "a colon follows a name", "line 1, column 6"),
    ("{a: 1}", "a name in quotation marks belongs here", "line 1, column 2"),
    ("{\"a\": 1,}", "a name in quotation marks belongs here", "line 1, column 9"),
    ("{\"a\":", "the text ends where a value belongs", "line 1, column 6"),
    ("01", "something follows the end of the value", "line 1, column 2"),
    ("+1", "no value begins like this", "line 1, column 1"),
    ("1.", "a digit belongs here", "line 1, column 3"),
    ("-", "a digit belongs here", "line 1, column 2"),
    ("1e+", "a digit belongs here", "line 1, column 4"),
    ("NaN", "no value begins like this", "line 1, column 1"),
    ("nul", "null is misspelt, or a text has no quotation marks", "line 1, column 4"),
    ("[tru]", "true is misspelt, or a text has no quotation marks", "line 1, column 5"),
    ("nonsense", "no value begins like this", "line 1, column 1"),
    ("[fortune]", "no value begins like this", "line 1, column 2"),
    ("[1] [2]", "something follows the end of the value", "line 1, column 5"),
    ("// no comments\n1", "no value begins like this", "line 1, column 1"),
  ])
  func whatIsRefusedIsToldWithItsPlace(text: String, reason: String, place: String) throws {
    let problem = try #require(throws: JSONProblem.self) { try read(text) }
    #expect(problem.reason == reason)
    #expect(problem.place(in: Array(text.utf8)) == place)
  }

  @Test func textThatIsNotUTF8IsRefused() throws {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
      let text = [UInt8(ascii: "[")] + [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
      let problem = try #require(throws: JSONProblem.self) { try read(text) }
      #expect(problem == JSONProblem(reason: "text that is not UTF-8", offset: 1))
    }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func deepNestingIsRefusedHoweverDeep(opening: String) throws {
    for depth in [65, 100_000] {
      let problem = try #require(throws: JSONProblem.self) {
        try read(String(repeating: opening, count: depth))
      }
      #expect(problem.reason == "nested deeper than 64 levels")
    }
    #expect(try read(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)).elements != nil)
  }

  @Test func aNumberWithoutEndIsRefused() throws {
    let problem = try #require(throws: JSONProblem.self) {
      try read(String(repeating: "1", count: 1_000_000))
    }
    #expect(problem.reason == "a number of more than 400 characters" && problem.offset == 0)
  }

  /// Every prefix and every change of one byte ends in a value or in a problem that lies within the text.
  @Test func damagedTextNeverCrashes() throws {
    let text = Array("{\"a\": [1.5e3, \"x\\ud83e\\uddb7é\"], \"b\": {\"c\": null, \"d\": true}}".utf8)
    var damaged = text.indices.map { Array(text[..<$0]) }
    for index in text.indices {
      for byte: UInt8 in [0, 0x22, 0x2C, 0x39, 0x5B, 0x5C, 0x5D, 0x7D, 0x80, 0xFF] {
        var copy = text
        copy[index] = byte
        damaged.append(copy)
      }
    }
    for bytes in damaged {
      do {
        _ = try read(bytes)
      } catch let problem as JSONProblem {
        #expect((0...bytes.count).contains(problem.offset))
        #expect(problem.place(in: bytes).hasPrefix("line 1, column "))
      }
    }
  }
}
