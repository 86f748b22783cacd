import Testing

/// What `Package.swift` and the picture in `Sources/README.md` say of who imports whom, and what the files import.
@Suite struct TargetImportTests {
  /// SwiftPM lets an import pass of what a dependency depends on.
  @Test func nothingIsImportedThatIsNotDeclared() throws {
    let targets = try PackageTarget.all()
    #expect(targets.count > 40)
    let known = Set(targets.map(\.name)).union(targets.flatMap(\.dependencies))
    for target in targets {
      let undeclared = target.imports.intersection(known).subtracting(target.dependencies)
      #expect(undeclared.isEmpty, "\(target.name)")
    }
  }

  /// Tests may depend on a program that they run.
  @Test func nothingIsDeclaredThatNoFileImports() throws {
    let targets = try PackageTarget.all()
    let programs = targets.filter { $0.kind == "macro" }.map(\.name)
    for target in targets where target.isOfTheProgram {
      let unused = target.dependencies.subtracting(target.imports).subtracting(programs)
      #expect(unused.isEmpty, "\(target.name)")
    }
  }

  @Test func inThePictureATargetStandsAboveAllThatItImports() throws {
    let targets = try PackageTarget.all().filter(\.isOfTheProgram)
    let picture = try Self.picture()
    #expect(picture.flatMap(\.self).sorted() == targets.map(\.name).sorted())
    let line = { (name: String) in picture.firstIndex { $0.contains(name) } }
    for target in targets {
      let own = try #require(line(target.name))
      for other in target.dependencies {
        if let line = line(other) { #expect(line > own, "\(target.name) imports \(other)") }
      }
    }
  }

  /// The names on each of its lines.
  private static func picture() throws -> [[String]] {
    let readme = try #require(try ProjectFile.all("md").first { $0.path == "Sources/README.md" })
    let lines = readme.lines.drop { $0 != "```" }.dropFirst().prefix { $0 != "```" }
    return lines.map { line in line.prefix { $0 != "│" }.split(separator: " ").map(String.init) }
  }
}

/// A target as `Package.swift` declares it, read as text, and what its files import.
private struct PackageTarget {
  let kind: String
  let name: String
  let dependencies: Set<String>
  let imports: Set<String>
  let isOfTheProgram: Bool

  static func all() throws -> [PackageTarget] { try found.get() }

  private static let found = Result {
    let files = try ProjectFile.all("swift")
    let manifest = try #require(files.first { $0.path == "Package.swift" })
    let text = manifest.lines.joined(separator: "\n")
    let constants = products(in: text)
    let start = try #require(text.firstRange(of: "\n  targets: [")).upperBound
    return try text[start...].split(separator: "\n    .").map { declaration in
      try PackageTarget(declaration, constants, files)
    }
  }

  /// By the names of the constants that they are declared by.
  private static func products(in text: String) -> [String: String] {
    let constant = /let (?<name>\w+) = Target\.Dependency\.product\(\s*name: "(?<product>\w+)"/
    return Dictionary(
      uniqueKeysWithValues: text.matches(of: constant).map { (String($0.name), String($0.product)) })
  }

  /// - Parameter declaration: from its kind on.
  private init(_ declaration: Substring, _ products: [String: String], _ files: [ProjectFile]) throws {
    kind = String(declaration.prefix { $0 != "(" })
    let name = String(try #require(declaration.firstMatch(of: /name: "(?<name>[^"]+)"/)).name)
    let list = declaration.firstMatch(of: /dependencies: \[(?<list>[^\]]*)\]/).map { $0.list } ?? ""
    let targets = list.matches(of: /"(?<name>[^"]+)"/).map { String($0.name) }
    let others = list.matches(of: /\w+/).compactMap { products[String($0.output)] }
    let path = declaration.firstMatch(of: /path: "(?<path>[^"]+)"/).map { String($0.path) }
    let folder = path ?? (kind == "testTarget" ? "Tests/" : "Sources/") + name
    self.name = name
    dependencies = Set(targets + others)
    imports = Set(
      files.filter { $0.path.hasPrefix(folder + "/") }.flatMap { $0.lines.compactMap(Self.module) })
    isOfTheProgram = folder.hasPrefix("Sources/")
  }

  /// What a line imports.
  private static func module(_ line: Substring) -> String? {
    let line = line.drop { $0 == " " }
    guard line.hasPrefix("import ") || line.hasPrefix("@") else { return nil }
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), place < 2, place + 1 < words.count else { return nil }
    return String(words[place + 1])
  }
}
