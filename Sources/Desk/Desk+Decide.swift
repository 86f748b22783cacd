import ExactJSON
import Merging
import StoreInterface
import Telling

extension DecidedConflict {
  /// Whether accepting what is suggested would decide anything.
  var hasSuggestions: Bool {
    conflict.details.waitingSince == nil
      && !conflict.accepting(.byClock, in: resolution).difference(from: resolution).isEmpty
  }
}

/// Decisions: each is journalled before the frame that shows it, and can be taken back.
extension DeskState {
  /// What `A` does to a record: everything that is sure, or decided by the clock.
  mutating func acceptWhole(_ record: DecidedConflict) -> [DeskEffect] {
    if let refusal = refusalOfWaiting(record) { return refusal }
    let accepted = record.conflict.accepting(.byClock, in: record.resolution)
    return decide(
      record, accepted, about: accepted.difference(from: record.resolution), told: words(accepting: record))
  }

  /// nil unless its draft waits, so that nothing can be decided before it is taken back.
  mutating func refusalOfWaiting(_ record: DecidedConflict) -> [DeskEffect]? {
    record.conflict.details.waitingSince == nil
      ? nil : tell(failed: privacy.words(record.conflict.refusalOfWaiting))
  }

  /// Everything from one side. What that gives up is told, as it was on no screen.
  mutating func takeWhole(_ record: DecidedConflict, _ side: Side) -> [DeskEffect] {
    if let refusal = refusalOfWaiting(record) { return refusal }
    let conflict = record.conflict
    if conflict.isWhole {
      let effects = decide(record, .record, .take(side))
      if status?.isFailure == true { return effects }
      let lost = conflict.lost(takingWholeFrom: side, privacy)
      return effects
        + tell(words(taking: side, of: record, lost: lost, undo: undoWords(record.resolution, conflict.id)))
    }
    let taken = DecidedConflict(conflict, conflict.taking(side, in: record.resolution))
    let subjects = conflict.subjects.filter { conflict.refusal(of: .take(side), for: $0) == nil }
    if subjects.isEmpty, let refusal = conflict.subjects.first.flatMap({ self.refusal(side, $0, conflict) }) {
      return tell(failed: "\(shownTitle(of: conflict.id)): \(refusal)")
    }
    let lost = taken.lostEdits.isEmpty ? nil : taken.lostEdits.words(privacy)
    let undo = taken.resolution == record.resolution ? nil : undoWords
    return decide(
      record, taken.resolution, about: Set(subjects),
      told: words(taking: side, of: taken, lost: lost, undo: undo))
  }

  /// That it can be taken back by a key; nil where nothing was changed by it: that key would take back something else, or more.
  ///
  /// - Parameter before: what was decided about it before.
  func undoWords(_ before: Resolution, _ id: String) -> String? {
    open[id].map(\.resolution) == before ? nil : undoWords
  }

  private var undoWords: String { "\(key(.undo)) takes it back." }

  private func words(taking side: Side, of record: DecidedConflict, lost: String?, undo: String?) -> String {
    let left = record.conflict.isWhole ? [] : record.conflict.undecided(in: record.resolution)
    let names = left.count > 2 ? "\(left.count) fields" : left.map(privacy.words).joined(separator: " and ")
    let verb = undo == nil ? "was taken already" : "taken"
    let subject = "\(shownTitle(of: record.conflict.id)): \(side.rawValue) \(verb)"
    return [
      subject + (left.isEmpty ? "." : ", but \(names) cannot be taken from it: still to decide."),
      lost.map { "Given up: \($0)." } ?? "Nothing is given up.", undo,
    ].compactMap(\.self).joined(separator: " ")
  }

  /// That nothing is ready to be written, with the shortest way to something that is.
  var nothingReady: String {
    if let refusal = refusalInView {
      return "Nothing is ready. This one is refused: \(privacy.words(refusal))."
    }
    if let dropped = idInView.flatMap({ open[$0] }).flatMap(droppedWords) {
      return "Nothing is ready. \(dropped)"
    }
    let unread = wordsOfUnreadList
    let words = unread ?? "Nothing is ready: decide every field of a record first."
    if let page = top(RecordPage.self) {
      return open[page.id]?.hasSuggestions == true
        ? words + " \(key(.accept)) accepts what is suggested here." : words
    }
    if let unread { return unread }
    let sure = list.counts[.sure] ?? 0
    // A filter shows what has the words alone.
    let filter = (list.words.isEmpty ? "" : "Esc clears the words, then ") + "key \(ListFilter.sure.rawValue)"
    return switch sure {
    case 0: words
    case 1: "\(words) 1 record is sure throughout: \(filter) lists it, A accepts it."
    default:
      "\(words) \(sure) records are sure throughout: \(filter) lists them, A accepts one"
        + (list.marks.isEmpty ? ", * then A all." : "; of marked rows it accepts all.")
    }
  }

