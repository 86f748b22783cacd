import ArgumentParser
import ExactJSON
import Journals
import StoreInterface
import Telling

/// `parley doctor PATH [ID…]`: what is stuck, why, and what mends it.
struct DoctorCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: Parley.name,
    abstract: "Find what is stuck in a store, say why, and mend what can be mended.",
    discussion: """
      Without --mend it never writes to the store. Every finding has what the files show, its cause, where values would be overwritten these and what would take their place, what mends it, and \
      an id, of which any beginning that fits no other will do; where Parley can mend it, it says how. --mend --yes does that for the findings named, or for all \
      but those by which something would be given up, as an edit of a side: these have to be named, and the command that is offered then \
      names them as they were shown (kind=1f00c0de:record): what is something else by then is left alone. It is journalled, and parley undo takes it back.

      Of many alike the first are printed in full, and the others counted; --all prints each. In a terminal lines are broken at its \
      width and keys shortened to their end.

      Below the findings, of SQLiteData and SMSyncServer: what waits for upload, in the store's own queue and in the state of its sync engine.

      --redact prints no values: titles and keys become short hashes, by a key that this person alone has: in every report \
      of theirs the same, and nobody else finds a value by trying. Names of tables and fields, times and counts stay.

      Exits with 0 if nothing is stuck, though changes may be on their way, with --mend, too, 1 if something is, 2 with --mend without --yes where something could be mended now, or if a finding that is named is not there, 4 if a finding was gone, or something else, when it \
      was to be mended, 5 if the store refused, 6 if one is mended in part, not known to be mended, or was not reached, 130 if Ctrl-C stopped it before anything was mended.
      """)

  @OptionGroup var store: StoreOptions
  @Argument(
    help: ArgumentHelp("The findings by their ids; without any, all.", valueName: "id"),
    completion: RecordCompletion.ofFindings)
  var ids: [String] = []
  @Flag(help: "Mend the findings that can be mended.")
  var mend = false
  @Option(
    help: ArgumentHelp(
      "Of a row that kept its value against the server's: server gives the row what the server has.",
      valueName: "side"))
  var take: MendedSide?
  @Flag(name: .customLong("yes"), help: "Mend.")
  var isConfirmed = false
  @Option(help: "Why, for the journal.")
  var note: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show so many of the changes that wait.", valueName: "count"))
  var queue = 20
  @Flag(help: "Print no values: hashes in place of titles and keys.")
  var redact = false
  @Flag(name: .customLong("all"), help: "Print every finding in full, however many are alike.")
  var showsAll = false
  @OptionGroup var print: OutputOptions

  func check() throws {
    if ids.contains("") {
      throw ValidationError("The id of a finding is empty. Give one as parley doctor shows it.")
    }
    if queue < 0 { throw ValidationError("--queue takes a number from 0 on.") }
    if isConfirmed && !mend { throw ValidationError("--yes goes with --mend.") }
    if take != nil && (!mend || ids.isEmpty) {
      throw ValidationError(
        "--take goes with --mend and the ids of findings: of each somebody has to want that.")
    }
    if mend && redact {
      throw ValidationError("--redact is for a report, and --mend tells what it writes; use one of them.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(mend ? .writing : .reading))
    return mend ? try mend(store, surroundings) : try show(store, surroundings)
  }

  private func show(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    var (count, fold) = (FindingText.Count(areNamed: !ids.isEmpty), FindingFold())
    let privacy = try surroundings.privacy(isRedacted: redact)
    try look(in: store, telling: privacy, surroundings) { finding, line in
      try line.end()
      count.add(finding)
      try tell(privacy.told(finding, in: store.info), &fold, privacy, surroundings)
    }
    if !print.json {
      for line in fold.lines + [count.words] { try surroundings.output.print(line) }
    }
    if ids.isEmpty { try tellQueue(store, privacy, surroundings) }
    return count.isAnyStuck ? .left : .nothingLeft
  }

  /// For those that were named, or for all, of which the first come at once.
  private func look(
    in store: any ConflictStore, telling privacy: Privacy = .open, _ surroundings: Surroundings,
    _ body: (Finding, ProgressLine) throws -> Void
  ) throws {
    try looking(surroundings) { line in
      ids.isEmpty
        ? try lookForAll(in: store, line, surroundings, body)
        : try lookForNamed(in: store, telling: privacy, line, surroundings, body)
    }
  }

  /// How far it is stands in a line, which whoever prints ends.
  private func looking(_ surroundings: Surroundings, _ look: (ProgressLine) throws -> Void) throws {
    let line = ProgressLine(surroundings)
    let looked = Result { try Interruption.reading(surroundings.opened.unchanged) { try look(line) } }
    try line.end()
    try looked.get()
  }

  private func lookForAll(
    in store: any ConflictStore, _ line: ProgressLine, _ surroundings: Surroundings,
    _ body: (Finding, ProgressLine) throws -> Void
  ) throws {
    var found = 0
    try store.forEachFinding { finding in
      found += 1
      try body(finding, line)
    } endOfPage: { records in
      try StoreCall.current.check(store.info.path)
      try surroundings.output.flush()
      try line.show("Looking for what is stuck: \(Self.words(records)), \(found) found")
    }
  }

  private func lookForNamed(
    in store: any ConflictStore, telling privacy: Privacy, _ line: ProgressLine, _ surroundings: Surroundings,
    _ body: (Finding, ProgressLine) throws -> Void
  ) throws {
    let found = try store.findings(named: ids, surroundings.redaction, telling: privacy) { records in
      try StoreCall.current.check(store.info.path)
      try line.show("Looking for what was named: \(Self.words(records))")
    }
    for finding in found { try body(finding, line) }
  }

  private static func words(_ records: Int) -> String { records == 1 ? "1 record" : "\(records) records" }

  /// In full if it is among the first of its kind, was named, or all are asked for.
  private func tell(
    _ finding: Finding, _ fold: inout FindingFold, _ privacy: Privacy, _ surroundings: Surroundings
  ) throws {
    if print.json { return try surroundings.output.print(JSON(finding, privacy)) }
    guard showsAll || !ids.isEmpty || fold.shows(finding) else { return }
    let output = surroundings.output
    let lines = FindingText.lines(
      finding, isNamed: !ids.isEmpty, privacy, width: surroundings.width, isASCII: output.isASCII,
      cutSign: output.cutSign)
    for line in lines + [""] { try output.print(line) }
  }

  private func tellQueue(_ store: any ConflictStore, _ privacy: Privacy, _ surroundings: Surroundings) throws
  {
    guard store.info.can.contains(.tellUploads) else { return }
    let uploads = privacy.told(try store.uploadQueue(limit: queue))
    let (output, now) = (surroundings.output, surroundings.now())
    try print.tell(
      JSON(uploads),
      or: UploadQueueText.lines(uploads, now: now, width: surroundings.width, cutSign: output.cutSign),
      output)
  }
}

/// Which side mending takes; without it the client's, as its words say.
enum MendedSide: String, ExpressibleByArgument, CaseIterable { case server }

extension DoctorCommand {
  private struct Mendable {
    var chosen: [Finding] = []
    /// Those that would be mended if somebody named them.
    var byName: [Finding.ID] = []
    var others = 0

    var isAnythingLeft: Bool { others > 0 || !byName.isEmpty }

    /// One among all.
    mutating func add(_ finding: Finding) {
      switch (finding.canBeMended != nil, finding.takesSide) {
      case (true, false): chosen.append(finding)
      case (true, true): byName.append(finding.id)
      case (false, _): if !finding.isWaiting { others += 1 }
      }
    }

    /// nil where there are none.
    var wordsOfByName: String? {
      guard let first = byName.first else { return nil }
      let found = byName.count == 1 ? "1 finding can" : "\(byName.count) findings can"
      let more = byName.count == 1 ? "" : " (and \(byName.count - 1) more)"
      return "\(found) be mended if named, as something would be given up: \(first)\(more)"
    }
  }

  private func mend(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    let mendable = try mendable(in: store, surroundings)
    let (chosen, words) = (mendable.chosen, mendable.wordsOfByName)
    if chosen.isEmpty {
      if !print.json {
        try surroundings.output.print(words ?? "Nothing that can be mended was found.")
      }
      return mendable.isAnythingLeft ? .left : .nothingLeft
    }
    guard isConfirmed else { return try rehearse(chosen, in: store, surroundings) }
    for finding in chosen where finding.isOnItsWay { try tellOnItsWay(finding, surroundings) }
    let stuck = chosen.filter { !$0.isOnItsWay }
    if stuck.isEmpty { return .nothingLeft }
    let status = try write(stuck, isAnythingLeft: mendable.isAnythingLeft, to: store, surroundings)
    if !print.json, let words { try surroundings.output.print(words) }
    return status
  }

  /// What is named, or all that can be mended without taking a side.
  private func mendable(in store: any ConflictStore, _ surroundings: Surroundings) throws -> Mendable {
    var mendable = Mendable()
    try look(in: store, surroundings) { finding, _ in
      // Beside those that are named nobody asked for others.
      if ids.isEmpty { mendable.add(finding) } else { try mendable.chosen.append(taken(finding)) }
    }
    return mendable
  }

  private func taken(_ finding: Finding) throws -> Finding {
    guard take == .server else { return finding }
    guard let other = finding.takingServer else { throw CommandError.noOtherSide(finding.id) }
    return other
  }

  private func rehearse(
    _ findings: [Finding], in store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    // As whoever confirms would be told: what cannot be done now is not offered.
    if findings.contains(where: { $0.canBeMended != nil }) {
      try CommandError.ofNoDraft(by: "doctor --mend") { try store.checkWritable() }
    }
    var fold = FindingFold()
    var count = FindingText.Count(areNamed: !ids.isEmpty)
    for finding in findings {
      count.add(finding)
      try tell(finding, &fold, .open, surroundings)
    }
    if !print.json { for line in fold.lines { try surroundings.output.print(line) } }
    if count.mendable > 0 {
      throw CommandError.mendingNeedsYes(
        findings: count.mendable, arguments: naming(findings, in: store.info, surroundings))
    }
    if !print.json { try surroundings.output.print(count.words) }
    return count.isAnyStuck ? .left : .nothingLeft
  }

  /// The command as it was given, where what gives something up is named as it was shown: by then it may be something else.
  private func naming(_ findings: [Finding], in store: StoreInfo, _ surroundings: Surroundings) -> [String] {
    // The side is told by --take, and an id has room for one of the two.
    let seen = take == nil ? findings : findings.map(\.ofEitherSide)
    return surroundings.arguments.enumerated().map { place, given in
      let isNote = place > 0 && surroundings.arguments[place - 1] == "--note"
      guard ids.contains(given), !isNote,
        let meant = seen.meant(by: given, in: store, surroundings.redaction), meant.takesSide,
        !Finding.takesServer(meant.id)
      else { return given }
      return meant.idAsSeen
    }
  }

  private func write(
    _ findings: [Finding], isAnythingLeft: Bool, to store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let (finished, outcomes) = try CommandError.ofNoDraft(by: "doctor --mend") {
      try store.checkWritable()
      let finished = try store.finishInterrupted(telling: surroundings)
      return (finished, try mend(findings, finished.endings, in: store, surroundings))
    }
    try tell(outcomes, finished, in: store, surroundings)
    return ExitStatus(outcomes: outcomes.ended + outcomes.mended, isAnythingLeft: isAnythingLeft)
  }

  /// What became of findings as what was interrupted was finished, and of the others, and which of these are given up by being mended.
  private typealias Outcomes = (ended: [CheckedWrite], mended: [CheckedWrite], givenUp: RecordNames)

  /// By what something is given up was named, for what it was a moment ago.
  private func mend(
    _ findings: [Finding], _ endings: ByRecord<CheckedWrite>, in store: any ConflictStore,
    _ surroundings: Surroundings
  ) throws -> Outcomes {
    let (ids, seen) = (findings.map(\.id).unique, findings.filter(\.takesSide))
    let ended = ids.compactMap { endings[$0] }
    let others = ids.filter { endings[$0] == nil }
    let rest = endings.isEmpty ? others : try found(among: others, in: store, surroundings)
    if rest.isEmpty { return (ended, [], []) }
    let mended = try surroundings.changing("Mending") { try store.mend(rest, seen: seen, note: note) }
    return (ended, mended, RecordNames(findings.filter(\.isGivenUp).map(\.id)))
  }

  /// Those of these findings that are there still: what was half done may have left others, which are gone once it is finished.
  private func found(
    among ids: [Finding.ID], in store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> [Finding.ID] {
    if ids.isEmpty { return [] }
    var found: RecordNames = []
    try looking(surroundings) { line in
      try lookForAll(in: store, line, surroundings) { finding, _ in found.insert(finding.id) }
    }
    return ids.filter { found.contains($0) }
  }

  /// How what was interrupted ended is told already, so of that only what was left alone is.
  private func tell(
    _ outcomes: Outcomes, _ finished: [FinishedWrite], in opened: any ConflictStore,
    _ surroundings: Surroundings
  ) throws {
    let ended = outcomes.ended.filter { print.json || $0.outcome != .fine }
    for outcome in ended { try tell(outcome, surroundings) }
    for outcome in outcomes.mended {
      try tell(outcome, isGivenUp: outcomes.givenUp.contains(outcome.id), surroundings)
    }
    // That a write was given up is in the log alone.
    let mended = outcomes.mended.filter { $0.outcome == .fine && !Finding.isInterrupted($0.id) }
    let done = finished.toBeTakenBack + mended.map(\.id)
    if !print.json, !done.isEmpty {
      let words = opened.info.wordsOfNoUndo(of: mended.isEmpty ? "This write" : "This")
      try surroundings.output.print(words ?? "To take this back: \(undo(of: done.unique, in: opened))")
    }
  }

  /// What was finished may have been begun before the last write, and is not that then: only by its name it is taken back, and nothing else.
  private func undo(of done: [String], in opened: any ConflictStore) -> String {
    let last = try? opened.lastWriteNames()?.records
    if let last, RecordNames(last) == RecordNames(done) { return "parley undo \(store.quoted)" }
    return "parley undo \(store.quoted) \(done.count > Self.named ? "RECORD…" : offered(records: done))"
  }

  /// As many as are told by name where something was finished.
  private static let named = 20

  private func tell(
    _ outcome: CheckedWrite, isGivenUp: Bool = false, _ surroundings: Surroundings
  ) throws {
    try tell(
      outcome, fine: isGivenUp ? "givenUp" : "mended", inWords: isGivenUp ? "given up" : "mended",
      surroundings)
  }

  /// Nothing is wrong with it, so nobody refuses to mend it either.
  private func tellOnItsWay(_ finding: Finding, _ surroundings: Surroundings) throws {
    let outcome = CheckedWrite(id: finding.id, title: finding.title, outcome: .fine)
    try tell(outcome, fine: "waiting", inWords: "on its way, with nothing to mend", surroundings)
  }

  private func tell(
    _ outcome: CheckedWrite, fine: String, inWords words: String, _ surroundings: Surroundings
  ) throws {
    let finding = JSON(members: ["id": .string(outcome.id), "title": .string(outcome.title)])
    try print.tell(
      finding.adding(JSON(outcome.outcome, fine: fine)),
      or: [outcome.words(.mend, fine: words)].compactMap(\.self), surroundings.output)
  }
}

extension Finding {
  /// Whether it is not stuck, and there is nothing to mend.
  fileprivate var isOnItsWay: Bool { isWaiting && canBeMended == nil }
}

extension [FinishedWrite] {
  /// What became of the findings of their records.
  fileprivate var endings: ByRecord<CheckedWrite> {
    let checked = flatMap(\.records).map { CheckedWrite($0) }
    return ByRecord(checked.map { ($0.id, $0) }) { first, _ in first }
  }

  /// What was rolled back is not there, and an undo is not taken back.
  fileprivate var toBeTakenBack: [String] {
    filter { $0.act != .undo }.flatMap(\.records).filter { $0.outcome == .completed }.map(\.id)
  }
}

extension ConflictStore {
  /// Calls `body` with every finding, page by page, so that the first of a large store come at once.
  ///
  /// - Parameter endOfPage: gets how many records were looked at.
  func forEachFinding(_ body: (Finding) throws -> Void, endOfPage: (Int) throws -> Void = { _ in }) throws {
    let walk = findings()
    while let page = try walk.next(limit: 500) {
      try page.forEach(body)
      try endOfPage(walk.looked)
    }
  }
}
