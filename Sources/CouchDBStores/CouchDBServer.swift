import ExactJSON
import Foundation
import HTTP
import StoreInterface
import Synchronization

/// Asks one server, as one person. Several threads may ask, a few of them at once.
package final class CouchDBServer: Sendable {
  package let address: ServerAddress
  let credentials: Credentials
  private let options: HTTPConnection.Options
  let patience: Patience
  private let lines: HTTPLines
  /// The header by which the server knows who asks.
  private let proof = Mutex<Proof?>(nil)
  /// Held by the one who logs in: the others take what that gave.
  private let login = Mutex(())

  private struct Proof: Equatable {
    let header: String
    let value: String
  }

  /// How long a server may say nothing, in seconds.
  package struct Patience: Sendable {
    package var usual = 60
    /// To a document that it was asked for alone, as it was silent about many.
    package var long = 600
    /// Before a feed that broke is asked for again.
    package var afterBreak = 5
    /// The clock by which it is seen that nothing comes, or an answer never ends.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init() {}
  }

  /// What a server said that is not what was asked for.
  struct Answer: Sendable {
    let status: Int
    let json: JSONValue

    /// "conflict", and why, in the server's words.
    var error: String { json["error"]?.string ?? "" }
    var reason: String { json["reason"]?.string ?? error }
    var isFine: Bool { (200..<300).contains(status) }
  }

  /// - Parameter authorities: a file with the certificates to trust, instead of the system's.
  package init(
    _ address: ServerAddress, _ credentials: Credentials, authorities: String? = nil,
    patience: Patience = Patience()
  ) throws {
    var options = HTTPConnection.Options()
    (options.authorities, options.silenceTimeout, options.now) = (authorities, patience.usual, patience.now)
    if case .netrc(let file) = credentials { options.netrc = .init(file: file) }
    (self.address, self.credentials, self.options, self.patience) = (address, credentials, options, patience)
    let path = address.url
    lines = try HTTPLines { try CouchDBServer.connection(options, path) }
  }

  /// A connection of its own, for an answer that is read over a longer time.
  ///
  /// - Parameter patience: throws to wait no longer; without it as long as the call wants.
  func streaming(patience: (() throws -> Void)? = nil) throws -> HTTPConnection {
    if let patience { return try HTTPConnection(options, patience: patience) }
    return try CouchDBServer.connection(options, address.url)
  }

  /// One that is waited for as long as the call wants, and tells it how long.
  private static func connection(_ options: HTTPConnection.Options, _ path: String) throws -> HTTPConnection {
    let waiter = StoreCall.Waiter()
    return try HTTPConnection(options) {
      try StoreCall.current.check(path)
    } hearSilence: { silence in
      guard let silence else { return waiter.isAnswered() }
      waiter.waits(silence.length, of: silence.most)
    }
  }

  package var path: String { address.url }
  package var isAnonymous: Bool { if case .netrc = credentials { true } else { false } }

  /// The same server, asked by somebody with a name.
  package func asking(as login: ServerAddress.Login) throws -> CouchDBServer {
    try CouchDBServer(address, .password(login), authorities: options.authorities, patience: patience)
  }

  /// Whether it answers, and to this user.
  ///
  /// - Throws: ``StoreError/server(path:_:)``
  package func check() throws { _ = try get([]) }

  /// All databases, without those of the server itself. Most servers tell them to administrators alone.
  package func databases() throws -> [String] {
    do {
      return try get(["_all_dbs"]).elements.compactMap(\.string).filter { !$0.hasPrefix("_") }
    } catch StoreError.server(_, .notLoggedIn(let reason))
      where !isAnonymous || reason.contains("server admin")
    {
      throw trouble(.nameADatabase)
    }
  }

  func trouble(_ trouble: ServerTrouble) -> StoreError { .server(path: path, trouble) }
}

/// Questions that are answered in JSON.
extension CouchDBServer {
  /// - Throws: ``StoreError`` for every answer that is not fine.
  func get(_ parts: [String], _ query: [String: String] = [:]) throws -> JSONValue {
    try fine(try ask("GET", url(parts, query)))
  }

