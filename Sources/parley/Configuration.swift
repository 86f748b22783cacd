import Desk
import Foundation
import Merging
import Terminal
import Yams

/// What a person set once and for all, in `$XDG_CONFIG_HOME/parley/config.yaml` (default `~/.config/parley/config.yaml`).
/// What is said on the command line wins over it.
struct Configuration: Equatable {
  /// How one store, or every store, is merged.
  struct Rules: Equatable {
    var tie: TieRule?
    /// How far apart clocks may be, in nanoseconds.
    var margin: Int64?
    /// The line that says so.
    var lineOfMargin: Int?
    /// By `table.field`, `table` or `default`.
    var policies: [String: MergeRule] = [:]
  }

  /// What a write leaves on the leaves that lost, in a database on a server.
  enum Tombstones: String, CaseIterable {
    case plain
    /// With who resolved it, and what lost.
    case signed
  }

  var theme: String?
  var colour: ColourChoice?
  var mouse: Bool?
  /// Whether the desk is drawn with ASCII alone; nil leaves it to the locale.
  var ascii: Bool?
  var tombstones: Tombstones?
  /// Where the log is kept; nil if none is.
  var log: String?
  /// Whether the cursor goes to what is to decide next after a choice.
  var advance: Bool?
  var keys = OwnKeys()
  var rules = Rules()
  /// By one of the names that a store can be opened by.
  var stores: [String: Rules] = [:]
  /// The lines of the policies, by store and entry; those of every store have no store.
  var lines: [RuleLine: Int] = [:]

  struct RuleLine: Hashable {
    var store: String?
    var entry: String
  }

  /// By what the store at `path` may be called under `stores:`; nil where nothing is. To find them its folders are looked through.
  func names(ofStore path: String) -> StoreNames? { stores.isEmpty ? nil : StoreNames(opening: path) }

  /// The rules for the store of these names, whichever of them is used: its own entries win over those for every store.
  func rules(for names: StoreNames?, tie: TieRule?) -> MergeRules {
    let own = names.flatMap { stores[$0.name(in: stores)] }
    var policies = rules.policies.merging(own?.policies ?? [:]) { $1 }
    let defaultRule = policies.removeValue(forKey: "default") ?? .latest
    return MergeRules(
      tie: tie ?? own?.tie ?? rules.tie ?? .client, rules: policies, defaultRule: defaultRule,
      margin: own?.margin ?? rules.margin ?? 0)
  }

  /// Of rules under `stores:` that somebody may take for those of the store with these names.
  func warnings(for names: StoreNames?) -> [String] { names?.warnings(stores) ?? [] }

  /// The line that says a policy of a store.
  func line(of entry: String, inStore store: String) -> (number: Int, isOfStore: Bool)? {
    if let line = lines[RuleLine(store: store, entry: entry)] { return (line, true) }
    return lines[RuleLine(store: nil, entry: entry)].map { ($0, false) }
  }

  /// The line that says how far apart clocks may be.
  func lineOfMargin(inStore store: String) -> (number: Int, isOfStore: Bool)? {
    if let line = stores[store]?.lineOfMargin { return (line, true) }
    return rules.lineOfMargin.map { ($0, false) }
  }

  /// - Throws: ``CommandError/badConfiguration(words:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``,
  ///   ``CommandError/settingsNotText(path:)``
  static func load(environment: [String: String]) throws -> Configuration {
    try SettingsFile.read(environment: environment).configuration
  }

  static func file(_ environment: [String: String]) -> String? {
    configurationFolder(environment).map { $0 + "/config.yaml" }
  }
}

/// `$XDG_CONFIG_HOME/parley`, if that is an absolute path, otherwise `~/.config/parley`.
func configurationFolder(_ environment: [String: String]) -> String? {
  let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
  let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
  return folder.map { $0 + "/parley" }
}

/// A path with `~` for the home folder, as the shell reads it, for which home is what `HOME` says, whoever is logged in.
func expandingHome(_ path: String, _ environment: [String: String]) -> String {
  guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else {
    return (path as NSString).expandingTildeInPath
  }
  return home + path.dropFirst()
}

