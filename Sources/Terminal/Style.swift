/// How something looks: a colour and attributes. Screens never see one; they speak in inks.
public struct Style: Sendable, Hashable {
  public var colour: Colour
  public var isBold = false
  public var isDim = false
  public var isUnderlined = false
  public var isReversed = false
  /// Shown underlined where the terminal cannot strike out.
  public var isStruck = false

  public init(_ colour: Colour = .standard) { self.colour = colour }

  /// The attributes a theme may name, in the words it uses.
  public enum Attribute: String, Sendable, CaseIterable {
    case bold, dim, underline, reverse
  }

  public mutating func add(_ attribute: Attribute) {
    switch attribute {
    case .bold: isBold = true
    case .dim: isDim = true
    case .underline: isUnderlined = true
    case .reverse: isReversed = true
    }
  }

  public func has(_ attribute: Attribute) -> Bool {
    switch attribute {
    case .bold: isBold
    case .dim: isDim
    case .underline: isUnderlined
    case .reverse: isReversed
    }
  }
}
