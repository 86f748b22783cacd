import ExactJSON
import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

@Suite("JSON")
struct JSONTests {
  static let hash = String(repeating: "ab", count: 32)

  @Test("A blob of any size is printed a piece at a time")
  func pieces() {
    var (longest, digits) = (0, 0)
    let json = JSON(members: ["blob": .digits(Array(repeating: 0xAB, count: 1_000_000))])
    json.forEachPiece { piece in
      longest = max(longest, piece.count)
      digits += piece.count { $0 == UInt8(ascii: "a") }
    }
    #expect(digits == 1_000_000 && longest < 200_000)
    #expect(JSON.digits([0x00, 0xFF]).text == #""00ff""#)
  }

  @Test("What an interrupted write left is told with its values, and whether it was taken up")
  func left() {
    let field = LastWrite.FieldChange(name: "title", before: .null, after: .text("Milk"))
    let entry = JournalEntry(
      time: 7, record: "1:reminders", event: .ended(.write, interrupted: .left),
      left: JournalEntry.Left(fields: [field], isTakenUp: false))
    let json = JSON(entry).text
    #expect(
      json.contains(#""left":[{"name":"title","before":null,"after":"Milk"}],"takenUp":false"#), "\(json)")
    #expect(
      !JSON(JournalEntry(time: 7, record: "1:reminders", event: .ended(.write))).text.contains("left")
    )
  }

  @Test("What nobody knows of a write, as its journal is damaged, is null, and it is said why")
  func damaged() {
    var entry = JournalEntry(time: 7, record: "1:reminders", event: .ended(.write))
    #expect(!JSON(entry, isOfHistory: true).text.contains("damage"))
    entry.changes.damage = "its checksum differs"
    entry.left = JournalEntry.Left(fields: [], isTakenUp: false)
    let json = JSON(entry, isOfHistory: true).text
    #expect(json.contains(#""left":null,"takenUp":false,"changes":null,"newRecords":null,"#), "\(json)")
    let end = #""deletedRecords":null,"undone":false,"damage":"its checksum differs"}"#
    #expect(json.hasSuffix(end), "\(json)")
  }

  @Test("Of a record that an undo would leave alone nothing would come back")
  func leftAlone() {
    let field = LastWrite.FieldChange(name: "title", before: .null, after: .text("Milk"))
    let changes = WrittenChanges(fields: [field], newRecords: ["2:reminders"])
    let json = { (outcome: CheckedWrite.Outcome) in
      let checked = CheckedWrite(id: "1:reminders", title: "Milk", outcome: outcome)
      return JSON(CheckedUndo(checked, changes: changes)).text
    }
    let fine = json(.fine)
    #expect(fine.hasSuffix(#""before":"Milk","value":null}],"deletes":["2:reminders"]}"#), "\(fine)")
    for outcome in [CheckedWrite.Outcome.moved("it is newer"), .refused(field: nil, "no")] {
      #expect(json(outcome).hasSuffix(#""fields":[],"deletes":[]}"#), "\(json(outcome))")
    }
  }

  @Test(
    "A stored value is told so that two different ones never look alike",
    arguments: [
      (Value.null, "null"),
      (.integer(7), "7"),
      (.integer(-9_007_199_254_740_991), "-9007199254740991"),
      (.integer(9_007_199_254_740_991), "9007199254740991"),
      (.integer(9_007_199_254_740_992), #"{"integer":"9007199254740992"}"#),
      (.integer(.min), #"{"integer":"-9223372036854775808"}"#),
      (.real(7), "7.0"),
      (.real(-0.0), "-0.0"),
      (.real(0.1), "0.1"),
      (.real(1e300), "1e+300"),
      (.real(.infinity), #"{"real":"inf"}"#),
      (.real(-.infinity), #"{"real":"-inf"}"#),
      (.real(.nan), #"{"real":"nan"}"#),
      (.text(""), #""""#),
      (.text("Dr. Wu"), #""Dr. Wu""#),
      (.blob(Blob(bytes: [])), #"{"blob":""}"#),
      (.blob(Blob(bytes: [0, 255, 10])), #"{"blob":"00ff0a"}"#),
      (.blob(Blob(sha256: Array(repeating: 0xAB, count: 32))), "{\"sha256\":\"\(hash)\"}"),
      (
        .blob(Blob(sha256: Array(repeating: 0xAB, count: 32), count: 52133)),
        "{\"sha256\":\"\(hash)\",\"bytes\":52133}"
      ),
      (.opaque(kind: "CKLocation", bytes: [1, 2]), #"{"opaque":"0102","kind":"CKLocation"}"#),
    ])
  func value(_ value: Value, _ expected: String) {
    #expect(JSON(value).text == expected)
  }

  @Test(
    "Strings are escaped for JSON, for terminals and for tools that read lines",
    arguments: [
      ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\u0009""#), ("\u{0}\u{1B}[2J", #""\u0000\u001b[2J""#),
      ("\u{7F}\u{85}\u{9B}", #""\u007f\u0085\u009b""#), ("\u{202E}x\u{2028}", #""\u202ex\u2028""#),
      ("日本 👩‍👩‍👧 e\u{301}", "\"日本 👩\\u200d👩\\u200d👧 e\u{301}\""), ("\r\n", #""\r\n""#),
    ])
  func string(_ text: String, _ expected: String) {
    #expect(JSON.string(text).text.utf8.elementsEqual(expected.utf8))
  }

  @Test("Members keep their order, and nothing is put between them")
  func order() {
    let json = JSON(members: ["z": .integer(1), "a": .array([.null, .bool(true)]), "m": .object([])])
    #expect(json.text == #"{"z":1,"a":[null,true],"m":{}}"#)
  }
}

@Suite("Times")
struct TimeTextTests {
  @Test(
    "UTC, down to what is there, for every Int64",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_795_165_200_000_000_000, "2026-11-20T09:00:00Z"),
      (1_795_165_200_250_000_000, "2026-11-20T09:00:00.250Z"), (1_000, "1970-01-01T00:00:00.000001Z"),
      (1, "1970-01-01T00:00:00.000000001Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00Z"), (4_107_542_400_000_000_000, "2100-03-01T00:00:00Z"),
      (Int64.max, "2262-04-11T23:47:16.854775807Z"), (Int64.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)])
  func full(_ time: Int64, _ expected: String) {
    #expect(TimeText.full(time) == expected)
  }

  @Test("Whole seconds are rounded down, before 1970 too")
  func seconds() {
    #expect(TimeText.seconds(1_999_999_999) == "1970-01-01T00:00:01Z")
    #expect(TimeText.seconds(-1) == "1969-12-31T23:59:59Z")
  }

  /// All of Bidi_Control, and what cannot be seen.
  @Test("nothing that hides or turns the writing direction is printed as it is")
  func harmless() {
    let hiding: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5,
      0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F,
      0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]
    for scalar in hiding.joined().compactMap(Unicode.Scalar.init) {
      let json = JSON.string("a\(scalar)b").text
      #expect(!json.unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16))")
    }
    #expect(JSON.string("\u{E0041}").text == #""\udb40\udc41""#)
    #expect(JSON.string("Grüße 猫 😀").text == "\"Grüße 猫 😀\"")
  }
}
