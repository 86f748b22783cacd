import Merging
import Telling
import Terminal
import Yams

// theme: night
// color: auto
// mouse: true
// tie: client
// policies:
//   default: latest
//   counters.count: counter
// stores:
//   Reminders.sqlite:
//     tie: server
//     policies:
//       reminders.tags: set

extension Configuration {
  /// - Throws: ``CommandError/badConfiguration(words:)`` with file, line, and what is allowed there.
  ///
  /// - Parameter themes: the names that there are; one with a `/` is the path of a file.
  init(yaml: String, file: String, themes: [String]) throws(CommandError) {
    let reader = ConfigurationReader(file: file)
    for (key, value) in try reader.entries(of: try reader.compose(yaml), named: "the configuration") {
      switch key.word {
      case "theme": theme = try reader.theme(value, among: themes)
      case "color": colour = try reader.choice(value, key.word)
      case "mouse": mouse = try reader.flag(value, key.word)
      case "stores":
        for (name, rules) in try reader.entries(of: value, named: "stores") {
          stores[name.word] = try reader.rules(rules, named: name.word)
        }
      case "tie", "policies": try reader.take(key, value, into: &rules)
      default: throw reader.unknown(key, allowed: ["theme", "color", "mouse", "tie", "policies", "stores"])
      }
    }
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
    guard let node, node.scalar?.string.isEmpty != true else { return [] }
    guard let mapping = node.mapping else { throw error("\(name) is made of lines “name: value”", node) }
    var entries: [(Key, Node)] = []
    for (key, value) in mapping {
      guard let word = key.scalar?.string else { throw error("a name is one word", key) }
      entries.append((Key(word: word, line: key.mark?.line ?? 1), value))
    }
    return entries
  }

  func rules(_ node: Node, named name: String) throws(CommandError) -> Configuration.Rules {
    var rules = Configuration.Rules()
    for (key, value) in try entries(of: node, named: name) { try take(key, value, into: &rules) }
    return rules
  }

  func take(_ key: Key, _ value: Node, into rules: inout Configuration.Rules) throws(CommandError) {
    switch key.word {
    case "tie": rules.tie = try choice(value, key.word)
    case "policies":
      for (field, rule) in try entries(of: value, named: "policies") {
        rules.policies[field.word] = try choice(rule, field.word)
      }
    default: throw unknown(key, allowed: ["tie", "policies"])
    }
  }

  func text(_ node: Node, _ name: String) throws(CommandError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw error("“\(name)” needs a value", node) }
    return text
  }

  func theme(_ node: Node, among themes: [String]) throws(CommandError) -> String {
    let name = try text(node, "theme")
    if name.contains("/") || themes.contains(name) { return name }
    throw error("there is no theme “\(name)”. There are \(themes.joined(separator: ", "))", node)
  }

  func flag(_ node: Node, _ name: String) throws(CommandError) -> Bool {
    switch try text(node, name) {
    case "true": return true
    case "false": return false
    case let word: throw error("“\(word)” cannot stand after “\(name)”. Allowed are true, false", node)
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
