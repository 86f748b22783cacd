import ExactJSON
import Foundation
import HTTP
import StoreInterface
import Synchronization

/// Listens, in a thread of its own, to the changes of a database as they happen, and counts them. It begins when somebody asks, and
/// goes on as long as it is open: while the server cannot be reached, it tries again.
final class ChangesWatch: Sendable {
  private struct State {
    var count: Int64 = 0
    var isBegun = false
    var isOpen = true
    var deafness: String?
  }

  private let server: CouchDBServer
  private let state = Mutex(State())

  private struct Closed: Error {}
  /// More than any thousand changes have: somebody answers who is no CouchDB.
  private struct Endless: Error {}

  private let newest: String

  /// - Parameter since: what has changed up to there is known.
  init(_ server: CouchDBServer, since: String) { (self.server, newest) = (server, since) }

  func end() { state.withLock { $0.isOpen = false } }

  /// How many changes were heard of so far.
  func count() -> Int64 {
    let (count, begins) = state.withLock { state in
      defer { state.isBegun = true }
      return (state.count, !state.isBegun)
    }
    if begins { Thread.detachNewThread { self.listen() } }
    return count
  }

  private func listen() {
    var since = newest
    while isOpen {
      do {
        let connection = try server.streaming { if !self.isOpen { throw Closed() } }
        while isOpen { since = try hear(since, connection) }
      } catch is Closed {
        return
      } catch is Endless {
        return giveUp()
      } catch {
        pause(after: error)
      }
    }
  }

  /// Why it does not hear, as a clause; nil while it does.
  var deafness: String? { state.withLock(\.deafness) }

  private var isOpen: Bool { state.withLock(\.isOpen) }

  /// Waits for the next change, or for the server to say that there was none for long.
  ///
  /// - Returns: from where to go on.
  private func hear(_ since: String, _ connection: HTTPConnection) throws -> String {
    // What is behind these comes with the next answer.
    let query = ["feed": "longpoll", "since": since, "heartbeat": "20000", "limit": "1000"]
    try server.begin(server.url(["_changes"], query), on: connection)
    state.withLock { $0.deafness = nil }
    var bytes: [UInt8] = []
    while let more = try server.translating({ try connection.next() }) {
      bytes += more
      if bytes.count > LineSplitter.limit { throw Endless() }
    }
    let answer = try JSONValue(parsing: bytes)
    let changes = answer["results"]?.elements.count ?? 0
    state.withLock { $0.count += Int64(changes) }
    return answer["last_seq"].flatMap(\.sequence) ?? "now"
  }

  /// For good: each try would cost as much again.
  private func giveUp() {
    state.withLock {
      $0.isOpen = false
      $0.deafness = "the server's feed of changes has no end, and is listened to no longer"
    }
  }

  private func pause(after error: any Error) {
    state.withLock { $0.deafness = StoreError.detail(of: error) }
    for _ in 0..<(10 * server.patience.afterBreak) where isOpen { usleep(100_000) }
  }
}

extension JSONValue {
  /// A place in a feed of changes: a text, and a number once.
  var sequence: String? {
    switch self {
    case .string(let text): text.text
    case .literal(let token) where token != "null": token
    default: nil
    }
  }
}
