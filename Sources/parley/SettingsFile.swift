import Foundation
import Merging
import SQLiteFiles

/// The configuration with the text it was read from, so that lines of it can be changed and all the others stay.
struct SettingsFile {
  /// nil where the environment names no place.
  let path: String?
  /// The same as people write it, with their home folder as ~.
  let shownPath: String?
  /// nil if there is no file.
  private(set) var text: String?
  private(set) var configuration: Configuration
  private let themes: [String]

  static func read(environment: [String: String]) throws -> SettingsFile {
    let path = Configuration.file(environment)
    let shown = path.map { tilde($0, home: environment["HOME"]) }
    let themes = ThemeShelf(environment: environment).entries.map(\.name)
    guard let path, let text = try text(at: path) else {
      return SettingsFile(
        path: path, shownPath: shown, text: nil, configuration: Configuration(), themes: themes)
    }
    let configuration = try Configuration(yaml: text, file: path, themes: themes)
    return SettingsFile(
      path: path, shownPath: shown, text: text, configuration: configuration, themes: themes)
  }

  /// As the shell reads it, for which home is what `HOME` says, whoever is logged in.
  private static func tilde(_ path: String, home: String?) -> String {
    guard let home, !home.isEmpty, path.hasPrefix(home + "/") else { return path }
    return "~" + String(path.dropFirst(home.count))
  }

  /// nil if nothing is there.
  private static func text(at path: String) throws -> String? {
    guard FileStatus(path: path) != nil else { return nil }
    guard let text = String(validating: try bytes(ofFile: path, limit: FileLimit.settings), as: UTF8.self)
    else { throw CommandError.settingsNotText(path: path) }
    return text
  }

  /// Has the policies of a store say this, and every other line what it said. One that is nil is taken out with its line.
  ///
  /// - Throws: ``CommandError/badConfiguration(words:)`` if the file has changed since it was read, or is written in a way in
  ///   which lines cannot be put; ``CommandError/cannotWrite(path:detail:)``. Then it is as it was.
  mutating func write(_ policies: [String: String?], ofStore store: String) throws {
    let new = policies.sorted { $0.key < $1.key }.reduce(text ?? "") {
      PolicyLines($0).setting($1.key, to: $1.value, ofStore: store)
    }
    let toBeDone = path.map { SettingsFile.toBeDone(policies, store, in: $0) } ?? ""
    try write(new, meaning: try expected(policies, store), otherwise: toBeDone)
  }

  /// Has it name the theme of the desk. It throws as ``write(_:ofStore:)`` does.
  mutating func write(theme name: String) throws {
    var expected = configuration
    expected.theme = name
    let toBeDone =
      "\(path ?? "") is written in a way that no line can be put into. Do it yourself: theme: \(name)"
    try write(PolicyLines(text ?? "").setting(theme: name), meaning: expected, otherwise: toBeDone)
  }

  /// - Parameter toBeDone: what is said where the new text does not mean what it should.
  private mutating func write(_ new: String, meaning expected: Configuration, otherwise toBeDone: String)
    throws
  {
    guard let path else { throw CommandError.noPlaceForConfiguration }
    guard try SettingsFile.text(at: path) == text else {
      throw CommandError.badConfiguration(
        words:
          "\(path) was changed by somebody else since Parley read it. Nothing was written; start Parley again."
      )
    }
    let read = try? Configuration(yaml: new, file: path, themes: themes)
    guard let read, read.isSame(as: expected) else { throw CommandError.badConfiguration(words: toBeDone) }
    try SettingsFile.replace(path, with: new)
    (text, configuration) = (new, read)
  }

  /// What a person has to do there where Parley cannot.
  private static func toBeDone(_ policies: [String: String?], _ store: String, in path: String) -> String {
    let sorted = policies.sorted { $0.key < $1.key }
    let put = sorted.compactMap { entry, rule in rule.map { "\(entry): \($0)" } }
    let out = sorted.filter { $0.value == nil }.map(\.key)
    let parts = [("write ", put), ("take out ", out)].filter { !$0.1.isEmpty }
      .map { $0 + $1.joined(separator: ", ") }
    return "\(path) is written in a way that no line can be put into or taken out of. "
      + "Do it yourself, under stores: \(store): policies: \(parts.joined(separator: "; "))"
  }

  private func expected(_ policies: [String: String?], _ store: String) throws -> Configuration {
    var expected = configuration
    for (entry, rule) in policies {
      expected.stores[store, default: Configuration.Rules()].policies[entry] =
        rule.flatMap { MergeRule(rawValue: $0) }
    }
    return expected
  }

  /// Under a name that nobody has first, so that the file is always whole. One that is a link stays a link.
  ///
  /// - Throws: ``CommandError``; then nothing is changed, and nothing is left.
  private static func replace(_ path: String, with text: String) throws {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: target)) == nil else {
      throw CommandError.cannotWrite(path: path, detail: "it is a link to a file that is not there")
    }
    let temporary = target + "." + UUID().uuidString
    do {
      try NewFile.write(text, to: temporary, makingFolders: true)
    } catch CommandError.cannotWrite(_, let detail) {
      // Of the name that it has until then nobody knows.
      throw CommandError.cannotWrite(path: path, detail: detail)
    }
    guard takesMode(of: target, temporary), rename(temporary, target) == 0 else {
      let detail = systemError()
      unlink(temporary)
      throw CommandError.cannotWrite(path: path, detail: detail)
    }
  }

  /// - Returns: whether who may read or write `target`, if it is there, may do so with `path`; else `errno` tells why.
  private static func takesMode(of target: String, _ path: String) -> Bool {
    var status = stat()
    return stat(target, &status) != 0 || chmod(path, status.st_mode & 0o7777) == 0
  }
}

extension Configuration {
  /// Whether both say the same, on whatever lines.
  fileprivate func isSame(as other: Configuration) -> Bool { withoutLines == other.withoutLines }

  private var withoutLines: Configuration {
    var copy = self
    (copy.lines, copy.rules.lineOfMargin) = ([:], nil)
    for store in copy.stores.keys { copy.stores[store]?.lineOfMargin = nil }
    return copy
  }
}
