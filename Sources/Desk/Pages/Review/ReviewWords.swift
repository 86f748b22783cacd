import Merging
import Telling
import Terminal

extension Fate {
  var sign: Run {
    switch self {
    case .unchecked: Run(" ")
    case .toWrite, .written: Run("✓", .ready)
    case .moved, .actedOn: Run("↻", .needs.bold)
    case .refused: Run("✗", .failed.bold)
    case .partly: Run("½", .failed.bold)
    case .notKnown: Run("?", .failed.bold)
    case .notReached: Run("·", .needs.bold)
    case .leftOut: Run("–", .dim)
    case .takenBack: Run("↶", .needs.bold)
    }
  }
}

struct ReviewWords {
  let desk: DeskState
  let page: ReviewPage

  static let nothingToTakeBack =
    "None of these can be taken back. " + goingPast
  static let goingPast = "parley undo PATH --skip goes past a write of which nothing is left."
  static let nothingToMend = "It is not found any more: there is nothing to mend."

  /// What becomes, or became, of a draft; a line each.
  func lines(_ fate: Fate, _ draft: ReviewedDraft) -> [[Run]] {
    switch fate {
    case .written where page.finishedFirst.written.contains(draft.id):
      return [[Run("\(done): by the interrupted write, which was finished first", .ready)]]
    case .written: return [[Run(written(draft), .ready)]]
    // What another program settled meanwhile is in no list any more.
    case .moved where page.stage == .done && desk.list.summary(draft.id) != nil:
      return [line(fate), [Run("it is in the list again with its new difference", .dim)]]
    case .takenBack where desk.list.summary(draft.id) != nil:
      return [line(fate), [Run("it is in the list again", .dim)]]
    case .leftOut where page.canLeaveOut: return [line(fate) + [Run("   Space takes it in again", .dim)]]
    case .notKnown where !desk.interrupted.isEmpty: return [line(fate)]
    case .partly, .notKnown: return [line(fate), [Run("it is read again: look at it in the list", .dim)]]
    case .unchecked, .toWrite, .moved, .actedOn, .refused, .notReached, .leftOut, .takenBack:
      return [line(fate)]
    }
  }

  /// The same of any record that something was done to.
  func line(_ fate: Fate) -> [Run] {
    switch fate {
    case .unchecked, .toWrite: []
    case .written: [Run(done, .ready)]
    case .moved(let what): [Run(notDone + "it moved: " + shown(what), .needs.bold)]
    // It may have moved as well, but that alone is not why.
    case .actedOn(let act, let all):
      [Run(notDone + (desk.privacy.hides ? act : all), .needs.bold)]
    case .refused(let field, let why):
      [Run(notDone + (field.map { "\(desk.privacy.name($0)): " } ?? "") + shown(why), .failed.bold)]
    case .partly(let part, let why):
      [Run("\(done) in part: \(shown(part)); not the rest: \(shown(why))", .failed.bold)]
    case .notKnown(let why): [Run("not known whether \(done): " + shown(why), .failed.bold)]
    case .notReached(let why): [Run(notDone + "not reached: " + shown(why), .needs.bold)]
    case .leftOut: [Run("left out by you", .dim)]
    case .takenBack: [Run("\(wasDone), and taken back since", .needs.bold)]
    }
  }

  /// A store's reason may hold values.
  private func shown(_ words: String) -> String { desk.privacy.shown(words) }

  private var done: String {
    switch page.action {
    case .write: desk.store.can.contains(.leaveToApp) ? "waits \(desk.store.words.waits)" : "written"
    case .undo: "taken back"
    case .mend: page.givesUp ? "given up" : "mended"
    }
  }

  /// What is not so any more.
  private var wasDone: String {
    page.action == .write && desk.store.can.contains(.leaveToApp) ? "waited \(desk.store.words.waits)" : done
  }

  private var notDone: String {
    guard page.stage == .done else { return "" }
    switch page.action {
    case .write: return "not written: "
    case .undo: return "left alone: "
    case .mend: return "not \(done): "
    }
  }

  private func written(_ draft: ReviewedDraft) -> String {
    if let alternative = draft.alternative { return "\(done): \(desk.privacy.words(alternative))" }
    if draft.record.conflict.isWhole { return "\(done): \(ReviewWords.whole(draft).after)" }
    let count = draft.changedFields
    if count > 0 { return "\(done), \(count == 1 ? "1 field" : "\(count) fields")" }
    return done + ", " + desk.store.words.nothingElse
  }

