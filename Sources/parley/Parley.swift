import ArgumentParser

/// The root of all commands.
struct Parley: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parley",
    abstract: "The conflict desk for data that syncs.",
    usage: "parley <path> [--theme <name>] [--color <when>] [--no-mouse]\nparley <command> …",
    discussion: """
      Opens a store that syncs, lists the records on which client and server disagree, shows ancestor, client and \
      server side by side, suggests a field-wise merge with reasons, and writes the draft that you decide on.

      A database whose name is that of a command is opened by its path: parley ./list

      EXIT STATUS
        0    nothing is left to do, among what was asked
        1    conflicts or findings are left
        2    usage: wrong arguments, or a record or field that is not there
        3    a file cannot be opened, or is locked
        4    the store moved since it was seen; nothing of that record was written
        5    refused: read-only, type, NOT NULL, CHECK, foreign key
        130  interrupted
      """,
    version: "0.1.0",
    subcommands: [
      OpenCommand.self, DemoCommand.self, ListCommand.self, ShowCommand.self, ResolveCommand.self,
      WriteCommand.self, UndoCommand.self, ImportCommand.self, LogCommand.self, CaptureCommand.self,
      DoctorCommand.self,
      WalkthroughCommand.self,
      ThemesCommand.self, KeysCommand.self,
      BenchmarkCloudantCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)
}
