import ExactJSON

/// Whether a revision is one that a write made. What is attached to it is told by its digest, and that of a text is over what is stored,
/// which is packed: packed otherwise one text has two digests, and by its length it may be any other. Then its bytes are compared.
extension DocumentAppends.Append {
  /// Whether a revision is what this one makes. By value: the server writes numbers its own way, and tells attachments anew.
  func isMade(_ revision: ServerRevision) -> Bool {
    guard revision.isDeleted == isDeleted else { return false }
    return isDeleted
      || hasBody(of: revision)
        && attachments.allSatisfy { name, sent in
          [revision.attachments[name], revision.alike[name]].compactMap(\.self)
            .contains { sent.isTold(as: $0, holding: revision.contents[name]) }
        }
  }

  /// The attachments of such a revision that nobody has read, where only their bytes tell whether they are what was sent.
  func unread(in revision: ServerRevision) -> [JSONText] {
    if attachments.isEmpty || revision.isDeleted || !hasBody(of: revision) { return [] }
    return attachments.compactMap { name, sent in
      guard let there = revision.attachments[name], revision.contents[name] == nil else { return nil }
      return sent.mayBePacked(as: there) ? name : nil
    }
  }

  private func hasBody(of revision: ServerRevision) -> Bool {
    JSONValue.object(members).isStored(as: .object(revision.members))
      && attachments.count == revision.attachments.count
  }
}

extension DocumentAppends.Attachment {
  /// - Parameter content: the SHA-256 of what is there; nil where nobody has read it.
  fileprivate func isTold(as other: JSONValue, holding content: [UInt8]?) -> Bool {
    hasDigest(of: other) || sha256 != nil && content == sha256 && mayBePacked(as: other)
  }

  /// Whether the server tells this one so, if it packs it otherwise than whoever attached it: then length and type are alike.
  fileprivate func mayBePacked(as other: JSONValue) -> Bool {
    !hasDigest(of: other) && source != nil && told["content_type"] == other["content_type"] && told.isPacked
      && [told["length"], plain?["length"]].contains(other["length"])
  }

  private func hasDigest(of other: JSONValue) -> Bool {
    if told["digest"] == other["digest"] { return true }
    guard source != nil, told["content_type"] == other["content_type"] else { return false }
    return plain?["digest"] == other["digest"] && plain?["length"] == other["length"]
  }
}

extension CouchDBServer {
  /// The same document, where it is known what is in those attachments that may be what was sent.
  func comparing(_ document: ServerDocument, with appends: [DocumentAppends.Append]) throws -> ServerDocument
  {
    if appends.allSatisfy(\.attachments.isEmpty) { return document }
    return try document.mapping { try comparing($0, of: document.id, with: appends) }
  }

  /// The same of one revision; without what the server does not give.
  func comparing(
    _ revision: ServerRevision, of document: String, with appends: [DocumentAppends.Append]
  ) throws -> ServerRevision {
    var revision = revision
    for name in Set(appends.flatMap { $0.unread(in: revision) }) {
      revision.contents[name] = try digest(name, of: revision.id, document)
    }
    return revision
  }
}
