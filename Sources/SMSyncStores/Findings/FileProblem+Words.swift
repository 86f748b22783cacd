import StoreInterface

extension FileProblem {
  /// - Parameters:
  ///   - canBeMended: what mending does; nil if it can do nothing.
  ///   - isCopy: whether it is found in a copy, where Parley may change the queues.
  func finding(of rows: FileRows, canBeMended: String?, isCopy: Bool) -> Finding {
    Finding(
      words(of: rows.title, isCopy: isCopy), of: rows.uuid, table: FileConflict.table, record: rows.uuid,
      title: rows.title, canBeMended: canBeMended, takesSide: canBeMended != nil && takesSide)
  }

  var key: String { words(of: "", isCopy: false).key }

  /// What gives something up, or would give up a deletion that may hold: somebody has to want it for this very file.
  private var takesSide: Bool {
    switch self {
    case .uploadOfDeleted, .undeletedElsewhere(_, isSure: false): true
    case .undeletedElsewhere(_, isSure: true), .acceptedHalfWay, .deletedOnBothSides, .uploadThenDeletion,
      .undeleteIsFalse, .notCommitted, .fileMissing, .inNoQueue, .metadataDiffers, .outboxIsOld, .damaged:
      false
    }
  }

  private func words(of title: String, isCopy: Bool) -> Finding.Words {
    func inCopy(_ words: String) -> String {
      isCopy ? "Parley can \(words)." : "In a copy Parley can \(words). \(wayToCopy)"
    }
    return switch self {
    case .acceptedHalfWay(leavesUpload: true):
      Finding.Words(
        "half-way", what: "accepted half way",
        """
        \(hidden: title) has a conflict with a deletion in its round, and no deletion waits here: an upload from before it does.
        """,
        cause: """
          The app has accepted the server's version and was ended before the round was. Its framework removes the deletion \
          alone, so the upload goes over the version that was accepted.
          """,
        remedy:
          "The list has it, to be decided and written: accept the server's version there, or keep the upload."
      )
    case .acceptedHalfWay:
      Finding.Words(
        "half-way", what: "accepted half way",
        "\(hidden: title) has a conflict in its round, and nothing waits here to be uploaded.",
        cause: """
          The app has accepted the server's version and was ended before the round was; its framework \
          stops at that at the next start.
          """,
        remedy: inCopy("end the answer: the conflict goes, and the download stays")
      )
    case .deletedOnBothSides:
      Finding.Words(
        "both-deleted", what: "deleted on both sides",
        "A deletion of \(hidden: title) waits here, and the server has deleted it.",
        cause: """
          Both have deleted it, which is no conflict: the app drops its own deletion at the next sync, \
          without a word.
          """,
        remedy: "Nothing is to be done.")
    case .uploadThenDeletion(let isDeletedThere, let isWritten, let isListed):
      Finding.Words(
        "upload-then-deletion", what: "upload, then deletion",
        "An upload of \(hidden: title) waits here, and a deletion after it.",
        cause: FileProblem.causeOfBoth(isDeletedThere: isDeletedThere),
        remedy: isDeletedThere
          ? FileProblem.remedyOfBothDeletedThere(isWritten, isListed) : FileProblem.remedyOfBoth(isWritten))
    case .uploadOfDeleted:
      Finding.Words(
        "upload-of-deleted", what: "upload of a deleted file",
        """
        An upload of \(hidden: title) waits, the file is marked as deleted on the server, and the upload \
        does not undelete it.
        """,
        cause: """
          An upload has survived a deletion that came in, so the app's framework stops at it with an \
          internal error, and nothing syncs any more.
          """,
        remedy:
          inCopy("make it an undeletion, which keeps the text; or remove the upload in the app")
      )
    case .undeletedElsewhere(let version, isSure: false):
      Finding.Words(
        "undeleted-elsewhere", what: "perhaps undeleted elsewhere",
        """
        \(hidden: title) is marked as deleted here, and the index that was given has the same version \(told: "\(version)") of it, which \
        is not deleted.
        """,
        cause: """
          Another device has undeleted it and the framework, which leaves the mark, has downloaded it; or the index was made \
          before the deletion.
          """,
        remedy: "Take the index anew, and mend it only where that tells the same. "
          + inCopy("take the mark away"))
    case .undeletedElsewhere(let version, isSure: true):
      Finding.Words(
        "undeleted-elsewhere", what: "undeleted elsewhere",
        "\(hidden: title) is marked as deleted here, and the server has its version \(told: "\(version)").",
        cause: """
          Another device has undeleted it. The framework downloads it and leaves the mark, so every later \
          edit here is refused.
          """,
        remedy: inCopy("take the mark away"))
    case .undeleteIsFalse:
      Finding.Words(
        "undelete-false", what: "undelete is false",
        "An upload of \(hidden: title) says that it undeletes nothing, where it should say nothing.",
        cause: "The framework sends an undeletion or none, and stops at a value that is neither.",
        remedy: inCopy("take the value away"))
    case .notCommitted(let uploads):
      Finding.Words(
        "not-committed", what: "not committed",
        """
        \(hidden: title) has \
        \(told: uploads == 1 ? "1 operation that waits" : "\(uploads) operations that wait") for the \
        app's commit.
        """,
        cause: "The app has queued it and never called commit, so it is never sent.",
        remedy: "Open the app and let it save the file again; apps commit when they do.")
    case .fileMissing(let reason, let isDownload):
      Finding.Words(
        "no-file", what: "a file cannot be read",
        "\(told: FileProblem.name(isDownload)) of \(hidden: title) cannot be read: \(told: reason).",
        cause: """
          Only the file itself holds the text: the store has its path. It is gone, lies elsewhere, or the \
          path was made by somebody else.
          """,
        remedy: """
          Copy the whole container again, with Documents/Temporary; a download comes again once the app \
          syncs anew.
          """
      )
    case .inNoQueue:
      Finding.Words(
        "no-queue", what: "in no queue",
        "An operation of \(hidden: title) lies in no queue that is being prepared, committed or sent.",
        cause: "The store is damaged, or was changed by another program: the app never sends it.",
        remedy: "Open the app and let it save the file again.")
    case .metadataDiffers:
      Finding.Words(
        "metadata", what: "metadata differs",
        "The server's appMetaData of \(hidden: title) is another one than the device's.",
        cause: """
          The framework takes metadata over for files that are new to the device only; the next upload \
          from here overwrites the server's.
          """,
        remedy:
          "Nothing in the store says which is right; let the app set it once more on the device that is.")
    case .outboxIsOld(let version, let since):
      Finding.Words(
        "old-outbox", what: "the outbox is old",
        """
        The outbox has a decision on \(hidden: title) about version \(told: "\(version)"), \
        \(told: since.evidence).
        """,
        cause: since.cause,
        remedy: """
          Do not send it as it is; parley undo takes it out, and where the file is in conflict again, decide \
          it anew.
          """)
    case .damaged(let damage):
      Finding.Words(
        "damaged", what: "damaged rows",
        "Of \(hidden: title) \(told: damage.map(\.words).joined(separator: "; ")).",
        cause: """
          The store is damaged, or was changed by another program: what waits for the file, and whether the app has answered, \
          nobody can tell.
          """,
        remedy: "Work on a fresh copy of the container; this file is left alone.")
    }
  }

