import Digests
import ExactJSON

/// What makes the names of a redacted report: whoever has the key finds by a name what it stands for, and whoever has it not cannot
/// find a value by trying, however short it is. A plain hash could be held against every number there is.
package struct RedactionKey: Sendable, Equatable {
  package static let size = 32
  package let bytes: [UInt8]

  /// nil for what has another size: it is no key of ours.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == RedactionKey.size else { return nil }
    self.bytes = bytes
  }

  /// One that nobody ever had, from the system's random numbers.
  package init() { bytes = (0..<RedactionKey.size).map { _ in .random(in: .min ... .max) } }

  /// So many hexadecimal digits, the same for the same text each time.
  func digits(of text: String, _ count: Int) -> String {
    Hexadecimal.text(SHA256.of(Array(text.utf8), keyedBy: bytes).prefix(count / 2))
  }
}
