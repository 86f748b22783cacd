import ExactJSON
import Foundation
import Synchronization

/// A CouchDB of our own on loopback, for Parley's tests and its demo: databases in memory, which keep revision trees by the
/// published rules, answered for over HTTP.
///
///     let server = try LoopbackCouchDB(admin: (name: "admin", password: "secret"))
///     let desk = try server.makeDatabase("desk")
///     try desk.graft(#"{"_id":"a","_rev":"1-aa","title":"Buy milk"}"#)
///     // … open server.url + "/desk" …
///     server.stop()
///
/// It says of itself that it is 3.5.0, and was compared with recordings of that. What it does not have it answers with 501:
/// views, `_find`, JavaScript, clusters.
package final class LoopbackCouchDB: Sendable {
  /// `http://127.0.0.1:PORT`, the port chosen by the system.
  package let url: String
  /// What goes wrong on purpose, and what was asked.
  package let faults = Faults()

  private let core: Core
  private let listener: Socket
  private let port: UInt16
  private let connections = Mutex<[Int32: Socket]>([:])
  private let isStopped = Mutex(false)

  /// - Parameters:
  ///   - admin: nil if everybody is one.
  ///   - bearers: tokens, and whose they are.
  ///   - sessionTimeout: how many seconds a cookie lives.
  ///   - documentSize: the largest document, in bytes of JSON.
  package init(
    admin: (name: String, password: String)? = nil, bearers: [String: String] = [:],
    sessionTimeout: TimeInterval = 600, documentSize: Int = 8_000_000
  ) throws {
    (listener, port) = try Socket.listening()
    url = "http://127.0.0.1:\(port)"
    core = Core(url: url, documentSize: documentSize)
    try core.locked { state in
      state.sessions.hasAdministrator = admin != nil
      if let admin {
        state.sessions.accounts[admin.name] = Sessions.Account(password: admin.password, roles: ["_admin"])
      }
      (state.sessions.tokens, state.sessions.timeout) = (bearers, sessionTimeout)
      _ = try state.make("_users")
    }
    startThread { self.listen() }
  }

  /// Ends every connection and feed, and listens no more.
  package func stop() {
    isStopped.withLock { $0 = true }
    core.locked { $0.isStopped = true }
    // `accept` returns for a connection, and on no system surely for anything else.
    try? Socket.connected(toPort: port).close()
    connections.withLock { for connection in $0.values { connection.shutDown() } }
  }

  private func listen() {
    defer { listener.close() }
    while let socket = listener.accepted() {
      guard !isStopped.withLock({ $0 }) else { return socket.close() }
      startThread { self.serve(socket) }
    }
  }

  private func serve(_ socket: Socket) {
    connections.withLock { $0[socket.descriptor] = socket }
    let connection = HTTPConnection(socket, faults: faults) { [core] in core.answer($0) }
    connection.serve()
    // Before it is closed: afterwards the number may be another's.
    connections.withLock { $0[socket.descriptor] = nil }
    socket.close()
  }

  /// JSON may be nested deeply, and every level takes some of the stack.
  private func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 64 << 20
    thread.start()
  }
}

/// What a test changes while the server runs.
extension LoopbackCouchDB {
  package func makeDatabase(_ name: String, isPartitioned: Bool = false) throws -> LoopbackDatabase {
    _ = try core.locked { try $0.make(name, isPartitioned: isPartitioned) }
    return database(name)
  }

  package func database(_ name: String) -> LoopbackDatabase { LoopbackDatabase(core: core, name: name) }

  package func deleteDatabase(_ name: String) { core.locked { $0.databases[name] = nil } }

  package func addUser(_ name: String, password: String, roles: [String] = []) {
    core.locked { $0.sessions.accounts[name] = Sessions.Account(password: password, roles: roles) }
  }

  /// Lets time pass, for cookies.
  package func advanceClock(by seconds: TimeInterval) { core.locked { $0.clockOffset += seconds } }

  package func setSessionTimeout(_ seconds: TimeInterval) { core.locked { $0.sessions.timeout = seconds } }
}