  /// What is there now of a record that is decided as a whole, and what will be.
  static func whole(_ draft: ReviewedDraft) -> (now: String, after: String) {
    let conflict = draft.record.conflict
    if conflict.details.rowIsBack {
      return ("put back by the app", draft.draft.action == .delete ? "deleted" : "kept")
    }
    // What was never here is not there again, nor is it that already.
    let isNew = conflict.versions.client == .absent
    return switch (draft.draft.action, conflict.hasRow) {
    case (.alternative(let id), _): ("there, as edited", id)
    case (.save, true): ("there, as edited", "kept, as edited")
    case (.delete, true): ("there, as edited", "deleted")
    case (.save, false): isNew ? ("not here", "there") : ("deleted", "there again")
    case (.delete, false):
      isNew ? ("not here", "deleted on the server, too") : ("deleted", "stays deleted")
    }
  }

  /// Where a value of the draft comes from.
  static func origin(_ field: FieldDraft, _ shown: ShownRecord) -> String {
    if let leaf = shown.takenLeafWords { return field.source == nil ? "" : leaf }
    return switch field.source {
    case nil: ""
    case .server? where shown.leafCount > 2: "leaf 2"
    case .merged?:
      shown.record.answerOfNoSide ?? shown.conflict.words(.merged, of: field.value, in: field.name)
    case let source?: source.rawValue
    }
  }
}

/// The numbers in the title: what is wrong before what is well, as the end is cut where there is little room.
extension ReviewWords {
  /// "8 drafts: 1 refused, 6 to write, 1 left out"; afterwards "Written 5 of 6   1 moved meanwhile   1 refused, 1 left out".
  func title(width: Int) -> [Run] {
    let whole = title(isShort: false)
    return whole.width <= width ? whole : title(isShort: true)
  }

  private func title(isShort: Bool) -> [Run] {
    let drafts = page.action == .write && !isShort ? drafts : ""
    switch page.stage {
    case .done: return isShort ? shortDoneTitle : doneTitle
    case .reading: return [Run(name + "   ", .text.bold), Run("reading\(progress)...", .dim)]
    case .checking:
      let act = page.progress?.words ?? "checking"
      return [Run(name + "   ", .text.bold), Run(told(drafts, ", ", "\(act)\(progress)..."), .dim)]
    case .writing: return [Run(name + "   ", .text.bold), Run("\(going)\(progress)...", .dim)]
    case .ready:
      let counts = page.action == .write ? told(drafts, ": ", counts) : ""
      return [Run(name, .text.bold)] + (counts.isEmpty ? [] : [Run("   " + counts)])
    }
  }

  private func told(_ drafts: String, _ separator: String, _ words: String) -> String {
    [drafts, words].filter { !$0.isEmpty }.joined(separator: separator)
  }

  /// " 12 of 40"; of one record there is nothing to count.
  private var progress: String { page.progress.map { $0.all > 1 ? ", \($0.done) of \($0.all)" : "" } ?? "" }

  /// What is done to the store.
  private var going: String {
    switch page.action {
    case .write: "writing"
    case .undo: "taking back"
    case .mend: "mending"
    }
  }

  private var name: String {
    switch page.action {
    case .write: "Review"
    case .undo(let write):
      write.isOlder
        ? "Take back one write"
        : page.kept.isEmpty
          ? "Take back the last write" : "Take back \(page.takenBack.count) of \(page.ids.count)"
    case .mend: "Mend 1 finding"
    }
  }

  /// With what was one when it was asked for, as the list counted it.
  private var drafts: String {
    let count = page.moved.count + page.drafts.count
    return count == 1 ? "1 draft" : "\(count) drafts"
  }

  private var counts: String {
    words([
      (.partly, "in part"), (.notKnown, "not known"), (.refused, "refused"), (.moved, "moved"),
      (.notReached, "not reached"), (.fine, "to write"), (.leftOut, "left out"), (.unchecked, "not checked"),
    ])
  }

  private func words(_ kinds: [(Fate.Rank, String)]) -> String {
    kinds.compactMap { rank, words in
      let count = count(rank)
      return count == 0 ? nil : "\(count) \(words)"
    }.joined(separator: ", ")
  }

