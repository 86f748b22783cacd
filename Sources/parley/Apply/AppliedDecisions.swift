import ExactJSON
import Merging
import StoreInterface
import Telling

/// Decisions that were made elsewhere, on their way into the journal: each is held against what its record is now.
struct AppliedDecisions {
  /// What became of one line.
  struct Result {
    var number: Int
    /// The record's own name, where there is such a record.
    var checked: CheckedWrite
    var field: String?
    /// Whether the journal has it already.
    var isAsBefore = false
    /// Why the app may not be able to read the value that was taken.
    var oddity: Oddity?
    /// Whether its record is not in conflict any more, as it was written.
    var isWritten = false
  }

  struct Oddity {
    var field: String
    var reason: String
  }

  /// A record with what was decided about it so far.
  fileprivate struct Judged {
    var decided: DecidedConflict
    var fingerprints: Fingerprints
    /// By which a report without values may have named what it has.
    let redaction: Redaction
    /// What is noted beside the last decision about each.
    var notes: [Subject: String]
    /// Of its earlier conflicts that were decided and written, what tells them from this one.
    let past: Set<String>
    /// By which a suggestion is meant, where it hangs on what the file makes come back.
    var suggesting: RecordConflict?
  }

  private let store: any ConflictStore
  private let names: GivenNames
  private let redaction: Redaction
  private let now: Int64
  /// The lines that a later one contradicts, with the number of the last of these.
  private let overruled: [Int: Int]
  /// By record, how much of it is still to decide after the last line about it.
  private(set) var undecided: ByRecord<Int> = [:]
  /// The records of the lines that were judged last of which something was taken, but those that are asked about at the end.
  private(set) var taken: [DecidedConflict] = []
  /// What is not here, and what points to something that comes back by the file: of such a record the store can say only once all lines
  /// were judged what a write makes of it.
  var takenTogether: [DecidedConflict] {
    together.sorted { $0.key < $1.key }.map(\.value)
  }
  /// As the last line about each left it.
  private var together: ByRecord<DecidedConflict> = [:]
  /// The lines by the records that they are about.
  private let lines: ByRecord<[(number: Int, given: GivenDecision)]>
  /// Read where a line names what is not in conflict.
  private var written: WrittenRecords?
  /// Whether what is not here comes back by the file, as far as that was asked.
  private var comingBack: [RecordPointer: Bool] = [:]

  /// - Parameter all: the lines that will come, in groups.
  init(
    _ all: [(number: Int, given: GivenDecision)], _ store: any ConflictStore, _ redaction: Redaction,
    now: Int64
  ) throws {
    (self.store, self.redaction, self.now) = (store, redaction, now)
    let names = try GivenNames(all.map(\.given.record), in: store, redaction)
    self.names = names
    lines = ByRecord(grouping: all) { names.onlyID(of: $0.given.record) ?? $0.given.record }
    overruled = AppliedDecisions.overruled(all)
  }

  /// Nobody means two lines that contradict each other: the earlier one is not taken, and told.
  private static func overruled(_ all: [(number: Int, given: GivenDecision)]) -> [Int: Int] {
    var last: [[JSONText?]: (number: Int, given: GivenDecision)] = [:]
    var overruled: [Int: Int] = [:]
    for line in all.reversed() {
      let subject = [line.given.record, line.given.field].map { $0.map { JSONText($0) } }
      if let later = last[subject] {
        if later.given.choice != line.given.choice { overruled[line.number] = later.number }
      } else {
        last[subject] = line
      }
    }
    return overruled
  }

  /// What of these lines can be decided, and what becomes of each.
  mutating func judge(_ lines: [(number: Int, given: GivenDecision)]) throws -> (
    decisions: [Decision], results: [Result]
  ) {
    var records = try records(of: lines.map(\.given.record))
    var (decisions, results): ([Decision], [Result]) = ([], [])
    for (number, given) in lines {
      let (result, made) = try judge(given, of: number, among: &records)
      decisions += made
      results.append(result)
    }
    for (id, record) in records { undecided[id] = record.decided.undecided.count }
    let changed = RecordNames(decisions.map(\.id))
    try sort(records.filter { changed.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value.decided))
    return (decisions, results)
  }

