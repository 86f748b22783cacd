import StoreInterface

/// Which of the records that were taken back a write would write again, by what is still decided about them.
struct StayingDecisions {
  private(set) var ready: RecordNames = []
  /// Those of which nobody knows, as they could not be read again.
  private(set) var unknown: RecordNames = []
  /// Why not; nil where all could be.
  private(set) var reason: String?

  /// nil where nobody knows.
  func stays(of id: String) -> Bool? { ready.contains(id) ? true : unknown.contains(id) ? nil : false }

  /// A store that could not be read is not asked again: a server that is silent is waited for each time.
  mutating func look(at undone: [String], in store: any ConflictStore) {
    if reason != nil { return unknown.formUnion(undone) }
    var asked = undone
    do {
      let decisions = try store.journal.decisions(for: undone).standing
      let decided = RecordNames(decisions.map(\.id))
      asked = undone.filter(decided.contains)
      // A leaf that came back has another id, and a decision about the whole record was about that.
      try store.forEachConflict(asked) { if $0.draft != nil { ready.insert($0.conflict.id) } }
    } catch {
      unknown.formUnion(asked)
      reason = wordsOfAny(error)
    }
  }
}
