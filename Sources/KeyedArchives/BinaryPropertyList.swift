/// A binary property list, read where it lies: nothing is built, each object is looked at when it is asked for.
///
/// ```
/// "bplist00" │ objects … │ offset table │ trailer, 32 bytes
///                             │             6 unused, size of an offset, size of a reference,
///                             │             then 8 bytes each: object count, top object, start of the offset table
///                             └ for each object: at which byte it begins
/// 51 78      an object: marker (kind in the high half, count in the low half), then its contents; this is "x"
/// ```
///
/// All numbers are big-endian; a count of 15 means that an integer object with the count follows. Arrays, sets and
/// dictionaries hold references: indices into the offset table. The layout is described at the top of CoreFoundation's
/// public CFBinaryPList.c. Every position is checked before it is read, since a file from elsewhere may say anything.
///
/// Valid only while the bytes are: make one inside `withUnsafeBytes` and let it go there.
package struct BinaryPropertyList {
  /// 64 MiB. CloudKit refuses records of more than 1 MB, assets aside.
  package static let sizeLimit = 1 << 26
  private static let headerSize = 8
  private static let trailerSize = 32

  package let bytes: UnsafeRawBufferPointer
  let sizes: Sizes

  struct Sizes: Equatable, Sendable {
    var offset: Int
    var reference: Int
    var objectCount = 0
    var top = 0
  }

  /// The index of the object that holds all others.
  package var top: Int { sizes.top }
  package var objectCount: Int { sizes.objectCount }
  private var offsetSize: Int { sizes.offset }
  private var referenceSize: Int { sizes.reference }
  /// Where the offset table starts; objects end before it.
  private let tableStart: Int

  private static var magic: StaticString { "bplist00" }

  package static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
    ArchiveKey(bytes: bytes).starts(with: magic)
  }

  package init(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    guard Self.isOne(bytes) else { throw ArchiveError(.notAPropertyList) }
    guard bytes.count <= Self.sizeLimit else {
      throw ArchiveError(.tooLarge(bytes: bytes.count, limit: Self.sizeLimit))
    }
    let trailer = bytes.count - Self.trailerSize
    guard trailer > Self.headerSize else { throw ArchiveError(.trailer("\(bytes.count) bytes are too few")) }
    self.bytes = bytes
    var sizes = try Self.sizes(bytes, trailer: trailer)
    tableStart = try Self.tableStart(bytes, trailer: trailer)
    let room = (trailer - tableStart) / sizes.offset
    (sizes.objectCount, sizes.top) = try Self.counts(bytes, trailer: trailer, room: room)
    self.sizes = sizes
  }

  private static func sizes(
    _ bytes: UnsafeRawBufferPointer, trailer: Int
  ) throws(ArchiveError) -> Sizes {
    let (offset, reference) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard 1...8 ~= offset, 1...8 ~= reference else {
      throw ArchiveError(.trailer("sizes of \(offset) and \(reference) bytes"), byte: trailer + 6)
    }
    return Sizes(offset: offset, reference: reference)
  }

  private static func tableStart(_ bytes: UnsafeRawBufferPointer, trailer: Int) throws(ArchiveError) -> Int {
    let start = bytes.unsigned(at: trailer + 24, size: 8)
    guard start > headerSize, start < trailer else {
      throw ArchiveError(.trailer("the offset table would start at byte \(start)"), byte: trailer + 24)
    }
    return Int(start)
  }

  /// - Parameter room: how many offsets fit between the start of their table and the trailer.
  private static func counts(
    _ bytes: UnsafeRawBufferPointer, trailer: Int, room: Int
  ) throws(ArchiveError) -> (objects: Int, top: Int) {
    let count = bytes.unsigned(at: trailer + 8, size: 8)
    guard count > 0, count <= room else {
      throw ArchiveError(.trailer("no room for \(count) objects"), byte: trailer + 8)
    }
    let top = bytes.unsigned(at: trailer + 16, size: 8)
    guard top < count else { throw ArchiveError(.trailer("no top object"), byte: trailer + 16) }
    return (Int(count), Int(top))
  }
}

extension BinaryPropertyList {
  /// Where the contents of an object lie. `count` is in bytes for data and ASCII text, in 16-bit units for other text,
  /// in elements for arrays and sets, in pairs for dictionaries.
  package struct Extent: Sendable {
    package var start: Int
    package var count: Int
  }

