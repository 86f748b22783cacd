import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// The desk without a screen, for screen readers, dumb terminals and pipes: one question after the other, each answered by a
/// line. Nothing is drawn and no cursor moves. Every decision is durable before the next question is asked, and the end of the
/// input is an end like any other.
final class LinearDesk {
  let store: any ConflictStore
  let surroundings: Surroundings
  let text: LinearText
  /// The records that were undecided when they were read.
  private(set) var ids: [String] = []
  private var place = 0
  /// What was asked and left open.
  private var skipped: Set<LinearQuestion> = []
  /// What is asked about though it is decided, as somebody looked for it.
  private var reopened: Set<LinearQuestion> = []
  /// What `/` looked for last.
  var lookedFor: String?
  /// Whether records before `place` were never asked about.
  private var wraps = false
  /// The records whose sure fields are asked one by one.
  private var singly: RecordNames = []
  var trail: [LinearQuestion] = []
  /// To be asked next, whether it is decided or not.
  var repeated: LinearQuestion?
  /// Whether the next question could not be read.
  private var owesQuestion = false
  private(set) var asked = LinearQuestion.nothingLeft
  /// The record as it was when the question was asked.
  var seen: DecidedConflict?
  /// Whether the ways to decide the whole record have been told, so that a number means one of them.
  private(set) var areWaysTold = false
  /// Whether somebody asked for them, where something else is asked.
  private var hasAskedForWays = false
  private var headed: String?
  /// Oldest first; nil for a write.
  var history: [Step?] = []
  /// What of it came from the journal.
  var earlier = EarlierSpan()
  /// When this session began. Nanoseconds since 1970.
  let startedAt: Int64
  /// When this desk decided, and took back. Nanoseconds since 1970.
  private(set) var ownTimes: Set<Int64> = []
  /// Which sample it is, that is taken away with the desk; nil for a store that stays.
  var sample: DemoKind?

  /// What `u` takes back.
  struct Step {
    struct Part {
      var id: String
      var before: Resolution
      var after: Resolution
      var subjects: [Subject]
    }

    /// One for each record that was decided by the answer.
    var parts: [Part]
    /// When it was decided, if that was not by this desk. Nanoseconds since 1970.
    var earlier: Int64?
  }

  enum Next {
    /// Something was told; the question stays.
    case stay
    /// The next question.
    case goOn
    case quit
  }

  init(store: any ConflictStore, time: TimeText, surroundings: Surroundings) {
    (self.store, self.surroundings, startedAt) = (store, surroundings, surroundings.now())
    text = LinearText(
      time: time, words: store.info.words, isASCII: surroundings.output.isASCII,
      filling: surroundings.opened.filling())
  }

  /// Until the person leaves, or the input ends.
  func run() throws -> ExitStatus {
    try interruptibly { try begin() }
    try askOrTell()
    while let line = try typedLine() {
      switch try taking(line) {
      case .stay: try surroundings.output.flush()
      case .goOn: try askOrTell()
      case .quit: return try end()
      }
    }
    return try end()
  }

  func tell(_ line: String) throws { try surroundings.output.print(SpokenText.naming(line)) }

  func tell(_ lines: [String]) throws { for line in lines { try tell(line) } }

  /// An error, with this store in the commands that it offers.
  func words(_ error: StoreError) -> String { surroundings.opened.filling(error.words) }

  /// The next line, as an answer to what was just told; nil at the end of the input.
  ///
  /// - Throws: ``TypedLine/NotText``
  func answer(_ prompt: String) throws -> String? {
    try tell(prompt)
    try surroundings.output.flush()
    return try typedLine()?.text()
  }

  private func typedLine() throws -> TypedLine? { try interruptibly { try surroundings.input.line() } }

