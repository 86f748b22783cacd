import Foundation

/// A store that is made once, as SQLite waits for the disk many times for it, and of which each test has a copy. Meanwhile it lies in memory
/// alone: what is in a folder for as long as the tests run stays there when they end.
package struct MadeStore: Sendable {
  private let made: Result<(files: [(name: String, bytes: Data?)], path: String), any Error>

  /// - Parameter make: makes it in a folder, and returns the path of its database.
  package init(_ make: (String) throws -> String) {
    made = Result {
      let folder = quickFolder + "/parley-made-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let path = String(try make(folder).dropFirst(folder.count))
      // A folder comes before what is in it, and has no contents.
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      return (names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)")) }, path)
    }
  }

  /// The path of the copy's database; what was durable in the one is in the other.
  package func copy(to folder: String) throws -> String {
    let (files, path) = try made.get()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in files {
      let place = URL(filePath: "\(folder)/\(name)")
      if let bytes {
        try bytes.write(to: place)
      } else {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      }
    }
    return folder + path
  }
}
