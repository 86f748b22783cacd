import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import RevisionTrees
@testable import Samples
@testable import StoreInterface

/// Both versions of a document kept in a datastore: which there are, and their rows.
@Suite struct KeptApartTests {
  private static let book = [
    SampleRevision("1-x", "{}", attachments: [SampleAttachment("cover", "old cover")]),
    SampleRevision("2-p", on: "1-x", #"{"a":1}"#, attachments: [SampleAttachment("cover", "new cover")]),
    SampleRevision("2-q", on: "1-x", #"{"b":1}"#, attachments: [SampleAttachment("cover", "other cover")]),
  ]

  private func write(_ store: CloudantStore) throws -> CheckedWrite.Outcome {
    let seen = try store.conflict("book")
    let draft = Draft(id: "book", action: .alternative(KeptApart.id))
    return try #require(try store.write([PlannedWrite(seen: seen, draft: draft)], note: nil).first).outcome
  }

  @Test func theRowsOfTheNewDocumentComeBeforeAnyDeletion() throws {
    let datastore = try Datastore([("book", Self.book)])
    let store = try datastore.open()
    #expect(try write(store) == .fine)
    let id = try #require(RevisionID.cloudant(parent: nil, isDeleted: false, body: Array(#"{"a":1}"#.utf8)))
    let copy = try datastore.rows("book-copy-2-p")
    #expect(copy.count == 1 && copy[0].hasPrefix(#"4: \#(id) current {"a":1} +cover "#), "\(copy)")
    #expect(copy[0].hasSuffix(" 9 1 0 9"), "its attachment is as old as it is")
    let rows = try datastore.rows("book")
    #expect(rows[3].contains(#" on 3 current {"b":1} +cover"#) && rows[4].hasSuffix(" on 2 current deleted"))
    #expect(try datastore.integrity() == "ok")
    #expect(try summaries(of: store).isEmpty && findings(of: store).isEmpty)
    let changes = WrittenChanges(newRecords: ["book-copy-2-p"])
    #expect(try store.checkUndo(.lastWrite).map(\.changes) == [changes])
    #expect(try store.journal.history(of: "book").first?.changes == changes)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try datastore.rows("book-copy-2-p").last?.contains(" on 4 current deleted") == true)
    #expect(try store.journal.history(of: "book").first?.changes == changes.reversed)
    #expect(changes.reversed.deletedRecords == ["book-copy-2-p"])
    #expect(try findings(of: store).isEmpty)
  }

  /// Of three leaves the third has another id after the undo, as all of them: what was seen is there again. One that was chosen by
  /// its id is not.
  @Test func whatWasDecidedHoldsAfterTheUndo() throws {
    let leaf = SampleRevision("2-r", on: "1-x", #"{"c":1}"#)
    let store = try Datastore([("book", Self.book + [leaf])]).open()
    let seen = try store.conflict("book")
    func judged(_ choice: Choice) throws -> JudgedDecisions {
      let decisions = seen.decisions(about: [.record], in: Resolution(choices: [.record: choice]), at: 0)
      return try store.conflict("book").judged(decisions, isMoveAsked: { _ in false })
    }
    #expect(try write(store) == .fine)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict("book").liveLeaves.map(\.id) != seen.liveLeaves.map(\.id))
    #expect(try judged(.alternative(KeptApart.id)).resolution[.record] == .alternative(KeptApart.id))
    #expect(try judged(.alternative("2-r")).outdated.count == 1)
  }

  @Test func aNameThatAnotherDocumentHasIsNotTaken() throws {
    let datastore = try Datastore([
      ("book", Self.book), ("book-copy-2-p", [SampleRevision("1-y", #"{"a":2}"#)]),
    ])
    let words = "another document has the name that its copy would get"
    #expect(try write(try datastore.open()) == .refused(field: nil, words))
    #expect(try datastore.rows("book").count == 3)
  }

  @Test func aDocumentThatIsThereAlreadyStaysAlsoAfterTheUndo() throws {
    let cover = SampleAttachment("cover", "new cover")
    let made = SampleRevision("1-y", #"{"a":1}"#, attachments: [cover])
    let datastore = try Datastore([("book", Self.book), ("book-copy-2-p", [made])])
    let store = try datastore.open()
    #expect(try write(store) == .fine)
    #expect(try store.lastWrite()?.records.map(\.changes) == [WrittenChanges()], "it is nothing of ours")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try datastore.rows("book-copy-2-p").count == 1)
  }

  @Test func aDocumentThatIsDeletedBeginsAgain() throws {
    let gone = [SampleRevision("1-y", "{}"), SampleRevision.tombstone("2-y", on: "1-y")]
    let datastore = try Datastore([("book", Self.book), ("book-copy-2-p", gone)])
    let store = try datastore.open()
    #expect(try write(store) == .fine)
    #expect(try datastore.rows("book-copy-2-p").last?.contains(#" on 5 current {"a":1}"#) == true)
    #expect(try store.lastWrite()?.records.map(\.changes.newRecords) == [["book-copy-2-p"]])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict("book").liveLeaves.count == 2)
    #expect(try datastore.rows("book-copy-2-p").last?.hasSuffix("current deleted") == true)
  }

  @Test func aNewDocumentThatWentOnIsNotDeleted() throws {
    let datastore = try Datastore([("book", Self.book)])
    let store = try datastore.open()
    #expect(try write(store) == .fine)
    try datastore.sql(
      """
      INSERT INTO revs (sequence, doc_id, revid, parent, current, deleted, json) VALUES (99, 2, '2-z', 4, 1, 0, '{}')
      """)
    let words = "the document that it made went on since it was written"
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved(words)])
  }

  @Test func whatALeafHasTooIsKeptOnceAndWhatNobodyCanReadIsNotKeptApart() throws {
    func names(_ bodies: [String?], id: String = "book") throws -> [String]? {
      let leaves = bodies.enumerated().map { SampleRevision("2-\($0)", on: "1-x", $1) }
      let datastore = try Datastore([(id, [SampleRevision("1-x", "{}")] + leaves)])
      return try datastore.open().conflict(id).alternative(KeptApart.id)?.newRecords
    }
    #expect(try names(["{}", #"{"a":1}"#]) == ["book-copy-2-0"])
    #expect(try names([#"{"a":2}"#, "{}", #"{"a":1}"#]) == ["book-copy-2-1", "book-copy-2-0"])
    #expect(try names([#"{"a":2}"#, #"{"a":2}"#, #"{"a":1}"#]) == ["book-copy-2-1"], "two have the same")
    #expect(try names(["{}", "{}"]) == nil)
    #expect(try names([nil, "{}"]) == nil)
    #expect(try names(["{}", #"{"a":1}"#], id: "_design/book") == nil)
    #expect(try names((0..<9).map { #"{"a":\#($0)}"# })?.count == KeptApart.most)
    #expect(try names((0..<10).map { #"{"a":\#($0)}"# }) == nil)
  }
}
