import ExactJSON
import Foundation
import Merging
import SQLiteFiles
import StoreInterface

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
    let path = absolute(database)
    return elsewhere(stem(folderAndName(path).name), path, environment)
  }

  /// For a store on a server: a file under `$XDG_STATE_HOME/parley`, with a name made of ``key(ofURL:)``.
  package static func of(
    url: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let key = key(ofURL: url)
    return elsewhere(key.hasPrefix("#") ? "server" : key, key, environment)
  }

  /// Which store a URL means: its scheme, host, port and path, and nothing that may be secret. So two URLs that differ only in who
  /// asks have one key. `https://me:secret@Example.com/db/?x=1` is `https://example.com/db`.
  ///
  /// Of one that cannot be taken apart the hash is all that can be told without telling too much.
  package static func key(ofURL url: String) -> String {
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
      let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty
    else { return "#" + hash(url) }
    let usual = ["http": 80, "https": 443][scheme]
    let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    let path = parts.percentEncodedPath.split(separator: "/").map { "/" + $0 }.joined()
    return "\(scheme)://\(host)\(port)\(path)"
  }

  private static func elsewhere(
    _ readable: String, _ key: String, _ environment: [String: String]
  ) -> String {
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let root = state ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
    return root + "/parley/" + fileName(readable, key) + ".parley.sqlite"
  }

  /// One name: something to be recognised by, and the key's hash to be unique.
  private static func fileName(_ readable: String, _ key: String) -> String {
    let safe = readable.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
    }
    return String(safe.prefix(40)) + "-" + hash(key)
  }

  private static func hash(_ key: String) -> String {
    Hexadecimal.text(Blob(bytes: Array(key.utf8)).sha256.prefix(8))
  }

  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
