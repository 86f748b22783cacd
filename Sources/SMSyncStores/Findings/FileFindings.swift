import Merging
import SQLiteFiles
import StoreInterface
import Synchronization

/// Walks all files for what is wrong with them, after what is wrong with the store as a whole.
final class FileFindings: FindingWalk {
  private enum Position {
    case store
    case below(Int64)
    case end
  }

  private let store: SMSyncStore
  private let position = Mutex(Position.store)
  private let count = Mutex(0)

  init(store: SMSyncStore) { self.store = store }

  var looked: Int { count.withLock(\.self) }

  func next(limit: Int) throws -> [Finding]? {
    try position.withLock { position in
      switch position {
      case .end: return nil
      case .store:
        let findings = try store.readFiles { try $0.findingsOfTheStore() }
        position = .below(.max)
        return findings
      case .below(let key):
        let page = try store.readFiles { place in
          let rows = try place.reader.files(below: key, limit: max(1, limit), where: FileReader.isNamedOnce)
          return (last: rows.last?.key, looked: rows.count, findings: rows.flatMap(place.findings))
        }
        count.withLock { $0 += page.looked }
        position = page.last.map { .below($0) } ?? .end
        return page.last == nil ? nil : page.findings
      }
    }
  }
}

extension FilePlace {
  fileprivate func findings(_ rows: FileRows) -> [Finding] {
    problems(rows).map { problem in
      var finding = problem.finding(
        of: rows, canBeMended: mending(problem), isCopy: surroundings.isCopy)
      finding.mendsInCopy = !surroundings.isCopy && problem.mending != nil
      return finding
    }
  }

  func isFoundOfTheStore(_ id: Finding.ID) -> Bool {
    (try? findingsOfTheStore().contains { $0.id == id }) ?? false
  }

  func findingsOfTheStore() throws -> [Finding] {
    [
      log, try inFlight(), try unreadable(), missing, lockHeld, try foreignIndex(), try unnamed(),
      try lost(),
    ]
    .compactMap(\.self)
  }

  private var log: Finding? { surroundings.logTrouble().map { finding($0.told) } }

  private func finding(
    _ key: String, what: String, _ evidence: Evidence, cause: String, remedy: String
  ) -> Finding {
    finding(Finding.Words(key, what: what, evidence, cause: cause, remedy: remedy))
  }

  private func finding(_ words: Finding.Words) -> Finding {
    Finding(words, of: "", table: FileConflict.table, record: "", title: "the store")
  }

  private func inFlight() throws -> Finding? {
    guard let round = try reader.roundInFlight(surroundings.files), round.isSeen else { return nil }
    return finding(
      "in-flight", what: "a round is in flight", round.evidence,
      cause: """
        The app was ended while it synced, or the container was copied while it ran. Until it has ended \
        the round it holds the server's lock, most likely.
        """,
      remedy: """
        Open the app and let it sync; then take the container anew. No copy is made of it as it is now, and \
        nothing written into one.
        """
    )
  }

  private func unreadable() throws -> Finding? {
    guard let state = try reader.roundInFlight(surroundings.files)?.state, state.isUnknown else { return nil }
    return finding(
      "preferences", what: "preferences cannot be read",
      state.unreadable.isEmpty
        ? "Those of its app are not there: no list in Library/Preferences holds SMSyncControl.Mode."
        : "Missing, too long, damaged, a symbolic link, or closed to this user: \(hidden: state.unreadable).",
      cause: """
        Whether the server has an operation that is not ended is told there alone. What cannot be read counts \
        as one that is.
        """,
      remedy: """
        Take the whole container anew, or let this user read it. No copy is made of it as it is now, and nothing \
        written into one.
        """)
  }

  /// Of a store's file alone, or a copy of one: who gives it alone may work with it, and is told.
  private var missing: Finding? {
    let state = RoundState(surroundings.files)
    guard state.areMissing, state.unreadable.isEmpty else { return nil }
    return finding(
      "no-preferences", what: "no preferences", "Beside the store there are no preferences of its app.",
      cause: """
        Whether the server has an operation that is not ended is told there alone, so nobody can tell whether a round is in flight.
        """,
      remedy: """
        Take the whole container, or see on the device that the app has ended its round before anything goes back there.
        """)
  }

  private var lockHeld: Finding? {
    if surroundings.lock == .free { return nil }
    return surroundings.holdsLock
      ? lock(
        what: "the lock is held", "A deletion waits for an answer, and the round has downloaded no file.")
      : lock(
        what: "the lock may be held",
        "A deletion waits for an answer, and nothing in the store says whether files came with its round.")
  }