  /// What waits for an answer, or reads what is asked next. Who ends it there is told what stands.
  private func interruptibly<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    try Interruption.told(sample == nil ? Interruption.leftKept : Interruption.leftSample, during: body)
  }

  /// A failing store ends no session: what failed is told, and the question stays.
  private func taking(_ line: TypedLine) throws -> Next {
    do {
      let answer = LinearAnswer(try line.text())
      surroundings.log.note("answer \(LogBook.name(of: answer))")
      return try take(answer)
    } catch let refusal as TypedLine.NotText {
      try tell(refusal.words)
      return .stay
    } catch let unkept as Unkept {
      try tell("Not \(unkept.what), as it could not be kept: \(words(unkept.error))")
      return .stay
    } catch let error as StoreError {
      try tell(words(error))
      return .stay
    }
  }

  /// What the journal did not take was never decided, nor taken back.
  private struct Unkept: Error {
    let what: String
    let error: StoreError
  }

  /// Keeps them in the journal.
  ///
  /// - Parameter what: what is done by that.
  func keep(_ decisions: [Decision], as what: String = "decided") throws {
    do {
      try store.journal.append(decisions)
      ownTimes.formUnion(decisions.map(\.decidedAt))
    } catch let error as StoreError {
      throw Unkept(what: what, error: error)
    }
  }

  /// Where the next question cannot be read an answer is about what was heard last.
  private func askOrTell() throws {
    let heard = (asked, seen, repeated, areWaysTold, hasAskedForWays)
    do {
      try interruptibly { try ask() }
      owesQuestion = false
    } catch let error as StoreError {
      (asked, seen, repeated, areWaysTold, hasAskedForWays) = heard
      seen = seen.map { inForce($0) }
      owesQuestion = true
      try tell("\(words(error)) r asks the next question.")
      try surroundings.output.flush()
    }
  }
}

/// Questions.
enum LinearQuestion: Hashable {
  case ofOne(JSONText, Subject)
  case ofSure(JSONText, [String])
  case nothingLeft

  static func about(_ record: String, _ subject: Subject) -> LinearQuestion {
    .ofOne(JSONText(record), subject)
  }
  /// Those of a record of which every suggestion is sure.
  static func sure(_ record: String, _ fields: [String]) -> LinearQuestion {
    .ofSure(JSONText(record), fields)
  }

  var record: String? {
    switch self {
    case .ofOne(let id, _), .ofSure(let id, _): id.text
    case .nothingLeft: nil
    }
  }

  var subjects: [Subject] {
    switch self {
    case .ofOne(_, let subject): [subject]
    case .ofSure(_, let names): names.map { .field($0) }
    case .nothingLeft: []
    }
  }
}

extension LinearDesk {
  private func begin() throws {
    let (all, ready, open) = try read()
    let info = store.info
    try tell("\(info.name), a store of the kind \(info.kind). \(ListText.count(all, ready: ready))")
    if all == 0, let unseen = store.info.unseen { try tell(unseen) }
    let access = store.access()
    if let reason = access.reason {
      let now = if case .tooNew = access { "" } else { " now" }
      try tell("It can only be read\(now): \(reason). Decisions are kept.")
    }
    try tell(text.open(open) + "? says what can be answered.")
  }

  /// Reads which records are undecided, and begins with the first.
  @discardableResult
  func read() throws -> (all: Int, ready: Int, open: [ListFilter: Int]) {
    var (all, ready, open, undecided) = (0, 0, [ListFilter: Int](), [String]())
    try store.forEachSummary { summary in
      all += 1
      if summary.isReady { ready += 1 }
      guard summary.isOpen else { return }
      undecided.append(summary.id)
      open[ListFilter(counting: summary), default: 0] += 1
    }
    // Not before all are read: of half of them it would be said that nothing else is left.
    (ids, place, headed) = (undecided, 0, nil)
    return (all, ready, open)
  }

  /// After a write the journal is asked again what can be taken back: what was written goes with its write alone.
  func forgetHistory() {
    asksJournal()
    trail = []
  }

  func asksJournal() { (history, earlier) = ([], EarlierSpan()) }

  /// With what this desk has decided since.
  private func inForce(_ record: DecidedConflict) -> DecidedConflict {
    let decisions = try? store.journal.decisions(for: [record.conflict.id])
    return decisions.map { DecidedConflict(record.conflict, decisions: $0) } ?? record
  }

  func decided(_ id: String) throws -> DecidedConflict? {
    guard let conflict = try store.conflictIfAny(id) else { return nil }
    return DecidedConflict(conflict, decisions: try store.journal.decisions(for: [id]))
  }

  private func ask() throws {
    asked = try nextQuestion()
    areWaysTold = asked.subjects == [.record]
    hasAskedForWays = false
    try sayQuestion()
  }

  private func nextQuestion() throws -> LinearQuestion {
    if let repeated {
      self.repeated = nil
      if try isStillAsked(repeated) { return repeated }
    }
    while place < ids.count {
      if let record = try decided(ids[place]), let question = question(record) { return question }
      place += 1
      if place == ids.count, wraps { (place, wraps) = (0, false) }
    }
    return .nothingLeft
  }

