import ExactJSON

/// What is asked of one document, or of one of its attachments.
extension Call {
  func documentAnswer(
    _ rest: [String], _ database: Database, _ state: inout Core.State
  ) throws -> SentAnswer {
    let (id, attachment) = Call.names(rest)
    if id == "_local" || id == "_local/" { throw ServerRefusal.badRequest("Invalid _local document id.") }
    if request.method == "PUT", !id.hasPrefix("_local/") {
      try DocumentID.check(id, isPartitioned: database.isPartitioned)
    }
    if let attachment { return try attachmentAnswer(id, attachment, database) }
    switch request.method {
    case "GET", "HEAD": return id.hasPrefix("_local/") ? try local(id, database) : try read(id, database)
    case "PUT":
      if database.name == "_users" { return try put(user: id, database, &state) }
      return try put(id, draft(), database)
    case "DELETE": return try delete(id, database)
    default: throw ServerRefusal.only("DELETE,GET,HEAD,PUT")
    }
  }

  /// The slash behind `_design` and `_local` may stand as it is; any other begins the name of an attachment.
  private static func names(_ rest: [String]) -> (id: String, attachment: String?) {
    let isReserved = ["_design", "_local"].contains(rest[0]) && rest.count > 1
    let count = isReserved ? 2 : 1
    let name = rest.dropFirst(count).joined(separator: "/")
    return (rest.prefix(count).joined(separator: "/"), name.isEmpty ? nil : name)
  }
}

/// Reading.
extension Call {
  private func read(_ id: String, _ database: Database) throws -> SentAnswer {
    if let asked = query["open_revs"] { return try openRevisions(asked, id, database) }
    guard let document = database.document(id) else { throw ServerRefusal.missing }
    let place = try place(in: document)
    let options = DocumentOptions(query)
    guard let json = document.json(of: place, options) else { throw ServerRefusal.missing }
    let meta = ["_revs_info", "_conflicts", "_deleted_conflicts", "_local_seq"]
    let isPlain = meta.allSatisfy { json[$0] == nil }
    let tag = (name: "ETag", value: "\"\(document.revisions[place].id)\"")
    return SentAnswer(200, json, headers: isPlain ? [tag] : [])
  }

  private func place(in document: Document) throws -> Int {
    guard let revision = try query["rev"].map({ try RevisionKey.checked($0) }) else {
      guard let winner = document.winner, !document.revisions[winner].isDeleted else {
        throw ServerRefusal.deleted
      }
      return winner
    }
    guard let place = document.place(of: revision) else { throw ServerRefusal.missing }
    guard flag("latest") else { return place }
    let below = Set(document.leavesAlongTree(below: place))
    return document.leaves.first { below.contains($0) } ?? place
  }

  private func local(_ id: String, _ database: Database) throws -> SentAnswer {
    guard let local = database.localDocuments[JSONText(id)] else { throw ServerRefusal.missing }
    let names: [(name: String, value: JSON)] = [
      ("_id", .string(id)), ("_rev", .string("0-\(local.revision)")),
    ]
    let tag = (name: "ETag", value: "\"0-\(local.revision)\"")
    return SentAnswer(200, .object(names + local.members), headers: [tag])
  }

  private func openRevisions(_ asked: String, _ id: String, _ database: Database) throws -> SentAnswer {
    let document = database.document(id)
    guard asked == "all" else {
      let names = try (try JSON(couchDB: Array(asked.utf8)).elements ?? []).map {
        try RevisionKey.checked($0)
      }
      return openAnswer(names.map { name in open(document, document?.place(of: name), name) })
    }
    guard let document else { throw ServerRefusal.missing }
    return openAnswer(document.leavesByID.map { open(document, $0, document.revisions[$0].id) })
  }

  private func open(_ document: Document?, _ place: Int?, _ name: String) -> JSON {
    let json = place.flatMap { document?.json(of: $0, DocumentOptions(query)) }
    return .object(json.map { [("ok", $0)] } ?? [("missing", .string(name))])
  }

