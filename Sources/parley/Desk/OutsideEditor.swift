import Curses
import Foundation

/// `$VISUAL` or `$EDITOR` on a scratch file that only this person can read.
enum OutsideEditor {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The text as it was saved; nil if the editor said that it failed, or nothing was changed.
  static func edit(_ text: String) throws -> String? {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parley-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "value.txt")
    try Data(text.utf8).write(to: file)
    try run(on: file.path)
    guard let edited = String(validating: try Data(contentsOf: file), as: UTF8.self) else {
      throw Failure(description: "The editor left text that is not UTF-8. Nothing was taken over.")
    }
    return edited == text ? nil : edited
  }

  /// By the shell, as people write arguments into `$EDITOR`: "code --wait".
  private static func run(on path: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let editor =
      [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
    let status = try ChildProcess.run(["/bin/sh", "-c", editor + " \"$1\"", "sh", path])
    guard status == .exited(0) else {
      throw Failure(description: "The editor (\(editor)) did not end well. Nothing was taken over.")
    }
  }
}
