import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Which write is to be taken back. A write is taken back record by record: one that moved since stays written.
extension Journal {
  /// A write of which something stands, with the records of which it does.
  package struct StandingWrite: Sendable {
    package let intent: Intent
    /// Whether other records of it were taken back already.
    package let isTakenBackInPart: Bool
  }

  /// Runs `takeBack` on the write that `extent` means, and on older ones where that passes it over, or means some of several.
  ///
  /// - Throws: ``StoreError/nothingToUndo``; what the first of several fails with, as nothing is taken back then.
  package func undo(
    _ extent: UndoExtent, _ takeBack: (Intent) throws -> [CheckedWrite]
  ) throws -> [CheckedWrite] {
    if case .records(let names) = extent { return try undo(each: names, takeBack) }
    var outcomes: [CheckedWrite] = []
    var end = Int64.max
    while let write = try newestWrite(before: end), extent.means(write) {
      let tried = try takeBack(write.intent)
      outcomes.append(sharing: tried)
      // What is not known, or was not reached, may come back with the next try: nothing older is touched before it.
      if !tried.allSatisfy(\.outcome.isLeftAlone) || !extent.passesOver(write) { return outcomes }
      end = write.intent.id
    }
    if outcomes.isEmpty { throw StoreError.nothingToUndo }
    return outcomes
  }

  /// Where one of the writes fails, those before it stay as they are.
  private func undo(
    each names: [String], _ takeBack: (Intent) throws -> [CheckedWrite]
  ) throws -> [CheckedWrite] {
    let writes = try newestWrites(ofEach: names)
    if writes.isEmpty { throw StoreError.nothingToUndo }
    var outcomes: [CheckedWrite] = []
    for (place, write) in writes.enumerated() {
      do {
        outcomes.append(sharing: try takeBack(write))
      } catch {
        if place == 0 { throw error }
        outcomes += Journal.outcomes(of: writes[place...], after: error)
        break
      }
    }
    let known = ByRecord(outcomes.map { ($0.id, $0) }) { first, _ in first }
    return try names.map { try known[$0] ?? withoutWrite($0) }
  }

  private func withoutWrite(_ name: String) throws -> CheckedWrite {
    let sql = """
      SELECT title FROM receipts JOIN records ON records.intent = receipts.intent AND records.record = receipts.record
      WHERE receipts.record = ? LIMIT 1
      """
    let title = try read(or: nil) { try $0.firstRow(sql, [.text(name)]) { $0.text(0) } }
    return CheckedWrite(
      id: name, title: title ?? name, outcome: .refused(field: nil, "there is no write of it to take back"))
  }

  /// Of the first the undo failed: it may be in the store all the same.
  private static func outcomes(of writes: ArraySlice<Intent>, after error: any Error) -> [CheckedWrite] {
    let detail = StoreError.detail(of: error)
    let isKnown =
      switch error {
      case StoreError.writeUnknown, StoreError.receiptMissing: false
      default: true
      }
    return writes.enumerated().flatMap { place, write in
      write.records.map {
        CheckedWrite($0.label, outcome: place == 0 && !isKnown ? .notKnown(detail) : .notReached(detail))
      }
    }
  }

  /// The newest writes of these records, each with those that are meant, the newest first.
  private func newestWrites(ofEach names: [String]) throws -> [Intent] {
    try read(or: []) { db in
      var meant: [Int64: RecordNames] = [:]
      for name in names {
        let newest = try Journal.newest(before: .max, of: name, in: db)
        if let newest { meant[newest, default: RecordNames()].insert(name) }
      }
      return try meant.sorted { $0.key > $1.key }.compactMap { id, names -> Intent? in
        guard var intent = try Journal.intents("id = ?", [.integer(id)], in: db).first else { return nil }
        intent.records = try intent.records.filter { names.contains($0.id) }.map {
          Intent.Record(id: $0.id, title: $0.title, isLeft: try Journal.isLeft($0.id, of: id, in: db))
        }
        return intent
      }
    }
  }

