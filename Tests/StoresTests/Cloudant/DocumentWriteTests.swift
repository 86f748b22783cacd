import ExactJSON
import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import RevisionTrees
@testable import Samples
@testable import StoreInterface

@Suite struct DocumentWriteTests {
  static let milk = [
    SampleRevision("1-x", #"{"a":1,"b":1}"#), SampleRevision("2-p", on: "1-x", #"{"a":2,"b":1}"#),
    SampleRevision("2-q", on: "1-x", #"{"a":1,"b":2}"#),
  ]

  @Test func aMergeGoesOnTheWinnerAndTheOtherLeafIsDeleted() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    let store = try datastore.open()
    #expect(try store.resolve("milk") == .fine)
    let merged = try #require(
      RevisionID.cloudant(parent: "2-q", isDeleted: false, body: Array(#"{"a":2,"b":2}"#.utf8)))
    let gone = try #require(RevisionID.cloudant(parent: "2-p", isDeleted: true, body: []))
    #expect(
      try datastore.rows("milk") == [
        #"1: 1-x {"a":1,"b":1}"#, #"2: 2-p on 1 {"a":2,"b":1}"#, #"3: 2-q on 1 {"a":1,"b":2}"#,
        "4: \(merged) on 3 current {\"a\":2,\"b\":2}", "5: \(gone) on 2 current deleted",
      ])
    #expect(try datastore.integrity() == "ok")
    #expect(try summaries(of: store).isEmpty)
  }

  /// A write takes two numbers, of a revision and of a tombstone.
  @Test(arguments: [0, 1, 2, 3] as [Int64]) func whereNoNumbersAreLeftNothingIsWritten(left: Int64) throws {
    let datastore = try Datastore([("milk", Self.milk)])
    try datastore.database { try $0.run("UPDATE sqlite_sequence SET seq = ?", [.integer(.max - left)]) }
    let before = try datastore.rows("milk")
    let outcome = try datastore.open().resolve("milk")
    if left > 2 {
      #expect(outcome == .fine)
    } else {
      #expect(outcome == .refused(field: nil, "the datastore has no number left for another revision"))
      #expect(try datastore.rows("milk") == before)
    }
  }

  /// Without an error of SQLite's it was said to be written.
  @Test(arguments: [
    ("BEFORE INSERT ON revs", "revs"), ("BEFORE INSERT ON revs WHEN new.deleted = 1", "revs"),
    ("BEFORE UPDATE ON revs", "revs"), ("BEFORE INSERT ON attachments", "attachments"),
  ])
  func whatATriggerPassesOverIsNotWritten(trigger: String, table: String) throws {
    let datastore = try Datastore([("book", AttachmentWriteTests.book)])
    try datastore.sql("CREATE TRIGGER passing \(trigger) BEGIN SELECT RAISE(IGNORE); END")
    let before = try datastore.rows("book")
    let store = try datastore.open()
    #expect(
      try store.resolve("book", [.field(AttachmentWriteTests.cover): .take(.client)])
        == .refused(
          field: nil, "a trigger of the table \(table) keeps what is written from being there"))
    #expect(try datastore.rows("book") == before)
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  @Test func keepingALeafAppendsToThatLeaf() throws {
    for (side, leaf) in [(Side.client, "3"), (.server, "2")] {
      let datastore = try Datastore([("milk", Self.milk)])
      let choices: [Subject: Choice] = [.field("a"): .take(side), .field("b"): .take(side)]
      #expect(try datastore.open().resolve("milk", choices) == .fine)
      let appended = try #require(try datastore.rows("milk").first { $0.contains("current {") })
      #expect(appended.contains(" on \(leaf) current"))
    }
  }

  @Test(arguments: [
    (Value.blob(Blob(bytes: [1])), "a document holds JSON, and no bytes; bytes go into an attachment"),
    (.real(.nan), "a document holds JSON, which has finite numbers alone"),
    (.real(.infinity), "a document holds JSON, which has finite numbers alone"),
    (.opaque(kind: "CKLocation", bytes: [1]), "a document holds JSON, and this is none"),
  ])
  func whatIsNoJSONIsRefusedInTrueWords(value: Value, words: String) throws {
    let store = try Datastore([("milk", Self.milk)]).open()
    let action = Draft.Action.save([FieldDraft(name: "a", value: value, source: .edited)])
    let planned = PlannedWrite(seen: try store.conflict("milk"), draft: Draft(id: "milk", action: action))
    #expect(try store.check([planned]).map(\.outcome) == [.refused(field: "a", words)])
  }

  @Test func deletingLeavesATombstoneOnEveryLeaf() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    let store = try datastore.open()
    let draft = Draft(id: "milk", action: .delete)
    #expect(
      try store.write([PlannedWrite(seen: try store.conflict("milk"), draft: draft)], note: nil).map(
        \.outcome) == [.fine])
    #expect(try datastore.rows("milk").suffix(2).allSatisfy { $0.hasSuffix("current deleted") })
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict("milk")["a"]?.client?.value == .integer(1))
  }

  @Test func numbersStayAsTheyWereWritten() throws {
    let datastore = try Datastore([
      (
        "milk",
        [
          SampleRevision("1-x", #"{"big":12345678901234567890123,"n":{"p":1.10,"q":1E5,"r":0}}"#),
          SampleRevision("2-p", on: "1-x", #"{"big":12345678901234567890123,"n":{"p":1.10,"q":1E6,"r":0}}"#),
          SampleRevision("2-q", on: "1-x", #"{"big":12345678901234567890123,"n":{"p":1.20,"q":1E5,"r":0}}"#),
        ]
      )
    ])
    #expect(try datastore.open().resolve("milk") == .fine)
    #expect(
      try datastore.rows("milk").contains {
        $0.hasSuffix(#"current {"big":12345678901234567890123,"n":{"p":1.20,"q":1E6,"r":0}}"#)
      })
  }

  static let typed: [(Double, String)] = [
    (7, "7.0"), (100, "100.0"), (-1, "-1.0"), (-0.0, "-0.0"), (0.1, "0.1"),
    (1.7976931348623157e308, "1.7976931348623157e+308"), (0.30000000000000004, "0.30000000000000004"),
    (-0.3333333333333333, "-0.3333333333333333"), (.leastNonzeroMagnitude, "5e-324"), (1e22, "1e+22"),
  ]

  /// As CDTDatastore prints them, 7.0 was 7, which no draft had told, and with 16 digits the greatest number was infinity when it was read
  /// again.
  @Test(arguments: typed)
  func aNumberThatSomebodyTypedIsWrittenAsThatNumber(real: Double, text: String) throws {
    for platform in [DatastoreSchema.Platform.ios, .android] {
      let datastore = try Datastore([("milk", Self.milk)], platform: platform)
      let store = try datastore.open()
      let fields = [FieldDraft(name: "a", value: .real(real), source: .edited)]
      let draft = Draft(id: "milk", action: .save(fields))
      _ = try store.write([PlannedWrite(seen: try store.conflict("milk"), draft: draft)], note: nil)
      let written = try datastore.rows("milk")
      #expect(written.contains { $0.hasSuffix(#"current {"a":\#(text)}"#) }, "\(platform): \(written)")
    }
    #expect(Value(try JSONValue(parsing: text)) == .real(real))
  }

  @Test func aLeafThatCameInSinceIsNotOverwritten() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    let store = try datastore.open()
    let planned = try #require(try plan("milk", in: store))
    try datastore.sql(
      "INSERT INTO revs (doc_id, revid, parent, current, deleted, json) VALUES (1, '2-z', 1, 1, 0, CAST('{}' AS BLOB))"
    )
    let rows = try datastore.rows("milk")
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.moved("its leaves are others now")])
    #expect(try datastore.rows("milk") == rows)
  }

  @Test func undoAppendsAgainAndNothingIsRemoved() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    let store = try datastore.open()
    let before = try summaries(of: store)
    let seen = try store.conflict("milk")
    _ = try store.resolve("milk")
    let written = try datastore.rows("milk")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let after = try datastore.rows("milk")
    #expect(after.count >= written.count + 2)
    #expect(after.prefix(3) == written.prefix(3))
    #expect(try summaries(of: store) == before)
    #expect(try store.conflict("milk").versions == seen.versions)
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
    #expect(try datastore.integrity() == "ok")
  }

  @Test func undoWorksAfterACompaction() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    let store = try datastore.open()
    let seen = try store.conflict("milk")
    _ = try store.resolve("milk")
    try datastore.sql("UPDATE revs SET json = NULL WHERE current = 0")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let now = try store.conflict("milk").versions
    #expect((now.client, now.server) == (seen.versions.client, seen.versions.server))
  }

  @Test func whatWentOnSinceIsNotTakenBack() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    let store = try datastore.open()
    _ = try store.resolve("milk")
    try datastore.sql(
      """
      INSERT INTO revs (doc_id, revid, parent, current, deleted, json) VALUES (1, '4-new', 4, 1, 0, CAST('{}' AS BLOB));
      UPDATE revs SET current = 0 WHERE sequence = 4;
      """)
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("it went on since it was written")])
  }

  /// On a leaf of before, or beside both. Where it won over the draft, as 3-r does, the undo gave it one more revision, with which whoever
  /// went on from it on the other replica was in conflict.
  @Test(
    arguments: [DatastoreSchema.Platform.ios, .android],
    [
      ["1-x", "2-p", "3-r"], ["1-x", "2-q", "3-r"], ["1-x", "2-r"],
      ["1-x", "2-r", "3-r", "4-r", "5-r", "6-r"],
    ])
  func whatCameInSinceTheWriteIsLeftAloneAndTold(
    platform: DatastoreSchema.Platform, line: [String]
  ) throws {
    let replica = try Replica(platform: platform)
    try replica.insert("milk", ["1-x"], #"{"a":1,"b":1}"#)
    try replica.insert("milk", ["1-x", "2-p"], #"{"a":2,"b":1}"#)
    try replica.insert("milk", ["1-x", "2-q"], #"{"a":1,"b":2}"#)
    let store = try replica.datastore.open()
    let seen = try store.conflict("milk")
    #expect(try store.resolve("milk") == .fine)
    try replica.insert("milk", line, #"{"a":7,"b":7}"#)
    let newcomer = try #require(line.last)
    let wins = newcomer == "6-r"
    let words = "a version that came in since stays beside what comes back" + (wins ? ", and wins" : "")
    #expect(try store.checkUndo(.lastWrite).map(\.checked.note) == [words])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let leaves = try store.conflict("milk").liveLeaves
    #expect(leaves.count == 3 && leaves.contains { $0.id == newcomer }, "\(leaves.map(\.id))")
    #expect((leaves.first?.id == newcomer) == wins)
    let own = leaves.filter { $0.id != newcomer }.map(\.version)
    #expect(own == [seen.versions.client, seen.versions.server])
  }

  /// Of the one with a generation, too, it was said that it has none.
  @Test(arguments: [
    ("x-q", "has no generation"),
    ("2-" + String(repeating: "q", count: 300), "has an id of more than 255 bytes"),
  ])
  func nothingIsAppendedToARevisionOfWhichNoIDFollows(id: String, why: String) throws {
    let odd = SampleRevision(id, on: "1-x", #"{"a":1,"b":2}"#)
    let store = try Datastore([("milk", Array(Self.milk.prefix(2)) + [odd])]).open()
    let words = "the revision \(id) \(why), so nothing can be appended to it"
    #expect(try store.resolve("milk") == .refused(field: nil, words))
  }

  @Test func aSequenceIsNeverUsedAgain() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    try datastore.sql("UPDATE sqlite_sequence SET seq = 70 WHERE name = 'revs'")
    _ = try datastore.open().resolve("milk")
    #expect(try datastore.rows("milk").suffix(2).map { $0.prefix(3) } == ["71:", "72:"])
  }

  @Test func eachDocumentIsWrittenForItself() throws {
    let datastore = try Datastore([("milk", Self.milk), ("bread", Self.milk), ("jam", Self.milk)])
    let store = try datastore.open()
    let planned = try ["milk", "bread", "jam"].map { try #require(try plan($0, in: store)) }
    try datastore.sql("UPDATE revs SET json = CAST('{\"a\":9}' AS BLOB) WHERE doc_id = 2 AND current = 1")
    let outcomes = try store.write(planned, note: "all").map(\.outcome)
    #expect(outcomes[0] == .fine && outcomes[2] == .fine && outcomes[1] != .fine)
    #expect(try summaries(of: store).map(\.id) == ["bread"])
    #expect(try store.undoLastWrite().map(\.id) == ["milk", "jam"])
    #expect(try summaries(of: store).count == 3)
  }

  /// Each document has its own transaction. What was committed before the journal's disk was full is told as written.
  @Test func whatIsWrittenBeforeAFailureIsToldAsWritten() throws {
    let datastore = try Datastore([("milk", Self.milk), ("bread", Self.milk), ("jam", Self.milk)])
    let store = try datastore.open()
    let planned = try ["milk", "bread", "jam"].map { try #require(try plan($0, in: store)) }
    _ = try store.journal.entries(limit: 1)
    try store.log.write {
      try $0.run(
        """
        CREATE TRIGGER full BEFORE INSERT ON records WHEN new.record = 'bread' BEGIN SELECT RAISE(ABORT, 'disk is full'); END
        """)
    }
    let outcomes = try store.write(planned, note: nil).map(\.outcome)
    #expect(outcomes[0] == .fine)
    for outcome in outcomes.dropFirst() {
      guard case .notReached(let reason) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(reason.contains("disk is full"))
    }
    #expect(try summaries(of: store).map(\.id) == ["jam", "bread"])
    #expect(throws: (any Error).self) { try store.write([planned[1]], note: nil) }
    #expect(try store.undoLastWrite().map(\.id) == ["milk"])
  }

  @Test func aWriteThatWasInterruptedIsTold() throws {
    for isWritten in [true, false] {
      let datastore = try Datastore([("milk", Self.milk)])
      let store = try datastore.open()
      _ = try store.resolve("milk")
      try store.log.write { try $0.run("DELETE FROM receipts") }
      if !isWritten { try datastore.sql("DELETE FROM revs WHERE sequence > 3") }
      store.log.close()
      let later = try datastore.open()
      let words = try later.journal.entries(limit: 1).map(\.text)
      #expect(
        words.first?.hasPrefix(isWritten ? "interrupted write, completed" : "interrupted write, rolled back")
          == true)
    }
  }

  @Test func onAndroidOnlyTheWinnerIsCurrentAndIdsAreRandom() throws {
    var ids: Set<String> = []
    for _ in 1...2 {
      let datastore = try Datastore([("milk", Self.milk)], platform: .android)
      let store = try datastore.open()
      #expect(try store.resolve("milk") == .fine)
      let rows = try datastore.rows("milk")
      #expect(rows.filter { $0.contains(" current") }.count == 1)
      #expect(rows[3].hasSuffix(#" on 3 current {"a":2,"b":2}"#))
      #expect(rows[4].hasSuffix(" on 2 deleted {}"))
      let id = rows[3].split(separator: " ")[1]
      #expect(id.hasPrefix("3-") && id.utf8.count == 34)
      ids.insert(String(id))
      let available = try datastore.database { db in
        try db.firstRow("SELECT group_concat(available) FROM (SELECT available FROM revs ORDER BY sequence)")
        { $0.text(0) }
      }
      #expect(available == "1,1,1,1,0")
      #expect(try summaries(of: store).isEmpty)
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(try datastore.rows("milk").filter { $0.contains(" current") }.count == 1)
      #expect(try summaries(of: store).map(\.id) == ["milk"])
    }
    #expect(ids.count == 2)
  }
}
