import Merging
import StoreInterface
import Telling

/// Drafts that are decided, and that the store would not take.
extension ConflictStore {
  /// A store with rules of its own may refuse what a side has, such as a key that points to nothing here; and any store a record that a
  /// decision would make, whose name is taken. That is told where it was decided, and kept, so that nothing calls such a draft ready.
  ///
  /// - Parameter isKept: whether what the store says is noted beside the decisions; what is only tried is not.
  func refusedDrafts(
    of records: [DecidedConflict], isKept: Bool = true, telling surroundings: Surroundings
  ) throws -> [CheckedWrite] {
    let known = records.compactMap(\.knownRefusal)
    let writes = records.compactMap { $0.questionableWrite(in: info) }
    let refused = try known + asked(writes, isKept: isKept, telling: surroundings)
    // Of these no other decision is written either.
    let lost = RecordNames(records.filter { $0.conflict.details.notWritable != nil }.map(\.conflict.id))
    for checked in refused {
      guard let refusal = checked.outcome.refusal else { continue }
      try surroundings.errors.print(
        "parley: \(checked.id): the store would refuse this draft\(isKept ? ", which is kept all the same" : ""): "
          + "\(Privacy.open.words(refusal).asClause)."
          + (lost.contains(checked.id) ? "" : " Decide it otherwise: parley show tells the ways."))
    }
    try surroundings.errors.flush()
    return refused
  }

  /// What is decided is decided, also where nobody can ask the store now: another program may hold it.
  private func asked(
    _ writes: [PlannedWrite], isKept: Bool, telling surroundings: Surroundings
  ) throws -> [CheckedWrite] {
    if writes.isEmpty { return [] }
    return try surroundings.asking {
      let checked = try isKept ? checkDecided(writes) : checkBesideReady(writes)
      return checked.prefix(writes.count).filter { $0.outcome.refusal != nil }
    }
  }
}

extension Surroundings {
  /// What is only tried is asked about in the store opened for writing, as one that is only read takes no such question. Nothing of it is
  /// kept.
  func refusedDrafts(
    of records: [DecidedConflict], askingIn request: StoreRequest
  ) throws -> [CheckedWrite] {
    try asking { try open(request).refusedDrafts(of: records, isKept: false, telling: self) }
  }

  /// What `ask` finds to be refused. Where the store cannot be asked, that is told: then nobody knows.
  fileprivate func asking(_ ask: () throws -> [CheckedWrite]) throws -> [CheckedWrite] {
    do {
      return try ask()
    } catch let error as StoreError {
      if case .stopped = error { throw error }
      try errors.print("parley: Whether the store would take it is not known: \(error.words)")
      try errors.flush()
      return []
    }
  }
}

extension DecidedConflict {
  /// What nobody has to ask the store about.
  fileprivate var knownRefusal: CheckedWrite? {
    hindrance.map { CheckedWrite(id: conflict.id, title: conflict.title, outcome: $0.outcome) }
  }

  /// nil where there is no draft yet, none that can be written, or none that such a store could refuse.
  fileprivate func questionableWrite(in info: StoreInfo) -> PlannedWrite? {
    guard hindrance == nil, let draft, info.words.rules != nil || draft.isOfOwnKind else {
      return nil
    }
    return PlannedWrite(seen: conflict, draft: draft)
  }
}
