import Merging

/// What a write would say to some drafts. It takes all that is ready together: there a child fits after its parent, and a parent goes
/// after its children.
extension ConflictStore {
  /// What is refused by itself is asked about once more beside the ready drafts that it may need.
  ///
  /// - Returns: an answer to each, in their order.
  package func checkBesideReady(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    Array(try checkedBesideReady(writes).prefix(writes.count))
  }

  /// The same for who has just decided them: what the store says is kept, as after a write. So is what it says now to drafts that it
  /// refused before, and that need one of these. It is told in any case, so that it cannot be kept is no reason to end.
  ///
  /// - Returns: an answer to each, in their order; behind these what it says to the others that it was asked about.
  package func checkDecided(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    if writes.isEmpty { return [] }
    let checked = try checkedBesideReady(writes + refusedDrafts(needing: writes))
    try? journal.note(checked)
    return checked
  }

  /// Asks again about drafts that were refused before and need others, once any others were decided: what they need may be among these.
  /// What the store says is kept.
  package func checkRefusedAgain() throws -> [CheckedWrite] {
    let refused = try readyDrafts(of: journal.refusedRecords(limit: FamilyChecks.most))
    return try checkDecided(refused.filter { try !recordsNeeded(by: $0).isEmpty })
  }

  private func checkedBesideReady(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    let alone = try check(writes)
    let refused = zip(writes, alone).filter { $1.outcome.refusal != nil }.map(\.0)
    let needed = try readyDrafts(neededBy: refused, besides: writes).drafts
    return needed.isEmpty ? alone : try check(writes + needed)
  }

  private func refusedDrafts(needing writes: [PlannedWrite]) throws -> [PlannedWrite] {
    let asked = RecordNames(writes.map(\.seen.id))
    let refused = try journal.refusedRecords(limit: FamilyChecks.most).filter { !asked.contains($0) }
    let drafts = try readyDrafts(of: refused)
    let needed = try readyDrafts(neededBy: drafts, besides: drafts)
    return drafts.filter { needed.leads(from: $0.seen.id, to: asked) }
  }

  /// Also what these need in turn: a parent that comes back may need its own. They are read for all together, one generation at a time.
  private func readyDrafts(
    neededBy writes: [PlannedWrite], besides known: [PlannedWrite]
  ) throws -> NeededDrafts {
    var (needed, next) = (NeededDrafts(besides: known), writes)
    while !next.isEmpty {
      let names = try next.flatMap { needed.add(try recordsNeeded(by: $0), neededBy: $0.seen.id) }
      next = try readyDrafts(of: names)
      needed.drafts += next
    }
    return needed
  }

  private func readyDrafts(of names: [String]) throws -> [PlannedWrite] {
    try names.inBatches(of: 200).flatMap { page in
      try journal.decided(conflicts(page)).compactMap(\.readyWrite)
    }
  }
}

private enum FamilyChecks {
  /// Of drafts that were refused before those are asked about again that were refused last.
  static let most = 50
}

/// The ready drafts that others need.
private struct NeededDrafts {
  var drafts: [PlannedWrite] = []
  private var met: RecordNames
  /// What each draft needs, also where that is not ready, or known already.
  private var names: ByRecord<[String]> = [:]

  init(besides known: [PlannedWrite]) { met = RecordNames(known.map(\.seen.id)) }

  /// - Returns: those that are met for the first time.
  mutating func add(_ needed: [String], neededBy id: String) -> [String] {
    names[id] = needed
    return needed.filter { met.insert($0).inserted }
  }

  /// Whether a draft needs one of these records, by itself or by ready drafts that it needs.
  func leads(from id: String, to records: RecordNames) -> Bool {
    var (passed, next): (RecordNames, [String]) = ([id], names[id] ?? [])
    while let name = next.popLast() {
      guard passed.insert(name).inserted, let further = names[name] else { continue }
      if records.contains(name) { return true }
      next += further
    }
    return false
  }
}

extension DecidedConflict {
  /// nil where it is not ready, or can be written nowhere.
  package var readyWrite: PlannedWrite? {
    guard isDecided, conflict.details.notWritable == nil, let draft else { return nil }
    return PlannedWrite(seen: conflict, draft: draft)
  }
}
