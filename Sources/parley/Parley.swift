import ArgumentParser
import Foundation
import Telling

struct Parley: ParsableCommand {
  static let about = """
    Opens a store that syncs, lists the records on which client and server disagree, shows ancestor, client and \
    server side by side, suggests a field-wise merge with reasons, and writes the draft that you decide on.

    A database whose name is that of a command is opened by its path: parley ./list
    """

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "The conflict desk for data that syncs.",
    usage: "parley <path> [--theme <name>] [--color <when>] [--no-mouse] [--plain]\nparley <command> ...",
    discussion: """
      \(about)

      The manual page: parley help --man | man -l -
      Names, JSON and exit statuses, for scripts: parley help output
      A report for support, without a value: parley show PATH --redact
      Completions: parley completions bash (or zsh, fish)

      EXIT STATUS
      \(ExitStatus.table)
      """,
    version: "0.1.0",
    subcommands: [
      OpenCommand.self, DemoCommand.self, ListCommand.self, ShowCommand.self, ResolveCommand.self,
      ApplyCommand.self, WriteCommand.self, UndoCommand.self, ImportCommand.self, LogCommand.self,
      CaptureCommand.self,
      DoctorCommand.self, WalkthroughCommand.self, ThemesCommand.self, KeysCommand.self,
      ConfigCommand.self, CompletionsCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)
}

extension Parley {
  /// What all commands stand under. One that knows it is not searched for the parser's own completion scripts first, which takes a
  /// third of the time to read a command line.
  static let name = "parley"

  /// What somebody reads who has typed the program's name alone.
  static let start = """
    a store is missing.

    Parley opens a store that syncs, shows the records on which
    client and server disagree, and writes what you decide.

    Usage: parley demo      a sample to try everything on; it is removed after
           parley STORE     your own: a database file, a folder, or a server's URL
           parley --help    all commands and options
    """

  /// The commands by name, without those that are hidden.
  static var commandNames: [String] {
    let shown = configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return shown.compactMap { $0.configuration.commandName }
  }

  /// A text that is asked for beside the help of the commands; nil where none is.
  ///
  /// - Parameters:
  ///   - isBroken: whether its lines are broken where they are printed, as in a terminal.
  ///   - isASCII: whether that shows nothing else. What stands for … there would be a redirection in an example.
  static func text(asked arguments: [String], isBroken: Bool, isASCII: Bool = false) throws -> String? {
    guard let text = try text(asked: arguments) else { return nil }
    let shown = isASCII ? text.replacing("…", with: "..") : text
    return isBroken && arguments != ManualPage.arguments ? BrokenLine.paragraphs(of: shown) : shown
  }

  private static func text(asked arguments: [String]) throws -> String? {
    switch arguments {
    case ManualPage.arguments: try ManualPage.text()
    case ["help", "output"]:
      String(decoding: PackageResources.OUTPUT_md, as: UTF8.self).trimmingCharacters(in: .newlines)
    default: nil
    }
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

  /// What was asked for. The root would read all options of the default command, and those of the one that is meant four times: a
  /// command is read alone. But only the root can tell what is wrong, for it knows all.
  ///
  /// - Throws: what the parser has to say: an error, a help, the version
  static func command(of arguments: [String]) throws -> Asked {
    // A help is no command of ours, and of a mistake there is nothing: of both the root tells.
    if let own = alone(arguments) { return .own(own) }
    let command = try parseAsRoot(arguments)
    return (command as? any ParleyCommand).map { .own($0) } ?? .parsers(command)
  }

  enum Asked {
    case own(any ParleyCommand)
    /// Of these only `help` is left, which throws what it has to say.
    case parsers(any ParsableCommand)
  }

  private static func alone(_ arguments: [String]) -> (any ParleyCommand)? {
    if let named = arguments.first.flatMap(subcommand) {
      return (try? named.parseAsRoot(Array(arguments.dropFirst()))) as? any ParleyCommand
    }
    if let path = arguments.first, arguments.count == 1, !path.isEmpty, !path.hasPrefix("-") {
      return isCommand(path) ? nil : OpenCommand(path: path)
    }
    return arguments.contains(where: isCommand)
      ? nil : (try? OpenCommand.parseAsRoot(arguments)) as? any ParleyCommand
  }

  private static func checkTopic(_ topic: String?) throws(CommandError) {
    guard let topic, !isCommand(topic) else { return }
    let meant = Spelling.suggestions(for: topic, among: commandNames)
    throw .unknownCommand(topic, meant: meant, known: commandNames)
  }

  /// How the command is used that was given, as the parser tells it behind a mistake; nil of `help`, which is none of ours.
  static func usage(of arguments: [String]) -> String? {
    if arguments.first == "help" { return nil }
    return usage(of: arguments.first.flatMap(subcommand) ?? OpenCommand.self)
  }

  static func usage(of command: any ParsableCommand.Type) -> String {
    let name = command.configuration.commandName ?? ""
    return "Usage: \(usageString(for: command))\n  See 'parley \(name) --help' for more information."
  }

  private static func isCommand(_ word: String) -> Bool {
    word == "help" || subcommand(word) != nil
  }

  /// To look at the commands makes the help of each of them, a twentieth of a start: of a path with a slash or a dot nobody has to.
  private static func subcommand(_ word: String) -> (any ParsableCommand.Type)? {
    guard word.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return nil }
    return configuration.subcommands.first { $0.configuration.commandName == word }
  }

  /// Whether a person who typed this meant a file: it is there, or it looks like one.
  private static func isPath(_ word: String) -> Bool {
    word.contains { "/.~ ".contains($0) } || FileManager.default.fileExists(atPath: word)
  }
}

extension Spelling {
  /// A message of the argument parser. It suggests what shares three letters (`--fix`: `--yes`), in the place of which stands what the
  /// command calls otherwise.
  static func corrected(_ message: String, of command: String) -> String {
    guard let typed = message.firstMatch(of: /Unknown option '(?<word>[^']+)'/) else { return message }
    let suggestion = /\ Did you mean '(?<word>[^']+)'\?/
    let wrong = name(typed.word)
    if let word = message.firstMatch(of: suggestion)?.word, isMeant(name(word), by: wrong) { return message }
    let bare = message.replacing(suggestion, with: "")
    guard let way = MeantOption.way(for: wrong, of: command) ?? DashedWord.way(for: typed.word) else {
      return bare
    }
    // The parser ends its sentence only where it suggests something.
    return bare.replacing(/Unknown option '[^']+'\.?/, with: "\(typed.0). \(way).")
  }

  private static func isMeant(_ word: String, by wrong: String) -> Bool {
    word != "yes" && slips(from: word, to: wrong) <= slipsAllowed(wrong)
  }

  private static func name(_ option: Substring) -> String { String(option.drop { $0 == "-" }) }
}