  /// What is ready may be further on, or come back with what was written or taken back; nil where all of it was read.
  private var wordsOfUnreadList: String? {
    if list.isBeingRead { return "Nothing is ready of what was read so far: the list is still being read." }
    return nextList == nil
      ? nil : "Nothing is ready in the list as it was: it is being read again, as the store has changed."
  }

  /// Why the record that is shown, or under the cursor, is not ready though all of it is decided.
  private var refusalInView: DraftRefusal? {
    if let page = top(RecordPage.self) { return refusal(of: page.id) ?? open[page.id]?.refusal }
    guard case .conflict(let summary)? = list.selected else { return nil }
    return refusal(of: summary.id) ?? summary.refusal
  }

  private var idInView: String? { top(RecordPage.self)?.id ?? list.selectedConflict }

  private func refusal(_ side: Side, _ subject: Subject, _ conflict: RecordConflict) -> String? {
    conflict.refusal(of: .take(side), for: subject).map(privacy.words)
  }

  /// A review is of all drafts, so nobody should think that it is of one; and not of one that can be written nowhere.
  func reviewWords(beside record: DecidedConflict) -> String {
    if let dropped = droppedWords(of: record) { return dropped }
    let others = list.countOfReady(beside: record.conflict.id)
    if let hindrance = record.hindrance { return words(hindrance, others: others) }
    let also = others == 0 ? "" : others == 1 ? ", with 1 other draft" : ", with \(others) other drafts"
    return "\(key(.review)) reviews and writes\(also)."
  }

  /// Why nothing of it is written though nothing is undecided, and the way out; nil where that is not so.
  func droppedWords(of record: DecidedConflict) -> String? {
    guard record.undecided.isEmpty, !record.dropped.isEmpty else { return nil }
    let names = record.dropped.map(privacy.words).joined(separator: ", ")
    let gone = record.withoutField(record.dropped)
    let why =
      gone.count == record.dropped.count ? DecidedConflict.noSuchField : "it is no more in conflict"
    return "What was decided about \(names) holds no longer, as \(why). "
      + "\(wayToForgetDropped(of: record))\(gone.isEmpty ? "; or decide it anew." : ".")"
  }

  /// What is under the cursor of a record is taken back before anything else is.
  private func wayToForgetDropped(of record: DecidedConflict) -> String {
    var desk = self
    desk.open[record.conflict.id] = record
    let here = top(RecordPage.self)
    let page = here ?? desk.recordPage(record.conflict.id)
    let place = here == nil ? "Enter opens it, and there " : ""
    let way =
      page.forgetsDropped(of: record, on: desk) ? "" : "\(key(.nextUndecided, on: .record)) goes to it, and "
    return "\(place)\(way)\(key(.record(.forget), on: .record)) takes it back"
  }

  private func words(_ hindrance: DraftRefusal, others: Int) -> String {
    let drafts = others == 1 ? "the other draft" : "\(others) other drafts"
    let rest = others == 0 ? "" : " \(key(.review)) reviews and writes \(drafts)."
    return "It cannot be written: \(privacy.words(hindrance))." + rest
  }

  /// What was given up though it could be kept.
  private func mergeWords(_ record: DecidedConflict, _ after: Resolution) -> String {
    let names = record.conflict.fields.filter { field in
      let subject = Subject.field(field.name)
      return record.resolution[subject] == nil && after[subject] != nil && field.losesWhatAMergeKeeps
    }.map { privacy.name($0.name) }
    return names.isEmpty ? "" : " Of \(names.joined(separator: ", ")) a merge (m) would keep both edits."
  }

  private func words(accepting record: DecidedConflict) -> String {
    let after = record.conflict.accepting(.byClock, in: record.resolution)
    let taken = after.difference(from: record.resolution).count
    let left = record.conflict.undecided(in: after).count
    let rest = left == 0 ? reviewWords(beside: record.deciding(after)) : "\(left) to decide."
    let title = shownTitle(of: record.conflict.id)
    let way = pages.isEmpty ? ": Enter opens it." : "."
    if taken == 0, left == 0 { return "\(title) is decided already. \(rest)" }
    return taken == 0 && left > 0
      ? "\(title): nothing else is suggested, \(left) to decide\(way)"
      : ["\(title): \(taken) taken.", record.givenUpWords(deciding: after, privacy), rest].compactMap(\.self)
        .joined(separator: " ") + mergeWords(record, after)
  }

