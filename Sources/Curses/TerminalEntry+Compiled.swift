// A compiled entry, from term(5), "EXTENDED NUMBER FORMAT" and "EXTENDED STORAGE FORMAT". All numbers little-endian:
//
//   six shorts: 01036, bytes of names, booleans, numbers, strings, bytes of string table
//   names NUL   booleans   (to an even byte)   numbers, 4 bytes each   offsets, 2 bytes each; -1 is absent   string table
//   (to an even byte)   five shorts: extra booleans, numbers, strings, offsets of them and of names, bytes of names
//   extra booleans   (to an even byte)   offsets of the names   names
extension TerminalEntry {
  var compiled: [UInt8] {
    var bytes: [UInt8] = []
    let names = Array(name.utf8) + [0]
    let (offsets, table) = stringTable
    for short in [0o1036, names.count, booleans.count, numbers.count, strings.count, table.count] {
      Self.append(Int16(short), to: &bytes)
    }
    bytes += names + booleans.map { $0 ? 1 : 0 }
    Self.makeEven(&bytes)
    for number in numbers { Self.append(number, to: &bytes) }
    for offset in offsets { Self.append(offset, to: &bytes) }
    bytes += table
    Self.makeEven(&bytes)
    return bytes + extras
  }

  private var stringTable: (offsets: [Int16], table: [UInt8]) {
    var (offsets, table): ([Int16], [UInt8]) = ([], [])
    for string in strings {
      offsets.append(string == nil ? -1 : Int16(table.count))
      if let string { table += string + [0] }
    }
    return (offsets, table)
  }

  private var extras: [UInt8] {
    var (bytes, offsets, names): ([UInt8], [Int16], [UInt8]) = ([], [], [])
    for name in extraBooleans {
      offsets.append(Int16(names.count))
      names += Array(name.utf8) + [0]
    }
    for short in [extraBooleans.count, 0, 0, offsets.count, names.count] {
      Self.append(Int16(short), to: &bytes)
    }
    bytes += extraBooleans.map { _ in 1 }
    Self.makeEven(&bytes)
    for offset in offsets { Self.append(offset, to: &bytes) }
    return bytes + names
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func makeEven(_ bytes: inout [UInt8]) {
    if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
  }
}
