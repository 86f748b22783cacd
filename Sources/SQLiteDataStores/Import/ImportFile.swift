import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// A file with server records, recognised by its first bytes:
///
///     SQLite format 3␀      another device's database      ``OtherDevice``
///     bplist00, <?xml, …    one archived CKRecord          ``ArchivedRecord``
///     {, [                  JSON, or JSON Lines            ``CloudKitJSON``
enum ImportFile {
  /// Calls `body` with everything in the file, a few entries at a time.
  ///
  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:)``. What is in the file is no error.
  static func forEachPage(
    of path: String, own: OwnFiles, _ body: ([ImportEntry]) throws -> Void
  ) throws {
    guard try check(path) != nil else {
      return try body([.unreadable(place: nil, reason: "it is a folder, or no regular file; name the files")])
    }
    if own.contains(path) {
      try body([.unreadable(place: nil, reason: OwnFiles.words)])
    } else if OtherDevice.isDatabase(path) {
      try OtherDevice.forEachPage(of: path, own: own, body)
    } else {
      let file = try RegularFile(path)
      try forEachPage(in: { (offset, count) throws(StoreError) in try file.bytes(at: offset, count) }, body)
    }
  }

  /// Looks at the file without reading it; nil if it is something else than a file.
  ///
  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:)``
  @discardableResult static func check(_ path: String) throws(StoreError) -> FileStatus? {
    guard let status = FileStatus(path: path) else { throw .fileMissing(path: path) }
    guard status.isRegular else { return nil }
    guard FileStatus.isReadable(path) else {
      throw .cannotRead(path: path, detail: "this user may not read it")
    }
    return status
  }

  /// The same for bytes that are no database.
  static func forEachPage(
    in bytes: @escaping JSONSource.Bytes, _ body: ([ImportEntry]) throws -> Void
  ) throws {
    let head = try bytes(0, 512)
    if head.starts(with: Array("bplist".utf8)) {
      return try body([try whole(bytes) { archived($0, place: nil) }])
    }
    if head.withUnsafeBytes({ XMLPropertyList.isOne($0) }) {
      return try body([try whole(bytes, archivedAsXML)])
    }
    var start = JSONSource(bytes)
    try start.skipByteOrderMark()
    try start.skipSpace()
    if let first = try start.peek(), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      var file = CloudKitJSONFile(bytes)
      return try file.forEachPage(body)
    }
    let reason = "it is no archived record, no JSON and no database"
    try body([.unreadable(place: nil, reason: head.isEmpty ? "it is empty" : reason)])
  }

  /// An archive is one record, and read as a whole.
  private static func whole(
    _ bytes: JSONSource.Bytes, _ read: ([UInt8]) -> ImportEntry
  ) throws(StoreError) -> ImportEntry {
    let limit = BinaryPropertyList.sizeLimit
    var all: [UInt8] = []
    while true {
      let block = try bytes(all.count, 1 << 20)
      if block.isEmpty { return read(all) }
      all += block
      guard all.count <= limit else {
        return .unreadable(
          place: nil, reason: "it is larger than \(limit >> 20) MiB, and an archived record never is")
      }
    }
  }

  static func archived(_ bytes: [UInt8], place: String?) -> ImportEntry {
    do throws(ArchiveError) {
      let record = try ArchivedRecord(decoding: bytes)
      return .record(IncomingRecord(record: record, form: .archive(bytes), isDeleted: false, place: place))
    } catch {
      return .unreadable(place: place, reason: "its archive cannot be read: \(error)")
    }
  }

  /// Binary is what CloudKit itself writes, so that is what is kept.
  private static func archivedAsXML(_ bytes: [UInt8]) -> ImportEntry {
    do throws(ArchiveError) {
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(ArchiveError) in try XMLPropertyList.binary(bytes) }
      }
      return archived(try result.get(), place: nil)
    } catch {
      return .unreadable(place: nil, reason: "its archive cannot be read: \(error)")
    }
  }
}
