/// Who asks the server.
package enum Credentials: Sendable, Equatable {
  /// Somebody without a name, unless this file has one for the host; nil for `~/.netrc`.
  case netrc(file: String?)
  case password(ServerAddress.Login)
  /// A token that somebody else made, such as a JWT.
  case bearer(String)
  /// A key of IBM Cloud, for which its service gives tokens that end after an hour.
  case iam(key: String, service: String)

  /// What the URL says counts first, then the environment: `PARLEY_USER` with `PARLEY_PASSWORD`, `PARLEY_TOKEN`,
  /// `PARLEY_IAM_KEY` (with `PARLEY_IAM_URL`, where that is not IBM's own service), `NETRC`. A name without a password is none; one in the
  /// URL stands in place of `PARLEY_USER`.
  package init(_ address: ServerAddress, environment: [String: String]) {
    func given(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let login = address.login {
      self = .password(login)
    } else if let name = address.user ?? given("PARLEY_USER"), let password = given("PARLEY_PASSWORD") {
      self = .password(ServerAddress.Login(name: name, password: password))
    } else if let token = given("PARLEY_TOKEN") {
      self = .bearer(token)
    } else if let key = given("PARLEY_IAM_KEY") {
      self = .iam(
        key: key,
        service: (given("PARLEY_IAM_URL") ?? "https://iam.cloud.ibm.com").replacing(
          "/identity/token", with: ""))
    } else {
      self = .netrc(file: given("NETRC"))
    }
  }
}
