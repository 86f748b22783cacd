import ArgumentParser
import Merging

/// `parley undo PATH`: takes back the last write.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last write, from its receipt.",
    discussion: """
      An undo is a write with the same checks: a record that moved since is left alone. The decisions stay. Undo again \
      to go further back.

      Exits with 0 if all was taken back, 4 if a record moved, 5 if one was refused or there is nothing to undo.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.writing))
    if case .readOnly(let reason) = store.access() {
      throw StoreError.readOnly(path: store.info.path, reason: reason)
    }
    let outcomes = try store.undoLastWrite()
    for outcome in outcomes { try tell(outcome, surroundings) }
    return ExitStatus(outcomes: outcomes, isAnythingLeft: false)
  }

  private func tell(_ outcome: CheckedWrite, _ surroundings: Surroundings) throws {
    if print.json {
      let record: JSON = JSON(members: ["id": .string(outcome.id), "title": .string(outcome.title)])
      return try surroundings.output.print(record.adding(JSON(outcome.outcome, fine: "undone")).text)
    }
    for line in OutcomeText.lines(outcome, fine: "undone") { try surroundings.output.print(line) }
  }
}
