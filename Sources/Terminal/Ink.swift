/// What a cell means. A theme turns meanings into colours; no screen knows a colour.
public struct Ink: Sendable, Hashable {
  /// The roles a theme has a colour for.
  public enum Role: String, Sendable, CaseIterable {
    case text, dim, ancestor, client, server, result, needs, ready, failed
  }

  public var role: Role
  public var isBold = false
  public var isUnderlined = false
  /// Struck out where the terminal can; a removed word.
  public var isStruck = false
  /// Under the cursor: reversed in every theme.
  public var isSelected = false

  public init(_ role: Role) { self.role = role }

  public static let text = Ink(.text)
  public static let dim = Ink(.dim)
  public static let ancestor = Ink(.ancestor)
  public static let client = Ink(.client)
  public static let server = Ink(.server)
  public static let result = Ink(.result)
  public static let needs = Ink(.needs)
  public static let ready = Ink(.ready)
  public static let failed = Ink(.failed)

  public var bold: Ink { with(\.isBold, true) }
  public var underlined: Ink { with(\.isUnderlined, true) }
  public var struck: Ink { with(\.isStruck, true) }
  public func selected(_ isSelected: Bool = true) -> Ink { with(\.isSelected, isSelected) }

  private func with(_ keyPath: WritableKeyPath<Ink, Bool>, _ value: Bool) -> Ink {
    var copy = self
    copy[keyPath: keyPath] = value
    return copy
  }
}
