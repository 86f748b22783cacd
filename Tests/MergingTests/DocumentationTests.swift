import Foundation
import Merging
import TerminalTestSupport
import Testing

/// The pages of the library are true: their code compiles, and the table of the seven fields is the model's.
@Suite struct DocumentationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Merging").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The blocks of Swift code in a page, or in the doc comments of a source.
  private static func code(_ path: String) throws -> String {
    var code: [Substring] = []
    var isInside = false
    for line in try text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " || $0 == "/" }
      if words == "```swift" || (isInside && words == "```") {
        isInside.toggle()
      } else if isInside {
        code.append(path.hasSuffix(".swift") ? words : line)
      }
    }
    return code.joined(separator: "\n")
  }

  @Test(
    .enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"),
    arguments: ["Merging", "Policies", "Drafts"])
  func theCodeOfAPageCompiles(page: String) throws {
    let code = try Self.code("Merging.docc/\(page).md")
    #expect(code.contains("import Merging"))
    #expect(try SwiftCompiler.errors(in: code, isScript: true) == [:])
  }

  /// A page is compiled as a script, whose own lines are the main actor's anyway: so this code by itself.
  @Test(.enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"))
  func theCodeForTheMainActorCompilesThere() throws {
    let page = try Self.text("Merging.docc/Policies.md")
    let code = page.split(separator: "```").filter {
      $0.hasPrefix("swift\n") && $0.contains("nonisolated")
    }.map { $0.dropFirst(6) }.joined()
    #expect(code.contains("struct") && code.contains("extension"))
    let isolation = ["-default-isolation", "MainActor"]
    #expect(try SwiftCompiler.errors(in: "import Merging\n" + code, options: isolation) == [:])
  }

  @Test(.enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"))
  func theCodeInCommentsCompiles() throws {
    let around = """
      import Merging
      struct Reminder { let id: Int; var title: String; var visits: Int; var notes: String? }
      let ancestor: RowVersion<Reminder>? = nil
      let client = RowVersion(row: Reminder(id: 1, title: "", visits: 0), columnTimes: [:])
      let server = client

      """
    let code = try Self.code("Typed/Mergeable.swift") + "\n" + Self.code("Typed/MergeConflict.swift")
    #expect(code.contains("mergeFields") && code.contains("mergedValue"))
    #expect(try SwiftCompiler.errors(in: around + code, isScript: true) == [:])
  }

  /// The type that is merged where a row cannot have the field. The other code for apps is that of an example that runs.
  @Test(.enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"))
  func theTypeForTheMergeCompiles() throws {
    let page = try Self.text("../SQLiteDataStores/FOR-APPS.md")
    let code = page.split(separator: "```").filter {
      $0.hasPrefix("swift\n") && $0.contains("AssetReference")
    }.map { $0.dropFirst(6) }.joined()
    #expect(code.contains("NoteToMerge"))
    let cryptography = Self.folder.appending(path: "../CCrypto").standardized.path
    let errors = try SwiftCompiler.errors(
      in: "import ArchivedRows\nimport Merging\n" + code, options: ["-I", cryptography])
    #expect(errors == [:])
  }

  @Test func theTableOfTheSevenFieldsIsTheModels() throws {
    let rows = try Self.text("Merging.docc/Merging.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
    let expected = SevenFields.all(tie: .client).map { field in
      [
        "\(field.number)", "foo @0", "\(field.client.value) @\(field.client.time)",
        "\(field.server.value) @\(field.server.time)", field.change.rawValue, field.draft,
        field.certainty.map { "\($0)" } ?? "",
      ]
    }
    let cells = rows.dropFirst().map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(cells == expected)
  }
}