  private func count(_ rank: Fate.Rank) -> Int { page.facts(on: desk).counts[rank] ?? 0 }

  private var doneTitle: [Run] {
    parted([
      doneHead, unclear,
      Run(words([(.moved, "moved meanwhile"), (.notReached, "not reached")]), .needs.bold),
      Run(words([(.refused, "refused"), (.leftOut, "left out"), (.takenBack, "taken back since")])),
    ])
  }

  private var shortDoneTitle: [Run] {
    parted([
      unclear, Run(words([(.refused, "refused")])),
      Run(words([(.moved, "moved"), (.notReached, "not reached")]), .needs.bold), doneHead,
      Run(words([(.leftOut, "left out"), (.takenBack, "taken back since")])),
    ])
  }

  private func parted(_ runs: [Run]) -> [Run] {
    Array(runs.filter { !$0.text.isEmpty }.map { [$0] }.joined(separator: [Run("   ")]))
  }

  private var doneHead: Run {
    let fine = count(.fine) + count(.takenBack)
    return fine == 0 && !page.hasChangedTheStore
      ? Run("Nothing \(verb.lowercased())", .failed.bold)
      : Run("\(verb) \(fine) of \(page.results.count)", .text.bold)
  }

  private var unclear: Run { Run(words([(.partly, "in part"), (.notKnown, "not known")]), .failed.bold) }

  private var verb: String {
    switch page.action {
    case .write: desk.store.can.contains(.leaveToApp) ? desk.store.words.left : "Written"
    case .undo: "Taken back"
    case .mend: page.givesUp ? "Given up" : "Mended"
    }
  }
}

/// What is said under the lines of the review: what the check found, how it will be written, and the note.
struct ReviewFoot {
  let desk: DeskState
  let page: ReviewPage
  /// Lines above it in which nothing stands: it takes what it needs of them.
  var free = 0

  /// Whether there is room only for what the store said.
  static func isShort(_ size: Size) -> Bool { size.rows < 16 }

  var lines: [[Run]] {
    if ReviewFoot.isShort(desk.size) { return page.noting != nil ? [note] : short }
    return check.wrapped(width, most: 3) + prose + (page.isOpen ? [note] : [])
  }

  /// What the store said; of the rest what has room, or where to read it.
  private var short: [[Run]] {
    let note = page.isOpen && !desk.note.text.isEmpty ? [note] : []
    let rest = note + statements.flatMap { [$0].wrapped(width) }
    let most = desk.size.rows < 13 ? 1 : 2
    let head = check.wrapped(width, cutAfter: most)
    if rest.count <= free { return head + rest }
    let more = Run("  " + Self.more, .dim)
    // Not cut by the edge: what is behind that would take the way to the rest along.
    let lines = check.wrapped(width - DisplayText.width(more.text), most: most)
    return lines.dropLast() + [(lines.last ?? []) + [more]]
  }

  /// Whether a row of the screen is that of the note, and nobody types there yet.
  func isNote(row: Int) -> Bool {
    page.isOpen && page.stage == .ready && page.noting == nil && !ReviewFoot.isShort(desk.size)
      && row == desk.size.rows - 3
  }

  private var width: Int { desk.size.columns - 2 }

  private static let noteWords = "Note for the log: "

  private var note: [Run] {
    if let part = typedNote {
      return [Run(Self.noteWords, .dim), Run(part.before + part.after), Run(noteWhileTyped, .dim)]
    }
    // It may quote what it is about.
    return [Run(Self.noteWords, .dim), Run(desk.privacy.shown(desk.note.text)), Run(wayToNote, .dim)]
  }

  /// While words to look for are typed, too.
  private var wayToNote: String {
    let key = desk.key(.drafts(.note), on: .review)
    if desk.note.text.isEmpty { return "\(key) writes one" }
    return desk.privacy.hides ? "   \(key) replaces it" : ""
  }

  /// Nobody sees that there is one where it is hidden, and its line empty.
  private var noteWhileTyped: String {
    let isUnseen = desk.privacy.hides && !desk.note.text.isEmpty && page.noting?.isEmpty == true
    return isUnseen ? "  Enter empties it, Esc keeps it" : ""
  }

