import Merging
import Simulation
import StoreInterface

extension FileAnswer {
  /// What a decision answers, or while there is none the suggestion; nil without either, or of one that the round has no word for.
  ///
  /// A store that tells rounds names its alternatives so: a side by its name, "accept" for a server's version
  /// that is not at hand, and of an upload before a deletion "upload" for the one alone, "sendBoth" for both. The
  /// client's side is then the deletion alone.
  init?(_ record: DecidedConflict, _ situation: FileSituation) {
    let hasBoth = situation.pending == .uploadThenDeletion
    switch record.resolution[.record] ?? record.conflict.wholeSuggestion {
    case .take(.client)?, .alternative(Side.client.rawValue)?: self = hasBoth ? .keepDeletion : .keep
    case .take(.server)?, .alternative(Side.server.rawValue)?, .alternative("accept")?:
      self = hasBoth ? .acceptAll : .accept
    case .alternative("upload")?: self = .keepEdit
    case .alternative("sendBoth")?: self = .keep
    // A deletion is answered by a text: the file comes back with it.
    case .edit?: self = situation.isDeletedThere ? .keep : .merge
    case .take(.ancestor)?, .merged?, .alternative?, .parts?: return nil
    case nil: self.init(fields: record)
    }
  }

  /// Of a file that is decided by its content. What a person has to decide is suggested by nobody.
  private init?(fields record: DecidedConflict) {
    let resolution = record.conflict.accepting(.byClock, in: record.resolution)
    let choices = Set(resolution.choices.values)
    if choices.isEmpty || !record.conflict.isReady(resolution) { return nil }
    self = choices == [.take(.client)] ? .keep : choices == [.take(.server)] ? .accept : .merge
  }
}