  /// One decision about one subject, if it is allowed.
  mutating func decide(_ record: DecidedConflict, _ subject: Subject, _ choice: Choice?) -> [DeskEffect] {
    decide(record, subject, choice, but: choice.flatMap { record.conflict.refusal(of: $0, for: subject) })
  }

  /// What was decided about a subject, if it still holds, comes again by another key. What an earlier conflict of the record keeps, which
  /// waits, is taken back with it.
  mutating func forget(_ record: DecidedConflict, _ subject: Subject) -> [DeskEffect] {
    let again = record.resolution[subject] == nil ? "" : ": \(key(.undo)) decides it again"
    var resolution = record.resolution
    resolution.decide(subject, nil)
    let words = "\(privacy.words(subject)) is no longer decided\(again)."
    let isHere = record.resolution[subject] != nil || record.outdated.contains { $0.subject == subject }
    let ofEarlier = record.kept.contains { $0.subject == subject } ? wordsOfKept(subject, isHere) : nil
    return decide(
      record, resolution, about: [subject],
      told: [isHere ? words : nil, ofEarlier].compactMap(\.self).joined(separator: " "))
  }

  private func wordsOfKept(_ subject: Subject, _ isHere: Bool) -> String {
    let name = isHere ? "it" : privacy.words(subject)
    return "What was decided about \(name) of an earlier conflict, which waits, is taken back"
      + (isHere ? ", too." : ".") + " The log has that still."
  }

  /// Where nothing is taken back; with what can be, of an earlier conflict that waits.
  func wordsOfUndecided(_ subject: Subject, _ record: DecidedConflict) -> String {
    let words = "Nothing is decided about \(privacy.words(subject))."
    if record.kept.isEmpty { return words }
    let names = record.kept.map(\.subject).unique.map(privacy.words)
    let told = names.joined(separator: ", ") + (names.count == 1 ? " is" : " are")
    let key = key(.record(.forget), on: .record)
    return "\(words) Of an earlier conflict, which waits, \(told) decided: \(key) there takes that back, "
      + filling("or parley resolve PATH RECORD --forget all of the record.")
  }

  /// What holds no longer and is nothing to decide is taken back.
  mutating func forgetDropped(of record: DecidedConflict) -> [DeskEffect] {
    let names = record.dropped.map(privacy.words).joined(separator: ", ")
    return decide(
      record, record.resolution, about: Set(record.dropped),
      told: "What was decided about \(names) is taken back. The log has it still.")
  }

  /// A field that is put together of its parts, be it by half; nil forgets what was chosen of them.
  mutating func decide(_ record: DecidedConflict, _ field: String, _ parts: PartChoices?) -> [DeskEffect] {
    let (subject, choice) = (Subject.field(field), parts.map { Choice.parts($0) })
    let refusal = choice.flatMap { record.conflict.refusal(of: $0, for: subject) }
    return decide(record, subject, choice, but: refusal == .partsToDecide(field: field) ? nil : refusal)
  }

  private mutating func decide(
    _ record: DecidedConflict, _ subject: Subject, _ choice: Choice?, but refusal: ChoiceRefusal?
  ) -> [DeskEffect] {
    if let refusal { return tell(failed: privacy.words(refusal)) }
    var resolution = record.resolution
    resolution.decide(subject, choice)
    return decide(record, resolution, about: [subject])
  }

  /// Given to the journal also where it changes nothing here: a person decided, whatever this desk believes to be in force. The journal
  /// keeps it if it changes anything there. It is no step of the history then, so `u` behind it takes back the decision that made it what
  /// it is: there is no other to take back, and one that took back nothing would be a key that does nothing.
  private mutating func decide(
    _ record: DecidedConflict, _ resolution: Resolution, about subjects: Set<Subject>, told: String? = nil
  ) -> [DeskEffect] {
    if let told { status = .told(told) }
    let before = history
    if resolution != record.resolution {
      history.record(
        .step(History.Step(id: record.conflict.id, old: record.resolution, new: resolution, time: time.now)))
    }
    return apply(resolution, about: subjects, to: record, before: before)
  }

