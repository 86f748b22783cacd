import Foundation

/// Where a walk stopped, to be continued in a later session. What the bytes mean is the store's own affair.
package struct WalkPosition: Sendable, Hashable, Codable {
  package let bytes: [UInt8]

  private struct Kept<Position: Codable>: Codable {
    var store: String
    var position: Position
  }

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(of position: some Codable, in store: StoreInfo) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // Only what is no property list at all can fail, and positions are structs of keys, names and numbers.
    bytes = (try? encoder.encode(Kept(store: store.path, position: position))).map(Array.init) ?? []
  }

  /// nil if a walk of another kind stopped there, or one over another store. A walk begins anew then: it may tell something
  /// twice, and misses nothing.
  package func position<Position: Codable>(as kind: Position.Type, in store: StoreInfo) -> Position? {
    let kept = try? PropertyListDecoder().decode(Kept<Position>.self, from: Data(bytes))
    return kept?.store == store.path ? kept?.position : nil
  }
}
