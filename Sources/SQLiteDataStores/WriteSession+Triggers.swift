import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What triggers, foreign keys and columns that have to be unique change beside the rows that were meant.
///
/// - Another record: refused. The app's engine is not here to note it for the upload, so the devices would stay apart.
/// - A row of any other table, such as a list of searchable words or a counter: journalled, and taken back with the write.
///   A write of which undo could not take that back is refused.
/// - A row that is added there, such as a line in a log, stays: its trigger says what becomes of it when the record changes back.
///   But where others of its table are removed or get another key it may stand in their place, so then it goes as well.
/// - Such a table is taken back whole, or left to its triggers: where somebody changed it since, one of its rows may stand in the
///   place of another.
extension WriteSession {
  /// What such rows were before the write, as far as it was asked for.
  typealias RowsBefore = [RowWatch.Place: RowBefore]

  struct RowBefore {
    /// nil: no row.
    let row: RowImage?
    let brokenTexts: Set<String>
  }

  /// Whether the app alone knows the table, and no engine uploads its rows.
  func isBesideTheRecords(_ shape: TableShape) -> Bool { shape.schema == "main" && !isKept(shape) }

  private func isRecords(_ shape: TableShape) -> Bool { synced.contains(shape.name.lowercased()) }

  private func isKept(_ shape: TableShape) -> Bool {
    isRecords(shape) || ParleyTables.all.contains(shape.name)
  }

  /// The rows that were changed and not meant.
  func noticed(beside meant: Set<RowWatch.Place>) throws -> [RowWatch.Noticed] {
    try watch().noticed().filter { !meant.contains($0.place) }
  }

  /// Where the rows stand that these changes are about.
  func places(of changes: [StoredChange]) throws -> [RowWatch.Place] {
    try changes.filter { $0.file != .journal }.flatMap { try shape(of: $0).places($0.key, in: db) }
  }

  /// Those of which has to be known what they were.
  func unknown(_ noticed: [RowWatch.Noticed], _ before: RowsBefore) throws -> [RowWatch.Place] {
    try noticed.filter { !$0.isAddition && before[$0.place] == nil }.map { noticed in
      try checkThatItCanBeKept(noticed.place.shape, noticed.place.key)
      return noticed.place
    }
  }

  private func checkThatItCanBeKept(_ shape: TableShape, _ key: RowImage) throws {
    let table = shape.name
    if shape.schema != "main" || ParleyTables.all.contains(table) {
      throw Refusal(nil, "a trigger changes \(table), which only the app's engine and Parley may")
    }
    if let name = shape.ambiguousColumn { throw Refusal(ambiguous: name, shape) }
    if key.isEmpty {
      throw Refusal(
        nil, "a trigger changes \(table), whose rows have no name that could be kept for undo\(onlyTheApp)")
    }
  }

  func row(at place: RowWatch.Place) throws -> RowImage? {
    try place.shape.row(place.key, columns: place.shape.stored, in: db)
  }

  func rowBefore(at place: RowWatch.Place) throws -> RowBefore {
    let row = try row(at: place)
    if row == nil { try refuseBrokenKeys(of: place.shape) }
    return RowBefore(row: row, brokenTexts: try brokenTexts(place.shape, place.key))
  }

  /// - Throws: ``Refusal``
  func changesBeside(_ noticed: [RowWatch.Noticed], _ before: RowsBefore) throws -> [StoredChange] {
    var changes: [StoredChange] = []
    for noticed in noticed {
      try refuseOthers(noticed, before)
      if noticed.place.key.isEmpty { continue }
      changes.append(try changeBeside(noticed.place, before[noticed.place]))
    }
    changes.removeAll(where: \.changesNothing)
    let thinned = Set(changes.filter { $0.after == nil }.map(\.table))
    return changes.filter { $0.before != nil || thinned.contains($0.table) }
  }

  private func changeBeside(_ place: RowWatch.Place, _ before: RowBefore?) throws -> StoredChange {
    let table = place.shape.name
    let change = StoredChange(
      file: .app, table: table, key: place.key, before: before?.row, after: try row(at: place))
    try change.refuseBeside(overwriting: before?.brokenTexts ?? [])
    return change
  }

