import SQLiteFiles
import Synchronization

/// The files of a container that were read, so that who rewrites one of them is heard of: neither the store nor the folder has
/// a trace of that.
final class ReadPlaces: Sendable {
  private struct Known {
    /// By path: what the file was when it was looked at last; nil where none was there.
    var files: [String: FileStatus?] = [:]
    /// How often one was seen to be another than before. To read one more is no change.
    var changes: Int64 = 0
  }

  private let known = Mutex(Known())
  /// To look at more would take longer than what is done between two looks; then those count that are read from now on.
  private static let most = 4_096

  /// - Parameter status: from before it is read.
  func note(_ path: String, _ status: FileStatus?) {
    known.withLock { known in
      if let before = known.files[path], before != status { known.changes += 1 }
      if known.files.count >= Self.most { known.files = [:] }
      known.files[path] = .some(status)
    }
  }

  /// Those that are looked at, in no order.
  var paths: [String] { known.withLock { Array($0.files.keys) } }

  /// Another number once any of them was seen to be another file than before.
  func traces() -> [Int64] {
    let files = known.withLock(\.files)
    for path in files.keys { note(path, FileStatus(path: path)) }
    return [known.withLock(\.changes)]
  }
}

/// Of the same container are the same files, whoever has read which.
extension ReadPlaces: Equatable {
  static func == (left: ReadPlaces, right: ReadPlaces) -> Bool { true }
}
