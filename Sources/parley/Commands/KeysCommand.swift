import ArgumentParser
import Desk
import ExactJSON
import SQLiteDataStores

/// `parley keys`: the keys of every screen, from the table that the desk itself goes by.
struct KeysCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "List the keys of every screen.")

  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let keys = try Configuration.load(environment: surroundings.environment).keys
    for topic in Topic.allCases {
      let bindings = keys.bindings(on: topic)
      if !print.json, !bindings.isEmpty { try surroundings.output.print(topic.rawValue) }
      for binding in bindings { try tell(binding, topic, surroundings) }
    }
    return .nothingLeft
  }

  private func tell(_ binding: Binding, _ topic: Topic, _ surroundings: Surroundings) throws {
    let keys = binding.keys.map(\.name)
    let (text, name) = (keys.joined(separator: "  "), binding.command.name)
    // By its name a keymap gives a command other keys; the words of two of a pair are the same.
    let words = [
      text.padding(to: max(22, text.count + 2)), name.padding(to: max(22, name.count + 2)), binding.label,
    ]
    try print.tell(
      JSON(members: [
        "screen": .string(topic.rawValue), "keys": .array(keys.map { .string($0) }),
        "does": .string(binding.label), "command": .string(binding.command.name),
      ]), or: ["  " + words.joined()], surroundings.output)
  }
}
