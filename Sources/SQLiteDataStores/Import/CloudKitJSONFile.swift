import ExactJSON
import StoreInterface

/// The records of a JSON file: one value, several one after the other, or JSON Lines, where a damaged line costs no other. Read
/// record by record, so that a file may be of any length.
struct CloudKitJSONFile {
  private let bytes: JSONSource.Bytes
  private var source: JSONSource
  private var page: [ImportEntry] = []
  private static let pageSize = 500

  init(_ bytes: @escaping JSONSource.Bytes) {
    self.bytes = bytes
    source = JSONSource(bytes)
  }

  /// Calls `body` with everything in the file, a few entries at a time.
  mutating func forEachPage(_ body: ([ImportEntry]) throws -> Void) throws {
    try source.skipByteOrderMark()
    if try isJSONLines() { try readLines(body) } else { try readValues(body) }
    if !page.isEmpty { try body(page) }
  }

  /// A first line that opens and closes makes JSON Lines, if another follows; that of a text in several lines only opens.
  private func isJSONLines() throws -> Bool {
    var ahead = source
    try ahead.skipSpace()
    let line = try ahead.line()
    try ahead.skipSpace()
    guard try ahead.peek() != nil, !line.isTooLong else { return false }
    let last = line.bytes.last { ![0x20, 0x09, 0x0D].contains($0) }
    switch (line.bytes.first, last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")): return true
    default: return false
    }
  }

  private mutating func readLines(_ body: ([ImportEntry]) throws -> Void) throws {
    while true {
      try source.skipSpace()
      guard try source.peek() != nil else { return }
      try take(try source.line(), zone: nil, areRoots: true, isLine: true, body)
    }
  }

  private mutating func readValues(_ body: ([ImportEntry]) throws -> Void) throws {
    let envelopes = try JSONEnvelope.all(in: bytes)
    var number = 0
    while try readValue(envelopes[number], body) { number += 1 }
  }

  /// - Returns: whether anything more can be read.
  private mutating func readValue(
    _ envelope: JSONEnvelope?, _ body: ([ImportEntry]) throws -> Void
  ) throws -> Bool {
    try source.skipSpace()
    guard let first = try source.peek() else { return false }
    if first == UInt8(ascii: "[") { return try readList(zone: nil, body) }
    if let envelope { return try readEnvelope(envelope, body) }
    return try take(try source.value(), zone: nil, areRoots: true, body)
  }

  private mutating func readEnvelope(
    _ envelope: JSONEnvelope, _ body: ([ImportEntry]) throws -> Void
  ) throws -> Bool {
    try source.next()
    var hasRecords = false
    while let name = try source.memberName() {
      if name == "records", hasRecords { return try stop("the object has this name twice", body) }
      if name == "records", try source.peek() == UInt8(ascii: "[") {
        hasRecords = true
        guard try readList(zone: envelope.zone, body) else { return false }
      } else {
        _ = try source.value(isKept: false)
      }
      try source.skipSpace()
      if try source.take("}") { return true }
      guard try source.take(",") else { break }
    }
    return try stop("an object goes on with a comma or ends with }", body)
  }

  private mutating func readList(zone: JSONNode?, _ body: ([ImportEntry]) throws -> Void) throws -> Bool {
    try source.next()
    try source.skipSpace()
    if try source.take("]") { return true }
    while true {
      try source.skipSpace()
      guard try take(try source.value(), zone: zone, areRoots: false, body) else { return false }
      try source.skipSpace()
      if try source.take("]") { return true }
      guard try source.take(",") else {
        return try stop("a list goes on with a comma or ends with ]", body)
      }
    }
  }

  /// Tells why nothing more is read, and that there is more, if there is.
  ///
  /// - Parameter place: nil for where the source stands.
  private mutating func stop(
    _ reason: String, at place: String? = nil, _ body: ([ImportEntry]) throws -> Void
  ) throws -> Bool {
    let place = place ?? "\(source.place)"
    let ends = "]} \t\r\n".utf8
    while let byte = try source.peek(), ends.contains(byte) { try source.next() }
    let rest = try source.peek() == nil ? "" : "; what follows was not read"
    try add(.unreadable(place: place, reason: reason + rest), body)
    return false
  }

