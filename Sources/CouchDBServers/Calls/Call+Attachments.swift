import ExactJSON

/// One attachment by its own path.
extension Call {
  func attachmentAnswer(_ id: String, _ name: String, _ database: Database) throws -> SentAnswer {
    // `_view` and its like, of design documents.
    if name.hasPrefix("_") { throw ServerRefusal.notMine }
    switch request.method {
    case "GET", "HEAD": return try read(name, of: id, database)
    case "PUT": return try put(name, of: id, database)
    case "DELETE": return try change(id, database) { $0.filter { !$0.name.hasSameBytes(as: name) } }
    default: throw ServerRefusal.only("DELETE,GET,HEAD,PUT")
    }
  }

  private func read(_ name: String, of id: String, _ database: Database) throws -> SentAnswer {
    guard let document = database.document(id) else { throw ServerRefusal.missing }
    let revision = try query["rev"].map { try RevisionKey.checked($0) }
    guard let place = revision.map({ document.place(of: $0) }) ?? document.winner,
      let contents = document.revisions[place].contents
    else { throw ServerRefusal.missing }
    if revision == nil, document.isDeleted { throw ServerRefusal.deleted }
    guard let attachment = contents.attachments.first(where: { $0.name.hasSameBytes(as: name) }) else {
      throw ServerRefusal(404, "not_found", "Document is missing attachment")
    }
    return answer(attachment)
  }

  /// Packed bytes go out as they are to who can unpack them. Of what is not packed, a range may be asked for.
  private func answer(_ attachment: StoredAttachment) -> SentAnswer {
    var headers = [
      (name: "Content-Type", value: attachment.type), (name: "ETag", value: "\"\(attachment.digestText)\""),
      (name: "Accept-Ranges", value: attachment.isGzip ? "none" : "bytes"),
    ]
    if attachment.isGzip, request["accept-encoding"]?.contains("gzip") == true {
      headers.append(("Content-Encoding", "gzip"))
      return SentAnswer(200, headers, .bytes(attachment.stored))
    }
    let bytes = attachment.bytes
    guard !attachment.isGzip, let range = request["range"].flatMap({ Call.range($0, bytes.count) }) else {
      return SentAnswer(200, headers, .bytes(bytes))
    }
    headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"))
    return SentAnswer(206, headers, .bytes(Array(bytes[range])))
  }

  private static func range(_ text: String, _ count: Int) -> Range<Int>? {
    let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Int(ends[0]), start < count else { return nil }
    return start..<min(count, max(start, Int(ends[1]) ?? count - 1) + 1)
  }

  private func put(_ name: String, of id: String, _ database: Database) throws -> SentAnswer {
    let type = request["content-type"] ?? "application/octet-stream"
    let sent = DocumentDraft.AttachmentDraft(
      name: name, type: type, bytes: request.body, isPacked: request["content-encoding"] == "gzip")
    return try change(id, database) { $0.filter { !$0.name.hasSameBytes(as: name) } + [sent] }
  }

  /// The leaf's own body, with other attachments.
  private func change(
    _ id: String, _ database: Database,
    _ change: ([DocumentDraft.AttachmentDraft]) -> [DocumentDraft.AttachmentDraft]
  ) throws -> SentAnswer {
    let revision = try revision(nil)
    let document = database.document(id)
    let place = revision.flatMap { document?.place(of: $0) }
    var draft = try DocumentDraft(place.flatMap { document?.json(of: $0) } ?? .object([]))
    draft.revision = revision
    draft.attachments = change(draft.attachments)
    var answer = try put(id, draft, database)
    answer.headers.removeAll { $0.name == "ETag" }
    return answer
  }
}
