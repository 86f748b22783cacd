import Terminal

extension Key: ExpressibleByUnicodeScalarLiteral {
  package init(unicodeScalarLiteral scalar: Unicode.Scalar) { self = .character(Character(scalar)) }

  /// The key as a person reads it: "Tab", "Ctrl-U", "F5", "c".
  package var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let character): "Ctrl-\(character.uppercased())"
    case .alt(let character): "Alt-\(character.uppercased())"
    case .enter: "Enter"
    case .altEnter: "Alt-Enter"
    case .altBackspace: "Alt-BackSp"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .shiftUp: "Shift-Up"
    case .shiftDown: "Shift-Down"
    case .controlUp: "Ctrl-Up"
    case .controlDown: "Ctrl-Down"
    case .controlPageUp: "Ctrl-PgUp"
    case .controlPageDown: "Ctrl-PgDn"
    case .function(let number): "F\(number)"
    }
  }
}

extension Key {
  /// The key that a terminal sends behind an Esc where this one is pressed with Alt; nil for one without.
  var behindEscape: Key? {
    switch self {
    case .alt(let letter): .character(letter)
    case .altEnter: .enter
    case .altBackspace: .backspace
    default: nil
    }
  }
}
