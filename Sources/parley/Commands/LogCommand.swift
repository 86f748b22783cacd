import ArgumentParser
import ExactJSON
import Merging
import SQLiteDataStores
import StoreInterface
import Telling

/// `parley log PATH`: the journal.
struct LogCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what was decided, written and undone, newest first.",
    discussion: "Never writes to the store. Exits with 0.")

  @OptionGroup var store: StoreOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("Show so many entries at most.", valueName: "count"))
  var limit = 1000
  @OptionGroup var print: OutputOptions

  func check() throws {
    if limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let entries = try surroundings.open(store.request(.reading)).journal.entries(limit: limit)
    if print.json {
      for entry in entries { try surroundings.output.print(JSON(entry)) }
      return .nothingLeft
    }
    var layout = ColumnLayout(columns: 4, limit: surroundings.width)
    for line in layout.lines(entries.flatMap { rows($0) }) { try surroundings.output.print(line) }
    if entries.contains(where: { $0.left?.isTakenUp == false }) {
      try surroundings.output.print(
        "What was left alone can be taken up again, and is then in conflict as before: "
          + "parley undo \(store.quoted) RECORD")
    }
    return .nothingLeft
  }

  /// An entry, and below it the values of what was left alone.
  private func rows(_ entry: JournalEntry) -> [[String]] {
    let fields = entry.left?.fields ?? []
    return [row(entry)]
      + fields.map { field in
        let values = [field.before, field.after].map { $0.map { JSON($0).text } ?? "-" }
        return ["", "", "", "  \(field.name): \(values.joined(separator: " → "))"]
      }
  }

  private func row(_ entry: JournalEntry) -> [String] {
    let note = entry.note.map { "  (\($0))" } ?? ""
    return [TimeText.seconds(entry.time), entry.kind.rawValue, entry.record, entry.text + note]
  }
}
