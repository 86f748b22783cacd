import Curses
import ExactJSON
import Foundation

/// `$VISUAL` or `$EDITOR` on a scratch file that only this person can read.
enum OutsideEditor {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The text as it was saved; nil if the editor said that it failed, or nothing was changed.
  static func edit(_ text: String) throws -> String? {
    let folder = OwnFolder.name(prefix)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "value.txt")
    try Data(text.utf8).write(to: file)
    try run(on: file.path)
    guard let saved = try? Data(contentsOf: file) else {
      throw Failure(description: "The editor left no file. Nothing was taken over.")
    }
    guard let edited = String(validating: saved, as: UTF8.self) else {
      throw Failure(description: "The editor left text that is not UTF-8. Nothing was taken over.")
    }
    return edited.hasSameBytes(as: text) ? nil : edited
  }

  /// Of desks that were killed while somebody edited.
  static func removeLeftovers() { OwnFolder.removeLeftovers(prefix) }

  private static let prefix = "parley-edit-"

  /// As every shell says it.
  private static let notFound: Int32 = 127

  /// What edits, and why that does. A variable that names nothing counts as one that is not set.
  static func command(_ environment: [String: String]) -> (editor: String, why: String) {
    for name in ["VISUAL", "EDITOR"] {
      guard let editor = environment[name], !editor.allSatisfy(\.isWhitespace) else { continue }
      return (editor, "which \(name) names")
    }
    return ("vi", "which is taken where neither VISUAL nor EDITOR names one")
  }

  /// By the shell, as people write arguments into `$EDITOR`: "code --wait". When the terminal is closed it waits for what the editor does
  /// then, so that nothing is put into the folder once it is gone.
  private static func run(on path: String) throws {
    let (editor, why) = command(ProcessInfo.processInfo.environment)
    let status = try ChildProcess.run(["/bin/sh", "-c", "trap : HUP\n" + editor + " \"$1\"", "sh", path])
    if status == .exited(notFound) {
      throw Failure(description: "There is no program \(editor), \(why). Nothing was taken over.")
    }
    guard status == .exited(0) else {
      throw Failure(description: "The editor (\(editor)) did not end well. Nothing was taken over.")
    }
  }
}
