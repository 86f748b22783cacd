import Testing

@testable import ExactJSON
@testable import Merging

/// What is changed in JSON leaves the rest of its text as it stands.
@Suite struct JSONLayoutTests {
  private static let settings = """
    {
      "theme" : "dark",
      "list": [1, 2,  3],
      "size": { "w": 1.10, "h": 2 }
    }

    """

  @Test(
    arguments: [
      (#"{"theme":"light","list":[1,2,3],"size":{"w":1.10,"h":2}}"#, ("\"dark\"", "\"light\"")),
      (#"{"theme":"dark","list":[1,"b",3],"size":{"w":1.10,"h":2}}"#, ("2,  3", "\"b\",  3")),
      (#"{"theme":"dark","list":[1,2,3],"size":{"w":1.10,"h":2,"d":[]}}"#, ("2 }", "2, \"d\": [] }")),
      (
        #"{"theme":"dark","list":[1,2,3],"size":{"w":1.10,"h":2},"new":null}"#,
        ("\"h\": 2 }", "\"h\": 2 },\n  \"new\": null")
      ),
      (#"{"list":[1,2,3],"size":{"w":1.10,"h":2}}"#, ("\"theme\" : \"dark\",\n  ", "")),
      (#"{"theme":"dark","list":[1,2,3],"size":{"h":2}}"#, ("\"w\": 1.10, ", "")),
      (#"{"theme":"dark","list":[1,2,3],"size":{"w":1.10}}"#, (", \"h\": 2", "")),
      (#"{"theme":"dark","list":[1,2,3]}"#, (",\n  \"size\": { \"w\": 1.10, \"h\": 2 }", "")),
      (#"{"theme":"dark","list":[1,2,3],"size":{}}"#, ("{ \"w\": 1.10, \"h\": 2 }", "{}")),
    ] as [(String, (String, String))])
  func theRestStaysAsItIs(value: String, change: (String, String)) throws {
    let text = try JSONValue(parsing: value).text(like: [Self.settings])
    #expect(text == Self.settings.replacing(change.0, with: change.1))
  }

  @Test func whatAnotherHasIsTakenAsItStandsThere() throws {
    let value = try JSONValue(parsing: #"{"a":{"x":1,"y":2},"b":1}"#)
    let text = value.text(like: ["{ \"b\": 1 }", #"{"a": { "x": 1,"y":2 }}"#])
    #expect(text == #"{ "b": 1, "a": { "x": 1,"y":2 } }"#)
    #expect(value.text(like: ["no JSON"]) == value.text && value.text(like: []) == value.text)
  }

  @Test func aFieldPutTogetherIsLaidOutAsTheClients() throws {
    let parts = try #require(
      FieldParts(
        ancestor: .text(#"{"a":{"b":1},"c":1}"#), client: .text("{\n\t\"c\": 1,\n\t\"a\": {\"b\": 2}\n}\n"),
        server: .text(#"{"a":{"b":1},"c":3}"#)))
    #expect(parts.value([:]) == .text("{\n\t\"c\": 3,\n\t\"a\": {\"b\": 2}\n}\n"))
  }

  /// A law: whatever JSON in whatever layout, what comes out is the value; and where one leaf alone differs, all bytes but that leaf's stay.
  @Test(arguments: 0..<200) func nothingButTheChangeChanges(seed: UInt64) throws {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    var leaves = 100
    let text = random.blanks() + random.json(depth: 3, &leaves) + random.blanks()
    let other = random.json(depth: 3, &leaves)
    let leaf = "\(random.below(leaves - 100) + 100)"
    let changed = text.replacing(leaf, with: "\"new\"")
    #expect(try JSONValue(parsing: changed).text(like: [text]) == changed, "\(text)")
    for value in [text, other, changed].map({ try? JSONValue(parsing: $0) }) {
      let value = try #require(value)
      for texts in [[text, other], [other, text], [changed, text, other]] {
        #expect(try JSONValue(parsing: value.text(like: texts)) == value, "\(texts)")
      }
    }
  }

  /// Makes JSON of numbers that each occur once, with blanks wherever they may stand.
  private struct Generator {
    var state: UInt64

    mutating func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return count < 1 ? 0 : Int(state >> 33) % count
    }

    mutating func blanks() -> String { ["", "", " ", "\n  ", "\t", "\r\n"][below(6)] }

    mutating func json(depth: Int, _ leaves: inout Int) -> String {
      if depth == 0 || below(4) == 0 {
        leaves += 1
        return "\(leaves - 1)"
      }
      let isObject = below(3) > 0
      var members: [String] = []
      for name in ["a", "b,\\\"", "c:", "d"] where below(3) > 0 {
        let head = isObject ? "\"\(name)\"" + blanks() + ":" + blanks() : ""
        members.append(blanks() + head + json(depth: depth - 1, &leaves) + blanks())
      }
      let inside = members.isEmpty ? blanks() : members.joined(separator: ",")
      return isObject ? "{" + inside + "}" : "[" + inside + "]"
    }
  }
}
