import Merging
import StoreInterface
import Telling

/// Another Parley may have the same store open. What it decided is in the journal, which alone says what is in force: it is
/// taken over before the next key can decide or write, and told.
extension DeskState {
  mutating func takeOver(_ decisions: [Decision], inForce: [Decision]) -> [DeskEffect] {
    let known = decisions.filter { open[$0.id] != nil || list.summary($0.id) != nil }
    othersDecided += known
    beginAct()
    let ids = known.map(\.id).unique
    for record in ids.compactMap({ open[$0] }) { takeOver(inForce, for: record) }
    if ids.isEmpty { return [] }
    // What was not ready may be so now.
    return readAgain(ids.filter { open[$0] == nil })
      + readReviewAgain((reviewed + movedInReview + ids).unique)
      + bulkChanged(tells: false)
      + tallyAgain()
  }

  private mutating func takeOver(_ inForce: [Decision], for record: DecidedConflict) {
    let resolution = record.conflict.resolution(from: inForce)
    let overruled = resolution.difference(from: record.resolution)
    // What this desk said of its own decision is no longer so.
    if history.lastAct?.isOf(overruled, of: record.conflict.id) == true { status = nil }
    history.forget(overruled, of: record.conflict.id)
    put(record.deciding(resolution))
    if resolution != record.resolution { forgetRefusal(of: record.conflict.id) }
  }

  /// Between two keys: behind what the last one did.
  mutating func heard() -> [DeskEffect] {
    endFailure(\.failureOfHearing)
    guard let words = wordsOfOthers else { return [] }
    // What was heard before is older news.
    if let told = toldOfOthers, told.status == status { status = told.before }
    let before = status
    let said = DeskState.withoutChange(before?.text ?? "")
    // The next change takes the place of what stands behind this one's words.
    let change = String(before?.text.dropFirst(said.count) ?? "")
    tellOfOthers([said.beforeMore + words, change].filter { !$0.isEmpty }.joined(separator: " "))
    toldOfOthers = ToldOfOthers(before: before, status: status)
    return []
  }

  /// After the key, so that it is told whose decision holds now: before what the key did, as it was decided before that.
  mutating func tellOfOthers() {
    guard let words = wordsOfOthers else { return }
    tellOfOthers([words, status?.text].compactMap(\.self).joined(separator: " "))
  }

  private mutating func tellOfOthers(_ words: String) {
    status = Status(text: words, isFailure: status?.isFailure ?? false)
    othersDecided = []
  }

  /// nil where they decided nothing that is not told yet.
  private var wordsOfOthers: String? {
    othersDecided.last.map { othersDecided.count == 1 ? words(of: $0) : words(ofMany: othersDecided) }
  }

  private func words(of decision: Decision) -> String {
    let subject = "\(privacy.words(decision.subject)) of \(shownTitle(of: decision.id))"
    let isOverruled = open[decision.id].map { $0.resolution[decision.subject] != decision.choice } ?? false
    let conflict = open[decision.id]?.conflict
    let words = decision.choice.map { privacy.words($0, about: decision.subject, of: conflict) }
    guard let choice = words else {
      return isOverruled
        ? "Another Parley had taken back its decision on \(subject). Yours is newer."
        : "Another Parley took back the decision on \(subject) meanwhile: open again."
    }
    return isOverruled
      ? "Another Parley had decided \(subject): \(choice). Yours is newer."
      : "Another Parley decided \(subject) meanwhile: \(choice)."
  }

  private func words(ofMany decisions: [Decision]) -> String {
    let records = decisions.map(\.id).unique
    let places = records.count == 1 ? shownTitle(of: records[0]) : "\(records.count) records"
    let back = decisions.count { $0.choice == nil }
    let taken = decisions.count - back
    let what = [
      taken == 0 ? nil : "took \(taken) decision\(taken == 1 ? "" : "s")",
      back == 0 ? nil : "took \(back) back",
    ].compactMap(\.self).joined(separator: " and ")
    return "Another Parley \(what) on \(places) meanwhile."
  }
}
