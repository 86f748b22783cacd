/// The records of a JSON file: one value, several one after the other, or JSON Lines, where a damaged line costs no other.
struct CloudKitJSONFile {
  private let bytes: [UInt8]
  private var places: PlaceFinder

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    places = PlaceFinder(bytes)
  }

  mutating func entries() -> [ImportEntry] {
    let lines = self.lines
    guard lines.count > 1, isWhole(lines[0]) else { return entries(bytes.indices) }
    var entries: [ImportEntry] = []
    for line in lines { entries += self.entries(line) }
    return entries
  }

  /// The lines that are not blank.
  private var lines: [Range<Int>] {
    bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      let start = line.firstIndex { !isSpace($0) } ?? line.endIndex
      let end = line.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
      return start..<end
    }.filter { !$0.isEmpty }
  }

  /// A first line that opens and closes makes JSON Lines; that of a text in several lines only opens.
  private func isWhole(_ line: Range<Int>) -> Bool {
    let start = bytes[line].starts(with: [0xEF, 0xBB, 0xBF]) ? line.lowerBound + 3 : line.lowerBound
    switch (bytes[start], bytes[line.upperBound - 1]) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")): return line.count > 1
    default: return false
    }
  }

  private mutating func entries(_ range: Range<Int>) -> [ImportEntry] {
    var reader = JSONReader(bytes, in: range)
    var entries: [ImportEntry] = []
    do throws(JSONProblem) {
      while let root = try reader.next() { entries += self.entries(root) }
    } catch {
      entries.append(.unreadable(place: places.place(of: error.offset), reason: error.reason))
    }
    return entries
  }

  private mutating func entries(_ root: JSONNode) -> [ImportEntry] {
    let (nodes, zone) = CloudKitJSON.entries(of: root)
    var entries: [ImportEntry] = []
    for node in nodes { entries.append(entry(node, zone)) }
    return entries
  }

  private mutating func entry(_ node: JSONNode, _ zone: JSONNode?) -> ImportEntry {
    do throws(JSONProblem) {
      let read = try CloudKitJSON.record(node, zone: zone)
      let text = String(decoding: bytes[node.extent], as: UTF8.self)
      return .record(
        IncomingRecord(
          record: read.record, form: .json(text), isDeleted: read.isDeleted,
          place: places.place(of: node.extent.lowerBound)))
    } catch {
      return .unreadable(place: places.place(of: error.offset), reason: error.reason)
    }
  }
}
