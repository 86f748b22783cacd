import Digests
import ExactJSON
import Foundation

/// What is asked of the server itself.
extension Call {
  var greeting: JSON {
    .object([
      ("couchdb", .string("Welcome")), ("version", .string("3.5.0")), ("git_sha", .string("0000000")),
      ("uuid", .string("00000000000000000000000000000001")),
      ("features", .array([.string("access-ready"), .string("partitioned")])),
      ("vendor", .object([("name", .string("Parley, which imitates CouchDB"))])),
    ])
  }

  /// nil for what may be the name of a database.
  func serverAnswer(_ name: String, _ state: inout Core.State) throws -> SentAnswer? {
    switch name {
    case "_up": return SentAnswer(.object([("status", .string("ok")), ("seeds", .object([]))]))
    case "_uuids": return Call.tagged(.object([("uuids", .array([.string(DocumentID.made())]))]))
    case "_session": return try sessionAnswer(&state)
    case "_all_dbs", "_dbs_info", "_membership", "_active_tasks", "_node", "_scheduler":
      try requireServerAdministrator()
      return try administratorsAnswer(name, state)
    case "_replicate": return try only("POST") { try replicate(&state) }
    default: return nil
    }
  }

  private func administratorsAnswer(_ name: String, _ state: Core.State) throws -> SentAnswer {
    let names = Set(state.databases.keys).union(["_replicator", "_users"]).sorted()
    switch name {
    case "_all_dbs": return Call.tagged(.array(names.map { .string($0) }))
    case "_dbs_info":
      let asked = request.method == "POST" ? try object()["keys"]?.elements?.compactMap(\.text) : nil
      return SentAnswer(.array((asked ?? names).map { info($0, state.databases[$0]) }))
    default: throw ServerRefusal.notMine
    }
  }

  private func info(_ name: String, _ database: Database?) -> JSON {
    let rest = database.map { ("info", $0.info) } ?? ("error", .string("not_found"))
    return .object([("key", .string(name)), (name: rest.0, value: rest.1)])
  }

  private static func tagged(_ json: JSON) -> SentAnswer {
    SentAnswer(200, json, headers: [(name: "ETag", value: "\"\(Hexadecimal.text(md5(json.bytes())))\"")])
  }
}

/// Logging in and out.
extension Call {
  private func sessionAnswer(_ state: inout Core.State) throws -> SentAnswer {
    let sessions = state.sessions
    switch request.method {
    case "GET": return SentAnswer(session)
    case "POST": return try login(sessions, at: state.now)
    case "DELETE": return SentAnswer(200, SentAnswer.ok, headers: [sessions.header("", at: state.now)])
    default: throw ServerRefusal.only("GET,HEAD,POST,DELETE")
    }
  }

  private var session: JSON {
    let handlers = ["cookie", "default"].map { JSON.string($0) }
    let proof: [(name: String, value: JSON)] = user.handler.map { [("authenticated", .string($0))] } ?? []
    return .object([
      ("ok", .bool(true)), ("userCtx", user.context),
      ("info", .object([("authentication_handlers", .array(handlers))] + proof)),
    ])
  }

  private func login(_ sessions: Sessions, at now: TimeInterval) throws -> SentAnswer {
    let isForm = request["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true
    let sent = isForm ? request.form : [:]
    let json = isForm ? nil : try json()
    let name = sent["name"] ?? json?["name"]?.text ?? ""
    do {
      let user = try sessions.user(name: name, password: sent["password"] ?? json?["password"]?.text ?? "")
      let roles = JSON.array(user.roles.map { .string($0) })
      return SentAnswer(
        200, .object([("ok", .bool(true)), ("name", .string(name)), ("roles", roles)]),
        headers: [sessions.header(sessions.cookie(for: name, at: now), at: now)])
    } catch let refusal as ServerRefusal {
      return SentAnswer(refusal.status, refusal.json, headers: [sessions.header("", at: now)])
    }
  }
}
