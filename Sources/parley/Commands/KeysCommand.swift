import ArgumentParser
import Desk
import ExactJSON
import StoreInterface

/// `parley keys`: the keys of every screen, from the table that the desk itself goes by.
struct KeysCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", _superCommandName: Parley.name,
    abstract: "List the keys of every screen.",
    discussion: """
      A configuration can give more keys to all of these but the commands of Editor, Help, Commands and Input, where text is \
      typed, and confirm, which has Y alone, as no other command has it on any screen.

      With keys of your own, standard error tells which command gave up which key to another. Where the configuration cannot be \
      read, the keys are those without it, and standard error tells what is wrong.
      """)

  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    // Who named a wrong command looks here for the right one.
    let configured = Result { try Configuration.load(environment: surroundings.environment).keys }
    let keys = (try? configured.get()) ?? OwnKeys()
    let all = Topic.allCases.map { (topic: $0, bindings: keys.told(on: $0)) }
    // By its name a keymap gives a command other keys.
    let words = all.map { topic in
      topic.bindings.map { ["  " + $0.keyNames, $0.command.name, $0.words(among: topic.bindings)] }
    }
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

  /// What it does. In the help the keys of several commands stand together with words for all of them, "up, down" and "to decide: ! ^ ~",
  /// of which each has its own here.
  fileprivate func words(among bindings: [Binding]) -> String {
    let sharing = bindings.filter { $0.label == label }.map(\.command).unique
    guard sharing.count > 1, let place = sharing.firstIndex(of: command) else { return label }
    let parts = label.split(separator: ", ")
    if parts.count == sharing.count { return String(parts[place]) }
    let head = label.prefix { $0 != ":" }
    let signs = label.dropFirst(head.count + 1).split(separator: " ")
    let areEachOfOne = signs.count == sharing.count && signs.allSatisfy { $0.count == 1 }
    return areEachOfOne ? "\(head): \(signs[place])" : label
  }
}
