import Yams

/// Why a theme file cannot be used: the file, the line (from 1) and what was found there.
public struct ThemeError: Error, Sendable, Equatable {
  public enum Problem: Sendable, Equatable {
    /// Not YAML; what the parser said.
    case unreadable(String)
    /// YAML, but a list, a lone word, or keys that are no words.
    case notLinesOfRoles
    case unknownRole(String)
    case duplicateRole(String)
    /// Neither a colour nor an attribute.
    case unknownWord(String)
    case secondColour(String)
    /// A role with nothing after the colon; often a `#` that YAML took for a comment.
    case noLook(String)
    /// A role with a list or a mapping after the colon.
    case notALook(String)
  }

  public let file: String
  public let line: Int
  public let problem: Problem

  public init(file: String, line: Int, problem: Problem) {
    self.file = file
    self.line = line
    self.problem = problem
  }
}

extension ThemeError {
  init(yaml: String, file: String, _ error: any Error) {
    self.file = file
    switch error {
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let role = duplicates.first ?? ""
      // Yams tells where the mapping begins, not where the second line stands.
      line = Self.lines(of: role, in: yaml).dropFirst().first ?? context.mark.line
      problem = .duplicateRole(role)
    case YamlError.scanner(_, let text, let mark, _), YamlError.parser(_, let text, let mark, _),
      YamlError.composer(_, let text, let mark, _):
      line = mark.line
      problem = .unreadable(text)
    case YamlError.reader(let text, let offset, _, let yaml):
      line = 1 + yaml.prefix(offset ?? 0).count { $0.isNewline }
      problem = .unreadable(text)
    default:
      line = 1
      problem = .unreadable("\(error)")
    }
  }

  private static func lines(of role: String, in yaml: String) -> [Int] {
    yaml.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.drop { " \"'".contains($0) }.hasPrefix(role) }
      .map { $0.offset + 1 }
  }
}
