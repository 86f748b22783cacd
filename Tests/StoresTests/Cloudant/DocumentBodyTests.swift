import ExactJSON
import Merging
import Testing

@testable import CloudantStores
@testable import SQLiteFiles
@testable import StoreInterface

/// Bodies as a file may hold them: read and written back as they were, or not read and then not written over.
@Suite struct DocumentBodyTests {
  private func store(_ body: [UInt8]) throws -> (Datastore, CloudantStore) {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let hex = Hexadecimal.text(body)
    try datastore.sql("UPDATE revs SET json = x'\(hex)' WHERE revid = '2-q' COLLATE BINARY")
    return (datastore, try datastore.open())
  }

  static let unreadable: [(String, [UInt8], String)] = [
    (
      "a NUL byte in a string", Array("{\"a\":\"x\0y\"}".utf8),
      "a control character that is not escaped at byte 7"
    ),
    ("a NUL byte at the end", Array("{\"a\":1}\0".utf8), "something follows the end of the value at byte 7"),
    (
      "bytes that are not UTF-8", Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8),
      "text that is not UTF-8 at byte 5"
    ),
    (
      "a surrogate as three bytes", Array("{\"a\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8),
      "text that is not UTF-8 at byte 5"
    ),
    ("a key twice", Array(#"{"a":1,"a":2}"#.utf8), "the object has this name twice at byte 7"),
    ("a key twice, deeper", Array(#"{"a":{"b":1,"b":1}}"#.utf8), "the object has this name twice at byte 12"),
    (
      "100 000 brackets", Array(repeating: UInt8(ascii: "["), count: 100_000),
      "nested deeper than 200 levels at byte 200"
    ),
    (
      "100 000 objects", Array(String(repeating: #"{"a":"#, count: 100_000).utf8),
      "nested deeper than 200 levels at byte 1000"
    ),
    ("a list", Array("[1]".utf8), "it is no JSON object"),
    ("an end that is missing", Array(#"{"a":"#.utf8), "the text ends where a value belongs at byte 5"),
    ("a byte order mark", [0xEF, 0xBB, 0xBF] + Array("{}".utf8), "no value begins like this at byte 0"),
    (
      "keys of one look", Array("{\"\u{e9}\":1,\"e\u{301}\":2}".utf8),
      "two of its keys differ in their Unicode normal form only"
    ),
    (
      "a key like an attachment's", Array(#"{"_attachments/cover":1}"#.utf8),
      "a key begins with _attachments/, which is how attachments are called here"
    ),
  ]

  @Test(arguments: unreadable)
  func whatCannotBeReadIsNotWrittenOver(name: String, body: [UInt8], words: String) throws {
    let (datastore, store) = try store(body)
    let conflict = try store.conflict("milk")
    #expect(conflict.versions.client == .unknown(reason: "its body cannot be read: \(words)"))
    let reason = "a live leaf of it cannot be read, and would be deleted unseen"
    #expect(conflict.details.notWritable == reason)
    #expect(try summaries(of: store).map(\.notWritable) == [reason])
    let before = try datastore.rows("milk")
    for action in [Draft.Action.delete, .save([])] {
      let planned = PlannedWrite(seen: conflict, draft: Draft(id: "milk", action: action))
      #expect(try store.write([planned], note: nil).map(\.outcome) == [.refused(field: nil, reason)])
    }
    #expect(try datastore.rows("milk") == before)
  }

  /// A key with half of a surrogate pair has no name that a String could hold.
  @Test func aKeyWithALoneSurrogateCannotBeRead() throws {
    let (_, store) = try store(Array(#"{"\ud800":1}"#.utf8))
    #expect(try store.conflict("milk").versions.client.isUnknown)
  }

  @Test(arguments: [
    #"{"a":"\ud800","b":1}"#, #"{"a":"x\u0000y","b":1}"#, #"{"":1,"a":"\u007f 😀","b":{"":[]}}"#,
    #"{"a":-0.0,"b":1e400,"c":0.1000,"d":12345678901234567890123}"#, "{\"a\":\"\u{e9}\",\"b\":\"e\u{301}\"}",
    #"{"a\nb":[[[[1,[2]]]],null,true]}"#,
  ])
  func whatNoStringCanHoldSurvives(body: String) throws {
    let (datastore, store) = try store(Array(body.utf8))
    let conflict = try store.conflict("milk")
    let all = conflict.taking(.client, in: Resolution()).choices
    #expect(try store.resolve("milk", all) == .fine)
    let canonical = try JSONValue(parsing: body).text
    #expect(try datastore.rows("milk").contains { $0.hasSuffix(" current \(canonical)") })
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict("milk").versions.client == conflict.versions.client)
  }

  @Test(arguments: ["it's", "a\"b", "a:b", "ключ 🔑", " ", "line\nbreak", "nul\0inside", "%"])
  func anyNameOfADocumentWillDo(name: String) throws {
    let datastore = try Datastore([(name, DocumentWriteTests.milk)])
    let store = try datastore.open()
    #expect(try summaries(of: store).map(\.id) == [name])
    #expect(try store.resolve(name) == .fine)
    #expect(try store.undoLastWrite().map(\.id) == [name])
    #expect(try summaries(of: store).map(\.id) == [name])
    try datastore.sql("UPDATE revs SET current = 0")
    #expect(try store.mend(["flags-disagree:\(name)"], note: nil).map(\.outcome) == [.fine])
  }
}