  /// As one part for each revision to who does not ask for JSON.
  private func openAnswer(_ rows: [JSON]) -> SentAnswer {
    guard request["accept"]?.contains("multipart/mixed") == true else { return SentAnswer(.array(rows)) }
    return Multipart.answer(
      rows.map { row in
        Multipart.Part(json: row["ok"] ?? row, isError: row["ok"] == nil)
      })
  }
}

/// Writing.
extension Call {
  private func draft() throws -> DocumentDraft {
    guard let type = request["content-type"], type.hasPrefix("multipart/related") else {
      return try DocumentDraft(json())
    }
    return try Multipart.draft(request.body, type)
  }

  func put(_ id: String, _ draft: DocumentDraft, _ database: Database) throws -> SentAnswer {
    var draft = draft
    draft.revision = try revision(draft.revision)
    if query["new_edits"] == "false" {
      try database.check(draft, id: id, newEdits: false, nameForSize: "")
      try database.graft(draft, id: id, by: user)
      return written(id, draft.revision ?? "", database)
    }
    try database.check(draft, id: id, newEdits: true, nameForSize: "")
    return written(id, try write(draft, id, database), database)
  }

  /// A design document is the administrators'.
  func write(_ draft: DocumentDraft, _ id: String, _ database: Database) throws -> String {
    if id.hasPrefix("_design/"), !isAdministrator(of: database) {
      throw ServerRefusal(403, "forbidden", "You are not a db or server admin.")
    }
    return try database.write(draft, id: id, by: user)
  }

  private func delete(_ id: String, _ database: Database) throws -> SentAnswer {
    let tombstone = try DocumentDraft(.object([("_deleted", .bool(true))]))
    var answer = try put(id, tombstone, database)
    if answer.status == 201 { answer.status = 200 }
    return answer
  }

  /// What body, query and `If-Match` say must be the same.
  func revision(_ sent: String?) throws -> String? {
    let tag = try request["if-match"].map { try RevisionKey.checked($0.trimmingQuotes) }
    let asked = try query["rev"].map { try RevisionKey.checked($0) }
    if let sent, let asked, sent != asked {
      throw ServerRefusal.badRequest("Document rev from request body and query string have different values")
    }
    if let named = sent ?? asked, let tag, named != tag {
      throw ServerRefusal.badRequest("Document rev and etag have different values")
    }
    return sent ?? asked ?? tag
  }

  func written(_ id: String, _ revision: String, _ database: Database) -> SentAnswer {
    if query["batch"] == "ok" { return SentAnswer(202, .object([("ok", .bool(true)), ("id", .string(id))])) }
    let json: JSON = .object([("ok", .bool(true)), ("id", .string(id)), ("rev", .string(revision))])
    let tag = (name: "ETag", value: "\"\(revision)\"")
    let location = "\(core.url)/\(Call.escaped(database.name))/\(Call.escaped(id))"
    return SentAnswer(201, json, headers: [tag, (name: "Location", value: location)])
  }

  func post(to database: Database) throws -> SentAnswer {
    let draft = try DocumentDraft(try object())
    let id = draft.id ?? DocumentID.made()
    var answer = try put(id, draft, database)
    answer.headers.removeAll { $0.name == "ETag" }
    return answer
  }

  /// A user's document makes an account, and its password is not kept in it.
  private func put(user id: String, _ database: Database, _ state: inout Core.State) throws -> SentAnswer {
    let json = try json()
    let roles = (json["roles"]?.elements ?? []).compactMap(\.text)
    if let name = json["name"]?.text, let password = json["password"]?.text {
      state.sessions.accounts[name] = Sessions.Account(password: password, roles: roles)
    }
    return try put(
      id, DocumentDraft(.object((json.members ?? []).filter { $0.name != "password" })), database)
  }
}

extension String {
  fileprivate var trimmingQuotes: String { hasPrefix("\"") ? String(dropFirst().dropLast()) : self }
}
