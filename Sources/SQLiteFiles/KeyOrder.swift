import GRDB

/// Watches that a walk by keys goes on. In a damaged tree of pages a search may come back to where it was, and the walk would
/// never end.
package struct KeyOrder {
  private var last: Int64
  private let isRising: Bool

  package static func rising(from key: Int64) -> KeyOrder { KeyOrder(last: key, isRising: true) }
  package static func falling(from key: Int64) -> KeyOrder { KeyOrder(last: key, isRising: false) }

  /// - Throws: `SQLITE_CORRUPT`
  package mutating func pass(_ key: Int64) throws {
    try KeyOrder.check(isRising ? key > last : key < last)
    last = key
  }

  package static func check(_ isInOrder: Bool) throws {
    guard isInOrder else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its rows are not in the order of their keys")
    }
  }
}
