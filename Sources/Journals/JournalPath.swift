import Foundation
import Merging
import SQLiteFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the journal of a store lies.
package enum JournalPath {
  /// `NAME.parley.sqlite` beside the database `NAME.ext`. Where that file or its folder cannot be written, a file under
  /// `$XDG_STATE_HOME/parley`, with a name made of the path.
  ///
  /// - Parameter isWhole: for a store that shares its stem with another: `NAME.ext.parley.sqlite`.
  package static func beside(
    _ database: String, isWhole: Bool = false,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let (folder, name) = folderAndName(database)
    let beside = folder + "/" + (isWhole ? name : stem(name)) + ".parley.sqlite"
    if FileStatus.isWritable(folder), FileStatus(path: beside) == nil || FileStatus.isWritable(beside) {
      return beside
    }
    return elsewhere(database, environment)
  }

  private static func elsewhere(_ path: String, _ environment: [String: String]) -> String {
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let root = state ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
    return root + "/parley/" + fileName(absolute(path)) + ".parley.sqlite"
  }

  /// The path in one name: its end to be recognised, and its hash to be unique.
  private static func fileName(_ path: String) -> String {
    let safe = stem(folderAndName(path).name).unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
    }
    let hash = Hexadecimal.text(Array(Blob(bytes: Array(path.utf8)).sha256.prefix(8)))
    return String(safe.prefix(40)) + "-" + hash
  }

  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
