import ArgumentParser
import Merging

/// `parley config`: a configuration to begin with.
struct ConfigCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print a commented default configuration, or write it to its place.",
    discussion: """
      Every setting with what it means, what it can be, and what holds without it; as long as its line is a comment nothing \
      changes. The place is ~/.config/parley/config.yaml, or under $XDG_CONFIG_HOME. What is there is never overwritten.

      Of what both sides changed, the policies say what is suggested: latest, the newer edit; client or server, that side's; \
      ancestor, what was there before; counter, both sums; set, both additions and removals; maximum, minimum; text, word by word; keys, JSON key by key.
      """)

  @Flag(help: "Write it to its place, if nothing is there.")
  var write = false

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let environment = surroundings.environment
    let text = Configuration.defaultText(themes: ThemeShelf(environment: environment).entries.map(\.name))
    guard write else {
      try surroundings.output.print(lines: String(text.dropLast()))
      return .nothingLeft
    }
    guard let file = Configuration.file(environment) else { throw CommandError.noPlaceForConfiguration }
    do {
      try NewFile.write(text, to: file, makingFolders: true)
    } catch CommandError.fileExists {
      throw CommandError.configurationExists(path: file)
    }
    try surroundings.output.print(file)
    return .nothingLeft
  }
}