extension Configuration {
  /// - Throws: ``CommandError/badConfiguration(words:)`` with file, line, and what is allowed there.
  ///
  /// - Parameter themes: the names that there are; one with a `/` is the path of a file.
  init(yaml: String, file: String, themes: [String]) throws(CommandError) {
    let reader = ConfigurationReader(file: file)
    var mistakes = Mistakes()
    for (key, value) in try reader.entries(of: try reader.compose(yaml), named: "the configuration") {
      mistakes.collect { () throws(CommandError) in
        if key.word == "stores" { return try takeStores(value, reader) }
        try take(key, value, themes, reader)
      }
    }
    try mistakes.tell()
  }

  private mutating func take(
    _ key: ConfigurationReader.Key, _ value: Node, _ themes: [String], _ reader: ConfigurationReader
  ) throws(CommandError) {
    switch key.word {
    case "theme": theme = try reader.theme(value, among: themes)
    case "color": colour = try reader.choice(value, key.word)
    case "mouse": mouse = try reader.flag(value, key.word)
    case "tombstones": tombstones = try reader.choice(value, key.word)
    case "ascii": ascii = try reader.flag(value, key.word, otherwise: "auto")
    case "log": log = try reader.path(value, key.word)
    case "advance": advance = try reader.flag(value, key.word)
    case "keys": keys = try reader.keys(value)
    case "tie", "margin", "policies":
      try reader.take(key, value, into: &rules)
      if key.word == "policies" { try note(reader.lines(of: value), of: nil) }
    default:
      throw reader.unknown(key, allowed: Configuration.names)
    }
  }

  private mutating func takeStores(_ node: Node, _ reader: ConfigurationReader) throws(CommandError) {
    var mistakes = Mistakes()
    for (name, rules) in try reader.entries(of: node, named: "stores") {
      mistakes.collect { () throws(CommandError) in
        try reader.checkIsNoPath(name)
        stores[name.word] = try reader.rules(rules, named: name.word)
        try note(reader.linesOfPolicies(in: rules), of: name.word)
      }
    }
    try mistakes.tell()
  }
}

/// What is wrong in a file, all of it: nobody should have to mend a line to be told of the next.
private struct Mistakes {
  private var words: [String] = []

  mutating func collect(_ read: () throws(CommandError) -> Void) {
    do { try read() } catch { words.append(error.words) }
  }

  func tell() throws(CommandError) {
    if !words.isEmpty { throw .badConfiguration(words: words.joined(separator: "\n")) }
  }
}

extension Configuration {
  fileprivate mutating func note(_ lines: [String: Int], of store: String?) {
    for (entry, line) in lines { self.lines[RuleLine(store: store, entry: entry)] = line }
  }
}

private struct ConfigurationReader {
  struct Key {
    var word: String
    var line: Int
  }

  let file: String

  func compose(_ yaml: String) throws(CommandError) -> Node? {
    do {
      return try YAMLText.node(yaml)
    } catch {
      throw .badConfiguration(words: "\(file):\(error.line): \(error.words)")
    }
  }

  func entries(of node: Node?, named name: String) throws(CommandError) -> [(Key, Node)] {
    guard let node, !node.holdsNothing else { return [] }
    guard let mapping = node.mapping else { throw error("\(name) is made of lines “name: value”", node) }
    var entries: [(Key, Node)] = []
    for (key, value) in mapping {
      guard let word = key.scalar?.string else { throw error("a name is one word", key) }
      entries.append((Key(word: word, line: key.mark?.line ?? 1), value))
    }
    return entries
  }

  /// No store is called by a path, so that its rules would never be in force. That of a server's database ends in its name, too.
  func checkIsNoPath(_ store: Key) throws(CommandError) {
    guard store.word.contains("/") else { return }
    let name = StoreNames.end(of: store.word)
    let words = "a store is named here by its file or its folder, and not by a path: “\(name)”"
    throw .badConfiguration(words: "\(file):\(store.line): \(words).")
  }

