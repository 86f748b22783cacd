import ArgumentParser
import Merging

/// `parley undo PATH [RECORD…]`: takes back the last write.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last write, or the last of a record, from its receipt.",
    discussion: """
      An undo is a write with the same checks: a record that moved since is left alone. Undo again to go further back. \
      Where nothing of the last write can be taken back, --skip passes it over for the one before; a record named is taken \
      back alone, whatever was written with it or after it.

      The decisions stay, and parley write would write them again; parley resolve --forget takes them back.

      Exits with 0 if all was taken back, 4 if a record moved, 5 if one was refused or there is nothing to undo.
      """)

  @OptionGroup var store: StoreOptions
  @Argument(help: ArgumentHelp("The records; without any, all of the last write.", valueName: "record"))
  var records: [String] = []
  @Flag(name: .customLong("skip"), help: "Pass over writes of which nothing can be taken back.")
  var passesOver = false
  @OptionGroup var print: OutputOptions

  func validate() throws {
    if passesOver && !records.isEmpty {
      throw ValidationError("--skip goes without records: a record named is taken back alone.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.writing))
    let outcomes = try undo(in: store)
    let decided = try decidedRecords(outcomes, store)
    for outcome in outcomes { try tell(outcome, isDecided: decided.contains(outcome.id), surroundings) }
    if !print.json { try tellWays(outcomes, decided, surroundings) }
    return ExitStatus(outcomes: outcomes, isAnythingLeft: false)
  }

  private func undo(in store: any ConflictStore) throws -> [CheckedWrite] {
    if records.isEmpty { return try store.undo(passesOver ? .lastPossibleWrite : .lastWrite) }
    return try store.writtenRecordIDs(named: records).flatMap { try store.undo(.record($0)) }
  }

  /// Of those that were taken back, the ones that a write would write again.
  private func decidedRecords(_ outcomes: [CheckedWrite], _ store: any ConflictStore) throws -> Set<String> {
    let undone = outcomes.filter { $0.outcome == .fine }.map(\.id)
    return Set(try store.journal.decisions(for: undone).filter { $0.choice != nil }.map(\.id))
  }

  private func tell(_ outcome: CheckedWrite, isDecided: Bool, _ surroundings: Surroundings) throws {
    if print.json {
      let record: JSON = JSON(members: ["id": .string(outcome.id), "title": .string(outcome.title)])
      let line = record.adding(JSON(outcome.outcome, fine: "undone"))
        .adding(JSON(members: ["decisionsStay": .bool(isDecided)]))
      return try surroundings.output.print(line.text)
    }
    for line in OutcomeText.lines(outcome, fine: "undone") { try surroundings.output.print(line) }
  }

  private func tellWays(
    _ outcomes: [CheckedWrite], _ decided: Set<String>, _ surroundings: Surroundings
  ) throws {
    let path = shellQuoted(store.path)
    if !decided.isEmpty {
      let names = decided.count == 1 ? decided.map(shellQuoted).joined() : "RECORD…"
      try surroundings.output.print(
        "The decisions stay: parley write would write them again. To take them back: "
          + "parley resolve \(path) \(names) --forget")
    }
    if records.isEmpty, !passesOver, !outcomes.contains(where: { $0.outcome == .fine }) {
      try surroundings.output.print(
        "To take back what was written before: parley undo \(path) --skip, or of one record: "
          + "parley undo \(path) RECORD")
    }
  }
}
