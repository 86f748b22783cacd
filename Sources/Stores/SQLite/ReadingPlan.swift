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
    /// Of an immutable file only: a plainly opened one is watched by SQLite itself.
    let file: FileStatus?

    init(path: String, isHeld: Bool) {
      let wal = FileStatus(path: path + "-wal")?.size ?? 0
      let journal = FileStatus(path: path + "-journal")?.size ?? 0
      isImmutable = !isHeld && wal == 0 && journal == 0
      file = isImmutable ? FileStatus(path: path) : nil
    }
  }

  let state: State
  let uri: String
  private let litter: [String]
  private let probe: LockProbe
  private let copy: String?

  init(_ file: SQLiteReader.File, _ state: State) throws {
    self.state = state
    probe = file.probe
    if !state.isImmutable, ReadingPlan.needsCopy(file.path) {
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

  private static func copy(_ path: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/parley-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let name = folderAndName(path).name
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/" + name + suffix)
    }
    return folder
  }
}
