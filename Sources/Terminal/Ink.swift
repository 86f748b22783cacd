/// What a cell means. A theme turns meanings into colours; no screen knows a colour.
package struct Ink: Sendable, Hashable {
  /// The roles a theme has a colour for.
  package enum Role: String, Sendable, CaseIterable {
    case text, dim, ancestor, client, server, result, needs, ready, failed
  }

  package var role: Role
  package var isBold = false
  package var isUnderlined = false
  /// Struck out where the terminal can; a removed word.
  package var isStruck = false
  /// Under the cursor: reversed in every theme.
  package var isSelected = false

  package init(_ role: Role) { self.role = role }

  package static let text = Ink(.text)
  package static let dim = Ink(.dim)
  package static let ancestor = Ink(.ancestor)
  package static let client = Ink(.client)
  package static let server = Ink(.server)
  package static let result = Ink(.result)
  package static let needs = Ink(.needs)
  package static let ready = Ink(.ready)
  package static let failed = Ink(.failed)

  package var bold: Ink { with(\.isBold, true) }
  package var underlined: Ink { with(\.isUnderlined, true) }
  package var struck: Ink { with(\.isStruck, true) }
  package func selected(_ isSelected: Bool = true) -> Ink { with(\.isSelected, isSelected) }

  private func with(_ keyPath: WritableKeyPath<Ink, Bool>, _ value: Bool) -> Ink {
    var copy = self
    copy[keyPath: keyPath] = value
    return copy
  }
}

/// A piece of text of one ink.
package struct Run: Sendable, Equatable {
  package var text: String
  package var ink: Ink

  package init(_ text: String, _ ink: Ink = .text) { (self.text, self.ink) = (text, ink) }
}
