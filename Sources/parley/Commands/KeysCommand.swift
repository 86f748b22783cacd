import ArgumentParser
import Desk

/// `parley keys`: the keys of every screen, from the table that the desk itself goes by.
struct KeysCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "List the keys of every screen.")

  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    for topic in Topic.allCases {
      let bindings = Keymap.bindings(on: topic)
      if !print.json, !bindings.isEmpty { try surroundings.output.print(topic.rawValue) }
      for binding in bindings { try surroundings.output.print(line(binding, topic)) }
    }
    return .nothingLeft
  }

  private func line(_ binding: Binding, _ topic: Topic) -> String {
    let keys = binding.keys.map(\.name)
    guard print.json else {
      let text = keys.joined(separator: "  ")
      return "  " + text + String(repeating: " ", count: max(2, 20 - text.count)) + binding.label
    }
    return JSON.object([
      ("screen", .string(topic.rawValue)), ("keys", .array(keys.map { .string($0) })),
      ("does", .string(binding.label)),
    ]).text
  }
}