  private var typedNote: InputPart? {
    page.noting.map { InputPart($0, width: width - DisplayText.width(Self.noteWords)) }
  }

  /// Where the cursor of the note stands in its line.
  var noteColumn: Int { DisplayText.width(Self.noteWords + (typedNote?.before ?? "")) }

  private var check: [Run] {
    switch page.stage {
    case .reading: return [Run("Reading the drafts...", .dim)]
    case .checking: return [Run("Checking: \(page.action == .write ? checked : "nothing moved")...", .dim)]
    case .writing: return [Run("One moment... Esc stops it, and what was written by then is told.", .dim)]
    case .done: return done
    case .ready: break
    }
    if let reason = desk.access.reason { return [Run("✗ read-only: \(reason)", .failed.bold)] }
    switch page.action {
    case .write: return ready
    case .undo: return readyToTakeBack
    case .mend where page.isGone(on: desk): return [Run(ReviewWords.nothingToMend, .needs.bold)]
    case .mend: return [Run("Checked before anything changes: what moved since is left alone.")]
    }
  }

  private var readyToTakeBack: [Run] {
    if page.checks.isEmpty { return notChecked("taken back") }
    let (fine, all) = (page.fates(on: desk).count(.fine, of: page.ids), page.takenBack.count)
    if all == 0 { return [Run("All are left out: Space takes one in again.")] }
    if fine == 0 { return [Run("! None of these can be taken back.", .needs.bold)] }
    let count = fine == all ? words(fine, "record") : "\(fine) of \(all)"
    return checked(count + " can be taken back", isAll: fine == all, as: "what was written is as it was left")
  }

  private func notChecked(_ done: String) -> [Run] {
    let words = "✗ not checked, so nothing can be \(done) now"
    guard let reason = page.untoldFailure(on: desk) else { return [Run(words, .failed.bold)] }
    return [Run(words + ". ", .failed.bold), Run(reason)]
  }

  /// What the check said, when, and of how much.
  private func checked(_ words: String, isAll: Bool, as reason: String) -> [Run] {
    [
      isAll ? Run("✓ " + words, .ready) : Run("! " + words, .needs.bold),
      Run((isAll ? ": " + reason : "; the rest is left alone") + " (\(desk.time.short(page.time)))."),
    ]
  }

  private var ready: [Run] {
    if page.drafts.isEmpty { return [Run(nothingReady, .needs.bold)] }
    let facts = page.facts(on: desk)
    if facts.tried == page.moved.count {
      return [Run("All are left out: Space takes one in again.")]
    }
    if page.checks.isEmpty { return notChecked("written") }
    if facts.writable == 0 { return [Run("! None of these can be written as it stands.", .needs.bold)] }
    let count = "\(facts.writable) of \(facts.tried) can be written, \(changes(facts))"
    return checked(count, isAll: facts.writable == facts.tried, as: rulesHold)
  }

  private var nothingReady: String {
    "Nothing is ready any more" + (page.moved.isEmpty ? "." : ": above stands why.")
  }

  /// What is deleted, and what is done to the record as a whole, changes no field and is no less for that.
  private func changes(_ facts: ReviewFacts) -> String {
    let (fields, deleted, whole) = (facts.changedFields, facts.deleted, facts.wholes)
    let told = [
      fields == 0 ? nil : desk.store.changes(fields, "field"),
      deleted == 0 ? nil : desk.store.deletions(deleted),
      whole == 0 ? nil : words(whole, "record") + " as a whole",
    ].compactMap(\.self)
    return told.isEmpty ? "no field changes" : told.joined(separator: ", ")
  }

