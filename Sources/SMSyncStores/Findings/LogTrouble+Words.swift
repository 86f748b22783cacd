import Journals
import SQLiteFiles
import StoreInterface

// The app writes its rows into the -wal first: what cannot be read there may be all of its last round.

extension LogTrouble {
  /// Of a copy into which Parley was ended while it wrote, a `-wal` that is cut off is Parley's own: nothing of the app's lies behind the
  /// cut, as no copy is made of one that is, and what was to be written is finished by the journal.
  init?(of files: ContainerFiles, _ log: Journal) {
    guard let trouble = LogTrouble(beside: files.database) else { return nil }
    if trouble == .cut, files.isCopy, (try? log.hasOpenIntents()) == true { return nil }
    self = trouble
  }
}

extension LogTrouble {
  /// As a finding tells it.
  var told: Finding.Words {
    switch self {
    case .garbage:
      Finding.Words(
        "log", what: "the -wal cannot be read",
        "Beside the store lies a -wal that does not begin like one, so nothing of it is read.",
        cause: """
          It is damaged, or another file's: what the app wrote last lies in it, and the store is shown as it was before that.
          """,
        remedy: LogTrouble.remedy)
    case .broken:
      Finding.Words(
        "log", what: "the -wal breaks off",
        """
        Beside the store lies a -wal that is damaged before a change which was written wholly: nothing is read from there on.
        """,
        cause: """
          A byte of it is another than was written: what the app wrote last may be missing, and the store is shown as it was \
          before that.
          """,
        remedy: LogTrouble.remedy)
    case .cut:
      Finding.Words(
        "log", what: "the -wal is cut off",
        """
        Beside the store lies a -wal that ends in the middle of a page, and nothing tells how much came after that.
        """,
        cause: """
          It was not copied wholly, or whoever wrote it was ended: what the app wrote last may be missing, and the store is \
          shown as it was before that.
          """,
        remedy: LogTrouble.remedy)
    }
  }

  private static let remedy = """
    Take the container anew, with all its files, while the app is closed. No copy is made of it as it is now.
    """

  var what: String { told.what }

  /// Why no copy is made.
  var words: String {
    "\(what), so what the app wrote last may be missing, and a round may be in flight: copy the container again"
  }

  /// For whoever opens the store.
  func warning(_ path: String) -> String {
    """
    Beside \(path) \(what), so what the app wrote last may be missing here: take the container anew. parley doctor tells more.
    """
  }
}