  /// By when the store is asked about them.
  private mutating func sort(_ records: [DecidedConflict]) throws {
    taken = []
    for record in records {
      let pointing = try pointing(record)
      together[record.conflict.id] = nil
      if pointing.hindrance == record.hindrance, record.conflict.hasRow {
        taken.append(record)
      } else {
        together[record.conflict.id] = pointing
      }
    }
  }

  private func records(of given: [String]) throws -> ByRecord<Judged> {
    let ids = given.flatMap { [$0] + names.ids(of: $0) }.unique
    let conflicts = try store.conflicts(ids)
    let decisions = ByRecord(grouping: try store.journal.decisions(for: conflicts.map(\.id)), by: \.id)
    return ByRecord(
      conflicts.map { conflict in
        let made = decisions[conflict.id] ?? []
        let notes = made.reduce(into: [Subject: String]()) { $0[$1.subject] = $1.note }
        var fingerprints = Fingerprints(conflict)
        let past = Set(made.filter(\.mayBeWritten).map(\.fingerprint.conflict))
          .subtracting([fingerprints.ofConflict, ""])
        return (
          conflict.id,
          Judged(
            decided: DecidedConflict(conflict, decisions: made), fingerprints: fingerprints,
            redaction: redaction, notes: notes, past: past)
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func judge(
    _ given: GivenDecision, of line: Int, among records: inout ByRecord<Judged>
  ) throws -> (Result, [Decision]) {
    let unknown = CheckedWrite(id: given.record, title: "", outcome: .fine)
    var result = Result(number: line, checked: unknown, field: given.field)
    do {
      guard let (id, record) = try meant(by: given, among: records) else {
        return (try unmatched(given, of: line), [])
      }
      result.checked = CheckedWrite(id: id, title: record.decided.conflict.title, outcome: .fine)
      let (decisions, oddity) = try take(given, of: line, from: record, among: &records)
      (result.isAsBefore, result.oddity) = (decisions.isEmpty, oddity)
      return (result, decisions)
    } catch let refusal as NotTaken {
      let (id, title) = (result.checked.id, result.checked.title)
      result.checked = CheckedWrite(id: id, title: title, outcome: refusal.outcome)
      return (result, [])
    }
  }

  /// nil where no record of this name is in conflict.
  private func meant(
    by given: GivenDecision, among records: ByRecord<Judged>
  ) throws(NotTaken) -> (id: String, record: Judged)? {
    let meant = ([given.record] + names.ids(of: given.record)).unique.filter { records[$0] != nil }
    guard let id = meant.first, let record = records[id] else { return nil }
    if meant.count > 1, !id.hasSameBytes(as: given.record) {
      throw .refused(given.field, "\(meant.count) records have this hash; give the record's own name")
    }
    return (id, record)
  }

  /// A file that is applied once more, after a write, is about such records.
  private mutating func unmatched(_ given: GivenDecision, of line: Int) throws -> Result {
    var known = try written ?? WrittenRecords(store.journal.entries(limit: .max), in: store.info, redaction)
    defer { written = known }
    guard let last = known.entry(named: given.record) else {
      let outcome = CheckedWrite.Outcome.moved("no record of this name is in conflict")
      let unknown = CheckedWrite(id: given.record, title: "", outcome: outcome)
      return Result(number: line, checked: unknown, field: given.field)
    }
    let words = "it was written at \(TimeText.seconds(last.time)), and is no longer in conflict"
    let checked = CheckedWrite(id: last.record, title: last.title ?? "", outcome: .moved(words))
    return Result(number: line, checked: checked, field: given.field, isWritten: true)
  }

  /// What the journal is to keep of it; nothing where it has that already.
  private mutating func take(
    _ given: GivenDecision, of line: Int, from before: Judged, among records: inout ByRecord<Judged>
  ) throws -> (decisions: [Decision], oddity: Oddity?) {
    if let last = overruled[line] {
      throw NotTaken.refused(given.field, "line \(last) decides the same otherwise")
    }
    var record = before
    record.suggesting = try suggesting(given, before.decided.conflict)
    let decision = try record.judge(given, now).get()
    let verdict = try verdict(on: decision, about: before)
    if case .refused(let words) = verdict {
      throw NotTaken.refused(
        decision?.subject.fieldName, "the write would refuse this value: \(words)")
    }
    records[before.decided.conflict.id] = record
    guard let decision else { return ([], nil) }
    let field = before.decided.conflict.field(ofValueFor: decision.subject)
    return (
      ended(by: decision, before.decided, record.decided) + [decision], oddity(verdict, of: given, field)
    )
  }

  /// It is taken all the same: who gave it may know better. Of a side, or of what is suggested, nothing was given.
  private func oddity(_ verdict: ValueVerdict, of given: GivenDecision, _ field: String?) -> Oddity? {
    guard case .odd(let reason) = verdict, case .value = given.choice, let field else { return nil }
    return Oddity(field: field, reason: reason)
  }

  /// What ends with it, as the journal keeps it; of the decision itself the journal has what was given.
  private func ended(
    by decision: Decision, _ before: DecidedConflict, _ after: DecidedConflict
  ) -> [Decision] {
    before.decisions(about: [decision.subject], in: after.resolution, at: now).filter {
      $0.subject != decision.subject
    }
  }

  /// A value that the write would refuse is refused here, as far as the store can tell now. A side is not asked about: what was accepted
  /// elsewhere with many others is taken as it was, and told by the review and the rehearsal.
  private mutating func verdict(on decision: Decision?, about record: Judged) throws -> ValueVerdict {
    guard let decision, let choice = decision.choice else { return .fits }
    return try verdict(on: choice, for: decision.subject, by: record.decided)
  }

  private mutating func verdict(
    on choice: Choice, for subject: Subject, by record: DecidedConflict
  ) throws -> ValueVerdict {
    let (conflict, field) = (record.conflict, subject.fieldName.flatMap { record.conflict[$0] })
    let value = field?.draft(choice).value
    if let field, let value, conflict.details.unreferenced[field.name]?.contains(value) == true {
      let isComing = try comesBack(value, field, conflict)
      return isComing ? .fits : .refused(DraftRefusal.missing([value], in: field.field.referencedTable))
    }
    if choice.side != nil { return .fits }
    let verdict = try store.verdict(on: choice, for: subject, of: record)
    guard case .refused(let reason) = verdict else { return verdict }
    let isOfMissing = DraftRefusal(field: field?.name, reason: reason).isOfMissingRecord
    if isOfMissing, let field, let value, try comesBack(value, field, conflict) { return .fits }
    return .refused(reason.asClause)
  }
}

/// What comes back by the file itself is something to point to, wherever in the file that is decided.
extension AppliedDecisions {
  /// The same record; what it points to is not missing where the file makes it come back.
  private mutating func pointing(_ record: DecidedConflict) throws -> DecidedConflict {
    var record = record
    while let refusal = record.hindrance, refusal.isOfMissingRecord,
      let field = refusal.field.flatMap({ record.conflict[$0] }), let value = record.draft?[field.name],
      try comesBack(value, field, record.conflict)
    {
      record.conflict.details.unreferenced[field.name]?.remove(value)
    }
    return record
  }

  /// The same conflict, as it suggests what points to that; nil where it makes no difference.
  private mutating func suggesting(
    _ given: GivenDecision, _ conflict: RecordConflict
  ) throws -> RecordConflict? {
    guard case .named(let word) = given.choice, Side(rawValue: word) == nil else { return nil }
    var found: [String: Set<Value>] = [:]
    for (name, values) in conflict.details.unreferenced {
      for value in values {
        guard let field = conflict[name], try comesBack(value, field, conflict) else { continue }
        found[name, default: []].insert(value)
      }
    }
    return found.isEmpty ? nil : conflict.suggesting(pointers: found)
  }

  private mutating func comesBack(
    _ value: Value, _ field: FieldConflict, _ conflict: RecordConflict
  ) throws -> Bool {
    guard let pointer = field.pointer(value) else { return false }
    if let known = comingBack[pointer] { return known }
    let parent = try store.missingRecord(field, value, of: conflict)
    let isComing = try parent.map { try isSaved($0.id) } ?? false
    comingBack[pointer] = isComing
    return isComing
  }

  /// Whether the lines about a record make a draft that saves it. What it points to in turn is asked about by nobody here: so circles end.
  private func isSaved(_ id: String) throws -> Bool {
    guard let lines = lines[id], var record = try records(of: [id])[id] else { return false }
    for (number, given) in lines where overruled[number] == nil { _ = record.judge(given, now) }
    guard record.decided.refusal == nil, case .save? = record.decided.readyWrite?.draft.action else {
      return false
    }
    return true
  }
}

extension AppliedDecisions {
  fileprivate struct NotTaken: Error {
    var outcome: CheckedWrite.Outcome

    static func refused(_ field: String?, _ words: String) -> NotTaken {
      NotTaken(outcome: .refused(field: field, words))
    }
  }
}

extension AppliedDecisions.Judged {
  /// What the journal is to keep; nil if it has that already.
  fileprivate mutating func judge(_ given: GivenDecision, _ now: Int64) -> Result<
    Decision?, AppliedDecisions.NotTaken
  > {
    do throws(AppliedDecisions.NotTaken) {
      return .success(try decision(given, now))
    } catch {
      return .failure(error)
    }
  }

  private mutating func decision(
    _ given: GivenDecision, _ now: Int64
  ) throws(AppliedDecisions.NotTaken) -> Decision? {
    let subject = try subject(given)
    guard let seen = seen(given.fingerprint, subject) else {
      let what = given.field ?? "the record"
      throw AppliedDecisions.NotTaken(outcome: .moved("\(what) is not what it was when this was decided"))
    }
    let isPast = isPast(given.fingerprint)
    if isPast, !isKept(given, subject) {
      throw AppliedDecisions.NotTaken(
        outcome: .moved("this was decided about another conflict of the record"))
    }
    let choice = try choice(given, subject)
    // First, as it holds also where nothing can be decided any more: a draft of it may wait.
    if isKept(choice, for: subject, given.note) { return nil }
    if let refusal = decided.conflict.refusal(of: choice, for: subject) {
      throw .refused(given.field, refusal.words)
    }
    decide(subject, choice, given.note)
    return Decision(
      id: decided.conflict.id, subject: subject, choice: choice, fingerprint: seen,
      decidedAt: now, note: given.note,
      givenUp: KeptGivenUp(decided.conflict.givenUp(by: choice, for: subject)),
      answer: decided.conflict.answer(by: choice, for: subject))
  }

  /// Whether it is in force here already, as what an undo brings back is, so that nobody has to look at it again.
  private func isKept(_ given: GivenDecision, _ subject: Subject) -> Bool {
    guard let choice = try? choice(given, subject) else { return false }
    return isKept(choice, for: subject, given.note)
  }

  private func isKept(_ choice: Choice, for subject: Subject, _ note: String?) -> Bool {
    let isNoted = note == nil || note == notes[subject]
    return isNoted && decided.resolution.inForce[subject].map { $0.isExported(as: choice) } == true
  }

  private mutating func decide(_ subject: Subject, _ choice: Choice, _ note: String?) {
    var resolution = decided.resolution
    resolution.decide(subject, choice)
    decided = decided.deciding(resolution)
    notes[subject] = note
  }

  /// The fingerprint that the journal keeps, also where a report without values told another; nil if something else was seen.
  private mutating func seen(_ given: Fingerprint, _ subject: Subject) -> Fingerprint? {
    let now = fingerprints.ofDecision(about: subject)
    if fingerprints.fit(given, subject) {
      return Fingerprint(subject: given.subject, record: given.record, conflict: now.conflict)
    }
    let told = redaction.privacy.told(now)
    guard told.subject == given.subject else { return nil }
    return Fingerprint(
      subject: now.subject, record: told.record == given.record ? now.record : given.record,
      conflict: now.conflict)
  }

  /// Whether it was made about an earlier conflict with the same values, and has had its say there, or may have had it: here, or on a
  /// replica whose journal nobody has. There are the versions of a file that syncs as a whole, and the leaves of a document, which have the
  /// same ids everywhere, so that of these another one is another conflict in any case.
  private mutating func isPast(_ given: Fingerprint) -> Bool {
    let now = fingerprints.ofConflict
    if !decided.conflict.canWaitBesideAnother, !given.conflict.isEmpty {
      return !isTold(now, as: given.conflict)
    }
    return past.contains { isTold($0, as: given.conflict) }
  }

  /// Also where a report without values tells another one in its place.
  private func isTold(_ conflict: String, as given: String) -> Bool {
    given == conflict
      || given == redaction.privacy.told(Fingerprint(subject: "", conflict: conflict)).conflict
  }

  private func subject(_ given: GivenDecision) throws(AppliedDecisions.NotTaken) -> Subject {
    guard let name = given.field else { return .record }
    let names = decided.conflict.fields.map(\.name)
    if names.contains(where: { $0.hasSameBytes(as: name) }) { return .field(name) }
    // Of an attachment the name is somebody's file, and redacted.
    let redacted = names.filter { redaction.privacy.name($0) == name }
    guard let only = redacted.first, redacted.count == 1 else {
      let isWhole = ["record", "*"].contains(name)
      throw .refused(
        name,
        "the record has no such field" + (isWhole ? "; for the record as a whole, leave “field” out" : ""))
    }
    return .field(only)
  }

  private func choice(_ given: GivenDecision, _ subject: Subject) throws(AppliedDecisions.NotTaken) -> Choice
  {
    switch (given.choice, subject) {
    case (.value(let value, let isMerged), .field(let name)):
      guard value.isAtHand else { throw .refused(name, "of these bytes there is only the hash") }
      return isMerged ? .merged(try typed(value, name)) : .edit(try typed(value, name))
    case (.value(let value, _), .record):
      guard decided.conflict.isWhole, decided.conflict.details.ownValue != nil else {
        throw .refused(nil, "a record as a whole has no value; name an alternative")
      }
      guard value.isAtHand else { throw .refused(nil, "of these bytes there is only the hash") }
      return .edit(value)
    case (.named(let word), .field(let name)):
      if let refusal = refusalOfKey(name) { throw .refused(name, refusal.words) }
      if let side = Side(rawValue: word) { return .take(side) }
      if let choice = suggested(word, name) { return choice }
      if word == "suggestion" { throw .refused(name, "nothing is suggested that could be taken") }
      throw .refused(name, "\(word) is neither client, server, ancestor, suggestion nor value")
    case (.named(let word), .record):
      let meant = decided.conflict.alternatives.first {
        redaction.privacy.name($0, in: decided.conflict) == word
      }
      return decided.conflict.choice(ofWhole: meant?.id ?? word) ?? .alternative(word)
    }
  }

  /// First, as show tells of a key, too, where its value comes from, and of nothing that a person could take.
  private func refusalOfKey(_ name: String) -> ChoiceRefusal? {
    let isWritable = decided.conflict[name]?.field.isWritable
    return decided.conflict.isWhole || isWritable != false ? nil : .notWritable(name)
  }

  /// What is suggested here of a field, by that word or by where show says that it comes from: of a merged value somebody who reads
  /// hashes alone has no other name.
  private func suggested(_ word: String, _ name: String) -> Choice? {
    let conflict = suggesting ?? decided.conflict
    guard let suggestion = conflict[name]?.suggestion,
      word == "suggestion" || suggestion.source?.rawValue == word
    else { return nil }
    return conflict.accepting(.yours, in: Resolution())[.field(name)]
  }

  /// As its column keeps it: who writes 3 for one of reals means 3.0; of a document as that is read.
  private func typed(_ value: Value, _ name: String) throws(AppliedDecisions.NotTaken) -> Value {
    guard let field = decided.conflict[name]?.field, field.form == .column else {
      return value.json.map { Value($0) } ?? value
    }
    do throws(ChoiceRefusal) { return try field.kept(value) } catch { throw .refused(name, error.words) }
  }
}

extension Choice {
  /// Whether a file has it so: of what was put together it has the value alone.
  fileprivate func isExported(as other: Choice) -> Bool {
    if case .parts(let parts) = self, let value = parts.value { return .merged(value) == other }
    return self == other
  }
}

/// Which records the hashes of a redacted report mean.
struct GivenNames {
  private var records: [String: [String]] = [:]

  /// Walks through the store, if any of the names is a hash.
  init(_ names: [String], in store: any ConflictStore, _ redaction: Redaction) throws {
    let hashes = Set(names.filter(RecordSearch.mayBeRedacted))
    guard !hashes.isEmpty else { return }
    try store.forEachSummary { summary in
      for name in redaction.privacy.recordNames(summary) where hashes.contains(name) {
        records[name, default: []].append(summary.id)
      }
    }
  }

  func ids(of name: String) -> [String] { records[name] ?? [] }

  /// nil where the name is no hash, or that of several.
  func onlyID(of name: String) -> String? {
    let ids = ids(of: name)
    return ids.count == 1 ? ids[0] : nil
  }
}
