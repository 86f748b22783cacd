import Terminal

extension InputLine {
  /// What every input field does with a key; false if the key is not one of a field's.
  package mutating func take(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .backspace: deleteBackward()
    case .delete, .control("d"): deleteForward()
    case .left, .control("b"): left()
    case .right, .control("f"): right()
    case .home, .control("a"): toStart()
    case .end, .control("e"): toEnd()
    case .control("u"): self = InputLine("")
    default: return false
    }
    return true
  }
}