  private func lock(what: String, _ evidence: Evidence) -> Finding {
    finding(
      "lock", what: what, evidence,
      cause: """
        A round of deletions alone keeps the server's lock until somebody has answered: until then no \
        other device of this account can sync.
        """,
      remedy: "Answer it on the device, soon; what is decided here does not free the lock.")
  }

  /// What was in sync once the server has, if only as deleted.
  private func foreignIndex() throws -> Finding? {
    guard let index = surroundings.index else { return nil }
    let sql = "SELECT ZUUID FROM ZSMLOCALFILE WHERE ZINTERNALSYNCSTATE = 'AfterInitialSync' AND ZUUID <> ''"
    let names = try db.rows(sql) { $0.text(0) }
    let count = names.count { index[$0] == nil }
    if count == 0 { return nil }
    return finding(
      "index", what: "the index lacks files",
      names.count == 1
        ? "The one file that was in sync is not in the index that was given."
        : "Of \(names.count) files that were in sync \(count) \(told: count == 1 ? "is" : "are") not in the index that was given.",
      cause:
        "It is another account's, was made before them, or spells their UUIDs otherwise: the server's are in capitals.",
      remedy: """
        Take the index anew, as the account of this device: what is decided about a file that it does not have is not written \
        with it.
        """)
  }

  private func unnamed() throws -> Finding? {
    let count =
      try db.firstRow("SELECT count(*) FROM ZSMLOCALFILE WHERE NOT \(FileReader.isNamedOnce)") {
        $0.integer(0)
      } ?? 0
    if count == 0 { return nil }
    return finding(
      "unnamed", what: "files without a name of their own",
      count == 1
        ? "1 row has no UUID." : "\(Int(count)) rows have no UUID, or one that another row has, too.",
      cause: """
        The store is damaged, or was changed by another program: nobody can tell which file of the server \
        is meant.
        """,
      remedy: "Work on a fresh copy of the container; these files are left alone.")
  }

  /// Those of a round as a whole belong to none.
  private func lost() throws -> Finding? {
    let tables: [(SyncModel.Entity, ofRound: SyncModel.Entity)] = [
      (.uploadOperation, .uploadWrapup), (.downloadOperation, .downloadStartup),
    ]
    let count = try tables.reduce(Int64(0)) { sum, table in
      let sql = """
        SELECT count(*) FROM \(table.0.table) WHERE ZLOCALFILE NOT IN (SELECT Z_PK FROM ZSMLOCALFILE)
        OR ZLOCALFILE IS NULL AND Z_ENT IS NOT ?
        """
      return sum + (try db.firstRow(sql, [.integer(reader.model[table.ofRound])]) { $0.integer(0) } ?? 0)
    }
    if count == 0 { return nil }
    return finding(
      "lost", what: "operations without a file",
      count == 1
        ? "1 operation belongs to no file, or to one that is not there."
        : "\(Int(count)) operations belong to no file, or to one that is not there.",
      cause: "The store is damaged, or was changed by another program.",
      remedy: "Work on a fresh copy of the container; these operations are left alone.")
  }
}

extension SMSyncStore {
  /// What waits, by how far it has come.
  package func uploadQueue(limit: Int) throws -> UploadQueue {
    try readFiles { place in
      let rows = try place.reader.files(
        below: .max, limit: .max,
        where: "\(FileReader.isNamedOnce) AND Z_PK IN (SELECT ZLOCALFILE FROM ZSMUPLOADOPERATION)")
      let waiting = rows.flatMap { file in file.uploads.map { (file: file, upload: $0) } }
      let parts = QueuePlace.allCases.compactMap { state -> UploadQueue.Part? in
        let here = waiting.filter { $0.upload.place == state }.map(\.upload)
        if here.isEmpty { return nil }
        let deletions = here.count(where: \.isDeletion)
        return UploadQueue.Part(
          name: state.words, bytes: here.map(place.size).saturatedSum, saves: here.count - deletions,
          deletions: deletions,
          inFlight: state == .inFlight ? here.count : 0)
      }
      return UploadQueue(
        parts: parts,
        waiting: waiting.prefix(limit).map {
          UploadQueue.Waiting(
            table: FileConflict.table, record: $0.file.uuid, isDeletion: $0.upload.isDeletion,
            part: $0.upload.place.words, since: nil)
        })
    }
  }
}

extension FilePlace {
  /// What an upload would send, in bytes.
  fileprivate func size(_ upload: FileRows.Upload) -> Int {
    guard let url = upload.url, case .documents(let path)? = try? LocalURL(archive: url),
      let place = try? surroundings.files.place(path), let status = FileStatus(path: place)
    else { return 0 }
    return Int(status.size)
  }
}

extension QueuePlace {
  fileprivate var words: String {
    switch self {
    case .prepared: "not committed"
    case .committed: "committed"
    case .inFlight: "in flight"
    case .nowhere: "in no queue"
    }
  }
}
