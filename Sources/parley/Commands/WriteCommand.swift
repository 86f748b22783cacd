import ArgumentParser
import ExactJSON
import Foundation
import Merging
import SMSyncStores
import SQLiteDataStores
import StoreInterface
import Telling

/// `parley write PATH --yes`: writes the drafts that are ready.
struct WriteCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "write", _superCommandName: Parley.name,
    abstract: "Write the drafts that are ready into the store.",
    discussion: """
      Checks every record again in the same transaction: what moved since it was decided is left alone. What is \
      overwritten is kept in the journal, and parley undo takes the write back. Without --yes, or with --dry-run, it \
      checks, prints the drafts, and writes nothing. In a terminal a long value is cut around what differs; --json has all of it. \
      What --sql leaves out is told on standard error.

      --find writes only what is ready of the records that list --find would list.

      Where the app has a table parley_outbox, drafts go there and wait for the app, which may be running; else row and \
      sync metadata are written directly, while the app is closed. --outbox and --direct choose. Of a container of SMSyncServer \
      nothing is written: its drafts go into an outbox of requests beside it, or with --copy into a copy of it.

      Exits with 0 if all is written and nothing is left undecided among the records asked for (without records: \
      all), 1 if something is, 2 without --yes where something could be written, 4 if a record moved, 5 if one was refused or the store can only be read, \
      6 if one is written in part, not known to be written, or was not reached, 130 if Ctrl-C stopped it before anything was \
      written. Ctrl-C stops between two records, and what is written is told; a second one does not wait for that.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @OptionGroup var writing: RouteOptions
  @OptionGroup var records: RecordOptions
  @Flag(name: .customLong("yes"), help: "Write.")
  var isConfirmed = false
  @Option(help: "Why, for the journal.")
  var note: String?
  @Flag(name: .customLong("dry-run"), help: "Check and print the drafts, and write nothing.")
  var isDryRun = false
  @Option(
    help: ArgumentHelp(
      "Of SMSyncServer: copy the container into this new folder, and write the drafts into the copy's store.",
      valueName: "dir"))
  var copy: String?
  @Flag(name: .customLong("sql"), help: "Print the SQL that would write the drafts, and write nothing.")
  var tellsSQL = false
  @OptionGroup var print: OutputOptions

  func check() throws {
    try records.check(store)
    if copy == "" { throw ValidationError("--copy needs the name of a new folder.") }
    if copy != nil, writing.route == .outbox {
      throw ValidationError(
        "--copy goes without --outbox: the store of a copy is written itself, and the outbox is the original's."
      )
    }
    if tellsSQL, isConfirmed || print.json {
      throw ValidationError("--sql goes without --yes and --json: it prints SQL, and writes nothing.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let isWriting = isConfirmed && !isDryRun
    let request = store.request(.writing, suggesting, writing)
    guard let copy else { return try perform(on: request, isWriting, surroundings) }
    try surroundings.checkIsContainer(request)
    let original = try drafts(ofOriginal: request, surroundings)
    if original.plan.isEmpty, original.plan.left.waiting == 0, !tellsSQL {
      if isWriting, try Self.mendsInCopy(original.store) {
        return try write(into: copy, request, waiting: 0, surroundings) { true }
      }
      return try tellNothing(original.plan, original.store.info, surroundings)
    }
    let waiting = original.plan.left.waiting
    if isWriting {
      return try write(into: copy, request, waiting: waiting, surroundings) {
        try Self.mendsInCopy(original.store)
      }
    }
    // As the write would: what cannot be made is not offered.
    try surroundings.checkCopy(request, copy)
    let folder = try SampleFolder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copied = try copied(request, into: folder + "/copy", waiting: waiting, surroundings)
    return try perform(on: copied.request, isWriting, surroundings)
  }

  /// A copy is where these are mended, whatever is ready.
  private static func mendsInCopy(_ store: any ConflictStore) throws -> Bool {
    let walk = store.findings()
    while let page = try walk.next(limit: 500) {
      if page.contains(where: \.mendsInCopy) { return true }
    }
    return false
  }

  /// Before anything is copied: there may be nothing to write.
  private func drafts(
    ofOriginal request: StoreRequest, _ surroundings: Surroundings
  ) throws -> (plan: ReadyDrafts, store: any ConflictStore) {
    var original = request
    original.access = .reading
    // How drafts are written is asked of the copy alone.
    original.route = nil
    let store = try surroundings.open(original)
    return (try ready(in: store, surroundings), store)
  }

  /// - Parameter isWritten: whether it will be written at once.
  private func ready(
    in store: any ConflictStore, isWritten: Bool = false, _ surroundings: Surroundings
  ) throws -> ReadyDrafts {
    // Where a copy is made, whoever makes it tells what becomes of it.
    let interrupted = copy == nil ? Interruption.unwritten : nil
    let meant = try records.meant(in: store, of: self.store, interrupted: interrupted, surroundings)
    let most = { meant.isAll ? try store.estimatedCount() : nil }
    return try surroundings.reading("Reading what is decided", atMost: most, interrupted: interrupted) {
      count in
      try ReadyDrafts(
        store, records: meant, surroundings.redaction, remembering: print.json ? .summaries : .nothing,
        isWritten: isWritten
      ) {
        try StoreCall.current.check(store.info.path)
        try count.add()
      }
    }
  }

  /// What somebody should know of the copy before it goes back to a device.
  ///
  /// - Parameter waiting: how many of the decisions wait in the outbox of the original, too.
  private func copied(
    _ request: StoreRequest, into folder: String, waiting: Int, _ surroundings: Surroundings
  ) throws -> (request: StoreRequest, made: MadeInFolder?) {
    if let taken = ContainerOpening.whatIsTaken(request) { try surroundings.errors.print("parley: " + taken) }
    try surroundings.errors.flush()
    let copy = try surroundings.copyContainer(request, folder)
    for line in copy.told { try surroundings.errors.print("parley: " + line) }
    if waiting > 0 {
      let those = waiting == 1 ? "1 of the decisions waits" : "\(waiting) of the decisions wait"
      try surroundings.errors.print(
        "parley: \(those) in the outbox, too. Who sends the requests from there and puts the copy back on the "
          + "device does the same twice; to take them out of the outbox: parley undo \(request.quoted)")
    }
    try surroundings.errors.flush()
    return (copy.request, copy.made)
  }

  /// What nobody knows the end of stays, to be looked at, and so does a copy in which something can be mended.
  private func write(
    into copy: String, _ request: StoreRequest, waiting: Int, _ surroundings: Surroundings,
    isToMend: () throws -> Bool
  ) throws -> ExitStatus {
    var made: MadeInFolder?
    let takeAway = { try self.takeAway(copy, made, surroundings) }
    let status = try performOnCopy(surroundings, orTakeAway: takeAway) {
      let copied = try self.copied(request, into: copy, waiting: waiting, surroundings)
      made = copied.made
      return copied.request
    }
    guard status != .unfinished, let made, try ContainerCopy.isUnwritten(made) else { return status }
    if try isToMend() { try tellMendable(in: copy, of: request, surroundings) } else { try takeAway() }
    return status
  }

  private func tellMendable(in copy: String, of request: StoreRequest, _ surroundings: Surroundings) throws {
    var request = request
    request.path = copy
    try surroundings.errors.print(
      "parley: The copy \(copy) is made, and nothing was written into it. What can be mended in it: "
        + "parley doctor \(request.quoted) --mend")
    try surroundings.errors.flush()
  }

  private func takeAway(_ copy: String, _ made: MadeInFolder?, _ surroundings: Surroundings) throws {
    guard let made, try ContainerCopy.removeUnwritten(made) else { return }
    try surroundings.errors.print("Nothing was written into the copy \(copy), so it is taken away again.")
    try surroundings.errors.flush()
  }

  /// Until the write begins, which tells by itself what becomes of it, whoever interrupts has nothing of the copy.
  private func performOnCopy(
    _ surroundings: Surroundings, orTakeAway takeAway: () throws -> Void, make: () throws -> StoreRequest
  ) throws -> ExitStatus {
    let (opened, quoted) = try Interruption.heard { isWanted in
      try StoreCall(isWanted: isWanted).answered {
        let copy = try make()
        return (try open(copy, surroundings, orTakeAway: takeAway), copy.quoted)
      }
    }
    return try perform(opened, quoted, true, surroundings)
  }

  private func open(
    _ copy: StoreRequest, _ surroundings: Surroundings, orTakeAway takeAway: () throws -> Void
  ) throws -> Opened {
    do {
      let opened = try open(copy, true, surroundings)
      try StoreCall.current.check(copy.path)
      return opened
    } catch {
      // By a call of its own, as nobody wants this one any more.
      try StoreCall().answered(by: takeAway)
      throw error
    }
  }

  /// With what was interrupted, and was finished as it was opened.
  private typealias Opened = (store: any ConflictStore, plan: ReadyDrafts, finished: [FinishedWrite])

  private func perform(
    on request: StoreRequest, _ isWriting: Bool, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    try perform(try open(request, isWriting, surroundings), request.quoted, isWriting, surroundings)
  }

  private func open(
    _ request: StoreRequest, _ isWriting: Bool, _ surroundings: Surroundings
  ) throws -> Opened {
    // A rehearsal too is a transaction, taken back at its end.
    let store = try surroundings.open(request)
    let finished = isWriting ? try store.finishInterrupted(telling: surroundings) : []
    // Where nothing can be written all is read, to tell what would be.
    let isWritten = isWriting && store.access().reason == nil
    return (store, try ready(in: store, isWritten: isWritten, surroundings), finished)
  }

  private func perform(
    _ opened: Opened, _ quoted: String, _ isWriting: Bool, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let (store, plan, finished) = opened
    if tellsSQL { return try tellStatements(plan, store, surroundings) }
    if plan.isEmpty { return try tellNothing(plan, store.info, surroundings) }
    return try isWriting
      ? write(plan, to: store, after: finished, quoted, surroundings) : rehearse(plan, store, surroundings)
  }

  private func tellNothing(
    _ plan: ReadyDrafts, _ store: StoreInfo, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    try tellMoved(plan, surroundings)
    if !print.json {
      try tell("Nothing to write: \(notReady(plan, store) ?? noConflicts(in: store)).", surroundings)
    }
    if notReady(plan, store) == nil, records.find == nil { try surroundings.tellUnseen(in: store) }
    try tellEarlier(plan, surroundings)
    return ExitStatus(outcomes: plan.left.moved.map(\.outcome), isAnythingLeft: plan.left.isAnythingLeft)
  }

  private func noConflicts(in store: StoreInfo) -> String {
    if records.find != nil { return "none was found" }
    return store.unseen == nil ? "there are no conflicts" : "no conflicts are seen here"
  }

  /// nil where all that were asked for are ready.
  private func notReady(_ plan: ReadyDrafts, _ store: StoreInfo) -> String? {
    let waiting = plan.left.waiting > 0 ? "\(plan.left.waiting) waiting \(store.words.waits)" : nil
    let again = plan.left.toLookAt > 0 ? "\(plan.left.toLookAt) to look at again" : nil
    let undecided = plan.left.undecided > 0 ? "\(plan.left.undecided) undecided; see parley resolve" : nil
    let told = [waiting, again, undecided].compactMap(\.self)
    return told.isEmpty ? nil : told.joined(separator: ", ")
  }

  /// Beside SQL, which another program may run, words are no part of the output.
  private func tell(_ words: String, _ surroundings: Surroundings) throws {
    if !tellsSQL { return try surroundings.output.print(words) }
    try surroundings.errors.print("parley: " + words)
    try surroundings.errors.flush()
  }

  private func rehearse(
    _ plan: ReadyDrafts, _ store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let outcomes = try surroundings.changing("Checking", interrupted: Interruption.unwritten, isTried: true) {
      try plan.outcomes { try store.checkKeeping($0) }
    }
    try plan.forEach(outcomes, in: store) { try tell($1, rehearsing: $0, of: store.info, surroundings) }
    let status = try status(outcomes, of: plan, surroundings)
    let fine = outcomes.count { $0.outcome == .fine }
    if !print.json {
      try surroundings.output.print(fine > 0 ? store.info.writing : Self.noneOfThem)
    }
    if !isDryRun, fine > 0 { throw CommandError.needsYes(drafts: fine, arguments: surroundings.arguments) }
    return status
  }

  private static let noneOfThem = "None of them can be written."

  private static func isAnyFine(_ outcomes: [CheckedWrite]) -> Bool {
    outcomes.contains { $0.outcome == .fine }
  }

  /// With the values as they are, for whoever wants to see what a write does. Run by hand it would leave no receipt.
  private func tellStatements(
    _ plan: ReadyDrafts, _ store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    guard store.info.can.contains(.tellStatements) else {
      throw CommandError.notWrittenBySQL(path: store.info.path)
    }
    if plan.isEmpty { return try tellNothing(plan, store.info, surroundings) }
    var sql: [String] = []
    let outcomes = try surroundings.changing("Checking", interrupted: Interruption.unwritten, isTried: true) {
      try plan.outcomes { orders in
        let told = try store.statements(orders)
        sql = told.sql
        return told.outcomes
      }
    }
    if Self.isAnyFine(outcomes) { try tell(sql, for: outcomes.countOfDrafts, surroundings) }
    return try tellLeftOut(outcomes, of: plan, in: store.info, surroundings)
  }

  private func tell(_ sql: [String], for drafts: String, _ surroundings: Surroundings) throws {
    try surroundings.output.print(
      "-- What parley write would run for \(drafts). To read: run by hand it cannot be undone.")
    for statement in sql {
      if surroundings.width == nil {
        try surroundings.output.printExactly(statement + ";")
      } else {
        try surroundings.output.print(lines: statement + ";")
      }
    }
    try surroundings.output.flush()
  }

  /// Whoever runs the SQL should not take it for all that was decided.
  private func tellLeftOut(
    _ outcomes: [CheckedWrite], of plan: ReadyDrafts, in store: StoreInfo, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    try outcomes.filter { $0.outcome != .fine }.tell(
      fine: nil, isDecidable: { plan.notWritable[JSONText($0.id)] == nil },
      by: { try tell($0, surroundings) })
    let status = try status(outcomes, of: plan, surroundings)
    let isThere = Self.isAnyFine(outcomes)
    if !isThere { try tell(Self.noneOfThem, surroundings) }
    if let others = notReady(plan, store) {
      try tell("Not \(isThere ? "in the SQL" : "ready"): \(others).", surroundings)
    }
    return status
  }

  private func write(
    _ plan: ReadyDrafts, to store: any ConflictStore, after finished: [FinishedWrite], _ quoted: String,
    _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let all = try surroundings.changing("Writing") {
      try store.checkWritable()
      return try plan.outcomes(after: finished) { try store.write($0, note: note) }
    }
    let (settled, outcomes) = plan.settled(all)
    if settled.isEmpty { return try tellNothing(settled, store.info, surroundings) }
    let plan = settled.written(in: store)
    try tell(written: outcomes, of: plan, in: store.info, surroundings)
    let status = try status(outcomes, of: plan, surroundings)
    if !print.json, outcomes.contains(where: \.outcome.isWritten) {
      try surroundings.output.print(Self.wayBack(store.info, quoted))
    }
    return status
  }

  static func wayBack(_ store: StoreInfo, _ quoted: String) -> String {
    store.wordsOfNoUndo ?? "To take this write back: parley undo \(quoted)"
  }

  private func status(
    _ outcomes: [CheckedWrite], of plan: ReadyDrafts, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    try tellMoved(plan, surroundings)
    try tellEarlier(plan, surroundings)
    // Not added to what may be a hundred thousand, of which that would be a copy.
    let all = [outcomes, plan.left.moved.map(\.outcome)].joined()
    return ExitStatus(outcomes: all, isAnythingLeft: plan.left.isAnythingLeft)
  }

  /// Those that were decided, and are not any more: nobody should look for them among what was written.
  private func tellMoved(_ plan: ReadyDrafts, _ surroundings: Surroundings) throws {
    for moved in plan.left.moved {
      if print.json {
        try surroundings.output.print(JSON(moved.summary).adding(JSON(moved.outcome.outcome, fine: "")))
      } else if let words = moved.outcome.words(fine: nil) {
        try tell(words, surroundings)
      }
    }
  }

  /// Nobody should take what was asked for as done.
  private func tellEarlier(_ plan: ReadyDrafts, _ surroundings: Surroundings) throws {
    if print.json { return }
    for words in plan.left.earlier.words { try tell(words, surroundings) }
  }

  private func tell(
    written outcomes: [CheckedWrite], of plan: ReadyDrafts, in store: StoreInfo, _ surroundings: Surroundings
  ) throws {
    let leavesToApp = store.can.contains(.leaveToApp)
    if print.json {
      for (summary, outcome) in zip(plan.summaries, outcomes) {
        try surroundings.output.print(written(outcome, summary, leavesToApp: leavesToApp))
      }
      return
    }
    let fine = leavesToApp ? "waiting \(store.words.waits)" : "written"
    try outcomes.tell(
      fine: fine, isDecidable: { plan.notWritable[JSONText($0.id)] == nil },
      by: { try surroundings.output.print($0) })
  }

  private func written(_ outcome: CheckedWrite, _ summary: ConflictSummary, leavesToApp: Bool) -> JSON {
    let state: RecordStage =
      switch outcome.outcome {
      case .fine: leavesToApp ? .waiting : .written
      case .partly, .notKnown: .unknown
      case .refused: .refused
      case .moved, .notReached: .ready
      }
    return JSON(summary, state: state, after: outcome, fine: leavesToApp ? "waiting" : "written")
  }

  /// - Parameter decided: nil if it has gone since it was checked.
  private func tell(
    _ outcome: CheckedWrite, rehearsing decided: DecidedConflict?, of store: StoreInfo,
    _ surroundings: Surroundings
  ) throws {
    guard let decided else { return }
    if print.json { return try surroundings.output.print(JSON(rehearsed: decided, outcome)) }
    let output = surroundings.output
    let draft = DraftText(decided: decided, record: store.words.record, isASCII: output.isASCII)
    let isDecidable = decided.conflict.details.notWritable == nil
    let words = [outcome.words(fine: nil, isDecidable: isDecidable), outcome.noted()].compactMap(\.self)
    let upload = outcome.foreseen.map { ["  " + $0.words] } ?? []
    for line in draft.lines(width: surroundings.width) + upload + words { try output.print(line) }
  }
}
