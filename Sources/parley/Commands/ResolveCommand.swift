import ArgumentParser
import ExactJSON
import Merging
import StoreInterface
import Telling

/// `parley resolve PATH [RECORD…]`: decides, and writes nothing to the store.
struct ResolveCommand: ParleyCommand {
  enum Acceptance: String, CaseIterable, ExpressibleByArgument {
    case sure, clock, all

    /// The weakest certainty that is accepted.
    var least: Certainty {
      switch self {
      case .sure: .sure
      case .clock: .byClock
      case .all: .yours
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "resolve", _superCommandName: Parley.name,
    abstract: "Decide fields, and keep the decisions in the journal.",
    discussion: """
      Nothing is written to the store: parley write does that.

      --accept takes the suggestions for what is still open: sure ones only; clock for those the times decide, too; \
      or all. What cannot be taken stays open, and so does a field for which nothing is suggested.

      --set decides one field, and can be repeated. It comes before --accept, and if one of several is refused, \
      nothing is kept. The value is client, server or ancestor; or a value of the field's type, which is refused here if the \
      write would refuse it, as far as that is known now: a key that points to nothing, CHECK, UNIQUE. Forms that mean the \
      same in any field:
        text:WORDS  integer:3  real:0.5  null:  json:[1,true]  blob:00ff  file:PATH
      so that title=text:client is the word client. Of a document stock=leaf:2-65030c is what that leaf has, by its id or the beginning of that. The whole record, so always where one side deleted it: record=client, record=server, or another name that parley show tells. \
      Of these the same in every store, where a record has them: keep (the local edit), accept (what the server has), delete, and both, of which parley show tells what it does. Who decides a field afterwards takes that back.

      --find decides the records that list --find would list, each as if it were named: --find table:tags --accept clock, \
      or --find 'is:decide field:notes' --set notes=server. --set needs names or that, so that nobody decides all unawares.

      A record whose name begins with - comes last, behind --: parley resolve PATH --accept all -- -x:things

      --forget takes back all decisions on these records, also those that no longer hold because something changed.

      --export decides nothing: it prints the decisions in force, one JSON object a line, for parley apply on another copy \
      of the store.

      Exits with 0 if nothing is left undecided among the records asked for (without records: all), 1 if something \
      is, 5 if a decision is refused, or the store would refuse the draft of a record that was named, 130 if Ctrl-C stopped it: \
      what was decided before is kept.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @OptionGroup var records: RecordOptions
  @Option(help: "Take the suggestions that are at least this certain: sure, clock or all.")
  var accept: Acceptance?
  @Option(
    name: .customLong("set"), help: ArgumentHelp("Decide one field.", valueName: "field=value"),
    completion: RecordCompletion.ofChoices)
  var choices: [String] = []
  @Flag(name: .customLong("forget"), help: "Take back the decisions.")
  var forgets = false
  @Flag(name: .customLong("export"), help: "Print the decisions in force, for parley apply.")
  var exports = false
  @Flag(
    name: .customLong("family"),
    help: "Their families too: what is in conflict and they point to, and what points to any of these.")
  var takesFamilies = false
  @Option(help: "Why, for the journal.")
  var note: String?
  @Flag(name: .customLong("dry-run"), help: "Print the drafts, and keep nothing.")
  var isDryRun = false
  @OptionGroup var print: OutputOptions
  /// Once the store is open.
  var meant = MeantRecords.all

  func check() throws {
    try records.check(store)
    let decides = accept != nil || !choices.isEmpty
    if exports && (decides || forgets) {
      throw ValidationError("--export goes without --accept, --set and --forget: it prints what is decided.")
    }
    if exports, note != nil {
      throw ValidationError("--note goes without --export: it stands beside what is newly decided.")
    }
    if !decides && !forgets && !exports {
      throw ValidationError("Say what to decide: --accept sure|clock|all, --set field=value, or --forget.")
    }
    if takesFamilies && !records.areGiven {
      throw ValidationError(
        "--family goes with the names of records, or with --find: without either, all are meant anyway.")
    }
    if decides && forgets { throw ValidationError("--forget goes without --accept and --set.") }
    if let choice = choices.first(where: { !ChoiceArgument(text: $0).isWellFormed }) {
      throw ValidationError("--set takes field=value, not '\(choice)'.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    guard choices.isEmpty || records.areGiven else { throw CommandError.recordNeeded }
    let store = try surroundings.open(store.request(isDryRun || exports ? .reading : .writing, suggesting))
    var command = self
    command.meant = try records.meant(in: store, of: self.store, interrupted: nothingDone, surroundings)
    guard takesFamilies else { return try command.decide(in: store, surroundings) }
    command = try command.withFamilies(in: store, surroundings)
    let status = try command.decide(in: store, surroundings)
    if !exports, !forgets { try command.tellContradictions(in: store, surroundings) }
    return status
  }

  /// What becomes of it where it is interrupted before the first record is read.
  private var nothingDone: String {
    exports ? Interruption.unchanged : forgets ? Interruption.unforgotten : Interruption.untaken
  }

  private func decide(in store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    if exports { return try export(store, surroundings) }
    if forgets { return try forget(store, surroundings) }
    return try Interruption.told(isDryRun ? Interruption.untaken : Interruption.kept, isHeld: true) {
      choices.isEmpty ? try acceptInTurn(store, surroundings) : try decideTogether(store, surroundings)
    }
  }

  /// What is accepted of one record after the other.
  private struct Turn {
    var changes: [(before: DecidedConflict, after: DecidedConflict)] = []
    /// What points to nothing so far, and may point to something once all the others are decided.
    var last: [String] = []
    var newly = 0
    var isAnythingLeft = false
    var isRefused = false
    /// One act, of one time: u takes it back as such. What others have kept in the journal meanwhile came before the rest of it.
    var now: Int64
    var traces: [Int64]
  }

  /// So many records at a time, as there may be more than memory should hold, and each time the journal waits for the
  /// disk.
  private func acceptInTurn(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    var turn = Turn(now: surroundings.now(), traces: store.journal.traces())
    let isAll = meant.isAll
    let count = RecordCount("Deciding", surroundings, atMost: { isAll ? try store.estimatedCount() : nil })
    var isEmpty = true
    try store.forEachConflict(meant, surroundings.redaction) { before in
      isEmpty = false
      let after = try deciding(before, naming(surroundings))
      if after.waitsForWhatComesBack {
        turn.last.append(before.conflict.id)
      } else {
        try add(before, after, to: &turn, in: store, count, surroundings)
      }
    }
    try endPass(&turn, in: store, count, surroundings)
    if isEmpty, records.find == nil { try surroundings.tellUnseen(in: store.info) }
    try store.forEachConflict(turn.last) { before in
      try add(before, deciding(before, naming(surroundings)), to: &turn, in: store, count, surroundings)
    }
    if !turn.last.isEmpty { try endPass(&turn, in: store, count, surroundings) }
    if turn.newly == 0 { try tellNoteUnkept(surroundings) }
    return turn.isRefused ? .refused : turn.isAnythingLeft ? .left : .nothingLeft
  }

  /// Behind all that were met: what was refused before may fit now, and what waits for it come back.
  private func endPass(
    _ turn: inout Turn, in store: any ConflictStore, _ count: RecordCount, _ surroundings: Surroundings
  ) throws {
    if !turn.changes.isEmpty { try end(&turn, in: store, count, surroundings) }
    try count.end()
    if isDryRun || !meant.isAll { return }
    try store.askAgain(telling: surroundings)
    turn.traces = store.journal.traces()
  }

  private func add(
    _ before: DecidedConflict, _ after: DecidedConflict, to turn: inout Turn, in store: any ConflictStore,
    _ count: RecordCount, _ surroundings: Surroundings
  ) throws {
    turn.isAnythingLeft = turn.isAnythingLeft || !after.isDecided
    turn.changes.append((before, after))
    if turn.changes.count == RecordCount.step { try end(&turn, in: store, count, surroundings) }
  }

  /// Keeps what was decided in it, tells it, and begins the next.
  private func end(
    _ turn: inout Turn, in store: any ConflictStore, _ count: RecordCount, _ surroundings: Surroundings
  ) throws {
    if store.journal.traces() != turn.traces { turn.now = surroundings.now() }
    turn.newly += try keep(turn.changes, at: turn.now, in: store)
    turn.traces = store.journal.traces()
    // What is decided is kept, and told before the line of how far that is stands on the terminal again.
    try count.end()
    turn.isRefused = try tellAll(turn.changes, of: store, surroundings) || turn.isRefused
    // What the store refused of those that are named is noted in the journal, too.
    if !meant.isAll { turn.traces = store.journal.traces() }
    try count.add(turn.changes.count)
    turn.changes = []
  }

  /// All or nothing, since a refusal of the last decision must not leave the first in force.
  private func decideTogether(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    var changes: [(before: DecidedConflict, after: DecidedConflict)] = []
    try store.forEachConflict(meant, surroundings.redaction) {
      changes.append(($0, try judged(deciding($0, naming(surroundings)), in: store, surroundings)))
    }
    let newly = try keep(changes, at: surroundings.now(), in: store)
    let isRefused = try tellAll(changes, of: store, surroundings)
    if newly == 0 { try tellNoteUnkept(surroundings) }
    if isRefused { return .refused }
    return changes.contains { !$0.after.isDecided } ? .left : .nothingLeft
  }

  /// By which leaves and attachments may be named: only who names something by a hash needs the key.
  func naming(_ surroundings: Surroundings) -> Privacy {
    choices.contains { $0.contains("#") } ? surroundings.redaction.privacy : .open
  }

  func deciding(_ before: DecidedConflict, _ privacy: Privacy) throws -> DecidedConflict {
    var (resolution, subjects) = (before.resolution, Set<Subject>())
    for choice in choices {
      let decision = try ChoiceArgument(text: choice).decision(for: before.conflict, privacy)
      resolution.decide(decision.subject, decision.choice)
      subjects.insert(decision.subject)
    }
    if let accept { resolution = before.conflict.accepting(accept.least, in: resolution) }
    return before.deciding(resolution, about: subjects)
  }

  /// What the write would refuse is refused here, as far as the store can tell now.
  private func judged(
    _ decided: DecidedConflict, in store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> DecidedConflict {
    let conflict = decided.conflict
    for choice in choices {
      let decision = try ChoiceArgument(text: choice).decision(for: conflict, naming(surroundings))
      guard let field = conflict.field(ofValueFor: decision.subject) else { continue }
      switch try store.verdict(on: decision.choice, for: decision.subject, of: decided) {
      case .odd(let reason) where decision.choice.side == nil:
        try surroundings.tell(odd: reason, field, of: conflict.id)
      case .fits, .odd, .notKnown: break
      case .refused(let reason):
        throw CommandError.valueRefused(record: conflict.id, field: field, reason: reason)
      }
    }
    return decided
  }

  /// - Returns: how many decisions are new.
  private func keep(
    _ changes: [(before: DecidedConflict, after: DecidedConflict)], at now: Int64,
    in store: any ConflictStore
  ) throws -> Int {
    let decisions = changes.flatMap { before, after in
      before.decisions(
        about: after.subjects(differingFrom: before), in: after.resolution, at: now, note: note)
    }
    if isDryRun {
      suppose(decisions, of: changes.map(\.after.conflict), in: store)
    } else if !decisions.isEmpty {
      try store.journal.append(decisions)
    }
    return decisions.count
  }

  /// So that what hangs on these is told as the run decides it: what points to a record that would come back, and, of records that are
  /// named, which the store is asked about, also what one that is to go waits for. Of all nothing is asked, so that those are enough of
  /// which a missing record is made.
  private func suppose(
    _ decisions: [Decision], of conflicts: [RecordConflict], in store: any ConflictStore
  ) {
    let missing = RecordNames(conflicts.filter { !$0.hasRow }.map(\.id))
    store.journal.suppose(decisions.filter { !meant.isAll || missing.contains($0.id) })
  }

  /// A note stands beside a decision, and what is decided already is not decided anew.
  private func tellNoteUnkept(_ surroundings: Surroundings) throws {
    guard note != nil else { return }
    try surroundings.errors.print(
      "parley: Nothing new was decided, so the note is not kept. To decide anew with it: --forget first.")
    try surroundings.errors.flush()
  }

  private func tell(
    _ before: DecidedConflict, _ after: DecidedConflict, of store: any ConflictStore,
    _ surroundings: Surroundings
  ) throws {
    let (subjects, output) = (after.subjects(newlyInForceFrom: before), surroundings.output)
    let draft = DraftText(decided: after, record: store.info.words.record, isASCII: output.isASCII)
    try print.tell(
      JSON(draftOf: after, newly: subjects),
      or: draft.lines(width: surroundings.width)
        + Self.takenBack(before, after) + Self.stillRefused(subjects.isEmpty ? before.refusal : nil),
      output)
  }

  /// Who decides a field takes back what was decided of the whole record, without having named that.
  private static func takenBack(_ before: DecidedConflict, _ after: DecidedConflict) -> [String] {
    before.resolution[.record] != nil && after.resolution[.record] == nil
      ? ["  \(after.conflict.nameOfTheWhole): taken back"] : []
  }

  /// Each with what the store says to it, which is asked first, so that no line calls ready what it would refuse.
  ///
  /// - Returns: whether the store would refuse any.
  private func tellAll(
    _ changes: [(before: DecidedConflict, after: DecidedConflict)], of store: any ConflictStore,
    _ surroundings: Surroundings
  ) throws -> Bool {
    let refused = try refusedDrafts(of: changes.map(\.after), by: store, surroundings)
    let refusals = ByRecord(refused.map { ($0.id, $0.outcome.refusal) }) { first, _ in first }
    for (before, after) in changes {
      var after = after
      if let refusal = refusals[after.conflict.id] { after.refusal = refusal }
      try tell(before, after, of: store, surroundings)
    }
    try surroundings.output.flush()
    return !refused.isEmpty
  }

  /// Of all, which may be many, the write's dry run tells it.
  private func refusedDrafts(
    of drafts: [DecidedConflict], by store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> [CheckedWrite] {
    if meant.isAll { return [] }
    if !isDryRun { return try store.refusedDrafts(of: drafts, telling: surroundings) }
    return try surroundings.refusedDrafts(
      of: drafts, readIn: store, askingIn: self.store.request(.writing, suggesting))
  }

  /// The same once more makes the same draft.
  private static func stillRefused(_ refusal: DraftRefusal?) -> [String] {
    refusal.map { ["  stays refused: \(Privacy.open.words($0))"] } ?? []
  }
}

extension ResolveCommand {
  private func forget(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    let forgetting = try forgetting(store, surroundings)
    // One act of the journal, which is not left half way; a second Ctrl-C ends it, and then nothing is taken back.
    if !isDryRun, !forgetting.decisions.isEmpty {
      try Interruption.heard { _ in try store.journal.append(forgetting.decisions) }
    }
    return try Interruption.told(isDryRun ? Interruption.unforgotten : Interruption.forgotten, isHeld: true) {
      for (after, subjects) in forgetting.records { try tell(after, forgotten: subjects, surroundings) }
      if forgetting.records.isEmpty, !print.json {
        try surroundings.output.print("There was no decision to take back.")
      }
      return forgetting.isAnythingLeft ? .left : .nothingLeft
    }
  }

  private struct Forgetting {
    /// That take back what was decided.
    var decisions: [Decision] = []
    var records: [(after: DecidedConflict, subjects: [Subject])] = []
    var isAnythingLeft = false
  }

  private func forgetting(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> Forgetting {
    let now = surroundings.now()
    var all = Forgetting()
    try forEachConflict(of: store, "Reading what is decided", Interruption.unforgotten, surroundings) {
      before, count in
      try count.add()
      // Its draft would be applied, or sent, all the same. Who names none means those that can be.
      if before.conflict.details.waitingSince != nil {
        if meant.isAll { return }
        throw StoreError.refusedChoice(
          record: before.conflict.id, field: nil, before.conflict.refusalOfWaiting)
      }
      let subjects = before.decidedSubjects
      let after = DecidedConflict(before.conflict, decisions: [])
      all.isAnythingLeft = all.isAnythingLeft || !after.undecided.isEmpty
      all.decisions += before.conflict.decisions(about: subjects, in: Resolution(), at: now, note: note)
      if !subjects.isEmpty { all.records.append((after, subjects)) }
    }
    return all
  }

  /// Those that are asked for, before anything is changed.
  private func forEachConflict(
    of store: any ConflictStore, _ words: String, _ interrupted: String, _ surroundings: Surroundings,
    _ body: (DecidedConflict, RecordCount) throws -> Void
  ) throws {
    let most = { meant.isAll ? try store.estimatedCount() : nil }
    try surroundings.reading(words, atMost: most, interrupted: interrupted) { count in
      try store.forEachConflict(meant, surroundings.redaction) {
        try StoreCall.current.check(store.info.path)
        try body($0, count)
      }
    }
  }

  private func tell(
    _ after: DecidedConflict, forgotten subjects: [Subject], _ surroundings: Surroundings
  ) throws {
    let names = subjects.map(\.wholeName).joined(separator: ", ")
    try print.tell(
      JSON(draftOf: after, newly: subjects, areForgotten: true),
      or: ["\(after.conflict.id)  \(after.conflict.title): taken back: \(names)"], surroundings.output)
  }
}

extension ResolveCommand {
  private func export(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    var isAnythingLeft = false
    try forEachConflict(of: store, "Exporting", Interruption.unchanged, surroundings) { decided, count in
      isAnythingLeft = isAnythingLeft || !decided.isDecided
      try count.printing(to: surroundings.output) { try export(decided, of: store, surroundings) }
    }
    return isAnythingLeft ? .left : .nothingLeft
  }

  private func export(
    _ decided: DecidedConflict, of store: any ConflictStore, _ surroundings: Surroundings
  ) throws {
    guard !decided.resolution.isEmpty else { return }
    let all = try store.journal.decisions(for: [decided.conflict.id])
    let inForce = decided.conflict.own(of: all).filter {
      decided.resolution.inForce[$0.subject] == $0.choice && $0.choice != nil
    }
    // About an earlier one, of which it still holds, the same may have been decided.
    let last = Dictionary(inForce.enumerated().map { ($1.subject, $0) }, uniquingKeysWith: { $1 })
    for (place, decision) in inForce.enumerated() where last[decision.subject] == place {
      if let line = JSON(exported: decision) { try surroundings.output.print(line) }
    }
  }
}

extension DecidedConflict {
  /// Whether a key of it points to nothing, so that it may be decided otherwise once that is decided to come back. What comes back itself
  /// has no such key.
  fileprivate var waitsForWhatComesBack: Bool {
    !conflict.details.unreferenced.isEmpty && (!undecided.isEmpty || hindrance?.isOfMissingRecord == true)
  }

  /// What a decision was taken on, be it in force or not, or of an earlier conflict that waits, in the order of their names.
  fileprivate var decidedSubjects: [Subject] {
    Set(Array(resolution.choices.keys) + (outdated + kept).map(\.subject)).sorted { $0.name < $1.name }
  }

  /// What is decided otherwise here than in `other`, in the order of the fields.
  fileprivate func subjects(differingFrom other: DecidedConflict) -> [Subject] {
    inOrder(resolution.difference(from: other.resolution))
  }

  /// What counts here and did not, or not so, in `other`: also what was decided of a field before the record was as a whole, once that
  /// is taken back.
  fileprivate func subjects(newlyInForceFrom other: DecidedConflict) -> [Subject] {
    let inForce = resolution.inForce
    return inOrder(inForce.difference(from: other.resolution.inForce)).filter { inForce[$0] != nil }
  }

  private func inOrder(_ subjects: Set<Subject>) -> [Subject] {
    ([.record] + conflict.fields.declared.map { .field($0.name) }).filter { subjects.contains($0) }
  }
}
