extension ThemeError: CustomStringConvertible {
  /// File, line, what was found, and what is allowed there.
  package var description: String { "\(file):\(line): \(problem.words)" }
}

extension ThemeError.Problem {
  fileprivate var words: String {
    switch self {
    case .unreadable(let text): "this is not YAML: \(text). A theme is lines of “role: colour”."
    case .alias: "anchors and aliases (&name, *name) are not read here. Write the value out."
    case .notLinesOfRoles: "a theme is lines of “role: colour”, such as “client: cyan bold”."
    case .unknownRole(let word): "there is no role “\(word)”. Roles are \(Self.roles)."
    case .duplicateRole(let word): "“\(word)” stands here a second time. Keep one of the two."
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