  /// One object. What it refers to is not yet looked at.
  package enum Node {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Only beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case date(secondsSince2001: Double)
    case data(Extent)
    case ascii(Extent)
    case utf16(Extent)
    /// In a keyed archive: an index into `$objects`.
    case uid(UInt64)
    case array(Extent)
    case set(Extent)
    /// The references to all keys, followed by the references to all values.
    case dictionary(Extent)
  }

  @inline(__always)
  package func node(_ index: Int) throws(ArchiveError) -> Node {
    let start = try start(of: index)
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    // What nearly all are that are asked for.
    if low < 15 {
      switch marker >> 4 {
      case 0x8 where low < 8:
        try checkRoom(low + 1, at: start + 1)
        return .uid(reference(at: start + 1, size: low + 1))
      case 0xD:
        try checkRoom(low * 2 * referenceSize, at: start + 1)
        return .dictionary(Extent(start: start + 1, count: low))
      case 0x4:
        try checkRoom(low, at: start + 1)
        return .data(Extent(start: start + 1, count: low))
      case 0x5:
        try checkRoom(low, at: start + 1)
        return .ascii(Extent(start: start + 1, count: low))
      default: break
      }
    }
    return try node(marker, at: start)
  }

  private func node(_ marker: UInt8, at start: Int) throws(ArchiveError) -> Node {
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return try singleton(marker, at: start)
    case 0x1: return try integer(sizeExponent: low, at: start)
    case 0x2: return .real(try real(sizeExponent: low, at: start))
    case 0x3 where low == 3: return .date(secondsSince2001: try real(sizeExponent: low, at: start))
    case 0x4: return .data(try extent(low, at: start, unit: 1))
    case 0x5: return .ascii(try extent(low, at: start, unit: 1))
    case 0x6: return .utf16(try extent(low, at: start, unit: 2))
    case 0x8: return .uid(try uid(size: low + 1, at: start))
    case 0xA: return .array(try extent(low, at: start, unit: referenceSize))
    case 0xC: return .set(try extent(low, at: start, unit: referenceSize))
    case 0xD: return .dictionary(try extent(low, at: start, unit: 2 * referenceSize))
    default: throw ArchiveError(.unknownMarker(marker), byte: start)
    }
  }

  /// Where an ASCII text of less than 255 bytes lies; nil for every other object.
  @inline(__always)
  package func shortASCII(_ index: Int) throws(ArchiveError) -> Extent? {
    let start = try start(of: index)
    let marker = bytes[start]
    if 0x50...0x5E ~= marker {
      try checkRoom(Int(marker & 0x0F), at: start + 1)
      return Extent(start: start + 1, count: Int(marker & 0x0F))
    }
    guard marker == 0x5F, tableStart - start > 3, bytes[start + 1] == 0x10 else { return nil }
    try checkRoom(Int(bytes[start + 2]), at: start + 3)
    return Extent(start: start + 3, count: Int(bytes[start + 2]))
  }

  /// The index of an element of an array or set, or of a key of a dictionary.
  @inline(__always)
  package func element(_ position: Int, of extent: Extent) throws(ArchiveError) -> Int {
    try reference(position, from: extent.start)
  }

  /// The index of a value of a dictionary.
  @inline(__always)
  package func value(_ position: Int, of dictionary: Extent) throws(ArchiveError) -> Int {
    try reference(dictionary.count + position, from: dictionary.start)
  }
}

extension BinaryPropertyList {
  @inline(__always)
  private func reference(_ position: Int, from start: Int) throws(ArchiveError) -> Int {
    let place = start &+ position &* referenceSize
    let index = reference(at: place, size: referenceSize)
    guard index < objectCount else { throw ArchiveError(.noSuchPropertyListObject(index), byte: place) }
    return Int(index)
  }

  /// A number before the trailer, which is longer than any: eight bytes are read at once, whatever its size.
  @inline(__always)
  private func reference(at place: Int, size: Int) -> UInt64 {
    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      &>> UInt64(truncatingIfNeeded: 64 &- 8 &* size)
  }

