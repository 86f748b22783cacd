import ExactJSON

/// One request, and who asks. It is answered under the server's lock.
struct Call {
  let core: Core
  let request: ReceivedRequest
  let user: User

  var query: [String: String] { request.query }

  func flag(_ name: String) -> Bool { query[name] == "true" }

  func answer(_ state: inout Core.State) throws -> SentAnswer {
    let segments = request.segments
    guard let first = segments.first else { return try only("GET", "HEAD") { SentAnswer(greeting) } }
    guard let name = first else { throw ServerRefusal.noDatabase }
    if segments.count == 1 || name == "_node" || name == "_scheduler" {
      if let answer = try serverAnswer(name, &state) { return answer }
    }
    return try databaseAnswer(name, Array(segments.dropFirst()), &state)
  }

  func only(_ methods: String..., answer: () throws -> SentAnswer) throws -> SentAnswer {
    guard methods.contains(request.method) else { throw ServerRefusal.only(methods.joined(separator: ",")) }
    return try answer()
  }

  func requireServerAdministrator() throws {
    if !user.isServerAdministrator { throw ServerRefusal.noServerAdmin }
  }

  func json() throws -> JSON { try JSON(couchDB: request.body) }

  /// The body, if it is an object and said to be JSON.
  func object() throws -> JSON {
    guard request["content-type"]?.hasPrefix("application/json") == true else {
      throw ServerRefusal(415, "bad_content_type", "Content-Type must be application/json")
    }
    let json = try json()
    guard json.members != nil else { throw ServerRefusal.badRequest("Request body must be a JSON object") }
    return json
  }

  /// A browser that nobody is logged in with is sent to a page.
  func answer(_ refusal: ServerRefusal) -> SentAnswer {
    var answer = SentAnswer(refusal.status, refusal.json)
    if refusal.status == 405, let methods = refusal.reason.split(separator: " ").dropFirst().first {
      answer.headers.append(("Allow", String(methods)))
    }
    if refusal.status == 401, user.name == nil, request["accept"]?.hasPrefix("text/html") == true {
      answer.status = 302
      let page =
        "/_utils/session.html?return=\(Call.escaped(request.target))&reason=\(Call.escaped(refusal.reason))"
      answer.headers.append(("Location", core.url + page))
    }
    return answer
  }

  static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 128 && (character.isLetter || character.isNumber || "-_.~".contains(character))
      return isPlain ? String(character) : "%" + Hexadecimal.text([byte]).uppercased()
    }.joined()
  }
}
