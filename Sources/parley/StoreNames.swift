import CloudantStores
import CouchDBStores
import Foundation
import SMSyncStores
import SQLiteDataStores
import SQLiteFiles
import StoreInterface

/// The names by which the settings may call a store: that of its file, and of each folder around it that is opened for it. They are the
/// same whichever of these was typed, by whatever link: nobody should have other rules for having named a store otherwise.
struct StoreNames: Equatable {
  /// The first is the one that the desk writes. Never empty.
  let all: [String]
  /// As the store was named.
  private let typed: String

  /// - Parameter path: of a store, or of nothing: then by how it ends.
  init(opening path: String) {
    typed = StoreNames.end(of: path)
    guard let database = StoreNames.database(opening: path) else {
      all = [typed]
      return
    }
    let folders = StoreNames.folders(around: database).prefix { StoreNames.database(opening: $0) == database }
    let names = ([database] + folders).map(StoreNames.end).unique
    all = names.filter { !StoreNames.ofEvery.contains($0) } + names.filter { StoreNames.ofEvery.contains($0) }
  }

  /// What is called so in every store of its kind says least of one.
  private static let ofEvery = ["db.sync", ContainerFiles.databaseName, "Documents", "AppData"]

  /// As many as lie around a container's database, and one more.
  private static func folders(around database: String) -> [String] {
    (0..<4).reduce(into: []) { folders, _ in folders.append(folderAndName(folders.last ?? database).folder) }
  }

  /// The last part of a path as it is typed.
  static func end(of path: String) -> String {
    if ServerAddress.isMeant(by: path) { return (path as NSString).lastPathComponent }
    let name = folderAndName(path).name
    // The settings' own names have lost a byte order mark, as Foundation takes it from every text.
    let isPlain = !["", ".", ".."].contains(name) && !name.utf8.starts(with: "\u{FEFF}".utf8)
    return isPlain ? name : URL(filePath: path).standardizedFileURL.lastPathComponent
  }
}

extension StoreNames {
  /// The database that is opened by `path`, by its whole path; nil where nothing is there, or several stores are. Whose a file is makes no
  /// difference, and would be seen by its tables alone.
  private static func database(opening path: String) -> String? {
    guard !ServerAddress.isMeant(by: path), let status = FileStatus(path: path) else { return nil }
    let database = status.isFolder ? database(in: path) : SQLiteDataStore.databasePath(at: path)
    return database.flatMap(FileStatus.real)
  }

  private static func database(in folder: String) -> String? {
    guard (try? FolderStores.checkAreOfOneKind(folder)) != nil else { return nil }
    let database = SQLiteDataStore.databasePath(at: folder)
    if database != folder { return database }
    if let files = try? ContainerFiles(path: folder) { return files.database }
    let datastores = (try? CloudantStore.stores(in: folder)) ?? []
    return datastores.count == 1 ? datastores.first : nil
  }
}

extension StoreNames {
  /// The name under which the settings have rules for this store, or would have them.
  func name(in stores: [String: Configuration.Rules]) -> String { all.first { stores[$0] != nil } ?? all[0] }

  /// What is told of rules that somebody may take for this store's, and that are not in force.
  func warnings(_ stores: [String: Configuration.Rules]) -> [String] {
    let own = all.filter { stores[$0] != nil }
    let others = stores.keys.filter { isMeant(by: $0, hasOwn: !own.isEmpty) }
    return own.dropFirst().map { "\(rules($0)): the store has those for \(own[0])." }
      + others.sorted().map { "\(rules($0)): the store that was opened is called \(all[0])." }
  }

  private func rules(_ name: String) -> String {
    "The configuration has rules for \(name) under stores:, and they are not in force"
  }

  /// By a link's name, or in another case.
  private func isMeant(by name: String, hasOwn: Bool) -> Bool {
    guard !all.contains(name) else { return false }
    return name == typed || !hasOwn && all.contains { $0.lowercased() == name.lowercased() }
  }
}
