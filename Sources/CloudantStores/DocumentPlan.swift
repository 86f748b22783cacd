import ExactJSON
import Merging
import RevisionTrees
import RowJournals
import StoreInterface

/// What a draft means for the rows of a document.
///
///     draft    chosen leaf                        every other live leaf
///     save     a new revision with the draft      a tombstone
///     delete   a tombstone                        a tombstone
///     both     the winner's content once more     a document with its content, and a tombstone
///
/// - The chosen leaf is the first in winner order that equals the draft; else the first that has the draft's attachments;
///   else the winner. A revision is appended even to a leaf that equals it: if two replicas keep different leaves and only
///   delete, nothing is left after they replicate (FORMAT.md, "Two hazards").
/// - Ids do not see attachments. Two desks that take different ones should not append to the same leaf, where one content
///   would give them one id, and nobody would ever tell that the files differ (FORMAT.md, "Two hazards").
/// - Attachments are carried by copying their rows, from whichever leaf the draft takes them. A revision does not inherit any. What
///   cannot be carried as it is stored, ``CarriedAttachment`` tells.
/// - On iOS ids follow from parent and body, so two desks that decide alike make the same revision. Android's are random.
/// - Rows are only added, and `current` moves to them. Nothing is compacted: the leaves' bodies stay readable by id.
struct DocumentPlan {
  let reader: DocumentReader
  let state: DocumentState
  private var growth: DocumentGrowth

  /// - Throws: ``Refusal``
  init(_ state: DocumentState, _ reader: DocumentReader) throws {
    if let reason = state.conflict.details.notWritable { throw Refusal(nil, reason) }
    self.state = state
    self.reader = reader
    growth = try DocumentGrowth(state.rows, reader)
  }

  /// - Throws: ``Refusal`` if a document cannot hold the draft.
  mutating func changes(_ draft: Draft) throws -> [StoredChange] {
    if case .alternative(let id) = draft.action {
      guard id == KeptApart.id, let apart = KeptApart(state.conflict) else {
        throw Refusal(nil, "no datastore knows \(id)")
      }
      return try changes(keeping: apart)
    }
    var chosen: Int?
    if case .save(let fields) = draft.action {
      let leaf = chosenLeaf(fields)
      chosen = leaf
      try growth.append(
        to: state.tree.revisions[leaf].id, body: try body(fields), attachments: try attachments(fields, leaf))
    }
    return try ended(but: chosen)
  }

  /// The winner's content once more, and a document of each other's. These get the lower numbers: a replication that is cut off has
  /// sent them before any deletion.
  private mutating func changes(keeping apart: KeptApart) throws -> [StoredChange] {
    let winner = state.tree.liveLeaves[0]
    var copies = try DocumentCopies(reader, from: growth.nextSequence)
    for copy in apart.copies {
      guard let leaf = state.tree.liveLeaves.first(where: { state.tree.revisions[$0].id == copy.leaf }) else {
        throw Moved("its leaves are others now")
      }
      try copies.add(copy.document, content(of: leaf))
    }
    growth.goOn(from: copies.nextSequence)
    let content = try content(of: winner)
    try growth.append(
      to: state.tree.revisions[winner].id, body: content.body, attachments: content.attachments)
    return try ended(but: winner) + copies.changes
  }

  private func content(of leaf: Int) throws -> DocumentContent {
    let attachments = state.attachments(of: leaf)
    for attachment in attachments {
      if let problem = try reader.attachments.problem(of: attachment) {
        throw Refusal(attachment.field, problem)
      }
    }
    return DocumentContent(
      body: try reader.body(of: state.rows.sequence(of: leaf)) ?? [], attachments: attachments)
  }

  /// What was appended so far, with the end of all other leaves.
  private mutating func ended(but chosen: Int?) throws -> [StoredChange] {
    // The newest leaf first, as the library itself goes through them.
    for leaf in state.tree.liveLeaves.sorted(by: { state.rows.sequence(of: $0) > state.rows.sequence(of: $1) }
    )
    where leaf != chosen {
      try growth.delete(state.tree.revisions[leaf].id)
    }
    let kept = try state.tree.liveLeaves.flatMap { try growth.unchangedAttachments(of: $0) }
    return try growth.changes() + kept
  }

  private func chosenLeaf(_ fields: [FieldDraft]) -> Int {
    let live = state.tree.liveLeaves
    let attached = fields.filter { $0.name.hasPrefix(Attachment.prefix) }
    return live.first { has($0, fields) } ?? live.first { has($0, attached) } ?? live[0]
  }

  private func has(_ leaf: Int, _ fields: [FieldDraft]) -> Bool {
    guard let known = state.versions[leaf]?.fields else { return false }
    return fields.allSatisfy { known[$0.name]?.value ?? .missing == $0.value }
  }

  private func body(_ fields: [FieldDraft]) throws -> [UInt8] {
    var members: [JSONText: JSONValue] = [:]
    for field in fields where !field.name.hasPrefix(Attachment.prefix) && field.value != .missing {
      guard let json = field.value.json else {
        throw Refusal(field.name, field.value.reasonNoJSON)
      }
      members[JSONText(field.name)] = json
    }
    return members.isEmpty ? [] : JSONValue.object(members).canonical
  }

  /// The attachments of the draft, each from the leaf that has it: the chosen one first, then in winner order.
  private func attachments(_ fields: [FieldDraft], _ chosen: Int) throws -> [Attachment] {
    let sources = ([chosen] + state.tree.liveLeaves + state.versions.keys.sorted()).flatMap {
      state.attachments(of: $0)
    }
    return try fields.filter { $0.name.hasPrefix(Attachment.prefix) && $0.value != .missing }.map { field in
      guard let source = sources.first(where: { $0.field == field.name && $0.value == field.value }) else {
        throw Refusal(field.name, "an attachment is taken from a leaf as it is, or left out")
      }
      if let problem = try reader.attachments.problem(of: source) { throw Refusal(field.name, problem) }
      return source
    }
  }
}
