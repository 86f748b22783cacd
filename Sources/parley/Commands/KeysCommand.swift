import ArgumentParser
import Desk
import ExactJSON

/// `parley keys`: the keys of every screen, from the table that the desk itself goes by.
struct KeysCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", _superCommandName: Parley.name,
    abstract: "List the keys of every screen.",
    discussion: """
      A configuration can give more keys to all of these but the commands of Editor, Help, Commands and Input, where text is \
      typed, and confirm, which has Y alone.

      With keys of your own, standard error tells which command gave up which key to another. Where the configuration cannot be \
      read, the keys are those without it, and standard error tells what is wrong.
      """)

  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    // Who named a wrong command looks here for the right one.
    let configured = Result { try Configuration.load(environment: surroundings.environment).keys }
    let keys = (try? configured.get()) ?? OwnKeys()
    let all = Topic.allCases.map { (topic: $0, bindings: keys.told(on: $0)) }
    // By its name a keymap gives a command other keys; the words of two of a pair are the same.
    let words = all.map { $0.bindings.map { ["  " + $0.keyNames, $0.command.name, $0.label] } }
    var layout = ColumnLayout(columns: 3, limit: nil)
    _ = layout.lines(words.flatMap(\.self))
    for ((topic, bindings), words) in zip(all, words) {
      if !print.json, !bindings.isEmpty { try surroundings.output.print(topic.rawValue) }
      for (binding, line) in zip(bindings, layout.lines(words)) {
        try tell(binding, line, topic, surroundings)
      }
    }
    for lost in keys.lost { try surroundings.errors.print("parley: " + lost.words) }
    try surroundings.errors.flush()
    _ = try configured.get()
    return .nothingLeft
  }

  private func tell(_ binding: Binding, _ line: String, _ topic: Topic, _ surroundings: Surroundings) throws {
    let keys = binding.keys.map(\.name)
    try print.tell(
      JSON(members: [
        "screen": .string(topic.rawValue), "keys": .array(keys.map { .string($0) }),
        "does": .string(binding.label), "command": .string(binding.command.name),
      ]), or: [line], surroundings.output)
  }
}

extension Binding {
  fileprivate var keyNames: String { keys.map(\.name).joined(separator: "  ") }
}
