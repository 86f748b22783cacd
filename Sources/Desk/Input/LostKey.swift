import Terminal

/// A key that a person gave to another command than ``Keymap`` does, which lost it. Nobody who reads a list misses a key that is not
/// there, so it is told.
package struct LostKey: Sendable, Equatable {
  package let topic: Topic
  package let key: Key
  let had: Command
  let has: Command

  package var words: String {
    "On the screen \(topic.rawValue) “\(key.name)” is “\(has.name)” now, and no longer “\(had.name)”."
  }

  /// Below its screen's name.
  var shortWords: String { "\(has.name), not \(had.name)" }
}

extension OwnKeys {
  /// Which commands gave up a key to another one; each has others left.
  package var lost: [LostKey] { Topic.allCases.flatMap(lost) }

  func lost(on topic: Topic) -> [LostKey] {
    // All keys of all screens are a fifth of what a desk needs to begin.
    guard hasOwn(on: topic) else { return [] }
    return Keymap.bindings(on: topic).flatMap { binding in
      binding.keys.compactMap { key in
        guard let now = command(for: key, on: topic), now != binding.command,
          Keymap.command(for: key, on: topic) == binding.command
        else { return nil }
        return LostKey(topic: topic, key: key, had: binding.command, has: now)
      }
    }
  }

  /// What a desk says of it as it begins, in a line.
  package var notice: String? {
    let lost = lost
    guard let first = lost.first else { return nil }
    if lost.count == 1 { return first.words }
    let screens = lost.map(\.topic.rawValue).unique.joined(separator: ", ")
    return "By your settings \(lost.count) keys are other commands' than usual (\(screens)): ? tells which."
  }
}
