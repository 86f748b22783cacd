import Merging
import RevisionTrees
import RowJournals
import StoreInterface

/// The rows.
extension DocumentGrowth {
  func changes() throws -> [StoredChange] {
    let flags = flags
    var changes = added.map { addition in
      StoredChange(
        file: .app, table: "revs", key: ["sequence": .integer(addition.sequence)], before: nil,
        after: row(addition, isCurrent: flags[addition.sequence] ?? false))
    }
    for addition in added { changes += try addition.attachments.flatMap { try carried($0, to: addition) } }
    return try changes + flagChanges(flags)
  }

  private func row(_ addition: Addition, isCurrent: Bool) -> RowImage {
    var row: RowImage = [
      "sequence": .integer(addition.sequence), "doc_id": .integer(rows.key), "revid": .text(addition.id),
      "parent": parent(of: addition).map { .integer($0) } ?? .null, "current": .integer(isCurrent ? 1 : 0),
      "deleted": .integer(addition.isDeleted ? 1 : 0), "json": .blob(Blob(bytes: stored(addition.body))),
    ]
    if reader.schema.platform == .android { row["available"] = .integer(addition.isDeleted ? 0 : 1) }
    return row
  }

  private func parent(of addition: Addition) -> Int64? { addition.parent.flatMap { sequences[$0]?.first } }

  /// An empty body is no bytes on iOS, and {} on Android.
  private func stored(_ body: [UInt8]) -> [UInt8] {
    body.isEmpty && reader.schema.platform == .android ? Array("{}".utf8) : body
  }

  /// What `current` is to be for each row that it may change on.
  private var flags: [Int64: Bool] {
    let tree = grown
    var flags: [Int64: Bool] = [:]
    for (place, revision) in tree.revisions.enumerated() {
      let isCurrent = tree.isCurrent(place, reader.schema.platform)
      for sequence in sequences[revision.id] ?? [] { flags[sequence] = isCurrent }
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
      parents: rows.tree.parents + added.map { $0.parent.flatMap { places[$0] } }, order: rows.tree.order)
  }

  /// Only rows that the addition touches: what was wrong elsewhere stays as it was found. On Android the flag is one for the
  /// whole document.
  private func flagChanges(_ flags: [Int64: Bool]) throws -> [StoredChange] {
    let known = Set(rows.sequences.values.joined())
    let parents = Set(added.compactMap(\.parent).flatMap { sequences[$0] ?? [] })
    let touched = reader.schema.platform == .ios ? known.intersection(parents) : known
    return try touched.sorted().compactMap { sequence in
      guard let change = try reader.marking(sequence, isCurrent: flags[sequence] == true) else { return nil }
      // A leaf's row goes into the journal also if its flag stays: undo takes the body from there.
      return change.changesNothing && !parents.contains(sequence) ? nil : change
    }
  }

  /// All columns are copied as they are, but for what ``DocumentReader/carried(_:)`` unpacks, and for the generation: it is the new
  /// revision's, as if it were added there.
  ///
  /// What is older than the parent a replicator sends as a stub, and the server fills it by its name from the parent's branch.
  /// That may have another file of this name, or none, which fails the whole push (`412 missing_stub`).
  private func carried(_ attachment: Attachment, to addition: Addition) throws -> [StoredChange] {
    let carried = try reader.carried(attachment)
    var row = carried.row
    row["sequence"] = .integer(addition.sequence)
    // Schemas before 2 have no such column.
    if row["revpos"] != nil { row["revpos"] = .integer(Int64(RevisionID(addition.id).generation)) }
    let key = key(attachment, addition.sequence)
    return [StoredChange(file: .app, table: "attachments", key: key, after: row)] + carried.others
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
