import ExactJSON

/// A request as it came: nothing of its path is cleaned, for `..` and `%41` are legal ids.
package struct ReceivedRequest: Sendable {
  package let method: String
  /// The path and the query, as they were sent.
  package let target: String
  package internal(set) var headers: [(name: String, value: String)]
  package internal(set) var body: [UInt8] = []

  /// - Parameter head: all before the empty line. nil if that is no request.
  init?(head: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: true)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[1].hasPrefix("/") else { return nil }
    (method, target) = (String(words[0]), String(words[1]))
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
  }

  /// - Parameter name: in small letters.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  package var path: String { String(target.prefix { $0 != "?" }) }
}

extension ReceivedRequest {
  /// What stands between the slashes, decoded; nil for what is no UTF-8.
  var segments: [String?] {
    path.split(separator: "/", omittingEmptySubsequences: true).map { ReceivedRequest.decoded($0) }
  }

  var query: [String: String] { ReceivedRequest.pairs(target.drop { $0 != "?" }.dropFirst()) }

  /// The members of a form, as browsers send it.
  var form: [String: String] { ReceivedRequest.pairs(String(decoding: body, as: UTF8.self)) }

  private static func pairs(_ text: some StringProtocol) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(parts[0]) ?? "", parts.count > 1 ? decoded(parts[1]) ?? "" : "")
    }
    return Dictionary(pairs) { _, last in last }
  }

  /// A plus is a blank, in a path, too.
  static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), let pair = Hexadecimal.bytes(digits), pair.count == 1 {
        bytes += pair
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
