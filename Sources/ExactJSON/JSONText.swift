#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A text that equals another only if both are the same bytes: JSON may hold two keys that differ only in their Unicode
/// normal form.
public struct JSONText: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  /// The text as it was read, in whatever Unicode normal form.
  public let text: String

  /// A text, with the same bytes as before.
  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.init(text) }

  public static func == (left: JSONText, right: JSONText) -> Bool { left.text.hasSameBytes(as: right.text) }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: text) }

  /// By UTF-16 code units, as RFC 8785 sorts names. Not the order of the bytes: an emoji comes before U+E000.
  public static func < (left: JSONText, right: JSONText) -> Bool {
    left.text.utf16.lexicographicallyPrecedes(right.text.utf16)
  }
}

extension Hasher {
  /// A text by its bytes. String's own hash is the same for all Unicode normal forms.
  package mutating func combine(bytesOf text: String) {
    let isInPlace: Void? = text.utf8.withContiguousStorageIfAvailable {
      combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isInPlace == nil {
      var text = text
      text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
    // No text ends with this one.
    combine(0xFF as UInt8)
  }
}

extension StringProtocol {
  /// Whether both are the same bytes. String's own equality is canonical equivalence, which takes two Unicode normal forms
  /// of one text for equal: a change from one to the other would get lost.
  package func hasSameBytes(as other: some StringProtocol) -> Bool {
    // Every frame of a record compares its values, and one may have megabytes.
    let atOnce = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
    }
    return atOnce.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// The same of two whole texts, of which every record has some.
  ///
  /// It changes nothing and lets go of nothing, and the compiler is told so: then a text is compared where it lies, and neither is counted
  /// as somebody's for that long, which costs more than to compare most of them.
  @_effects(readonly)
  package func hasSameBytes(as other: String) -> Bool {
    let atOnce = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
    }
    return atOnce.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }
}

extension [UInt8] {
  /// `==` goes byte by byte.
  package func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { left in other.withUnsafeBufferPointer { left.hasSameBytes(as: $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  @usableFromInline
  func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return left == right || memcmp(left, right, count) == 0
  }

  func precedes(_ other: Self) -> Bool {
    guard let left = baseAddress, let right = other.baseAddress else { return count < other.count }
    let order = memcmp(left, right, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}
