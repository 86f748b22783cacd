import Foundation

/// A file of the project, as text.
struct ProjectFile: Sendable {
  /// From the project's folder on.
  let path: String
  let lines: [Substring]

  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
  var name: String { String(path.split(separator: "/").last ?? "") }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// Those whose names end in one of `kinds`, but for what is hidden.
  static func all(_ kinds: String...) throws -> [ProjectFile] {
    precondition(kinds.allSatisfy(texts.contains), "\(kinds): no other kind is read")
    return try everything.get().filter { file in kinds.contains { file.path.hasSuffix("." + $0) } }
  }

  private static let texts = ["swift", "md", "c", "h"]

  /// Read once, for all tests that look at them: there are more than a thousand.
  private static let everything = Result {
    let files = FileManager.default.enumerator(
      at: root, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    let urls = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { texts.contains($0.pathExtension) }
    return try urls.map { try ProjectFile($0) }.sorted { $0.path < $1.path }
  }

  private init(_ url: URL) throws {
    let parts = url.standardizedFileURL.pathComponents.dropFirst(
      Self.root.standardizedFileURL.pathComponents.count)
    path = parts.joined(separator: "/")
    lines = try String(contentsOf: url, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  /// `path` as it is meant in a text that lies in ``folder``; nil if it leads out of the project.
  func resolved(_ path: String) -> String? {
    var parts = folder.split(separator: "/")
    for part in path.split(separator: "/") {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }

  func read(_ path: String) throws -> ProjectFile? {
    Self.isThere(path) ? try ProjectFile(Self.root.appending(path: path)) : nil
  }
}

/// What a Markdown file has beside its words.
extension ProjectFile {
  struct Table {
    /// The file and the number of the line.
    let place: String
    let header: [String]
    let rows: [[String]]
  }

  /// The lines that are no code, with their numbers.
  private var prose: [(number: Int, text: Substring)] {
    var isCode = false
    return lines.enumerated().compactMap { index, line in
      if line.hasPrefix("```") { isCode.toggle() }
      return isCode || line.hasPrefix("    ") ? nil : (index + 1, line)
    }
  }

  var tables: [Table] {
    var tables: [Table] = []
    var rest = prose[...]
    while let start = rest.firstIndex(where: { $0.text.hasPrefix("|") }) {
      let table = rest[start...].prefix { $0.text.hasPrefix("|") }
      let cells = table.map { line in
        line.text.replacing(#"\|"#, with: "\0").split(separator: "|").map {
          $0.trimmingCharacters(in: .whitespaces).replacing("\0", with: "|")
        }
      }
      tables.append(
        Table(
          place: "\(path):\(rest[start].number)", header: cells.first ?? [], rows: Array(cells.dropFirst(2))))
      rest = rest[table.endIndex...]
    }
    return tables
  }

  var headings: [String] {
    prose.filter { $0.text.hasPrefix("#") }.map { line in
      String(line.text.drop { $0 == "#" }).trimmingCharacters(in: .whitespaces)
    }
  }

  /// What a link to a heading is called.
  var anchors: [String] {
    headings.map { heading in
      let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      return kept.replacing(" ", with: "-")
    }
  }

  /// Links and pictures that are no address of the web.
  var links: [(place: String, target: String)] {
    prose.flatMap { line in
      line.text.matches(of: /\]\(([^)\s]+)\)/).map { ("\(path):\(line.number)", String($0.1)) }
    }.filter { !$0.1.contains("://") }
  }
}
