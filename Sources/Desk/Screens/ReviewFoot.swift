import Merging
import Terminal

/// What is said under the lines of the review: what the check found, how it will be written, and the note.
struct ReviewFoot {
  private let state: DeskState
  private let page: ReviewPage

  init(_ state: DeskState, _ page: ReviewPage) {
    self.state = state
    self.page = page
  }

  /// Whether there is room for one line only.
  static func isShort(_ size: Size) -> Bool { size.rows < 16 }

  var lines: [[Run]] {
    if ReviewFoot.isShort(state.size) { return page.isTypingNote ? [note] : [check] }
    return check.wrapped(width, most: 3) + prose + (page.isOpen ? [note] : [])
  }

  private var width: Int { state.size.columns - 2 }

  private static let noteWords = "Note for the log: "

  private var note: [Run] {
    let hint = page.note.isEmpty && !page.isTypingNote ? "n writes one" : ""
    return [Run(Self.noteWords, .dim), Run(page.note.text), Run(hint, .dim)]
  }

  /// Where the cursor of the note stands in its line.
  var noteColumn: Int { DisplayText.width(Self.noteWords + page.note.before) }

  private var check: [Run] {
    switch page.stage {
    case .reading: return [Run("Reading the drafts...", .dim)]
    case .checking: return [Run("Checking: \(page.action == .write ? checked : "nothing moved")...", .dim)]
    case .writing: return [Run("One moment... Esc stops before the next record.", .dim)]
    case .done: return done
    case .ready: break
    }
    if case .readOnly(let reason) = state.access { return [Run("✗ read-only: \(reason)", .failed.bold)] }
    switch page.action {
    case .write: return ready
    case .undo: return readyToTakeBack
    case .mend: return [Run("Checked before anything changes: what moved since is left alone.")]
    }
  }

  private var readyToTakeBack: [Run] {
    if page.checks.isEmpty { return [Run("✗ not checked, so nothing can be taken back now", .failed.bold)] }
    let fine = state.fates(page).count(.fine, of: page.ids)
    let checked = " (\(state.time.short(page.time)))."
    if fine == 0 { return [Run("! None of these can be taken back.", .needs.bold)] }
    if fine == page.ids.count {
      return [
        Run("✓ \(words(fine, "record")) can be taken back", .ready), Run(": nothing moved since" + checked),
      ]
    }
    return [
      Run("! \(fine) of \(page.ids.count) can be taken back", .needs.bold),
      Run("; the rest is left alone" + checked),
    ]
  }

  private var ready: [Run] {
    if page.drafts.isEmpty { return [Run("Nothing is ready any more.", .needs.bold)] }
    let tried = page.drafts.count { !state.leftOut.contains($0.id) }
    if tried == 0 { return [Run("All are left out: Space takes one in again.")] }
    if page.checks.isEmpty { return [Run("✗ not checked, so nothing can be written now", .failed.bold)] }
    let writable = Set(state.writable(page).map(\.seen.id))
    guard !writable.isEmpty else {
      return [Run("! None of these can be written as it stands.", .needs.bold)]
    }
    let fields = page.drafts.filter { writable.contains($0.id) }.reduce(0) { $0 + $1.changedFields }
    let isAll = writable.count == tried
    let count = "\(writable.count) of \(tried) can be written, \(changes(fields))"
    let checked = " (\(state.time.short(page.time)))."
    return isAll
      ? [Run("✓ " + count, .ready), Run(": " + rulesHold + checked)]
      : [Run("! " + count, .needs.bold), Run("; the rest is left alone" + checked)]
  }

  private func changes(_ fields: Int) -> String {
    fields == 0 ? "no field changes" : fields == 1 ? "1 field changes" : "\(fields) fields change"
  }

  private func words(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  private var checked: String {
    "nothing moved" + (state.store.words.rules.map { ", " + $0 } ?? "")
  }

  private var rulesHold: String {
    "nothing moved" + (state.store.words.rules == nil ? "" : ", all rules hold")
  }

  private var done: [Run] {
    let fine = page.results.count { $0.outcome == .fine }
    guard page.hasChangedTheStore else { return [Run("The store is as it was.")] }
    return (fine > 0 ? done(fine) : [])
      + (page.isUnclear ? [Run(" Look again at what is marked ½ or ?.", .failed.bold)] : [])
  }

  private func done(_ fine: Int) -> [Run] {
    let when = " at \(state.time.long(page.time)). "
    switch page.action {
    case .write: return [Run("✓ \(words(fine, "record"))" + when, .ready), Run("u takes \(all(fine)) back.")]
    case .undo: return [Run("✓ \(words(fine, "record")) as before the write" + when, .ready)]
    case .mend: return [Run("✓ mended" + when, .ready), Run(page.hasWritten ? "u takes it back." : "")]
    }
  }

  private func all(_ count: Int) -> String { count == 1 ? "it" : "all \(count)" }

  /// What the store says it does, and what of that was never checked, in a line each; the whole of it is one key away.
  private var prose: [[Run]] {
    let (words, notVerified) = howItIsDone
    let lines = [Run(words), Run(notVerified.map { "! " + $0 } ?? "", .needs)].filter { !$0.text.isEmpty }
    if lines.allSatisfy({ DisplayText.width($0.text) <= width }) { return lines.map { [$0] } }
    let more = "  i says more"
    return lines.enumerated().map { index, line in
      let isLast = index == lines.count - 1
      let room = isLast ? width - DisplayText.width(more) : width
      return [Run(DisplayText.cut(line.text, to: room), line.ink), Run(isLast ? more : "", .dim)]
    }
  }

  /// What the store says it does, and what of that was never checked.
  private var howItIsDone: (String, notVerified: String?) {
    switch page.action {
    case .write: (state.store.writing, state.store.notVerified)
    case .undo(let write): (write.takingBack, write.notVerified)
    case .mend: (state.store.mending, nil)
    }
  }

  /// All of it.
  var paragraphs: [String] {
    let (words, notVerified) = howItIsDone
    let readOnly: String? = if case .readOnly(let reason) = state.access { reason } else { nil }
    return [
      words, notVerified.map { "Not verified: \($0)" }, readOnly.map { "Read-only: \($0)" },
      page.action == .write
        ? "Each record is checked again when it is written: what moved since you looked is left alone." : nil,
    ].compactMap(\.self).filter { !$0.isEmpty }
  }
}