  private static func name(_ isDownload: Bool) -> String {
    isDownload ? "What was downloaded" : "What waits to be uploaded"
  }
}

/// An upload and a deletion after it: what the framework makes of them, and what can be done.
extension FileProblem {
  private static func causeOfBoth(isDeletedThere: Bool) -> String {
    isDeletedThere
      ? """
      The framework takes it for deleted on both sides and drops the deletion alone; the upload that is \
      left stops every later sync.
      """
      : """
      The framework asks about the deletion alone; if that is accepted, the upload goes all the same, \
      over the version that was accepted.
      """
  }

  private static func remedyOfBoth(_ isWritten: Bool) -> String {
    isWritten
      ? """
      It is decided, and waits in the outbox: before the app syncs, take the upload back in the app, or write the \
      decision into a copy.
      """ : "The list has it, to be decided and written: of both one can be kept, or none."
  }

  private static func remedyOfBothDeletedThere(_ isWritten: Bool, _ isListed: Bool) -> String {
    let before =
      isWritten
      ? "It is decided, and waits in the outbox. " : isListed ? "The list has it, to be decided. " : ""
    return before + """
      Before the next sync, take the upload back in the app; afterwards, in a copy Parley can send it as \
      an undeletion.
      """
  }
}

extension FileProblem.Overtaking {
  fileprivate var evidence: String {
    switch self {
    case .here: "and what waits here now is not what it was about"
    case .server(let version, true): "and the server has deleted its version \(version)"
    case .server(let version, false): "and the server has version \(version)"
    case .settled: "and no conflict of it shows now"
    }
  }

  fileprivate var cause: String {
    switch self {
    case .here:
      """
      The file was edited or deleted here after it was decided, so that the decision says nothing of it. The server is as it was, \
      so the condition would hold, and the request would send what was left.
      """
    case .server: "The server went on since it was decided, so the condition of its requests does not hold."
    case .settled:
      """
      It was sent, or the file went on since; or the server's index had told of it, and is not given now. \
      Its condition is not known to hold.
      """
    }
  }
}

/// One that was made in another way is no copy: nothing tells that no app has it. A remedy holds no name, and what gives something up is
/// mended by its name alone.
private let wayToCopy = """
  To make one: parley write PATH --copy DIR --yes, with the same --ancestors and --index as here; it also writes \
  what is decided into the copy. To mend in it, with the same of both: parley doctor DIR ID --mend --yes, where ID is the id of \
  this finding.
  """
