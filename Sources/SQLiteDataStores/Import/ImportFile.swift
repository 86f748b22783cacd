import KeyedArchives
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
  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``. What is in the file is no error.
  static func forEachPage(of path: String, own: OwnFiles, _ body: ([ImportEntry]) throws -> Void) throws {
    guard try check(path) != nil else {
      let reason = "it is a folder, or no regular file; name the files, or - for standard input"
      return try body([.unreadable(place: nil, reason: reason)])
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
  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``
  @discardableResult static func check(_ path: String) throws(StoreError) -> FileStatus? {
    guard let status = FileStatus(path: path) else { throw .fileMissing(path: path) }
    guard status.isRegular else { return nil }
    guard FileStatus.isReadable(path) else {
      throw .cannotRead(path: path, detail: "this user may not read it", isForbidden: true)
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
      return archived(try XMLPropertyList.binary(bytes), place: nil)
    } catch {
      return .unreadable(place: nil, reason: "its archive cannot be read: \(error)")
    }
  }
}

/// A server record on its way into the inbox, whatever file it came in.
struct IncomingRecord: Sendable {
  enum Form: Sendable {
    /// The server's archive, in binary form: it can become the ancestor.
    case archive([UInt8])
    /// CloudKit's JSON, of this record alone.
    case json(String)
  }

  let record: ArchivedRecord
  let form: Form
  let isDeleted: Bool
  /// Where in its file it lies, for a person; nil if the file is this record.
  let place: String?

  var archive: [UInt8]? { if case .archive(let bytes) = form { bytes } else { nil } }
  var json: String? { if case .json(let text) = form { text } else { nil } }

  func version(_ shape: TableShape) -> ArchivedVersion {
    ArchivedVersion(record, shape: shape, otherTimes: archive == nil ? record.modifiedAt : nil)
  }
}

/// One thing that was met in a file.
enum ImportEntry: Sendable {
  case record(IncomingRecord)
  /// - Parameter record: its name, where that can be read and is not the place.
  case unreadable(place: String?, record: String? = nil, reason: String)
}

/// The files of the store that an import goes into. Closing any descriptor of a file drops the locks that this process has on
/// it, so these are never opened a second time.
struct OwnFiles {
  static let words = "it belongs to this store itself"

  private let files: [FileStatus]
  /// What its metadatabase is called by, in every way to read that; empty where its name tells of none.
  private let containers: Set<String>

  init(_ paths: [String], metadatabase: String) {
    files = (paths + [metadatabase]).compactMap { FileStatus(path: $0) }
    containers = MetadatabaseName.containers(ofFile: metadatabase)
  }

  /// Why nothing of another metadatabase can be a record of this store; nil where it may be. What another container has under the same
  /// name is another record, and its change tags are another server's.
  func whyOfAnotherApp(_ metadatabase: String) -> String? {
    let others = MetadatabaseName.containers(ofFile: metadatabase)
    guard let there = others.min(), let here = containers.min(), others.isDisjoint(with: containers) else {
      return nil
    }
    return "it is of the container \(there), and this store of \(here), so its records are others; "
      + "if they are not, give a copy of its metadatabase under another name"
  }

  func contains(_ path: String) -> Bool {
    FileStatus(path: path).map { status in files.contains { $0.isSameFile(as: status) } } ?? false
  }
}
