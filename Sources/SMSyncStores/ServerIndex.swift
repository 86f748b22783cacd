import ExactJSON
import SQLiteFiles
import StoreInterface

/// What the server has of each file, as somebody has saved it: the server's own answer, or lines of `mongoexport`.
///
///     {"ServerResult":0,"ServerFileIndex":[{"fileId":"…","fileVersion":4,"deleted":false,…}]}
///     {"_id":{"$oid":"…"},"fileId":"…","fileVersion":{"$numberInt":"4"},"deleted":false,…}
///
/// With it a conflict is found before the app has met it.
struct ServerIndex: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let uuid: String
    let version: Int64
    let isDeleted: Bool
    let name: String?
    let mimeType: String?
    let metadata: JSONValue?
  }

  private let entries: [JSONText: Entry]

  subscript(uuid: String) -> Entry? { entries[JSONText(uuid)] }

  static let sizeLimit = 256 << 20

  /// - Throws: ``StoreError``, also ``StoreError/indexUnusable(path:detail:)`` for what is neither.
  init(path: String) throws {
    guard FileStatus(path: path) != nil else { throw StoreError.fileMissing(path: path) }
    let bytes = try RegularFile(path).bytes(limit: ServerIndex.sizeLimit)
    do {
      try self.init(path: path, bytes: bytes)
    } catch let problem as JSONProblem {
      throw StoreError.indexUnusable(
        path: path, detail: "it is no JSON, \(problem.reason) at \(problem.place(in: bytes))")
    }
  }

  init(path: String, bytes: [UInt8]) throws {
    var entries: [JSONText: Entry] = [:]
    for node in try ServerIndex.files(path, bytes) {
      guard let entry = Entry(node) else {
        throw StoreError.indexUnusable(
          path: path,
          detail:
            "the file at \(ServerIndex.place(of: node, bytes)) lacks fileId, fileVersion (0 to \(Int32.max)) or deleted"
        )
      }
      guard entries.updateValue(entry, forKey: JSONText(entry.uuid)) == nil else {
        throw StoreError.indexUnusable(
          path: path,
          detail:
            "the file at \(ServerIndex.place(of: node, bytes)) is there a second time, so nobody can tell which counts"
        )
      }
    }
    self.entries = entries
  }

  private static func place(of node: JSONNode, _ bytes: [UInt8]) -> String {
    "\(JSONPlace().advanced(over: bytes.prefix(node.extent.lowerBound)))"
  }

  /// The answer's list, a list alone, or one object after the other.
  private static func files(_ path: String, _ bytes: [UInt8]) throws -> [JSONNode] {
    var reader = JSONReader(bytes, rules: AppMetaData.rules)
    var (files, isEmpty): ([JSONNode], Bool) = ([], true)
    while let node = try reader.next() {
      isEmpty = false
      if let result = node["ServerResult"]?.wholeNumber, result != 0 {
        throw StoreError.indexUnusable(
          path: path,
          detail:
            "at \(place(of: node, bytes)) the server gave none, and answered \(result) (53: the lock was not held)"
        )
      }
      if let list = node.elements ?? node["ServerFileIndex"]?.elements {
        files += list
      } else if node["fileId"] != nil {
        files.append(node)
      } else {
        throw StoreError.indexUnusable(
          path: path,
          detail: "what is at \(place(of: node, bytes)) is no list of files, and none of its lines")
      }
    }
    // Nobody could tell a download that failed from a server that has nothing.
    if isEmpty { throw StoreError.indexUnusable(path: path, detail: "it is empty") }
    return files
  }
}

extension ServerIndex.Entry {
  fileprivate init?(_ node: JSONNode) {
    guard let uuid = node["fileId"]?.text, !uuid.isEmpty, let version = node["fileVersion"]?.wholeNumber,
      (0...Int64(Int32.max)).contains(version),
      let isDeleted = node["deleted"]?.bool
    else { return nil }
    self.init(
      uuid: uuid, version: version, isDeleted: isDeleted, name: node["cloudFileName"]?.text,
      mimeType: node["mimeType"]?.text, metadata: node["appMetaData"].map { JSONValue($0) })
  }
}

extension JSONNode {
  /// A number as JSON has it, or in one of the spellings of `mongoexport`.
  fileprivate var wholeNumber: Int64? {
    let wrapped = ["$numberInt", "$numberLong", "$numberDouble"].lazy.compactMap {
      self[JSONText($0)]?.number
    }
    guard let text = numeral ?? wrapped.first else { return nil }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }
}
