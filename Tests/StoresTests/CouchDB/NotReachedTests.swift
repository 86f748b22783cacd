import Foundation
import StoreInterface
import Testing

@testable import CouchDBServers
@testable import CouchDBStores
@testable import HTTP

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

  /// The environment's proxies are no part of what was typed.
  @Test(arguments: [
    ("http://h:5984/shop", "9", true), ("http://h:9/shop", "9", false), ("https://h/shop", "443", false),
    ("http://h", "80", false), ("http://[::1]:5984/shop", "5984", false), ("https://[::1]/shop", "80", true),
  ])
  func aPortThatIsNoneOfTheAddressIsAProxys(url: String, port: String, isProxy: Bool) {
    let told = "Failed to connect to 127.0.0.1 port \(port) after 0 ms: Couldn't connect to server"
    let words = HTTPFailure.notConnected(told, to: url)
    #expect(words.hasPrefix("Failed to connect to 127.0.0.1 port \(port): "), "\(words)")
    #expect(words.contains("no_proxy") == isProxy, "\(words)")
  }
}