  func url(_ parts: [String], _ query: [String: String] = [:]) -> String {
    let query = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(ServerAddress.escaped($0.value))" }
    return address.url(parts) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  func fine(_ answer: Answer) throws -> JSONValue {
    if answer.isFine { return answer.json }
    throw trouble(.refused(status: answer.status, answer.reason))
  }

  /// The answer, whatever it is, once it is the server's own: a login that is over is made again, once; a server that is asked too
  /// much is asked again when it wants.
  ///
  /// - Parameters:
  ///   - silence: for how many seconds nothing may come, if not as long as usual.
  ///   - isOnce: whether it is sent again only after an answer.
  /// - Throws: ``StoreError/server(path:_:)``
  func ask(
    _ method: String, _ url: String, _ body: JSONValue? = nil, _ limit: Int = 64 << 20, silence: Int? = nil
  ) throws -> Answer {
    try ask(method, url, bytes: body?.canonical, limit, silence: silence)
  }

  /// The same with a body that is written already.
  func ask(
    _ method: String, _ url: String, bytes: [UInt8]?, _ limit: Int = 64 << 20, silence: Int? = nil,
    isOnce: Bool = false
  ) throws -> Answer {
    try asking(url) { proof in
      var request = request(method, url, proof, bytes)
      request.isOnce = isOnce
      let answer = try lines.ask { try $0.answer(to: request, atMost: limit, silence: silence) }
      return (answer.head, answer)
    } as: {
      try self.answer($0)
    }
  }

  /// What stands between the slashes where a document has an address of its own: a design document's name has one.
  static func parts(of document: String) -> [String] {
    let design = "_design/"
    return document.hasPrefix(design) ? ["_design", String(document.dropFirst(design.count))] : [document]
  }

  /// The bytes of an attachment as they are stored, and whether that is gzip; nil if they are not kept.
  func bytes(_ name: String, of document: String, _ revision: String) throws -> (
    bytes: [UInt8], isPacked: Bool
  )? {
    let url = url(CouchDBServer.parts(of: document) + [name], ["rev": revision])
    let answer = try asking(url) { proof in
      let request = request("GET", url, proof, nil, accepting: "*/*", "gzip")
      let answer = try lines.ask { try $0.answer(to: request) }
      return (answer.head, answer)
    } as: {
      $0
    }
    if answer.head.status == 404 { return nil }
    guard answer.head.status == 200 else { throw trouble(.refused(status: answer.head.status, "")) }
    return (answer.body, answer.head.headers["content-encoding"]?.contains("gzip") == true)
  }

  /// Asks on a connection of its own, whose answer is read by whoever asked.
  func begin(_ url: String, on connection: HTTPConnection) throws {
    try asking(url) { proof in
      let head = try connection.begin(request("GET", url, proof, nil))
      return (head, head)
    } as: { head in
      let isJSON =
        head.headers["content-type"].map { $0.contains("json") || $0.hasPrefix("text/plain") } ?? true
      if head.status == 200, isJSON { return }
      let bytes = try translating { try connection.body(upTo: 1 << 20) }
      let answer = try self.answer(HTTPAnswer(head: head, body: bytes))
      throw trouble(.refused(status: head.status, answer.reason))
    }
  }

  /// Where a server sends on to, without what may be secret in it. Of a call to the database that is the one it is made to: the call itself
  /// is nothing to open. Whatever is asked of the server beside it, as who asks, says nothing of where the database is.
  private func redirection(of url: String, to location: String?) -> String {
    guard let there = location.flatMap({ resolved($0, from: url) })?.url else { return "another address" }
    guard url.hasPrefix(address.url + "/") else { return there }
    let call = url.prefix { $0 != "?" }.dropFirst(address.url.count)
    if there.hasSuffix(call) { return String(there.dropLast(call.count)) }
    // Another part of the same database is no other one.
    return address.database != nil && there.hasPrefix(address.url + "/") ? address.url : there
  }

  /// One that names no server is on the one that was asked.
  private func resolved(_ location: String, from url: String) -> ServerAddress? {
    let whole = URL(string: location, relativeTo: URL(string: url))?.absoluteString
    return ServerAddress(location) ?? whole.flatMap { ServerAddress($0) }
  }

  private func request(
    _ method: String, _ url: String, _ proof: Proof?, _ body: [UInt8]?,
    accepting type: String = "application/json", _ encoding: String = "identity"
  ) -> HTTPRequest {
    var headers = [
      (name: "Accept", value: type), (name: "Accept-Encoding", value: encoding),
      (name: "User-Agent", value: "parley"),
    ]
    if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    if let proof { headers.append((name: proof.header, value: proof.value)) }
    return HTTPRequest(method, url, headers: headers, body: body)
  }

  @discardableResult private func asking<Raw, Result>(
    _ url: String, _ send: (Proof?) throws -> (HTTPHead, Raw), as read: (Raw) throws -> Result
  ) throws -> Result {
    var (logins, waits) = (0, 0)
    while true {
      let shown = try translating { try shownProof() }
      let (head, raw) = try translating { try send(shown) }
      keepCookie(head)
      switch head.status {
      case 300..<400:
        throw trouble(.redirected(to: redirection(of: url, to: head.headers["location"])))
      case 401 where logins == 0 && canLogIn:
        logins += 1
        // Another thread may have logged in again since.
        proof.withLock { if $0 == shown { $0 = nil } }
      case 429 where waits < 6:
        waits += 1
        try wait(head.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: Date()) } ?? waits)
      case 429: throw trouble(.busy(seconds: nil))
      default: return try read(raw)
      }
    }
  }

  /// - Throws: ``StoreError``
  func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as HTTPFailure {
      throw trouble(ServerTrouble(failure))
    }
  }

  /// As many as a page of bodies has whose values take eight bytes each, names and all; hardly any are as short. A body of 8 MB, the
  /// longest that a server takes unless it is told otherwise, cannot have more.
  static let mostValues = 1 << 22

  /// What a server sends, whoever it is.
  ///
  /// - Throws: ``StoreError`` where it has too many values, ``JSONProblem`` where it is no JSON.
  func json(_ bytes: [UInt8]) throws -> JSONValue {
    do {
      return try JSONValue(parsing: bytes, atMost: CouchDBServer.mostValues)
    } catch {
      guard let most = error.mostValues else { throw error }
      throw trouble(.tooMany(values: most))
    }
  }

  private func answer(_ raw: HTTPAnswer) throws -> Answer {
    let status = raw.head.status
    do {
      let answer = Answer(status: status, json: try self.json(raw.body))
      if status == 401 { throw trouble(.notLoggedIn(answer.reason)) }
      return answer
    } catch let problem as JSONProblem {
      let type = raw.head.headers["content-type"] ?? "no type"
      // One that ends too early was cut by somebody, whatever its type.
      if status == 200, type.contains("json"), problem.offset < raw.body.count {
        throw trouble(.unreadable(problem.reason))
      }
      // Whoever says so has not handed it on, in whatever words.
      if status == 413 { return Answer(status: status, json: CouchDBServer.tooLarge) }
      throw trouble(.notJSON(status: status, "\(type): \(problem.reason)"))
    }
  }

  private static let tooLarge = JSONValue.object([
    "error": .string("too_large"), "reason": .string("a gateway takes no request of this length"),
  ])

  /// In seconds; ends when nobody waits any more.
  private func wait(_ seconds: Int) throws {
    guard seconds <= RetryAfter.longest else { throw trouble(.busy(seconds: seconds)) }
    let (waiter, start) = (StoreCall.Waiter(), ContinuousClock.now)
    defer { waiter.isAnswered() }
    while start.duration(to: .now) < .seconds(seconds) {
      try StoreCall.current.check(path)
      waiter.waits(start.duration(to: .now), of: seconds)
      usleep(50_000)
    }
  }
}

