import Foundation
import GRDB
import Merging

/// What a draft means for the rows of a document.
///
///     draft    chosen leaf                        every other live leaf
///     save     a new revision with the draft      a tombstone
///     delete   a tombstone                        a tombstone
///
/// - The chosen leaf is the first in winner order that equals the draft; else the winner. A revision is appended even then:
///   if two replicas keep different leaves and only delete, nothing is left after they replicate (facts, section 0.2).
/// - Attachments are carried by copying their rows, from whichever leaf the draft takes them. A revision does not inherit any.
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
    var chosen: Int?
    if case .save(let fields) = draft.action {
      let leaf = chosenLeaf(fields)
      chosen = leaf
      try growth.append(
        to: state.tree.revisions[leaf].id, body: try body(fields), attachments: try attachments(fields, leaf))
    }
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
    return live.first { leaf in
      guard let known = state.versions[leaf]?.version.fields else { return false }
      return fields.allSatisfy { known[$0.name]?.value ?? .missing == $0.value }
    } ?? live[0]
  }

  private func body(_ fields: [FieldDraft]) throws -> [UInt8] {
    var members: [JSONText: JSONValue] = [:]
    for field in fields where !field.name.hasPrefix(Attachment.prefix) && field.value != .missing {
      guard let json = field.json else {
        throw Refusal(field.name, "a document holds JSON, and no bytes; bytes go into an attachment")
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

extension FieldDraft {
  /// A real number that a person typed is written as CDTDatastore writes it, with up to 16 digits: 1.0 as 1. One that came
  /// out of a body stays as it was.
  fileprivate var json: JSONValue? {
    guard source == .edited, case .real(let real) = value, real.isFinite else { return value.json }
    return .literal(String(format: "%.16g", real))
  }
}

/// Revisions that are added to a document, and the rows that come of it.
struct DocumentGrowth {
  private let rows: DocumentRows
  private let reader: DocumentReader
  private var nextSequence: Int64
  /// The rows so far of each revision.
  private var sequences: [String: [Int64]]
  private var added: [Addition] = []

  private struct Addition {
    let id: String
    let parent: String
    let sequence: Int64
    let isDeleted: Bool
    let body: [UInt8]
    let attachments: [Attachment]
  }

  init(_ rows: DocumentRows, _ reader: DocumentReader) throws {
    self.rows = rows
    self.reader = reader
    sequences = rows.sequences
    // A sequence is never used again, also not that of a row which is gone: replicators have seen it.
    let newest = try reader.db.firstRow("SELECT max(sequence) FROM revs") { $0.integer(0) } ?? 0
    let used =
      try reader.db.firstRow("SELECT seq FROM sqlite_sequence WHERE name = 'revs'") { $0.integer(0) } ?? 0
    nextSequence = max(newest, used) + 1
  }

  /// Adds a live revision.
  ///
  /// - Returns: its id.
  /// - Throws: ``Refusal``
  @discardableResult mutating func append(
    to parent: String, body: [UInt8], attachments: [Attachment]
  ) throws -> String {
    try add(to: parent, isDeleted: false, body: body, attachments)
  }

  /// Adds a tombstone.
  mutating func delete(_ leaf: String) throws { try add(to: leaf, isDeleted: true, body: [], []) }

  @discardableResult private mutating func add(
    to parent: String, isDeleted: Bool, body: [UInt8], _ attachments: [Attachment]
  ) throws -> String {
    guard let id = newID(parent, isDeleted, body) else {
      throw Refusal(nil, "the revision \(parent) has no generation, so nothing can be appended to it")
    }
    if sequences[id] != nil { throw Refusal(nil, "the document has a revision \(id) already") }
    added.append(
      Addition(
        id: id, parent: parent, sequence: nextSequence, isDeleted: isDeleted, body: body,
        attachments: attachments))
    sequences[id] = [nextSequence]
    nextSequence += 1
    return id
  }

  private func newID(_ parent: String, _ isDeleted: Bool, _ body: [UInt8]) -> String? {
    switch reader.schema.platform {
    case .ios: return RevisionID.cloudant(parent: parent, isDeleted: isDeleted, body: body)
    case .android:
      let generation = RevisionID(parent).generation
      let random = UUID().uuidString.replacing("-", with: "").lowercased()
      return generation == 0 ? nil : "\(generation + 1)-\(random)"
    }
  }
}

/// The rows.
extension DocumentGrowth {
  func changes() throws -> [StoredChange] {
    let flags = flags
    var changes = added.map { addition in
      StoredChange(
        file: .app, table: "revs", key: ["sequence": .integer(addition.sequence)], before: nil,
        after: row(addition, isCurrent: flags[addition.sequence] ?? false))
    }
    for addition in added { changes += addition.attachments.map { carried($0, to: addition.sequence) } }
    return try changes + flagChanges(flags)
  }

  private func row(_ addition: Addition, isCurrent: Bool) -> RowImage {
    var row: RowImage = [
      "sequence": .integer(addition.sequence), "doc_id": .integer(rows.key), "revid": .text(addition.id),
      "parent": .integer(sequences[addition.parent]?.first ?? 0), "current": .integer(isCurrent ? 1 : 0),
      "deleted": .integer(addition.isDeleted ? 1 : 0), "json": .blob(Blob(bytes: stored(addition.body))),
    ]
    if reader.schema.platform == .android { row["available"] = .integer(addition.isDeleted ? 0 : 1) }
    return row
  }

  /// An empty body is no bytes on iOS, and {} on Android.
  private func stored(_ body: [UInt8]) -> [UInt8] {
    body.isEmpty && reader.schema.platform == .android ? Array("{}".utf8) : body
  }

  /// What `current` is to be for each row that it may change on.
  private var flags: [Int64: Bool] {
    let tree = grown
    var flags: [Int64: Bool] = [:]
    for (place, revision) in tree.revisions.enumerated() {
      for sequence in sequences[revision.id] ?? [] {
        flags[sequence] = reader.schema.platform == .ios ? tree.children[place].isEmpty : tree.winner == place
      }
    }
    return flags
  }

  /// The tree with what was added.
  private var grown: RevisionTree {
    let ids = rows.tree.revisions.map(\.id) + added.map(\.id)
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    return RevisionTree(
      rows.tree.revisions
        + added.map {
          RevisionTree.Revision(id: $0.id, isDeleted: $0.isDeleted, hasBody: true, row: $0.sequence)
        },
      parents: rows.tree.parents + added.map { places[$0.parent] }, order: rows.tree.order)
  }

  /// Only rows that the addition touches: what was wrong elsewhere stays as it was found. On Android the flag is one for the
  /// whole document.
  private func flagChanges(_ flags: [Int64: Bool]) throws -> [StoredChange] {
    let known = Set(rows.sequences.values.joined())
    let parents = Set(added.flatMap { sequences[$0.parent] ?? [] })
    let touched = reader.schema.platform == .ios ? known.intersection(parents) : known
    return try touched.sorted().compactMap { sequence in
      let key: RowImage = ["sequence": .integer(sequence)]
      guard let before = try reader.schema.revs.row(key, columns: reader.schema.revs.stored, in: reader.db)
      else {
        return nil
      }
      var after = before
      after["current"] = .integer(flags[sequence] == true ? 1 : 0)
      let change = StoredChange(file: .app, table: "revs", key: key, before: before, after: after)
      // A leaf's row goes into the journal also if its flag stays: undo takes the body from there.
      return change.changesNothing && !parents.contains(sequence) ? nil : change
    }
  }

  /// All columns are copied as they are, also in which generation it was added.
  private func carried(_ attachment: Attachment, to sequence: Int64) -> StoredChange {
    var row = attachment.row
    row["sequence"] = .integer(sequence)
    return StoredChange(
      file: .app, table: "attachments", key: key(attachment, sequence), before: nil, after: row)
  }

  /// What a leaf has attached, for the journal: after a compaction nobody else knows.
  func unchangedAttachments(of leaf: Int) throws -> [StoredChange] {
    let sequence = rows.sequence(of: leaf)
    return try reader.attachments.attachments(of: sequence).map { attachment in
      StoredChange(
        file: .app, table: "attachments", key: key(attachment, sequence), before: attachment.row,
        after: attachment.row)
    }
  }

  private func key(_ attachment: Attachment, _ sequence: Int64) -> RowImage {
    ["sequence": .integer(sequence), "filename": .text(attachment.name)]
  }
}
