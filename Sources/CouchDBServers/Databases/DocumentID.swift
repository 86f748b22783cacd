import ExactJSON
import Synchronization

/// Ids of documents.
enum DocumentID {
  private static let count = Mutex<UInt32>(0)

  /// Each is greater than the last, as CouchDB's own are.
  static func made() -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return "5" + String(repeating: "0", count: 23)
      + Hexadecimal.text(withUnsafeBytes(of: number.bigEndian) { Array($0) })
  }

  static func check(_ id: String, isPartitioned: Bool) throws {
    if id.isEmpty { throw ServerRefusal.illegalID("Document id must not be empty") }
    if ["_design/", "_local/"].contains(id) { throw ServerRefusal.illegalID("Illegal document id `\(id)`") }
    if id.hasPrefix("_design/") || id.hasPrefix("_local/") { return }
    if id.hasPrefix("_") {
      throw ServerRefusal.illegalID("Only reserved document ids may start with underscore.")
    }
    if isPartitioned { try check(partitionOf: id) }
  }

  private static func check(partitionOf id: String) throws {
    guard let colon = id.firstIndex(of: ":") else {
      throw ServerRefusal.illegalID("Doc id must be of form partition:id")
    }
    if colon == id.startIndex { throw ServerRefusal(400, "illegal_partition", "Partition must not be empty") }
    if id[id.index(after: colon)...].isEmpty {
      throw ServerRefusal.illegalID("Document id must not be empty")
    }
  }
}
