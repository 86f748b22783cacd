import Digests
import ExactJSON
import Foundation

/// Who asks.
struct User: Sendable {
  var name: String?
  var roles: [String] = []
  /// How they proved it, in CouchDB's words.
  var handler: String?

  var isServerAdministrator: Bool { roles.contains("_admin") }

  var context: JSON {
    .object([("name", JSON(name)), ("roles", .array(roles.map { .string($0) }))])
  }

  /// Whether the names or the roles of this part of `_security` hold this one.
  func isAmong(_ part: JSON?) -> Bool {
    let names = (part?["names"]?.elements ?? []).compactMap(\.text)
    let roles = (part?["roles"]?.elements ?? []).compactMap(\.text)
    return name.map { names.contains($0) } ?? false || !roles.filter { self.roles.contains($0) }.isEmpty
  }
}

/// Passwords, cookies and tokens. A cookie is `name:time in hexadecimal:hash` in base64; the server keeps no sessions, so one
/// works until it expires, whoever logged out.
struct Sessions {
  struct Account {
    let password: String
    let roles: [String]
  }

  var accounts: [String: Account] = [:]
  /// Tokens that a bearer may show, and whose they are.
  var tokens: [String: String] = [:]
  /// Without an administrator everybody is one.
  var hasAdministrator = true
  var timeout: TimeInterval = 600
  private let secret = UUID().uuidString

  private static let wrong = ServerRefusal(401, "unauthorized", "Name or password is incorrect.")
  private static let malformed = ServerRefusal.badRequest(
    "Malformed AuthSession cookie. Please clear your cookies.")

  func user(named name: String, _ handler: String) -> User {
    User(name: name, roles: accounts[name]?.roles ?? [], handler: handler)
  }

  func user(name: String, password: String) throws -> User {
    guard accounts[name]?.password == password else { throw Sessions.wrong }
    return user(named: name, "default")
  }

  /// - Returns: who asks, and the name that gets a new cookie with the answer.
  func user(of request: ReceivedRequest, at now: TimeInterval) throws -> (user: User, renewed: String?) {
    let authorization = request["authorization"]?.split(separator: " ", maxSplits: 1) ?? []
    if authorization.count == 2, authorization[0].lowercased() == "basic" {
      return (try basic(String(authorization[1])), nil)
    }
    if authorization.count == 2, authorization[0].lowercased() == "bearer" {
      return (tokens[String(authorization[1])].map { user(named: $0, "jwt") } ?? User(), nil)
    }
    if let cookie = Sessions.cookie(in: request), !cookie.isEmpty {
      return try user(ofCookie: cookie, at: now)
    }
    return (hasAdministrator ? User() : User(roles: ["_admin"]), nil)
  }

  private func basic(_ text: String) throws -> User {
    guard let bytes = Data(base64Encoded: text) else {
      throw ServerRefusal.badRequest("Authorization header has invalid base64 value")
    }
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return try user(name: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
  }
}

/// Cookies.
extension Sessions {
  func cookie(for name: String, at now: TimeInterval) -> String {
    let text = name + ":" + String(Int(now), radix: 16, uppercase: true)
    return Data((text + ":" + hash(text)).utf8).base64EncodedString().replacing("=", with: "")
  }

  func header(_ cookie: String, at now: TimeInterval) -> (name: String, value: String) {
    let expires = HTTPDate.text(now + (cookie.isEmpty ? 0 : timeout))
    return (
      "Set-Cookie",
      "AuthSession=\(cookie); Version=1; Expires=\(expires); Max-Age=\(Int(timeout)); Path=/; HttpOnly"
    )
  }

  private static func cookie(in request: ReceivedRequest) -> String? {
    request["cookie"]?.split(separator: ";").map { $0.drop { $0 == " " } }
      .first { $0.hasPrefix("AuthSession=") }.map { String($0.dropFirst("AuthSession=".count)) }
  }

  private func hash(_ text: String) -> String { Hexadecimal.text(md5(Array((secret + text).utf8))) }

  /// A cookie that is a tenth through its time is renewed; one that is through, or was made up, is nobody's.
  private func user(ofCookie cookie: String, at now: TimeInterval) throws -> (user: User, renewed: String?) {
    let padding = String(repeating: "=", count: (4 - cookie.count % 4) % 4)
    guard let bytes = Data(base64Encoded: cookie + padding) else { throw Sessions.malformed }
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let made = Int(parts[1], radix: 16) else { throw Sessions.malformed }
    let age = now - TimeInterval(made)
    guard hash("\(parts[0]):\(parts[1])") == parts[2], age < timeout else { return (User(), nil) }
    let name = String(parts[0])
    return (user(named: name, "cookie"), age > timeout / 10 ? name : nil)
  }
}

enum HTTPDate {
  static func text(_ time: TimeInterval) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date(timeIntervalSince1970: time))
  }
}
