import CloudantStores
import SMSyncStores
import SQLiteDataStores
import SQLiteFiles
import StoreInterface

/// The stores of all kinds that lie in one folder. Each kind finds its own by their names, and knows nothing of the others: whichever was
/// asked first would have the folder, and hide what lies beside.
enum FolderStores {
  /// Of several of one kind that kind tells itself.
  ///
  /// - Throws: ``StoreError/severalStores(path:names:)``
  static func checkAreOfOneKind(_ path: String) throws {
    guard FileStatus(path: path)?.isFolder == true else { return }
    let kinds = kinds(in: path).filter { !$0.isEmpty }
    // Also where two kinds take one file for theirs: then there is nothing to choose.
    let names = kinds.flatMap { $0 }.unique
    guard kinds.count > 1, names.count > 1 else { return }
    throw StoreError.severalStores(path: path, names: names.sorted())
  }

  /// What cannot be listed is told by whoever opens it. A folder with datastores alone is looked at no closer: they are files that this
  /// process may have open.
  private static func kinds(in folder: String) -> [[String]] {
    let kinds: [(String) throws -> [String]] = [SQLiteDataStore.stores(in:), SMSyncStore.stores(in:)]
    let others = kinds.map { (try? $0(folder)) ?? [] }
    let datastores = (try? CloudantStore.stores(in: folder)) ?? []
    return others + [others.allSatisfy(\.isEmpty) ? datastores : datastores.filter(mayBeDatastore)]
  }

  /// Whether a file is one that is not only called so: `notes.touchdb` may be empty, or whatever somebody wrote, but nobody calls anything
  /// else `db.sync`, as the other kinds call theirs. One that cannot be read, as it is encrypted or a copy that was cut off, is there all the
  /// same.
  private static func mayBeDatastore(_ path: String) -> Bool {
    folderAndName(path).name == "db.sync" || FileStatus.mayBeDatabase(path)
      || FileStatus.beginsUnlikeText(path)
  }
}
