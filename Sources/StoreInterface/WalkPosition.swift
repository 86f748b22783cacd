import Foundation

/// Where a walk stopped, to be continued in a later session. What the bytes mean is the store's own affair.
package struct WalkPosition: Sendable, Hashable, Codable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(of position: some Encodable) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // Only what is no property list at all can fail, and positions are structs of keys, names and numbers.
    bytes = (try? encoder.encode(position)).map(Array.init) ?? []
  }

  /// nil if another kind of walk stopped there. A walk begins anew then: it may tell something twice, and misses nothing.
  package func position<Position: Decodable>(as kind: Position.Type) -> Position? {
    try? PropertyListDecoder().decode(kind, from: Data(bytes))
  }
}
