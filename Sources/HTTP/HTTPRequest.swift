/// One question to a server.
package struct HTTPRequest: Sendable {
  package var method: String
  /// Without a name or a password: these go into ``headers``.
  package var url: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]?
  /// Whether it may be sent once alone. On a connection that was used before, and ends without a word, curl sends it again by itself;
  /// but the first may have arrived.
  package var isOnce = false

  package init(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

/// What a server said, to its end.
package struct HTTPAnswer: Sendable {
  package let head: HTTPHead
  package let body: [UInt8]

  package init(head: HTTPHead, body: [UInt8]) { (self.head, self.body) = (head, body) }
}

/// How an answer begins.
package struct HTTPHead: Sendable {
  package let status: Int
  /// By their names in lower case; of one that came several times the last.
  package let headers: [String: String]

  init(_ lines: [String]) {
    let line = lines.first?.split(separator: " ", maxSplits: 2)
    status = line.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmed
    }
    self.headers = headers
  }
}

/// That a server says nothing, while it is waited for.
package struct HTTPSilence: Sendable, Equatable {
  package let length: Duration
  /// After how many seconds nobody waits any more.
  package let most: Int
}

/// Why there is no answer, or none to its end.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The server was never reached, so it has done nothing.
  case notReached(String)
  /// Nobody knows whether this is the server it says it is; nothing was sent.
  case insecure(String)
  /// The connection ended before the answer did. What was asked may have been done.
  case cut(String)
  /// Nothing came for long. What was asked may have been done, or may be done yet.
  case silent(String)
  /// Bytes kept coming, and after so many seconds it had not ended. What was asked may have been done, or may be done yet.
  case slow(seconds: Int)
  /// The answer has more bytes than anybody expects. What was asked may have been done.
  case tooLong(limit: Int)
}

extension Substring {
  fileprivate var trimmed: String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
