import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling

/// `D`: what `parley log --given-up any` tells, newest first.
extension LinearDesk {
  private static let most = 100

  func sayGivenUp() throws {
    let all = try store.journal.givenUp().withoutWritten
    if all.isEmpty { return try tell(GivenUp.none()) }
    let entries = naming(try store.namingAnswers(Array(all.prefix(Self.most))))
    let titles = store.titles(of: entries)
    for entry in entries {
      try tell(heading(entry, titles[entry.record]))
      try tell(lost(entry))
    }
    if all.count > Self.most {
      let log = text.filling("parley log PATH --given-up any")
      try tell("\(all.count - Self.most) older acts gave something up, too. \(log) tells all.")
    }
  }

  /// A record that was decided as a whole by the answer that did it, where it can be read: the id of a leaf tells an ear nothing.
  private func naming(_ entries: [JournalEntry]) -> [JournalEntry] {
    let wholes = entries.filter { $0.whole != nil }.map(\.record).unique
    guard !wholes.isEmpty, let conflicts = try? store.conflicts(wholes) else { return entries }
    let known = Dictionary(conflicts.map { (JSONText($0.id), $0) }) { first, _ in first }
    return entries.map { entry in
      var named = entry
      named.answer = entry.answer ?? answer(entry, in: known[JSONText(entry.record)])
      return named
    }
  }

  /// nil where its leaves, which are told by their numbers, are others by now.
  private func answer(_ entry: JournalEntry, in conflict: RecordConflict?) -> String? {
    guard let whole = entry.whole, let conflict else { return nil }
    var fingerprints = Fingerprints(conflict)
    guard fingerprints.fit(whole.fingerprint, .record) else { return nil }
    return whole.choice.map { text.words(whole: $0, of: conflict) }
  }

  private func heading(_ entry: JournalEntry, _ title: String?) -> String {
    let named = entry.title == nil ? title.map { "\($0): " } : nil
    return "\(text.time.long(entry.time)). \(named ?? "")\(entry.text(.open))".ended
  }

  private func lost(_ entry: JournalEntry) -> [String] {
    entry.givenUpWords(
      .open, whole: text.allGivenUp, name: { LinearText.name($0) },
      words: { [text] in text.lost($0, text.unseenEnds($0)) }
    ).map { $0.capitalizedFirst.ended }
  }
}

extension LinearText {
  /// What lists more of a field than is said.
  var allGivenUp: String { filling("parley log PATH --given-up any --json lists") }
}

extension JournalEntry {
  /// The decision about a record as a whole that has no name yet.
  fileprivate var whole: Decision? {
    guard answer == nil, case .decided(let decision) = event, decision.subject == .record else { return nil }
    return decision
  }
}