  func rules(_ node: Node, named name: String) throws(CommandError) -> Configuration.Rules {
    var rules = Configuration.Rules()
    var mistakes = Mistakes()
    for (key, value) in try entries(of: node, named: name) {
      mistakes.collect { () throws(CommandError) in try take(key, value, into: &rules) }
    }
    try mistakes.tell()
    return rules
  }

  func linesOfPolicies(in store: Node) throws(CommandError) -> [String: Int] {
    guard let policies = store.mapping?["policies"] else { return [:] }
    return try lines(of: policies)
  }

  func lines(of policies: Node) throws(CommandError) -> [String: Int] {
    var lines: [String: Int] = [:]
    for (entry, _) in try entries(of: policies, named: "policies") { lines[entry.word] = entry.line }
    return lines
  }

  func take(_ key: Key, _ value: Node, into rules: inout Configuration.Rules) throws(CommandError) {
    switch key.word {
    case "tie": rules.tie = try choice(value, key.word)
    case "margin": (rules.margin, rules.lineOfMargin) = (try length(value, key.word), key.line)
    case "policies":
      var mistakes = Mistakes()
      for (field, rule) in try entries(of: value, named: "policies") {
        mistakes.collect { () throws(CommandError) in
          rules.policies[field.word] = try policy(rule, of: field.word)
        }
      }
      try mistakes.tell()
    default: throw unknown(key, allowed: ["tie", "margin", "policies"])
    }
  }

  /// Who writes the fields below their table is told the line that is meant.
  private func policy(_ node: Node, of entry: String) throws(CommandError) -> MergeRule {
    guard node.mapping != nil, let (field, rule) = try entries(of: node, named: entry).first else {
      return try choice(node, entry)
    }
    let line = "\(entry).\(field.word): \(rule.scalar?.string ?? MergeRule.latest.rawValue)"
    throw error("“\(entry)” takes a policy. That of a field stands in a line beside it: “\(line)”", node)
  }

  /// By screen and command a key, or several.
  func keys(_ node: Node) throws(CommandError) -> OwnKeys {
    var lines: [(entry: OwnKeys.Entry, node: Node)] = []
    for (screen, commands) in try entries(of: node, named: "keys") {
      for (command, keys) in try entriesOfCommands(commands, of: screen.word) {
        let names = try names(of: keys, command.word)
        lines.append((OwnKeys.Entry(screen: screen.word, command: command.word, keys: names), keys))
      }
    }
    var mistakes = Mistakes()
    var keys: OwnKeys?
    while keys == nil {
      do {
        keys = try OwnKeys(lines.map(\.entry))
      } catch {
        let (wrong, words) = (lines.remove(at: error.entry).node, error.description)
        mistakes.collect { () throws(CommandError) in throw self.error(words, wrong) }
      }
    }
    try mistakes.tell()
    return keys ?? OwnKeys()
  }

  /// Below a screen's name. Who writes both in one line is told the two lines that are meant.
  private func entriesOfCommands(_ node: Node, of screen: String) throws(CommandError) -> [(Key, Node)] {
    if node.mapping != nil || node.holdsNothing { return try entries(of: node, named: screen) }
    let parts = screen.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let keys = try? names(of: node, screen)
    // The two lines would be refused, too.
    if parts.count == 2,
      let words = OwnKeys.refusal(of: .init(screen: parts[0], command: parts[1], keys: keys ?? []))
    {
      throw error(words, node)
    }
    let told = keys == nil ? "[z, F11]" : written(node)
    let (topic, command) = parts.count == 2 ? (parts[0], "\(parts[1]): \(told)") : ("list", "accept: z")
    throw error(
      "“\(screen)” stands where a screen does, and its commands have lines of their own: “\(topic):”, "
        + "and further in below it “\(command)”", node)
  }

