/// A property list as a tree: what the binary writer writes, and what the XML reader reads.
package indirect enum PropertyList: Sendable {
  case bool(Bool)
  case integer(Int64)
  /// Only beyond `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  case string(String)
  case data([UInt8])
  /// In a keyed archive: an index into `$objects`.
  case uid(UInt64)
  case array([PropertyList])
  case dictionary([Entry])

  package struct Entry: Sendable {
    package var key: String
    package var value: PropertyList

    package init(_ key: String, _ value: PropertyList) { (self.key, self.value) = (key, value) }
  }
}

/// Writes a binary property list; ``BinaryPropertyList`` draws the layout. Equal trees give equal bytes.
package struct BinaryPropertyListWriter {
  /// An object whose references are indices already, but whose reference size is not known yet.
  private enum Object {
    case leaf([UInt8])
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  /// By bytes, since two texts that differ only in their normal form are two texts.
  private var indexByLeaf: [[UInt8]: Int] = [:]

  package static func bytes(of list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.add(list)
    return writer.bytes(top: top)
  }

  private mutating func add(_ list: PropertyList) -> Int {
    switch list {
    case .bool(let bool): return addLeaf([bool ? 0x09 : 0x08])
    case .integer(let integer): return addLeaf(Self.integer(integer))
    case .unsigned(let unsigned):
      return addLeaf([0x14] + Self.bigEndian(0, size: 8) + Self.bigEndian(unsigned, size: 8))
    case .real(let real): return addLeaf([0x23] + Self.bigEndian(real.bitPattern, size: 8))
    case .string(let text): return addLeaf(Self.text(text))
    case .data(let data): return addLeaf(Self.header(0x40, count: data.count) + data)
    case .uid(let uid): return addLeaf(Self.uid(uid))
    case .array(let elements): return addContainer { writer in .array(elements.map { writer.add($0) }) }
    case .dictionary(let entries):
      return addContainer { writer in
        let keys = entries.map { writer.add(.string($0.key)) }
        return .dictionary(keys: keys, values: entries.map { writer.add($0.value) })
      }
    }
  }

  /// Equal leaves are written once.
  private mutating func addLeaf(_ bytes: [UInt8]) -> Int {
    if let index = indexByLeaf[bytes] { return index }
    indexByLeaf[bytes] = objects.count
    objects.append(.leaf(bytes))
    return objects.count - 1
  }

  /// A container comes before what it contains, as CoreFoundation has it.
  private mutating func addContainer(_ contents: (inout Self) -> Object) -> Int {
    let index = objects.count
    objects.append(.array([]))
    objects[index] = contents(&self)
    return index
  }
}

extension BinaryPropertyListWriter {
  private func bytes(top: Int) -> [UInt8] {
    let referenceSize = Self.size(of: UInt64(objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += Self.bytes(of: object, referenceSize: referenceSize)
    }
    let tableStart = bytes.count
    let offsetSize = Self.size(of: UInt64(tableStart))
    for offset in offsets { bytes += Self.bigEndian(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, top, tableStart] { bytes += Self.bigEndian(UInt64(number), size: 8) }
    return bytes
  }

  private static func bytes(of object: Object, referenceSize: Int) -> [UInt8] {
    switch object {
    case .leaf(let bytes): bytes
    case .array(let elements):
      header(0xA0, count: elements.count) + elements.flatMap { bigEndian(UInt64($0), size: referenceSize) }
    case .dictionary(let keys, let values):
      header(0xD0, count: keys.count)
        + (keys + values).flatMap { bigEndian(UInt64($0), size: referenceSize) }
    }
  }

  /// The marker, with the count in it or behind it.
  private static func header(_ kind: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
  }

  /// 1, 2 and 4 bytes are unsigned, so a negative number always takes 8.
  private static func integer(_ integer: Int64) -> [UInt8] {
    let bits = UInt64(bitPattern: integer)
    let size = size(of: bits)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(bits, size: size)
  }

  private static func text(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return header(0x50, count: text.utf8.count) + text.utf8 }
    return header(0x60, count: text.utf16.count) + text.utf16.flatMap { bigEndian(UInt64($0), size: 2) }
  }

  private static func uid(_ uid: UInt64) -> [UInt8] {
    let size = size(of: uid)
    return [0x80 | UInt8(size - 1)] + bigEndian(uid, size: size)
  }

  /// 1, 2, 4 or 8 bytes: sizes that every reader knows.
  private static func size(of number: UInt64) -> Int {
    switch number {
    case 0...0xFF: 1
    case 0x100...0xFFFF: 2
    case 0x1_0000...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0.suffix(size)) }
  }
}
