import Dispatch
import ExactJSON
import StoreInterface
import Synchronization

/// A document that an earlier pass has found in conflict, as it is now.
struct KnownDocument: Sendable {
  /// Among those that are known.
  let place: Int64
  /// nil if it is not there any more.
  let document: ServerDocument?
}

extension CouchDBStore {
  /// - Throws: ``StoreError``, and ``KnownConflicts/Unreadable``.
  func knownDocuments(behind place: Int64, limit: Int) throws -> [KnownDocument] {
    let names = try known.names(behind: place, limit: limit)
    let found = Dictionary(try documents(names.map(\.id)).map { (JSONText($0.id), $0) }) { first, _ in first }
    return names.map { KnownDocument(place: $0.place, document: found[JSONText($0.id)]) }
  }
}

/// The documents that are known to be in conflict, in groups of as many as one question holds. While one group is looked at the server
/// is asked for the next: neither waits for the other.
final class DocumentsAhead: Sendable {
  private struct State {
    /// Read, and not asked for yet.
    var ready: ArraySlice<KnownDocument> = []
    var begun: Reading?
  }

  private let store: CouchDBStore
  /// How many make a group.
  private let group: Int
  private let state = Mutex(State())

  init(_ store: CouchDBStore, group: Int = CouchDBServer.batch) { (self.store, self.group) = (store, group) }

  /// - Throws: what the reading of the group threw; it is read again when somebody asks once more.
  func next(behind place: Int64, limit: Int) throws -> [KnownDocument] {
    try state.withLock { state in
      state.ready = state.ready.drop { $0.place <= place }
      if state.ready.isEmpty { state.ready = try documents(behind: place, &state.begun)[...] }
      return Array(state.ready.prefix(limit))
    }
  }

  private func documents(behind place: Int64, _ begun: inout Reading?) throws -> [KnownDocument] {
    let reading = begun.flatMap { $0.place == place ? $0 : nil } ?? Reading(group, of: store, behind: place)
    begun = nil
    let documents = try reading.documents()
    begun = documents.last.map { Reading(group, of: store, behind: $0.place) }
    return documents
  }
}

/// One group, which is read by a thread of its own: for whoever asks for it in the end, not for the call that was answered when it
/// was begun.
private final class Reading: Sendable {
  let place: Int64
  private let path: String
  private let done = DispatchGroup()
  private let answer = Mutex(Result<[KnownDocument], any Error>.success([]))
  /// How long its server has said nothing.
  private let silence = Mutex<StoreCall.Wait?>(nil)

  init(_ group: Int, of store: CouchDBStore, behind place: Int64) {
    (self.place, path) = (place, store.server.path)
    DispatchQueue(label: "documents ahead").async(group: done) { [self] in
      let call = StoreCall(hearWait: { [self] wait in silence.withLock { $0 = wait } })
      let read = Result { try call.answered { try store.knownDocuments(behind: place, limit: group) } }
      answer.withLock { $0 = read }
    }
  }

  /// - Throws: ``StoreError`` of the server, and as soon as nobody waits any more.
  func documents() throws -> [KnownDocument] {
    let waiter = StoreCall.Waiter()
    defer { waiter.isAnswered() }
    while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      try StoreCall.current.check(path)
      tell(waiter)
    }
    return try answer.withLock { try $0.get() }
  }

  private func tell(_ waiter: StoreCall.Waiter) {
    guard let wait = silence.withLock(\.self) else { return waiter.isAnswered() }
    waiter.waits(.seconds(wait.seconds), of: wait.most)
  }
}
