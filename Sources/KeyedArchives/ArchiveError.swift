/// Why bytes were refused as an archive: the problem, the keys that lead to it, and the byte where it shows.
///
/// Holds no value of the record: an error may be printed and logged, the contents of a record may not.
package struct ArchiveError: Error, Sendable, Equatable {
  package let problem: Problem
  /// The keys from the outside in, for example `EncryptedValueStore`, `RecordValues`, `title`.
  package private(set) var keys: [String]
  /// Counted from the first byte of the archive; nil where the problem has no single place.
  package let byte: Int?

  package init(_ problem: Problem, byte: Int? = nil, keys: [String] = []) {
    (self.problem, self.byte, self.keys) = (problem, byte, keys)
  }

  package enum Problem: Sendable, Equatable {
    // The property list
    case notAPropertyList
    case tooLarge(bytes: Int, limit: Int)
    case trailer(String)
    case pastTheEnd
    case noSuchPropertyListObject(UInt64)
    case unknownMarker(UInt8)
    case numberTooLarge
    case invalidText(encoding: String)
    case xml(String)
    // The archive in it
    case notAKeyedArchive(String)
    case noSuchObject(UInt64)
    case missing
    case empty
    case unexpected(found: String, expected: String)
    case unequalCounts(keys: Int, objects: Int)
    case tooDeep(limit: Int)
    case tooManyReferences(limit: Int)
    case expandsTooFar(limit: Int)
    // What is in it
    case damagedPayload(String)
    case unknownChangeType
  }
}

extension ArchiveError {
  package func inside(_ key: String) -> ArchiveError {
    var outer = self
    outer.keys.insert(key, at: 0)
    return outer
  }
}

/// Names the key under which something goes wrong. Costs nothing while nothing does.
@inline(__always)
package func within<Result>(
  _ key: @autoclosure () -> String, _ body: () throws(ArchiveError) -> Result
) throws(ArchiveError) -> Result {
  do { return try body() } catch { throw error.inside(key()) }
}

extension [UInt8] {
  /// `withUnsafeBytes`, which passes on errors without their type.
  func inPlace<Result>(
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try withUnsafeBufferPointer { bytes throws(ArchiveError) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    let place = keys.isEmpty ? "" : keys.joined(separator: ".") + ": "
    return place + problem.description + (byte.map { ", at byte \($0)" } ?? "")
  }
}

extension ArchiveError.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAPropertyList: "not a property list"
    case .tooLarge(let bytes, let limit): "\(bytes) bytes are more than the \(limit) that are read"
    case .trailer(let detail): "the property list is cut off or damaged: \(detail)"
    case .pastTheEnd: "something reaches past the end of the property list"
    case .noSuchPropertyListObject(let index): "the property list has no object \(index)"
    case .unknownMarker(let marker): "0x\(String(marker, radix: 16)) begins no kind of value"
    case .numberTooLarge: "a number of more than 64 bits"
    case .invalidText(let encoding): "text that is not valid \(encoding)"
    case .xml(let detail): "the XML property list is damaged: \(detail)"
    case .notAKeyedArchive(let detail): "not a keyed archive: \(detail)"
    case .noSuchObject(let uid): "the archive has no object \(uid)"
    case .missing: "missing"
    case .empty: "empty"
    case .unexpected(let found, let expected): "\(found) where \(expected) belongs"
    case .unequalCounts(let keys, let objects): "\(keys) keys for \(objects) objects"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .tooManyReferences(let limit):
      "more than \(limit) references were followed: the objects contain each other"
    case .expandsTooFar(let limit):
      "the values are larger than \(limit) bytes: the same object is used too often"
    case .damagedPayload(let detail): "the encrypted value's payload is damaged: \(detail)"
    case .unknownChangeType: "it names no kind of change"
    }
  }
}
