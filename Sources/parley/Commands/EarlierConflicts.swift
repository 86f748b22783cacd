import Merging
import StoreInterface

/// The earlier conflicts that wait of records whose later one is ready, or waits: by the records' names, as one may be tried more
/// than once.
struct EarlierConflicts {
  /// What is listed once the later one is written, unless that settles both.
  private var unwritten = RecordNames()
  /// The same once the app has applied it.
  private var waiting = RecordNames()
  /// What is listed by now, and nothing that could be written.
  private var listed = RecordNames()
  /// What is listed by now, and ready, as it was decided before.
  private var ready = RecordNames()
  /// What could not be read once the later one was written.
  private var unread = RecordNames()

  private var names: RecordNames { [waiting, listed, ready, unread].reduce(unwritten) { $0.union($1) } }
  var isEmpty: Bool { names.isEmpty }

  /// - Parameter conflict: one that is ready, or waits.
  mutating func insert(_ conflict: RecordConflict) {
    guard conflict.details.hasEarlier else { return }
    if conflict.details.waitingSince == nil {
      unwritten.insert(conflict.id)
    } else {
      waiting.insert(conflict.id)
    }
  }

  mutating func formUnion(_ other: EarlierConflicts) {
    unwritten.formUnion(other.unwritten)
    waiting.formUnion(other.waiting)
    listed.formUnion(other.listed)
    ready.formUnion(other.ready)
    unread.formUnion(other.unread)
  }

  /// What is written may have settled an earlier conflict, too, or waits to be applied, and then that one is not listed yet: so the store is
  /// asked.
  mutating func lookAgain(in store: any ConflictStore) {
    let names = names
    if names.isEmpty { return }
    self = EarlierConflicts()
    guard let found = try? store.journal.decided(store.conflicts(Array(names))) else {
      unread = names
      return
    }
    for decided in found {
      insert(decided.conflict)
      if !decided.conflict.details.hasEarlier { insert(listed: decided) }
    }
  }

  private mutating func insert(listed decided: DecidedConflict) {
    if decided.draft != nil {
      ready.insert(decided.conflict.id)
    } else if decided.conflict.details.waitingSince == nil {
      listed.insert(decided.conflict.id)
    }
  }

  /// A sentence for each of these that there are.
  var words: [String] {
    [
      sentence(listed, "is left to decide: it is listed now"),
      sentence(ready, "is decided, and not written: it is listed now, for the next write"),
      sentence(waiting, "waits, too: it may be listed once the app has applied this one"),
      sentence(unwritten, "waits, too: it may be listed once this one is written"),
      sentence(unread, "waited, too: parley list tells whether it still does"),
    ].compactMap(\.self)
  }

  private func sentence(_ names: RecordNames, _ words: String) -> String? {
    if names.isEmpty { return nil }
    return "Of \(names.count == 1 ? "1 record" : "\(names.count) records") an earlier conflict \(words)."
  }
}
