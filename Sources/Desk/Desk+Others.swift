import Merging
import StoreInterface
import Telling

/// Another Parley may have the same store open. What it decided is in the journal, which alone says what is in force: it is
/// taken over before the next key can decide or write, and told.
extension DeskState {
  mutating func takeOver(_ decisions: [Decision], inForce: [Decision]) -> [DeskEffect] {
    let known = decisions.filter { open[$0.id] != nil || list.summary($0.id) != nil }
    othersDecided += known
    let ids = known.map(\.id).unique
    for record in ids.compactMap({ open[$0] }) { takeOver(inForce, for: record) }
    let unread = ids.filter { open[$0] == nil }
    // Many are found faster by walking through the store again.
    let effects = unread.count > 20 ? readAgain() : unread.map { .open(id: $0) }
    let isShown = !Set(reviewed).isDisjoint(with: ids)
    return effects + (isShown ? readReviewAgain(reviewed) : [])
  }

  private mutating func takeOver(_ inForce: [Decision], for record: OpenConflict) {
    let resolution = record.conflict.resolution(from: inForce)
    history.forget(resolution.difference(from: record.resolution), of: record.conflict.id)
    put(record.deciding(resolution))
    unwritten[record.conflict.id] = nil
  }

  /// After the key, so that it is told whose decision holds now.
  mutating func tellOfOthers() {
    guard let last = othersDecided.last else { return }
    let words = othersDecided.count == 1 ? words(of: last) : words(ofMany: othersDecided)
    status = .told([words, status?.text].compactMap(\.self).joined(separator: " "))
    othersDecided = []
  }

  private func words(of decision: Decision) -> String {
    let subject = "\(privacy.words(decision.subject)) of \(shownTitle(of: decision.id))"
    let choice = decision.choice?.words ?? "open again"
    let isOverruled = open[decision.id].map { $0.resolution[decision.subject] != decision.choice } ?? false
    return isOverruled
      ? "Another Parley had decided \(subject): \(choice). Yours is newer."
      : "Another Parley decided \(subject) meanwhile: \(choice)."
  }

  private func words(ofMany decisions: [Decision]) -> String {
    let records = decisions.map(\.id).unique
    let places = records.count == 1 ? shownTitle(of: records[0]) : "\(records.count) records"
    return "Another Parley took \(decisions.count) decisions on \(places) meanwhile. They are shown now."
  }

  /// What a store says about a record by its name.
  func shown(_ words: String, naming id: String) -> String {
    words.split(separator: id, omittingEmptySubsequences: false).joined(separator: privacy.shown(id))
  }

  func shownTitle(of id: String) -> String {
    privacy.shown(list.summary(id)?.title ?? open[id]?.conflict.title ?? id)
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of first appearance.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
