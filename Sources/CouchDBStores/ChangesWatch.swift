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
  /// Another database has the name by now: a feed of it from a place in the one before may tell nothing, for ever.
  private struct Another: Error { let place: Place }

  private struct Place {
    /// Of the database in which it is: ``DatabaseIdentity/birth``.
    let birth: String
    let since: String

    /// What a sequence begins with; nil where it is none.
    private var number: Int? { Int(since.prefix { $0 != "-" }) }

    /// Whether it may be a later place in the same database. Where a server does not tell when that was made its changes are counted anew;
    /// where it does, they say nothing: each copy in a cluster counts by itself.
    func goesOn(from other: Place) -> Bool {
      guard birth == other.birth else { return false }
      guard ["", "0"].contains(birth), let number, let before = other.number else { return true }
      return number >= before
    }
  }

  private let start: Place

  /// - Parameters:
  ///   - since: what has changed up to there is known.
  ///   - identity: of the database then.
  init(_ server: CouchDBServer, since: String, in identity: DatabaseIdentity) {
    (self.server, start) = (server, Place(birth: identity.birth, since: since))
  }

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
    var place = start
    while isOpen {
      do {
        let connection = try server.streaming { if !self.isOpen { throw Closed() } }
        while isOpen { place = try hear(place, connection) }
      } catch let another as Another {
        place = another.place
        state.withLock { $0.count += 1 }
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
  private func hear(_ place: Place, _ connection: HTTPConnection) throws -> Place {
    // What is behind these comes with the next answer.
    let query = ["feed": "longpoll", "since": place.since, "heartbeat": "20000", "limit": "1000"]
    try server.begin(server.url(["_changes"], query), on: connection)
    state.withLock { $0.deafness = nil }
    // Once it has begun: it ends where its database is deleted.
    try checkDatabase(place)
    var bytes: [UInt8] = []
    while let more = try server.translating({ try connection.next() }) {
      bytes += more
      if bytes.count > LineSplitter.limit { throw Endless() }
    }
    let answer = try read(bytes)
    let changes = answer["results"]?.elements.count ?? 0
    state.withLock { $0.count += Int64(changes) }
    return Place(birth: place.birth, since: answer["last_seq"].flatMap(\.sequence) ?? "now")
  }

  private func read(_ bytes: [UInt8]) throws -> JSONValue {
    do { return try server.json(bytes) } catch StoreError.server(_, .tooMany) { throw Endless() }
  }

  private func checkDatabase(_ place: Place) throws {
    let database = try server.get([])
    let now = Place(
      birth: DatabaseIdentity(database).birth, since: database["update_seq"]?.sequence ?? "now")
    if !now.goesOn(from: place) { throw Another(place: now) }
  }

  /// For good: each try would cost as much again.
  private func giveUp() {
    state.withLock {
      $0.isOpen = false
      $0.deafness = "the server sends more than a feed of changes has, and is listened to no longer"
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
    case .literal, .array, .object: nil
    }
  }
}
