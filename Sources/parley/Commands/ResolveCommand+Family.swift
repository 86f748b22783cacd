import Merging
import StoreInterface

/// `parley resolve RECORD --family`: the records in conflict that belong together are decided together.
extension ResolveCommand {
  /// The same of these records and of all that belong to them, by their whole names. It is told why each does.
  func withFamilies(in store: any ConflictStore, _ surroundings: Surroundings) throws -> ResolveCommand {
    guard store.info.can.contains(.tellFamilies) else {
      throw CommandError.noFamilies(record: store.info.words.record)
    }
    let ids = try namedOrFound(in: store, surroundings)
    let relatives = try ids.flatMap { try store.family(of: $0) }.filter { !ids.contains($0.id) }
    if !print.json, !exports {
      let titles = try titles(of: ids + relatives.flatMap { [$0.id, $0.of] }, in: store)
      for relative in relatives { try surroundings.output.print(relative.words(titles)) }
    }
    var command = self
    command.meant = .these((ids + relatives.map(\.id)).unique)
    return command
  }

  private func namedOrFound(
    in store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> [String] {
    switch meant {
    case .all: []
    case .named(let names): try store.recordIDs(named: names, surroundings.redaction)
    case .these(let ids): ids
    }
  }

  /// On standard error, so that it is seen beside the drafts.
  func tellContradictions(in store: any ConflictStore, _ surroundings: Surroundings) throws {
    var standings: [FamilyStanding] = []
    try store.forEachConflict(meant, surroundings.redaction) {
      standings.append(FamilyStanding(try deciding($0, naming(surroundings))))
    }
    let contradictions = Contradiction.all(among: standings)
    let titles = try titles(of: contradictions.flatMap { [$0.child, $0.parent] }, in: store)
    for one in contradictions { try surroundings.errors.print("parley: \(one.words(titles))") }
    try surroundings.errors.flush()
  }

  private func titles(of ids: [String], in store: any ConflictStore) throws -> ByRecord<String> {
    ByRecord(try store.conflicts(ids.unique).map { ($0.id, $0.title) }) { first, _ in first }
  }
}

extension Relative {
  /// "child Oat milk: its remindersListID points to Groceries"
  func words(_ titles: ByRecord<String>) -> String {
    let (title, other) = (titles[id] ?? id, titles[of] ?? of)
    return switch kind {
    case .parent: "parent \(title): \(field) of \(other) points to it"
    case .child: "child \(title): its \(field) points to \(other)"
    }
  }
}

extension Contradiction {
  func words(_ titles: ByRecord<String>) -> String {
    let (child, parent) = (titles[child] ?? child, titles[parent] ?? parent)
    return
      "\(parent) goes, and \(child) stays and would point to nothing (\(field)). Decide one of them otherwise."
  }
}
