import Digests
import ExactJSON
import Journals
import Merging
import RevisionTrees
import StoreInterface

/// Reading many documents at a time.
extension CouchDBServer {
  /// As many as one question may ask for.
  static let batch = 500
  /// Fewer are not asked for at once with others: a question costs, too.
  static let least = 50

  /// Documents with all their leaves, and the body of the common ancestor where it is still kept; without those that are not there.
  func documents(_ ids: [String], ancestors: (any RevisionSource)? = nil) throws -> [ServerDocument] {
    try read(ids) { leaves in
      let read = try self.withAncestors(leaves)
      return try ancestors.map { try CouchDBServer.completed(read, $0) } ?? read
    }
  }

  /// The same without ancestors, for whoever knows them: half of the questions.
  func leafDocuments(_ ids: [String]) throws -> [ServerDocument] { try read(ids) { $0 } }

  func leafDocumentsByName(_ ids: [String]) throws -> [JSONText: ServerDocument] {
    Dictionary(try leafDocuments(ids).map { (JSONText($0.id), $0) }) { first, _ in first }
  }

  /// The same of documents that somebody has seen already. A revision never changes, so where the leaves are those that were seen no
  /// body is read again.
  func leafDocuments(_ ids: [String], seen: [JSONText: RecordConflict]) throws -> [ServerDocument] {
    let known = ids.compactMap { seen[JSONText($0)].flatMap { ServerDocument(seen: $0) } }
    let leaves = try leafIDs(known.map(\.id))
    let unchanged = known.filter { leaves[JSONText($0.id)] == $0.leaves }
    let found = Set(unchanged.map { JSONText($0.id) })
    return try unchanged + leafDocuments(ids.filter { !found.contains(JSONText($0)) })
  }

  /// The ids of all their leaves, deleted ones, too, which costs a fifth of reading them. A revision is asked for that nobody has, of a
  /// generation that none reaches: what it may descend from is each leaf.
  ///
  /// - Returns: nothing of a document of which the server does not say that.
  func leafIDs(_ ids: [String]) throws -> [JSONText: Set<String>] {
    let size = ids.share(CouchDBServer.least...CouchDBServer.batch)
    let answers = try Array(ids.inBatches(of: size)).askedAtOnce { ids in
      let question = ids.map { (JSONText($0), JSONValue.array([.string("1000000000000000000-0")])) }
      let asked = JSONValue.object(Dictionary(question) { first, _ in first })
      let answer = try self.ask("POST", self.url(["_revs_diff"]), asked)
      return answer.isFine ? answer.json.members : [:]
    }
    return answers.flatMap(\.self).reduce(into: [:]) { leaves, told in
      leaves[told.key] = Set((told.value["possible_ancestors"]?.elements ?? []).compactMap(\.string))
    }
  }

  private func read(
    _ ids: [String], _ complete: @Sendable @escaping ([ServerDocument]) throws -> [ServerDocument]
  ) throws -> [ServerDocument] {
    // Nothing is called "", and a question for it is none.
    let named = ids.filter { !$0.isEmpty }
    let size = named.share(CouchDBServer.least...CouchDBServer.batch)
    return try Array(named.inBatches(of: size)).askedAtOnce { ids in
      try StoreCall.current.check(self.path)
      let documents = try complete(try self.leaves(of: ids))
      return try documents.map { try $0.tree.isConflict ? self.withEqualAttachments($0) : $0 }
    }.flatMap(\.self)
  }

  private func leaves(of ids: [String]) throws -> [ServerDocument] {
    let question = ids.map { JSONValue.object(["id": .string($0)]) }
    return try revisions(question).compactMap { id, leaves in
      try leaves.isEmpty ? nil : ServerDocument(id: id, leaves: tellingDeletions(leaves, of: id))
    }
  }

  private func withAncestors(_ documents: [ServerDocument]) throws -> [ServerDocument] {
    let question = documents.compactMap { document in
      document.ancestor.map { JSONValue.object(["id": .string(document.id), "rev": .string($0)]) }
    }
    if question.isEmpty { return documents }
    let kept = Dictionary(try revisions(question).map { (JSONText($0.id), $0.revisions) }) { $0 + $1 }
    return documents.map { document in kept[JSONText(document.id)].map { document.knowing($0) } ?? document }
  }

  /// With those ancestors that only somebody else still has.
  private static func completed(
    _ documents: [ServerDocument], _ source: any RevisionSource
  ) throws -> [ServerDocument] {
    let missing = documents.compactMap { document in
      document.ancestor.flatMap {
        document.revisions[$0] == nil ? (document: document.id, revision: $0) : nil
      }
    }
    if missing.isEmpty { return documents }
    let found: [JSONText: RevisionBody]
    do {
      found = try source.bodies(of: missing)
    } catch let error as StoreError where error.isOfAnotherPlace {
      let lacking = Set(missing.map { JSONText($0.document) })
      let why = StoreError.detail(of: error)
      let note = DocumentNote(
        "\(source.name) could not be asked for it: \(why).", naming: [.place(source.name), .place(why)])
      return documents.map { lacking.contains(JSONText($0.id)) ? $0.noting(note) : $0 }
    }
    return documents.map { document in
      guard let ancestor = document.ancestor, let body = found[JSONText(document.id)],
        let revision = ServerRevision(ancestor, body, from: source.name, beside: document.live)
      else { return document }
      return document.knowing([revision])
    }
  }
}

