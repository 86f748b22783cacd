import Merging

extension ConflictSummary {
  /// The summary of `conflict` with the decisions taken so far.
  package init(_ conflict: RecordConflict, resolution: Resolution) {
    let undecided = conflict.undecided(in: resolution)
    id = conflict.id
    table = conflict.table
    primaryKey = conflict.primaryKey
    title = conflict.title
    kind = conflict.kind
    counts = Counts(conflict)
    certainty = conflict.certainty(of: undecided) ?? conflict.certainty
    isByPolicy = conflict.isByPolicy(undecided.isEmpty ? conflict.subjects : undecided)
    why = conflict.why(undecided: undecided)
    receivedAt = conflict.details.receivedAt
    (lastEdit, lastEditTime) = conflict.lastEdit
    self.undecided = undecided.count
    notWritable = conflict.details.notWritable
    waitingSince = conflict.details.waitingSince
    leafCount = conflict.liveLeaves.count
  }
}

extension ConflictSummary {
  /// The summary of `conflict` with all decisions that the journal has of it.
  package init(_ conflict: RecordConflict, decisions: [Decision]) {
    let judged = conflict.judged(decisions)
    self.init(conflict, resolution: judged.resolution)
    outdated = judged.outdated.count
    isMoved = undecided > 0 && (judged.isMoved || outdated > 0)
  }
}

extension DecisionJournal {
  /// The summaries with the decisions in force, which are loaded for these records only.
  package func summaries(of conflicts: [RecordConflict]) throws -> [ConflictSummary] {
    let decisions = Dictionary(grouping: try decisions(for: conflicts.map(\.id)), by: \.id)
    return conflicts.map { ConflictSummary($0, decisions: decisions[$0.id] ?? []) }
  }
}

extension ConflictSummary.Counts {
  package init(_ conflict: RecordConflict) {
    guard !conflict.isWhole else {
      yours = conflict.subjects.count
      return
    }
    for field in conflict.fields where field.needsDecision {
      if field.suggestion.isByPolicy { byPolicy += 1 }
      switch field.suggestion.certainty {
      case .sure?: sure += 1
      case .byClock?: byClock += 1
      case .yours?: yours += 1
      case nil: break
      }
    }
  }
}

extension RecordConflict {
  /// Whether all of `subjects` are sure, and a policy has made some of them so.
  fileprivate func isByPolicy(_ subjects: [Subject]) -> Bool {
    certainty(of: subjects) == .sure
      && fields.contains { subjects.contains(.field($0.name)) && $0.suggestion.isByPolicy }
  }

  /// Which side's edit is the last, and when.
  package var lastEdit: (Side?, Int64?) {
    switch (newestTime(.client), newestTime(.server)) {
    case (nil, nil): (nil, nil)
    case (let client?, nil): (.client, client)
    case (nil, let server?): (.server, server)
    case (let client?, let server?):
      client == server ? (nil, client) : client > server ? (.client, client) : (.server, server)
    }
  }

  private func newestTime(_ side: Side) -> Int64? {
    if case .deleted(let time) = version(side) { return time }
    return fields.filter { $0.change != .unchanged }.compactMap { $0.version(side)?.time }.max()
  }

  fileprivate func why(undecided: [Subject]) -> ConflictSummary.Why {
    if details.waitingSince != nil { return .waiting }
    if subjects.isEmpty { return wholeReason.map { .record($0) } ?? .tagOnly }
    if undecided.isEmpty { return .decided }
    if let reason = wholeReason { return .record(reason) }
    let weakest = weakest(of: undecided)
    if let field = weakest.first, weakest.count == 1 { return .field(field.name, field.suggestion.reason) }
    return .fields(
      weakest.map(\.suggestion.reason), weakest.first?.suggestion.certainty,
      byPolicy: weakest.count(where: \.suggestion.isByPolicy))
  }

  private func weakest(of subjects: [Subject]) -> [FieldConflict] {
    let weakest = certainty(of: subjects)
    return fields.filter { subjects.contains(.field($0.name)) && $0.suggestion.certainty == weakest }
  }
}
