import ExactJSON

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
    case .cloudant: RevisionOrder.collate(left, right) < 0
    case .couchDB: RevisionOrder.couchDB(left, right) < 0
    }
  }

  /// Less than, equal to, or greater than zero, as `left` is to `right`.
  ///
  /// Generations are compared as numbers only if neither has more than 8 digits, and both have some and are no zero;
  /// everything else is compared byte by byte as a whole.
  package static func collate(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    guard let leftDash = left.firstIndex(of: dash), let rightDash = right.firstIndex(of: dash),
      (leftDash, rightDash) != (1, 1), let leftGeneration = generation(left, before: leftDash),
      let rightGeneration = generation(right, before: rightDash)
    else { return compare(left, right) }
    if leftGeneration != rightGeneration { return leftGeneration < rightGeneration ? -1 : 1 }
    return compare(left, from: leftDash + 1, right, from: rightDash + 1)
  }

  package static func collate(_ left: String, _ right: String) -> Int {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { collate(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
    }
  }

  private static let dash = UInt8(ascii: "-")

  /// nil for what is not all digits, for more than 8 of them, and for zero.
  private static func generation(_ id: UnsafeRawBufferPointer, before dash: Int) -> Int? {
    if dash > 8 { return nil }
    var number = 0
    for place in 0..<dash {
      let digit = id[place] &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      number = number * 10 + Int(digit)
    }
    return number == 0 ? nil : number
  }

  /// Without slices and iterators: an index on a thousand ids is ten thousand comparisons.
  private static func compare(
    _ left: UnsafeRawBufferPointer, from leftStart: Int = 0, _ right: UnsafeRawBufferPointer,
    from rightStart: Int = 0
  ) -> Int {
    let (leftCount, rightCount) = (left.count - leftStart, right.count - rightStart)
    for place in 0..<min(leftCount, rightCount) {
      let (left, right) = (left[leftStart + place], right[rightStart + place])
      if left != right { return left < right ? -1 : 1 }
    }
    return leftCount == rightCount ? 0 : leftCount < rightCount ? -1 : 1
  }

  private static func couchDB(_ left: String, _ right: String) -> Int {
    let (left, right) = (RevisionID(left), RevisionID(right))
    if left.generation != right.generation { return left.generation < right.generation ? -1 : 1 }
    return couchDBSuffix(left.suffix).withUnsafeBytes { left in
      couchDBSuffix(right.suffix).withUnsafeBytes { compare(left, $0) }
    }
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
    guard let dash = text.utf8.firstIndex(of: UInt8(ascii: "-")) else {
      (generation, suffix) = (0, text[...])
      return
    }
    let digits = text[..<dash].utf8
    let areDigits = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    generation = areDigits ? Int(text[..<dash].prefix(9)) ?? 0 : 0
    suffix = text[text.utf8.index(after: dash)...]
  }
}
