import ExactJSON
import RevisionTrees
import StoreInterface

/// The winner and the other leaves, each under a name of its own: see ``KeptApart``.
///
/// The winner gets a revision although it stays as it is: where two replicas keep different leaves and only delete, nothing is left
/// after they replicate.
extension DocumentAppends {
  /// - Parameter others: the documents that have the names of new ones, where there are any.
  /// - Throws: ``Refusal`` if one of these is another document.
  init(
    keeping apart: KeptApart, of document: ServerDocument, beside others: [JSONText: ServerDocument],
    signedBy signature: String? = nil
  ) throws {
    let live = document.live
    guard let winner = live.first else { throw Moved("it is no longer in conflict") }
    let copies: [Append] = try apart.copies.compactMap { copy in
      guard let leaf = live.first(where: { $0.id == copy.leaf }) else {
        throw Moved("its leaves are others now")
      }
      return try Append(beginning: copy.document, with: leaf, others[JSONText(copy.document)])
    }
    self.init(
      document: document.id, before: live.map { Leaf($0) },
      stages: [copies, [Append(repeating: winner, beside: live)]].filter { !$0.isEmpty }
        + [live.dropFirst().map { .tombstone($0, keeping: $0.members, signature) }],
      winning: nil)
  }

  /// The names of the documents that it makes, or makes anew.
  var newDocuments: [String] { others.filter { !$0.isDeleted }.compactMap(\.other) }

  /// What deletes the documents that a write made. One that is deleted already stays so.
  ///
  /// - Throws: `Moved` if somebody went on from one: nobody else has what is there.
  func deletions(of others: [JSONText: ServerDocument]) throws -> [Append] {
    try self.others.compactMap { append -> Append? in
      guard let name = append.other, let document = others[JSONText(name)] else { return nil }
      let live = document.live
      if live.isEmpty { return nil }
      guard live.count == 1, isMade(live[0], append, in: document) else {
        throw Moved("the document that it made went on since it was written")
      }
      var deletion = Append.tombstone(live[0].id)
      deletion.other = name
      return deletion
    }
  }

  /// Whether that is what the server has made of a new document; where no answer was kept its content tells.
  private func isMade(_ leaf: ServerRevision, _ append: Append, in document: ServerDocument) -> Bool {
    if let id = acceptedIDs[document.id, append.parent] { return leaf.id == id }
    return document.children(of: append.parent).contains(leaf.id) && append.isMade(leaf)
  }
}

extension CouchDBServer {
  /// The documents that have the names of copies already. A text that holds what the leaf of its copy has is told alike: it may be packed
  /// otherwise.
  func documents(
    named copies: [KeptApart.Copy], of document: ServerDocument
  ) throws -> [JSONText: ServerDocument] {
    var others = try leafDocumentsByName(copies.map(\.document))
    for copy in copies {
      guard let leaf = document.revisions[copy.leaf], let there = others[JSONText(copy.document)] else {
        continue
      }
      others[JSONText(copy.document)] = try there.mapping {
        try telling($0, of: there.id, as: leaf, of: document.id)
      }
    }
    return others
  }
}

extension DocumentAppends.Append {
  /// - Parameter there: the document of this name; one that is deleted begins again.
  /// - Returns: nil if it is there already, as another desk made it.
  /// - Throws: ``Refusal`` if it is another one.
  fileprivate init?(beginning name: String, with leaf: ServerRevision, _ there: ServerDocument?) throws {
    let last = there.flatMap { there in there.tree.winner.map { there.tree.revisions[$0].id } }
    self.init(
      other: name, parent: last ?? "", isDeleted: false, members: leaf.members,
      attachments: leaf.attachments.mapValues { DocumentAppends.Attachment(told: $0, source: leaf.id) },
      isFirstLife: true)
    guard let live = there?.live, !live.isEmpty else { return }
    if live.count == 1, isMade(live[0]) { return nil }
    throw Refusal(nil, "another document has the name that its copy would get")
  }
}
