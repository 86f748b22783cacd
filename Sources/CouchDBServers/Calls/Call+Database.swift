import ExactJSON

/// What is asked of one database.
extension Call {
  func databaseAnswer(
    _ name: String, _ rest: [String?], _ state: inout Core.State
  ) throws -> SentAnswer {
    if rest.isEmpty, request.method == "PUT" { return try make(name, &state) }
    let database = try state.database(name)
    try requireMember(of: database)
    guard let first = rest.first else { return try wholeAnswer(database, &state) }
    guard let first else { throw ServerRefusal.illegalID("Document id must be valid UTF-8") }
    if rest.count == 1, let answer = try listAnswer(first, database) { return answer }
    if rest.count == 1, let answer = try settingAnswer(first, database) { return answer }
    if first == "_partition" { return try partitionAnswer(rest.dropFirst().map { $0 ?? "" }, database) }
    return try documentAnswer(rest.map { $0 ?? "" }, database, &state)
  }

  private func make(_ name: String, _ state: inout Core.State) throws -> SentAnswer {
    try requireServerAdministrator()
    _ = try state.make(name, isPartitioned: flag("partitioned"))
    return SentAnswer(201, SentAnswer.ok)
  }

  private func wholeAnswer(_ database: Database, _ state: inout Core.State) throws -> SentAnswer {
    switch request.method {
    case "GET", "HEAD": return SentAnswer(database.info)
    case "POST": return try post(to: database)
    case "DELETE":
      try requireServerAdministrator()
      state.databases[database.name] = nil
      return SentAnswer(SentAnswer.ok)
    default: throw ServerRefusal.only("DELETE,GET,HEAD,POST")
    }
  }

  /// nil for what may be the id of a document.
  private func listAnswer(_ name: String, _ database: Database) throws -> SentAnswer? {
    switch name {
    case "_bulk_docs": try only("POST") { try bulkDocs(database) }
    case "_bulk_get": try only("POST") { try bulkGet(database) }
    case "_all_docs": try only("GET", "HEAD", "POST") { try list(database, database.idsInOrder) }
    case "_design_docs":
      try only("GET", "HEAD", "POST") {
        try list(database, database.idsInOrder.filter { $0.text.hasPrefix("_design/") })
      }
    case "_local_docs": try only("GET", "HEAD", "POST") { localDocuments(database) }
    case "_changes": try only("GET", "HEAD", "POST") { try changes(database) }
    case "_revs_diff": try only("POST") { try revisionsDifference(database) }
    case "_shards", "_index", "_find", "_explain", "_view_cleanup": throw ServerRefusal.notMine
    default: nil
    }
  }

  private func settingAnswer(_ name: String, _ database: Database) throws -> SentAnswer? {
    switch name {
    case "_security": try only("GET", "PUT") { try security(database) }
    case "_revs_limit": try only("GET", "PUT") { try revisionsLimit(database) }
    case "_compact": try only("POST") { try compact(database) }
    case "_purge": try only("POST") { try purge(database) }
    case "_ensure_full_commit":
      try only("POST") {
        SentAnswer(201, .object([("ok", .bool(true)), ("instance_start_time", .string(database.startTime))]))
      }
    case "_purged_infos_limit", "_auto_purge": try limits(name)
    default: nil
    }
  }

  private func limits(_ name: String) throws -> SentAnswer {
    if name == "_auto_purge" { throw ServerRefusal.missing }
    try requireServerAdministrator()
    return SentAnswer(JSON(1000))
  }
}

/// Who may do what. Whoever may read may write.
extension Call {
  private func requireMember(of database: Database) throws {
    let members = database.security["members"]
    let parts = [members?["names"], members?["roles"]]
    let isOpen = parts.allSatisfy { $0?.elements?.isEmpty ?? true }
    let security = database.security
    if isOpen || user.isServerAdministrator || user.isAmong(members) || user.isAmong(security["admins"]) {
      return
    }
    guard user.name != nil else {
      throw ServerRefusal(401, "unauthorized", "You are not authorized to access this db.")
    }
    throw ServerRefusal(403, "forbidden", "You are not allowed to access this db.")
  }

  func isAdministrator(of database: Database) -> Bool {
    user.isServerAdministrator || user.isAmong(database.security["admins"])
  }
}

/// What a database tells of itself, and its settings.
extension Call {
  /// 500 for who may not: so it is in 3.5.0.
  private func security(_ database: Database) throws -> SentAnswer {
    guard request.method == "PUT" else { return SentAnswer(database.security) }
    guard isAdministrator(of: database) else { throw ServerRefusal(500, "error", "no_majority") }
    database.security = try json()
    return SentAnswer(SentAnswer.ok)
  }

  private func revisionsLimit(_ database: Database) throws -> SentAnswer {
    guard request.method == "PUT" else { return SentAnswer(JSON(database.revisionLimit)) }
    guard isAdministrator(of: database) else {
      let reason = #"{error,{forbidden,<<"You are not a db or server admin.">>}}"#
      throw ServerRefusal(500, "badmatch", reason)
    }
    guard let limit = try json().integer, limit > 0 else {
      throw ServerRefusal(500, "unknown_error", "function_clause")
    }
    database.revisionLimit = limit
    return SentAnswer(SentAnswer.ok)
  }

  private func compact(_ database: Database) throws -> SentAnswer {
    guard isAdministrator(of: database) else {
      throw ServerRefusal(401, "unauthorized", "You are not a server or db admin.")
    }
    database.compact()
    return SentAnswer(202, SentAnswer.ok)
  }

  private func purge(_ database: Database) throws -> SentAnswer {
    try requireServerAdministrator()
    let purged = try (object().members ?? []).map { name, revisions in
      let purged = database.purge(name, try (revisions.elements ?? []).map { try RevisionKey.checked($0) })
      return (name: name, value: JSON.array(purged.map { .string($0) }))
    }
    return SentAnswer(201, .object([("purge_seq", .null), ("purged", .object(purged))]))
  }
}

extension Database {
  var info: JSON {
    let deleted = documents.values.reduce(0) { $0 + ($1.isDeleted ? 1 : 0) }
    let sizes: JSON = .object([("file", JSON(0)), ("external", JSON(0)), ("active", JSON(0))])
    return .object([
      ("instance_start_time", .string(startTime)), ("db_name", .string(name)),
      ("purge_seq", .string(sequences.text(purgeCount))),
      ("update_seq", .string(sequences.text(changes.count))),
      ("sizes", sizes), ("props", .object(isPartitioned ? [("partitioned", .bool(true))] : [])),
      ("doc_del_count", JSON(deleted)), ("doc_count", JSON(documents.count - deleted)),
      ("disk_format_version", JSON(8)), ("compact_running", .bool(false)),
      ("cluster", .object(["q", "n", "w", "r"].map { (name: $0, value: JSON(1)) })),
    ])
  }
}
