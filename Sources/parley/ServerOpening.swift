import CloudantStores
import CouchDBStores
import Foundation
import Merging
import RevisionTrees
import StoreInterface
import Terminal

/// Opening a database on a server.
enum ServerOpening {
  /// - Returns: the store, and what is to be said of how it was named.
  /// - Throws: ``StoreError``, also ``StoreError/severalStores(path:names:)`` for a server without a database's name.
  static func open(
    _ request: StoreRequest, _ configuration: Configuration, environment: [String: String]
  ) throws -> (store: any ConflictStore, warnings: [String]) {
    guard request.metadatabase == nil else { throw CommandError.metadataOfDatastore(path: request.shownPath) }
    guard request.route != .outbox else { throw CommandError.outboxOfDatastore(path: request.shownPath) }
    guard let address = ServerAddress(request.path) else {
      throw StoreError.notAStore(path: request.shownPath, detail: "it is no URL of a database")
    }
    let server = try connected(
      try CouchDBServer(
        address, request.login.map(Credentials.password) ?? Credentials(address, environment: environment),
        authorities: request.authorities))
    guard let database = address.database else { throw try severalStores(on: server) }
    let store = try CouchDBStore.open(
      server, access: request.access == .reading ? .reading : .writing, finishing: false,
      rules: configuration.rules(forStore: database, tie: request.tie),
      ancestors: try request.ancestors.map { try ancestors(at: $0, environment) }, environment: environment)
    return (store, address.login == nil ? [] : [warning])
  }

  /// Another replica: a datastore on this machine, or a database on a server.
  private static func ancestors(at path: String, _ environment: [String: String]) throws -> any RevisionSource
  {
    guard ServerAddress.isMeant(by: path) else { return try CloudantStore.open(path: path) }
    guard let address = ServerAddress(path), address.database != nil else {
      throw StoreError.notAStore(path: hidingLogin(path), detail: "it is no URL of a database")
    }
    return try CouchDBServer(address, Credentials(address, environment: environment))
  }

  static let warning =
    "A password in an address is seen by everybody who sees the process or the shell's history. Better: COUCHDB_USER and "
    + "COUCHDB_PASSWORD, or a line in ~/.netrc."

  /// The server as somebody it knows: who is not told in any other way is asked, where somebody can answer.
  private static func connected(_ server: CouchDBServer) throws -> CouchDBServer {
    do {
      try server.check()
      return server
    } catch StoreError.server(_, .notLoggedIn) where server.isAnonymous && isatty(STDIN_FILENO) == 1 {
      guard let login = askForLogin(server.path) else { return server }
      return try server.asking(as: login)
    }
  }

  private static func askForLogin(_ path: String) -> ServerAddress.Login? {
    FileHandle.standardError.write(Data("User for \(DisplayText.safe(path)): ".utf8))
    guard let name = readLine(), !name.isEmpty, let password = getpass("Password: ") else { return nil }
    return ServerAddress.Login(name: name, password: String(cString: password))
  }

  private static func severalStores(on server: CouchDBServer) throws -> StoreError {
    StoreError.severalStores(
      path: server.path, names: try server.databases().map { server.address.naming($0).url })
  }
}

extension StoreRequest {
  /// The path without what may be secret in it.
  var shownPath: String { ServerOpening.hidingLogin(path) }
}

extension ServerOpening {
  /// A message in which an address that was mistyped may stand, without what looks like a name and a password.
  static func withoutPasswords(_ words: String) -> String {
    words.replacing(/[^\s\/:@'"“]+:[^\s@]+@/, with: "…@")
  }

  /// An argument as it may be printed.
  static func hidingLogin(_ argument: String) -> String {
    guard ServerAddress.isMeant(by: argument) else { return argument }
    return ServerAddress(argument)?.url ?? "https://…"
  }
}