  /// Fields are asked about together only as long as each of them is sure, and a record as a whole only if its fields are not.
  private func isStillAsked(_ question: LinearQuestion) throws -> Bool {
    guard let record = try question.record.flatMap({ try decided($0) }) else { return false }
    if question.subjects.contains(.record), !record.conflict.isWhole { return false }
    guard case .ofSure = question else { return true }
    return question.subjects.allSatisfy { record.conflict.sureField($0) != nil }
  }

  /// What a person has to decide comes first, and what is sure together at the end.
  private func question(_ record: DecidedConflict) -> LinearQuestion? {
    let id = record.conflict.id
    let again = record.conflict.subjects.filter { reopened.contains(.about(id, $0)) }
    let open = (record.toDecide + again).unique.filter { !skipped.contains(.about(id, $0)) }
    let sure = singly.contains(id) ? [] : open.compactMap { record.conflict.sureField($0) }
    if sure.count > 1, sure.count == open.count { return .sure(id, sure) }
    let asked = sure.count > 1 ? open.filter { record.conflict.sureField($0) == nil } : open
    return asked.min { record.conflict.order($0) < record.conflict.order($1) }.map { .about(id, $0) }
  }

  private func sayQuestion() throws {
    guard let id = asked.record, let record = try decided(id) else {
      seen = nil
      return try sayNothingLeft()
    }
    if !headed.isName(id) {
      try tell(text.heading(record, place: (ids.place(ofName: id) ?? place) + 1, of: max(ids.count, 1)))
      headed = id
    }
    seen = record
    switch asked {
    case .ofOne(_, .field(let name)):
      try tell(record.conflict[name].map { text.question($0, in: record) } ?? [])
    case .ofOne(_, .record): try tell(text.question(whole: record))
    case .ofSure(_, let names):
      try tell(text.question(sure: names.compactMap { record.conflict[$0] }, in: record))
    case .nothingLeft: break
    }
    try surroundings.output.flush()
  }

  private func sayNothingLeft() throws {
    var (ready, open) = (0, 0)
    try store.forEachSummary { summary in
      if summary.isReady { ready += 1 }
      if summary.isOpen { open += 1 }
    }
    headed = nil
    try tell("")
    try tell(
      (open == 0
        ? "Nothing is left to decide."
        : (open == 1 ? "1 is left open, and was skipped." : "\(open) are left open, and were skipped."))
        + " \(ready == 1 ? "1 draft is" : "\(ready) drafts are") ready.")
    try tell("Choose \(ready > 0 ? "w review and write, " : "")h back, u undo, / find, q quit, ? help:")
    try surroundings.output.flush()
  }
}

extension ConflictSummary {
  fileprivate var isOpen: Bool { !isReady && waitingSince == nil }
}

extension DecidedConflict {
  /// What a person has to decide: where the store refused the draft, what it refused; and what holds no longer, which is asked of the
  /// record as a whole where no version has the field any more.
  var toDecide: [Subject] {
    guard let refusal else {
      return undecided
        + dropped.map { if case .field(let name) = $0, conflict[name] != nil { $0 } else { .record } }.unique
    }
    let refused = refusal.field.map { conflict.subject(ofValueFor: $0) }
    return refused.map { [$0] } ?? conflict.subjects
  }
}

extension RecordConflict {
  /// The name of the field, if what is suggested for it is sure and can be taken.
  fileprivate func sureField(_ subject: Subject) -> String? {
    guard case .field(let name) = subject, self[name]?.suggestion.certainty == .sure,
      accepting(.sure, in: Resolution())[subject] != nil
    else { return nil }
    return name
  }

  fileprivate func order(_ subject: Subject) -> Int { (certainty(of: [subject]) ?? .yours).rawValue }
}

extension LinearDesk {
  private func take(_ answer: LinearAnswer) throws -> Next {
    switch answer {
    case .quit where hasAskedForWays:
      // Who asked for them leaves them by it, as a merge.
      (hasAskedForWays, areWaysTold) = (false, false)
      try sayAgain()
    case .quit: return .quit
    case .help: try sayHelp()
    case .again where owesQuestion: return .goOn
    case .again: try sayAgain()
    case .notUnderstood(let line): try tell(LinearText.noAnswer(line))
    case .write: return try review()
    case .undo: return try undo()
    case .back: return try goBack()
    case .ways: return try sayWays()
    case .givenUp: try sayGivenUp()
    case .inFull: return try sayInFull()
    case .skip, .skipRecord: return try skip(wholeRecord: answer == .skipRecord)
    case .singly: return try askSingly()
    case .family: return try decideFamily()
    case .find(let words): return try find(words)
    case .enter, .suggestion, .take, .edit, .merge, .way, .acceptAll: return try decide(answer)
    }
    return .stay
  }

