import SQLiteFiles

/// The files of the store that an import goes into. Closing any descriptor of a file drops the locks that this process has on
/// it, so these are never opened a second time.
struct OwnFiles {
  static let words = "it belongs to this store itself"

  private let inodes: Set<UInt64>

  init(_ paths: [String]) { inodes = Set(paths.compactMap { FileStatus(path: $0)?.inode }) }

  func contains(_ path: String) -> Bool { FileStatus(path: path).map { inodes.contains($0.inode) } ?? false }
}
