import ExactJSON

/// Many documents in one request.
extension Call {
  /// One bad row makes the whole request fail, and nothing is written; a conflict or a refusal is told in its row.
  func bulkDocs(_ database: Database) throws -> SentAnswer {
    let json = try object()
    guard let docs = json["docs"] else {
      throw ServerRefusal.badRequest("POST body must include `docs` parameter.")
    }
    guard let docs = docs.elements else {
      throw ServerRefusal.badRequest("`docs` parameter must be an array.")
    }
    let isNew = json["new_edits"].map { $0.isTrue } ?? true
    let drafts = try docs.map { try DocumentDraft($0) }.map { (id: $0.id ?? DocumentID.made(), draft: $0) }
    if json["all_or_nothing"]?.isTrue == true {
      return SentAnswer(417, .array(drafts.map { Call.refused($0.id) }))
    }
    for (id, draft) in drafts { try database.check(draft, id: id, newEdits: isNew, nameForSize: id) }
    let rows = drafts.compactMap { isNew ? new($0.draft, $0.id, database) : graft($0.draft, $0.id, database) }
    return SentAnswer(201, .array(rows))
  }

  private static func refused(_ id: String) -> JSON {
    .object([
      ("id", .string(id)), ("rev", .string("0-")), ("error", .string("not_implemented")),
      ("reason", .string("all_or_nothing is not supported")),
    ])
  }

  private func new(_ draft: DocumentDraft, _ id: String, _ database: Database) -> JSON {
    do {
      let revision = try write(draft, id, database)
      return .object([("ok", .bool(true)), ("id", .string(id)), ("rev", .string(revision))])
    } catch {
      return .object([("id", .string(id))] + Call.members(of: error))
    }
  }

  /// nil for what was accepted, or known.
  private func graft(_ draft: DocumentDraft, _ id: String, _ database: Database) -> JSON? {
    do {
      try database.graft(draft, id: id, by: user)
      return nil
    } catch {
      let names: [(name: String, value: JSON)] = [("id", .string(id)), ("rev", JSON(draft.revision))]
      return .object(names + Call.members(of: error))
    }
  }

  private static func members(of error: any Error) -> [(name: String, value: JSON)] {
    let refusal = error as? ServerRefusal ?? ServerRefusal(500, "unknown_error", "\(error)")
    return [("error", .string(refusal.error)), ("reason", .string(refusal.reason))]
  }
}

/// Reading many.
extension Call {
  func bulkGet(_ database: Database) throws -> SentAnswer {
    guard let rows = try object()["docs"]?.elements else {
      throw ServerRefusal.badRequest("Missing JSON list of 'docs'.")
    }
    if request["accept"]?.contains("multipart/related") == true, flag("attachments") {
      throw ServerRefusal.notMine
    }
    let results = rows.map { row in (id: row["id"] ?? .null, found: found(row, database)) }
    if request["accept"]?.contains("multipart/") == true {
      return Multipart.answer(
        results.flatMap { $0.found.map { Multipart.Part(json: $0.json, isError: $0.isError) } })
    }
    let json = results.map { id, found in
      JSON.object([
        ("id", id), ("docs", .array(found.map { .object([($0.isError ? "error" : "ok", $0.json)]) })),
      ])
    }
    return SentAnswer(.object([("results", .array(json))]))
  }

  private func found(_ row: JSON, _ database: Database) -> [(json: JSON, isError: Bool)] {
    guard let id = row["id"]?.text else {
      return [Call.error(.null, "document id missed", .null, "bad_request")]
    }
    let named = row["rev"]?.text
    do {
      try DocumentID.check(id, isPartitioned: false)
      let revision = try named.map { try RevisionKey.checked($0) }
      let document = database.document(id)
      let places = places(revision, in: document)
      var options = DocumentOptions(query)
      (options.conflicts, options.deletedConflicts, options.revisionsInfo) = (false, false, false)
      options.attachmentsSince = row["atts_since"]?.elements?.compactMap(\.text)
      let found = places.compactMap { document?.json(of: $0, options) }
      if !found.isEmpty { return found.map { ($0, false) } }
      return [Call.error(.string(revision ?? "undefined"), "missing", .string(id), "not_found")]
    } catch let refusal as ServerRefusal {
      return [Call.error(JSON(named), refusal.reason, .string(id), refusal.error)]
    } catch {
      return [Call.error(JSON(named), "\(error)", .string(id), "unknown_error")]
    }
  }

  private func places(_ revision: String?, in document: Document?) -> [Int] {
    guard let document else { return [] }
    guard let revision else { return document.leavesAlongTree() }
    guard let place = document.place(of: revision) else { return [] }
    return flag("latest") ? document.leavesAlongTree(below: place) : [place]
  }

  private static func error(
    _ revision: JSON, _ reason: String, _ id: JSON, _ error: String
  ) -> (json: JSON, isError: Bool) {
    let json: JSON = .object([
      ("rev", revision), ("reason", .string(reason)), ("id", id), ("error", .string(error)),
    ])
    return (json, true)
  }

  func revisionsDifference(_ database: Database) throws -> SentAnswer {
    let rows = try (object().members ?? []).compactMap { id, asked -> (name: String, value: JSON)? in
      let document = database.document(id)
      let asked = try (asked.elements ?? []).map { try RevisionKey.checked($0) }
      let missing = asked.filter { document?.place(of: $0) == nil }
      return missing.isEmpty ? nil : (id, Call.difference(missing, document))
    }
    return SentAnswer(.object(rows))
  }

  private static func difference(_ missing: [String], _ document: Document?) -> JSON {
    let newest = missing.map { RevisionKey.generation($0) }.max() ?? 0
    let ancestors = (document?.leaves.map { document?.revisions[$0].id ?? "" } ?? []).filter {
      RevisionKey.generation($0) < newest
    }
    let list = { (names: [String]) in JSON.array(names.map { .string($0) }) }
    return .object(
      [("missing", list(missing))] + (ancestors.isEmpty ? [] : [("possible_ancestors", list(ancestors))]))
  }
}
