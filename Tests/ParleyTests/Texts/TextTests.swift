import ArgumentParser
import Desk
import Foundation
import Merging
import StoreInterface
import Telling
import Terminal
import Testing

@testable import parley

/// What the texts of the project say of the code. A table is known by the first word of its header, wherever it stands.
@Suite("Texts") struct TextTests {
  @Test("A table of exit statuses has all of them, in the words of the help")
  func exits() throws {
    try compare("exit", Status.allCases.map { ["\($0.rawValue)", $0.words] })
  }

  @Test("A table of outcomes has all that a store can give")
  func outcomes() throws {
    let outcomes: [CheckedWrite.Outcome] = [
      .fine, .moved(""), .refused(field: nil, ""), .partly(written: "", ""), .notKnown(""), .notReached(""),
    ]
    try compare("outcome", outcomes.map { [$0.word(fine: "written")] })
  }

  @Test("A table of commands has all of them, with their arguments, in the words of the help")
  func commands() throws {
    let commands = Parley.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    try compare("command", commands.map { ["`\(Self.usage(of: $0))`", $0.configuration.abstract] })
  }

  @Test("A table of keys has all of the keymap's")
  func keys() throws {
    var rows: [[String]] = []
    var places: [[String]: Set<Topic>] = [:]
    for topic in Topic.allCases {
      for binding in Keymap.told(on: topic) {
        let keys = binding.keys.map { "`\($0.name)`" }.joined(separator: " ")
        let row = [keys, binding.label]
        if places[row] == nil { rows.append(row) }
        places[row, default: []].insert(topic)
      }
    }
    try compare(
      "key",
      rows.map { row in
        let topics = places[row] ?? []
        let names = Topic.allCases.filter(topics.contains).map(\.rawValue).joined(separator: ", ")
        return [row[0], Self.every[topics] ?? names, row[1]]
      })
  }

  private static let every = [Keymap.screens: "all", Set(Topic.allCases): "everywhere"]

  @Test("A table of policies has all of them")
  func policies() throws { try compare("policy", MergeRule.allCases.map { ["`\($0.rawValue)`"] }) }

  @Test("A table of themes has all that are built in")
  func themes() throws { try compare("theme", Theme.builtInNames.map { ["`\($0)`"] }) }

  @Test("A table of answers has all that the linear desk takes, in the words of its help")
  func answers() throws {
    let entries = LinearAnswer.entries
    try compare("answer", entries.map { [$0.keys.map { "`\($0)`" }.joined(separator: " "), $0.meaning] })
  }

  @Test("A table of roles has all of them, and so has the theme that explains the lines")
  func roles() throws { try compare("role", Theme.Role.allCases.map { ["`\($0.rawValue)`"] }) }

  @Test("A table of findings has all that the store beside it knows")
  func findings() throws {
    let sources = try ProjectFile.all("swift")
    let tables = try Self.tables("finding")
    #expect(tables.count == 3)
    for table in tables {
      // What trees of revisions can have wrong is told once, for all stores that have them.
      let folder = table.folder.hasSuffix("CloudantStores") ? "Sources/RevisionTrees" : table.folder
      // A write that was interrupted is found by the journal, of every store.
      let places = [folder + "/", "Sources/Journals/"]
      // Server records are imported into SQLiteData's alone.
      let acts = ["write", "undo"] + (table.folder.hasSuffix("SQLiteDataStores") ? ["import"] : [])
      let names = sources.filter { source in places.contains { source.path.hasPrefix($0) } }.flatMap {
        Self.findings(in: $0, acts)
      }
      #expect(names.count > 5, "\(table.folder)")
      compare(table.table, names.map { [$0] })
    }
  }

  @Test("The README is short: what it cannot tell lies where its reader looks")
  func readme() throws {
    let readme = try #require(try ProjectFile.all("md").first { $0.path == "README.md" })
    #expect(readme.lines.joined(separator: "\n").utf8.count <= 12_000)
  }

  /// The literals with the label `what`, by which a switch over all kinds names each. One that is made of an act's word names all of these.
  private static func findings(in file: ProjectFile, _ acts: [String]) -> [String] {
    let text = file.lines.joined(separator: "\n")
    let names = text.matches(of: /what: "(?<name>[^"\\]+)"/).map { String($0.name) }
    let parts = text.matches(of: /what: "(?<name>[^"\\]+)\\\(act\)"/).flatMap { match in
      acts.map { String(match.name) + $0 }
    }
    return names + parts
  }

  private static func usage(of command: any ParsableCommand.Type) -> String {
    // Of more than a dozen options it says only that there are some.
    let words = Parley.usageString(for: command).replacing(/\ (\[(--|<options>)[^\]]*\]|<options>)/, with: "")
      .replacing("parley open", with: "parley").replacing(" ...", with: "…")
    return words.replacing(/<([a-z]+)>/) { $0.1.uppercased() }
  }

  private static func tables(_ heading: String) throws -> [(folder: String, table: ProjectFile.Table)] {
    try ProjectFile.all("md").flatMap { file in
      file.tables.filter { $0.header.first == heading }.map { (file.folder, $0) }
    }
  }

  private func compare(_ heading: String, _ expected: [[String]]) throws {
    let tables = try Self.tables(heading)
    #expect(!tables.isEmpty, "no text has a table that begins with \(heading)")
    for table in tables { compare(table.table, expected) }
  }

  /// As many cells count as `expected` has.
  private func compare(_ table: ProjectFile.Table, _ expected: [[String]]) {
    let rows = table.rows.map { Array($0.prefix(expected.first?.count ?? 0)) }
    for row in rows where !expected.contains(row) {
      Issue.record("\(table.place) has a row that is not true: | \(row.joined(separator: " | ")) |")
    }
    for row in expected where !rows.contains(row) {
      Issue.record("\(table.place) lacks a row: | \(row.joined(separator: " | ")) |")
    }
    #expect(Set(rows).count == rows.count, "\(table.place) says something twice")
  }
}