  private func words(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  private var checked: String { "nothing moved" + (desk.store.words.rules.map { ", " + $0 } ?? "") }

  private var rulesHold: String {
    "nothing moved" + (desk.store.words.rules == nil ? "" : ", rules hold")
  }

  private var done: [Run] {
    let fine = page.ownResults.count { $0.outcome == .fine }
    guard page.hasChangedTheStore else { return [Run("This changed nothing in the store.")] }
    return (fine > 0 ? done(fine) : []) + finishedFirst(behind: fine)
      + (page.isUnclear ? [Run(" \(wayToKnow)", .failed.bold)] : [])
      + (fine == 0 && page.canBeTakenBack(on: desk) ? [Run(" \(desk.key(.undo)) takes it back.")] : [])
  }

  private func finishedFirst(behind fine: Int) -> [Run] {
    let count = page.finishedFirst.written.count
    return count == 0
      ? [] : [Run("\(fine > 0 ? " " : "")✓ \(words(count, "record")) by the interrupted write.", .ready)]
  }

  private func done(_ fine: Int) -> [Run] {
    let when = " at \(desk.time.long(page.time)). "
    switch page.action {
    case .write:
      return [
        Run("✓ \(words(fine, "record"))" + when, .ready), Run(wayBack(fine)),
      ]
    case .undo:
      // What is taken back may as well be an import.
      let before = fine == 1 ? "as it was before; taken back" : "as they were before; taken back"
      let isAllBack = page.results.allSatisfy(\.notBack.isEmpty)
      let back = isAllBack ? before : "taken back, but for what is noted,"
      return [Run("✓ \(words(fine, "record")) \(back)" + when, .ready)]
    case .mend:
      let done = page.givesUp ? "given up" : "mended"
      return [Run("✓ \(done)" + when, .ready), Run(page.hasWritten ? wayBack(fine) : "")]
    }
  }

  private func wayBack(_ fine: Int) -> String {
    let key = desk.key(.undo)
    let isDecided = page.isDecidedSince(on: desk)
    if desk.store.notUndone != nil {
      let since = isDecided ? "\(key) takes back what was decided since. " : ""
      return since + "\(fine == 1 ? "It" : "They") cannot be taken back."
    }
    if isDecided { return "\(key) takes back first what was decided since." }
    guard let standing = page.standing else { return "\(key) takes \(all(fine)) back." }
    if standing.isUnknown { return "Another was done since, or it was taken back." }
    if standing.isOvertaken { return "Another was done since." }
    return switch standing.count {
    case 0: fine == 1 ? "It was taken back since." : "All were taken back since."
    case ..<fine: "\(key) takes back \(standing.count) of them: the rest is taken back."
    default: "\(key) takes \(all(fine)) back."
    }
  }

  private var wayToKnow: String {
    desk.interrupted.isEmpty
      ? "Look again at what is marked ½ or ?." : "\(desk.key(.reload)) looks again at what is marked ½ or ?."
  }

  private func all(_ count: Int) -> String { count == 1 ? "it" : "all \(count)" }

  /// What was never checked, and how it is done: all of it where rows are free, else one line, and the whole is a key away.
  private var prose: [[Run]] {
    let whole = statements.flatMap { [$0].wrapped(width) }
    if whole.count <= 1 + free { return whole }
    let all = width - DisplayText.width(Self.more)
    // Where Y does not write the store, that is said before all else.
    let isLeft = page.action == .write && desk.store.can.contains(.leaveToApp)
    let line = (isLeft ? statements : statements.reversed()).reduce(into: [Run]()) { line, run in
      let room = all - line.width - 2 - (isLeft && line.isEmpty ? Self.leastOfWarning : 0)
      if room > 2 { line.append(Run(DisplayText.cut(run.text, to: room) + "  ", run.ink)) }
    }
    return [line + [Run(Self.more, .dim)]]
  }

  private static let more = "i says more"
  /// In columns: that there is something which was not checked.
  private static let leastOfWarning = 22

  /// What the store says it does, and what of that was never checked.
  private var statements: [Run] {
    let (words, notVerified) = howItIsDone
    return [Run(words), Run(notVerified.map { "! " + $0 } ?? "", .needs)].filter { !$0.text.isEmpty }
  }

  private var howItIsDone: (String, notVerified: String?) {
    switch page.action {
    case .write: (desk.store.writing, desk.store.notVerified)
    case .undo(let write): (write.takingBack, write.notVerified)
    case .mend: (desk.store.mending, nil)
    }
  }

  /// All of it.
  var paragraphs: [String] {
    let (words, notVerified) = howItIsDone
    // On a short screen it is told there by its beginning.
    let said = ReviewFoot.isShort(desk.size) ? check.map(\.text).joined() : nil
    return [
      said, words, notVerified.map { "Not verified. \($0)" }, desk.access.reason.map { "Read-only: \($0)" },
      page.action == .write
        ? "Each record is checked again when it is written: what moved since you looked is left alone." : nil,
    ].compactMap(\.self).filter { !$0.isEmpty }
  }
}