  private func refuseOthers(_ noticed: RowWatch.Noticed, _ before: RowsBefore) throws {
    let shape = noticed.place.shape
    if !isBesideTheRecords(shape) && !isRecords(shape) { try checkThatItCanBeKept(shape, [:]) }
    guard isRecords(shape) else { return }
    try checkThatItCanBeKept(shape, noticed.place.key)
    let (then, now) = (before[noticed.place]?.row, try row(at: noticed.place))
    guard then != now, let row = then ?? now else { return }
    if noticed.isReplaced { throw Refusal(replacing: row, shape) }
    let deed = then == nil ? "adds" : now == nil ? "deletes" : "changes"
    throw Refusal(
      nil,
      "a trigger \(deed) another record, \(shape.words(for: row)) in \(shape.name), and nothing here would upload that\(onlyTheApp)"
    )
  }

  /// An app would lose such a record too: no trigger of its engine hears of it.
  func refuseReplacing(_ place: RowWatch.Place) throws {
    guard isRecords(place.shape), let row = try row(at: place) else { return }
    throw Refusal(replacing: row, place.shape)
  }

  /// Takes the changes back as undo would, and then that again.
  ///
  /// - Throws: ``Refusal``
  func rehearseUndo(of changes: [StoredChange], beside: [StoredChange]) throws {
    do {
      let others = try inEitherOrder((changes + beside).reversed().map(\.reversed), takenBack)
      if let other = try others.first(where: { try row(at: $0.place) != $0.row }) {
        throw Refusal(nil, "it would change \(other.place.shape.name) once more")
      }
    } catch let refusal as Refusal {
      let tables = Set(beside.map(\.table)).sorted().joined(separator: ", ")
      throw Refusal(
        nil,
        "triggers change \(tables) in a way that undo could not take back (\(refusal.reason))\(onlyTheApp)")
    }
  }

  /// Makes the changes, and takes that back.
  ///
  /// - Returns: rows that they are not about and that triggers have touched, as they were then. Of lines that are only added an
  ///   undo promises nothing.
  private func takenBack(_ changes: [StoredChange]) throws -> [(place: RowWatch.Place, row: RowImage?)] {
    var others: [(RowWatch.Place, RowImage?)] = []
    try watch().forget()
    var meant = Set(try places(of: changes))
    try db.savepoint {
      _ = try make(changes, isExact: true)
      meant.formUnion(try places(of: changes))
      let touched = try noticed(beside: meant).filter { !$0.isAddition && !$0.place.key.isEmpty }
      others = try touched.map { ($0.place, try row(at: $0.place)) }
      return .rollback
    }
    return others
  }

  /// Undoes a write: what triggers changed beside it too where that goes, and it holds up nothing.
  func takeBack(_ record: RecordChanges) throws -> TakenBack {
    let own = record.changes.filter { !record.isByTrigger($0) }
    let all = try record.besideTables { try $0.isAsLeft(in: current($0)) }
    let moved = try tables(of: all, knowingThePlaceOf: own)
    let beside = all.filter { !moved.contains($0.table) }
    // Those, and the ones that somebody changed since.
    let left = record.tablesBeside.subtracting(beside.map(\.table))
    do {
      return try inEitherOrder(reversed(own + beside)) { try bringBack($0, of: record, leaving: left) }
    } catch is Refusal where !beside.isEmpty && db.isInsideTransaction {
      return try bringBack(reversed(own), of: record, leaving: record.tablesBeside)
    }
  }

  /// Those of which a row went with a deleted one and knows that by its rowid alone, which another row has by now: what is in them of that
  /// is their triggers' to say. A row's own rowid says nothing: where one row is made for each of another table both are often the same.
  private func tables(of beside: [StoredChange], knowingThePlaceOf own: [StoredChange]) throws -> Set<String>
  {
    let moved = try own.filter { try $0.after == nil && isTaken($0) }
    let rowids = try Set(moved.compactMap { row in try shape(of: row).rowid.flatMap { row.key[$0] } })
    let keys = try Set(moved.flatMap { try $0.anywhere(in: shape(of: $0)).key.values })
    return Set(
      beside.filter { change in
        let values = change.after == nil ? Array((change.before ?? [:]).values) : []
        return values.contains(where: rowids.contains) && !values.contains(where: keys.contains)
      }.map(\.table))
  }

  /// - Parameter tables: beside the record, which are left to their triggers.
  /// - Returns: what was made in the order in which the log tells a write: the record first.
  func bringBack(
    _ changes: [StoredChange], of record: RecordChanges, leaving tables: Set<String> = []
  ) throws -> TakenBack {
    let isMoved = try changes.contains { try $0.before == nil && isTaken($0) }
    let meant = try changes.map(fitting)
    try watch().forget()
    let made = try apply(meant, isExact: true)
    return TakenBack(
      meant: meant, made: made.filter { !record.isByTrigger($0) } + made.filter { record.isByTrigger($0) },
      isMoved: isMoved, left: tables.sorted(), addedTo: try additions(beside: meant))
  }

