import StoreInterface

/// `Space`: a record is left out of what is written, or stays as it was written where a write is taken back.
extension ReviewPage {
  /// Whether one can be left out still.
  var canLeaveOut: Bool {
    if case .mend = action { return false }
    return stage == .ready || stage == .checking
  }

  func leftOut(on desk: DeskState) -> RecordNames { action == .write ? desk.leftOut : kept }

  /// Whether the record under the cursor is left out already.
  func cursorIsOnLeftOut(_ desk: DeskState) -> Bool {
    let first = if case .undo(let write) = action { write.records.first?.id } else { firstShown }
    guard let id = cursor?.record ?? first else { return false }
    return leftOut(on: desk).contains(id) && !isMoved(id)
  }

  /// The records that are taken back.
  var takenBack: [String] { ids.filter { !kept.contains($0) } }

  mutating func leaveOut(on desk: inout DeskState) -> [DeskEffect] {
    if stage == .reading { return desk.tell(.draftsAreRead) }
    guard canLeaveOut else { return desk.tell("Nothing can be left out here any more.") }
    guard let id = ReviewRows(desk, self).cursor?.record else { return [] }
    if isMoved(id) { return desk.tell("This is no longer a draft, so there is nothing to leave out.") }
    if action == .write {
      if desk.leftOut.remove(id) == nil { desk.leftOut.insert(id) }
      // What is left can depend on it; a check that goes on is about others.
      return [.stop] + check(on: desk)
    }
    if kept.remove(id) == nil { kept.insert(id) }
    return []
  }
}
