import ArgumentParser
import SQLiteDataStores

/// `parley PATH`: the desk.
struct OpenCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the desk on a store.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @OptionGroup var writing: RouteOptions
  @OptionGroup var desk: DeskOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    try openDesk(
      store: surroundings.open(store.request(.writing, suggesting, writing)), options: desk,
      otherwise: "parley list \(store.quoted)", in: surroundings)
  }
}