  /// The tables to which triggers have added rows that stand there. Of other changes ``apply(_:isExact:of:)`` tells.
  private func additions(beside changes: [StoredChange]) throws -> Set<String> {
    let added = try noticed(beside: Set(places(of: changes))).filter { noticed in
      try noticed.isAddition && isBesideTheRecords(noticed.place.shape) && row(at: noticed.place) != nil
    }
    return Set(added.map(\.place.shape.name))
  }

  /// A row comes back where it lay, or where there is room: also in a table that has no such places any more, or a column of that name.
  func fitting(_ change: StoredChange) throws -> StoredChange {
    guard change.file == .app, change.before == nil else { return change }
    let shape = try shape(of: change)
    let stays = try change.hasPlace(in: shape) && !shape.isTaken(change.key, in: db)
    return stays ? change : change.anywhere(in: shape)
  }

  private func isTaken(_ change: StoredChange) throws -> Bool {
    try change.file == .app && shape(of: change).isTaken(change.key, in: db)
  }

  /// With the records first, where it does not go otherwise: what is put back before them may be in the way of what triggers make of
  /// them, which is the same.
  private func inEitherOrder<Result>(
    _ changes: [StoredChange], _ make: ([StoredChange]) throws -> Result
  ) throws -> Result {
    do {
      return try make(changes)
    } catch let refusal as Refusal where db.isInsideTransaction {
      let other = try recordsFirst(changes)
      if other == changes { throw refusal }
      return try make(other)
    }
  }

  /// A table of which rows come back is taken back whole: what triggers add to it meanwhile, as for a record that is there again, would
  /// be there twice. A row may have gone only now, as of a list whose triggers delete a record's row and add another one: where that took
  /// the same place in the write, the write seems to have changed it.
  func removeAdditions(beside changes: [StoredChange]) throws {
    let back = try changes.filter {
      try $0.after != nil && isBeside($0) && ($0.before == nil || current($0) == nil)
    }
    if back.isEmpty { return }
    let (tables, meant) = (Set(back.map(\.table)), Set(try places(of: changes)))
    for addition in try noticed(beside: meant) where addition.isAddition && !addition.place.key.isEmpty {
      let place = addition.place
      guard tables.contains(place.shape.name), let row = try row(at: place) else { continue }
      try apply(
        StoredChange(file: .app, table: place.shape.name, key: place.key, before: row, after: nil))
    }
  }

  private func reversed(_ changes: [StoredChange]) throws -> [StoredChange] {
    try changes.reversed().map { try $0.reversed.applied(to: current($0)) }
  }
}

extension TableShape {
  fileprivate func words(for row: RowImage) -> String {
    key.map { RowJSON.encode(row[$0.name] ?? .null) }.joined(separator: ", ")
  }
}

private let onlyTheApp = ": only the app can write it, through its outbox"

extension Refusal {
  init(ambiguous column: String, _ shape: TableShape) {
    self.init(
      column,
      "the table \(shape.name) has two columns of this name, which differ in their Unicode form alone: nothing here can tell them apart, so only the app can write it, through its outbox"
    )
  }

  init(replacing row: RowImage, _ shape: TableShape) {
    self.init(
      nil,
      "another record, \(shape.words(for: row)) in \(shape.name), has a value that has to be unique, and the table would delete it in favour of this one (ON CONFLICT REPLACE): decide another value, or change that record in the app first"
    )
  }
}

extension RecordChanges {
  /// Whether a trigger made it beside the write: nothing of the record hangs on it.
  func isByTrigger(_ change: StoredChange) -> Bool {
    change.file == .app && !ParleyTables.all.contains(change.table)
      && RecordName(record)?.table.lowercased() != change.table.lowercased()
  }

  var tablesBeside: Set<String> { Set(changes.filter(isByTrigger).map(\.table)) }

  /// The changes beside the write, of those tables of which every one fits. None of a table that has another form by now does.
  func besideTables(where fits: (StoredChange) throws -> Bool) throws -> [StoredChange] {
    let beside = changes.filter(isByTrigger)
    var moved: Set<String> = []
    for change in beside {
      do {
        if try !fits(change) { moved.insert(change.table) }
      } catch is Refusal {
        moved.insert(change.table)
      }
    }
    return beside.filter { !moved.contains($0.table) }
  }
}
