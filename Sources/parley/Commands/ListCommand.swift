import ArgumentParser
import ExactJSON
import Merging
import SQLiteDataStores
import StoreInterface

/// `parley list PATH`: one line for each conflict.
struct ListCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the records in conflict.",
    discussion: """
      Never writes to the store. In a terminal lines are cut to its width and keys shortened to their end; elsewhere \
      they are whole. States: ! a person decides, ^ the clock suggests, ~ sure (or a policy decides), ✓ decided and \
      ready to write, ⇡ the draft waits for the app.

      Of a folder with several stores each is listed, with the number of its conflicts.

      Exits with 0 if there is no conflict, 1 if there are.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store: any ConflictStore
    do {
      store = try surroundings.open(self.store.request(.reading, suggesting))
    } catch StoreError.severalStores(_, let paths) {
      return try listStores(paths, surroundings)
    }
    let count = print.json ? try printJSON(store, surroundings) : try printLines(store, surroundings)
    return count == 0 ? .nothingLeft : .left
  }

  private func printJSON(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> Int {
    var count = 0
    try store.forEachSummary { summary in
      count += 1
      try surroundings.output.print(JSON(summary))
    }
    return count
  }

  /// Page by page, so that the first lines of a large store come at once.
  private func printLines(_ store: any ConflictStore, _ surroundings: Surroundings) throws -> Int {
    let isTerminal = surroundings.width != nil
    var (count, ready) = (0, 0)
    var layout = ColumnLayout(columns: ListText.heading.count, limit: surroundings.width)
    let walk = store.conflicts()
    while let page = try walk.next(limit: 200) {
      let rows = page.summaries.map { ListText.row($0, isShort: isTerminal) }
      let heading = isTerminal && count == 0 && !rows.isEmpty ? [ListText.heading] : []
      for line in layout.lines(heading + rows) { try surroundings.output.print(line) }
      try surroundings.output.flush()
      count += page.summaries.count
      ready += page.summaries.count(where: \.isReady)
    }
    if isTerminal { try surroundings.output.print(ListText.count(count, ready: ready)) }
    return count
  }
}
