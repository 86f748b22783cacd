import Testing

/// A page of the desk is found in one place: what it knows, what its keys do and how it is drawn.
@Suite("Pages of the desk") struct DeskPageTests {
  private static func sources() throws -> [ProjectFile] {
    try ProjectFile.all("swift").filter { $0.path.hasPrefix("Sources/Desk/") }
  }

  @Test("Each lies in one folder")
  func folders() throws {
    let page = /^(?:package )?(?:struct|extension) (?<name>\w+Page)\b/
    var folders: [String: Set<String>] = [:]
    for source in try Self.sources() {
      for line in source.lines {
        guard let match = line.firstMatch(of: page) else { continue }
        folders[String(match.name), default: []].insert(source.folder)
      }
    }
    #expect(folders.count > 10)
    for (name, places) in folders {
      #expect(
        places.count == 1 && places.allSatisfy { $0.hasPrefix("Sources/Desk/Pages") }, "\(name): \(places)")
    }
  }

  @Test("Commands are taken there, beside those of every page and of every line, and each is thought of")
  func commands() throws {
    let others = ["Sources/Desk/Desk+Update.swift", "Sources/Desk/Input/InputLine.swift"]
    for source in try Self.sources() {
      var indent: Substring?
      for (index, line) in source.lines.enumerated() {
        let blanks = Substring(line.prefix { $0 == " " })
        if line.contains("switch command {") {
          let isHere = source.path.hasPrefix("Sources/Desk/Pages/") || others.contains(source.path)
          #expect(isHere, "\(source.path):\(index + 1)")
          indent = blanks
        } else if indent == blanks {
          #expect(!line.contains(/^ *default:/), "\(source.path):\(index + 1) passes over commands")
          if line.contains("}") { indent = nil }
        }
      }
    }
  }
}
