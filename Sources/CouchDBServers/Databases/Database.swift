import ExactJSON
import Foundation

/// What a validation function looks at, in place of the JavaScript that a design document would hold.
package struct ValidatedWrite: Sendable {
  /// With `_id`, and `_deleted` for a tombstone.
  package let document: JSON
  /// The revision that it is to follow, if there is one.
  package let previous: JSON?
  package let user: String?
  package let roles: [String]
}

/// What a validation function throws.
package enum ValidationRefusal: Error, Sendable {
  case forbidden(String)
  case unauthorized(String)
  /// The function itself fails.
  case broken(error: String, reason: String)

  var refusal: ServerRefusal {
    switch self {
    case .forbidden(let reason): ServerRefusal(403, "forbidden", reason)
    case .unauthorized(let reason): ServerRefusal(401, "unauthorized", reason)
    case .broken(let error, let reason): ServerRefusal(500, error, reason)
    }
  }
}

/// One database. Whoever touches it holds the server's lock.
final class Database {
  let name: String
  let isPartitioned: Bool
  /// Another one after a database was deleted and made again.
  let startTime: String
  let sequences: Sequences
  private(set) var documents: [JSONText: Document] = [:]
  var localDocuments: [JSONText: (revision: Int, members: [(name: String, value: JSON)])] = [:]
  /// The id at the place of every sequence; a later one of the same document makes it void.
  private(set) var changes: [JSONText] = []
  private(set) var purgeCount = 0
  private var sorted: [JSONText]?

  var revisionLimit = 1000
  var documentSize: Int
  var security: JSON = .object([("members", Database.administrators), ("admins", Database.administrators)])
  var validation: (@Sendable (ValidatedWrite) throws(ValidationRefusal) -> Void)?

  private static let administrators: JSON = .object([("roles", .array([.string("_admin")]))])

  init(name: String, isPartitioned: Bool, startTime: String, documentSize: Int) {
    (self.name, self.isPartitioned, self.startTime) = (name, isPartitioned, startTime)
    self.documentSize = documentSize
    sequences = Sequences(of: name + startTime)
  }

  func document(_ id: String) -> Document? { documents[JSONText(id)] }

  /// By the bytes of their ids.
  var idsInOrder: [JSONText] {
    if let sorted { return sorted }
    let ids = documents.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    sorted = ids
    return ids
  }

  func changed(_ document: Document) {
    changes.append(JSONText(document.id))
    document.sequence = changes.count
  }

  /// The documents that changed after a sequence, in order, without those that changed again later.
  func changes(after sequence: Int, limit: Int = .max) -> [Document] {
    var found: [Document] = []
    for place in min(sequence, changes.count)..<changes.count where found.count < limit {
      if let document = documents[changes[place]], document.sequence == place + 1 { found.append(document) }
    }
    return found
  }

  func purge(_ id: String, _ revisions: [String]) -> [String] {
    guard let document = document(id) else { return [] }
    let purged = document.purge(revisions)
    if !purged.isEmpty {
      purgeCount += 1
      changed(document)
    }
    if document.revisions.isEmpty {
      documents[JSONText(id)] = nil
      sorted = nil
    }
    return purged
  }

  func compact() { for document in documents.values { document.compact() } }

  fileprivate func made(_ id: String) -> Document {
    if let document = document(id) { return document }
    let document = Document(id: id)
    documents[JSONText(id)] = document
    sorted = nil
    return document
  }
}

/// Writing one document. All that makes a whole request fail was refused before.
extension Database {
  /// - Returns: the new revision's id.
  func write(_ draft: DocumentDraft, id: String, by user: User) throws -> String {
    if id.hasPrefix("_local/") { return writeLocal(draft, id) }
    let document = self.document(id)
    let parent = try parent(of: draft, in: document)
    let contents = try contents(of: draft, id, after: parent)
    try validate(draft, id, after: parent.flatMap { place in document?.json(of: place) }, by: user)
    return append(contents, isDeleted: draft.isDeleted, to: parent, in: made(id))
  }

  private func append(_ contents: Contents, isDeleted: Bool, to parent: Int?, in document: Document) -> String
  {
    let revision = CouchDBRevisionID.made(
      parent: parent.map { document.revisions[$0].id }, isDeleted: isDeleted, body: contents.members,
      attachments: contents.attachments.map(\.hashed))
    guard document.place(of: revision) == nil else { return revision }
    document.append(revision, to: parent, isDeleted: isDeleted, contents.shown)
    document.stem(to: revisionLimit)
    changed(document)
    return revision
  }