  /// The same for a rehearsal, of which each record is told with what its write changed. Of many that takes as long as their check.
  ///
  /// - Parameters:
  ///   - store: in the words of an error.
  ///   - tell: what its store tells of one.
  ///   - each: tries several writes, the newest first, each behind those before it; nil where none can be tried so.
  package func checkUndo(
    _ extent: UndoExtent, in store: String, telling tell: (CheckedUndo) -> CheckedUndo = { $0 },
    ofEach each: ([Intent]) throws -> [[CheckedWrite]]? = { _ in nil },
    _ rehearse: (Intent) throws -> [CheckedWrite]
  ) throws -> [CheckedUndo] {
    let known = try rehearsed(extent, each)
    var checked: [CheckedUndo] = []
    let all = try undo(extent) { write in
      // Else each is tried as the store is now, where what was written later is still there.
      let isSo = extent.passes || checked.allSatisfy(\.checked.outcome.isLeftAlone)
      let outcomes = try known(write) ?? rehearse(write).map { isSo ? $0 : $0.knownLater }
      for (place, (outcome, written)) in zip(outcomes, write.records).enumerated() {
        try StoreCall.begin(place, of: outcomes.count, in: store, isTelling: true)
        let changes = try writtenChanges(of: written, in: write.id).without(outcome.notBack)
        checked.append(tell(CheckedUndo(outcome, changes: changes)))
      }
      return outcomes
    }
    guard case .records = extent else { return checked }
    let told = ByRecord(checked.map { ($0.checked.id, $0) }) { first, _ in first }
    return all.map { told[$0.id] ?? CheckedUndo($0, changes: WrittenChanges()) }
  }

  /// What was found of each of several writes. Where that fails each is tried alone, as the undo may take back those before it.
  private func rehearsed(
    _ extent: UndoExtent, _ each: ([Intent]) throws -> [[CheckedWrite]]?
  ) throws -> (Intent) -> [CheckedWrite]? {
    guard case .records(let names) = extent else { return { _ in nil } }
    let writes = try newestWrites(ofEach: names)
    guard writes.count > 1, let found = try? each(writes) else { return { _ in nil } }
    let outcomes = Dictionary(uniqueKeysWithValues: zip(writes.map(\.id), found))
    // Another Parley may have written one of them since.
    return { write in outcomes[write.id].flatMap { $0.count == write.records.count ? $0 : nil } }
  }

  /// What an intent changes of a record, for showing it: of what cannot be relied on nothing is shown but that.
  private func writtenChanges(of record: Intent.Record, in intent: Int64) throws -> WrittenChanges {
    try read(or: WrittenChanges()) { try writtenChanges(of: record, in: intent, $0) }
  }

  /// The same of each record.
  package func writtenRecords(of intent: Intent) throws -> [LastWrite.Record] {
    try intent.records.map { record in
      LastWrite.Record(
        id: record.id, title: record.title, changes: try writtenChanges(of: record, in: intent.id))
    }
  }

  func writtenChanges(of record: Intent.Record, in intent: Int64, _ db: Database) throws -> WrittenChanges {
    do {
      return try reading.changes(KeptIntent(record, of: intent, in: db))
    } catch let damage as Damage {
      var unknown = WrittenChanges()
      unknown.damage = damage.description
      return unknown
    }
  }

  /// The newest write before `end` of which something stands; nil if there is none.
  package func newestWrite(before end: Int64 = .max) throws -> StandingWrite? {
    try read(or: nil) { db in
      guard let id = try Journal.newest(before: end, in: db),
        var intent = try Journal.intents("id = ?", [.integer(id)], in: db).first
      else { return nil }
      intent.records = try Journal.standingRecords(of: id, in: db)
      let undone = "SELECT 1 FROM intents JOIN receipts ON intent = id WHERE undoes = ? AND \(Journal.isDone)"
      return StandingWrite(
        intent: intent, isTakenBackInPart: try db.hasRow(undone, [.integer(id)]))
    }
  }

  /// Whether a write of a record stands, or is left.
  package func isWritten(_ record: String) throws -> Bool {
    try read(or: false) { try Journal.newest(before: .max, of: record, in: $0) != nil }
  }

