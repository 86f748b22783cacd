import Foundation
import StoreInterface
import Testing

@testable import CouchDBServers
@testable import CouchDBStores

/// What is told where no connection is made.
@Suite struct NotReachedTests {
  private func reason(at url: String) throws -> String? {
    let address = try #require(ServerAddress(url))
    do {
      try CouchDBServer(address, .netrc(file: nil)).check()
      return nil
    } catch StoreError.server(_, .notReached(let why)) {
      return why
    }
  }

  /// It shows no certificate, so none is wrong.
  @Test func aServerThatSpeaksHTTPAloneIsNotSaidToShowACertificate() throws {
    let (socket, port) = try Socket.listening()
    defer { socket.close() }
    Thread.detachNewThread {
      while let connection = socket.accepted() {
        _ = connection.receive()
        try? connection.send("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        connection.close()
      }
    }
    let why = try #require(try reason(at: "https://127.0.0.1:\(port)/shop"))
    #expect(why.hasPrefix("no encrypted connection can be made: "), "\(why)")
  }

  /// Behind a proxy it is that one's.
  @Test func theHostThatDoesNotAnswerIsNamed() throws {
    let (socket, port) = try Socket.listening()
    socket.close()
    let why = try #require(try reason(at: "http://127.0.0.1:\(port)/shop"))
    #expect(why.contains("127.0.0.1 port \(port)") && !why.contains(" ms"), "\(why)")
  }
}
