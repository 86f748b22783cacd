/// A piece of text of one ink.
public struct Run: Sendable, Equatable {
  public var text: String
  public var ink: Ink

  public init(_ text: String, _ ink: Ink = .text) {
    self.text = text
    self.ink = ink
  }
}
