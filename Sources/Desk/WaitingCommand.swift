import Terminal

/// A command of which the record is still being read.
struct WaitingCommand: Sendable {
  let id: String
  let command: Command
}

/// What is typed behind such a command is done behind it, in order: the next key may move the cursor, and the command is about the row
/// that was under it.
extension DeskState {
  /// Whether the key is kept until the record is there. One that leaves leaves at once.
  func isToWait(_ key: Key) -> Bool { waiting != nil && !leaves(key) }

  /// As far as none of them waits for a record in its turn.
  mutating func takeTypedBehind() -> [DeskEffect] {
    var effects: [DeskEffect] = []
    while waiting == nil, !typedBehind.isEmpty { effects += type(typedBehind.removeFirst()) }
    return effects
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
    forgetWaiting(for: waiting.id)
    return tell("Nothing was done to \(shownTitle(of: waiting.id)): \(reason).")
  }

  /// It cannot be read, or is none any more. What was typed since was typed by somebody who could not know.
  mutating func forgetWaiting(for id: String) {
    if waiting.map({ $0.id.hasSameBytes(as: id) }) ?? true { (waiting, typedBehind) = (nil, []) }
  }
}
