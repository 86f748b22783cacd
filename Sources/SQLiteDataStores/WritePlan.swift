import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a draft means for the files, case by case (the letters are the steps of FORMAT.md, "Writing directly"):
///
///     server    draft    row (B2)           ancestor (B4)       metadata (B3)               pending (B5)
///     present   save     updated, inserted  the server's        T, not deleted              save, if anything differs
///     forgotten save     updated, inserted  none                T, not deleted              save
///     present   delete   deleted            kept                marked as deleted           delete
///     deleted   save     updated, inserted  none                T, not deleted              save
///     deleted   delete   deleted            –                   removed                     –
///     unknown   save     updated, inserted  kept                T, not deleted              save
///     unknown   delete   deleted            kept                marked as deleted           delete
///
/// - T is the time the app gives to every field it uploads, later than all that are known: see ``WriteTime``.
/// - The server's archive becomes the ancestor: the upload then carries its tag and is accepted, and fields that equal it
///   keep their times. If the draft equals it in all fields there is nothing to send: no save is queued, and the time is
///   what the app itself makes of it when it takes in a record, the larger of its own and the record's.
/// - A record that the server deleted has no tag any more. With an ancestor the upload would be an update of nothing; with
///   none the app creates the record anew. One that the server has again since is kept or deleted like any other. Forgotten
///   is one whose deletion was sent already, or was fetched: the metadata is gone, and what came in before is nowhere any more.
/// - A deletion that the app queued is replaced by a save, also where the draft equals the server. The table has one change
///   for each record then, but for its deletion from a zone that it left. One in the engine's own state is out of reach: by
///   CKSyncEngine's documentation the later one replaces it.
/// - If the app has received a newer version than the one in the inbox, that one stays the ancestor; unless it has a value
///   of the draft already, and at a time at which other devices do not take it: see ``basis(of:over:)``.
/// - If the record has moved to another zone since, what came in is of the former one, and the ancestor stays what it is: mostly none,
///   and the app sends all of the row to the new zone. See ``OtherPlace``.
/// - A record that came as JSON has no archive: the ancestor stays what it is, and the engine uploads over that one. So what
///   is sent are the fields that differ from the ancestor where the server's value is not known, and T is not less than the
///   ancestor's times. Where there is no ancestor either, a save is queued whatever differs: the engine's upload brings one.
/// - A parent in another zone is refused, as the record would move there: see ``checkZone(_:)``.
/// - What a trigger of the app makes of a column that the draft leaves as it was counts as the draft's: else it is never sent.
struct WritePlan {
  let state: RecordState
  let draft: Draft
  let shape: TableShape
  let key: TableShape.Column
  /// The metadata's, as it is now.
  let ancestor: ArchivedVersion?
  let session: WriteSession
  /// As it is drafted; nil if it is to be none.
  private(set) var row: RowImage?

  /// - Throws: ``Refusal``
  init(_ draft: Draft, _ state: RecordState, _ session: WriteSession) throws {
    if let reason = state.conflict.details.notWritable { throw Refusal(nil, reason) }
    if case .alternative(let id) = draft.action { throw Refusal(nil, "no table knows \(id)") }
    guard let shape = state.shape, let key = shape.singleKey else {
      throw Refusal(nil, "the app database has no table for it")
    }
    self.state = state
    self.draft = draft
    self.shape = shape
    self.key = key
    ancestor = state.ancestor ?? ArchivedVersion(state.metadata?.allFields, shape: shape)
    self.session = session
    row = try rowAfter()
  }

  /// - Parameter made: what it became, where that is known: what a trigger of the app has set is to be sent as well.
  func changes(as made: [StoredChange] = []) throws -> [StoredChange] {
    let real = row(in: made)
    let aim = aim(real)
    try checkZone(real)
    try checkTime(aim)
    try checkStart(aim, real)
    let others =
      try pendingChanges(aim.queued) + session.settling(state) + unsyncedChanges(row)
      + unsentChanges(aim, row) + replacedDrafts()
    return try ([rowChange(row), metadataChange(aim, real)] + others).filter { !$0.changesNothing }
  }

  /// The row as it became: with what triggers of the app have made of the columns that the draft leaves as they were.
  func row(in made: [StoredChange]) -> RowImage? {
    row?.merging(setByTriggers(in: made)) { _, real in real }
  }

