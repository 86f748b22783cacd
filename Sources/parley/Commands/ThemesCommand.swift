import ArgumentParser

/// `parley themes [NAME]`: which themes there are, or one of them to begin with.
struct ThemesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "List the themes, or print one as YAML.",
    discussion: """
      A theme of your own is a file ~/.config/parley/themes/NAME.yaml (or $XDG_CONFIG_HOME/parley/themes/NAME.yaml). \
      Begin with a copy: parley themes night > ~/.config/parley/themes/mine.yaml
      """)

  @Argument(help: ArgumentHelp("Print this theme's YAML.", valueName: "name"))
  var name: String?
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let shelf = ThemeShelf(environment: surroundings.environment)
    if let name {
      try printSource(of: name, shelf, surroundings)
    } else {
      for entry in shelf.entries { try surroundings.output.print(line(entry)) }
    }
    return .nothingLeft
  }

  private func line(_ entry: ThemeShelf.Entry) -> String {
    if print.json { return JSON.object([("name", .string(entry.name)), ("file", JSON(entry.file))]).text }
    return cut(entry.file.map { "\(entry.name)  \($0)" } ?? entry.name, to: nil)
  }

  private func printSource(of name: String, _ shelf: ThemeShelf, _ surroundings: Surroundings) throws {
    var source = try shelf.source(name)
    if print.json {
      return try surroundings.output.print(
        JSON.object([("name", .string(name)), ("yaml", .string(source))]).text)
    }
    if source.hasSuffix("\n") { source.removeLast() }
    try surroundings.output.print(source)
  }
}