  @inline(__always)
  private func start(of index: Int) throws(ArchiveError) -> Int {
    let start = offset(index)
    guard start >= Self.headerSize, start < tableStart else {
      throw ArchiveError(.pastTheEnd, byte: tableStart + index * offsetSize)
    }
    return start
  }

  /// Where an object begins, as the table says, whether or not that can be. What is beyond every Int is so to the caller, too.
  @inline(__always)
  func offset(_ index: Int) -> Int {
    Int(truncatingIfNeeded: reference(at: tableStart &+ index &* offsetSize, size: offsetSize))
  }

  /// So many bytes from where an object begins; nil if they are not there.
  @inline(__always)
  func part(of index: Int, length: Int) -> UnsafeRawBufferPointer? {
    let start = offset(index)
    guard start >= Self.headerSize, length <= tableStart, start <= tableStart &- length else { return nil }
    return bytes.part(Extent(start: start, count: length))
  }

  /// All bytes of an object.
  func place(of index: Int) throws(ArchiveError) -> Range<Int> {
    let start = try start(of: index)
    let size = 1 << Int(bytes[start] & 0x0F)
    switch try node(index) {
    case .null, .bool: return start..<start + 1
    case .integer, .unsigned, .real, .date: return start..<start + 1 + size
    case .uid: return start..<start + 2 + Int(bytes[start] & 0x0F)
    case .data(let extent), .ascii(let extent): return start..<extent.start + extent.count
    case .utf16(let extent): return start..<extent.start + 2 * extent.count
    case .array(let extent), .set(let extent): return start..<extent.start + referenceSize * extent.count
    case .dictionary(let extent): return start..<extent.start + 2 * referenceSize * extent.count
    }
  }

  private func singleton(_ marker: UInt8, at start: Int) throws(ArchiveError) -> Node {
    switch marker {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    default: throw ArchiveError(.unknownMarker(marker), byte: start)
    }
  }

  /// 1, 2 and 4 bytes are unsigned, 8 are signed; 16 are written for what is beyond `Int64.max`.
  private func integer(sizeExponent: Int, at start: Int) throws(ArchiveError) -> Node {
    guard sizeExponent <= 4 else { throw ArchiveError(.numberTooLarge, byte: start) }
    let size = 1 << sizeExponent
    try checkRoom(size, at: start + 1)
    guard size == 16 else { return .integer(Int64(bitPattern: bytes.unsigned(at: start + 1, size: size))) }
    let high = bytes.unsigned(at: start + 1, size: 8)
    let low = bytes.unsigned(at: start + 9, size: 8)
    switch (high, Int64(bitPattern: low)) {
    case (0, 0...), (UInt64.max, ..<0): return .integer(Int64(bitPattern: low))
    case (0, _): return .unsigned(low)
    default: throw ArchiveError(.numberTooLarge, byte: start)
    }
  }

  private func real(sizeExponent: Int, at start: Int) throws(ArchiveError) -> Double {
    guard sizeExponent == 2 || sizeExponent == 3 else { throw ArchiveError(.numberTooLarge, byte: start) }
    let size = 1 << sizeExponent
    try checkRoom(size, at: start + 1)
    let bits = bytes.unsigned(at: start + 1, size: size)
    return size == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
  }

  private func uid(size: Int, at start: Int) throws(ArchiveError) -> UInt64 {
    guard size <= 8 else { throw ArchiveError(.numberTooLarge, byte: start) }
    try checkRoom(size, at: start + 1)
    return bytes.unsigned(at: start + 1, size: size)
  }

  /// - Parameter unit: bytes for one of what is counted.
  @inline(__always)
  private func extent(_ low: Int, at start: Int, unit: Int) throws(ArchiveError) -> Extent {
    if low < 15 {
      try checkRoom(low * unit, at: start + 1)
      return Extent(start: start + 1, count: low)
    }
    return try longExtent(at: start, unit: unit)
  }

  private func longExtent(at start: Int, unit: Int) throws(ArchiveError) -> Extent {
    try checkRoom(2, at: start + 1)
    let marker = bytes[start + 1]
    guard 0x10...0x13 ~= marker else { throw ArchiveError(.unknownMarker(marker), byte: start + 1) }
    let size = 1 << Int(marker & 0x0F)
    try checkRoom(size, at: start + 2)
    let count = bytes.unsigned(at: start + 2, size: size)
    let contents = start + 2 + size
    // By division: a count near UInt64.max must not overflow into something small.
    guard count <= (tableStart - contents) / unit else { throw ArchiveError(.pastTheEnd, byte: start) }
    return Extent(start: contents, count: Int(count))
  }

