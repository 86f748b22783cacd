extension ConflictSummary {
  /// The summary of `conflict` with the decisions taken so far.
  public init(_ conflict: RecordConflict, resolution: Resolution) {
    let undecided = conflict.undecided(in: resolution)
    id = conflict.id
    table = conflict.table
    primaryKey = conflict.primaryKey
    title = conflict.title
    kind = conflict.kind
    counts = Counts(conflict)
    certainty = conflict.certainty(of: undecided) ?? conflict.certainty
    why = conflict.why(undecided: undecided)
    receivedAt = conflict.details.receivedAt
    (lastEdit, lastEditTime) = conflict.lastEdit
    self.undecided = undecided.count
    notWritable = conflict.details.notWritable
  }
}

extension ConflictSummary.Counts {
  public init(_ conflict: RecordConflict) {
    if conflict.isWhole { yours = 1 }
    for field in conflict.fields where field.needsDecision && !conflict.isWhole {
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
  /// The weakest certainty of `subjects`; nil if there is none.
  public func certainty(of subjects: [Subject]) -> Certainty? {
    subjects.compactMap { subject in
      switch subject {
      case .record: .yours
      case .field(let name): self[name]?.suggestion.certainty
      }
    }.min()
  }

  /// Which side's edit is the last, and when.
  public var lastEdit: (Side?, Int64?) {
    let client = newestTime(.client)
    let server = newestTime(.server)
    guard client != nil || server != nil else { return (nil, nil) }
    if client == server { return (nil, client) }
    return (client ?? .min) > (server ?? .min) ? (.client, client) : (.server, server)
  }

  private func newestTime(_ side: Side) -> Int64? {
    if case .deleted(let time) = version(side) { return time }
    return fields.filter { $0.change != .unchanged }.compactMap { $0.version(side)?.time }.max()
  }

  fileprivate func why(undecided: [Subject]) -> String {
    if undecided.isEmpty { return "decided by you" }
    if let reason = wholeReason { return reason.description }
    let weakest = certainty(of: undecided)
    let names = undecided.compactMap { subject -> FieldConflict? in
      if case .field(let name) = subject { self[name] } else { nil }
    }.filter { $0.suggestion.certainty == weakest }
    guard let first = names.first else { return "tag only" }
    return names.count == 1
      ? "\(first.name): \(first.suggestion.reason)"
      : "\(names.count) fields, \(first.suggestion.reason.short)"
  }
}

extension Reason {
  /// The same for several fields at once, so without a length of time.
  fileprivate var short: String {
    switch self {
    case .newer(let side, _): "\(side.rawValue) newer"
    case .onlyChanged, .agree: "no clash"
    default: description
    }
  }
}
