import CloudantStores
import CouchDBStores
import Foundation
import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface
import Terminal

/// Opening a database on a server.
enum ServerOpening {
  /// - Throws: ``StoreError``, also ``StoreError/severalStores(path:names:)`` for a server without a database's name.
  static func open(
    _ request: StoreRequest, _ rules: MergeRules, signsTombstones: Bool, environment: [String: String]
  ) throws -> any ConflictStore {
    guard request.metadatabase == nil else { throw CommandError.metadataOfDatastore(path: request.shownPath) }
    guard request.route != .outbox else { throw CommandError.outboxOfDatastore(path: request.shownPath) }
    guard request.index == nil else { throw CommandError.indexOfOther(path: request.shownPath) }
    guard let address = ServerAddress(request.path) else {
      throw StoreError.notAStore(path: request.shownPath, detail: "it is no URL of a database")
    }
    if let database = address.behindFauxton(request.path) {
      let detail = "it is a page of Fauxton; the address to give is \(database)"
      throw StoreError.notAStore(path: request.shownPath, detail: detail)
    }
    try checkAuthorities(request)
    let server = try connected(
      try CouchDBServer(
        address, request.login.map(Credentials.password) ?? Credentials(address, environment: environment),
        authorities: request.authorities))
    if address.database == nil { throw try severalStores(on: knowing(server)) }
    return try CouchDBStore.open(
      server, access: request.access == .reading ? .reading : .writing, finishing: false,
      rules: rules,
      ancestors: try request.ancestors.map { try ancestors(at: $0, request, beside: address, environment) },
      signsTombstones: signsTombstones,
      environment: request.home.map { ["XDG_STATE_HOME": $0, "XDG_CACHE_HOME": $0] } ?? environment)
  }

  /// Who gives certificates takes the line for one that nobody listens to.
  private static func checkAuthorities(_ request: StoreRequest) throws {
    let addresses = [request.path, request.ancestors].compactMap { $0.flatMap { ServerAddress($0) } }
    guard let file = request.authorities else { return }
    guard addresses.contains(where: \.isEncrypted) else {
      throw CommandError.authoritiesOfOpenLine(path: request.shownPath)
    }
    if let reason = reasonNotToTrust(file) { throw CommandError.noAuthorities(file: file, reason) }
  }

  /// Where nothing is asked by such a file the reason would read as if the server could not be reached. nil if there are certificates in it.
  private static func reasonNotToTrust(_ file: String) -> String? {
    guard let status = FileStatus(path: file) else {
      return FileStatus.isOutOfSight(file) ? "this user may not enter a folder on the way" : "it is not there"
    }
    // A pipe is read once.
    if !status.isRegular { return status.isFolder ? "it is a folder" : nil }
    do {
      let bytes = try Data(contentsOf: URL(filePath: file))
      let mark = Data("CERTIFICATE-----".utf8)
      return bytes.range(of: mark) == nil ? "there is none in it" : nil
    } catch {
      return "it cannot be read"
    }
  }

  /// What is to be said of how a store is named, before its server is asked: what stands in the list of processes does so whether the
  /// server answers or not.
  static func warnings(of request: StoreRequest) -> [String] {
    let addresses = [request.path, request.ancestors].compactMap { $0.flatMap { ServerAddress($0) } }
    return addresses.contains { $0.login != nil } ? [warning] : []
  }

  /// Another replica: a datastore on this machine, or a database on a server. Who asks is told to the server that was meant, and
  /// to no other.
  private static func ancestors(
    at path: String, _ request: StoreRequest, beside main: ServerAddress, _ environment: [String: String]
  ) throws -> any RevisionSource {
    guard ServerAddress.isMeant(by: path) else { return try CloudantStore.open(path: path) }
    guard let address = ServerAddress(path), address.database != nil else {
      throw StoreError.notAStore(path: hidingLogin(path), detail: "it is no URL of a database")
    }
    let isSame = address.server == main.server
    let known = isSame ? request.login ?? main.login : nil
    return try CouchDBServer(
      address,
      known.map(Credentials.password) ?? Credentials(address, environment: isSame ? environment : [:]),
      authorities: request.authorities)
  }

  private static let warning =
    "A password in an address is seen by everybody who sees the process or the shell's history. Better: PARLEY_USER and "
    + "PARLEY_PASSWORD, or a line in ~/.netrc."

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

  /// Most servers tell their databases to administrators alone: who is one may say so.
  private static func knowing(_ server: CouchDBServer) throws -> CouchDBServer {
    do {
      _ = try server.databases()
      return server
    } catch StoreError.server(_, .nameADatabase) where server.isAnonymous && isatty(STDIN_FILENO) == 1 {
      return try askForLogin(server.path).map { try server.asking(as: $0) } ?? server
    }
  }

  private static func askForLogin(_ path: String) -> ServerAddress.Login? {
    FileHandle.standardError.write(Data("User for \(DisplayText.safe(path)): ".utf8))
    let name = readLine()
    // What is told next begins in a line of its own.
    if name == nil { FileHandle.standardError.write(Data("\n".utf8)) }
    guard let name, !name.isEmpty, let password = PasswordPrompt.ask("Password: ") else { return nil }
    return ServerAddress.Login(name: name, password: password)
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
  /// A message without what looks like a name and a password in an address that was mistyped. What a document is called may look so,
  /// too: `user:zoe@example.com`.
  static func withoutPasswords(_ words: String, _ arguments: [String]) -> String {
    let logins = arguments.indices.filter { looksLikeLogin($0, of: arguments) }.map { arguments[$0] }
    let hidden = logins.reduce(words) { words, argument in
      words.replacing(argument, with: "…" + argument[(argument.lastIndex(of: "@") ?? argument.startIndex)...])
    }
    return hidden.replacing(/\/\/[^\s\/:@'"“]+:[^\s]*@/, with: "//…@")
  }

  /// Where a store is named, whatever has a login's form; in the place of a record's name, an address alone, be it without its scheme:
  /// one names a database or a port.
  private static func looksLikeLogin(_ place: Int, of arguments: [String]) -> Bool {
    let argument = arguments[place]
    guard let colon = argument.firstIndex(of: ":"), let at = argument.lastIndex(of: "@"), colon < at else {
      return false
    }
    return !isRecord(place, of: arguments) || argument.contains("/") || argument[at...].contains(":")
  }

  /// Behind the command and the path.
  private static func isRecord(_ place: Int, of arguments: [String]) -> Bool {
    let before = arguments[..<place]
    let isAddress = before.last.map { ["--ancestors", "--ancestor"].contains($0) } ?? false
    return !isAddress && before.count { !$0.hasPrefix("-") } >= 2
  }

  /// An argument as it may be printed.
  static func hidingLogin(_ argument: String) -> String {
    guard ServerAddress.isMeant(by: argument) else { return argument }
    return ServerAddress(argument)?.url ?? "https://…"
  }
}
