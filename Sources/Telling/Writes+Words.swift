import Merging
import StoreInterface

extension JournalEntry {
  /// "title: server taken", "written: Buy milk", "interrupted undo, left alone: Buy milk: somebody else changed it since"
  package var text: String { text(.open) }

  /// - Parameter inLines: whether a text has its line breaks, for who shows lines, and not their signs.
  package func text(_ privacy: Privacy, inLines: Bool = false) -> String {
    switch event {
    case .decided(let decision): decision.words(privacy, answer: answer, inLines: inLines)
    case .refused(let refusal): "the store refused the draft: \(privacy.words(refusal))"
    case .ended(let act, let outcome, let detail):
      words(outcome.map { "interrupted \(act.rawValue), \($0.ending)" } ?? act.done, detail, privacy)
    case .notDone(let act, let detail): words("not \(act.done)", detail, privacy)
    }
  }

  /// What became of it later: ", taken back since"; empty where nothing is known of that.
  package var since: String {
    isUndone ? ", taken back since" : isOvertaken ? ", no longer holds: the store has changed" : ""
  }

  private func words(_ ending: String, _ detail: String?, _ privacy: Privacy) -> String {
    let told = detail.map { OwnDetail(rawValue: $0)?.rawValue ?? privacy.shown($0) }
    return [ending, title.map(privacy.shown), told].compactMap(\.self).joined(separator: ": ")
  }
}

extension StoreInfo {
  /// What becomes of decisions when their write is taken back. A leaf that comes back to a document has another id, and what was decided
  /// about many of them was about those. In one line: what the write did stands above it.
  package var staysDecided: String {
    can.contains(.tellTrees)
      ? "What was decided stays so where it fits the leaves still: the list tells."
      : "What was decided about what is there again stays decided."
  }
}

extension WrittenChanges {
  /// What taking the write back does beside setting fields back: "deletes milk-copy-2-aa, which the write made".
  package func takingBack(_ words: StoreInfo.Words, _ privacy: Privacy) -> [String] {
    if let unknown { return [unknown] }
    return newRecords.map { "deletes \(privacy.shown($0)), which the write made" }
      + (fields.isEmpty
        ? [words.nothingBack + (isBesideToo ? ", only what was changed beside the record" : "")] : [])
  }

  /// What was done beside setting fields: "made milk-copy-2-aa"; or that nobody knows what was done.
  package func done(_ privacy: Privacy) -> [String] {
    [unknown].compactMap(\.self) + newRecords.map { "made \(privacy.shown($0))" }
      + deletedRecords.map { "deleted \(privacy.shown($0))" }
  }

  private var unknown: String? {
    damage.map {
      "what it changed cannot be told: what the journal holds of it is not what was written there (\($0))"
    }
  }
}

extension JournalEntry.Act {
  /// "a write", "an undo", "an import"
  package var withArticle: String { (self == .write ? "a " : "an ") + rawValue }

  fileprivate var done: String {
    switch self {
    case .write: "written"
    case .undo: "taken back"
    case .import: "imported"
    }
  }
}

extension FinishedWrite.Record {
  /// "completed: 12:reminders  Buy milk"
  package var words: String {
    "\(outcome.ending): \(id)" + (title == id ? "" : "  \(title)") + (detail.map { ": \($0)" } ?? "")
  }
}

extension FinishedWrite.Outcome {
  fileprivate var ending: String {
    switch self {
    case .completed: "completed"
    case .rolledBack: "rolled back"
    case .left: "left alone"
    }
  }
}

extension InterruptedWrite {
  /// "A write was interrupted: of its 3 records 2 are half written, 1 is untouched."
  package var words: String {
    let states = State.allCases.map { state in (records.count { $0.state == state }, state.words) }
    return "\(act.withArticle) was interrupted: \(counted(states, of: records.count)).".capitalizedFirst
  }
}

extension FinishedWrite {
  /// Where others of its records are not finished yet: "Of an interrupted write 2 are completed."
  package var partWords: String { "Of an interrupted \(act.rawValue) \(listed(outcomes))." }

  /// "An interrupted write is finished: of its 3 records 2 are completed, 1 is left alone."
  package var words: String {
    "An interrupted \(act.rawValue) is finished: \(counted(outcomes, of: records.count))."
  }

  private var outcomes: [(count: Int, words: String)] {
    Outcome.allCases.map { outcome in (records.count { $0.outcome == outcome }, outcome.words) }
  }
}

private func counted(_ counts: [(count: Int, words: String)], of all: Int) -> String {
  "of its \(all) record\(all == 1 ? "" : "s") " + listed(counts)
}

private func listed(_ counts: [(count: Int, words: String)]) -> String {
  counts.filter { $0.count > 0 }.map { "\($0.count) \($0.count == 1 ? "is" : "are") \($0.words)" }
    .joined(separator: ", ")
}

extension InterruptedWrite.State {
  /// As in "2 are half written".
  package var words: String {
    switch self {
    case .complete: "complete, but without a receipt"
    case .half: "half written"
    case .untouched: "untouched"
    case .awaited: "untouched so far, and may still be written by a request on its way"
    case .changedSince: "changed since by somebody else"
    case .unread: "in a state that cannot be read now"
    case .notKnown: "in a state that cannot be known"
    }
  }
}

extension FinishedWrite.Outcome {
  fileprivate var words: String {
    switch self {
    case .completed: "completed"
    // Untouched, or set back, or written by a later write.
    case .rolledBack: "not changed by it"
    case .left: "left alone"
    }
  }
}

