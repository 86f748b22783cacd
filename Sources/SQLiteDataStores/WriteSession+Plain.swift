import GRDB
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Rows to which nothing happens but what was asked for, as of nearly all. They are what was asked for then, and nobody has to read
/// them once more.
///
/// SQLite tells each row that it touches (see ``RowWatch``), and a column keeps a value as it is given where it has nothing to
/// convert. Where either is not so, all is taken back, and made by ``WriteSession/make(_:isExact:)``, which looks again.
extension WriteSession {
  /// - Returns: what was changed; nil if nothing was, as these are no such rows.
  func makePlainly(_ changes: [StoredChange]) throws -> [StoredChange]? {
    let changes = changes.filter { !$0.changesNothing }
    guard try !isAnyTwice(changes), try changes.allSatisfy(isPlain) else { return nil }
    var isPlain = true
    do {
      try db.savepoint {
        isPlain = try changes.allSatisfy(madeAlone)
        if isPlain { try checkDeferredKeys(changes) }
        return isPlain ? .commit : .rollback
      }
    } catch is Refusal where db.isInsideTransaction {
      return nil
    }
    return isPlain ? changes : nil
  }

  private func isAnyTwice(_ changes: [StoredChange]) throws -> Bool {
    changes.indices.contains { index in
      changes[..<index].contains { $0.table == changes[index].table && $0.key == changes[index].key }
    }
  }

  /// Whether a row has all its columns, and each keeps what it is given.
  private func isPlain(_ change: StoredChange) throws -> Bool {
    guard change.file != .journal, let after = change.after else { return true }
    let columns = try shape(of: change).stored
    guard after.count == columns.count, change.before.map({ $0.count == columns.count }) ?? true else {
      return false
    }
    // By their places, as to take a column out is to copy it.
    return columns.indices.allSatisfy { place in
      guard let value = after[columns[place].name] else { return false }
      return columns[place].keeps(value) || change.before?[columns[place].name] == value
    }
  }

  private func madeAlone(_ change: StoredChange) throws -> Bool {
    if change.file == .journal { return true }
    let watch = try watch()
    watch.forget()
    try apply(change)
    return watch.sawOnly(change.deed, in: try shape(of: change))
  }
}

extension StoredChange {
  fileprivate var deed: RowWatch.Deed { before == nil ? .insert : after == nil ? .delete : .update }
}
