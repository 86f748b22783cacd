/// Why a theme file cannot be used: the file, the line (from 1) and what was found there.
package struct ThemeError: Error, Sendable, Equatable {
  package enum Problem: Sendable, Equatable {
    /// Not YAML; what the parser said.
    case unreadable(String)
    /// `&name` or `*name`.
    case alias
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

  package let file: String
  package let line: Int
  package let problem: Problem

  package init(file: String, line: Int, problem: Problem) {
    self.file = file
    self.line = line
    self.problem = problem
  }
}

extension ThemeError {
  init(file: String, _ yaml: YAMLProblem) {
    let problem: Problem =
      switch yaml.kind {
      case .duplicate(let role): .duplicateRole(role)
      case .unreadable(let text): .unreadable(text)
      case .alias: .alias
      }
    self.init(file: file, line: yaml.line, problem: problem)
  }
}
