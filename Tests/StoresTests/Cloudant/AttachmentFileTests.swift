import ExactJSON
import Foundation
import Merging
import StoreInterface
import Telling
import Testing

@testable import CloudantStores
@testable import SQLiteFiles
@testable import Samples

/// Attachments and their files: what is compared, and what is checked before a draft carries one.
@Suite struct AttachmentFileTests {
  static let text = Array("the same cover, the same cover".utf8)
  /// The text as two gzip files, which differ in the time that gzip keeps.
  static let zipped = [
    "1f8b08000000000002032bc94855284ecc4d5548ce2f4b2dd2512841e10300387e8ce11e000000",
    "1f8b08000700000002ff2bc94855284ecc4d5548ce2f4b2dd2512841e10300387e8ce11e000000",
  ]
  static let zeros =
    "1f8b0800000000000203edc1010d000000c2a0f74f6d0f0714" + String(repeating: "0", count: 580)
    + "fc18fbe2b2f6e0930400"
  static let cover = "_attachments/cover"

  /// A document whose leaves 2-a and 2-b each have a cover.
  private func replica(_ winner: [UInt8], _ loser: [UInt8], isZipped: (Bool, Bool)) throws -> Replica {
    let replica = try Replica()
    try replica.insert("book", ["1-x"], "{}")
    try replica.insert("book", ["1-x", "2-a"], #"{"a":1}"#)
    try replica.insert("book", ["1-x", "2-b"], #"{"b":1}"#)
    for (id, bytes, isZipped) in [("2-b", winner, isZipped.0), ("2-a", loser, isZipped.1)] {
      try replica.attach("cover", bytes, length: isZipped ? Self.text.count : nil, to: id, of: "book")
    }
    return replica
  }

  private func zip(_ index: Int) throws -> [UInt8] { try #require(Hexadecimal.bytes(Self.zipped[index])) }

  @Test(arguments: [-1, .min] as [Int64]) func noFileIsOfANegativeLength(length: Int64) {
    let row: RowImage = [
      "sequence": .integer(1), "filename": .text("cover"), "key": .blob(Blob(bytes: [1, 2])),
      "length": .integer(length), "encoding": .integer(1),
    ]
    #expect(Attachment(row) == nil)
  }

  /// A leaf of which nobody can tell all is not written over, and not deleted either.
  private func expectUntold(_ datastore: Datastore, _ reason: String) throws {
    let store = try datastore.open()
    let conflict = try store.conflict("book")
    #expect(conflict.liveLeaves.map(\.version).contains(.unknown(reason: reason)))
    let words = "a live leaf of it cannot be read, and would be deleted unseen"
    #expect(conflict.details.notWritable == words)
    let before = try datastore.rows("book")
    for action in [Draft.Action.delete, .save([])] {
      let planned = PlannedWrite(seen: conflict, draft: Draft(id: "book", action: action))
      #expect(try store.write([planned], note: nil).map(\.outcome) == [.refused(field: nil, words)])
    }
    #expect(try datastore.rows("book") == before)
  }

  /// What a write passed over ended with its leaf.
  @Test(arguments: [
    "length = '8 bytes'", "length = -1", "length = 1.5", "key = hex(key)", "filename = x'ff'",
  ])
  func anAttachmentWhoseRowIsNoneIsNotLost(sql: String) throws {
    let datastore = try Datastore([("book", AttachmentWriteTests.book)])
    try datastore.sql("UPDATE attachments SET \(sql) WHERE sequence = 3")
    try expectUntold(
      datastore, "the row of one of its attachments has no name, key or length that a file could have")
  }

  /// An old branch that is dropped comes back by undo, with all that it had.
  @Test func norIsItDroppedWithAnOldBranch() throws {
    let cover = [SampleAttachment("cover", "old cover")]
    let datastore = try Datastore([
      (
        "book",
        [
          SampleRevision("8-a", "{}"), SampleRevision("9-a", on: "8-a", #"{"a":9}"#),
          SampleRevision("3-a", #"{"a":3}"#, attachments: cover),
        ]
      )
    ])
    try datastore.sql("UPDATE attachments SET length = -1")
    let before = try datastore.rows("book")
    #expect(
      try datastore.open().mend(["spurious:book"], note: nil).map(\.outcome) == [
        .refused(field: nil, Attachment.reasonOfNone)
      ])
    #expect(try datastore.rows("book") == before)
  }

  /// Of two that are one to a String a write carried one.
  @Test(arguments: [
    ("e\u{301}", "two of its attachments are called alike but for their Unicode normal form"),
    ("\u{e9}", "two of its attachments have one name"),
  ])
  func ofTwoAttachmentsThatAreCalledAlikeNoneIsLost(name: String, reason: String) throws {
    let both = [SampleAttachment("\u{e9}", "one"), SampleAttachment(name, "the other")]
    let datastore = try Datastore([
      (
        "book",
        [
          SampleRevision("1-x", "{}"), SampleRevision("2-p", on: "1-x", #"{"a":1}"#, attachments: both),
          SampleRevision("2-q", on: "1-x", #"{"b":1}"#),
        ]
      )
    ])
    try expectUntold(datastore, reason)
  }

  @Test func aFileThatManyAttachmentsShareIsCheckedOnce() throws {
    let attachment = try #require(
      Attachment([
        "sequence": .integer(1), "filename": .text("cover"), "key": .blob(Blob(bytes: [1, 2])),
        "length": .integer(9),
      ]))
    let checked = CheckedFiles()
    var looks = 0
    for _ in 1...3 {
      let problem = checked.problem(of: attachment) {
        looks += 1
        return "it is damaged"
      }
      #expect(problem == "it is damaged")
    }
    #expect(looks == 1)
  }

  @Test func plainAndCompressedCopiesOfOneFileAreTheSame() throws {
    let replica = try replica(Self.text, zip(0), isZipped: (false, true))
    let store = try replica.datastore.open()
    let field = try #require(try store.conflict("book")[Self.cover])
    #expect(field.change == .same)
    #expect(field.client?.value.jsonText?.contains("gzip") == false)
    #expect(try store.resolve("book") == .fine)
    // The row of the leaf that the draft is appended to is carried, whichever of the two it is.
    #expect(
      try replica.datastore.rows("book").contains { $0.contains(" current {") && $0.hasSuffix(" 30 3 0 30") })
  }

  @Test func twoCompressionsOfOneFileAreTheSame() throws {
    let store = try replica(zip(0), zip(1), isZipped: (true, true)).datastore.open()
    #expect(try store.conflict("book")[Self.cover]?.change == .same)
    #expect(try store.resolve("book") == .fine)
  }

  @Test func whatIsNotTheSameAfterDecodingDiffers() throws {
    let other = Array("another cover, of equal length".utf8)
    #expect(other.count == Self.text.count)
    let store = try replica(other, zip(0), isZipped: (false, true)).datastore.open(.reading)
    #expect(try store.conflict("book")[Self.cover]?.change == .different)
  }

  @Test func withoutItsFileACompressedCopyIsKnownByItsKeyAlone() throws {
    let replica = try replica(Self.text, zip(0), isZipped: (false, true))
    let store = try replica.datastore.open()
    for name in try FileManager.default.contentsOfDirectory(atPath: store.files.attachments) {
      try FileManager.default.removeItem(atPath: store.files.attachments + "/" + name)
    }
    let field = try #require(try store.conflict("book")[Self.cover])
    #expect(field.change == .different)
    #expect(field.server?.value.jsonText?.contains(#""encoding":"gzip""#) == true)
    #expect(
      try store.resolve("book", [.field(Self.cover): .take(.client)])
        == .refused(field: Self.cover, "its file is not in shop attachments"))
  }

  @Test func aFileIsDecodedOnlyAsFarAsItsLengthGoes() throws {
    let folder = try TestFolder()
    let path = folder.path("a.blob")
    func content(_ bytes: [UInt8], atMost limit: Int64) throws -> Int64? {
      try Data(bytes).write(to: URL(filePath: path))
      return AttachmentFile(path: path).content(atMost: limit)?.count
    }
    let zipped = try zip(0)
    #expect(try content(zipped, atMost: 30) == 30)
    #expect(try content(zipped, atMost: 29) == nil)
    #expect(try content(Array(zipped.dropLast()), atMost: 30) == nil)
    #expect(try content(zipped + [0], atMost: 30) == nil)
    #expect(try content(Self.text, atMost: 30) == nil)
    #expect(try content([], atMost: 30) == nil)
    #expect(AttachmentFile(path: folder.path("none")).content(atMost: 30) == nil)
    #expect(throws: StoreError.fileMissing(path: folder.path("none"))) {
      try AttachmentFile(path: folder.path("none")).storedBytes()
    }
  }

  /// 300,000 zeros take 325 bytes.
  @Test func aLongFileIsDecodedPieceByPiece() throws {
    let folder = try TestFolder()
    let bytes = try #require(Hexadecimal.bytes(Self.zeros))
    try Data(bytes).write(to: URL(filePath: folder.path("zeros")))
    let file = AttachmentFile(path: folder.path("zeros"))
    #expect(file.content(atMost: 300_000)?.count == 300_000)
    #expect(file.content(atMost: 299_999) == nil)
  }

  @Test(arguments: [
    ("UPDATE attachments SET length = 12", "holds 9 bytes, and its row says 12"),
    ("UPDATE attachments SET encoding = 1", "should be gzip of 9 bytes"),
  ])
  func whatTheRowSaysOfItsFileIsChecked(sql: String, words: String) throws {
    let datastore = try Datastore([("book", AttachmentWriteTests.book)])
    try datastore.sql(sql + " WHERE sequence = 2")
    let outcome = try datastore.open().resolve("book", [.field(Self.cover): .take(.server)])
    guard case .refused(Self.cover, let reason)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(reason.hasSuffix(words))
  }

  private func files(of store: CloudantStore) throws -> [String] {
    let folder = store.files.attachments
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
  }

  /// As of a disk that fails: at its beginning, where no memory is, nobody can read it.
  @Test(.enabled(if: FileStatus(path: "/proc/self/mem") != nil, "Linux has this file"))
  func aFileThatIsThereAndCannotBeReadIsToldAsThat() throws {
    let store = try Datastore([("book", AttachmentWriteTests.book)]).open()
    for file in try files(of: store) {
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/proc/self/mem")
    }
    let value = try #require(try store.conflict("book")[Self.cover]?.server?.value)
    let outcome = try store.resolve("book", [.field(Self.cover): .take(.server)])
    guard case .refused(Self.cover, let reason)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(reason.contains(" cannot be read: "))
    #expect(throws: Refusal(Self.cover, reason)) { try store.content(of: Self.cover, value, in: "book") }
  }

  @Test(.enabled(if: geteuid() != 0, "root may enter every folder"))
  func aFolderThatMayNotBeEnteredIsToldAsThat() throws {
    let store = try Datastore([("book", AttachmentWriteTests.book)]).open()
    let value = try #require(try store.conflict("book")[Self.cover]?.server?.value)
    #expect(chmod(store.files.attachments, 0) == 0)
    defer { chmod(store.files.attachments, 0o755) }
    let refusal = Refusal(Self.cover, "this user may not enter shop attachments, where its file belongs")
    #expect(throws: refusal) { try store.content(of: Self.cover, value, in: "book") }
  }

  /// By its row, or by its file: nothing is read of either.
  @Test(arguments: [true, false]) func whatIsTooLongToBeShownIsNotRead(byItsRow: Bool) throws {
    let datastore = try Datastore([("book", AttachmentWriteTests.book)])
    let store = try datastore.open()
    let size = Attachment.longestDecoded + 1
    if byItsRow {
      try datastore.sql("UPDATE attachments SET length = \(size)")
    } else {
      for file in try files(of: store) { #expect(truncate(file, off_t(size)) == 0) }
    }
    let value = try #require(try store.conflict("book")[Self.cover]?.server?.value)
    let refusal = Refusal(Self.cover, "its 64000001 bytes are too many to be shown")
    #expect(throws: refusal) { try store.content(of: Self.cover, value, in: "book") }
  }

  /// A name that leads out of the folder is not followed.
  @Test func aNameWithASlashIsNotFollowed() throws {
    let datastore = try Datastore([("book", AttachmentWriteTests.book)])
    let store = try datastore.open()
    for name in try FileManager.default.contentsOfDirectory(atPath: store.files.attachments) {
      try FileManager.default.moveItem(
        atPath: store.files.attachments + "/" + name, toPath: datastore.folder.path(name))
    }
    try datastore.sql("UPDATE attachments_key_filename SET filename = '../' || filename")
    let outcome = try store.resolve("book", [.field(Self.cover): .take(.server)])
    #expect(outcome == .refused(field: Self.cover, "its file is not in shop attachments"))
  }

  /// One content with two covers on one parent would have one id, and nobody would see that the covers differ.
  @Test func desksThatTakeDifferentFilesMakeDifferentRevisions() throws {
    let devices = try [Side.client, .server].map { side in
      let other = Array("another cover".utf8)
      let device = try replica(Self.text, other, isZipped: (false, false))
      let choices: [Subject: Choice] = [.field(Self.cover): .take(side), .field("a"): .edit(.integer(7))]
      #expect(try device.datastore.open().resolve("book", choices) == .fine)
      return device
    }
    try Replica.replicate(devices[0], devices[1])
    for device in devices {
      #expect(try summaries(of: device.datastore.open(.reading)).map(\.id) == ["book"])
    }
  }

  /// 22 MB of gzip can hold 5 GB. What is so long is never decoded, be it to compare or to write: here it could not be.
  @Test func whatClaimsGigabytesIsNotDecoded() throws {
    func gzip(_ number: UInt8, says length: Int64) -> [UInt8] {
      let size = withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, Array.init)
      return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: number, count: 40) + size
    }
    let length: Int64 = 5_000_000_000
    let replica = try Replica()
    try replica.insert("book", ["1-x"], "{}")
    try replica.insert("book", ["1-x", "2-a"], #"{"a":1}"#)
    try replica.insert("book", ["1-x", "2-b"], #"{"b":1}"#)
    try replica.attach("cover", gzip(0xFF, says: 7), length: Int(length), to: "2-a", of: "book")
    try replica.attach("cover", gzip(0xFE, says: length), length: Int(length), to: "2-b", of: "book")
    let store = try replica.datastore.open()
    let seen = try store.conflict("book")
    #expect(seen[Self.cover]?.change == .different)
    #expect(
      seen.details.notes.contains("Too long to be decoded here, so compared and carried as stored: “cover”."))
    // The name of a file is somebody's.
    for privacy in [Privacy.hidden, .redacted(by: RedactionKey())] {
      let told = privacy.notes(of: seen).joined()
      #expect(told.hasPrefix("Too long to be decoded here, so compared") && !told.contains("cover"))
    }
    guard
      case .refused(Self.cover, let reason)? = try store.resolve("book", [.field(Self.cover): .take(.server)])
    else {
      Issue.record("it was carried")
      return
    }
    #expect(reason.hasSuffix("is damaged: it should be gzip of 5000000000 bytes"))
    #expect(try store.resolve("book", [.field(Self.cover): .take(.client)]) == .fine)
  }
}