  /// Keys as they are to be written: what stands in quotes needs them.
  private func written(_ keys: Node) -> String {
    if let names = keys.sequence { return "[\(names.map(written).joined(separator: ", "))]" }
    let name = keys.scalar?.string ?? ""
    return keys.scalar?.style == .plain ? name : "'\(name.replacing("'", with: "''"))'"
  }

  func text(_ node: Node, _ name: String) throws(CommandError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw error("“\(name)” needs a value", node) }
    return text
  }

  /// One word, or several in a list.
  private func names(of keys: Node, _ command: String) throws(CommandError) -> [String] {
    let nodes = keys.sequence.map(Array.init) ?? [keys]
    let names = nodes.compactMap(\.scalar?.string).filter { !$0.isEmpty }
    guard !names.isEmpty, names.count == nodes.count else {
      throw error("“\(command)” needs a key, or several in a list: [z, F11]", keys)
    }
    return names
  }

  /// Of a file, as it stands there. What YAML takes for a number or for yes was not meant as a name; in quotes it is one.
  func path(_ node: Node, _ name: String) throws(CommandError) -> String {
    let word = try text(node, name)
    let others = ["~", "null", "true", "false", "yes", "no", "on", "off"]
    let isOther = node.scalar?.style == .plain && (Double(word) != nil || others.contains(word.lowercased()))
    guard !isOther else {
      throw error("“\(word)” cannot stand after “\(name)”. Allowed is the path of a file: ~/parley.log", node)
    }
    return word
  }

  func theme(_ node: Node, among themes: [String]) throws(CommandError) -> String {
    let name = try text(node, "theme")
    if name.contains("/") || themes.contains(name) { return name }
    let paths = name.hasSuffix(".yaml") ? ", or a file by its path, which has a “/”: ~/\(name)" : ""
    throw error("there is no theme “\(name)”. Themes: \(themes.joined(separator: ", "))\(paths)", node)
  }

  func flag(_ node: Node, _ name: String) throws(CommandError) -> Bool {
    try flag(node, name, otherwise: nil) ?? false
  }

  /// - Parameter otherwise: a third word, for which there is nil.
  func flag(_ node: Node, _ name: String, otherwise: String?) throws(CommandError) -> Bool? {
    switch try text(node, name) {
    case "true": return true
    case "false": return false
    case let word where word == otherwise: return nil
    case let word:
      let allowed = (["true", "false"] + [otherwise].compactMap(\.self)).joined(separator: ", ")
      throw error("“\(word)” cannot stand after “\(name)”. Allowed are \(allowed)", node)
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ node: Node, _ name: String
  ) throws(CommandError) -> Choice {
    let word = try text(node, name)
    if let choice = Choice(rawValue: word) { return choice }
    let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("“\(word)” cannot stand after “\(name)”. Allowed are \(allowed)", node)
  }

  /// A length of time, in nanoseconds.
  func length(_ node: Node, _ name: String) throws(CommandError) -> Int64 {
    let word = try text(node, name)
    if word == "0" { return 0 }
    let units: [Substring: Int64] = [
      "ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000,
    ]
    let digits = word.prefix { ("0"..."9").contains($0) }
    if digits.count <= 6, let count = Int64(digits), let unit = units[word.dropFirst(digits.count)] {
      return count * unit
    }
    throw error("“\(word)” cannot stand after “\(name)”. A length of time is 0, 500ms, 2s, 5m or 1h", node)
  }

  func unknown(_ key: Key, allowed: [String]) -> CommandError {
    .badConfiguration(
      words:
        "\(file):\(key.line): there is no “\(key.word)” here. Allowed are \(allowed.joined(separator: ", "))."
    )
  }

  private func error(_ words: String, _ node: Node) -> CommandError {
    .badConfiguration(words: "\(file):\(node.mark?.line ?? 1): \(words).")
  }
}

extension Node {
  /// Whether nothing stands there, or YAML's words for that.
  fileprivate var holdsNothing: Bool {
    guard let scalar else { return false }
    return scalar.string.isEmpty || scalar.style == .plain && ["~", "null"].contains(scalar.string)
  }
}