extension StoreError {
  /// Whether it tells of a place, and not that nobody waits any more.
  fileprivate var isOfAnotherPlace: Bool {
    switch self {
    case .stopped, .noAnswer: false
    case .notFound, .fileMissing, .notADatabase, .metadataMissing, .metadataAmbiguous, .databaseAmbiguous,
      .metadataIsDatabase,
      .notAStore, .severalStores, .storeTooNew, .damaged, .locked, .journalTooNew, .journalUnusable,
      .journalFull, .journalOfAnother, .journalForbidden, .journalGone, .cannotRead, .bytesNotHad,
      .beingWritten, .server, .notAFile, .tooLarge, .noSuchRecord, .noSuchField, .noSuchAttachment,
      .refusedChoice, .readOnly, .tooNewToWrite, .moved, .refused, .decidedMeanwhile, .writeFailed,
      .writeUnknown, .receiptMissing, .nothingToUndo, .outboxUnusable, .outboxTooNew, .indexUnusable,
      .outboxOfOtherJournal,
      .copyIsThere:
      true
    }
  }
}

/// As a server that lends bodies to another one's database.
extension CouchDBServer: RevisionSource {
  package var name: String { path }

  package func bodies(of revisions: [(document: String, revision: String)]) throws -> [JSONText: RevisionBody]
  {
    let question = revisions.map {
      JSONValue.object(["id": .string($0.document), "rev": .string($0.revision)])
    }
    return try question.inBatches(of: CouchDBServer.batch).flatMap { try self.revisions($0) }.reduce(into: [:]
    ) {
      guard let revision = $1.revisions.first, !revision.isDeleted, revision.failure == nil else { return }
      $0[JSONText($1.id)] = RevisionBody(members: revision.members, attachments: revision.attachments)
    }
  }
}

/// Digests are over what is stored, which is packed for texts: by another server, or other settings, one content has another digest.
extension CouchDBServer {
  /// In bytes. A longer one is compared as it is told.
  fileprivate static let longestCompared = 4 << 20

  /// The same document, where attachments that hold the same bytes are told alike.
  private func withEqualAttachments(_ document: ServerDocument) throws -> ServerDocument {
    var document = document
    let revisions = document.live + [document.ancestor.flatMap { document.revisions[$0] }].compactMap(\.self)
    for name in Set(revisions.flatMap(\.attachments.keys)) {
      let told = revisions.compactMap { revision in
        revision.attachments[name].map { (id: revision.id, told: $0) }
      }
      guard let first = told.first, told.contains(where: { $0.told.mayEqual(first.told) }) else { continue }
      guard let content = try digest(name, of: first.id, document.id) else { continue }
      let equal = try told.filter {
        try $0.told.mayEqual(first.told) && digest(name, of: $0.id, document.id) == content
      }
      let ids = Set(equal.map(\.id))
      document = document.mapping { ids.contains($0.id) ? $0.telling(name, as: first.told) : $0 }
    }
    return document
  }

  /// The same revision, where what is attached to it is told as another document tells what holds the same bytes.
  func telling(
    _ revision: ServerRevision, of document: String, as leaf: ServerRevision, of other: String
  ) throws -> ServerRevision {
    try leaf.attachments.reduce(revision) { revision, attachment in
      let (name, told) = attachment
      guard let there = revision.attachments[name], there.mayEqual(told),
        let content = try digest(name, of: leaf.id, other),
        try digest(name, of: revision.id, document) == content
      else { return revision }
      return revision.telling(name, as: told)
    }
  }

  /// nil where nobody can tell what is in it, be it that the server does not give it.
  func digest(_ name: JSONText, of revision: String, _ document: String) throws -> [UInt8]? {
    do {
      guard let stored = try bytes(name.text, of: document, revision),
        let bytes = stored.isPacked ? Gzip.unpackedWhole(stored.bytes) : stored.bytes
      else { return nil }
      return SHA256.of(bytes)
    } catch StoreError.server(_, let trouble) where trouble.isOfOneAnswer {
      return nil
    }
  }
}

extension JSONValue {
  /// Whether two attachments of one length and type have different digests.
  fileprivate func mayEqual(_ other: JSONValue) -> Bool {
    guard let length = self["length"]?.integer, length <= CouchDBServer.longestCompared else { return false }
    return self["length"] == other["length"] && self["content_type"] == other["content_type"]
      && self["digest"] != other["digest"]
  }
}
