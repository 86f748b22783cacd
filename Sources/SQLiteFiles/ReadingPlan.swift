#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How one file is opened for reading, and what has to go when it is closed.
package struct ReadingPlan: Sendable {
  /// What the plan depends on; another state asks for another plan.
  package struct State: Sendable, Equatable {
    package let isImmutable: Bool
    /// Whether a writer died over it.
    package let hasHotJournal: Bool
    /// Of an immutable file and of one that is copied: a plainly opened one is watched by SQLite itself.
    package let file: FileStatus?
    /// The change counter in its header: two changes may be so close that the time is the same.
    package let changes: [UInt8]

    package init(_ file: SQLiteReader.File) {
      let wal = FileStatus(path: file.path + "-wal")?.size ?? 0
      let journal = FileStatus(path: file.path + "-journal")?.size ?? 0
      let isHeld = file.probe.holder() != nil
      let header = file.probe.header(count: 28)
      hasHotJournal = !isHeld && journal > 0 && ReadingPlan.isHot(file.path + "-journal")
      isImmutable = !isHeld && wal == 0 && journal == 0 && ReadingPlan.isInWALMode(header)
      let isUnwatched = isImmutable || hasHotJournal
      self.file = isUnwatched ? FileStatus(path: file.path) : nil
      changes = isUnwatched ? Array(header.dropFirst(24)) : []
    }
  }

  package let state: State
  package let uri: String
  private let litter: [String]
  private let probe: LockProbe
  /// What is read in the file's place.
  package let copy: UnnamedCopy?

  package init(_ file: SQLiteReader.File, _ state: State) throws {
    self.state = state
    probe = file.probe
    if state.hasHotJournal || !state.isImmutable && ReadingPlan.needsCopy(file.path) {
      copy = try UnnamedCopy(of: file.path, rollingBack: state.hasHotJournal)
      (uri, litter) = (":memory:", [])
    } else {
      copy = nil
      litter = ReadingPlan.missingCompanions(of: file.path)
      uri = databaseURI(file.path, query: state.isImmutable ? "mode=ro&immutable=1" : "mode=ro")
    }
  }

  package func cleanUp() {
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
    LockProbe(path: journal)?.header(count: 8) == RollbackJournal.magic
  }
}
