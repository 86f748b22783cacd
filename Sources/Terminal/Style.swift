/// How something looks: a colour and attributes. Screens never see one; they speak in inks.
package struct Style: Sendable, Hashable {
  package var colour: Colour
  package var isBold = false
  package var isDim = false
  package var isUnderlined = false
  package var isReversed = false
  /// Shown underlined where the terminal cannot strike out.
  package var isStruck = false

  package init(_ colour: Colour = .standard) { self.colour = colour }

  /// The attributes a theme may name, in the words it uses.
  package enum Attribute: String, Sendable, CaseIterable {
    case bold, dim, underline, reverse
  }

  package mutating func add(_ attribute: Attribute) {
    switch attribute {
    case .bold: isBold = true
    case .dim: isDim = true
    case .underline: isUnderlined = true
    case .reverse: isReversed = true
    }
  }

  package func has(_ attribute: Attribute) -> Bool {
    switch attribute {
    case .bold: isBold
    case .dim: isDim
    case .underline: isUnderlined
    case .reverse: isReversed
    }
  }
}
