import ArgumentParser
import Foundation

/// The root of all commands.
struct Parley: ParsableCommand {
  static let about = """
    Opens a store that syncs, lists the records on which client and server disagree, shows ancestor, client and \
    server side by side, suggests a field-wise merge with reasons, and writes the draft that you decide on.

    A database whose name is that of a command is opened by its path: parley ./list
    """

  static let configuration = CommandConfiguration(
    commandName: "parley",
    abstract: "The conflict desk for data that syncs.",
    usage: "parley <path> [--theme <name>] [--color <when>] [--no-mouse]\nparley <command> …",
    discussion: """
      \(about)

      The manual page: parley help --man | man -l -
      Completions: parley --generate-completion-script bash (or zsh, fish)

      EXIT STATUS
      \(ExitStatus.table)
      """,
    version: "0.1.0",
    subcommands: [
      OpenCommand.self, DemoCommand.self, ListCommand.self, ShowCommand.self, ResolveCommand.self,
      WriteCommand.self, UndoCommand.self, ImportCommand.self, LogCommand.self, CaptureCommand.self,
      DoctorCommand.self,
      WalkthroughCommand.self,
      ThemesCommand.self, KeysCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)
}

extension Parley {
  /// The commands by name, without the one that goes without a name, and those that are hidden.
  static var commandNames: [String] {
    let shown = configuration.subcommands.filter { $0 != OpenCommand.self && $0.configuration.shouldDisplay }
    return shown.compactMap { $0.configuration.commandName }
  }

  /// Refuses a mistyped command before the default one takes it for the path of a store.
  ///
  /// - Throws: ``CommandError/unknownCommand(_:meant:known:)``
  static func checkCommand(_ arguments: [String]) throws(CommandError) {
    let words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }
    if arguments.first == "help" { return try checkTopic(words.dropFirst().first) }
    guard let word = arguments.first, !word.hasPrefix("-"), !isCommand(word), !isPath(word) else { return }
    let meant = Spelling.suggestions(for: word, among: commandNames)
    if !meant.isEmpty || words.count > 1 { throw .unknownCommand(word, meant: meant, known: commandNames) }
  }

  private static func checkTopic(_ topic: String?) throws(CommandError) {
    guard let topic, !isCommand(topic) else { return }
    let meant = Spelling.suggestions(for: topic, among: commandNames)
    throw .unknownCommand(topic, meant: meant, known: commandNames)
  }

  private static func isCommand(_ word: String) -> Bool {
    word == "help" || configuration.subcommands.contains { $0.configuration.commandName == word }
  }

  /// Whether a person who typed this meant a file: it is there, or it looks like one.
  private static func isPath(_ word: String) -> Bool {
    word.contains { "/.~ ".contains($0) } || FileManager.default.fileExists(atPath: word)
  }
}
