/// The name of a record and what a person calls it, in one piece of memory: a write holds those of all its records to its end, and of a
/// hundred thousand the two are most of what it holds.
package struct RecordLabel: Sendable, Hashable {
  /// How long the name is, in four bytes, then the name and the title.
  private let bytes: [UInt8]

  package init(id: String, title: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(RecordLabel.start + id.utf8.count + title.utf8.count)
    withUnsafeBytes(of: UInt32(id.utf8.count)) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: id.utf8)
    bytes.append(contentsOf: title.utf8)
    self.bytes = bytes
  }

  private static let start = MemoryLayout<UInt32>.size

  private var end: Int {
    RecordLabel.start + Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
  }

  package var id: String { String(decoding: bytes[RecordLabel.start..<end], as: UTF8.self) }
  package var title: String { String(decoding: bytes[end...], as: UTF8.self) }

  /// The same name with this title; what is called so already is no second piece.
  package func titled(_ title: String) -> RecordLabel {
    bytes[end...].elementsEqual(title.utf8) ? self : RecordLabel(id: id, title: title)
  }
}
