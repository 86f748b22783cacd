import ArgumentParser
import CouchDBStores
import Foundation
import Merging
import SQLiteDataStores
import StoreInterface
import Telling

/// `parley config`: a configuration to begin with.
struct ConfigCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", _superCommandName: Parley.name,
    abstract: "Print a commented default configuration, or write it to its place.",
    discussion: """
      Every setting with what it means, what it can be, and what holds without it; as long as its line is a comment nothing \
      changes. The place is ~/.config/parley/config.yaml, or under $XDG_CONFIG_HOME. What is there is never overwritten.

      Of what both sides changed, the policies say what is suggested: latest, the newer edit; client or server, that side's; \
      ancestor, what was there before; counter, both differences from the ancestor, added; set, both additions and removals; maximum, minimum; text, word by word; keys, JSON key by key.

      Exits with 0; with --write 2 if the file is there already, 3 if it cannot be made; with --rules 3 if the configuration cannot be \
      read, or the store, without which the rules are printed all the same.
      """)

  @Flag(help: "Write it to its place, if nothing is there.")
  var write = false

  @Option(
    help: ArgumentHelp(
      "Print the rules that are in force for a store instead, each with the line it comes from.",
      valueName: "path"), completion: .file())
  var rules: String?

  func validate() throws {
    if rules != nil, write { throw ValidationError("--rules prints what is set, and --write begins a file.") }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let environment = surroundings.environment
    if let rules { return try tell(of: rules, surroundings) }
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

  private func tell(of path: String, _ surroundings: Surroundings) throws -> ExitStatus {
    let settings = try SettingsFile.read(environment: surroundings.environment)
    let stores = settings.configuration.stores
    let names = StoreNames(opening: path)
    let name = names.name(in: stores)
    let rules = settings.configuration.rules(for: names, tie: nil)
    try surroundings.output.print("tie: \(rules.tie.rawValue)")
    try surroundings.output.print("margin: \(rules.margin == 0 ? "0" : Reason.duration(rules.margin))")
    try surroundings.output.print("policies:")
    for entry in [MergeRules.defaultEntry] + rules.rules.keys.sorted() {
      let line = settings.configuration.line(of: entry, inStore: name)
      let place = line.map { "\(settings.path ?? ""):\($0.number)\($0.isOfStore ? "" : ", every store")" }
      let rule = rules[entry]?.rawValue ?? ""
      try surroundings.output.print("  \(entry): \(rule)   # \(place ?? "the default")")
    }
    try surroundings.output.flush()
    if !stores.isEmpty, stores[name] == nil {
      try surroundings.errors.print(
        "parley: Of the names under stores: none is this store's, which is \(name).")
    }
    return try tellIdle(rules, in: path, surroundings)
  }

  /// Whoever opens the store is told of entries that decide nothing in it. A server is not asked for that: of documents it is known without.
  private func tellIdle(
    _ rules: MergeRules, in path: String, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    var status = ExitStatus.nothingLeft
    let isServer = ServerAddress.isMeant(by: path)
    let warnings = isServer ? StoreOpening.warningsOfDocuments(rules) : []
    for warning in warnings { try surroundings.errors.print("parley: \(warning)") }
    do {
      if !isServer { _ = try surroundings.open(StoreRequest(path: path, access: .reading)) }
    } catch let error as StoreError {
      try surroundings.errors.print("parley: the rules were not compared with the store: \(error.words)")
      status = ExitStatus(error)
    }
    try surroundings.errors.flush()
    return status
  }
}
