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
    let records = isKept ? try readAgain(records) : records
    let known = records.compactMap { $0.knownRefusal(isKept: isKept) }
    let writes = records.compactMap { $0.questionableWrite(in: info, isKept: isKept) }
    let refused = try known + asked(writes, isKept: isKept, telling: surroundings)
    let named = ByRecord(records.map { ($0.conflict.id, $0) }) { first, _ in first }
    for checked in refused {
      guard let refusal = checked.outcome.refusal, var record = named[checked.id] else { continue }
      record.refusal = refusal
      try surroundings.errors.print(
        "parley: \(checked.id): the store would refuse this draft\(isKept ? ", which is kept all the same" : ""): "
          + "\(Privacy.open.words(refusal).asClause).\(waysOut(of: record, beside: named, isKept: isKept))")
    }
    try surroundings.errors.flush()
    return refused
  }

  /// Of all, which may be many, the write's check tells what is refused. What was told so before is not left to it: what it needs may be
  /// decided by now.
  func askAgain(telling surroundings: Surroundings) throws {
    _ = try surroundings.asking(about: "what it refused before") { try checkRefusedAgain() }
  }

  /// What pointed to nothing when it was read may point by now to what was decided with it.
  private func readAgain(_ records: [DecidedConflict]) throws -> [DecidedConflict] {
    let old = records.filter { $0.hindrance?.isOfMissingRecord == true }.map(\.conflict.id)
    if old.isEmpty { return records }
    let read = try old.inBatches(of: 200).flatMap { try journal.decided(conflicts($0)) }
    let fresh = ByRecord(read.map { ($0.conflict.id, $0) }) { first, _ in first }
    return records.map { fresh[$0.conflict.id] ?? $0 }
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

/// What can be done about a refusal.
extension ConflictStore {
  /// Of a record that can be written nowhere no other decision is written either.
  ///
  /// - Parameter others: what was decided together with it.
  fileprivate func waysOut(
    of record: DecidedConflict, beside others: ByRecord<DecidedConflict>, isKept: Bool
  ) -> String {
    if record.conflict.details.notWritable != nil { return "" }
    return " \(record.otherWays)\(wordsOfParent(of: record, beside: others, isKept: isKept))"
  }

  private func wordsOfParent(
    of record: DecidedConflict, beside others: ByRecord<DecidedConflict>, isKept: Bool
  ) -> String {
    guard let key = record.refusedKey else { return "" }
    let leave = isKept ? " Or leave it: once what it points to is here, parley write asks again." : ""
    guard let parent = parentInConflict(of: record, by: key, beside: others) else { return leave }
    let id = parent.conflict.id
    if parent.conflict.details.waitingSince != nil {
      return "\(leave) A draft of what it points to waits for the app: \(id)."
    }
    return parent.isDecidedToBeSaved ? "" : " Or decide first that what it points to comes back: \(id)."
  }

  /// nil also where nobody can ask now.
  private func parentInConflict(
    of record: DecidedConflict, by key: FieldConflict, beside others: ByRecord<DecidedConflict>
  ) -> DecidedConflict? {
    guard let value = record.draft?[key.name],
      let parent = try? missingRecord(key, value, of: record.conflict)
    else { return nil }
    return others[parent.id] ?? (try? journal.decided([parent]))?.first
  }

  /// The record in conflict that this value of a record's key points to, if it is not here, and can come back.
  func missingRecord(
    _ key: FieldConflict, _ value: Value, of conflict: RecordConflict
  ) throws -> RecordConflict? {
    guard let pointer = key.pointer(value) else { return nil }
    let draft = Draft(
      id: conflict.id, action: .save([FieldDraft(name: key.name, value: value, source: nil)]))
    let needed = try recordsNeeded(by: PlannedWrite(seen: conflict, draft: draft))
    return try conflicts(needed).first { !$0.hasRow && RecordPointer($0) == pointer }
  }
}

extension Surroundings {
  /// What is only tried is asked about in the store opened for writing, as one that is only read takes no such question. Nothing of it is
  /// kept.
  ///
  /// - Parameter read: the same store, in which they were read: where an app has left its `-wal` it would be in the way itself.
  func refusedDrafts(
    of records: [DecidedConflict], readIn read: any ConflictStore, askingIn request: StoreRequest
  ) throws -> [CheckedWrite] {
    if records.isEmpty { return [] }
    read.letGo()
    return try asking {
      let store = try open(request)
      store.journal.share(read.journal.supposals)
      let refused = try store.refusedDrafts(of: records, isKept: false, telling: self)
      try read.journal.supposeRefusals(of: refused)
      return refused
    }
  }

  /// What `ask` finds to be refused. Where the store cannot be asked, that is told: then nobody knows.
  fileprivate func asking(
    about drafts: String = "it", _ ask: () throws -> [CheckedWrite]
  ) throws -> [CheckedWrite] {
    do {
      return try ask()
    } catch let error as StoreError {
      if case .stopped = error { throw error }
      try errors.print("parley: Whether the store would take \(drafts) is not known: \(error.words)")
      try errors.flush()
      return []
    }
  }
}

extension DecisionJournal {
  /// As the run notes it beside the decisions: what is refused itself does not come back, and what points to it points to nothing. What is
  /// refused for want of another record is told by that record.
  fileprivate func supposeRefusals(of all: [CheckedWrite]) throws {
    let refused = all.filter { $0.outcome.refusal?.isOfMissingRecord == false }
    let decided = ByRecord(grouping: try decisions(for: refused.map(\.id)), by: \.id)
    suppose(
      refused.compactMap { checked in
        var newest = decided[checked.id]?.last
        newest?.refusal = checked.outcome.refusal
        return newest
      })
  }
}

extension DecidedConflict {
  /// Where only the whole record is decided they are few, and no field of it can be given another value.
  fileprivate var otherWays: String {
    let ways = otherAlternatives.map {
      "--set \(conflict.nameOfTheWhole)=\(Privacy.open.name($0, in: conflict))"
    }
    return conflict.isWhole && conflict.details.ownValue == nil && (1...4).contains(ways.count)
      ? "Decide it otherwise: \(ways.joined(separator: " or "))."
      : "Decide it otherwise: parley show tells the ways."
  }

  /// Also where the store refuses it: to decide the same once more changes nothing.
  fileprivate var isDecidedToBeSaved: Bool {
    if case .save? = readyWrite?.draft.action { true } else { false }
  }

  /// The field that is refused, if what it points to is missing.
  fileprivate var refusedKey: FieldConflict? {
    refusal?.isOfMissingRecord == true ? refusal?.field.flatMap { conflict[$0] } : nil
  }

  /// What nobody has to ask the store about. Of what is only tried nothing is decided, so that it is asked what a key points to.
  fileprivate func knownRefusal(isKept: Bool) -> CheckedWrite? {
    guard let hindrance, isKept || !hindrance.isOfMissingRecord else { return nil }
    return CheckedWrite(id: conflict.id, title: conflict.title, outcome: hindrance.outcome)
  }

  /// nil where there is no draft yet, none that can be written, or none that such a store could refuse.
  fileprivate func questionableWrite(in info: StoreInfo, isKept: Bool) -> PlannedWrite? {
    guard knownRefusal(isKept: isKept) == nil, let draft, info.words.rules != nil || draft.isOfOwnKind else {
      return nil
    }
    return PlannedWrite(seen: conflict, draft: draft)
  }
}

extension Surroundings {
  /// It is decided all the same: who typed the value, or gave it in a file, may know better.
  ///
  /// - Parameter record: its name, with what stands before it.
  func tell(odd reason: String, _ field: String, of record: String) throws {
    try errors.print(
      "parley: \(record): \(field.wholeName): the app may not be able to read it: \(reason). It is taken all the same."
    )
    try errors.flush()
  }
}
