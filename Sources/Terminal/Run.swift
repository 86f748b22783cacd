/// A piece of text of one ink.
package struct Run: Sendable, Equatable {
  package var text: String
  package var ink: Ink

  package init(_ text: String, _ ink: Ink = .text) {
    self.text = text
    self.ink = ink
  }
}