  /// Takes what `part` holds: one record, or where `areRoots` whatever a file may hold.
  ///
  /// - Parameter isLine: whether the next one is known to begin with the next line.
  /// - Returns: whether it is known where the next one begins.
  @discardableResult private mutating func take(
    _ part: JSONPart, zone: JSONNode?, areRoots: Bool, isLine: Bool = false,
    _ body: ([ImportEntry]) throws -> Void
  ) throws -> Bool {
    if part.isTooLong {
      let reason = "it is longer than \(JSONSource.valueLimit >> 20) MiB, and a record never is"
      return try pass(reason, at: "\(part.place)", isEndKnown: isLine, body)
    }
    if part.bytes.isEmpty {
      let isAtEnd = try source.peek() == nil
      return try stop(isAtEnd ? "the text ends where a value belongs" : "no value begins like this", body)
    }
    var reader = JSONReader(part.bytes)
    do {
      while let root = try reader.next() {
        let (nodes, inner) = areRoots ? CloudKitJSON.entries(of: root) : ([root], nil)
        for node in nodes { try add(entry(node, inner ?? zone, part), body) }
      }
      return true
    } catch let problem as JSONProblem {
      let isEndKnown = isLine || part.isWellFormed
      return try pass(problem.reason, at: part.place(of: problem.offset), isEndKnown: isEndKnown, body)
    }
  }

  /// Tells what cannot be taken; where it ends without damage it costs no other record.
  private mutating func pass(
    _ reason: String, at place: String, isEndKnown: Bool, _ body: ([ImportEntry]) throws -> Void
  ) throws -> Bool {
    guard isEndKnown else { return try stop(reason, at: place, body) }
    try add(.unreadable(place: place, reason: reason), body)
    return true
  }

  private mutating func add(_ entry: ImportEntry, _ body: ([ImportEntry]) throws -> Void) throws {
    page.append(entry)
    if page.count < CloudKitJSONFile.pageSize { return }
    try body(page)
    page.removeAll(keepingCapacity: true)
  }

  private func entry(_ node: JSONNode, _ zone: JSONNode?, _ part: JSONPart) -> ImportEntry {
    do throws(JSONProblem) {
      let read = try CloudKitJSON.record(node, zone: zone)
      let text = String(decoding: part.bytes[node.extent], as: UTF8.self)
      return .record(
        IncomingRecord(
          record: read.record, form: .json(text), isDeleted: read.isDeleted,
          place: part.place(of: node.extent.lowerBound)))
    } catch {
      return .unreadable(
        place: part.place(of: error.offset), record: CloudKitJSON.name(node), reason: error.reason)
    }
  }
}

/// An object around records, as a server answers: `{"records": […], "zoneID": {…}}`. The zone may stand behind the records, so
/// all envelopes of a file are found before its records are read.
struct JSONEnvelope {
  /// Where the answer as a whole says that its records lie.
  var zone: JSONNode?

  /// The envelopes among the values of a text, by their number.
  ///
  /// What is not well formed ends the search without an error: reading the records tells it with its place.
  static func all(in bytes: @escaping JSONSource.Bytes) throws(StoreError) -> [Int: JSONEnvelope] {
    var envelopes: [Int: JSONEnvelope] = [:]
    var source = JSONSource(bytes)
    try source.skipByteOrderMark()
    var number = 0
    while true {
      try source.skipSpace()
      guard let first = try source.peek() else { return envelopes }
      if first == UInt8(ascii: "{") {
        if let envelope = try source.envelope() { envelopes[number] = envelope }
      } else if try source.value(isKept: false).bytes.isEmpty {
        return envelopes
      }
      number += 1
    }
  }
}

extension JSONSource {
  /// Passes an object; nil if it is no envelope.
  fileprivate mutating func envelope() throws(StoreError) -> JSONEnvelope? {
    var envelope = JSONEnvelope()
    var hasRecords = false
    try next()
    while let name = try memberName() {
      let hasList = try peek() == UInt8(ascii: "[")
      let isZone = name == "zoneID" || (name == "zone" && envelope.zone == nil)
      let value = try value(isKept: isZone)
      if name == "records", hasList { hasRecords = true }
      if isZone, !value.isTooLong { envelope.zone = JSONReader.node(value.bytes) ?? envelope.zone }
      try skipSpace()
      guard try take(",") else { break }
    }
    _ = try take("}")
    return hasRecords ? envelope : nil
  }

  /// The next member's name, with the colon behind it; nil if there is none.
  mutating func memberName() throws(StoreError) -> String? {
    try skipSpace()
    guard try peek() == UInt8(ascii: "\"") else { return nil }
    let name = try value()
    try skipSpace()
    guard try take(":") else { return nil }
    try skipSpace()
    return JSONReader.node(name.bytes)?.text
  }
}

extension JSONReader {
  fileprivate static func node(_ bytes: [UInt8]) -> JSONNode? {
    var reader = JSONReader(bytes)
    return try? reader.single()
  }
}
