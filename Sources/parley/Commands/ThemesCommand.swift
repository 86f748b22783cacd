import ArgumentParser
import ExactJSON
import Terminal

/// `parley themes [NAME]`: which themes there are, or one of them to begin with.
struct ThemesCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", _superCommandName: Parley.name,
    abstract: "List the themes, or print one as YAML.",
    discussion: """
      A theme of your own is a file ~/.config/parley/themes/NAME.yaml (or $XDG_CONFIG_HOME/parley/themes/NAME.yaml). \
      Begin with a copy:
        mkdir -p ~/.config/parley/themes
        parley themes night > ~/.config/parley/themes/mine.yaml
      """)

  @Argument(
    help: ArgumentHelp("Print this theme's YAML.", valueName: "name"), completion: .list(Theme.builtInNames))
  var name: String?
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let shelf = ThemeShelf(environment: surroundings.environment)
    if let name {
      // Who prints one of their own wants to know whether it can be used; and what is no theme is nothing to print.
      _ = try shelf.theme(name)
      try printSource(of: name, shelf, surroundings)
    } else {
      for entry in shelf.entries { try tell(entry, surroundings) }
    }
    return .nothingLeft
  }

  private func tell(_ entry: ThemeShelf.Entry, _ surroundings: Surroundings) throws {
    try print.tell(
      JSON(members: ["name": .string(entry.name), "file": JSON(entry.file)]),
      or: [cut(entry.file.map { "\(entry.name)  \($0)" } ?? entry.name, to: nil)], surroundings.output)
  }

  /// On a terminal it is made safe like any text of a file; a copy is exact.
  private func printSource(of name: String, _ shelf: ThemeShelf, _ surroundings: Surroundings) throws {
    var source = try shelf.source(name)
    if print.json {
      return try surroundings.output.print(JSON(members: ["name": .string(name), "yaml": .string(source)]))
    }
    if source.hasSuffix("\n") { source.removeLast() }
    if surroundings.width == nil { return try surroundings.output.printExactly(source) }
    try surroundings.output.print(lines: source)
  }
}