/// Who asks.
extension CouchDBServer {
  private var canLogIn: Bool {
    switch credentials {
    case .netrc, .bearer: false
    case .password, .iam: true
    }
  }

  private func shownProof() throws -> Proof? {
    if isAnonymous { return nil }
    if let known = proof.withLock(\.self) { return known }
    return try login.withLock { _ in
      if let known = proof.withLock(\.self) { return known }
      let new = try newProof()
      proof.withLock { $0 = new }
      return new
    }
  }

  private func newProof() throws -> Proof? {
    switch credentials {
    case .netrc: nil
    case .bearer(let token) where !token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }):
      throw trouble(.notLoggedIn("PARLEY_TOKEN holds what no token can"))
    case .bearer(let token): Proof(header: "Authorization", value: "Bearer " + token)
    case .password(let login): try session(login) ?? basic(login)
    case .iam(let key, let service): try token(key, service)
    }
  }

  private func basic(_ login: ServerAddress.Login) -> Proof {
    let pair = Data("\(login.name):\(login.password)".utf8).base64EncodedString()
    return Proof(header: "Authorization", value: "Basic " + pair)
  }

  /// nil where the server knows no sessions.
  private func session(_ login: ServerAddress.Login) throws -> Proof? {
    let body = JSONValue.object(["name": .string(login.name), "password": .string(login.password)])
    let request = request("POST", address.server + "/_session", nil, body.canonical)
    let answer = try lines.ask { try $0.answer(to: request) }
    switch answer.head.status {
    case 200: return cookie(answer.head)
    case 401: throw trouble(.notLoggedIn("name or password is wrong"))
    default: return nil
    }
  }

  /// A cookie that is no longer young comes anew with any answer.
  private func keepCookie(_ head: HTTPHead) {
    guard case .password = credentials, let new = cookie(head) else { return }
    proof.withLock { $0 = new }
  }

  private func cookie(_ head: HTTPHead) -> Proof? {
    guard let cookie = head.headers["set-cookie"]?.split(separator: ";").first,
      cookie.hasPrefix("AuthSession="), cookie.utf8.count > "AuthSession=".utf8.count
    else { return nil }
    return Proof(header: "Cookie", value: String(cookie))
  }

  /// What goes wrong on the way to another service is that one's.
  private func asking<Result>(_ service: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as HTTPFailure {
      throw StoreError.server(path: service, ServerTrouble(failure))
    }
  }

  private func token(_ key: String, _ service: String) throws -> Proof {
    let form = "grant_type=urn:ibm:params:oauth:grant-type:apikey&apikey=" + ServerAddress.escaped(key)
    let request = HTTPRequest(
      "POST", service + "/identity/token",
      headers: [
        (name: "Accept", value: "application/json"),
        (name: "Content-Type", value: "application/x-www-form-urlencoded"),
      ], body: Array(form.utf8))
    let answer = try asking(service) { try lines.ask { try $0.answer(to: request) } }
    guard answer.head.status == 200, let json = try? self.json(answer.body),
      let token = json["access_token"]?.string, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw StoreError.server(
        path: service, .refused(status: answer.head.status, "it gave no token for this key"))
    }
    return Proof(header: "Authorization", value: "Bearer " + token)
  }
}

extension ServerTrouble {
  fileprivate init(_ failure: HTTPFailure) {
    switch failure {
    case .notReached(let detail): self = .notReached(detail)
    case .insecure(let detail): self = .insecure(detail)
    case .cut(let detail): self = .cut(detail)
    case .silent(let detail): self = .silent(detail)
    case .slow(let seconds): self = .slow(seconds: seconds)
    case .tooLong(let limit): self = .tooLong(limit: limit)
    }
  }
}

/// Reading what a server says: nil for whatever is not there or is something else.
extension JSONValue {
  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[JSONText(name)] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text.text } else { nil } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var integer: Int? { if case .literal(let token) = self { Int(token) } else { nil } }
  var isTrue: Bool { self == .literal("true") }
}
