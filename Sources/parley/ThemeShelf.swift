import Foundation
import SQLiteFiles
import Terminal

/// The themes a person can choose: their own in `$XDG_CONFIG_HOME/parley/themes` (default `~/.config/parley/themes`),
/// which win by name, and those built in. A name with a `/` is the path of a file, in which `~` is the home folder.
struct ThemeShelf {
  /// A theme that can be chosen; `file` is nil for one built in.
  struct Entry: Equatable {
    var name: String
    var file: String?
  }

  private let environment: [String: String]
  private let folder: String?

  init(environment: [String: String]) {
    self.environment = environment
    folder = configurationFolder(environment).map { $0 + "/themes" }
  }

  /// All, the built-in ones first, then a person's own in the order of their names.
  var entries: [Entry] {
    let own = ownNames
    let builtIn = Theme.builtInNames.map { Entry(name: $0, file: own.contains($0) ? path($0) : nil) }
    return builtIn + own.filter { !Theme.builtInNames.contains($0) }.map { Entry(name: $0, file: path($0)) }
  }

  /// - Throws: ``CommandError/unknownTheme(_:known:)``, ``CommandError/badTheme(words:)``,
  ///   ``StoreError/cannotRead(path:detail:isForbidden:)``
  func theme(_ name: String) throws -> Theme {
    let entry = try entry(name)
    do {
      return try Theme(name: entry.name, yaml: try source(entry), file: entry.file ?? "Themes/\(name).yaml")
    } catch let error as ThemeError {
      throw CommandError.badTheme(words: "\(error)")
    }
  }

  /// The text of the theme's file. The same errors as ``theme(_:)``, but whatever is in it.
  func source(_ name: String) throws -> String { try source(try entry(name)) }

  private func source(_ entry: Entry) throws -> String {
    guard let file = entry.file else { return Theme.source(ofBuiltIn: entry.name) ?? "" }
    guard let text = String(validating: try bytes(ofFile: file, limit: FileLimit.settings), as: UTF8.self)
    else { throw CommandError.settingsNotText(path: file) }
    return text
  }

  private func entry(_ name: String) throws(CommandError) -> Entry {
    if name.contains("/") { return Entry(name: name, file: expandingHome(name, environment)) }
    guard let entry = entries.first(where: { $0.name == name }) else {
      let isFile = FileStatus(path: name)?.isRegular == true
      throw .unknownTheme(name, known: entries.map(\.name), isFile: isFile)
    }
    return entry
  }

  private var ownNames: [String] {
    // Most have none, and Foundation takes long to see that.
    guard let folder, FileStatus(path: folder) != nil else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
      .sorted()
  }

  private func path(_ name: String) -> String? { folder.map { "\($0)/\(name).yaml" } }
}