  /// That triggers have made something else of it; nil where none has.
  func note(on made: [StoredChange]) -> String? {
    let names = setByTriggers(in: made).keys.sorted()
    return names.isEmpty ? nil : "a trigger changes \(names.joined(separator: ", ")), too"
  }

  private func setByTriggers(in made: [StoredChange]) -> RowImage {
    guard let row, let before = state.row,
      let real = made.first(where: { $0.file == .app && $0.table == shape.name && $0.key == rowKey })?.after
    else { return [:] }
    return real.filter { name, value in row[name] != value && row[name] == before[name] && row[name] != nil }
  }

  func rowChange(_ row: RowImage?) throws -> StoredChange {
    let isDeleted = state.row != nil && row == nil
    let rowid = try isDeleted ? shape.rowidBeside(rowKey, in: session.db) : [:]
    return StoredChange(
      file: .app, table: shape.name, key: rowKey.merging(rowid) { own, _ in own }, before: state.row,
      after: row)
  }

  var rowKey: RowImage {
    [key.name: state.row?[key.name] ?? shape.keyValue(state.name.primaryKey, key)]
  }
}

/// The row.
extension WritePlan {
  private func rowAfter() throws -> RowImage? {
    guard case .save(let fields) = draft.action else { return nil }
    if state.row == nil, shape.isOfAnother(state.name.primaryKey, key) {
      throw Refusal(key.name, "the table would keep its key as that of another record")
    }
    var row = state.row ?? rowKey
    for field in fields {
      guard let column = shape[field.name], !column.isGenerated, column.keyPosition == 0 else { continue }
      if let value = try value(of: field, column) { row[field.name] = value }
    }
    return row
  }

  /// What is written into the column; nil if it is left to what is there, or to the column's default.
  private func value(of field: FieldDraft, _ column: TableShape.Column) throws -> Value? {
    let value = column.affinity.stored(field.value)
    try checkAncestor(value, field.name)
    try checkEmptied(value, field.name)
    if let own = state.row?[field.name], isKept(own, as: value, field) { return nil }
    if state.row == nil, value == .null, isUnknownToAll(field.name) { return nil }
    try checkWritable(value, field.name)
    try checkChoice(field, value, column)
    return value
  }

  /// What is read as the same is left as it is, but for what somebody has typed.
  private func isKept(_ own: Value, as value: Value, _ field: FieldDraft) -> Bool {
    switch field.source {
    case .edited?: own == value
    case .ancestor?, .client?, .server?, .both?, .merged?, nil: own.isRecorded(as: value)
    }
  }

  private func checkAncestor(_ value: Value, _ name: String) throws {
    guard let reason = state.conflict.details.ancestorNotChoosable,
      state.conflict[name]?.isBackToTheAncestor(value) == true
    else { return }
    throw Refusal(name, reason)
  }

  /// The engine does not see that a blob was set to NULL, and takes the server's again as it meets it.
  private func checkEmptied(_ value: Value, _ name: String) throws {
    guard value == .null, state.conflict.details.ancestorNotChoosable != nil,
      let field = state.conflict[name], field.server?.value.isBytes == true
    else { return }
    let had = [field.ancestor?.value, field.client?.value, state.row?[name]]
    if had.contains(where: { $0?.isBytes == true }) { throw Refusal(name, WritePlan.takenAgain) }
  }

  private static let takenAgain = """
    without the server's archive the app does not see that bytes were taken away, and would take the server's again: import the \
    archived record, or do it in the app once it has the server's
    """

  private func isUnknownToAll(_ name: String) -> Bool {
    let conflict = state.conflict[name]
    return conflict?.client == nil && conflict?.server == nil
  }

  private func checkWritable(_ value: Value, _ name: String) throws {
    if let reason = value.reasonNotToStore { throw Refusal(name, reason) }
  }

  private func checkChoice(_ field: FieldDraft, _ value: Value, _ column: TableShape.Column) throws {
    if value == .null, column.isRequired { throw Refusal(field.name, "it must not be NULL") }
    switch field.source {
    case .edited?, .merged?:
      if case .wrongType(_, let expected)? = state.conflict[field.name]?.field.refusal(of: value) {
        throw Refusal(field.name, "it takes a value of the type \(expected.rawValue)")
      }
    case .ancestor?, .client?, .server?, .both?, nil: break
    }
  }
}
