import Terminal

extension InputLine {
  enum Answer { case changed, kept, left, ignored }

  /// What every input field does with a key.
  mutating func take(_ key: Key) -> Answer {
    if case .character(let character) = key {
      insert(String(character))
      return .changed
    }
    return Keymap.command(for: key, on: .input).map { run($0) } ?? .ignored
  }

  mutating func run(_ command: Command) -> Answer {
    switch command {
    case .keep: return .kept
    case .back: return .left
    case .eraseBefore: deleteBackward()
    case .eraseAfter: deleteForward()
    case .left: left()
    case .right: right()
    case .move(.first): toStart()
    case .move(.last): toEnd()
    case .clear: self = InputLine("")
    case .move, .open, .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell,
      .take, .edit, .editOutside, .accept, .forget, .alternatives, .undo, .redo, .review, .mend, .confirm,
      .note, .leaveOut, .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime,
      .togglePrivate, .history, .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet,
      .nextStory, .previousStory, .tryIt, .help, .nextTopic, .reload, .redraw, .suspend, .setNull:
      return .ignored
    }
    return .changed
  }
}
