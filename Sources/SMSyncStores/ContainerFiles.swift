import Foundation
import SQLiteFiles
import StoreInterface

/// The files of an app that syncs with SMSyncServer.
///
///     CONTAINER/Documents/SMSyncServerModel.sqlite      the store, with -wal and -shm
///     CONTAINER/Documents/Temporary/SMSyncServer.*.dat  uploads, and what was downloaded
///     CONTAINER/Library/Preferences/*.plist             what the framework keeps of a round
///     NAME.xcappdata/AppData/…                          the same, as Xcode downloads it
///
/// Whatever lies in a container may have been made by anybody: no symbolic link in it is followed, and no path that leads out of it
/// (FORMAT.md, "Files").
package struct ContainerFiles: Sendable, Equatable {
  package let database: String
  /// The folder of the database, to which paths of pending files are relative.
  package let documents: String
  /// The container as a whole; nil of a database alone.
  package let root: String?

  package static let databaseName = "SMSyncServerModel.sqlite"
  /// Whether Parley has made it, this store and there where it is: only such a one is written itself.
  package var isCopy: Bool { mark != nil }
  let mark: CopyMark?
  let read = ReadPlaces()

  /// - Parameter path: a container, an `.xcappdata`, a folder with one or with the database, or the database.
  /// - Throws: ``StoreError/notFound(path:)``, ``StoreError/notAStore(path:detail:)``,
  ///   ``StoreError/severalStores(path:names:)`` for a folder with more than one,
  ///   ``StoreError/cannotRead(path:detail:isForbidden:)`` for one that cannot be listed.
  package init(path: String) throws {
    guard let status = FileStatus(path: path) else { throw StoreError.missing(path) }
    guard status.isFolder else {
      self.init(database: FileStatus.resolved(path))
      try checkIsWhole(path)
      return
    }
    if UnfinishedMark.lies(in: path) { throw ContainerFiles.half(path, in: path) }
    let inside = try ContainerFiles.containers(in: path)
    if inside.count > 1 { throw StoreError.severalStores(path: path, names: inside) }
    guard let database = ContainerFiles.database(in: inside.first ?? path) else {
      throw StoreError.notAStore(
        path: path, detail: "the folder holds no Documents/\(ContainerFiles.databaseName)")
    }
    if let link = ContainerFiles.link(onTheWayTo: database, from: path) {
      throw StoreError.notAStore(
        path: path, detail: "\(link) in it is a symbolic link, which is not followed")
    }
    self.init(database: database)
    try checkIsWhole(path)
  }

  private func checkIsWhole(_ path: String) throws {
    if let root, UnfinishedMark.lies(in: root) { throw ContainerFiles.half(path, in: root) }
    // SQLite says only that it cannot open the file; and where it is not SQLite that reads, the link would be followed.
    for suffix in ["-wal", "-journal"] where FileStatus.isLink(database + suffix) {
      throw StoreError.notAStore(
        path: path,
        detail:
          "the \(suffix) beside its store is a symbolic link, which is not followed; the file itself belongs there"
      )
    }
  }

  private static func half(_ path: String, in folder: String) -> StoreError {
    let isMoved = UnfinishedMark.names(in: FileStatus.real(folder) ?? folder) == nil
    return .notAStore(
      path: path,
      detail: isMoved
        ? """
        it is half of a copy that was made elsewhere, or whose mark was changed: take out what is yours, delete it, and make the \
        copy anew
        """
        : """
        it is half of a copy: a Parley makes it just now, or was ended while it did, and parley write --copy to this place makes \
        it anew
        """)
  }

  /// Those of a copy whose mark is not there yet, as they are with it.
  ///
  /// - Parameter folder: its whole path.
  /// - Throws: ``StoreError/notFound(path:)``
  init(madeIn folder: String, mark: CopyMark) throws {
    guard let database = ContainerFiles.database(in: folder) else { throw StoreError.notFound(path: folder) }
    (self.database, documents) = (database, folderAndName(database).folder)
    (root, self.mark) = (folder, mark)
  }

  private init(database: String) {
    // By its whole path: whichever way somebody names a container, and whatever part of it, the same one is meant.
    let database = FileStatus.real(database) ?? database
    self.database = database
    documents = folderAndName(database).folder
    root = ContainerFiles.root(ofDocuments: documents)
    mark = root.flatMap { ContainerFiles.database(in: $0) == database ? CopyMark(in: $0) : nil }
  }

  /// The container, where the store in it is the one that the framework opens. Another one beside it counts as a store alone.
  package var whole: String? {
    folderAndName(database).name == ContainerFiles.databaseName ? root : nil
  }

  /// Where journal and outbox lie beside: outside of the container, which may be put back on a device.
  package var anchor: String {
    whole ?? root.map { $0 + "-" + folderAndName(database).name } ?? database
  }

  /// What a person calls it.
  package var name: String { folderAndName(anchor).name }

  /// `Library/Preferences` of the container.
  package var preferences: String? {
    guard root != nil, folderAndName(documents).name == "Documents" else { return nil }
    return folderAndName(documents).folder + "/Library/Preferences"
  }
}

extension ContainerFiles {
  /// Where in a folder the database may lie, the first first.
  static let stores = ["Documents/", "AppData/Documents/", ""].map { $0 + databaseName }

