/// The server's mark on one version of a record. A save must carry the mark of the version it was made on.
///
/// CloudKit's tags are opaque and unordered. These are given out in order, and written a, b, … z, aa, ab, …, so that
/// a picture can name versions and a test can say which is later.
package struct ChangeTag: Sendable, Hashable, Comparable {
  /// 1 is "a".
  package let number: Int

  package init(_ number: Int) {
    precondition(number > 0, "tags are counted from 1, as there is no letter before a")
    self.number = number
  }

  package static func < (left: ChangeTag, right: ChangeTag) -> Bool { left.number < right.number }
}

extension ChangeTag: CustomStringConvertible {
  package var description: String {
    var rest = number
    var letters = ""
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(ascii: "a") + UInt8((rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters
  }
}
