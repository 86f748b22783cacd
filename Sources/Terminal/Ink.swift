/// What a cell means. A theme turns meanings into colours; no screen knows a colour.
package struct Ink: Sendable, Hashable {
  /// The roles a theme has a colour for.
  package enum Role: String, Sendable, CaseIterable {
    case text, dim, ancestor, client, server, result, needs, ready, failed
  }

  package var role: Role
  // In one byte: a frame has ten thousand cells, and each is compared with every key.
  private var styles: Styles = []

  private struct Styles: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let bold = Styles(rawValue: 1)
    static let underlined = Styles(rawValue: 2)
    static let struck = Styles(rawValue: 4)
    static let selected = Styles(rawValue: 8)
  }

  package var isBold: Bool { styles.contains(.bold) }
  package var isUnderlined: Bool { styles.contains(.underlined) }
  /// Struck out where the terminal can; a removed word.
  package var isStruck: Bool { styles.contains(.struck) }
  /// Under the cursor: reversed in every theme.
  package var isSelected: Bool {
    get { styles.contains(.selected) }
    set { self = selected(newValue) }
  }

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

  package var bold: Ink { with(.bold) }
  package var underlined: Ink { with(.underlined) }
  package var struck: Ink { with(.struck) }
  package func selected(_ isSelected: Bool = true) -> Ink { with(.selected, isSelected) }

  private func with(_ style: Styles, _ has: Bool = true) -> Ink {
    var copy = self
    copy.styles = has ? styles.union(style) : styles.subtracting(style)
    return copy
  }
}

/// A piece of text of one ink.
package struct Run: Sendable, Equatable {
  package var text: String
  package var ink: Ink

  package init(_ text: String, _ ink: Ink = .text) { (self.text, self.ink) = (text, ink) }
}
