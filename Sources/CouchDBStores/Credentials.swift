/// Who asks the server.
package enum Credentials: Sendable, Equatable {
  /// Somebody without a name, unless `~/.netrc` has one for the host.
  case netrc
  case password(ServerAddress.Login)
  /// A token that somebody else made, such as a JWT.
  case bearer(String)
  /// A key of IBM Cloud, for which its service gives tokens that end after an hour.
  case iam(key: String, service: String)

  /// What the URL says counts first, then the environment: `COUCHDB_USER` with `COUCHDB_PASSWORD`, `COUCHDB_TOKEN`,
  /// `CLOUDANT_APIKEY` (with `CLOUDANT_AUTH_URL`, as IBM's own programs have it).
  package init(_ address: ServerAddress, environment: [String: String]) {
    func given(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let login = address.login {
      self = .password(login)
    } else if let name = address.user ?? given("COUCHDB_USER"),
      address.user == nil || given("COUCHDB_PASSWORD") != nil
    {
      self = .password(ServerAddress.Login(name: name, password: given("COUCHDB_PASSWORD") ?? ""))
    } else if let token = given("COUCHDB_TOKEN") {
      self = .bearer(token)
    } else if let key = given("CLOUDANT_APIKEY") {
      self = .iam(
        key: key,
        service: (given("CLOUDANT_AUTH_URL") ?? "https://iam.cloud.ibm.com").replacing(
          "/identity/token", with: ""))
    } else {
      self = .netrc
    }
  }
}
