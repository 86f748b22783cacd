import ExactJSON

/// A database of the server, reached without HTTP: to fill it, and to do what another client or an administrator would.
package struct LoopbackDatabase: Sendable {
  let core: Core
  package let name: String

  private func locked<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try core.locked { try body($0.database(name)) }
  }

  private static let administrator = User(name: nil, roles: ["_admin"])

  /// Takes revisions as they are, as `new_edits=false` does: `_id`, `_rev`, perhaps `_revisions`, `_deleted`, `_attachments`.
  package func graft(_ documents: String...) throws { try graft(documents) }

  package func graft(_ documents: [String]) throws {
    let drafts = try documents.map { try DocumentDraft(JSON(couchDB: Array($0.utf8))) }
    try locked { database in
      for draft in drafts {
        try database.check(draft, id: draft.id ?? "", newEdits: false, nameForSize: draft.id ?? "")
        try database.graft(draft, id: draft.id ?? "", by: LoopbackDatabase.administrator)
      }
    }
  }

  /// An edit, as a client of the server would make it.
  ///
  /// - Returns: the new revision's id.
  @discardableResult
  package func edit(_ document: String) throws -> String {
    let draft = try DocumentDraft(JSON(couchDB: Array(document.utf8)))
    return try locked { database in
      try database.check(draft, id: draft.id ?? "", newEdits: true, nameForSize: draft.id ?? "")
      return try database.write(draft, id: draft.id ?? "", by: LoopbackDatabase.administrator)
    }
  }

  /// In place of the JavaScript of design documents. It is asked for every document but design documents and local ones, and
  /// binds administrators as well; nil ends it.
  package func setValidation(_ validation: (@Sendable (ValidatedWrite) throws(ValidationRefusal) -> Void)?)
    throws
  {
    try locked { $0.validation = validation }
  }

  /// Drops the bodies of all revisions that are no leaves.
  package func compact() throws { try locked { $0.compact() } }

  /// - Returns: those that were leaves.
  @discardableResult
  package func purge(_ id: String, _ revisions: [String]) throws -> [String] {
    try locked { $0.purge(id, revisions) }
  }

  /// How many revisions of a line are remembered.
  package func setRevisionsLimit(_ limit: Int) throws { try locked { $0.revisionLimit = limit } }

  /// `_security`: names of members and of administrators. Without members everybody is one.
  package func setSecurity(members: [String], administrators: [String] = []) throws {
    let part = { (names: [String]) in
      JSON.object([("names", .array(names.map { .string($0) })), ("roles", .array([]))])
    }
    try locked { $0.security = .object([("members", part(members)), ("admins", part(administrators))]) }
  }

  /// Carries leaves and their histories, as `_replicate` does.
  package func replicate(to other: LoopbackDatabase) throws {
    try core.locked { state in
      _ = Replication.run(
        from: try state.database(name), to: try state.database(other.name), by: LoopbackDatabase.administrator
      )
    }
  }

  /// The ids of all leaves of a document, the winner first; deleted ones last.
  package func leaves(of id: String) throws -> [String] {
    try locked { database in
      database.document(id).map { document in document.leaves.map { document.revisions[$0].id } } ?? []
    }
  }
}