  private func sayAgain() throws {
    headed = nil
    try sayQuestion()
  }

  private func skip(wholeRecord: Bool) throws -> Next {
    guard let id = asked.record, let record = try decided(id) else { return try nothingHere() }
    let subjects = wholeRecord ? record.toDecide : asked.subjects
    skipped.formUnion(subjects.map { .about(id, $0) })
    if wholeRecord {
      reopened = reopened.filter { !$0.record.isName(id) }
      try goToNextRecord(after: id)
    }
    return moveOn()
  }

  /// The next that is open in the order of the list, though it may have been left open on the way to what was taken back.
  private func goToNextRecord(after id: String) throws {
    guard let here = ids.place(ofName: id) else { return }
    for next in ids.indices.dropFirst(here + 1) {
      guard let open = try decided(ids[next])?.toDecide, !open.isEmpty else { continue }
      return ask(again: open, of: ids[next], at: next)
    }
  }

  private func askSingly() throws -> Next {
    guard seen != nil else { return try nothingHere() }
    guard case .ofSure(let id, _) = asked else {
      let isWhole = asked.subjects == [.record]
      try tell(
        isWhole
          ? "The record is decided as a whole. o lists the ways." : "One field is asked here already.")
      return .stay
    }
    singly.insert(id.text)
    return .goOn
  }

  private func goBack() throws -> Next {
    guard let last = trail.popLast() else {
      try tell("There is no question before this one.")
      return .stay
    }
    ask(again: last)
    return .goOn
  }

  func nothingHere() throws -> Next {
    try tell("There is nothing to decide here. h goes back, q leaves.")
    return .stay
  }

  func ask(again question: LinearQuestion) {
    repeated = question
    if let record = question.record { ask(again: question.subjects, of: record) }
  }

  /// In the order of the way in.
  func ask(again subjects: [Subject], of record: String) {
    skipped.subtract(subjects.map { .about(record, $0) })
    // All of it was decided when the records were read, and is not any more.
    if ids.place(ofName: record) == nil { ids.insert(record, at: min(place, ids.count)) }
    place = min(place, ids.place(ofName: record) ?? place)
  }

  /// Of many records, in the order of the list.
  func readAgain(asking parts: [Step.Part]) throws {
    skipped.subtract(parts.flatMap { part in part.subjects.map { .about(part.id, $0) } })
    try read()
  }

  private func ask(again subjects: [Subject], of record: String, at index: Int) {
    skipped.subtract(subjects.map { .about(record, $0) })
    place = index
  }

  /// First what is open of it; what is decided only if nothing is.
  func ask(found record: DecidedConflict) {
    let id = record.conflict.id
    let open = record.toDecide
    if open.isEmpty {
      reopened.formUnion(record.conflict.subjects.map { .about(id, $0) })
      singly.insert(id)
    }
    if ids.place(ofName: id) == nil { ids.insert(id, at: min(place, ids.count)) }
    wraps = true
    ask(again: open.isEmpty ? record.conflict.subjects : open, of: id, at: ids.place(ofName: id) ?? place)
  }

  func moveOn() -> Next {
    trail.append(asked)
    if let id = asked.record { reopened.subtract(asked.subjects.map { .about(id, $0) }) }
    return .goOn
  }

  private func sayWays() throws -> Next {
    guard let seen else { return try nothingHere() }
    let ways = text.ways(seen.conflict)
    areWaysTold = !ways.isEmpty
    hasAskedForWays = areWaysTold && asked.subjects != [.record]
    let none = store.info.wordsWithoutWays(isWhole: seen.conflict.isWhole)
    try tell(
      ways.isEmpty
        ? [none]
        : ways
          + [
            hasAskedForWays ? "A number takes one, q leaves them." : "A number takes one.",
            store.info.notBoth,
          ].compactMap(\.self))
    if isMergeable { try tell("In this text m goes through the changes, and can keep both sides' words.") }
    return .stay
  }
}
