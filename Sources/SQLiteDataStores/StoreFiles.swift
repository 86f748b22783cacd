import SQLiteFiles
import StoreInterface

/// The two files of a SQLiteData store, and how one is found by the other.
///
/// SQLiteData keeps its sync state in a hidden database beside the app's. Its name is made of the app database's name
/// without the last extension, and the container's identifier:
///
///     Reminders.sqlite
///     .Reminders.metadata-iCloud.com.example.Reminders.sqlite
///
/// Learnt from pointfreeco/sqlite-data f6bd67aa, CloudKit/SyncEngine.swift, `metadatabasePath`. Hidden files are easily lost
/// when a folder is copied, and the stem no longer fits when only the app database is renamed: both are told apart.
struct StoreFiles: Sendable, Equatable {
  let database: String
  let metadatabase: String

  /// The files of the store at `path`, which may also be the hidden one, or a folder with one store.
  ///
  /// - Throws: ``StoreError/metadataMissing(path:folder:others:)``, ``StoreError/metadataAmbiguous(path:candidates:)``,
  ///   ``StoreError/databaseAmbiguous(path:candidates:)``, ``StoreError/notFound(path:)``, ``StoreError/fileMissing(path:)``,
  ///   ``StoreError/notAStore(path:detail:)``.
  init(path: String, metadatabase: String?) throws {
    guard let status = FileStatus(path: path) else { throw StoreError.missing(path) }
    guard status.isFolder || status.isRegular else {
      throw StoreError.notADatabase(path: path, detail: "it is \(status.kind)")
    }
    let path = FileStatus.resolved(status.isFolder ? try StoreFiles.onlyDatabase(in: path) : path)
    if let metadatabase {
      guard let status = FileStatus(path: metadatabase) else {
        throw StoreError.fileMissing(path: metadatabase)
      }
      guard status.isRegular else { throw StoreError.notAFile(path: metadatabase, kind: status.kind) }
      if FileStatus(path: path)?.isSameFile(as: status) == true {
        throw StoreError.metadataIsDatabase(path: metadatabase)
      }
      self.init(database: path, metadatabase: FileStatus.resolved(metadatabase))
    } else if let database = try StoreFiles.database(ofHidden: path) {
      self.init(database: database, metadatabase: path)
    } else {
      self.init(database: path, metadatabase: try StoreFiles.metadatabase(of: path))
    }
  }

  /// The app database in a folder that holds one with its metadatabase.
  ///
  /// - Throws: ``StoreError/severalStores(path:names:)`` if there are several, ``StoreError/databaseAmbiguous(path:candidates:)`` if the
  ///   only metadatabase has several, ``StoreError/notAStore(path:detail:)`` if there is none.
  static func onlyDatabase(in folder: String) throws -> String {
    let base = withoutSlash(folder)
    let names = try FolderNames(base).names
    let databases = databases(in: base, names)
    if databases.count > 1 {
      throw StoreError.severalStores(path: folder, names: stores(of: databases, among: names, in: base))
    }
    guard let database = try only(of: databases.first ?? [], for: folder) else {
      throw StoreError.notAStore(
        path: folder, detail: "it is a folder, and holds no database with its hidden metadatabase")
    }
    return database
  }

