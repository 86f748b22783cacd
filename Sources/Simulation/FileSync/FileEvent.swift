import Merging

/// What a step of a device turned out to be.
package enum FileEvent: Sendable, Equatable {
  case edited(FileName)
  case deleted
  /// The app wanted to save or delete a file that counts as deleted here.
  case alreadyDeleted
  case lockHeld(by: String)
  case nothingToDo
  /// Both sides deleted them. With what else came of it.
  case droppedDeletions([FileName])
  case found([FileDevice.Download], droppedDeletions: [FileName])
  case transferredIn
  case downloaded(asks: [FileQuestion])
  case toldDeletions(asks: [FileQuestion], holdsLock: Bool)
  case decided(FileQuestion, FileAnswer)
  case nothingAsked
  case sent([FileDevice.Request])
  case stopped(FileDevice.Failure)
}