  mutating func undo() -> [DeskEffect] {
    if isRehearsing, !isOfRehearsal(history.lastAct) {
      return tell("Nothing of this rehearsal is left to undo.")
    }
    return switch history.lastAct {
    case nil:
      history.wantsEarlier
        ? [.readEarlier(withOwn: history.asksForOwn, olderThan: history.earlier.oldest)] : readLastWrite()
    case .step(let step)?:
      take(step, step.isForgetting ? "Decided again" : "Taken back", from: step.new, to: step.old, .undo) {
        $1 ? $0.undo() : $0.drop()
      }
    case .bulk(let bulk)?:
      startWork(.takeBack(Array(bulk.changes.values)), whose: whose(bulk.time))
    }
  }

  private var isRehearsing: Bool { top.record == WalkthroughPage.rehearsal }

  private func isOfRehearsal(_ act: History.Act?) -> Bool {
    if case .step(let step)? = act { step.id == WalkthroughPage.rehearsal } else { false }
  }

  mutating func redo() -> [DeskEffect] {
    if isRehearsing, !isOfRehearsal(history.undone.last) {
      return tell("Nothing of this rehearsal was taken back.")
    }
    return switch history.undone.last {
    case nil: tell(wordsOfNoRedo)
    case .step(let step)?:
      take(step, "Done again", from: step.old, to: step.new, .redo) { $1 ? $0.redo() : $0.dropUndone() }
    case .bulk(let bulk)?: startWork(.takeAgain(Array(bulk.changes.values)))
    }
  }

  /// What else may have been taken back, each by its own key.
  private var wordsOfNoRedo: String {
    let canMend = list.findings.contains { $0.canBeMended != nil }
    let ways = [
      list.ready.isEmpty ? nil : "A write that was taken back is done again by \(key(.review))",
      canMend ? "A mend that was taken back is done again by \(key(.mend, on: .list))" : nil,
    ].compactMap(\.self)
    return ways.isEmpty
      ? "Nothing to redo." : "No decision was taken back. \(ways.joined(separator: ". "))."
  }

  /// - Parameters:
  ///   - old: what has to stand for that: what somebody else decided since is no part of the step.
  ///   - change: whether the step is done, or dropped.
  private mutating func take(
    _ step: History.Step, _ verb: String, from old: Resolution, to new: Resolution, _ command: Command,
    _ change: (inout History, Bool) -> Void
  ) -> [DeskEffect] {
    guard let record = open[step.id] else {
      return wait(for: step.id, command) + [.open(id: step.id)]
    }
    let before = history
    let subjects = step.subjects.filter { record.resolution[$0] == old[$0] }
    change(&history, !subjects.isEmpty)
    if subjects.isEmpty { return tell(wordsOfOther(step)) }
    hasAskedAgain = false
    let taken = record.resolution.taking(subjects, from: new)
    let effects = show(step, verb) + apply(taken, about: subjects, to: record, before: before)
    // It may be in the list again by that.
    goToRow(of: step.id)
    return effects
  }

  private func wordsOfOther(_ step: History.Step) -> String {
    "\(shownTitle(of: step.id)): \(names(of: step)) stands otherwise by now, and stays so."
  }

  private mutating func goToRow(of id: String) {
    if let position = list.position(of: id) { list.moveCursor(to: position) }
  }

  /// Over the page on top; the list's cursor is on its row when somebody comes back there.
  mutating func open(_ page: RecordPage) -> [DeskEffect] {
    goToRow(of: page.id)
    pages.append(.record(page))
    return []
  }

  /// Goes to the record and the field whose decision changes, so that nothing changes unseen.
  private mutating func show(_ step: History.Step, _ verb: String) -> [DeskEffect] {
    goToRow(of: step.id)
    if case .value(let page)? = pages.last,
      !page.id.hasSameBytes(as: step.id) || !step.subjects.contains(.field(page.field))
    {
      pages.removeLast()
    }
    if case .record(var page)? = pages.last {
      if !page.id.hasSameBytes(as: step.id) { page = RecordPage(id: step.id) }
      if step.subjects.count == 1, case .field(let name)? = step.subjects.first { page.field = name }
      pages[pages.count - 1] = .record(page)
    }
    return tell("\(verb): \(shownTitle(of: step.id)): \(names(of: step))\(whose(step.time))")
  }

  /// The record itself first, then the fields in their order.
  private func names(of step: History.Step) -> String {
    let fields = open[step.id]?.conflict.fields.map { Subject.field($0.name) } ?? []
    let known = ([.record] + fields).filter(step.subjects.contains)
    let others = step.subjects.subtracting(known).sorted { $0.name < $1.name }
    return (known + others).map(privacy.words).joined(separator: ", ")
  }

