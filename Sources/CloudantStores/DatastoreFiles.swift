import SQLiteFiles
import StoreInterface

/// The files of one Cloudant Sync datastore.
///
///     iOS, macOS (CDTDatastore)        Android, Java (sync-android)
///     NAME.touchdb                     NAME/db.sync
///     NAME attachments/…               NAME/extensions/com.cloudant.attachments/…
///
/// The space is part of the name. A datastore called `a/b` is `a:b` on the disk. Learnt from cloudant/CDTDatastore bc5f32c
/// (TD_DatabaseManager.m, TD_Database.m) and cloudant/sync-android a72b3fc.
package struct DatastoreFiles: Sendable, Equatable {
  package let database: String
  package let attachments: String

  private static let androidName = "db.sync"
  private static let iosSuffix = ".touchdb"

  /// The datastore at `path`: its database, or a folder that holds it.
  ///
  /// - Throws: ``StoreError/severalStores(path:names:)`` for a folder with more than one, ``StoreError/notFound(path:)``,
  ///   ``StoreError/notAStore(path:detail:)``.
  package init(path: String) throws {
    guard let status = FileStatus(path: path) else { throw StoreError.missing(path) }
    guard status.isFolder else {
      self.init(database: FileStatus.resolved(path))
      return
    }
    let found = try DatastoreFiles.databases(in: path)
    guard found.count < 2 else { throw StoreError.severalStores(path: path, names: found) }
    guard let database = found.first else {
      throw StoreError.notAStore(path: path, detail: "the folder holds no NAME.touchdb and no db.sync")
    }
    self.init(database: FileStatus.resolved(database))
  }

  private init(database: String) {
    self.database = database
    let (folder, name) = folderAndName(database)
    attachments =
      name == DatastoreFiles.androidName
      ? folder + "/extensions/com.cloudant.attachments" : folder + "/" + stem(name) + " attachments"
  }

  /// What a person calls the datastore.
  var name: String {
    let (folder, name) = folderAndName(database)
    return name == DatastoreFiles.androidName ? folderAndName(folder).name : name
  }

  /// Whether this must be a datastore by its name alone, whatever is in it; or a folder that holds one.
  static func isNamedLikeOne(_ path: String) -> Bool {
    let name = folderAndName(path).name
    if FileStatus(path: path)?.isFolder == true { return (try? databases(in: path))?.isEmpty == false }
    return name.hasSuffix(iosSuffix) || name == androidName
  }

  /// The databases in a folder, and in its folders where Android has one for each datastore: each by one name, however many links lead
  /// to it.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  static func databases(in folder: String) throws -> [String] {
    let base = withoutSlash(folder)
    let paths = try FolderNames(folder).names.map { (name: String) -> String in
      let path = base + "/" + name
      return name.hasSuffix(iosSuffix) || name == androidName ? path : path + "/" + androidName
    }
    return byOneName(paths.filter { FileStatus(path: $0)?.isRegular == true }, in: base)
  }

  /// Its own name, or where that is not among them the first of the links.
  private static func byOneName(_ paths: [String], in folder: String) -> [String] {
    let root = FileStatus.real(folder) ?? folder
    let named = paths.map { (path: $0, place: FileStatus.real($0) ?? $0) }
    let own = named.filter { root + $0.path.dropFirst(folder.count) == $0.place }.map(\.place)
    var told: Set<String> = []
    return named.filter { path, place in
      own.contains(place) ? root + path.dropFirst(folder.count) == place : told.insert(place).inserted
    }.map(\.path)
  }
}
