import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How one file is opened for reading, and what has to go when it is closed.
struct ReadingPlan: Sendable {
  /// What the plan depends on; another state asks for another plan.
  struct State: Sendable, Equatable {
    let isImmutable: Bool
    /// Whether a writer died over it.
    let hasHotJournal: Bool
    /// Of an immutable file only: a plainly opened one is watched by SQLite itself.
    let file: FileStatus?
    /// The change counter in its header: two changes may be so close that the time is the same.
    let changes: [UInt8]

    init(_ file: SQLiteReader.File) {
      let wal = FileStatus(path: file.path + "-wal")?.size ?? 0
      let journal = FileStatus(path: file.path + "-journal")?.size ?? 0
      let isHeld = file.probe.holder() != nil
      let header = file.probe.header(count: 28)
      hasHotJournal = !isHeld && journal > 0 && ReadingPlan.isHot(file.path + "-journal")
      isImmutable = !isHeld && wal == 0 && journal == 0 && ReadingPlan.isInWALMode(header)
      self.file = isImmutable ? FileStatus(path: file.path) : nil
      changes = isImmutable ? Array(header.dropFirst(24)) : []
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

  /// The read version in the header (sqlite.org/fileformat.html, section 1.3.3).
  fileprivate static func isInWALMode(_ header: [UInt8]) -> Bool { header.count > 19 && header[19] == 2 }

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
