import ExactJSON
import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import RevisionTrees
@testable import SQLiteFiles
@testable import StoreInterface

/// What came in as gzip, and a revision of Parley's own takes over: sync-android cannot send it so.
@Suite struct CarriedAttachmentTests {
  static let cover = "_attachments/cover"
  static let text = AttachmentFileTests.text
  static let packedDigest = "49f1e2b923b21bde50965b70869caff129b3782a"
  static let digest = "b0d9fa3f11dd4c22182c1580722b68211e3e192b"

  private func gzip() throws -> [UInt8] {
    try #require(Hexadecimal.bytes(AttachmentFileTests.zipped[0]))
  }

  /// A document whose leaves 2-b, the winner, and 2-a each have the text as their cover.
  ///
  /// - Parameter plain: of which leaves it is not gzip.
  private func replica(
    _ platform: DatastoreSchema.Platform = .android, plain: Set<String> = []
  ) throws -> Replica {
    let replica = try Replica(platform: platform)
    try replica.insert("book", ["1-x"], "{}")
    try replica.insert("book", ["1-x", "2-a"], #"{"a":1}"#)
    try replica.insert("book", ["1-x", "2-b"], #"{"b":1}"#)
    for id in ["2-a", "2-b"] {
      let isPlain = plain.contains(id)
      try replica.attach(
        "cover", isPlain ? Self.text : gzip(), length: isPlain ? nil : Self.text.count, to: id, of: "book")
    }
    return replica
  }

  private func files(_ replica: Replica) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder(replica)))
  }

  private func folder(_ replica: Replica) throws -> String {
    try DatastoreFiles(path: replica.datastore.path).attachments
  }

  /// Of each attachment of a revision that was added: its key, length, encoding and encoded length.
  private func added(_ datastore: Datastore) throws -> [String] {
    try datastore.database { db in
      try db.rows(
        "SELECT lower(hex(key)), length, encoding, encoded_length FROM attachments WHERE sequence > 3", []
      ) { "\($0.text(0)) \($0.integer(1)) \($0.integer(2)) \($0.integer(3))" }
    }
  }

  @Test func onAndroidItIsCarriedUnpackedAndSoByAnUndo() throws {
    let replica = try replica()
    let store = try replica.datastore.open()
    let before = try files(replica)
    #expect(try store.resolve("book") == .fine)
    #expect(try added(replica.datastore) == ["\(Self.digest) 30 0 0"])
    let made = try files(replica).subtracting(before)
    let name = try #require(made.first)
    #expect(made.count == 1 && name.utf8.count == 40 && Hexadecimal.bytes(name) != nil, "\(made)")
    #expect(try [UInt8](Data(contentsOf: URL(filePath: folder(replica) + "/" + name))) == Self.text)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    // The rows of the write stay, and so does their file.
    #expect(try files(replica) == before.union(made))
    #expect(Set(try added(replica.datastore)) == ["\(Self.digest) 30 0 0"])
    let value = try #require(try store.conflict("book")[Self.cover]?.client?.value)
    #expect(try store.content(of: Self.cover, value, in: "book") == Self.text)
  }

  /// Whatever the mask of new files says.
  @Test func whoMayReadThePackedFileMayReadThePlainOne() throws {
    let replica = try replica()
    let before = try files(replica)
    for name in before { chmod(try folder(replica) + "/" + name, 0o666) }
    #expect(try replica.datastore.open().resolve("book") == .fine)
    let name = try #require(files(replica).subtracting(before).first)
    var status = stat()
    #expect(stat(try folder(replica) + "/" + name, &status) == 0 && mode_t(status.st_mode) & 0o777 == 0o666)
  }

  /// CDTDatastore sends the bytes as they are stored, and tells the server that they are gzip.
  @Test func onIOSItStaysAsItIs() throws {
    let replica = try replica(.ios)
    let store = try replica.datastore.open()
    let before = try files(replica)
    #expect(try store.resolve("book") == .fine)
    #expect(try added(replica.datastore) == ["\(Self.packedDigest) 30 1 39"])
    #expect(try files(replica) == before)
  }

  @Test func theSameContentIsToldAsNoChange() throws {
    let replica = try replica()
    let store = try replica.datastore.open()
    #expect(try store.resolve("book") == .fine)
    let names = try #require(try store.lastWrite()?.records.first).changes.fields.map(\.name)
    #expect(names == ["a"])
  }

  @Test func whatIsStoredPlainAlreadyNamesThatFile() throws {
    let replica = try replica(plain: ["2-a"])
    let store = try replica.datastore.open()
    let before = try files(replica)
    #expect(try store.resolve("book") == .fine)
    #expect(try added(replica.datastore) == ["\(Self.digest) 30 0 0"])
    #expect(try files(replica) == before)
  }

  @Test func aFileOfThePlainBytesThatIsDamagedIsNotNamed() throws {
    let replica = try replica(plain: ["2-a"])
    let store = try replica.datastore.open()
    for name in try files(replica) {
      let path = try folder(replica) + "/" + name
      if try AttachmentFile(path: path).storedBytes().count == 30 {
        try Data("x".utf8).write(to: URL(filePath: path))
      }
    }
    guard case .refused(Self.cover, let reason)? = try store.resolve("book") else {
      Issue.record("it was carried")
      return
    }
    #expect(reason.hasPrefix("the file of its plain bytes, ") && reason.hasSuffix(" is damaged"))
  }

  @Test func aDocumentThatIsMadeHasItUnpackedToo() throws {
    let replica = try replica()
    let store = try replica.datastore.open()
    let before = try files(replica)
    let draft = Draft(id: "book", action: .alternative(KeptApart.id))
    let planned = PlannedWrite(seen: try store.conflict("book"), draft: draft)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    // One file for both documents.
    #expect(try added(replica.datastore) == Array(repeating: "\(Self.digest) 30 0 0", count: 2))
    #expect(try files(replica).count == before.count + 1)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try replica.datastore.integrity() == "ok")
  }

  @Test func toLookMakesNoFileAndSQLAloneCannot() throws {
    let replica = try replica()
    let store = try replica.datastore.open()
    let before = try files(replica)
    let planned = try #require(try plan("book", in: store))
    #expect(try store.check([planned]).map(\.outcome) == [.fine])
    let told = try store.statements([planned])
    let words = "it is unpacked into a file of its own, and SQL makes no files"
    #expect(told.sql.isEmpty)
    #expect(told.outcomes.map(\.outcome) == [.refused(field: Self.cover, words)])
    #expect(try files(replica) == before)
  }

  @Test func whatIsTooLongToBeUnpackedIsNotCarriedAndThatIsToldBefore() throws {
    let replica = try replica(plain: ["2-a"])
    let length = Attachment.longestDecoded + 1
    let size = withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, Array.init)
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xFF, count: 40) + size
    try replica.attach("film", gzip, length: Int(length), to: "2-b", of: "book")
    let store = try replica.datastore.open()
    let film = "_attachments/film"
    let seen = try store.conflict("book")
    let words = "Too long to be decoded here, so compared as stored, and carried into no revision: “film”."
    #expect(seen.details.notes.contains(words), "\(seen.details.notes)")
    let reason = "its 64000001 bytes are too many to be unpacked here, and packed the app could not send it"
    #expect(
      try store.resolve("book", [.field(film): .take(.client)]) == .refused(field: film, reason))
    let planned = PlannedWrite(seen: seen, draft: Draft(id: "book", action: .delete))
    let note = "its undo is refused as these attachments are too long to be unpacked: film"
    #expect(try store.check([planned]).map(\.note) == [note])
  }

  /// The file is there before its row. Who is ended in between leaves it, and nothing tells of it but the intent.
  @Test(arguments: [false, true]) func whatAnInterruptedWriteHasMadeIsTakenAway(isNamed: Bool) throws {
    let replica = try replica()
    let datastore = replica.datastore
    let store = try datastore.open()
    let before = try files(replica)
    #expect(try store.resolve("book") == .fine)
    let after = try files(replica)
    try store.log.write { try $0.run("DELETE FROM receipts") }
    try datastore.sql("DELETE FROM attachments WHERE sequence > 3; DELETE FROM revs WHERE sequence > 3")
    if !isNamed {
      try datastore.sql("DELETE FROM attachments_key_filename WHERE key = '\(Self.digest)'")
    }
    store.log.close()
    let later = try datastore.open()
    let words = try later.journal.entries(limit: 1).map(\.text)
    #expect(words.first?.hasPrefix("interrupted write, rolled back") == true, "\(words)")
    #expect(try files(replica) == (isNamed ? after : before))
  }

  /// What cannot be made is no reason to write its row.
  @Test func aFileThatCannotBeMadeEndsTheWrite() throws {
    let replica = try replica()
    let store = try replica.datastore.open()
    let before = try replica.datastore.rows("book")
    // A name that is recorded, and no file can have: it is longer than a file system takes.
    let name = String(repeating: "n", count: 300)
    try replica.datastore.sql(
      "INSERT INTO attachments_key_filename (key, filename) VALUES ('\(Self.digest)', '\(name)')")
    #expect(throws: StoreError.self) { try store.resolve("book") }
    #expect(try replica.datastore.rows("book") == before)
  }

  @Test func beforeNamesWereRecordedAFileIsCalledByItsDigest() throws {
    let replica = try replica()
    let folder = try folder(replica) + "/"
    for name in try files(replica) {
      let bytes = try AttachmentFile(path: folder + name).storedBytes()
      let digest = Hexadecimal.text(bytes.sha1)
      try? FileManager.default.removeItem(atPath: folder + digest)
      try FileManager.default.moveItem(atPath: folder + name, toPath: folder + digest)
    }
    try replica.datastore.sql("DROP TABLE attachments_key_filename; PRAGMA user_version = 6")
    #expect(try replica.datastore.open().resolve("book") == .fine)
    #expect(try files(replica).contains(Self.digest))
  }
}
