import ArgumentParser
import ExactJSON
import StoreInterface
import Telling

/// `parley apply PATH FILE`: takes decisions that were made elsewhere, and writes nothing to the store.
struct ApplyCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", _superCommandName: Parley.name,
    abstract: "Take decisions made elsewhere, and keep them in the journal.",
    discussion: """
      The file has one JSON object a line, as parley resolve --export prints them. Nothing is written to the store: \
      parley write does that. A line that cannot be read is told with its number, and then none is taken.

      A line decides a field, or without “field” the record as a whole:
        {"id":"…:reminders","field":"title","choice":"server","fingerprint":"…"}
        {"id":"…:reminders","choice":"client","fingerprint":"…"}

      Beside a side a choice may be suggestion: what is suggested of the field here. A decision about what has changed since is not taken, nor one that the record refuses; the others are. A record may \
      be named by the hash that list, show and doctor of the same person print with --redact, so that decisions can be made \
      on a report that shows no value. The fingerprint says what was seen: show --json has one for each field, and one for the record as a \
      whole. A line {"mend":ID} names a finding by its id, the beginning of that, its redacted id, or its record's name (PK:TABLE, TABLE/PK or PK), not by a title: it is \
      looked for, and the command that mends it is printed, with --json on standard error. Of one by which something would be given up a line may have the id as it was shown \
      (kind=1f00c0de:record), as parley doctor PATH ID --mend offers it, and is not taken where it is something else by now; without, what is found now is printed beside it.

      At the end it tells how many decisions were taken, and how much of these records is still open; what was decided so \
      already is “as before”, so that the same file can be applied twice. Of a record that was written since it tells when, and how that is taken back.

      Exits with 0 if all in the file was taken, also where its records have more to decide (parley list tells that), 3 if the \
      file cannot be read, 4 if a record moved, 5 if a decision was refused, or \
      the store would refuse the draft that they make, 130 if Ctrl-C stopped it: what was taken before is kept.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @Argument(
    help: ArgumentHelp("The decisions; - for standard input.", valueName: "file"), completion: .file())
  var file: String
  @Flag(name: .customLong("dry-run"), help: "Tell what would be taken, and keep nothing.")
  var isDryRun = false
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let lines = try DecisionFile(bytes(surroundings)).lines
    let store = try surroundings.open(store.request(isDryRun ? .reading : .writing, suggesting))
    let decisions = lines.compactMap { number, line in
      if case .decision(let given) = line { (number: number, given: given) } else { nil }
    }
    let taken = try take(decisions, in: store, surroundings)
    let mended = try tellMendings(lines, in: store, surroundings)
    if !print.json {
      for words in [taken.words, lines.isEmpty ? "There is no decision in it." : nil].compactMap(\.self) {
        try surroundings.output.print(words)
      }
    }
    return ExitStatus(outcomes: taken.outcomes + mended, isAnythingLeft: false)
  }

  /// What became of all decisions, and how many of each there are.
  private func take(
    _ decisions: [(number: Int, given: GivenDecision)], in store: any ConflictStore,
    _ surroundings: Surroundings
  ) throws -> (outcomes: [CheckedWrite], words: String?) {
    var applied = try AppliedDecisions(decisions, store, surroundings.redaction, now: surroundings.now())
    var (outcomes, tally): ([CheckedWrite], AppliedTally) = ([], AppliedTally())
    let count = RecordCount("Taking", of: "decisions", surroundings, atMost: { decisions.count })
    try Interruption.told(isDryRun ? Interruption.untaken : Interruption.kept, isHeld: true) {
      for batch in Self.batches(decisions) {
        let results = try take(batch, &applied, in: store, count, surroundings)
        let refused = try refusedDrafts(of: applied.taken, in: store, surroundings)
        tally.count(results)
        tally.count(refusedDrafts: refused)
        outcomes += refused + results.map(\.checked)
      }
      let refused = try refusedDrafts(of: applied.takenTogether, in: store, surroundings)
      tally.count(refusedDrafts: refused)
      outcomes += refused
    }
    try count.end()
    return (outcomes, tally.words(isDryRun: isDryRun, open: applied.undecided))
  }

  /// Kept first, and told then. What is only tried is supposed, so that what hangs on it is told as the run does.
  private func take(
    _ batch: [(number: Int, given: GivenDecision)], _ applied: inout AppliedDecisions,
    in store: any ConflictStore, _ count: RecordCount, _ surroundings: Surroundings
  ) throws -> [AppliedDecisions.Result] {
    let (kept, results) = try applied.judge(batch)
    if isDryRun { store.journal.suppose(kept) } else { try store.journal.append(kept) }
    try count.printing(batch.count, to: surroundings.output) {
      for result in results { try tell(result, in: store, surroundings) }
    }
    return results
  }

  private func refusedDrafts(
    of records: [DecidedConflict], in store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> [CheckedWrite] {
    if records.isEmpty { return [] }
    return try isDryRun
      ? surroundings.refusedDrafts(
        of: records, readIn: store, askingIn: self.store.request(.writing, suggesting))
      : store.refusedDrafts(of: records, telling: surroundings)
  }

  /// A pipe that has a name is not waited for, and a shell gives it one: then the way is told that does.
  private func bytes(_ surroundings: Surroundings) throws -> [UInt8] {
    if file == "-" { return try typed(surroundings) }
    do {
      return try parley.bytes(ofFile: file, limit: FileLimit.value)
    } catch StoreError.notAFile(let path, let kind) {
      throw CommandError.decisionsInNoFile(
        path: path, kind: kind, command: "parley apply \(store.quoted) -")
    }
  }

  /// At a terminal it is typed, and a pipe may be waited for as long: who ends it there is told what stands.
  private func typed(_ surroundings: Surroundings) throws -> [UInt8] {
    try Interruption.told(Interruption.untaken) { try surroundings.input.all(limit: FileLimit.value) }
  }

  /// So many at a time, as each time the journal waits for the disk. Those of one record that follow each other stay together.
  private static func batches(
    _ decisions: [(number: Int, given: GivenDecision)]
  ) -> [[(number: Int, given: GivenDecision)]] {
    var batches: [[(number: Int, given: GivenDecision)]] = []
    for decision in decisions {
      let isFull =
        batches.last.map { $0.count >= 500 && !($0.last?.given.record).isName(decision.given.record) } ?? true
      if isFull { batches.append([]) }
      batches[batches.count - 1].append(decision)
    }
    return batches
  }

  private var fine: String { isDryRun ? "wouldDecide" : "decided" }

  private func tell(
    _ result: AppliedDecisions.Result, in opened: any ConflictStore, _ surroundings: Surroundings
  ) throws {
    let place = "line \(result.number): "
    let undo = "parley undo \(store.quoted) \(offered(records: [result.checked.id]))"
    let wayBack = opened.info.wordsOfNoUndo ?? "To take that back: \(undo)"
    let way = result.isWritten ? ". " + wayBack : ""
    try print.tell(
      JSON(result, fine: fine),
      or: [place + result.words(fine: isDryRun ? "would be decided" : "decided") + way], surroundings.output)
    if let odd = result.oddity {
      try surroundings.tell(odd: odd.reason, odd.field, of: place + result.checked.id)
    }
  }
}

/// Findings by name. They are mended by a command of its own, as this one never writes.
extension ApplyCommand {
  private func tellMendings(
    _ lines: [(number: Int, line: DecisionLine)], in store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> [CheckedWrite] {
    var (found, outcomes): ([Finding.ID], [CheckedWrite]) = ([], [])
    for case (let number, .mending(let name)) in lines {
      let (outcome, finding) = try outcome(ofMending: name, in: store, surroundings.redaction)
      outcomes.append(outcome)
      let result = AppliedDecisions.Result(number: number, checked: outcome)
      try print.tell(
        JSON(result, fine: "toMend"), or: ["line \(number): " + result.words(fine: "to mend")],
        surroundings.output)
      if outcome.outcome == .fine, let finding {
        found.append(finding.takesSide ? finding.idAsSeen : finding.id)
        try tellAsNow(finding, namedBy: name, surroundings)
      }
    }
    if !found.isEmpty {
      let names = found.unique.map(shellQuoted).joined(separator: " ")
      try tell(
        beside: ["To mend: parley doctor \(self.store.quoted) \(names) --mend --yes"], surroundings)
    }
    return outcomes
  }

  /// What no object has a place for: with `--json` it stands on standard error.
  private func tell(beside lines: [String], _ surroundings: Surroundings) throws {
    guard print.json else {
      for line in lines { try surroundings.output.print(line) }
      return
    }
    for (index, line) in lines.enumerated() {
      try surroundings.errors.print(index == 0 ? "parley: \(line)" : line)
    }
    try surroundings.errors.flush()
  }

  /// The line may be older than what is there, and the command names the finding as it is now: whoever runs that should have seen it so.
  private func tellAsNow(_ finding: Finding, namedBy name: String, _ surroundings: Surroundings) throws {
    guard finding.takesSide, finding.isSeen(by: name) != true else { return }
    let (output, width) = (surroundings.output, surroundings.width.map { $0 - 2 })
    let words = "Something is given up by that, and the line does not tell as what it was seen. Now it is:"
    let lines = FindingText.lines(
      finding, isNamed: true, .open, width: width, isASCII: output.isASCII, cutSign: output.cutSign)
    let told = HangingLine.lines(of: words, width: width) + lines
    try tell(beside: print.json ? told : told.map { "  " + $0 }, surroundings)
  }

  private func outcome(
    ofMending name: String, in store: any ConflictStore, _ redaction: Redaction
  ) throws -> (CheckedWrite, Finding?) {
    func none(_ outcome: CheckedWrite.Outcome) -> (CheckedWrite, Finding?) {
      (CheckedWrite(id: name, title: "", outcome: outcome), nil)
    }
    do {
      let finding = try store.findings(named: [name], redaction)[0]
      let outcome: CheckedWrite.Outcome =
        finding.canBeMended == nil ? .refused(field: nil, "Parley cannot mend it") : .fine
      return (CheckedWrite(id: finding.id, title: finding.title, outcome: outcome), finding)
    } catch CommandError.unknownFinding {
      return none(.moved("there is no such finding"))
    } catch CommandError.findingMoved {
      return none(.moved("it is not what was shown any more"))
    } catch CommandError.ambiguousFinding(_, let candidates) {
      return none(.refused(field: nil, "it could be several: \(candidates.joined(separator: ", "))"))
    }
  }
}

extension AppliedDecisions.Result {
  init(number: Int, checked: CheckedWrite) { self.init(number: number, checked: checked, field: nil) }

  fileprivate func words(fine: String) -> String {
    let subject = [checked.id, checked.title].filter { !$0.isEmpty }.joined(separator: "  ")
    let about = field.map { "\(subject): \($0)" } ?? subject
    return switch checked.outcome {
    case .fine: "\(isAsBefore ? "as before" : fine): \(about)"
    case .moved(let detail): "not taken: \(about): \(detail)"
    case .refused(_, let detail), .partly(_, let detail), .notKnown(let detail), .notReached(let detail):
      "refused: \(about): \(detail)"
    }
  }
}

extension JSON {
  /// A line of `parley apply --json`. OUTPUT.md tells of every member.
  fileprivate init(_ result: AppliedDecisions.Result, fine: String) {
    self = JSON(members: [
      "line": JSON(result.number), "id": .string(result.checked.id), "title": .string(result.checked.title),
      "field": JSON(result.field), "outcome": .string(result.checked.outcome.word(fine: fine)),
      "detail": result.isAsBefore
        ? .string("as before") : JSON(result.checked.outcome, fine: fine).member("detail") ?? .null,
    ]).adding(JSON(members: result.oddity.map { ["odd": .string($0.reason)] } ?? [:]))
  }
}
