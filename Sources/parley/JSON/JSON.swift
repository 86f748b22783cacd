import ExactJSON
import Terminal

/// JSON as it is printed: what hides in a text, or turns the writing direction, is escaped, so that a value can do no harm to a
/// terminal.
extension JSON {
  var text: String { String(decoding: bytes(escaping: DisplayText.hides), as: UTF8.self) }

  func forEachPiece<Failure>(_ body: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    try forEachPiece(escaping: DisplayText.hides, body)
  }
}