  /// The stores in a folder, however many, as they are named where there are several.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  static func stores(in folder: String) throws -> [String] {
    let base = withoutSlash(folder)
    let names = try FolderNames(base).names
    return stores(of: databases(in: base, names), among: names, in: base)
  }

  private static func databases(in folder: String, _ names: [String]) -> [[String]] {
    let owners = Set(names.flatMap { MetadatabaseName.readings(of: $0).map(\.stem) })
    return databases(of: owners.sorted(), among: names, in: folder)
  }

  private static func stores(of databases: [[String]], among names: [String], in folder: String) -> [String] {
    databases.compactMap { $0.count > 1 ? hidden(of: $0, among: names, in: folder) : $0.first }
  }

  /// A metadatabase of these files. Of several stores by it that one is named of which nobody can tell the database: who opens it is told
  /// that, and the others are there all the same.
  private static func hidden(of files: [String], among names: [String], in folder: String) -> String? {
    let stems = files.map { stem(folderAndName($0).name) }
    let name = names.first { MetadatabaseName.readings(of: $0).contains { stems.contains($0.stem) } }
    return name.map { folder + "/" + $0 }
  }

  private init(database: String, metadatabase: String) {
    self.database = database
    self.metadatabase = metadatabase
  }

  /// The metadatabase beside the app database at `path`.
  static func metadatabase(of path: String) throws -> String {
    let (folder, name) = folderAndName(path)
    let hidden = try FolderNames(folder).names.filter { !MetadatabaseName.readings(of: $0).isEmpty }
    let fitting = hidden.filter { hidden in
      MetadatabaseName.readings(of: hidden).contains { $0.stem == stem(name) }
    }.map { folder + "/" + $0 }
    switch fitting.count {
    case 1: return fitting[0]
    case 0:
      _ = try FileStatus.checkDatabase(path)
      throw StoreError.metadataMissing(
        path: path, folder: folder, others: hidden.sorted().map { folder + "/" + $0 })
    default: throw StoreError.metadataAmbiguous(path: path, candidates: byLastWrite(fitting))
    }
  }

  /// The app database beside a hidden one; nil for a file that is called otherwise.
  private static func database(ofHidden path: String) throws -> String? {
    let stems = MetadatabaseName.readings(of: folderAndName(path).name).map(\.stem)
    guard let first = stems.first else { return nil }
    let folder = folderAndName(path).folder
    let there = try databases(of: stems, among: FolderNames(folder).names, in: folder).compactMap {
      try only(of: $0, for: path)
    }
    if there.count > 1 { throw StoreError.severalStores(path: path, names: there) }
    guard let database = there.first else {
      throw StoreError.notAStore(
        path: path,
        detail: "this is the hidden metadatabase; open the app's database \(first).… beside it "
          + "(none is there)")
    }
    return database
  }

  /// The files that may be the app database of each stem that has one. Of several files of a stem those are passed over that are no
  /// database, as what Parley printed beside the store, unless one of them must be it: as they look encrypted, or nothing else is there.
  private static func databases(
    of stems: [String], among names: [String], in folder: String
  ) -> [[String]] {
    let fitting = stems.map { files(of: $0, among: names, in: folder) }.filter { !$0.isEmpty }
    let databases = fitting.map { $0.count < 2 ? $0 : likely(of: $0) }
    let found = databases.filter { !$0.isEmpty }
    return found.isEmpty ? fitting : found
  }

  /// A datastore of Cloudant Sync may have the stem, too, in an app that has used both: it is a store by itself, and the database only
  /// where no other file can be it.
  private static func likely(of files: [String]) -> [String] {
    let own = databases(among: files.filter { !$0.hasSuffix(".touchdb") })
    return own.isEmpty ? databases(among: files) : own
  }

  /// Those that are encrypted where nothing else is one.
  private static func databases(among files: [String]) -> [String] {
    let databases = files.filter(FileStatus.mayBeDatabase)
    return databases.isEmpty ? files.filter(FileStatus.looksEncrypted) : databases
  }

  /// - Throws: ``StoreError/databaseAmbiguous(path:candidates:)``
  private static func only(of files: [String], for path: String) throws -> String? {
    if files.count > 1 { throw StoreError.databaseAmbiguous(path: path, candidates: files) }
    return files.first
  }

  private static func files(of owner: String, among names: [String], in folder: String) -> [String] {
    names.filter { name in
      stem(name) == owner && !["-wal", "-shm", "-journal"].contains(where: { name.hasSuffix($0) })
        && !name.hasSuffix(".parley.sqlite") && FileStatus(path: folder + "/" + name)?.isRegular == true
    }.map { folder + "/" + $0 }
  }

  /// The one that was written last comes first: it is most likely the one in use.
  private static func byLastWrite(_ paths: [String]) -> [String] {
    func time(_ path: String) -> Int64 {
      max(FileStatus(path: path)?.modifiedAt ?? 0, FileStatus(path: path + "-wal")?.modifiedAt ?? 0)
    }
    return paths.sorted { (time($1), $0) < (time($0), $1) }
  }
}

/// `.STEM.metadata-CONTAINER.sqlite`, or without container `.STEM.metadata.sqlite`.
struct MetadatabaseName: Equatable {
  let stem: String
  let container: String?

  /// Of a metadatabase, in all ways to read its name; empty where that tells of none.
  static func containers(ofFile path: String) -> Set<String> {
    Set(readings(of: folderAndName(path).name).compactMap(\.container))
  }

  /// All ways to read a name, as either part may have `.metadata-` in it; none of one that is no such name. Which is meant is told by
  /// the database that lies there.
  static func readings(of name: String) -> [MetadatabaseName] {
    // By bytes: the stem may begin with a combining accent.
    guard name.utf8.first == UInt8(ascii: "."), name.utf8.count > 8, name.hasSuffix(".sqlite") else {
      return []
    }
    let inner = Array(name.utf8.dropFirst().dropLast(7))
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let infix = Array(".metadata-".utf8)
    let divided = inner.indices.filter { inner[$0...].starts(with: infix) }.map { start in
      MetadatabaseName(stem: text(inner[..<start]), container: text(inner[(start + infix.count)...]))
    }
    let ending = infix.dropLast()
    let whole = MetadatabaseName(stem: text(inner.dropLast(ending.count)), container: nil)
    return (divided + (inner.suffix(ending.count) == ending ? [whole] : [])).filter {
      !$0.stem.isEmpty && $0.container != ""
    }
  }
}
