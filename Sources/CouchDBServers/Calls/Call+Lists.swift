import ExactJSON

/// Lists of documents.
extension Call {
  /// `_all_docs` and its like. What a query asks may stand in the body as well.
  func list(_ database: Database, _ ids: [JSONText]) throws -> SentAnswer {
    let body = request.method == "POST" ? try object() : nil
    let alive = ids.filter { database.documents[$0]?.isDeleted == false }
    let asked = try body?["keys"] ?? query["keys"].map { try JSON(couchDB: Array($0.utf8)) }
    if let keys = asked?.elements {
      let rows = keys.map { row(key: $0.text ?? "", database) }
      return Call.rows(total: alive.count, offset: nil, rows)
    }
    let range = try range(of: alive, body)
    return Call.rows(total: alive.count, offset: range.lowerBound, alive[range].map { row($0, database) })
  }

  private func range(of ids: [JSONText], _ body: JSON?) throws -> Range<Int> {
    let start = try key("start_key", "startkey", body) ?? key("key", "key", body)
    let end = try key("end_key", "endkey", body) ?? key("key", "key", body)
    var lower =
      start.flatMap { start in ids.firstIndex { !Call.precedes($0.text, start) } }
      ?? (start == nil ? 0 : ids.count)
    lower = min(ids.count, lower + (try number("skip", body) ?? 0))
    let isInclusive = query["inclusive_end"] != "false"
    let upper = end.flatMap { end in
      ids.firstIndex { Call.precedes(end, $0.text) || !isInclusive && $0.text.hasSameBytes(as: end) }
    }
    let limited = min(upper ?? ids.count, lower + min(ids.count, try number("limit", body) ?? ids.count))
    return lower..<max(lower, limited)
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private func key(_ name: String, _ other: String, _ body: JSON?) throws -> String? {
    if let json = body?[name] ?? body?[other] { return json.text }
    guard let text = query[name] ?? query[other] else { return nil }
    return try JSON(couchDB: Array(text.utf8)).text
  }

  func number(_ name: String, _ body: JSON? = nil) throws -> Int? {
    if let json = body?[name] { return json.integer }
    guard let text = query[name] else { return nil }
    guard let number = Int(text) else { throw ServerRefusal(500, "unknown_error", "badarg") }
    return number
  }

  private func row(key: String, _ database: Database) -> JSON {
    guard database.document(key) != nil else {
      return .object([("key", .string(key)), ("error", .string("not_found"))])
    }
    return row(JSONText(key), database)
  }

  private func row(_ id: JSONText, _ database: Database) -> JSON {
    guard let document = database.documents[id], let winner = document.winner else { return .null }
    let revision = document.revisions[winner]
    let deleted: [(name: String, value: JSON)] = revision.isDeleted ? [("deleted", .bool(true))] : []
    var members: [(name: String, value: JSON)] = [
      ("id", .string(id.text)), ("key", .string(id.text)),
      ("value", .object([("rev", .string(revision.id))] + deleted)),
    ]
    if flag("include_docs") {
      let json = document.json(of: winner, DocumentOptions(query))
      members.append(("doc", revision.isDeleted ? .null : json ?? .null))
    }
    return .object(members)
  }

  func localDocuments(_ database: Database) -> SentAnswer {
    let rows = database.localDocuments.sorted { $0.key < $1.key }.map { id, local in
      JSON.object([
        ("id", .string(id.text)), ("key", .string(id.text)),
        ("value", .object([("rev", .string("0-\(local.revision)"))])),
      ])
    }
    return SentAnswer(.object([("total_rows", .null), ("offset", .null), ("rows", .array(rows))]))
  }

  private static func rows(total: Int, offset: Int?, _ rows: [JSON]) -> SentAnswer {
    let offset = offset.map { JSON($0) } ?? .null
    return SentAnswer(.object([("total_rows", JSON(total)), ("offset", offset), ("rows", .array(rows))]))
  }

  func partitionAnswer(_ rest: [String], _ database: Database) throws -> SentAnswer {
    let prefix = (rest.first ?? "") + ":"
    let ids = database.idsInOrder.filter { $0.text.hasPrefix(prefix) }
    if rest.count == 2, rest[1] == "_all_docs" { return try list(database, ids) }
    guard rest.count == 1 else { throw ServerRefusal.missing }
    let deleted = ids.filter { database.documents[$0]?.isDeleted == true }.count
    return SentAnswer(
      .object([
        ("db_name", .string(database.name)),
        ("sizes", .object([("active", JSON(0)), ("external", JSON(0))])), ("partition", .string(rest[0])),
        ("doc_count", JSON(ids.count - deleted)), ("doc_del_count", JSON(deleted)),
      ]))
  }
}
