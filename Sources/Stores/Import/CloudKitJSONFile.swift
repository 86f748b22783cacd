/// The records of a JSON file: one value, several one after the other, or JSON Lines, where a damaged line costs no other.
struct CloudKitJSONFile {
  private let bytes: [UInt8]
  private var places: PlaceFinder
  private var page: [ImportEntry] = []
  private static let pageSize = 500

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    places = PlaceFinder(bytes)
  }

  /// Calls `body` with everything in the file, a few entries at a time: many records take more memory than their text.
  mutating func forEachPage(_ body: ([ImportEntry]) throws -> Void) rethrows {
    let lines = self.lines
    let isJSONLines = lines.count > 1 && isWhole(lines[0])
    for part in isJSONLines ? lines : [bytes.indices] { try read(part, body) }
    if !page.isEmpty { try body(page) }
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

  private mutating func read(_ range: Range<Int>, _ body: ([ImportEntry]) throws -> Void) rethrows {
    var reader = JSONReader(bytes, in: range)
    while let root = next(&reader) {
      let (nodes, zone) = CloudKitJSON.entries(of: root)
      for node in nodes {
        page.append(entry(node, zone))
        if page.count < CloudKitJSONFile.pageSize { continue }
        try body(page)
        page.removeAll(keepingCapacity: true)
      }
    }
  }

  /// nil at the end, and where nothing more can be read, which becomes an entry.
  private mutating func next(_ reader: inout JSONReader) -> JSONNode? {
    do throws(JSONProblem) {
      return try reader.next()
    } catch {
      page.append(.unreadable(place: places.place(of: error.offset), reason: error.reason))
      return nil
    }
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
