import Yams

// A theme file is one YAML mapping of roles to looks. A look is at most one colour and any attributes, in any order:
//
//   text: default
//   server: "#FFB454"            a colour that begins with # needs quotes: without them YAML reads a comment
//   cursor: reverse bold
//   ground: "#16181D"
//
// Colours: the 16 ANSI names, `default`, 0 to 255, `#RRGGBB`. Attributes: bold, dim, underline, reverse.

extension Theme {
  /// Reads a theme. `file` is named in errors.
  package init(name: String, yaml: String, file: String) throws(ThemeError) {
    let reader = ThemeReader(yaml: yaml, file: file)
    self.init(name: name, styles: try reader.styles())
  }
}

private struct ThemeReader {
  let yaml: String
  let file: String

  func styles() throws(ThemeError) -> [Theme.Role: Style] {
    var styles: [Theme.Role: Style] = [:]
    for (key, value) in try lines() {
      let role = try role(key)
      guard styles[role] == nil else { throw error(.yaml(.duplicate(role.rawValue)), key) }
      styles[role] = try style(value, of: role, key)
    }
    return styles
  }

  private func lines() throws(ThemeError) -> [(key: Node, value: Node)] {
    guard let root = try composed() else { return [] }
    guard let mapping = root.mapping else { throw error(.notLinesOfRoles, root) }
    return mapping.map { ($0.key, $0.value) }
  }

  private func composed() throws(ThemeError) -> Node? {
    do {
      return try YAMLText.node(yaml)
    } catch {
      throw ThemeError(file: file, error)
    }
  }

  private func role(_ key: Node) throws(ThemeError) -> Theme.Role {
    guard let word = key.scalar?.string else { throw error(.notLinesOfRoles, key) }
    guard let role = Theme.Role(rawValue: word) else { throw error(.unknownRole(word), key) }
    return role
  }

  private func style(_ value: Node, of role: Theme.Role, _ key: Node) throws(ThemeError) -> Style {
    guard let words = value.scalar?.string.split(whereSeparator: \.isWhitespace).map(String.init) else {
      throw error(.notALook(role.rawValue), key)
    }
    guard !words.isEmpty else { throw error(.noLook(role.rawValue), key) }
    var style = Style()
    var colour: Colour?
    for word in words {
      if let attribute = Style.Attribute(rawValue: word), role != .ground {
        style.add(attribute)
      } else if let found = Colour(word) {
        guard colour == nil else { throw error(.secondColour(word), value) }
        colour = found
      } else {
        throw error(.unknownWord(word), value)
      }
    }
    style.colour = colour ?? .standard
    return style
  }

  private func error(_ problem: ThemeError.Problem, _ node: Node) -> ThemeError {
    ThemeError(file: file, line: node.mark?.line ?? 1, problem: problem)
  }
}

/// Why a theme file cannot be used: the file, the line (from 1) and what was found there.
package struct ThemeError: Error, Sendable, Equatable {
  package enum Problem: Sendable, Equatable {
    case yaml(YAMLProblem.Kind)
    /// YAML, but a list, a lone word, or keys that are no words.
    case notLinesOfRoles
    case unknownRole(String)
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
    (self.file, self.line, self.problem) = (file, line, problem)
  }
}

extension ThemeError {
  init(file: String, _ yaml: YAMLProblem) {
    self.init(file: file, line: yaml.line, problem: .yaml(yaml.kind))
  }
}

extension ThemeError: CustomStringConvertible {
  /// File, line, what was found, and what is allowed there.
  package var description: String { "\(file):\(line): \(problem.words)" }
}

extension ThemeError.Problem {
  fileprivate var words: String {
    switch self {
    case .yaml(.unreadable(let text)): "this is not YAML: \(text). A theme is lines of “role: colour”."
    case .yaml(let kind): kind.words
    case .notLinesOfRoles: "a theme is lines of “role: colour”, such as “client: cyan bold”."
    case .unknownRole(let word): "there is no role “\(word)”. Roles are \(Self.roles)."
    case .unknownWord(let word): "“\(word)” is neither a colour nor an attribute. \(Self.looks)"
    case .secondColour(let word): "“\(word)” is a second colour. A role has one."
    case .noLook(let role):
      "nothing after “\(role):”. A colour that begins with # needs quotes: \(role): \"#6CB6FF\"."
    case .notALook(let role): "“\(role)” needs one line, such as “\(role): cyan bold”."
    }
  }

  private static var roles: String { Theme.Role.allCases.map(\.rawValue).joined(separator: ", ") }

  private static var looks: String {
    "Colours are \(Colour.names.joined(separator: ", ")), default, 0 to 255 and \"#RRGGBB\"; attributes are "
      + Style.Attribute.allCases.map(\.rawValue).joined(separator: ", ") + "."
  }
}