/// Where the texts and comments of the project point to.
@Suite("Pointers") struct PointerTests {
  @Test("Every link leads to a file of the project, and to a heading that is there")
  func links() throws {
    let files = try ProjectFile.all("md")
    #expect(files.count > 10)
    for file in files {
      for link in file.links {
        let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? file.path : file.resolved(String(parts[0]))
        guard let path, ProjectFile.isThere(path) else {
          Issue.record("\(link.place) leads nowhere: \(link.target)")
          continue
        }
        guard parts.count > 1 else { continue }
        let anchors = try file.read(path)?.anchors ?? []
        #expect(anchors.contains(String(parts[1])), "\(link.place) leads to no heading: \(link.target)")
      }
    }
  }

  @Test("Every path that a text names from the project's folder on is there")
  func paths() throws {
    let path = /`(?<path>(?:Sources|Tests|Themes|Screenshots|\.ci)\/[^`\s…*]*)`/
    for file in try ProjectFile.all("md") {
      for (index, line) in file.lines.enumerated() {
        for match in line.matches(of: path) {
          #expect(
            ProjectFile.isThere(String(match.path)), "\(file.path):\(index + 1) names \(match.path)")
        }
      }
    }
  }

  @Test("Every option that a text names is one")
  func options() throws {
    let help = Parley.configuration.subcommands.map { Parley.helpMessage(for: $0) }.joined(separator: " ")
    let option = Self.option
    let ours = Set(help.matches(of: option).map { String($0.0) })
    let others: Set = [
      "--version", "--help", "--man", "--generate-completion-script",
      // of swift
      "--disable-xctest", "--filter", "--explicit-target-dependency-import-check",
      "--enable-all-traits", "--scratch-path",
      // of hidden commands, for measuring
      "--documents",
      // of Tests/attack
      "--tries", "--minutes", "--seed",
    ]
    for file in try ProjectFile.all("md") {
      for (index, line) in file.lines.enumerated() {
        for match in line.matches(of: option) where !ours.union(others).contains(String(match.0)) {
          Issue.record("\(file.path):\(index + 1) names \(match.0), which is no option")
        }
      }
    }
  }

  /// A pair of hyphens between blanks is a dash, and one of a table's rule has no letter.
  private static var option: Regex<Substring> { /--[a-z][a-z-]*[a-z]/ }

  /// A source of somebody else is named in the page of facts that it was read for; so is a heading of such a page, in quotes.
  @Test("Every file that a comment names is in the project, or among the sources of a FORMAT.md")
  func comments() throws {
    let texts = try ProjectFile.all("md")
    let sources = try ProjectFile.all("swift", "c", "h")
    let names = Set((texts + sources).map(\.name))
    let formats = texts.filter { $0.name == "FORMAT.md" }
    let facts = formats.map { $0.lines.joined(separator: "\n") }.joined()
    let map = texts.first { $0.path == "Tests/README.md" }?.lines.joined(separator: "\n") ?? ""
    #expect(formats.count > 2)
    for file in sources {
      for comment in file.comments where Self.mayName(comment.text) {
        for match in comment.text.matches(of: /[\w+.\/-]*\w\.(?:md|swift|json|m|c|erl)\b/) {
          let path = String(match.0)
          let name = path.split(separator: "/").last.map(String.init) ?? path
          let isThere =
            name == "FORMAT.md"
            ? file.format(path, among: formats) != nil
            : path.hasSuffix(".json")
              ? !path.contains("/") || map.contains(path) || ProjectFile.isThere(path)
              : names.contains(name) || facts.contains(name)
          #expect(isThere, "\(comment.place) names \(path), which is neither here nor a source of FORMAT.md")
        }
        for match in comment.text.matches(
          of: /(?<path>[\w\/]*FORMAT\.md), "(?<heading>[^"]+)"(?: and "(?<other>[^"]+)")?/)
        {
          let headings = file.format(String(match.path), among: formats)?.headings ?? []
          for heading in [match.heading, match.other ?? match.heading] {
            #expect(headings.contains(String(heading)), "\(comment.place) names no heading: \(heading)")
          }
        }
        #expect(
          comment.text.firstMatch(of: /\bfacts,? sections?\b/) == nil,
          "\(comment.place) points to facts that are not in the project")
      }
    }
  }
}

extension PointerTests {
  /// There are ten thousand comments, and patterns are slow.
  private static func mayName(_ comment: String) -> Bool {
    [".md", ".swift", ".json", ".m", ".c", ".erl", "facts"].contains { comment.contains($0) }
  }
}

extension ProjectFile {
  /// Comments that have lines of their own, each as one text without the marks.
  fileprivate var comments: [(place: String, text: String)] {
    var comments: [(place: String, text: String)] = []
    var isInside = false
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("//") else {
        isInside = false
        continue
      }
      let words = text.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
      if isInside {
        comments[comments.count - 1].text += " " + words
      } else {
        comments.append(("\(path):\(index + 1)", words))
      }
      isInside = true
    }
    return comments
  }

  /// The page of facts that is meant: by its path, or the one beside this file.
  fileprivate func format(_ named: String, among formats: [ProjectFile]) -> ProjectFile? {
    formats.first { $0.path == named }
      ?? (named == "FORMAT.md" ? formats.first { path.hasPrefix($0.folder + "/") } : nil)
  }
}
