/// A key or a class name as it lies in the archive, compared without making a String.
package struct ArchiveKey {
  package let bytes: UnsafeRawBufferPointer

  /// Text that is not ASCII is none of the names that are looked for.
  @inline(__always)
  package init(_ index: Int, in list: BinaryPropertyList) throws(ArchiveError) {
    bytes = try list.asciiKey(index) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  @inline(__always)
  package static func ~= (name: StaticString, key: ArchiveKey) -> Bool {
    name.utf8CodeUnitCount == key.bytes.count && key.bytes.equals(name.utf8Start)
  }

  package func starts(with name: StaticString) -> Bool {
    bytes.count >= name.utf8CodeUnitCount
      && UnsafeRawBufferPointer(rebasing: bytes[..<name.utf8CodeUnitCount]).equals(name.utf8Start)
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
