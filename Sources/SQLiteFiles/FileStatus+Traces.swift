extension FileStatus {
  /// What every write to the database at `path` changes: its own size, time and identity, or those of its `-wal`.
  ///
  /// Only asked of the file system. To open a database for its change counter, and to close it again, would take away the locks
  /// that this process has on it.
  package static func traces(ofDatabase path: String) -> [Int64] {
    let database = FileStatus(path: path)
    let log = FileStatus(path: path + "-wal")
    // An empty -wal is as good as none: who only reads makes one, and removes it again.
    return [database, log?.size == 0 ? nil : log].flatMap { file in
      [file?.size ?? -1, file?.modifiedAt ?? -1, file.map { Int64(truncatingIfNeeded: $0.inode) } ?? -1]
    }
  }
}
