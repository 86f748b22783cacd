import Foundation
import Synchronization

/// What goes wrong, and with which requests.
package struct Fault: Sendable {
  package enum Effect: Sendable {
    /// This is answered, and nothing carried out.
    case answer(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [])
    /// The connection ends when so many bytes of the request have come. Nothing is carried out.
    case cutRequest(afterBytes: Int)
    /// It is carried out, but of the answer only so many bytes go out before the connection ends.
    case cutAnswer(afterBytes: Int)
    /// The same, but the connection stays open and silent until the client ends it.
    case stallAnswer(afterBytes: Int)
    /// `Content-Length` tells so many bytes more than there are, or less.
    case wrongLength(Int)
    /// The connection stays open until the client ends it.
    case neverAnswer(isCarriedOut: Bool)
    /// The pieces that this tells when they are to be sent, until it tells none or the client ends the connection.
    case stream(status: Int, next: @Sendable () -> String?)
    /// It is carried out when the gate opens.
    case wait(Gate)

    /// The same piece again and again, until the client ends the connection.
    package static func streamForever(piece: String) -> Effect { .stream(status: 200, next: { piece }) }
  }

  let effect: Effect
  /// By all of the request, but for one that is cut off: of that the body is not there yet.
  let matches: @Sendable (ReceivedRequest) -> Bool
  /// How many matching requests pass before the first that it meets.
  var passing: Int
  /// How many it meets.
  var count: Int

  fileprivate var isOfTheHead: Bool { if case .cutRequest = effect { true } else { false } }

  package init(
    _ effect: Effect, passing: Int = 0, count: Int = 1,
    to matches: @escaping @Sendable (ReceivedRequest) -> Bool = { _ in true }
  ) {
    (self.effect, self.passing, self.count, self.matches) = (effect, passing, count, matches)
  }

  /// Requests whose path, without the query, ends so.
  package init(_ effect: Effect, passing: Int = 0, count: Int = 1, path ending: String) {
    self.init(effect, passing: passing, count: count) { $0.path.hasSuffix(ending) }
  }
}

/// Holds requests until it is opened, so that a test sleeps nowhere.
package final class Gate: Sendable {
  // DispatchSemaphore would do for one request; a condition lets any number through.
  private let condition = NSCondition()
  private let state = Mutex((isOpen: false, held: 0))

  package init() {}

  package func open() {
    condition.withLock {
      state.withLock { $0.isOpen = true }
      condition.broadcast()
    }
  }

  /// Returns when a request is held, or went through.
  package func waitUntilReached() { wait { $0.held > 0 } }

  func wait() {
    condition.withLock {
      state.withLock { $0.held += 1 }
      condition.broadcast()
    }
    wait { $0.isOpen }
  }

  private func wait(until isTrue: ((isOpen: Bool, held: Int)) -> Bool) {
    condition.withLock { while !state.withLock({ isTrue($0) }) { condition.wait() } }
  }
}

/// The faults that are in force, and the requests that came. Both may be used while the server runs.
package final class Faults: Sendable {
  private struct State {
    var faults: [Fault] = []
    var requests: [ReceivedRequest] = []
    /// In small letters.
    var lostHeader: String?
  }

  private let state = Mutex(State())

  package func add(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

  package func removeAll() { state.withLock { ($0.faults, $0.lostHeader) = ([], nil) } }

  /// No request has this header any more, as behind a proxy that takes it away.
  ///
  /// - Parameter name: in small letters.
  package func lose(header name: String) { state.withLock { $0.lostHeader = name } }

  /// A request as it comes through.
  func passing(_ request: ReceivedRequest) -> ReceivedRequest {
    let lost = state.withLock(\.lostHeader)
    var request = request
    request.headers.removeAll { $0.name == lost }
    return request
  }

  /// The newest thousand requests that were read to their end.
  package var requests: [ReceivedRequest] { state.withLock { $0.requests } }

  package func forgetRequests() { state.withLock { $0.requests.removeAll() } }

  func note(_ request: ReceivedRequest) {
    state.withLock { state in
      if state.requests.count == 1000 { state.requests.removeFirst(500) }
      state.requests.append(request)
    }
  }

  /// The first fault that meets this request, spent by one.
  ///
  /// - Parameter isRead: whether its body is there; else only what cuts it off is asked for.
  func take(for request: ReceivedRequest, isRead: Bool) -> Fault.Effect? {
    state.withLock { state in
      for index in state.faults.indices
      where state.faults[index].isOfTheHead != isRead && state.faults[index].matches(request) {
        if state.faults[index].passing > 0 {
          state.faults[index].passing -= 1
        } else if state.faults[index].count > 0 {
          state.faults[index].count -= 1
          return state.faults[index].effect
        }
      }
      return nil
    }
  }
}
