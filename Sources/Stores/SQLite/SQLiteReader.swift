import Foundation
import GRDB
import Merging
import Synchronization

/// A read-only connection over a database and those attached to it, that leaves no file behind.
///
/// How each file is opened (tried on SQLite 3.40):
/// - Nobody holds it and its `-wal` is empty or missing: `immutable=1`. A plain read-only connection to a WAL database
///   would create `-wal` and `-shm` beside it and leave them there.
/// - Its `-wal` has content, or somebody holds it: plainly read-only, as `immutable=1` ignores the `-wal`. A `-shm` that
///   appears by this is removed again, if nobody else holds the file by then.
/// - The same where the folder cannot be written: SQLite needs a `-shm` there, so file and `-wal` are copied to a
///   private folder and read there.
/// - A hot journal, left by a writer that died: only a writer can roll it back, so the copy is what gets written.
///
/// Before each read the files are looked at again: what changed since is opened anew.
final class SQLiteReader: Sendable {
  /// A file and the name of its schema: "main", or the name it is attached by.
  struct File: Sendable {
    let path: String
    let schema: String
    let probe: LockProbe
  }

  private struct Open {
    let queue: DatabaseQueue
    let plans: [ReadingPlan]
  }

  private let files: [File]
  private let prepare: @Sendable (Database) throws -> Void
  private let open = Mutex<Open?>(nil)

  /// - Parameters:
  ///   - files: the first is the main database.
  ///   - prepare: gives each new connection what the store's schema needs, such as a collation.
  init(files: [File], prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) {
    self.files = files
    self.prepare = prepare
  }

  deinit { close() }

  func close() { open.withLock { Self.close(&$0) } }

  /// Runs `body` on one consistent state of each file.
  func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try open.withLock { open in
      let queue = try refresh(&open)
      return try queue.read(body)
    }
  }

  /// Closes the connection and keeps everybody from opening it again until `body` is done.
  func whileClosed(_ body: () throws -> Void) rethrows {
    try open.withLock { open in
      Self.close(&open)
      try body()
    }
  }

  private func refresh(_ open: inout Open?) throws -> DatabaseQueue {
    let states = files.map { ReadingPlan.State(path: $0.path, isHeld: $0.probe.holder() != nil) }
    if let open, open.plans.map(\.state) == states { return open.queue }
    Self.close(&open)
    let plans = try zip(files, states).map { try ReadingPlan($0, $1) }
    let queue = try DatabaseQueue(path: plans[0].uri, configuration: configuration(plans))
    open = Open(queue: queue, plans: plans)
    try queue.inDatabase { db in
      for (file, plan) in zip(files, plans).dropFirst() {
        try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(file.schema))", arguments: [plan.uri])
      }
    }
    return queue
  }

  private static func close(_ open: inout Open?) {
    guard let closing = open else { return }
    open = nil
    // A connection that cannot be closed now is closed when its last statement goes; nothing can be done about it here.
    try? closing.queue.close()
    for plan in closing.plans { plan.cleanUp() }
  }

  /// A copy is opened for writing, as only a writer rolls back a hot journal and makes a `-shm`. The files of others say
  /// `mode=ro` themselves.
  private func configuration(_ plans: [ReadingPlan]) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase(prepare)
    configuration.readonly = !plans.contains(where: \.isCopy)
    configuration.busyMode = .timeout(1)
    configuration.foreignKeysEnabled = false
    return configuration
  }
}

/// How one file is opened for reading, and what has to go when it is closed.
struct ReadingPlan: Sendable {
  /// What the plan depends on; another state asks for another plan.
  struct State: Sendable, Equatable {
    let isImmutable: Bool
    /// Whether a writer died over it.
    let hasHotJournal: Bool
    /// Of an immutable file only: a plainly opened one is watched by SQLite itself.
    let file: FileStatus?

    init(path: String, isHeld: Bool) {
      let wal = FileStatus(path: path + "-wal")?.size ?? 0
      let journal = FileStatus(path: path + "-journal")?.size ?? 0
      hasHotJournal = !isHeld && journal > 0 && ReadingPlan.isHot(path + "-journal")
      isImmutable = !isHeld && wal == 0 && journal == 0
      file = isImmutable ? FileStatus(path: path) : nil
    }
  }

  let state: State
  let uri: String
  private let litter: [String]
  private let probe: LockProbe
  private let copy: String?
  var isCopy: Bool { copy != nil }

  init(_ file: SQLiteReader.File, _ state: State) throws {
    self.state = state
    probe = file.probe
    if state.hasHotJournal || !state.isImmutable && ReadingPlan.needsCopy(file.path) {
      let folder = try ReadingPlan.copy(file.path)
      (copy, litter) = (folder, [])
      uri = databaseURI(folder + "/" + folderAndName(file.path).name, query: "mode=rw")
    } else {
      copy = nil
      litter = ReadingPlan.missingCompanions(of: file.path)
      uri = databaseURI(file.path, query: state.isImmutable ? "mode=ro&immutable=1" : "mode=ro")
    }
  }

  func cleanUp() {
    if let copy { try? FileManager.default.removeItem(atPath: copy) }
    guard !litter.isEmpty, probe.holder() == nil else { return }
    for path in litter where path.hasSuffix("-shm") || FileStatus(path: path)?.size == 0 { unlink(path) }
  }

  private static func missingCompanions(of path: String) -> [String] {
    ["-wal", "-shm"].map { path + $0 }.filter { FileStatus(path: $0) == nil }
  }

  private static func needsCopy(_ path: String) -> Bool {
    !FileStatus.isWritable(folderAndName(path).folder) && FileStatus(path: path + "-shm") == nil
      && FileStatus(path: path + "-wal") != nil
  }

  /// A journal that begins with zeros was finished; one that begins with its magic number was not
  /// (sqlite.org/fileformat.html, section 3).
  fileprivate static func isHot(_ journal: String) -> Bool {
    LockProbe(path: journal)?.header(count: 8) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  }

  private static func copy(_ path: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/parley-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let name = folderAndName(path).name
    for suffix in ["", "-wal", "-journal"] where FileStatus(path: path + suffix) != nil {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/" + name + suffix)
    }
    return folder
  }
}

/// A path as an SQLite URI: everything but unreserved characters is percent-encoded, so that `?` and `%` in names work.
func databaseURI(_ path: String, query: String) -> String {
  let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  var uri = "file:"
  for byte in absolute.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      uri.append(Character(Unicode.Scalar(byte)))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      uri += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
    }
  }
  return uri + "?" + query
}
