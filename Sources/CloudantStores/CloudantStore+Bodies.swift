import ExactJSON
import RevisionTrees

/// A datastore may still have what a server has compacted.
extension CloudantStore: RevisionSource {
  package var name: String { files.database }

  package func bodies(of revisions: [(document: String, revision: String)]) throws -> [JSONText: RevisionBody]
  {
    try readDocuments { reader in
      try revisions.reduce(into: [:]) { bodies, wanted in
        guard let rows = try DocumentRows(id: wanted.document, in: reader.db, reader.schema),
          let revision = rows.tree.revisions.first(where: {
            $0.id == wanted.revision && $0.hasBody && !$0.isDeleted
          }),
          let bytes = try reader.body(of: revision.row),
          case .object(let members)? = bytes.isEmpty ? .object([:]) : try? JSONValue(parsing: bytes)
        else { return }
        let isBare = (try? reader.attachments.attachments(of: revision.row))?.isEmpty ?? false
        // Its digests are others than a server's.
        bodies[JSONText(wanted.document)] = RevisionBody(members: members, attachments: isBare ? [:] : nil)
      }
    }
  }
}
