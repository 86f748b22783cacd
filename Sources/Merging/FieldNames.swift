import Synchronization

/// The names of the fields of versions, each once, in an order: what the versions of a table or of a document share.
///
/// Two names are one if String says so, as those of a dictionary are.
package struct FieldNames: Sendable {
  private var storage: Storage

  // @unchecked because the list changes only while a single value has it, as the buffer of an array.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) var list: [String]
    /// Of many; few are found sooner by looking at each. Empty until somebody asks: of a document's leaves nobody does.
    private let places = Mutex<[String: Int]>([:])

    init(_ list: [String]) { self.list = list }

    func place(of name: String) -> Int? {
      if list.count <= FieldNames.few { return list.firstIndex(of: name) }
      return places.withLock { places in
        for place in places.count..<list.count { places[list[place]] = place }
        return places[name]
      }
    }
  }

  private static let few = 8
  private static let none = Storage([])

  package init() { storage = FieldNames.none }

  /// - Parameter list: each name once.
  package init(_ list: [String]) { storage = Storage(list) }

  package var list: [String] { storage.list }
  package var count: Int { storage.list.count }

  /// - Parameter guess: where it most likely is.
  package func place(of name: String, guess: Int = 0) -> Int? {
    let storage = storage
    if guess < storage.list.count, storage.list[guess] == name { return guess }
    return storage.place(of: name)
  }

  /// Whether these are the first names, in their order.
  func begins(with fields: [Field]) -> Bool {
    storage.list.withUnsafeBufferPointer { names in
      guard names.count >= fields.count else { return false }
      return fields.withUnsafeBufferPointer { fields in
        fields.indices.allSatisfy { fields[$0].name == names[$0] }
      }
    }
  }

  /// Whether both are known to be the same names in the same order.
  package func isSame(as other: FieldNames) -> Bool { storage === other.storage }

  mutating func append(_ name: String) {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.list) }
    storage.list.append(name)
  }
}
