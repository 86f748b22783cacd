import ExactJSON
import Merging
import StoreInterface
import Telling

extension ConflictStore {
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/tooNewToWrite(path:reason:)``
  func checkWritable() throws { try patientAccess().check(info.path) }

  /// Calls `body` with every conflict's summary, in the order of the store, without ever holding more than a page.
  func forEachSummary(_ body: (ConflictSummary) throws -> Void) throws {
    let walk = conflicts()
    while let page = try walk.next(limit: 200) { try page.summaries.forEach(body) }
  }

  /// One conflict, and the decisions in force for it.
  func decidedConflict(_ id: String) throws -> DecidedConflict { try decided(try conflict(id)) }

  /// Calls `body` with the conflicts that are meant.
  ///
  /// - Parameter privacy: what an error may tell of names that nobody typed.
  func forEachConflict(
    _ records: MeantRecords, _ redaction: Redaction, telling privacy: Privacy = .open,
    _ body: (DecidedConflict) throws -> Void
  ) throws {
    switch records {
    case .all:
      let walk = conflicts()
      while let page = try walk.nextConflicts(limit: 200, of: self) {
        try journal.decided(page).forEach(body)
      }
    case .named(let names):
      // A whole name needs no search, and a large document is not read twice.
      if names.count == 1, let conflict = try conflictIfAny(names[0]) {
        return try body(try decided(conflict))
      }
      try forEachConflict(try recordIDs(named: names, redaction, telling: privacy), body)
    case .these(let ids): try forEachConflict(ids, body)
    }
  }

  /// Calls `body` with every conflict; with the name alone of what was decided, where that need not be read before it is written.
  func forEachMet(_ body: (_ id: String, DecidedConflict?) throws -> Void) throws {
    let walk = conflicts()
    while let page = try walk.nextMet(limit: 200, of: self, unread: journal.everDecided) {
      var read = try journal.decided(page.compactMap(\.conflict)).makeIterator()
      for met in page {
        switch met {
        case .unread(let id): try body(id, nil)
        case .conflict(let conflict): try body(conflict.id, read.next())
        }
      }
    }
  }

  /// Calls `body` with those of these conflicts that are there still.
  func forEachConflict(_ ids: [String], _ body: (DecidedConflict) throws -> Void) throws {
    for page in ids.inBatches(of: 200) { try journal.decided(conflicts(page)).forEach(body) }
  }

  /// Those of these that are there still, by name; what was seen as it was seen.
  func decidedConflicts(_ orders: some Collection<WriteOrder>) throws -> [JSONText: DecidedConflict] {
    let seen = orders.compactMap { $0.seen?.seen }
    let others = try conflicts(orders.filter { $0.seen == nil }.map(\.id))
    return Dictionary(try journal.decided(seen + others).map { (JSONText($0.conflict.id), $0) }) { first, _ in
      first
    }
  }

  private func decided(_ conflict: RecordConflict) throws -> DecidedConflict {
    DecidedConflict(conflict, decisions: try journal.decisions(for: [conflict.id]))
  }
}
