import Foundation
import Merging

/// A file with server records, recognised by its first bytes:
///
///     SQLite format 3␀      another device's database      ``OtherDevice``
///     bplist00, <?xml, …    one archived CKRecord          ``ArchivedRecord``
///     {, [                  JSON, or JSON Lines            ``CloudKitJSON``
enum ImportFile {
  /// The largest file that is read into memory, in bytes. A database is never.
  static let sizeLimit: Int64 = 1 << 30

  /// Calls `body` with everything in the file, a few entries at a time.
  ///
  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:)``. What is in the file is no error.
  static func forEachPage(
    of path: String, own: OwnFiles, _ body: ([ImportEntry]) throws -> Void
  ) throws {
    guard let status = try check(path) else {
      return try body([.unreadable(place: nil, reason: "it is a folder, or no regular file; name the files")])
    }
    if own.contains(path) {
      try body([.unreadable(place: nil, reason: OwnFiles.words)])
    } else if OtherDevice.isDatabase(path) {
      try OtherDevice.forEachPage(of: path, own: own, body)
    } else if status.size > sizeLimit {
      try body([.unreadable(place: nil, reason: "it is larger than \(sizeLimit >> 20) MiB")])
    } else {
      try forEachPage(in: try bytes(of: path), body)
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

  private static func bytes(of path: String) throws(StoreError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw .cannotRead(path: path, detail: error.localizedDescription)
    }
  }

  /// The same for bytes that are no database.
  static func forEachPage(in bytes: [UInt8], _ body: ([ImportEntry]) throws -> Void) rethrows {
    if bytes.starts(with: Array("bplist".utf8)) { return try body([archived(bytes, place: nil)]) }
    if bytes.withUnsafeBytes({ XMLPropertyList.isOne($0) }) { return try body([archivedAsXML(bytes)]) }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      var file = CloudKitJSONFile(bytes)
      return try file.forEachPage(body)
    }
    let reason = "it is no archived record, no JSON and no database"
    try body([.unreadable(place: nil, reason: bytes.isEmpty ? "it is empty" : reason)])
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
