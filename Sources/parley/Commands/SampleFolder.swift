import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a sample store is made.
enum SampleFolder {
  /// - Throws: ``CommandError/folderNotEmpty(path:)``, ``CommandError/cannotMakeFolder(path:detail:)``
  static func make(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      let contents = try? FileManager.default.contentsOfDirectory(atPath: path)
      guard contents?.isEmpty == true else { throw CommandError.folderNotEmpty(path: path) }
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CommandError.cannotMakeFolder(path: path, detail: systemError())
    }
    return path
  }

  /// A folder named after this process. Those of demos that were killed are taken away first.
  static func makeTemporary() throws -> String {
    let temporary = FileManager.default.temporaryDirectory
    removeLeftovers(in: temporary)
    let name = "\(prefix)\(getpid())-\(UUID().uuidString)"
    return try make(temporary.appendingPathComponent(name).path)
  }

  private static let prefix = "parley-demo-"

  private static func removeLeftovers(in temporary: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    for name in names where isLeftover(name) {
      // Another user's folder cannot be removed, and need not be.
      try? FileManager.default.removeItem(at: temporary.appendingPathComponent(name))
    }
  }

  static func isLeftover(_ name: String) -> Bool {
    let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
    guard name.hasPrefix(prefix), parts.count == 2, UUID(uuidString: String(parts[1])) != nil,
      let process = pid_t(parts[0]), process > 0
    else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
