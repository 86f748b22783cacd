import ExactJSON

/// What goes back: all at once with its length, or piece by piece for as long as it lasts.
struct SentAnswer: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Ends when the closure returns, or throws because nobody listens any more.
    case stream(@Sendable (_ send: (String) throws -> Void) throws -> Void)
  }

  var status: Int
  var headers: [(name: String, value: String)]
  var body: Body

  init(_ status: Int, _ headers: [(name: String, value: String)], _ body: Body) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Every answer of CouchDB that is one JSON value ends with a line feed.
  init(_ status: Int, _ json: JSON, headers: [(name: String, value: String)] = []) {
    self.init(status, [SentAnswer.json] + headers, .bytes(json.bytes() + [0x0A]))
  }

  init(_ json: JSON) { self.init(200, json) }

  static let json = (name: "Content-Type", value: "application/json")
  static let ok: JSON = .object([("ok", .bool(true))])
}

/// An error as CouchDB tells it: a status, a word, and a reason.
struct ServerRefusal: Error, Sendable, Equatable {
  let status: Int
  let error: String
  let reason: String

  init(_ status: Int, _ error: String, _ reason: String) {
    (self.status, self.error, self.reason) = (status, error, reason)
  }

  var json: JSON { .object([("error", .string(error)), ("reason", .string(reason))]) }
}

extension ServerRefusal {
  static let missing = ServerRefusal(404, "not_found", "missing")
  static let deleted = ServerRefusal(404, "not_found", "deleted")
  static let noDatabase = ServerRefusal(404, "not_found", "Database does not exist.")
  static let conflict = ServerRefusal(409, "conflict", "Document update conflict.")
  static let noJSON = badRequest("invalid UTF-8 JSON")
  static let noRevision = badRequest("Invalid rev format")
  static let noServerAdmin = ServerRefusal(401, "unauthorized", "You are not a server admin.")
  static let notMine = ServerRefusal(
    501, "not_implemented", "This server imitates a part of CouchDB, and this is none.")

  static func badRequest(_ reason: String) -> ServerRefusal { ServerRefusal(400, "bad_request", reason) }
  static func illegalID(_ reason: String) -> ServerRefusal { ServerRefusal(400, "illegal_docid", reason) }

  static func only(_ methods: String) -> ServerRefusal {
    ServerRefusal(405, "method_not_allowed", "Only \(methods) allowed")
  }
}
