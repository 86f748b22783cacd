import Foundation

/// Where a database is: what a person gave as a URL, taken apart.
package struct ServerAddress: Sendable, Equatable {
  /// Scheme, host, port, and whatever lies before the database: no `/` at the end, and nothing secret.
  package let server: String
  /// nil where the URL names a server alone.
  package let database: String?
  /// What the URL itself tells of who asks, which shells and process lists have seen.
  package let login: Login?
  /// A name without a password.
  package let user: String?

  package struct Login: Sendable, Equatable {
    package let name: String
    package let password: String

    package init(name: String, password: String) { (self.name, self.password) = (name, password) }
  }

  package var isEncrypted: Bool { server.hasPrefix("https:") }

  /// Whether somebody means a server by this.
  package static func isMeant(by text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  /// nil for what is no URL of a server. Only the last part of the path is the database's name, in which `/` is `%2F`.
  package init?(_ text: String) {
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.encodedHost?.lowercased(), !host.isEmpty
    else { return nil }
    // One with an @ behind its host has a name or a password that is not escaped, and would be cut in two.
    if text.contains("@"), url.user == nil { return nil }
    let parts = url.percentEncodedPath.split(separator: "/")
    database = parts.last.flatMap { $0.removingPercentEncoding }
    let port = url.port.map { ":\($0)" } ?? ""
    server = "\(scheme)://\(host)\(port)" + parts.dropLast().map { "/" + $0 }.joined()
    login = url.user.flatMap { name in url.password.map { Login(name: name, password: $0) } }
    user = login == nil ? url.user : nil
  }

  private init(server: String, database: String?, login: Login?, user: String?) {
    (self.server, self.database, self.login, self.user) = (server, database, login, user)
  }

  /// The same server's other database.
  package func naming(_ database: String) -> ServerAddress {
    ServerAddress(server: server, database: database, login: login, user: user)
  }

  /// What is meant by a page of Fauxton (`http://host:5984/_utils/#database/shop/_all_docs`), which people copy from their browser: the
  /// address of the database, or of a server; nil of all else.
  ///
  /// - Parameter text: what this was read from.
  package func behindFauxton(_ text: String) -> String? {
    let whole = url + "/"
    guard let root = whole.range(of: "/_utils/") else { return nil }
    let parts = URLComponents(string: text)?.percentEncodedFragment?.split(separator: "/") ?? []
    let name = parts.first == "database" ? parts.dropFirst().first : nil
    return String(whole[..<root.lowerBound]) + (name.map { "/" + String($0) } ?? "")
  }

  /// The database's own URL, which a person may see.
  package var url: String { ServerAddress.join(server, [database].compactMap(\.self)) }

  /// What lies below the database, each part as it is called.
  func url(_ parts: [String]) -> String { ServerAddress.join(url, parts) }

  private static func join(_ base: String, _ parts: [String]) -> String {
    ([base] + parts.map(escaped)).joined(separator: "/")
  }

  /// Only letters, digits and what means nothing in a URL stay: a plus would be a blank.
  static func escaped(_ part: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
    return part.addingPercentEncoding(withAllowedCharacters: plain) ?? part
  }
}
