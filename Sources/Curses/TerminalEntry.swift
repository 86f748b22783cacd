import CNcurses
import Foundation

// ncurses knows neither strike-out nor, on most terminals, `#RRGGBB`: what it sends is what the terminal's entry in
// terminfo says. So we read that entry, change a few capabilities and hand it over in $TERMINFO, which ncurses takes as
// hexadecimal text too (ncurses(3X), ENVIRONMENT). Keys and everything else stay the terminal's own.
//
//   sitm, ritm   begin and end italics: made to strike out (smxx, rmxx); nothing of ours is italic
//   colors, setaf, setab, RGB   0 to 15 are the user's palette; any other number is 0xRRGGBB

/// A terminal's entry in terminfo, changed to what we need.
@MainActor
struct TerminalEntry {
  private(set) var canStrike = false
  /// Of numbers that mean 0xRRGGBB, those below this mean the user's palette instead.
  private(set) var paletteColours = 8
  private(set) var booleans: [Bool]
  private(set) var numbers: [Int32]
  private(set) var strings: [[UInt8]?]
  /// Capabilities beyond the standard ones. ncurses looks these up by name.
  private(set) var extraBooleans: [String]
  let name: String

  /// Whether there is an entry of `name`.
  static func isKnown(_ name: String, output: Int32) -> Bool {
    var result: Int32 = 0
    guard setupterm(name, output, &result) == OK else { return false }
    del_curterm(nc_current_terminal())
    return true
  }

  /// Reads the entry of `name`; nil if there is none.
  init?(name: String, output: Int32) {
    var result: Int32 = 0
    guard setupterm(name, output, &result) == OK else { return nil }
    defer { del_curterm(nc_current_terminal()) }
    self.name = name
    booleans = Self.all(nc_boolean_name) { tigetflag($0) > 0 }
    numbers = Self.all(nc_number_name) { max(-1, tigetnum($0)) }
    strings = Self.all(nc_string_name, Self.string)
    extraBooleans = ["AX", "XT", "RGB"].filter { tigetflag($0) > 0 }
    useStrike(on: Self.string("smxx"), off: Self.string("rmxx"))
  }

  var canMoveCursor: Bool { string("cup") != nil }
  var hasMouse: Bool { string("kmous") != nil }

  var colours: Int { Self.index(of: "colors", nc_number_name).map { Int(numbers[$0]) } ?? 0 }

  /// Colours from 16 up become 0xRRGGBB, sent as they are. Nothing changes where there are fewer than 256, whatever the
  /// environment promised, nor where there are millions already (xterm-direct).
  mutating func useExactColours() {
    guard Self.index(of: "colors", nc_number_name).map({ numbers[$0] }) == 256 else { return }
    paletteColours = 16
    set("setaf", Self.program(palette: "3", bright: "9", exact: "38"))
    set("setab", Self.program(palette: "4", bright: "10", exact: "48"))
    setNumber("colors", 1 << 24)
    setNumber("pairs", 1 << 16)
    if let index = Self.index(of: "ccc", nc_boolean_name) { booleans[index] = false }
    // Without RGB start_color() makes a table of sixteen million colours.
    if !extraBooleans.contains("RGB") { extraBooleans.append("RGB") }
  }

  /// Runs `body` while ncurses finds this entry under its name.
  func whileInstalled<T>(_ body: () -> T) -> T {
    let before = getenv("TERMINFO").map { String(cString: $0) }
    setenv("TERMINFO", "hex:" + Self.hexadecimal(compiled), 1)
    defer {
      // Children must find the terminfo that everybody finds.
      if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") }
    }
    return body()
  }

  private mutating func useStrike(on: [UInt8]?, off: [UInt8]?) {
    guard let on, let off else { return }
    set("sitm", on)
    set("ritm", off)
    canStrike = true
  }

  private func string(_ capability: String) -> [UInt8]? {
    Self.index(of: capability, nc_string_name).flatMap { strings[$0] }
  }

  private mutating func set(_ capability: String, _ value: [UInt8]) {
    if let index = Self.index(of: capability, nc_string_name) { strings[index] = value }
  }

  private mutating func setNumber(_ capability: String, _ value: Int32) {
    if let index = Self.index(of: capability, nc_number_name) { numbers[index] = value }
  }

  private static func program(palette: String, bright: String, exact: String) -> [UInt8] {
    let components = "%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
    return Array(
      "\u{1B}[%?%p1%{8}%<%t\(palette)%p1%d%e%p1%{16}%<%t\(bright)%p1%{8}%-%d%e\(exact);2;\(components)%;m"
        .utf8)
  }
}

extension TerminalEntry {
  private typealias Names = (Int32) -> UnsafePointer<CChar>?

  private static func all<T>(_ names: Names, _ value: (String) -> T) -> [T] {
    var values: [T] = []
    while let name = names(Int32(values.count)) { values.append(value(String(cString: name))) }
    return values
  }

  private static func index(of capability: String, _ names: Names) -> Int? {
    all(names) { $0 }.firstIndex(of: capability)
  }

  private static func string(_ capability: String) -> [UInt8]? {
    // ncurses answers -1 for a name that is no string.
    guard let found = tigetstr(capability), Int(bitPattern: found) != -1 else { return nil }
    return Array(String(cString: found).utf8)
  }

  /// As `ExactJSON` has it, to which no arrow leads from here.
  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

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
