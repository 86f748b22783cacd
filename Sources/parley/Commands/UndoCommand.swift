import ArgumentParser
import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling

/// `parley undo PATH [RECORD…]`: takes back the last write.
struct UndoCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", _superCommandName: Parley.name,
    abstract: "Take back the last write, or the last of a record, from its receipt.",
    discussion: """
      An import counts as a write, and so does what doctor has mended. \
      An undo is a write with the same checks: a record that moved since is left alone. Without --yes, or with --dry-run, \
      it checks, prints what would be taken back, and writes nothing; in a terminal a long value is cut \
      around what differs. Undo again to go further back. \
      Where nothing of the last write can be taken back, --skip passes it over for the one before; a record named is taken \
      back alone, whatever was written with it or after it.

      The decisions stay where they fit what is there again, and parley write would write them again; parley resolve --forget takes \
      them back. A document's leaves come back under other ids, so that a leaf that was taken by its id is to be decided anew.

      Exits with 0 if all was taken back, 2 without --yes where something could be, or where a write was interrupted that --yes \
      finishes first, 4 if a record moved, 5 if one was refused or there is nothing to undo, \
      6 if one is undone in part, not known to be undone, or was not reached, or what was interrupted could not be finished first, 130 if Ctrl-C stopped it before anything was \
      taken back.
      """)

  @OptionGroup var store: StoreOptions
  @Argument(
    help: ArgumentHelp("The records; without any, all of the last write.", valueName: "record"),
    completion: RecordCompletion.ofWrites)
  var records: [String] = []
  @Flag(name: .customLong("skip"), help: "Pass over writes of which nothing can be taken back.")
  var passesOver = false
  @Flag(name: .customLong("yes"), help: "Take it back.")
  var isConfirmed = false
  @Flag(name: .customLong("dry-run"), help: "Check and print what would be taken back, and write nothing.")
  var isDryRun = false
  @OptionGroup var print: OutputOptions

  func check() throws {
    if passesOver && !records.isEmpty {
      throw ValidationError("--skip goes without records: a record named is taken back alone.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let request = store.request(.writing)
    let store = try surroundings.open(request)
    do {
      return try CommandError.ofNoDraft(by: "undo") { try perform(on: store, surroundings) }
    } catch StoreError.nothingToUndo {
      throw CommandError.nothingToUndo(
        path: request.shownPath, records: records, takenBack: try lastUndo(in: store, surroundings))
    }
  }

  /// Of the records that were named, or of all.
  private func lastUndo(in store: any ConflictStore, _ surroundings: Surroundings) throws -> Int64? {
    let named = records.isEmpty ? [] : try store.writtenRecordIDs(named: records, surroundings.redaction)
    let undos = try store.journal.entries(limit: .max).filter(\.isDoneUndo)
    return undos.first { named.isEmpty || named.contains($0.record) }?.time
  }

  private func perform(on store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    guard isConfirmed && !isDryRun else { return try rehearse(store, surroundings) }
    let begun = try hidingOlder(store)
    try checkNames(store, surroundings)
    let finished = try store.finishInterrupted(telling: surroundings)
    if let begun, finished.hasNothing(of: begun) {
      return try tellLeft(isEnded: try hidingOlder(store) == nil && begun.act == .write, surroundings)
    }
    if records.isEmpty, let undo = try lastUndo(among: finished, in: store) {
      return try tellFinished(standing: store.standing(after: undo), surroundings)
    }
    let named = try records.isEmpty ? [] : written(in: store, surroundings)
    let rest = named.filter { !finished.takenBack.contains($0) }
    if rest.isEmpty, !named.isEmpty { return try tellFinished(standing: 0, surroundings) }
    let outcomes = try surroundings.changing("Taking back", interrupted: Interruption.notTakenBack) {
      try store.undo(records.isEmpty ? ofAll : .records(rest))
    }
    let staying = try staying(outcomes, store, surroundings)
    if print.json {
      for outcome in outcomes { try surroundings.output.print(json(outcome, staying)) }
    } else {
      try outcomes.tell(
        .undo, fine: "undone", isDecidable: { _ in false }, by: { try surroundings.output.print($0) })
      try tellWays(outcomes, staying.ready, in: store, surroundings)
    }
    try tellUnknown(staying, surroundings)
    return ExitStatus(outcomes: outcomes, isAnythingLeft: false)
  }

  /// The undo that was finished, where no write was done since it was begun.
  private func lastUndo(
    among finished: [FinishedWrite], in store: any ConflictStore
  ) throws -> FinishedWrite? {
    guard let undo = finished.last(where: \.isUndo) else { return nil }
    return undo.isBegun(after: try store.lastWriteNames()?.id) ? undo : nil
  }

  /// Whoever repeats an undo that was interrupted wants that one, and not the write before it. Whether it was meant to take back more than
  /// was begun is not known.
  private func tellFinished(standing: Int, _ surroundings: Surroundings) throws -> ExitStatus {
    let records =
      standing == 1 ? "1 record of the same write stands" : "\(standing) records of the same write stand"
    let words =
      standing == 0
      ? "With that the undo is done, and no other write is taken back. For the one before that: parley undo once more."
      : "With that the undo is done as far as it was begun; \(records) as written. To take back those, too: parley undo once more."
    try surroundings.errors.print("parley: " + words)
    try surroundings.errors.flush()
    return standing == 0 ? .nothingLeft : .unfinished
  }

  /// A wrong name finishes nothing.
  private func checkNames(_ store: any ConflictStore, _ surroundings: Surroundings) throws {
    if records.isEmpty { return }
    let begun = try store.interruptedWrites().flatMap(\.records)
    if begun.isEmpty { return }
    let others = records.filter { found($0, among: begun, in: store.info, surroundings.redaction) == nil }
    if !others.isEmpty { _ = try store.writtenRecordIDs(named: others, surroundings.redaction) }
  }

  /// What was interrupted after the last write, and may be done: then that one is not the last.
  private func hidingOlder(_ store: any ConflictStore) throws -> InterruptedWrite? {
    records.isEmpty ? try begun(in: store).last(where: \.mayBeDone) : nil
  }

  /// What was interrupted, and is to be finished before what is meant is taken back: of all, where records are named; else what was begun
  /// after the last write.
  private func begun(in store: any ConflictStore) throws -> [InterruptedWrite] {
    let writes = try store.interruptedWrites()
    if writes.isEmpty || !records.isEmpty { return writes }
    return writes.begun(after: try store.lastWriteNames()?.id)
  }

  /// What was interrupted is not done as a whole, and nobody has asked for a write before it.
  ///
  /// - Parameter isEnded: whether it is known that it will not be.
  private func tellLeft(isEnded: Bool, _ surroundings: Surroundings) throws -> ExitStatus {
    let ways =
      isEnded
      ? "For what was written before it: parley undo once more."
      : "Others are taken back by name: parley undo \(store.quoted) RECORD"
    try surroundings.errors.print(
      "parley: What was interrupted is not done as a whole, so nothing is taken back, and no write before it. \(ways)"
    )
    try surroundings.errors.flush()
    return .unfinished
  }

  private func extent(in store: any ConflictStore, _ surroundings: Surroundings) throws -> UndoExtent {
    records.isEmpty ? ofAll : .records(try written(in: store, surroundings))
  }

  private var ofAll: UndoExtent { passesOver ? .lastPossibleWrite : .lastWrite }

  private func written(in store: any ConflictStore, _ surroundings: Surroundings) throws -> [String] {
    // A store that knows of no write may tell why, which no name tells.
    _ = try store.lastWrite()
    do {
      return try store.writtenRecordIDs(named: records, surroundings.redaction)
    } catch CommandError.neverWritten(let name, let nearest, let isAlone) {
      if let write = try store.interruptedWrites().first(where: { write in
        found(name, among: write.records, in: store.info, surroundings.redaction) != nil
      }) {
        throw CommandError.notFinished(name, write.act, write.hindranceOfSome)
      }
      throw CommandError.neverWritten(name, nearest: nearest, isAlone: isAlone)
    }
  }

  /// Before it is confirmed nothing is finished, so what a write did that was interrupted is no write to take back yet.
  private func checkInterrupted(_ store: any ConflictStore, _ surroundings: Surroundings) throws {
    guard let last = try interrupted(store, surroundings) else { return }
    throw CommandError.interruptedBefore(
      last.act, arguments: surroundings.arguments.filter { $0 != "--dry-run" })
  }

  /// The last one that is about to be finished, of which something is in the store.
  private func interrupted(
    _ store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> InterruptedWrite? {
    let writes = try begun(in: store)
    let meant = meant(among: writes.flatMap(\.records), in: store.info, surroundings.redaction)
    return writes.last { write in
      write.records.contains { record in
        write.hindrance(of: record) == nil && [.complete, .half].contains(record.state)
          && meant.contains(record.id)
      }
    }
  }

  /// Those of them that were named, as what was written is; all where none was.
  private func meant(
    among written: [InterruptedWrite.Record], in store: StoreInfo, _ redaction: Redaction
  ) -> RecordNames {
    if records.isEmpty { return RecordNames(written.map(\.id)) }
    return RecordNames(records.compactMap { found($0, among: written, in: store, redaction) })
  }

  private func found(
    _ name: String, among written: [InterruptedWrite.Record], in store: StoreInfo, _ redaction: Redaction
  ) -> String? {
    var search = RecordSearch(name, among: written.map(\.id))
    for record in written {
      search.look(at: RecordSearch.Candidate(record.id, titles: [record.title], in: store, redaction))
    }
    return try? search.foundAmongWritten()
  }

  private func rehearse(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    try checkInterrupted(store, surroundings)
    if try hidingOlder(store) != nil { return try tellLeft(isEnded: false, surroundings) }
    let undos = try surroundings.changing(
      "Checking what comes back", interrupted: Interruption.unchanged, isTried: true
    ) {
      try store.checkUndo(extent(in: store, surroundings))
    }
    try tell(undos, store.info.words, surroundings)
    let fine = undos.count { $0.checked.outcome == .fine }
    if !isDryRun, fine > 0 {
      throw CommandError.undoNeedsYes(records: fine, arguments: surroundings.arguments)
    }
    return ExitStatus(outcomes: undos.map(\.checked), isAnythingLeft: false)
  }

  private func tell(_ undos: [CheckedUndo], _ words: StoreInfo.Words, _ surroundings: Surroundings) throws {
    let count = RecordCount("Telling", surroundings) { undos.count }
    for page in undos.inBatches(of: RecordCount.step) {
      try count.printing(page.count, to: surroundings.output) {
        for undo in page {
          let (output, width) = (surroundings.output, surroundings.width)
          try print.tell(
            JSON(undo), or: UndoText.lines(undo, words, width: width, isASCII: output.isASCII), output)
        }
      }
    }
    try count.end()
  }

  /// Of those that were taken back, the ones that a write would write again. For people all that counts of them is whether there are
  /// any, and the name of an only one, so no more are read than tell that.
  private func staying(
    _ outcomes: [CheckedWrite], _ store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> StayingDecisions {
    let count = RecordCount("Reading what stays decided", surroundings)
    var staying = StayingDecisions()
    for start in stride(from: 0, to: outcomes.count, by: 200) where print.json || staying.ready.count < 2 {
      let page = outcomes[start..<min(start + 200, outcomes.count)].filter { $0.outcome == .fine }
      staying.look(at: page.map(\.id), in: store)
      try count.add(page.count)
    }
    try count.end()
    return staying
  }

  private func json(_ outcome: CheckedWrite, _ staying: StayingDecisions) -> JSON {
    JSON(members: ["id": .string(outcome.id), "title": .string(outcome.title)])
      .adding(JSON(outcome, fine: "undone"))
      .adding(JSON(members: ["decisionsStay": staying.stays(of: outcome.id).map { .bool($0) } ?? .null]))
  }

  private func tellUnknown(_ staying: StayingDecisions, _ surroundings: Surroundings) throws {
    guard let reason = staying.reason, !staying.unknown.isEmpty else { return }
    let names = staying.unknown.count == 1 ? offered(records: Array(staying.unknown)) : "RECORD…"
    try surroundings.output.flush()
    try surroundings.errors.print(
      "parley: It is not known whether parley write would write this again: \(reason.asClause). "
        + "To take back what was decided: parley resolve \(store.quoted) --forget \(names)")
    try surroundings.errors.flush()
  }

  private func tellWays(
    _ outcomes: [CheckedWrite], _ decided: RecordNames, in opened: any ConflictStore,
    _ surroundings: Surroundings
  ) throws {
    let store = store.quoted
    if !decided.isEmpty {
      let names = decided.count == 1 ? offered(records: Array(decided)) : "RECORD…"
      // As far as they were looked at: the others are about leaves that have other ids now, or nobody asked.
      let isAll = decided.count == outcomes.count { $0.outcome == .fine }
      let whose = isAll ? "The decisions stay" : "Decisions stay where they fit what is there"
      try surroundings.output.print(
        "\(whose): parley write would write them again. To take them back: "
          + "parley resolve \(store) --forget \(names)")
    }
    if records.isEmpty, !passesOver, opened.info.notUndone == nil, outcomes.allSatisfy(\.outcome.isLeftAlone),
      try isMoreWritten(than: outcomes, in: opened)
    {
      try surroundings.output.print(
        "To take back what was written before: parley undo \(store) --skip, or of one record: "
          + "parley undo \(store) RECORD")
    }
  }

  /// Whether anything stands beside what could not be taken back, which stands still.
  private func isMoreWritten(than tried: [CheckedWrite], in store: any ConflictStore) throws -> Bool {
    try store.journal.entries(limit: .max).count { $0.stands } > tried.count
  }
}

extension JournalEntry {
  /// Whether something was taken back by it, be it that it was interrupted, and finished later.
  fileprivate var isDoneUndo: Bool {
    guard case .ended(.undo, let ending, _) = event else { return false }
    return ending == nil || ending == .completed
  }

  /// Whether it is a write that was done, and not taken back.
  fileprivate var stands: Bool {
    guard case .ended(let act, let ending, _) = event, act != .undo else { return false }
    return !isUndone && (ending == nil || ending == .completed)
  }
}

extension ConflictStore {
  /// How many records still stand of the write that an undo takes back: they were not asked for, or never begun.
  fileprivate func standing(after undo: FinishedWrite) throws -> Int {
    guard let write = undo.undoes, try lastWriteNames()?.id == write else { return 0 }
    return try standingNames(of: write)?.count ?? 0
  }
}

extension [FinishedWrite] {
  /// Whether no record of what was begun is done now.
  func hasNothing(of begun: InterruptedWrite) -> Bool {
    let ended = first { $0.id == begun.id && $0.act == begun.act }
    return begun.act != .import && ended?.records.contains { $0.outcome == .completed } != true
  }
}

extension FinishedWrite {
  /// One of which nothing is in the store was never told of, and whoever asks for an undo asks for another.
  fileprivate var isUndo: Bool { act == .undo && records.contains { $0.outcome == .completed } }
}

/// The lines that tell what an undo of one record would do, as ``DraftText`` tells a draft: what is there, and what comes back.
enum UndoText {
  static func lines(
    _ undo: CheckedUndo, _ words: StoreInfo.Words, width: Int?, isASCII: Bool = false
  ) -> [String] {
    if let refusal = undo.checked.words(.undo, fine: nil, isRehearsal: true) { return [refusal] }
    let beside = undo.changes.takingBack(words, .open).flatMap {
      HangingLine.lines(of: "  \($0)", width: width)
    }
    let fields = undo.changes.fields.flatMap { line($0, isASCII).lines(width: width) }
    return [cut("\(undo.checked.id)  \(undo.checked.title)", to: width)] + beside + fields
      + [undo.checked.noted()].compactMap(\.self)
  }

  private static func line(_ field: LastWrite.FieldChange, _ isASCII: Bool) -> ChangeLine {
    let texts = Privacy.open.told(field.reversed)
    let values = (old: field.after, new: field.before)
    return ChangeLine(
      head: "  \(field.label.wholeName): ", values: values, texts: texts,
      told: UnseenDifference.telling(texts, of: values.old, values.new, isASCII: isASCII), isASCII: isASCII)
  }
}