  /// The database of a folder, wherever of the three places it lies; nil if it is in none.
  package static func database(in folder: String) -> String? {
    let base = withoutSlash(folder)
    return stores.lazy
      .map { base + "/" + $0 }
      .first { FileStatus(path: $0)?.isRegular == true }
  }

  /// The `.xcappdata` in a folder that is no container itself.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  package static func containers(in folder: String) throws -> [String] {
    if database(in: folder) != nil { return [] }
    let base = withoutSlash(folder)
    return try FolderNames(folder).names.filter { $0.hasSuffix(".xcappdata") }.map { base + "/" + $0 }
      .filter { !FileStatus.isLink($0) && database(in: $0) != nil }
  }

  /// The containers in a folder, or its own database, as it can be named where something else lies there. Over a link that is none, as who
  /// names the folder is told: by its own name it would be followed.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  static func stores(in folder: String) throws -> [String] {
    guard let database = ContainerFiles.database(in: folder) else { return try containers(in: folder) }
    return link(onTheWayTo: database, from: folder) == nil ? [database] : []
  }

  /// What holds Documents, whatever its name and whatever else is in it: nothing is written there. Of AppData only an `.xcappdata` around
  /// it, or a copy that Parley has made: in another folder somebody has unpacked it beside whatever is theirs.
  ///
  /// nil of a database that lies elsewhere, or in a person's own Documents, beside everything else that is theirs.
  static func root(ofDocuments documents: String, home: String = NSHomeDirectory()) -> String? {
    let (parent, name) = folderAndName(documents)
    guard name == "Documents" else { return nil }
    let root = isInsideAContainer(parent) ? folderAndName(parent).folder : parent
    return ["/", FileStatus.real(home) ?? home].contains(root) ? nil : root
  }

  /// Whether a folder is the AppData of a container, and no copy itself.
  private static func isInsideAContainer(_ folder: String) -> Bool {
    let (outer, name) = folderAndName(folder)
    guard name == "AppData", CopyMark(in: folder) == nil, !UnfinishedMark.lies(in: folder) else {
      return false
    }
    return outer.hasSuffix(".xcappdata") || CopyMark.lies(in: outer) || UnfinishedMark.lies(in: outer)
  }

  /// The first symbolic link between a folder and what lies in it.
  private static func link(onTheWayTo path: String, from folder: String) -> String? {
    var place = withoutSlash(folder)
    for name in String(path.dropFirst(place.count)).parts(between: "/") where !name.isEmpty {
      place += "/" + name
      if FileStatus.isLink(place) { return String(name) }
    }
    return nil
  }
}

extension FileStatus {
  /// As ``kind`` has the others.
  static let link = "a symbolic link"
}

/// Why a file that the store names cannot be read.
struct UnreadableFile: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension ContainerFiles {
  /// More of a file is not read: it would have to fit into memory several times.
  static let sizeLimit = 64 << 20

  /// Whether a path leads to something in the folder that it is relative to, by the names of what is there.
  static func staysInside(_ relative: String) -> Bool {
    !relative.utf8.contains(0)
      && relative.parts(between: "/").allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      }
  }

  /// Where a path relative to Documents leads.
  ///
  /// - Throws: ``UnreadableFile`` for one that leads out of the container, or is not made of names alone, or goes over a symbolic link.
  func place(_ relative: String) throws -> String {
    guard ContainerFiles.staysInside(relative) else {
      throw UnreadableFile(
        relative.utf8.first == UInt8(ascii: "/") || relative.parts(between: "/").contains("..")
          ? "its path leads out of the container, and is not followed"
          : "its path is none that the framework writes, and is not followed")
    }
    var place = documents
    for name in relative.parts(between: "/") {
      place += "/" + name
      if FileStatus.isLink(place) {
        throw UnreadableFile("a symbolic link lies on its path, and is not followed")
      }
    }
    return place
  }

  /// The bytes of a file at a path relative to Documents.
  ///
  /// - Throws: ``UnreadableFile``
  func bytes(_ relative: String) throws -> [UInt8] {
    let place = try place(relative)
    let found = FileStatus(path: place)
    read.note(place, found)
    guard let status = found else {
      throw UnreadableFile(
        FileStatus.isOutOfSight(place)
          ? "this user may not enter a folder on the way to its file" : "its file is not there")
    }
    guard status.isRegular else { throw UnreadableFile("where its file belongs is \(status.kind)") }
    do {
      return try RegularFile(place).bytes(limit: ContainerFiles.sizeLimit)
    } catch StoreError.tooLarge {
      throw UnreadableFile("its file has more than \(ContainerFiles.sizeLimit >> 20) MiB")
    } catch {
      throw UnreadableFile("its file cannot be read")
    }
  }

  /// The bytes of a file at a path relative to Documents; nil if nothing lies there.
  ///
  /// - Throws: ``UnreadableFile``, also where nobody can tell whether anything does.
  func bytesIfThere(_ relative: String) throws -> [UInt8]? {
    let place = try place(relative)
    return FileStatus(path: place) == nil && !FileStatus.isOutOfSight(place) ? nil : try bytes(relative)
  }
}
