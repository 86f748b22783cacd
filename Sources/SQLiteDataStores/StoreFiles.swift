import Foundation
import Merging
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
  ///   ``StoreError/notFound(path:)``, ``StoreError/fileMissing(path:)``, ``StoreError/notAStore(path:detail:)``.
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
    } else if let owner = MetadatabaseName(folderAndName(path).name)?.stem {
      self.init(database: try StoreFiles.database(stem: owner, of: path), metadatabase: path)
    } else {
      self.init(database: path, metadatabase: try StoreFiles.metadatabase(of: path))
    }
  }

  /// The app database in a folder that holds one with its metadatabase.
  ///
  /// - Throws: ``StoreError/severalStores(path:names:)`` if there are several, ``StoreError/notAStore(path:detail:)`` if there
  ///   is none.
  static func onlyDatabase(in folder: String) throws -> String {
    let base = withoutSlash(folder)
    let owners = Set(try names(in: base).compactMap { MetadatabaseName($0)?.stem })
    let databases = owners.sorted().compactMap { try? database(stem: $0, of: base + "/" + $0) }
    if databases.count > 1 { throw StoreError.severalStores(path: folder, names: databases) }
    guard let database = databases.first else {
      throw StoreError.notAStore(
        path: folder, detail: "it is a folder, and holds no database with its hidden metadatabase")
    }
    return database
  }

  private init(database: String, metadatabase: String) {
    self.database = database
    self.metadatabase = metadatabase
  }

  /// The metadatabase beside the app database at `path`.
  static func metadatabase(of path: String) throws -> String {
    let (folder, name) = folderAndName(path)
    let hidden = try names(in: folder).filter { MetadatabaseName($0) != nil }
    let fitting = hidden.filter { MetadatabaseName($0)?.stem == stem(name) }.map { folder + "/" + $0 }
    switch fitting.count {
    case 1: return fitting[0]
    case 0:
      _ = try FileStatus.checkDatabase(path)
      throw StoreError.metadataMissing(
        path: path, folder: folder, others: hidden.sorted().map { folder + "/" + $0 })
    default: throw StoreError.metadataAmbiguous(path: path, candidates: byLastWrite(fitting))
    }
  }

  private static func database(stem owner: String, of path: String) throws -> String {
    let folder = folderAndName(path).folder
    let fitting = try names(in: folder).filter { name in
      stem(name) == owner && !["-wal", "-shm", "-journal"].contains(where: { name.hasSuffix($0) })
        && !name.hasSuffix(".parley.sqlite") && FileStatus(path: folder + "/" + name)?.isRegular == true
    }
    guard fitting.count == 1, let name = fitting.first else {
      let found = fitting.isEmpty ? "none is there" : fitting.sorted().joined(separator: ", ")
      throw StoreError.notAStore(
        path: path,
        detail: "this is the hidden metadatabase; open the app's database \(owner).… beside it (\(found))")
    }
    return folder + "/" + name
  }

  private static func names(in folder: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw StoreError.cannotRead(path: folder, detail: "the folder cannot be listed", isForbidden: true)
    }
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

  init?(_ name: String) {
    // By bytes: the stem may begin with a combining accent.
    guard name.utf8.first == UInt8(ascii: "."), name.utf8.count > 8, name.hasSuffix(".sqlite") else {
      return nil
    }
    let inner = name.utf8.index(after: name.startIndex)..<name.index(name.endIndex, offsetBy: -7)
    // The first, as the container may be called anything, such as iCloud.com.example.metadata.
    if let infix = name.range(of: ".metadata-", range: inner) {
      stem = String(name[inner.lowerBound..<infix.lowerBound])
      container = String(name[infix.upperBound..<inner.upperBound])
    } else if name.hasSuffix(".metadata.sqlite") {
      stem = String(name[inner].dropLast(".metadata".count))
      container = nil
    } else {
      return nil
    }
    if stem.isEmpty || container == "" { return nil }
  }
}