  @inline(__always)
  private func checkRoom(_ count: Int, at start: Int) throws(ArchiveError) {
    guard count <= tableStart &- start else { throw ArchiveError(.pastTheEnd, byte: start) }
  }
}

extension UnsafeRawBufferPointer {
  /// A big-endian number of 1 to 8 bytes. The caller has checked that they are there.
  @inline(__always)
  package func unsigned(at start: Int, size: Int) -> UInt64 {
    switch size {
    case 1: return UInt64(self[start])
    case 2: return UInt64(UInt16(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt16.self)))
    case 4: return UInt64(UInt32(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    case 8: return UInt64(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self))
    default:
      var number: UInt64 = 0
      for place in start..<start + size { number = number << 8 | UInt64(self[place]) }
      return number
    }
  }
}

extension BinaryPropertyList {
  package func data(_ extent: Extent) -> UnsafeRawBufferPointer { bytes.part(extent) }

  /// Where a part of these bytes lies.
  func extent(of part: UnsafeRawBufferPointer) -> Extent {
    guard let start = part.baseAddress, let first = bytes.baseAddress else {
      return Extent(start: 0, count: 0)
    }
    return Extent(start: start - first, count: part.count)
  }

  /// Where a key of a dictionary lies; nil if it is not ASCII. By far the most frequent question, so it has a way of its
  /// own that makes no ``Node`` for short keys.
  @inline(__always)
  package func asciiKey(_ index: Int) throws(ArchiveError) -> Extent? {
    if let extent = try shortASCII(index) { return extent }
    return try longASCII(index)
  }

  private func longASCII(_ index: Int) throws(ArchiveError) -> Extent? {
    switch try node(index) {
    case .ascii(let extent): return extent
    case .utf16: return nil
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "a key"))
    }
  }

  package func asciiText(_ extent: Extent) throws(ArchiveError) -> String {
    try checkASCII(extent)
    return String(decoding: data(extent), as: UTF8.self)
  }

  func checkASCII(_ extent: Extent) throws(ArchiveError) {
    guard data(extent).isASCII else {
      throw ArchiveError(.invalidText(encoding: "ASCII"), byte: extent.start)
    }
  }

  /// Half a surrogate pair is refused: no String can hold it, and to replace it would change what is stored.
  package func utf16Text(_ extent: Extent) throws(ArchiveError) -> String {
    let units = (0..<extent.count).lazy.map { unit in
      UInt16(truncatingIfNeeded: bytes.unsigned(at: extent.start + 2 * unit, size: 2))
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw ArchiveError(.invalidText(encoding: "UTF-16"), byte: extent.start)
    }
    return text
  }
}

extension BinaryPropertyList.Node {
  /// In words, for errors.
  package var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a truth value"
    case .integer, .unsigned: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .ascii, .utf16: "text"
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes at `other` are the same; as many as these must be there. Most names differ in their first eight.
  @inline(__always)
  package func equals(_ other: UnsafePointer<UInt8>) -> Bool {
    let other = UnsafeRawPointer(other)
    var position = 0
    while position + 8 <= count {
      let isEqual =
        loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if !isEqual { return false }
      position += 8
    }
    while position < count {
      if self[position] != other.load(fromByteOffset: position, as: UInt8.self) { return false }
      position += 1
    }
    return true
  }

  package var isASCII: Bool {
    var (seen, position): (UInt64, Int) = (0, 0)
    while position + 8 <= count {
      seen |= loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position += 8
    }
    while position < count {
      seen |= UInt64(self[position])
      position += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  var isUTF8: Bool { isASCII || String(validating: self, as: UTF8.self) != nil }
}

/// A key or a class name as it lies in the archive, compared without making a String.
package struct ArchiveKey {
  package let bytes: UnsafeRawBufferPointer

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Text that is not ASCII is none of the names that are looked for.
  @inline(__always)
  package init(_ index: Int, in list: BinaryPropertyList) throws(ArchiveError) {
    let extent = try list.asciiKey(index)
    bytes = extent.map { list.data($0) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
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
