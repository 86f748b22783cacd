import StoreInterface

/// What is wrong with a `-wal`, and SQLite does not say: it reads what comes before, and passes over the rest.
package enum LogTrouble: Sendable, Equatable, CaseIterable {
  /// Something lies in its place that does not begin like one: nothing of it is read.
  case garbage
  /// It is damaged before the end of a transaction that was written wholly: nothing from there on is read.
  case broken
  /// It ends within one of its frames: the rest of it, and whatever else came after, is not there.
  case cut

  /// nil if there is none, or it is as SQLite leaves it, also where its writer was killed between two frames. One that was killed
  /// within a frame leaves what nobody can tell from a log that was cut.
  ///
  /// A frame at a time.
  package init?(beside path: String) {
    let path = path + "-wal"
    guard let size = FileStatus(path: path)?.size, size > 0 else { return nil }
    guard let file = try? RegularFile(path), let frames = LogFrames(file, size: Int(size)) else {
      self = .garbage
      return
    }
    if frames.endBeforeACommit {
      self = .broken
    } else if frames.endsWithinAFrame {
      self = .cut
    } else {
      return nil
    }
  }
}

extension LogFrames {
  /// Whether a commit of this log lies at or after the first frame that SQLite does not take.
  ///
  /// Frames with other salts are of an older log, and those of this one that belong to no commit were never told to be written:
  /// of a transaction that was rolled back, or whose writer was killed.
  fileprivate var endBeforeACommit: Bool {
    var isFound = false
    walk { frame in
      isFound = !frame.isTaken && frame.isOfThisLog && frame.databaseSize > 0
      return !isFound
    }
    return isFound
  }
}
