import ExactJSON
import Foundation

@testable import CouchDBServers

/// One connection with a server on loopback, byte by byte, so that tests see what went over it.
final class LoopbackClient {
  struct Answer {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether all came that the head promised.
    var isWhole = false
    /// Of all that the connection brought until then, heads and all.
    var byteCount = 0

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let socket: Socket
  private var received: [UInt8] = []
  private var byteCount = 0
  private(set) var hasEnded = false
  let url: String

  init(_ url: String) throws {
    self.url = url
    socket = try Socket.connected(toPort: UInt16(url.split(separator: ":").last ?? "") ?? 0)
  }

  deinit { socket.close() }

  /// Sends, and reads the whole answer.
  func ask(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
  ) throws -> Answer {
    try send(method, path, headers: headers, body: body)
    return read()
  }

  /// With a body of JSON.
  func ask(_ method: String, _ path: String, _ json: String, headers: [String: String] = [:]) throws -> Answer
  {
    let type = ["Content-Type": "application/json"].merging(headers) { $1 }
    return try ask(method, path, headers: type, body: Array(json.utf8))
  }

  func send(_ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []) throws {
    let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    let head =
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(lines)Content-Length: \(body.count)\r\n\r\n"
    try socket.send(Array(head.utf8) + body)
  }

  func sendRaw(_ text: String) throws { try socket.send(text.utf8) }

  /// Reads an answer to its end, to the end of the connection, or until its body has what is waited for.
  func read(until isEnough: ([UInt8]) -> Bool = { _ in false }) -> Answer {
    var answer = head()
    if answer.headers["transfer-encoding"] == "chunked" {
      answer.isWhole = false
      readChunks(&answer, until: isEnough)
    } else {
      let length = answer.headers["content-length"].flatMap { Int($0) } ?? 0
      while received.count < length, receive() {}
      answer.isWhole = answer.isWhole && received.count >= length
      answer.body = Array(received.prefix(length))
      received.removeFirst(min(length, received.count))
    }
    answer.byteCount = byteCount
    return answer
  }

  /// What came, as soon as it is enough.
  func read(atLeast count: Int) -> [UInt8] {
    while received.count < count, receive() {}
    return received
  }

  private func head() -> Answer {
    var answer = Answer()
    guard let first = line() else { return answer }
    answer.status = Int(first.split(separator: " ").dropFirst().first ?? "") ?? 0
    while let line = line() {
      guard let colon = line.firstIndex(of: ":") else {
        answer.isWhole = true
        return answer
      }
      answer.headers[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2))
    }
    return answer
  }

  func readChunks(_ answer: inout Answer, until isEnough: ([UInt8]) -> Bool) {
    while !isEnough(answer.body), let line = line(), let count = Int(line, radix: 16) {
      while received.count < count + 2, receive() {}
      answer.body += received.prefix(count)
      received.removeFirst(min(count + 2, received.count))
      if count == 0 {
        answer.isWhole = true
        return
      }
    }
  }

  private func line() -> String? {
    while true {
      if let end = received.firstRange(of: [0x0D, 0x0A]) {
        defer { received.removeFirst(end.upperBound) }
        return String(decoding: received[..<end.lowerBound], as: UTF8.self)
      }
      guard receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    let bytes = socket.receive()
    received += bytes
    byteCount += bytes.count
    if bytes.isEmpty { hasEnded = true }
    return !bytes.isEmpty
  }
}

extension LoopbackClient {
  static func basic(_ name: String, _ password: String) -> [String: String] {
    ["Authorization": "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()]
  }
}

extension JSON {
  /// Everything as it is written, and in its order.
  init(asWritten bytes: [UInt8]) throws {
    var rules = JSONReader.Rules()
    (rules.values, rules.numeral) = (.max, nil)
    var reader = JSONReader(bytes, rules: rules)
    self.init(asWritten: try reader.single())
  }

  private init(asWritten node: JSONNode) {
    switch node.content {
    case .literal(let token): self = .literal(token)
    case .string(let text): self = .string(text.text)
    case .array(let elements): self = .array(elements.map { JSON(asWritten: $0) })
    case .object(let members):
      let inOrder = members.sorted { $0.value.extent.lowerBound < $1.value.extent.lowerBound }
      self = .object(inOrder.map { ($0.key.text, JSON(asWritten: $0.value)) })
    }
  }

  var asWritten: String { String(decoding: bytes(), as: UTF8.self) }
}
