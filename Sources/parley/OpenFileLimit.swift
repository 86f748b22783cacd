import Foundation

/// How many files this process may have open at once.
///
/// Where there are too few, the library that Swift's background work stands on ends the process without a word, whatever is being
/// done. So it is asked before anything is. What opens nothing, such as a help, needs no more than everybody has.
enum OpenFileLimit {
  /// The demo of CouchDB, with a server of its own beside the desk, had 39; the others up to 24.
  static let needed = 48

  /// Raises the limit where that is allowed; the program needs no more than a few.
  ///
  /// - Throws: ``CommandError/tooFewFiles(allowed:needed:)``
  static func check() throws {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(needed))
    guard setrlimit(resource, &limit) == 0, limit.rlim_cur == needed else {
      throw CommandError.tooFewFiles(allowed: Int(limit.rlim_cur), needed: needed)
    }
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
