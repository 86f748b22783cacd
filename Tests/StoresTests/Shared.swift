import Foundation
import TerminalTestSupport

/// Files that lie beside the project, never in it. Tests that need them are skipped, visibly, where they are missing.
enum Shared {
  /// `../shared` beside the repository's root, or what PARLEY_SHARED names.
  static let folder: String? = {
    if let named = ProcessInfo.processInfo.environment["PARLEY_SHARED"] {
      return isFolder(named) ? named : nil
    }
    var root = URL(filePath: #filePath)
    while root.path != "/",
      !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path)
    {
      root.deleteLastPathComponent()
    }
    let beside = root.deletingLastPathComponent().appending(path: "shared").path
    return isFolder(beside) ? beside : nil
  }()

  static func has(_ path: String) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: $0 + "/" + path) } ?? false
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

/// A folder of its own for one test, gone with it.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = quickFolder + "/parley-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }

  /// Copies what lies in `folder`, hidden files too, and makes it writable.
  func copyContents(of folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: path(name))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path(name))
    }
  }

  /// Has these files, and no others.
  func restore(_ contents: [String: Data]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path(name))
    }
    for (name, bytes) in contents { try bytes.write(to: URL(filePath: path(name))) }
  }

  /// Every file and its bytes.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      contents[name] = try Data(contentsOf: URL(filePath: path(name)))
    }
    return contents
  }
}