  /// Any leaf may be extended, and nothing else. Without a revision, a document whose winner is a tombstone is.
  private func parent(of draft: DocumentDraft, in document: Document?) throws -> Int? {
    guard let document else {
      if draft.revision != nil { throw ServerRefusal.conflict }
      return nil
    }
    guard let revision = draft.revision else {
      guard document.isDeleted else { throw ServerRefusal.conflict }
      return document.winner
    }
    guard let place = document.place(of: revision), document.isLeaf(place) else {
      throw ServerRefusal.conflict
    }
    return place
  }

  /// Takes a revision as it is, with its history.
  func graft(_ draft: DocumentDraft, id: String, by user: User) throws {
    let path = draft.path ?? draft.revision.map { [$0] } ?? []
    guard !path.isEmpty else { throw ServerRefusal.noRevision }
    let document = self.document(id)
    if document?.place(of: path[0]) != nil { return }
    let base = document?.nearest(of: path.dropFirst())
    let contents = try contents(of: draft, id, after: base)
    try validate(draft, id, after: base.flatMap { place in document?.json(of: place) }, by: user)
    graft(contents.shown, path, isDeleted: draft.isDeleted, id: id)
  }

  /// Takes a leaf of another database, attachments as they are.
  func take(_ contents: Contents, _ path: [String], _ isDeleted: Bool, id: String, by user: User) throws {
    var draft = try DocumentDraft(.object(contents.members))
    (draft.isDeleted, draft.path) = (isDeleted, path)
    try validate(draft, id, after: nil, by: user)
    graft(contents, path, isDeleted: isDeleted, id: id)
  }

  private func graft(_ contents: Contents, _ path: [String], isDeleted: Bool, id: String) {
    let document = made(id)
    guard document.graft(path, isDeleted: isDeleted, contents) else { return }
    document.stem(to: revisionLimit)
    changed(document)
  }

  private func writeLocal(_ draft: DocumentDraft, _ id: String) -> String {
    let revision = (draft.revision.flatMap { Int(RevisionKey.suffix($0)) } ?? 0) + 1
    localDocuments[JSONText(id)] =
      draft.isDeleted ? nil : (revision, draft.members.map { ($0.name, $0.value.shown) })
    return "0-\(revision)"
  }

  private func validate(
    _ draft: DocumentDraft, _ id: String, after previous: @autoclosure () -> JSON?, by user: User
  ) throws {
    guard let validation, !id.hasPrefix("_design/") else { return }
    let deleted: [(name: String, value: JSON)] = draft.isDeleted ? [("_deleted", .bool(true))] : []
    let write = ValidatedWrite(
      document: .object([("_id", .string(id))] + draft.members + deleted),
      previous: previous(), user: user.name, roles: user.roles)
    do { try validation(write) } catch { throw error.refusal }
  }
}

/// What a draft holds, its stubs filled.
extension Database {
  /// Refuses what CouchDB refuses before it writes any document of a request.
  func check(_ draft: DocumentDraft, id: String, newEdits: Bool, nameForSize: String) throws {
    try DocumentID.check(id, isPartitioned: isPartitioned)
    guard JSON.object(draft.members).bytes().count <= documentSize else {
      throw ServerRefusal(413, "document_too_large", nameForSize)
    }
    guard draft.attachments.contains(where: \.isStub) else { return }
    let document = self.document(id)
    let names = newEdits ? [draft.revision].compactMap(\.self)[...] : (draft.path ?? []).dropFirst()
    let parent = (document?.nearest(of: names) ?? document?.winner).flatMap { document?.revisions[$0] }
    for sent in draft.attachments where sent.isStub { _ = try known(sent, id, parent) }
  }

  private func known(
    _ sent: DocumentDraft.AttachmentDraft, _ id: String, _ parent: Document.Revision?
  ) throws -> StoredAttachment {
    if let known = parent?.contents?.attachments.first(where: { $0.name.hasSameBytes(as: sent.name) }) {
      return known
    }
    throw ServerRefusal(412, "missing_stub", "Invalid attachment stub in \(id) for \(sent.name)")
  }

  private func contents(of draft: DocumentDraft, _ id: String, after place: Int?) throws -> Contents {
    let parent = place.flatMap { document(id)?.revisions[$0] }
    let generation = (parent.map { RevisionKey.generation($0.id) } ?? 0) + 1
    let position = draft.path == nil ? generation : 0
    let attachments = try draft.attachments.map { sent in
      switch sent.bytes {
      case .sent(let bytes, let packedLength):
        return StoredAttachment(
          name: sent.name, type: sent.type, bytes: bytes, packedLength: packedLength,
          revisionPosition: sent.revisionPosition ?? position)
      case .stub, .follows: return try known(sent, id, parent)
      }
    }
    return Contents(members: draft.members, attachments: attachments)
  }
}

extension Contents {
  fileprivate var shown: Contents {
    Contents(members: members.map { ($0.name, $0.value.shown) }, attachments: attachments)
  }
}
