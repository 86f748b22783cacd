import Merging
import Synchronization

/// The records of a write that nobody has read before it. Their names lie in one piece of memory: of a hundred thousand, pieces of their
/// own would be ten megabytes.
package final class UnreadRecords: Sendable {
  package typealias Drafting =
    @Sendable (_ records: UnreadRecords, _ number: Int, _ now: RecordConflict) throws -> Draft

  private struct Names {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []

    subscript(number: Int) -> String {
      let start = number == 0 ? 0 : Int(ends[number - 1])
      return String(decoding: bytes[start..<Int(ends[number])], as: UTF8.self)
    }
  }

  private let names = Mutex(Names())
  let draft: Drafting
  let gone: @Sendable (_ id: String) -> Void

  /// - Parameters:
  ///   - draft: as ``WriteOrder/Drafting``.
  ///   - gone: hears of those that are not in conflict when their turn comes.
  package init(draft: @escaping Drafting, gone: @escaping @Sendable (_ id: String) -> Void) {
    (self.draft, self.gone) = (draft, gone)
  }

  /// - Returns: its number, by which it is ordered.
  package func append(_ id: String) -> Int {
    names.withLock { names in
      names.bytes += id.utf8
      names.ends.append(UInt32(names.bytes.count))
      return names.ends.count - 1
    }
  }

  package var count: Int { names.withLock(\.ends.count) }
  package subscript(number: Int) -> String { names.withLock { $0[number] } }

  /// The names from this one on, so many at most.
  package func names(from number: Int, atMost count: Int) -> [String] {
    names.withLock { names in names.ends.indices.dropFirst(number).prefix(count).map { names[$0] } }
  }
}
