import Terminal

/// A command of which the record is still being read.
struct WaitingCommand: Sendable {
  let id: String
  let command: Command
}

/// What is typed behind such a command, or behind one that asks the journal what there is to take back, is done behind it, in order: the
/// next key may move the cursor, and the command is about the row that was under it.
extension DeskState {
  private var holdsTyped: Bool { waiting != nil || asksPast }

  /// Whether it is kept until then. What leaves does so at once; but letters may be words for a line that is opened before them.
  func isToWait(_ key: Key) -> Bool {
    if case .character = key { return holdsTyped }
    return holdsTyped && !leaves(key)
  }

  /// - Returns: whether it is kept.
  mutating func keep(_ event: TerminalEvent) -> Bool {
    switch event {
    case .key(let key) where isToWait(key) && isRepeated(key): _ = tell(.commandIsDoneOnce)
    case .key(let key) where isToWait(key): typedBehind.append(event)
    case .paste where holdsTyped: typedBehind.append(event)
    default: return false
    }
    return true
  }

  /// Who decides once more because nothing has happened yet means the same row: the second would fall on the next one.
  private func isRepeated(_ key: Key) -> Bool {
    guard let command = waiting?.command, command != .undo, command != .redo else { return false }
    return typedBehind.isEmpty && pages.isEmpty && keys.command(for: key, on: topic) == command
  }

  /// What was typed next behind a command that is done now; nil while it waits. Whoever runs the desk takes one after the other, each
  /// with what it has done outside.
  package mutating func nextTyped() -> TerminalEvent? {
    holdsTyped || typedBehind.isEmpty ? nil : typedBehind.removeFirst()
  }

  /// Until the record is there. Another command that waited is not done any more.
  mutating func wait(for id: String, _ command: Command) -> [DeskEffect] {
    let other = waiting.flatMap { $0.id.hasSameBytes(as: id) ? nil : $0.id }
    waiting = WaitingCommand(id: id, command: command)
    let gone = other.map { "Nothing was done to \(shownTitle(of: $0)). " } ?? ""
    return tell(gone + PassingWords.commandWaits.rawValue)
  }

  /// The record is there. Who went on to another row by the mouse, or to another page, does not mean it any more.
  mutating func runWaiting(for id: String) -> [DeskEffect] {
    guard let waiting, waiting.id.hasSameBytes(as: id) else { return [] }
    self.waiting = nil
    return isMeant(waiting) ? run(waiting.command) : forget(waiting, "the cursor is elsewhere by now")
  }

  private func isMeant(_ waiting: WaitingCommand) -> Bool {
    switch waiting.command {
    case .undo: history.lastAct?.isStep(of: waiting.id) == true
    case .redo: history.undone.last?.isStep(of: waiting.id) == true
    default: pages.isEmpty && list.selectedConflict.isName(waiting.id)
    }
  }

  /// `Esc`
  mutating func leaveWaiting() -> [DeskEffect]? {
    waiting.map { forget($0, "it is still being read") }
  }

  private mutating func forget(_ waiting: WaitingCommand, _ reason: String) -> [DeskEffect] {
    forgetTyped()
    return tell("Nothing was done to \(shownTitle(of: waiting.id)): \(reason).")
  }

  /// Its record cannot be read, or is none any more.
  mutating func forgetWaiting(for id: String) {
    if (waiting?.id).isName(id) { forgetTyped() }
  }

  /// What was typed since was typed by somebody who could not know.
  mutating func forgetTyped() { (waiting, typedBehind) = (nil, []) }

  /// What there is to take back is asked for, and what is typed meanwhile is done behind that.
  mutating func noteQuestions(in effects: [DeskEffect]) {
    let asks = effects.contains {
      switch $0 {
      case .readEarlier, .readLastWrite: true
      default: false
      }
    }
    if asks { asksPast = true }
  }
}