extension CheckedWrite {
  /// What a record is called in a line: for scripts its id, for ears its title.
  package enum Naming { case id, title }

  /// What became of the record, and the way out.
  ///
  /// - Parameters:
  ///   - fine: the word for success; nil if success needs none.
  ///   - isDecidable: whether another decision could be written; a refusal ends with that then.
  ///   - isRehearsal: whether nothing is done, and of what is left alone nothing would be.
  package func words(
    _ act: Act = .write, fine: String?, isDecidable: Bool = true, isRehearsal: Bool = false,
    naming: Naming = .id
  ) -> String? {
    let (name, done) = (name(naming), act.rawValue)
    let not = (isRehearsal ? "would be " : "was ") + done
    switch outcome {
    case .fine: return fine.map { naming == .id ? "\($0): \(id)  \(title)" : "\(title): \($0)." }
    case .moved(let detail):
      return act == .write
        ? StoreError.moved(record: name, detail: detail).words
        : "\(name) moved since: \(detail.asClause). Nothing of it \(not)."
    case .refused(let field, let detail):
      return StoreError.refusal(record: name, field: field, detail: detail, not)
        + (act == .write && isDecidable ? "; decide it otherwise." : ".")
    case .partly(let part, let detail):
      return "\(name) is \(done) in part: \(part). The rest is not: \(detail.asClause). Look at it again."
    case .notKnown(let detail):
      return "It is not known whether \(name) is \(done): \(detail.asClause). Look at it again."
    case .notReached(let detail):
      return "\(name) was not reached: \(detail.asClause). Nothing of it \(not); do it again."
    }
  }

  /// What was tried; the raw value is what became of it then.
  package enum Act: String {
    case write = "written"
    case undo = "taken back"
    case mend = "mended"
  }

  /// What else is to be known of it; nil where nothing is, or nothing is written.
  package func noted(naming: Naming = .id) -> String? {
    outcome.mayBeWritten ? note.map { "\(name(naming)): \($0)." } : nil
  }

  private func name(_ naming: Naming) -> String {
    switch naming {
    case .id: id
    case .title: title
    }
  }
}

extension Collection<CheckedWrite> {
  /// What became of each, line by line. What a write did not get to is told in one line for each reason, as there may be thousands; at the
  /// end, where not all went well, how many did.
  ///
  /// - Parameters:
  ///   - fine: the word for success; nil where success is not told, nor how many.
  ///   - isDecidable: whether another decision about it could be written.
  package func tell(
    _ act: CheckedWrite.Act = .write, fine: String?, isDecidable: (CheckedWrite) -> Bool,
    naming: CheckedWrite.Naming = .id,
    by print: (String) throws -> Void
  ) rethrows {
    let unreached = Dictionary(lazy.compactMap { $0.outcome.unreached.map { ($0, 1) } }, uniquingKeysWith: +)
    for checked in self where checked.outcome.unreached.map({ unreached[$0] == 1 }) ?? true {
      let words = checked.words(act, fine: fine, isDecidable: isDecidable(checked), naming: naming)
      for line in [words, checked.noted(naming: naming)].compactMap(\.self) { try print(line) }
    }
    for (detail, count) in unreached.sorted(by: { $0.key < $1.key }) where count > 1 {
      try print(
        "\(count) were not reached: \(detail.asClause). Nothing of them was \(act.rawValue); do it again.")
    }
    guard let fine else { return }
    let done = count { $0.outcome == .fine }
    if done < count { try print("\(done) of \(count) \(fine).") }
  }
}

extension Collection<CheckedWrite> {
  /// How many drafts are written by what is told: "3 drafts", or "2 of 3 drafts" where one would be refused, or has moved.
  package var countOfDrafts: String {
    let fine = count { $0.outcome == .fine }
    let all = count == 1 ? "1 draft" : "\(count) drafts"
    return fine == count ? all : "\(fine) of \(all)"
  }
}

extension CheckedWrite.Outcome {
  /// Why it was not reached; nil unless that is what became of it.
  fileprivate var unreached: String? { if case .notReached(let detail) = self { detail } else { nil } }

  /// As OUTPUT.md lists them.
  package func word(fine: String) -> String {
    switch self {
    case .fine: fine
    case .moved: "moved"
    case .refused: "refused"
    case .partly: "partly"
    case .notKnown: "notKnown"
    case .notReached: "notReached"
    }
  }
}

extension CheckedWrite {
  /// What becomes of it on the server; nil as well where it is not written.
  package var foreseen: UploadForecast? { outcome == .fine ? upload : nil }
}

extension UploadForecast {
  /// Of a record that is to be written, or was.
  package var words: String {
    switch self {
    case .atNextLaunch: "uploaded at the app's next launch"
    case .byTheApp: "uploaded once the app has applied the draft"
    case .notNeeded: "not uploaded: the server already has it"
    }
  }
}

extension LastWrite.FieldChange {
  /// What its values tell of the kind of its field: where one of them is a number, the other one may be a text that reads like one. Neither
  /// the column's type nor a third version is kept, so that of NULL, or of two texts, nothing is told.
  package var kind: Field.Kind {
    [before, after].contains { $0?.canBeTakenForText == true } ? .any : .text
  }
}

extension Value {
  /// Whether it reads like a text that says the same: a number, or a part of a document.
  package var canBeTakenForText: Bool {
    switch self {
    case .integer, .real: true
    case .opaque: self != .missing
    case .null, .text, .blob: false
    }
  }
}
