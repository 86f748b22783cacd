import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// A round that the framework has begun and not ended: what is changed in the store then, it would not notice, or send twice.
struct RoundInFlight: Sendable, Equatable {
  /// How many operations lie in the queue that is being sent.
  let sending: Int
  let state: RoundState

  var operations: [String] { state.operations }

  /// Whether it is, for sure.
  var isSeen: Bool { sending > 0 || !operations.isEmpty }

  /// What of it is seen.
  var evidence: Evidence {
    let sent = sending == 1 ? "1 operation is being sent" : "\(sending) operations are being sent"
    let stored = names + (operations.count == 1 ? " is stored" : " are stored")
    let seen: [String] = (sending > 0 ? [sent] : []) + (operations.isEmpty ? [] : [stored])
    return "\(told: seen.joined(separator: "; "))."
  }

  var names: String {
    operations.isEmpty ? "no operation of the server" : operations.joined(separator: ", ")
  }

  var words: String {
    guard isSeen else {
      if state.unreadable.isEmpty {
        return """
          the preferences of its app are not there (none holds SMSyncControl.Mode), so a round may be in flight: copy the container \
          again
          """
      }
      return "preferences cannot be read, so a round may be in flight: copy the container again"
    }
    let what = sending > 0 ? "an upload is in flight" : "an operation of the server is not ended (\(names))"
    return what + ": the app has to end its round first"
  }
}

/// Whether the app holds the server's lock while a deletion waits for its answer.
enum ServerLock: Sendable, Equatable {
  case held
  /// It ended with the round's files.
  case free
  /// Nothing in the store says whether files came with the round.
  case unknown

  /// Of a round's startup, once files are transferred.
  fileprivate static let stagesWithFiles = [
    "StartInboundTransfer", "InboundTransferWait", "RemoveOperationId",
  ]
}

extension FileReader {
  /// nil if there is none, and all can be read that would tell.
  func roundInFlight(_ files: ContainerFiles) throws -> RoundInFlight? {
    let sending = try places.filter { $0.value == .inFlight }.keys.reduce(0) { sum, queue in
      let sql = "SELECT count(*) FROM ZSMUPLOADOPERATION WHERE ZQUEUE = ?"
      return sum + (try db.firstRow(sql, [.integer(queue)]) { Int($0.integer(0)) } ?? 0)
    }
    let round = RoundInFlight(sending: sending, state: RoundState(files))
    return round.isSeen || round.state.isUnknown ? round : nil
  }

  /// Whether the lock stays on the server while the app asks about a deletion: so it is where nothing but deletions came with the
  /// round, which its startup tells where the files of a round are gone.
  ///
  /// - Parameter broughtFiles: whether files came for sure.
  func serverLock(broughtFiles: Bool) throws -> ServerLock {
    let deletion = model[.downloadDeletion]
    let isAsked = try db.hasRow(
      """
      SELECT 1 FROM ZSMDOWNLOADOPERATION WHERE Z_ENT = ? AND COALESCE(ZINTERNALCONFLICTTYPE, ZINTERNALCONFLICTTYPE1) IS NOT NULL
      LIMIT 1
      """, [.integer(deletion)])
    if try !isAsked || broughtFiles || bringsFiles() { return .free }
    let startup = model[.downloadStartup]
    let stages = try db.rows(
      "SELECT ZINTERNALSTARTUPSTAGE FROM ZSMDOWNLOADOPERATION WHERE Z_ENT = ?", [.integer(startup)]
    ) { $0.optionalText(0) }
    guard stages.count == 1, let stage = stages[0] else { return .unknown }
    return stage == "NoFileDownloads" ? .held : ServerLock.stagesWithFiles.contains(stage) ? .free : .unknown
  }

  func bringsFiles() throws -> Bool {
    let file = model[.downloadFile]
    return try db.hasRow("SELECT 1 FROM ZSMDOWNLOADOPERATION WHERE Z_ENT = ? LIMIT 1", [.integer(file)])
  }
}
