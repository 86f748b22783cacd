import ExactJSON
import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import RevisionTrees
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

@Suite struct AttachmentWriteTests {
  static let cover = "_attachments/cover"
  static let book = [
    SampleRevision("1-x", "{}", attachments: [SampleAttachment("cover", "old cover")]),
    SampleRevision("2-p", on: "1-x", #"{"a":1}"#, attachments: [SampleAttachment("cover", "new cover")]),
    SampleRevision("2-q", on: "1-x", #"{"b":1}"#, attachments: [SampleAttachment("cover", "other cover")]),
  ]

  private func attached(_ datastore: Datastore, to sequence: Int64) throws -> [String] {
    try datastore.database { db in
      var names: [String] = []
      try db.forEachRow(
        "SELECT filename, length, revpos FROM attachments WHERE sequence = ?", [.integer(sequence)]
      ) { names.append("\($0.text(0)) \($0.integer(1)) \($0.integer(2))") }
      return names
    }
  }

  @Test(arguments: [(Side.client, "cover 11 3"), (.server, "cover 9 3"), (.ancestor, "cover 9 3")])
  func anAttachmentIsTakenFromWhereItWasChosen(side: Side, row: String) throws {
    let datastore = try Datastore([("book", Self.book)])
    #expect(try datastore.open().resolve("book", [.field(Self.cover): .take(side)]) == .fine)
    #expect(try attached(datastore, to: 4) == [row])
  }

  /// Older than its revision, it would be replicated as a stub, and the server take another file for it, or refuse the push.
  @Test(arguments: [DatastoreSchema.Platform.ios, .android])
  func whatIsCarriedIsAddedInTheGenerationOfItsRevision(platform: DatastoreSchema.Platform) throws {
    let datastore = try Datastore([("book", Self.book)], platform: platform)
    let store = try datastore.open()
    #expect(try store.resolve("book", [.field(Self.cover): .take(.ancestor)]) == .fine)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let added = try generations(datastore, above: 3)
    #expect(added.count >= 3)
    #expect(added.allSatisfy { $0.attachment == $0.revision })
  }

  /// Of each attachment whose revision came later than a row, and of that revision.
  private func generations(
    _ datastore: Datastore, above row: Int64
  ) throws -> [(attachment: Int, revision: Int)] {
    try datastore.database { db in
      var generations: [(attachment: Int, revision: Int)] = []
      let sql = "SELECT revpos, revid FROM attachments JOIN revs USING (sequence) WHERE sequence > ?"
      try db.forEachRow(sql, [.integer(row)]) {
        generations.append((Int($0.integer(0)), RevisionID($0.text(1)).generation))
      }
      return generations
    }
  }

  @Test func anAttachmentWhoseFileIsGoneOrDamagedIsNotCarried() throws {
    for isGone in [true, false] {
      let datastore = try Datastore([("book", Self.book)])
      let store = try datastore.open()
      for name in try FileManager.default.contentsOfDirectory(atPath: store.files.attachments) {
        let path = store.files.attachments + "/" + name
        if isGone {
          try FileManager.default.removeItem(atPath: path)
        } else {
          try Data("x".utf8).write(to: URL(filePath: path))
        }
      }
      let outcome = try store.resolve("book", [.field(Self.cover): .take(.client)])
      guard case .refused(Self.cover, let reason)? = outcome else {
        Issue.record("\(String(describing: outcome))")
        continue
      }
      #expect(reason.hasPrefix("its file"))
      #expect(try attached(datastore, to: 4).isEmpty)
    }
  }

  @Test func undoBringsTheAttachmentsBack() throws {
    let datastore = try Datastore([("book", Self.book)])
    let store = try datastore.open()
    let seen = try store.conflict("book")
    _ = try store.resolve("book", [.field(Self.cover): .take(.server)])
    try datastore.sql("DELETE FROM attachments WHERE sequence IN (2, 3)")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict("book")[Self.cover]?.client?.value == seen[Self.cover]?.client?.value)
  }

  /// An undo was offered that was refused when it was asked for.
  @Test func whatNoUndoCouldBringBackIsToldBeforeTheWriteAndAfter() throws {
    let store = try Datastore([("book", Self.book)]).open()
    let draft = Draft(id: "book", action: .delete)
    let planned = PlannedWrite(seen: try store.conflict("book"), draft: draft)
    #expect(try store.check([planned]).map(\.note) == [nil])
    try FileManager.default.removeItem(atPath: store.files.attachments)
    let note = "its undo is refused as long as these attachments have no file in shop attachments: cover"
    #expect(try store.check([planned]).map(\.note) == [note])
    let written = try store.write([planned], note: nil)
    #expect(written.map(\.outcome) == [.fine])
    #expect(written.map(\.note) == [note])
    guard case .refused(Self.cover, let words)? = try store.undoLastWrite().first?.outcome else {
      Issue.record("it came back without its file")
      return
    }
    #expect(words.hasPrefix("its file is not in shop attachments; put there, "), "\(words)")
  }

  /// A compaction takes the file, its row, and the record of its name. The refusal names where the file is looked for; once it is there the
  /// write comes back, and the library finds the file, too, by a record.
  @Test(arguments: [DatastoreSchema.Platform.ios, .android])
  func whatACompactionTookIsNamedAndComesBackOnceItIsThere(platform: DatastoreSchema.Platform) throws {
    let datastore = try Datastore([("book", Self.book)], platform: platform)
    let store = try datastore.open()
    let seen = try store.conflict("book")
    #expect(try store.resolve("book", seen.taking(.client, in: Resolution()).choices) == .fine)
    let lost = try taking(away: "new cover", from: store, datastore)
    let name = platform == .ios ? lost.digest.uppercased() + ".blob" : lost.digest
    let words = """
      its file is not in \(folderAndName(store.files.attachments).name); put there, as from a backup or the datastore of another device, \
      cover as \(name), and then take it back
      """
    #expect(try store.undoLastWrite().map(\.outcome) == [.refused(field: Self.cover, words)])
    try Data(lost.bytes).write(to: URL(filePath: store.files.attachments + "/" + name))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let value = try #require(try store.conflict("book")[Self.cover]?.server?.value)
    #expect(value == seen[Self.cover]?.server?.value)
    #expect(try store.content(of: Self.cover, value, in: "book") == lost.bytes)
    #expect(try recordedName(lost.digest, in: datastore) == name)
  }

  /// Of an undo that was not done nothing is taken away that somebody else has put there.
  @Test func aFileThatWasOnlyRecordedIsNotTakenAway() throws {
    let datastore = try Datastore([("book", Self.book)])
    let store = try datastore.open()
    let lost = try taking(away: "new cover", from: store, datastore)
    let path = store.files.attachments + "/" + lost.digest.uppercased() + ".blob"
    try Data(lost.bytes).write(to: URL(filePath: path))
    let seen = try store.conflict("book")
    let choices: [Subject: Choice] = [.field(Self.cover): .take(.server)]
    #expect(try store.check([try #require(try plan("book", in: store, choices))]).map(\.outcome) == [.fine])
    #expect(try store.resolve("book", choices) == .fine)
    try store.log.write { try $0.run("DELETE FROM receipts") }
    try datastore.sql(
      """
      DELETE FROM attachments WHERE sequence > 3; DELETE FROM revs WHERE sequence > 3;
      UPDATE revs SET current = 1 WHERE sequence > 1;
      DELETE FROM attachments_key_filename WHERE key = '\(lost.digest)'
      """)
    store.log.close()
    let later = try datastore.open()
    let told = try later.journal.entries(limit: 1).map(\.text)
    #expect(told.first?.hasPrefix("interrupted write, rolled back") == true, "\(told)")
    #expect(FileStatus(path: path) != nil)
    #expect(try later.conflict("book")[Self.cover]?.server?.value == seen[Self.cover]?.server?.value)
  }

  /// The file of these bytes, and the record of its name.
  private func taking(
    away text: String, from store: CloudantStore, _ datastore: Datastore
  ) throws -> (digest: String, bytes: [UInt8]) {
    let bytes = Array(text.utf8)
    let folder = store.files.attachments + "/"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let name = try #require(
      names.first { (try? Data(contentsOf: URL(filePath: folder + $0))) == Data(bytes) })
    let digest = Hexadecimal.text(try AttachmentFile(path: folder + name).storedBytes().sha1)
    try FileManager.default.removeItem(atPath: folder + name)
    try datastore.sql("DELETE FROM attachments_key_filename WHERE key = '\(digest)'")
    return (digest, bytes)
  }

  private func recordedName(_ digest: String, in datastore: Datastore) throws -> String? {
    try datastore.database {
      try $0.firstRow("SELECT filename FROM attachments_key_filename WHERE key = ?", [.text(digest)]) {
        $0.text(0)
      }
    }
  }

  @Test func aNameIsTheOldUpperCaseDigestBeforeSchema200() throws {
    let datastore = try Datastore([("book", Self.book)])
    try datastore.sql("DROP TABLE attachments_key_filename; PRAGMA user_version = 100")
    let store = try datastore.open()
    for name in try FileManager.default.contentsOfDirectory(atPath: store.files.attachments) {
      let path = store.files.attachments + "/"
      try FileManager.default.moveItem(atPath: path + name, toPath: path + "." + name)
      try FileManager.default.moveItem(
        atPath: path + "." + name, toPath: path + stem(name).uppercased() + ".blob")
    }
    #expect(try store.resolve("book", [.field(Self.cover): .take(.client)]) == .fine)
  }
}