  /// - Parameter record: the only one that counts, also where it was left; nil: all that were written.
  private static func newest(
    before end: Int64, of record: String? = nil, in db: Database
  ) throws -> Int64? {
    let sql = """
      SELECT max(receipts.intent) FROM receipts JOIN intents ON intents.id = receipts.intent
      WHERE receipts.intent < ? AND \(record == nil ? stands : "\(standsOrIsLeft) AND receipts.record = ?")
      """
    let arguments: [Value] = [.integer(end)] + (record.map { [.text($0)] } ?? [])
    return try db.firstRow(sql, arguments) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  /// The records of a write that were written and not taken back.
  func standingNames(of intent: Int64) throws -> [String] {
    try read(or: []) { try Journal.standingRecords(of: intent, in: $0).map(\.id) }
  }

  private static func standingRecords(of intent: Int64, in db: Database) throws -> [Intent.Record] {
    let sql = """
      SELECT receipts.record, coalesce(title, receipts.record)
      FROM receipts CROSS JOIN intents ON intents.id = receipts.intent
      LEFT JOIN records ON records.intent = receipts.intent AND records.record = receipts.record
      WHERE receipts.intent = ? AND \(stands) ORDER BY ordinal
      """
    return try db.rows(sql, [.integer(intent)]) { Intent.Record(id: $0.text(0), title: $0.text(1)) }
  }

  static let isDone = "outcome IN ('written', 'completed')"

  /// SQL over `receipts` and its row of `intents`: a record was written, and that was not taken back.
  package static let stands = "receipts.\(isDone) AND \(isNotTakenBack)"

  /// The same, or nobody knows how much of it was written.
  static let standsOrIsLeft =
    "receipts.outcome NOT IN ('rolledBack', 'notDone') AND \(isNotTakenBack)"

  private static let isNotTakenBack = """
    intents.undoes IS NULL AND NOT EXISTS (
      SELECT 1 FROM intents AS undo JOIN receipts AS undone ON undone.intent = undo.id
      WHERE undo.undoes = receipts.intent AND undone.record = receipts.record AND undone.\(isDone))
    """

  /// Whether a later intent was done about a record.
  func isWritten(_ record: String, since intent: Int64) throws -> Bool {
    let sql = "SELECT 1 FROM receipts WHERE record = ? AND intent > ? AND \(Journal.isDone)"
    return try read(or: false) { db in
      try db.hasRow(sql, [.text(record), .integer(intent)])
    }
  }

  /// Whether a write of a record, or the undo of it, was interrupted and left, and nobody has taken that up.
  package static func isLeft(_ record: String, of write: Int64, in db: Database) throws -> Bool {
    let sql = """
      SELECT 1 FROM receipts JOIN intents ON intents.id = receipts.intent
      WHERE receipts.intent = ?1 AND receipts.record = ?2 AND \(isNotTakenBack) AND EXISTS (
        SELECT 1 FROM intents AS mine JOIN receipts AS left ON left.intent = mine.id
        WHERE (mine.id = ?1 OR mine.undoes = ?1) AND left.record = ?2 AND left.outcome = 'left')
      """
    return try db.hasRow(sql, [.integer(write), .text(record)])
  }
}

extension UndoExtent {
  /// What was shown as the last write is taken back only as long as it is: another Parley may have written since.
  fileprivate func means(_ write: Journal.StandingWrite) -> Bool {
    if case .write(let id) = self { write.intent.id == id } else { true }
  }

  /// Whether one write after the other is tried because nothing can be done of the one before.
  fileprivate var passes: Bool { if case .records = self { false } else { true } }

  /// Whether the write before is taken back where nothing of `write` can be.
  fileprivate func passesOver(_ write: Journal.StandingWrite) -> Bool {
    switch self {
    case .lastWrite: write.isTakenBackInPart
    case .lastPossibleWrite: true
    case .records, .write: false
    }
  }
}

extension CheckedWrite {
  /// Of a record that may hang on what is taken back before it.
  fileprivate var knownLater: CheckedWrite {
    switch outcome {
    case .moved(let why), .refused(_, let why):
      let words = "what was written later is taken back first, and then it is known; as it is now, \(why)"
      return CheckedWrite(label, outcome: .notKnown(words))
    case .fine, .partly, .notKnown, .notReached: return self
    }
  }
}
