import Foundation
import Terminal
import Testing

@testable import parley

/// What `.ci/package` says that people get. Making it takes minutes, and it looks at what it made itself.
@Suite("The package") struct PackageTests {
  private static func text(_ name: String) throws -> String {
    try String(
      contentsOf: URL(fileURLWithPath: #filePath).appending(path: "../../../../.ci/\(name)").standardized,
      encoding: .utf8)
  }

  @Test("It lists the binary, the manual, all completions and all themes, and nothing twice")
  func files() throws {
    let lines = try Self.text("package").split(separator: "\n")
    let start = try #require(lines.firstIndex(of: "  cat <<'END'"))
    let listed = lines[(start + 1)...].prefix { $0 != "END" }.map(String.init)
    let doc = "644 share/doc/parley/"
    let themes = Theme.builtInNames.map { "\(doc)themes/\($0).yaml" }
    let completions = CompletionsCommand.Shell.allCases.map { shell in
      switch shell {
      case .bash: "644 share/bash-completion/completions/parley"
      case .zsh: "644 share/zsh/vendor-completions/_parley"
      case .fish: "644 share/fish/vendor_completions.d/parley.fish"
      }
    }
    let texts = ["themes/README.md", "changelog.gz", "copyright"].map { doc + $0 }
    let expected = ["755 bin/parley", "644 share/man/man1/parley.1.gz"] + completions + themes + texts
    #expect(listed.sorted() == expected.sorted())
  }

  @Test("The formula for Homebrew says that it was never run, and installs the same")
  func formula() throws {
    let formula = try Self.text("parley.rb")
    #expect(formula.contains("never run"))
    let shells = CompletionsCommand.Shell.allCases.map { ":\($0.rawValue)" }.joined(separator: ", ")
    for text in ["[\(shells)]", "\"help\", \"--man\"", "bin.install", "Themes/*.yaml"] {
      #expect(formula.contains(text), "\(text)")
    }
  }
}
