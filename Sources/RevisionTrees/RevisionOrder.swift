import ExactJSON
import Merging

/// How two revision ids compare; the greatest live one wins.
///
/// An id is a generation and a suffix: `3-afa9e12f7a64362c94cd1bd253f31298`. Both orders agree where all suffixes are 32
/// lower-case hexadecimal digits, which they are unless somebody made them by hand.
package enum RevisionOrder: Sendable {
  /// CDTDatastore's collation REVID (TD_Revision.m), which also orders its UNIQUE index: it must be exactly this
  /// (Sources/CloudantStores/FORMAT.md, "The collation REVID").
  /// sync-android compares alike.
  case cloudant
  /// CouchDB takes 32 hexadecimal digits for 16 bytes before it compares (couch_doc.erl).
  case couchDB

  package func areInIncreasingOrder(_ left: String, _ right: String) -> Bool {
    switch self {
    case .cloudant: RevisionOrder.collate(Array(left.utf8)[...], Array(right.utf8)[...]) < 0
    case .couchDB: RevisionOrder.couchDB(left, right) < 0
    }
  }

  /// Less than, equal to, or greater than zero, as `left` is to `right`.
  ///
  /// Generations are compared as numbers only if neither has more than 8 digits, and both have some and are no zero;
  /// everything else is compared byte by byte as a whole.
  package static func collate<Bytes: RandomAccessCollection<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    let dash = UInt8(ascii: "-")
    guard let leftDash = left.firstIndex(of: dash), let rightDash = right.firstIndex(of: dash) else {
      return compare(left, right)
    }
    let lengths = (left[..<leftDash].count, right[..<rightDash].count)
    guard lengths != (1, 1), lengths.0 <= 8, lengths.1 <= 8, let leftGeneration = number(left[..<leftDash]),
      let rightGeneration = number(right[..<rightDash])
    else { return compare(left, right) }
    if leftGeneration != rightGeneration { return leftGeneration < rightGeneration ? -1 : 1 }
    return compare(left[leftDash...].dropFirst(), right[rightDash...].dropFirst())
  }

  /// nil for what is not all digits, and for zero.
  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number == 0 ? nil : number
  }

  private static func compare(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
    for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
    return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
  }

  private static func couchDB(_ left: String, _ right: String) -> Int {
    let (left, right) = (RevisionID(left), RevisionID(right))
    if left.generation != right.generation { return left.generation < right.generation ? -1 : 1 }
    return compare(couchDBSuffix(left.suffix), couchDBSuffix(right.suffix))
  }

  private static func couchDBSuffix(_ suffix: Substring) -> [UInt8] {
    guard suffix.utf8.count == 32, let bytes = Hexadecimal.bytes(String(suffix)) else {
      return Array(suffix.utf8)
    }
    return bytes
  }
}

/// A revision's id, taken apart.
package struct RevisionID: Sendable, Equatable {
  /// The digits before the dash, the first nine of them; 0 if there are none.
  package let generation: Int
  package let suffix: Substring

  package init(_ text: String) {
    guard let dash = text.firstIndex(of: "-") else {
      (generation, suffix) = (0, text[...])
      return
    }
    let digits = text[..<dash].utf8
    let areDigits = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    generation = areDigits ? Int(text[..<dash].prefix(9)) ?? 0 : 0
    suffix = text[text.index(after: dash)...]
  }
}
