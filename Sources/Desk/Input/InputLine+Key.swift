import Terminal

extension InputLine {
  /// What every input field does with a key; false if the key is not one of a field's.
  package mutating func take(_ key: Key) -> Bool {
    if case .character(let character) = key {
      insert(String(character))
      return true
    }
    return Keymap.command(for: key, on: .input).map { run($0) } ?? false
  }

  private mutating func run(_ command: Command) -> Bool {
    switch command {
    case .eraseBefore: deleteBackward()
    case .eraseAfter: deleteForward()
    case .left: left()
    case .right: right()
    case .first: toStart()
    case .last: toEnd()
    case .clear: self = InputLine("")
    default: return false
    }
    return true
  }
}
