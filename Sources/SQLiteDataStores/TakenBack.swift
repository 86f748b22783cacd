import Merging
import RowJournals
import StoreInterface

/// What an undo was to bring back, and what became of the rows: a column that triggers set at every change has no way back.
struct TakenBack {
  let meant: [StoredChange]
  let made: [StoredChange]
  /// Whether another row has the place of one that came back.
  let isMoved: Bool
  /// The tables beside the record that are not taken back.
  let left: [String]
  /// Those to which triggers add rows, as the record changes back.
  let addedTo: Set<String>

  var notBack: NotBack { NotBack(fields: kept, tables: left) }

  /// The columns that stay as triggers make them.
  private var kept: [String] {
    columns { wanted, row in wanted.drafted.filter { row.after?[$0] != wanted.after?[$0] } }
  }

  /// The columns that triggers have changed, and that were to stay as they were.
  private var touched: [String] {
    columns { wanted, row in row.drafted.filter { wanted.before?[$0] == wanted.after?[$0] } }
  }

  /// The tables beside the record in which other rows differ now than were to come back.
  private var changedBeside: [String] {
    let rows = Dictionary(grouping: meant.filter { $0.file == .app }, by: \.table).mapValues {
      Set($0.map(\.key))
    }
    let others = made.filter { $0.file == .app && rows[$0.table]?.contains($0.key) != true }
    return addedTo.union(others.map(\.table)).sorted()
  }

  /// What a person should know of it, as true of what would be as of what is; nil where all is as it was, and nothing else changes.
  var note: String? {
    let (kept, touched) = (kept.joined(separator: ", "), touched.joined(separator: ", "))
    let deeds = [
      kept.isEmpty ? nil : "keeps \(kept) from coming back",
      touched.isEmpty ? nil : "changes \(touched), too",
    ].compactMap(\.self)
    let told = deeds.isEmpty ? [] : ["a trigger " + deeds.joined(separator: ", and ")]
    let all = told + (isMoved ? ["another row has its rowid by now, so it gets a new one"] : []) + ofTables
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  private var ofTables: [String] {
    let (left, others) = (left.joined(separator: ", "), changedBeside.joined(separator: ", "))
    return [
      left.isEmpty ? nil : "what triggers had changed in \(left) is left to them",
      others.isEmpty
        ? nil : "as it is taken back, triggers or foreign keys change or add other rows in \(others)",
    ].compactMap(\.self)
  }

  /// Of each row of the app that was there all the time, and is. Of others all or nothing comes back.
  private func columns(_ find: (_ wanted: StoredChange, _ row: StoredChange) -> [String]) -> [String] {
    var names: Set<String> = []
    for wanted in meant where wanted.file == .app && wanted.before != nil && wanted.after != nil {
      let row = made.first { $0.file == .app && $0.table == wanted.table && $0.key == wanted.key }
      if let row, row.after != nil { names.formUnion(find(wanted, row)) }
    }
    return names.sorted()
  }
}
