import Foundation
import KeyedArchives
import SQLiteFiles
import StoreInterface

/// What the framework keeps of a round in the app's preferences: an operation that the server has not ended yet.
///
///     SMUploadFiles.OperationId, SMDownloadFiles.OperationId      archived text, or nil
///
/// The values were never seen; one that cannot be read counts as one that is there, and so does a file in which there may be one
/// (FORMAT.md, "Preferences").
struct RoundState: Sendable, Equatable {
  private static let names = ["SMUploadFiles.OperationId", "SMDownloadFiles.OperationId"]
  /// What the framework writes with each sync: a list that holds it is the app's own.
  private static let mode = "SMSyncControl.Mode"
  private static let sizeLimit = 4 << 20

  /// Names of preferences in which an operation is stored.
  private(set) var operations: [String] = []
  /// Names of files and folders of preferences that cannot be read.
  private(set) var unreadable: [String] = []
  /// Whether there are none, as of a store's file alone: then nobody can tell.
  private(set) var areMissing = false
  /// Whether there are lists, and none of them is the one in which the framework would say it.
  private(set) var lacksMode = false

  /// Whether a round may be in flight that nobody sees.
  var isUnknown: Bool { !unreadable.isEmpty || lacksMode }

  init(_ files: ContainerFiles) {
    guard let folder = files.preferences else {
      areMissing = true
      return
    }
    let links = [folderAndName(folder).folder, folder].filter(FileStatus.isLink)
    if !links.isEmpty {
      unreadable = links.map { folderAndName($0).name }
      return
    }
    if RoundState.isMissing(folder) {
      areMissing = true
      // An app that has a store of the framework's has these, too: a container without them did not come whole.
      if files.mark == nil, files.whole != nil { unreadable = [folderAndName(folder).name] }
      return
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      unreadable = [folderAndName(folder).name]
      return
    }
    lacksMode = true
    for name in names.sorted() where name.hasSuffix(".plist") { read(name, in: folder) }
    operations = operations.unique
  }

  private mutating func read(_ name: String, in folder: String) {
    let path = folder + "/" + name
    guard !FileStatus.isLink(path), let bytes = try? RegularFile(path).bytes(limit: RoundState.sizeLimit),
      let stored = try? RoundState.stored(in: bytes)
    else { return unreadable.append(name) }
    operations += stored.operations
    if stored.hasMode { lacksMode = false }
  }

  /// Not so if nobody may look.
  private static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }
}

extension RoundState {
  static func stored(in bytes: [UInt8]) throws -> (operations: [String], hasMode: Bool) {
    let isText = bytes.withUnsafeBytes { XMLPropertyList.isOne($0) }
    let binary = isText ? try XMLPropertyList.binary(bytes, takesDates: true) : bytes
    return try binary.withUnsafeBytes { bytes in
      let list = try BinaryPropertyList(bytes)
      guard case .dictionary(let root) = try list.node(list.top) else { return ([], false) }
      var (stored, hasMode): ([String], Bool) = ([], false)
      for position in 0..<root.count {
        let key = try ArchiveKey(try list.element(position, of: root), in: list).text
        if key == mode { hasMode = true }
        guard names.contains(key) else { continue }
        if isStored(try list.node(try list.value(position, of: root)), in: list) { stored.append(key) }
      }
      return (stored, hasMode)
    }
  }

  private static func isStored(_ node: BinaryPropertyList.Node, in list: BinaryPropertyList) -> Bool {
    switch node {
    case .null: return false
    case .ascii(let extent), .utf16(let extent): return extent.count > 0
    case .data(let extent): return (try? isStored(archive: list.data(extent))) ?? true
    case .bool, .integer, .unsigned, .real, .date, .uid, .array, .set, .dictionary: return true
    }
  }

  private static func isStored(archive bytes: UnsafeRawBufferPointer) throws -> Bool {
    var archive = try KeyedArchive(bytes)
    guard let root = try archive.entry("root", of: archive.top) else { return false }
    if case .null = try archive.target(of: root) { return false }
    switch try archive.value(root) {
    case .null: return false
    case .string(let text): return !text.isEmpty
    default: return true
    }
  }
}