  /// - Parameter decided: when it was. Nanoseconds since 1970.
  private func whose(_ decided: Int64) -> String {
    if history.isOwn(decided) { return "" }
    let isEarlier = decided < startedAt || history.isOfBefore(decided)
    return ", decided \(time.long(decided)) \(isEarlier ? "in an earlier session" : "by another Parley")"
  }

  private mutating func apply(
    _ resolution: Resolution, about subjects: Set<Subject>, to record: DecidedConflict, before: History
  ) -> [DeskEffect] {
    let conflict = record.conflict
    // The same once more leaves a draft that was refused as it was.
    if resolution != record.resolution || !isRefused(conflict.id) { forgetRefusal(of: conflict.id) }
    put(record.deciding(resolution, about: subjects))
    openingAgain.remove(conflict.id)
    unsaved = Unsaved(record: record, history: before, pages: pages)
    history.noteOwn(time.now)
    let decisions = record.decisions(
      about: subjects.sorted { $0.name < $1.name }, in: resolution, at: time.now)
    if decisions.isEmpty || record.isRehearsal { return [] }
    let decided = record.deciding(resolution, about: subjects)
    let isTakenBack = record.draft != nil && decided.draft == nil
    let others = isTakenBack ? readAgain(beside: conflict, comesBack: false) : []
    return [.journal(decisions)] + rehearsal(of: decided) + others
  }

  /// A store with rules of its own may refuse what each side has, such as a key that points to nothing here, and any store a record that
  /// would be made, whose name is taken: it is asked when nothing is left to decide, so that nobody learns that in the review alone.
  private func rehearsal(of record: DecidedConflict) -> [DeskEffect] {
    guard record.conflict.details.notWritable == nil, let draft = record.draft,
      store.words.rules != nil || draft.isOfOwnKind
    else { return [] }
    return [.rehearse(Planned(seen: record.conflict, draft: draft))]
  }

  /// The draft stays as it is, marked as after a review. What was decided otherwise meanwhile is asked about again.
  mutating func take(_ outcome: CheckedWrite.Outcome, ofRehearsal planned: Planned) -> [DeskEffect] {
    let id = planned.seen.id
    if outcome == .fine {
      // What it is told of a key is older than what the store says.
      return (open[id]?.hindrance == nil ? [] : openAgain(id))
        + readAgain(beside: planned.seen, comesBack: planned.draft.action != .delete)
    }
    guard let refusal = outcome.refusal, !isHalf(id), open[id]?.draft == planned.draft else { return [] }
    unwritten[id] = outcome
    let words = "\(shownTitle(of: id)): the store would refuse this draft: \(privacy.words(refusal))"
    return top(ReviewPage.self) == nil ? tell(failed: words) : []
  }

  /// A child that was decided before its parent fits once that is decided.
  mutating func forgetRefusals(of ids: [String]) -> [DeskEffect] {
    changeUnwritten { unwritten in for id in ids where unwritten[id]?.refusal != nil { unwritten[id] = nil } }
    return []
  }

  /// What points to a row that is not here points to something as soon as that is decided to come back, and to nothing again once that is
  /// taken back. Of what the list alone has, what it calls refused for that is read, too, and what it calls undecided for that if the row
  /// comes back, as far as it is soon done.
  private mutating func readAgain(beside parent: RecordConflict, comesBack: Bool) -> [DeskEffect] {
    if parent.hasRow { return [] }
    let read = open.values.map(\.conflict).filter { $0.points(to: parent) }.map(\.id)
    let known = RecordNames(read)
    let refused = unwritten.filter { $0.value.refusal?.isOfMissingRecord == true && !known.contains($0.key) }
    let undecided = comesBack ? list.pointingNowhere.filter { open[$0] == nil } : []
    return (read + (refused.keys.sorted() + undecided).unique.prefix(100)).flatMap { openAgain($0) }
  }

  mutating func put(_ record: DecidedConflict) {
    open[record.conflict.id] = record
    list.replace(record.summary)
  }

  /// A decision that could not be kept was never taken.
  mutating func journalFailed(_ words: String) -> [DeskEffect] {
    if let unsaved {
      put(unsaved.record)
      (history, pages) = (unsaved.history, unsaved.pages)
      goToRow(of: unsaved.record.conflict.id)
    }
    unsaved = nil
    leaveTyped()
    return tell(failed: "Not decided, as it could not be kept: \(words)")
  }
}

extension Resolution {
  /// The same, with the choices of another for `subjects`.
  fileprivate func taking(_ subjects: Set<Subject>, from other: Resolution) -> Resolution {
    var resolution = self
    for subject in subjects { resolution.decide(subject, other[subject]) }
    return resolution
  }
}
