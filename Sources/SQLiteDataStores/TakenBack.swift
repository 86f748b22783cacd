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
  /// Those of them that triggers have changed once more, as the record changed back.
  let changedAgain: Set<String>

  var notBack: NotBack { NotBack(fields: kept, tables: left) }

  /// The columns that stay as triggers make them.
  private var kept: [String] {
    columns { wanted, row in wanted.drafted.filter { row.after?[$0] != wanted.after?[$0] } }
  }

  /// The columns that triggers have changed, and that were to stay as they were.
  private var touched: [String] {
    columns { wanted, row in row.drafted.filter { wanted.before?[$0] == wanted.after?[$0] } }
  }

  /// What a person should know of it; nil where all is as it was, and nothing else was touched.
  var note: String? {
    let (kept, touched) = (kept.joined(separator: ", "), touched.joined(separator: ", "))
    let deeds = [
      kept.isEmpty ? nil : "keeps \(kept) from coming back",
      touched.isEmpty ? nil : "has changed \(touched), too",
    ].compactMap(\.self)
    let told = deeds.isEmpty ? [] : ["a trigger of the table " + deeds.joined(separator: ", and ")]
    let all = told + (isMoved ? ["another row has its rowid by now, so it has a new one"] : []) + ofTables
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  private var ofTables: [String] {
    let again = left.filter(changedAgain.contains).joined(separator: ", ")
    let still = left.filter { !changedAgain.contains($0) }.joined(separator: ", ")
    return [
      still.isEmpty ? nil : "what triggers had changed in \(still) stays as it is",
      again.isEmpty
        ? nil : "triggers have changed \(again) again, so what they had changed there is not put back",
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
