import Foundation
import Synchronization

/// Takes connections on a port of loopback, and serves each by a thread of its own.
final class HTTPListener: Sendable {
  let port: UInt16
  private let socket: Socket
  private let faults: Faults
  private let state = Mutex(State())

  private struct State {
    var isStopped = false
    var connections: [Int32: Socket] = [:]
  }

  init(faults: Faults) throws {
    (socket, port) = try Socket.listening()
    self.faults = faults
  }

  func start(_ answer: @escaping @Sendable (ReceivedRequest) -> SentAnswer) {
    HTTPListener.startThread { self.listen(answer) }
  }

  deinit { socket.close() }

  /// Ends every connection.
  func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      for connection in state.connections.values { connection.shutDown() }
      return state.isStopped
    }
    guard !wasStopped else { return }
    socket.shutDown()
    // On a Mac `accept` returns for a connection only.
    try? Socket.connected(toPort: port).close()
  }

  private func listen(_ answer: @escaping @Sendable (ReceivedRequest) -> SentAnswer) {
    while !state.withLock({ $0.isStopped }) {
      guard let connection = socket.accepted() else { continue }
      guard isTaken(connection) else { return connection.close() }
      HTTPListener.startThread { self.serve(connection, answer) }
    }
  }

  private func isTaken(_ connection: Socket) -> Bool {
    state.withLock { state in
      if !state.isStopped { state.connections[connection.descriptor] = connection }
      return !state.isStopped
    }
  }

  private func serve(_ connection: Socket, _ answer: @escaping (ReceivedRequest) -> SentAnswer) {
    ServedConnection(connection, faults: faults, answer: answer).serve()
    // Before it is closed: afterwards the number may be another's.
    state.withLock { $0.connections[connection.descriptor] = nil }
    connection.close()
  }

  /// JSON may be nested deeply, and every level takes some of the stack.
  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 64 << 20
    thread.start()
  }
}
