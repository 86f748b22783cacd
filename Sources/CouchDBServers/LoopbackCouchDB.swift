import Foundation

/// A CouchDB of our own on loopback, for Parley's tests and its demo: databases in memory, which keep revision trees by the
/// published rules, answered for over HTTP.
///
///     let server = try LoopbackCouchDB(admin: (name: "admin", password: "secret"))
///     let desk = try server.makeDatabase("desk")
///     try desk.graft(#"{"_id":"a","_rev":"1-aa","title":"Buy milk"}"#)
///     // … open server.url + "/desk" …
///
/// It ends with the value that holds it.
///
/// It says of itself that it is 3.5.0, and was compared with recordings of that. What it does not have it answers with 501:
/// views, `_find`, JavaScript, clusters.
package final class LoopbackCouchDB: Sendable {
  /// `http://127.0.0.1:PORT`, the port chosen by the system.
  package let url: String
  /// What goes wrong on purpose, and what was asked.
  package let faults = Faults()

  private let core: Core
  private let listener: HTTPListener

  /// - Parameters:
  ///   - admin: nil if everybody is one.
  ///   - bearers: tokens, and whose they are.
  ///   - sessionTimeout: how many seconds a cookie lives.
  ///   - documentSize: the largest document, in bytes of JSON.
  package init(
    admin: (name: String, password: String)? = nil, bearers: [String: String] = [:],
    sessionTimeout: TimeInterval = 600, documentSize: Int = 8_000_000
  ) throws {
    listener = try HTTPListener(faults: faults)
    url = "http://127.0.0.1:\(listener.port)"
    core = Core(url: url, documentSize: documentSize)
    try core.locked { state in
      state.sessions.hasAdministrator = admin != nil
      if let admin {
        state.sessions.accounts[admin.name] = Sessions.Account(password: admin.password, roles: ["_admin"])
      }
      (state.sessions.tokens, state.sessions.timeout) = (bearers, sessionTimeout)
      _ = try state.make("_users")
    }
    listener.start { [core] in core.answer($0) }
  }

  deinit { stop() }

  /// Ends every connection and feed, and listens no more.
  package func stop() {
    core.locked { $0.isStopped = true }
    listener.stop()
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
