import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a draft means for the outbox: one row, in place of all that the app then does itself.
extension WritePlan {
  /// A draft of the same record that still waits is replaced.
  ///
  /// - Throws: ``Refusal`` if the app would not be able to apply it.
  func outboxChanges(note: String?) throws -> [StoredChange] {
    for image in [state.row, row] { try checkText(of: image) }
    try session.rehearse(rowChange(row), of: state.inbox.recordName)
    let key: RowImage = ["id": .integer(try OutboxRow.nextID(in: session.db))]
    var change = StoredChange(file: .app, table: OutboxRow.table, key: key)
    change.after = change.key.merging(try image(row, note: note)) { id, _ in id }
    return try replacedDrafts() + [change]
  }

  /// The drafts of the record that still wait. The app would apply them over what is written without the outbox, too.
  func replacedDrafts() throws -> [StoredChange] {
    guard try session.records.hasOutbox() else { return [] }
    return try OutboxRow.waiting(of: state.inbox.recordName, in: session.db).map {
      try session.seen(.app, OutboxRow.table, ["id": .integer($0)])
    }
  }

  /// Text of which an app makes another one as it reads it, and so can neither compare nor write it: Swift has none that is not
  /// UTF-8, and GRDB cuts it off at a NUL.
  private func checkText(of row: RowImage?) throws {
    for (name, value) in row ?? [:] {
      let what: String
      switch value {
      case .opaque(Value.brokenText, _): what = Value.brokenText
      case .text(let text) where text.utf8.contains(0): what = "text with a NUL"
      case .null, .integer, .real, .text, .blob, .opaque: continue
      }
      throw Refusal(name, "it is \(what), which cannot go through the app's outbox; --direct does without")
    }
  }

  /// An app that has an outbox of before has a drain of before: it leaves the draft at the time of its own clock, and a mark of
  /// deletion where it is, or it settles by the time of the decision what it should by what was decided.
  private func image(_ row: RowImage?, note: String?) throws -> RowImage {
    let image = try draftImage(row, note: note)
    let outbox = try session.records.tables.shape(of: OutboxRow.table, in: session.db)
    let losesTheTime = aim(row).time > session.now || state.metadata?.isDeleted == true
    if outbox?["modificationTime"] == nil, losesTheTime { throw Refusal(nil, WritePlan.oldOutbox) }
    if outbox?["settles"] == nil, !state.later.isEmpty || state.inbox.receivedAt > session.now {
      throw Refusal(nil, WritePlan.oldOutbox)
    }
    return image.filter { outbox?[$0.key] != nil }
  }

  private static let oldOutbox = """
    the app's parley_outbox is of an older form, and the app would lose this draft: it needs the columns and the code that \
    parley capture and FOR-APPS.md have now; --direct does without
    """

  private func draftImage(_ row: RowImage?, note: String?) throws -> RowImage {
    let ancestor = try MetadataRow.systemFields(of: state.name, in: session.db)
    return [
      "recordName": .text(state.inbox.recordName), "recordType": .text(state.name.table),
      "primaryKey": .text(state.name.primaryKey), "decidedAt": .integer(session.now),
      "action": .text(row == nil ? "delete" : "save"),
      "draft": row.map { .text(RowJSON.encode(difference($0))) } ?? .null,
      "seenRow": state.row.map { .text(RowJSON.encode($0)) } ?? .null,
      "serverRecord": newAncestor(row), "note": note.map { .text($0) } ?? .null, "appliedAt": .null,
      "modificationTime": row == nil ? .null : .integer(aim(row).time),
      "seenAncestor": ancestor.map { .blob(Blob(bytes: $0)) } ?? .null,
      "settles": .text(try settled.json),
    ]
  }

  private var settled: Settled {
    get throws {
      let imports = try session.openImports(of: state.inbox.recordName).map(\.receivedAt)
      return Settled(inbox: Set(try session.settled(state)), imports: Set(imports))
    }
  }

  /// The key is in a column of its own.
  private func difference(_ row: RowImage) -> RowImage {
    row.filter { $0.key != key.name && state.row?[$0.key] != $0.value }
  }

  private func newAncestor(_ row: RowImage?) -> Value {
    switch aim(row).ancestor {
    case .kept: .null
    case .none: .blob(Blob(bytes: []))
    case .advanced(let archive): .blob(Blob(bytes: archive))
    }
  }
}
