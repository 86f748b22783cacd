import GRDB
import KeyedArchives
import Merging
import StoreInterface

/// The queues inside of the sync engines' own states: one for the private database, one for shared ones.
struct EngineQueue: Sendable {
  /// The state of one engine.
  struct Scope: Sendable {
    let name: String
    let bytes: Int
    /// nil if it cannot be read; then there is a problem.
    let state: EngineState?
    let problem: String?
  }

  struct Entry: Sendable {
    let change: PendingZoneChange
    let scope: String
  }

  private(set) var scopes: [Scope] = []
  private var byRecord: [String: Entry] = [:]

  /// Beyond this the engine writes so much at each change that apps were seen to hang (FORMAT.md, "Ways of being stuck", 20).
  static let sizeLimit = 10_000_000

  init(in db: Database) throws {
    guard try Metadatabase.has(Metadatabase.state, in: db) else { return }
    let sql = "SELECT scope, data FROM \(Metadatabase.sqlName(Metadatabase.state)) ORDER BY scope"
    try db.forEachRow(sql) { row in
      let name = EngineQueue.name(row.text(0), number: scopes.count + 1)
      append(row.withBytes(1) { EngineQueue.scope(name, $0) })
    }
  }

  private mutating func append(_ scope: Scope) {
    scopes.append(scope)
    guard let state = scope.state else { return }
    for change in state.pending + state.inFlight {
      byRecord[change.recordName] = Entry(change: change, scope: scope.name)
    }
  }

  func entry(of recordName: String) -> Entry? { byRecord[recordName] }

  private static func scope(_ name: String, _ json: UnsafeRawBufferPointer) -> Scope {
    guard let archive = EngineState.archive(inJSON: json) else {
      return Scope(
        name: name, bytes: json.count, state: nil, problem: "it is not the JSON that the engine writes")
    }
    do throws(ArchiveError) {
      let state = try EngineState(decoding: archive)
      return Scope(name: name, bytes: json.count, state: state, problem: nil)
    } catch {
      return Scope(name: name, bytes: json.count, state: nil, problem: "\(error)")
    }
  }

  /// CKDatabase.Scope. Anything else is text that nobody knows, which a report for strangers must not show.
  private static func name(_ scope: String, number: Int) -> String {
    switch scope {
    case "1": "engine, public database"
    case "2": "engine, private database"
    case "3": "engine, shared database"
    default: "engine, unknown database \(number)"
    }
  }
}

extension EngineQueue {
  var parts: [UploadQueue.Part] {
    scopes.map { scope in
      let pending = scope.state?.pending ?? []
      let saves = pending.count { $0.kind == .save }
      return UploadQueue.Part(
        name: scope.name, bytes: scope.bytes, saves: saves, deletions: pending.count - saves,
        inFlight: scope.state?.inFlight.count ?? 0, unreadable: scope.state?.unreadable ?? 0,
        zoneChanges: scope.state?.zoneChanges ?? 0, mustFetch: scope.state?.mustFetch,
        problem: scope.problem)
    }
  }
}

extension EngineQueue {
  var troubles: [StoreTrouble] {
    scopes.flatMap { scope in
      var troubles: [StoreTrouble] = []
      if let reason = scope.problem { troubles.append(.queueIsUnreadable(part: scope.name, reason: reason)) }
      if scope.bytes > EngineQueue.sizeLimit {
        troubles.append(.queueIsHuge(part: scope.name, bytes: scope.bytes))
      }
      return troubles
    }
  }
}
