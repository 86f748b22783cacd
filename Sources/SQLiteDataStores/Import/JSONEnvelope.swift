import ExactJSON
import Merging
import StoreInterface

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
