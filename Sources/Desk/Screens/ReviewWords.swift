import Merging
import Telling
import Terminal

/// What the review says of a record.
struct ReviewWords {
  let state: DeskState
  let page: ReviewPage

  init(_ state: DeskState, _ page: ReviewPage) {
    self.state = state
    self.page = page
  }

  static let nothingToTakeBack =
    "None of these can be taken back. parley undo --skip goes past a write of which nothing is left."

  static func sign(_ fate: Fate) -> Run {
    switch fate {
    case .unchecked: Run(" ")
    case .toWrite, .written: Run("✓", .ready)
    case .moved: Run("↻", .needs.bold)
    case .refused: Run("✗", .failed.bold)
    case .partly: Run("½", .failed.bold)
    case .notKnown: Run("?", .failed.bold)
    case .notReached: Run("·", .needs.bold)
    case .leftOut: Run("–", .dim)
    }
  }

  /// What becomes, or became, of a draft; a line each.
  func lines(_ fate: Fate, _ draft: ReviewedDraft) -> [[Run]] {
    switch fate {
    case .written: return [[Run(written(draft), .ready)]]
    case .moved where page.stage == .done:
      return [line(fate), [Run("it is in the list again with its new difference", .dim)]]
    case .leftOut where page.isOpen: return [line(fate) + [Run("   Space takes it in again", .dim)]]
    case .partly, .notKnown: return [line(fate), [Run("it is read again: look at it in the list", .dim)]]
    case .unchecked, .toWrite, .moved, .refused, .notReached, .leftOut: return [line(fate)]
    }
  }

  /// The same of any record that something was done to.
  func line(_ fate: Fate) -> [Run] {
    switch fate {
    case .unchecked, .toWrite: []
    case .written: [Run(done, .ready)]
    case .moved(let what): [Run(notDone + "it moved: " + shown(what), .needs.bold)]
    case .refused(let field, let why):
      [Run(notDone + (field.map { "\(state.privacy.name($0)): " } ?? "") + shown(why), .failed.bold)]
    case .partly(let part, let why):
      [Run("\(done) in part: \(shown(part)); not the rest: \(shown(why))", .failed.bold)]
    case .notKnown(let why): [Run("not known whether \(done): " + shown(why), .failed.bold)]
    case .notReached(let why): [Run(notDone + "not reached: " + shown(why), .needs.bold)]
    case .leftOut: [Run("left out by you", .dim)]
    }
  }

  /// A store's reason may hold values.
  private func shown(_ words: String) -> String { state.privacy.shown(words) }

  private var done: String {
    switch page.action {
    case .write: state.store.can.contains(.leaveToApp) ? "waits for the app" : "written"
    case .undo: "restored"
    case .mend: "mended"
    }
  }

  private var notDone: String {
    guard page.stage == .done else { return "" }
    switch page.action {
    case .write: return "not written: "
    case .undo: return "left alone: "
    case .mend: return "not mended: "
    }
  }

  private func written(_ draft: ReviewedDraft) -> String {
    if let alternative = draft.alternative { return "\(done): \(alternative.words)" }
    if draft.record.conflict.isWhole { return "\(done): \(ReviewWords.whole(draft).after)" }
    let count = draft.changedFields
    if count > 0 { return "\(done), \(count == 1 ? "1 field" : "\(count) fields")" }
    return done + ", " + state.store.words.nothingElse
  }

  /// What is there now of a record that is decided as a whole, and what will be.
  static func whole(_ draft: ReviewedDraft) -> (now: String, after: String) {
    let conflict = draft.record.conflict
    if conflict.details.rowIsBack {
      return ("put back by the app", draft.draft.action == .delete ? "deleted" : "kept")
    }
    return switch (draft.draft.action, conflict.hasRow) {
    case (.alternative(let id), _): ("there, as edited", id)
    case (.save, true): ("there, as edited", "kept, as edited")
    case (.delete, true): ("there, as edited", "deleted")
    case (.save, false): ("deleted", "there again")
    case (.delete, false): ("deleted", "stays deleted")
    }
  }

  /// Where a value of the draft comes from.
  static func origin(_ field: FieldDraft, _ shown: ShownRecord) -> String {
    switch field.source {
    case nil: ""
    case .server? where shown.leafCount > 2: "leaf 2"
    case .merged?: shown.leaf(having: field.value, in: field.name).map { "leaf \($0)" } ?? "merged"
    case let source?: source.rawValue
    }
  }
}

/// The numbers in the title.
extension ReviewWords {
  /// "8 drafts: 6 to write, 1 refused, 1 left out"; afterwards "Written 5 of 6   1 moved meanwhile   1 refused, 1 left out".
  var title: [Run] {
    switch page.stage {
    case .done: doneTitle
    case .reading: [Run(name + "   ", .text.bold), Run("reading...", .dim)]
    case .checking:
      [
        Run(name + "   ", .text.bold),
        Run((page.action == .write ? drafts + ", " : "") + "checking\(progress)...", .dim),
      ]
    case .writing: [Run(name + "   ", .text.bold), Run("one moment\(progress)...", .dim)]
    case .ready: [Run(name, .text.bold)] + (page.action == .write ? [Run("   " + drafts + counts)] : [])
    }
  }

  /// " 12 of 40"; of one record there is nothing to count.
  private var progress: String {
    page.progress.map { $0.all > 1 ? ", \($0.done) of \($0.all)" : "" } ?? ""
  }

  private var name: String {
    switch page.action {
    case .write: "Review"
    case .undo: "Take back the last write"
    case .mend: "Mend 1 finding"
    }
  }

  private var drafts: String { page.drafts.count == 1 ? "1 draft" : "\(page.drafts.count) drafts" }

  private var counts: String {
    let words = words([
      (.fine, "to write"), (.partly, "in part"), (.notKnown, "not known"), (.refused, "refused"),
      (.moved, "moved"), (.notReached, "not reached"), (.leftOut, "left out"), (.unchecked, "not checked"),
    ])
    return words.isEmpty ? "" : ": " + words
  }

  private func words(_ kinds: [(Fate.Rank, String)]) -> String {
    kinds.compactMap { rank, words in
      let count = count(rank)
      return count == 0 ? nil : "\(count) \(words)"
    }.joined(separator: ", ")
  }

  private func count(_ rank: Fate.Rank) -> Int {
    let ids = page.action == .write ? page.drafts.map(\.id) : page.results.map(\.id)
    return state.fates(page).count(rank, of: ids)
  }

  private var doneTitle: [Run] {
    let fine = count(.fine)
    let head =
      fine == 0 && !page.hasChangedTheStore
      ? Run("Nothing \(verb.lowercased())", .failed.bold)
      : Run("\(verb) \(fine) of \(page.results.count)", .text.bold)
    let rest = [
      (words([(.partly, "in part"), (.notKnown, "not known")]), Ink.failed.bold),
      (words([(.moved, "moved meanwhile"), (.notReached, "not reached")]), .needs.bold),
      (words([(.refused, "refused"), (.leftOut, "left out")]), .text),
    ]
    return [head] + rest.filter { !$0.0.isEmpty }.map { Run("   " + $0.0, $0.1) }
  }

  private var verb: String {
    switch page.action {
    case .write: state.store.can.contains(.leaveToApp) ? "Left to the app" : "Written"
    case .undo: "Taken back"
    case .mend: "Mended"
    }
  }
}
