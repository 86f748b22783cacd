import Telling
import Terminal

/// The keys as a person wants them: those of ``Keymap``, and more. A key that is given to a command is no other one's there.
///
/// Only where keys are commands: a line of text takes those of every line.
package struct OwnKeys: Sendable, Equatable {
  /// A line of the configuration: a screen, a command of it by its ``Command/name``, and keys by their ``Key/name``.
  package struct Entry: Sendable {
    package var screen: String
    package var command: String
    package var keys: [String]

    package init(screen: String, command: String, keys: [String]) {
      (self.screen, self.command, self.keys) = (screen, command, keys)
    }
  }

  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// Which of the lines it is about.
    package let entry: Int
  }

  private struct Given: Sendable, Equatable {
    let key: Key
    let command: Command
  }

  /// In their order: the first of a command is the one that is told of.
  private var given: [Topic: [Given]] = [:]

  package init() {}

  /// - Throws: ``Problem``: a name that is none, a key that two commands are to have, a command that no key would be left for.
  package init(_ entries: [Entry]) throws(Problem) {
    for (index, entry) in entries.enumerated() {
      do { try take(entry) } catch { throw Problem(description: error.words, entry: index) }
    }
    for (index, entry) in entries.enumerated() {
      guard let topic = OwnKeys.topic(entry.screen), let lost = withoutKeys(on: topic) else { continue }
      // Of several lines of a screen the one is meant that took a key of it.
      let had = Keymap.bindings(on: topic).first { $0.command == lost }?.keys ?? []
      guard had.contains(where: { key in entry.keys.contains { Key(named: $0) == key } }) else { continue }
      let words =
        "it leaves no key for “\(lost.name)” of \(topic.rawValue): give “\(lost.name)” another in a line of its own"
      throw Problem(description: words, entry: index)
    }
  }

  private struct Refused: Error { let words: String }

  private mutating func take(_ entry: Entry) throws(Refused) {
    let topic = try OwnKeys.screen(named: entry.screen)
    let all = Keymap.bindings(on: topic).map(\.command)
    let commands = all.filter { $0 != .drafts(.confirm) }
    guard let command = commands.first(where: { $0.name == entry.command }) else {
      if all.contains(where: { $0.name == entry.command }) {
        throw Refused(words: "“\(entry.command)” has Y alone there, and no other command has Y")
      }
      throw Refused(
        words: OwnKeys.unknown(entry.command, on: topic, among: Set(commands.map(\.name)).sorted()))
    }
    for name in entry.keys { try give(name, command, on: topic) }
  }

  private static func screen(named name: String) throws(Refused) -> Topic {
    if let topic = topic(name) { return topic }
    if let fixed = Topic.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
      throw Refused(words: "the keys of \(fixed.rawValue) are fixed: they are those of a line of text")
    }
    let names = screens.map { $0.rawValue.lowercased() }
    throw Refused(words: "there is no screen “\(name)”: \(names.joined(separator: ", "))")
  }

  /// Why a line would be refused by itself; nil where it would not.
  package static func refusal(of entry: Entry) -> String? {
    var keys = OwnKeys()
    do { try keys.take(entry) } catch { return error.words }
    return nil
  }

  /// Of a screen there are some fifty, of which nobody looks for one in a line.
  private static func unknown(_ word: String, on topic: Topic, among names: [String]) -> String {
    let meant = Spelling.suggestions(for: word, among: names).map { "“\($0)”" }.joined(separator: " or ")
    return "there is no command “\(word)” of \(topic.rawValue) to give a key"
      + (meant.isEmpty ? ": " : ". Did you mean \(meant)? ") + "parley keys tells their names"
  }

  private mutating func give(_ name: String, _ command: Command, on topic: Topic) throws(Refused) {
    guard let key = Key(named: name) else {
      throw Refused(words: "there is no key “\(name)”: parley keys tells their names")
    }
    if let other = key.sameInATerminal {
      throw Refused(words: "\(name) is \(other.name) to a terminal: no program can tell them apart")
    }
    // On no screen: who presses it once too often behind a review must not have decided by that.
    let writes = Keymap.bindings.contains { $0.command == .drafts(.confirm) && $0.keys.contains(key) }
    if writes {
      throw Refused(words: "\(name) is “\(Command.drafts(.confirm).name)”, and nothing else on any screen")
    }
    if let other = own(key, on: topic) {
      if other == command { return }
      throw Refused(words: "\(name) is given to “\(other.name)” already")
    }
    given[topic, default: []].append(Given(key: key, command: command))
  }

  private func withoutKeys(on topic: Topic) -> Command? {
    bindings(on: topic).first { $0.keys.isEmpty }?.command
  }

  private static var screens: [Topic] { Topic.allCases.filter(Keymap.screens.contains) }

  private static func topic(_ name: String) -> Topic? {
    screens.first { $0.rawValue.lowercased() == name.lowercased() }
  }
}

extension OwnKeys {
  /// What `key` means on a screen.
  package func command(for key: Key, on topic: Topic) -> Command? {
    own(key, on: topic) ?? Keymap.command(for: key, on: topic)
  }

  private func own(_ key: Key, on topic: Topic) -> Command? {
    given[topic]?.first { $0.key == key }?.command
  }

  func hasOwn(on topic: Topic) -> Bool { given[topic] != nil }

  /// With the keys that they have now, a person's own first.
  package func bindings(on topic: Topic) -> [Binding] {
    guard let given = given[topic] else { return Keymap.bindings(on: topic) }
    return Keymap.bindings(on: topic).map { binding in
      let own = given.filter { $0.command == binding.command }.map(\.key)
      return binding.having(own + binding.keys.filter { key in !given.contains { $0.key == key } })
    }
  }

  /// The first key of a command; nil where the screen has none for it.
  func key(_ command: Command, on topic: Topic) -> String? {
    bindings(on: topic).first { $0.command == command }?.keys.first?.name
  }

  /// The same with what is typed on it; see ``Keymap/told(on:)``.
  package func told(on topic: Topic) -> [Binding] {
    hasOwn(on: topic) ? bindings(on: topic) : Keymap.told(on: topic)
  }
}

extension Key {
  /// The key for which a terminal sends the very same byte; nil for any other.
  fileprivate var sameInATerminal: Key? {
    switch self {
    case .control("h"): .backspace
    case .control("i"): .tab
    case .control("j"), .control("m"): .enter
    default: nil
    }
  }

  /// As ``name`` has it; nil for what is no key.
  init?(named name: String) {
    let known: [Key] = [
      .enter, .altEnter, .escape, .tab, .backTab, .backspace, .altBackspace, .delete, .insert, .up, .down,
      .left, .right,
      .home, .end,
      .pageUp,
      .pageDown, .shiftUp, .shiftDown, .controlUp, .controlDown, .controlPageUp, .controlPageDown,
      .character(" "),
    ]
    let letters = "abcdefghijklmnopqrstuvwxyz".flatMap { [Key.control($0), .alt($0)] }
    let all = known + [.control("_")] + letters + (1...12).map { .function($0) }
    if let key = all.first(where: { $0.name.lowercased() == name.lowercased() }) {
      self = key
    } else if name.count == 1, let character = name.first, !character.isWhitespace {
      self = .character(character)
    } else {
      return nil
    }
  }
}
