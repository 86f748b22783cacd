/// What every ink looks like. Ten roles, and optionally the ground they stand on.
package struct Theme: Sendable, Equatable {
  /// What a line of a theme file may begin with.
  package enum Role: String, Sendable, CaseIterable {
    case text, dim, ancestor, client, server, result, needs, ready, failed
    /// The selected line, on top of whatever its text is.
    case cursor
    /// The background of the whole screen. Not a role of text: without it the terminal's own stays.
    case ground
  }

  /// The name a user chooses it by: that of its file, without `.yaml`.
  package let name: String
  /// What is behind everything; ``Colour/standard`` leaves the terminal's own.
  package let ground: Colour
  private let styles: [Role: Style]

  init(name: String, styles: [Role: Style]) {
    self.name = name
    self.styles = styles
    ground = styles[.ground]?.colour ?? .standard
  }

  /// A role the theme leaves out looks like `text`; `cursor` left out is reversed, or nobody could see it.
  package subscript(role: Role) -> Style { styles[role] ?? fallback(role) }

  /// Whether the theme itself gives this role a look.
  package func names(_ role: Role) -> Bool { styles[role] != nil }

  /// Whether no colour is named at all, so that none need be sent.
  package var isColourless: Bool { styles.values.allSatisfy { $0.colour == .standard } }

  /// The look of one cell.
  package func style(for ink: Ink) -> Style {
    var style = self[ink.role.themeRole]
    style.isBold = style.isBold || ink.isBold
    style.isUnderlined = style.isUnderlined || ink.isUnderlined
    style.isStruck = ink.isStruck
    return ink.isSelected ? underCursor(style) : style
  }

  /// The same theme with every colour left to the terminal: `NO_COLOR`, `--color=never`.
  package var withoutColour: Theme {
    restyled { $0.withoutColour }
  }

  /// The same with every look changed by `body`.
  func restyled(_ body: (Style) -> Style) -> Theme { Theme(name: name, styles: styles.mapValues(body)) }

  /// The same on the same ground, with every other look changed by `body`.
  func inked(_ body: (Style) -> Style) -> Theme {
    var styles = styles.mapValues(body)
    styles[.ground] = self.styles[.ground]
    return Theme(name: name, styles: styles)
  }

  /// The inks alone, on what the terminal has behind them; its text stays the terminal's own.
  func onOwnGround(as name: String) -> Theme {
    var inks = styles
    inks[.ground] = nil
    inks[.text] = Style()
    return Theme(name: name, styles: inks)
  }

  private func underCursor(_ style: Style) -> Style {
    var style = style
    let cursor = self[.cursor]
    if cursor.colour != .standard { style.colour = cursor.colour }
    for attribute in Style.Attribute.allCases where cursor.has(attribute) { style.add(attribute) }
    return style
  }

  private func fallback(_ role: Role) -> Style {
    var style = role == .ground || role == .cursor ? Style() : styles[.text] ?? Style()
    if role == .cursor { style.isReversed = true }
    return style
  }
}

extension Ink.Role {
  fileprivate var themeRole: Theme.Role {
    switch self {
    case .text: .text
    case .dim: .dim
    case .ancestor: .ancestor
    case .client: .client
    case .server: .server
    case .result: .result
    case .needs: .needs
    case .ready: .ready
    case .failed: .failed
    }
  }
}

extension Style {
  fileprivate var withoutColour: Style {
    var style = self
    style.colour = .standard
    return style
  }
}
