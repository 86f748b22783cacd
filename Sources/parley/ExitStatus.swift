import Merging
import StoreInterface

/// How the program ends. Scripts depend on the numbers; `parley --help`, the manual page and OUTPUT.md list them.
enum ExitStatus: Int32, CaseIterable {
  /// Nothing is left to do among what was asked.
  case nothingLeft = 0
  /// Conflicts or findings are left.
  case left = 1
  /// The arguments ask for something that cannot be, or name nothing that is there.
  case usage = 2
  /// A file cannot be opened, read or printed to, or another program keeps even readers out.
  case cannotOpen = 3
  /// The store moved since it was seen.
  case moved = 4
  /// Read-only or held by another program when it is to be written, type, foreign key, validation.
  case refused = 5
  /// Of a record a part is written, or nobody knows whether it is, or its turn never came.
  case unfinished = 6
  case interrupted = 130

  /// What stands beside its number in a table.
  var words: String {
    switch self {
    case .nothingLeft: "nothing is left to do, among what was asked"
    case .left: "conflicts or findings are left"
    case .usage: "usage: wrong arguments, or a record, finding, field or theme that is not there"
    case .cannotOpen: "a file cannot be opened, read or printed to, or is locked even to readers"
    case .moved:
      "the store moved since it was seen, or somebody decided otherwise meanwhile; nothing of that record "
        + "was written"
    case .refused: "refused: read-only or held, type, NOT NULL, CHECK, key, nothing to undo"
    case .unfinished: "unfinished: a record is in part, not known to be written, or not reached"
    case .interrupted: "interrupted"
    }
  }

  /// All of them, as a help text has them. The argument parser breaks what is longer than a line, and goes on at its very beginning.
  static var table: String {
    allCases.flatMap { status in
      let number = "\(status.rawValue)"
      let head = "  " + number + String(repeating: " ", count: 5 - number.count)
      return HangingLine.lines(head, status.words, width: HangingLine.widthOfHelp)
    }.joined(separator: "\n")
  }

  init(_ error: StoreError) {
    switch error {
    case .notFound, .fileMissing, .notADatabase, .metadataMissing, .metadataAmbiguous, .databaseAmbiguous,
      .metadataIsDatabase,
      .notAStore, .severalStores, .storeTooNew, .damaged, .locked,
      .journalTooNew, .journalUnusable, .journalFull, .journalOfAnother, .journalForbidden, .journalGone,
      .cannotRead, .bytesNotHad,
      .beingWritten, .server, .receiptMissing, .notAFile, .tooLarge, .noAnswer, .outboxUnusable,
      .outboxTooNew, .indexUnusable:
      self = .cannotOpen
    case .stopped: self = .interrupted
    case .writeUnknown: self = .unfinished
    case .noSuchRecord, .noSuchField, .noSuchAttachment: self = .usage
    case .moved, .decidedMeanwhile: self = .moved
    case .refusedChoice, .readOnly, .tooNewToWrite, .refused, .writeFailed, .nothingToUndo,
      .outboxOfOtherJournal, .copyIsThere:
      self = .refused
    }
  }

  /// The status of a write or an undo: what needs the person most speaks first, and that is what may be half in the store.
  init(outcomes: some Sequence<CheckedWrite>, isAnythingLeft: Bool) {
    let statuses = Set(outcomes.lazy.map { ExitStatus($0.outcome) })
    let first = [Self.unfinished, .moved, .refused].first { statuses.contains($0) }
    self = first ?? (isAnythingLeft ? .left : .nothingLeft)
  }

  private init(_ outcome: CheckedWrite.Outcome) {
    switch outcome {
    case .fine: self = .nothingLeft
    case .moved: self = .moved
    case .refused: self = .refused
    case .partly, .notKnown, .notReached: self = .unfinished
    }
  }
}
