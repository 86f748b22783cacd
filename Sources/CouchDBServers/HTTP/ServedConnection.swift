import Foundation

/// One connection with one client, served by a thread of its own until either side ends it.
final class ServedConnection {
  private let socket: Socket
  private let faults: Faults
  private let answer: (ReceivedRequest) -> SentAnswer
  private var received: [UInt8] = []

  /// Of the request that is read now, with the empty line.
  private var headLength = 0
  /// How many bytes of an answer may still go out; nil for any number.
  private var allowance: Int?

  private struct Ended: Error {}

  init(_ socket: Socket, faults: Faults, answer: @escaping (ReceivedRequest) -> SentAnswer) {
    (self.socket, self.faults, self.answer) = (socket, faults, answer)
  }

  func serve() {
    do { while try serveOne() {} } catch {}
  }

  /// - Returns: whether another request may follow.
  private func serveOne() throws -> Bool {
    guard var request = try head().map(faults.passing) else { return false }
    if case .cutRequest(let count)? = faults.take(for: request, isRead: false) {
      collect(bytes: min(count - headLength, request["content-length"].flatMap { Int($0) } ?? 0))
      return false
    }
    try readBody(of: &request)
    faults.note(request)
    return try serve(request, faults.take(for: request, isRead: true))
  }

  private func serve(_ request: ReceivedRequest, _ fault: Fault.Effect?) throws -> Bool {
    switch fault {
    case nil, .cutRequest: try send(answer(request), to: request)
    case .answer(let status, let headers, let body):
      try send(SentAnswer(status, headers, .bytes(body)), to: request)
    case .cutAnswer(let count):
      allowance = count
      try send(answer(request), to: request)
      throw Ended()
    case .stallAnswer(let count):
      allowance = count
      try? send(answer(request), to: request)
      untilClientEnds()
      return false
    case .wrongLength(let difference):
      try send(answer(request), to: request, lengthOff: difference)
      return false
    case .neverAnswer(let isCarriedOut):
      if isCarriedOut { _ = answer(request) }
      untilClientEnds()
      return false
    case .stream(let status, let next):
      let pieces = SentAnswer.Body.stream { send in while let piece = next() { try send(piece) } }
      try send(SentAnswer(status, [SentAnswer.json], pieces), to: request)
    case .wait(let gate):
      gate.wait()
      try send(answer(request), to: request)
    }
    return request["connection"]?.lowercased() != "close"
  }
}

/// Reading.
extension ServedConnection {
  /// nil at the end of the connection.
  private func head() throws -> ReceivedRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = received.firstRange(of: end) {
        headLength = range.upperBound
        defer { received.removeFirst(headLength) }
        return ReceivedRequest(head: received[..<range.lowerBound])
      }
      guard received.count < 1 << 20, receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    let bytes = socket.receive()
    received += bytes
    return !bytes.isEmpty
  }

  private func untilClientEnds() { while !socket.receive().isEmpty {} }

  private func collect(bytes count: Int) {
    while received.count < count { guard receive() else { return } }
  }

  private func readBody(of request: inout ReceivedRequest) throws {
    if request["expect"] != nil { try socket.send("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
    if request["transfer-encoding"]?.lowercased() == "chunked" {
      request.body = try chunkedBody()
    } else if let length = request["content-length"].flatMap({ Int($0) }) {
      request.body = try take(length)
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count < count { guard receive() else { throw Ended() } }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  private func line() throws -> String {
    while true {
      if let end = received.firstRange(of: [0x0D, 0x0A]) {
        let line = try take(end.upperBound)
        return String(decoding: line.dropLast(2), as: UTF8.self)
      }
      guard receive() else { throw Ended() }
    }
  }

  private func chunkedBody() throws -> [UInt8] {
    var body: [UInt8] = []
    while let count = Int(try line().prefix { $0 != ";" }, radix: 16) {
      body += try take(count)
      if try line().isEmpty, count == 0 { return body }
    }
    throw Ended()
  }
}

/// Writing.
extension ServedConnection {
  private func send(_ answer: SentAnswer, to request: ReceivedRequest, lengthOff: Int = 0) throws {
    var answer = answer
    switch answer.body {
    case .bytes(let bytes):
      answer.headers.append(("Content-Length", "\(max(0, bytes.count + lengthOff))"))
      try send(head(of: answer) + (request.method == "HEAD" ? [] : bytes))
    case .stream(let stream):
      answer.headers.append(("Transfer-Encoding", "chunked"))
      try send(head(of: answer))
      try stream { piece in
        if !piece.isEmpty { try self.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n".utf8) }
      }
      try send("0\r\n\r\n".utf8)
    }
  }

  private func head(of answer: SentAnswer) -> [UInt8] {
    let server = (name: "Server", value: "CouchDB/3.5.0 (imitated by Parley)")
    let lines = (answer.headers + [server]).map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array(
      "HTTP/1.1 \(answer.status) \(ServedConnection.word(for: answer.status))\r\n\(lines)\r\n".utf8)
  }

  private static func word(for status: Int) -> String { status < 400 ? "OK" : "Error" }

  private func send(_ bytes: some Collection<UInt8>) throws {
    guard let allowance else { return try socket.send(bytes) }
    try socket.send(bytes.prefix(allowance))
    self.allowance = allowance - bytes.count
    if bytes.count >= allowance { throw Ended() }
  }
}
