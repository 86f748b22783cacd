import Foundation
import StoreInterface

/// One of the files that SQLite keeps beside a database in WAL mode, where its permissions keep this user from it.
///
///     -rw-rw-rw-  shop.sqlite        may be read
///     -rw-------  shop.sqlite-wal    and this may not: “unable to open database file”, says SQLite, and names none
package struct ForbiddenFile: Sendable, Equatable {
  package enum Use: String, Sendable, CaseIterable {
    case read, write

    fileprivate var mode: Int32 { self == .read ? R_OK : W_OK }
  }

  package let path: String
  /// The first of both that is forbidden.
  package let use: Use

  /// nil where there is none that this user may not read and write.
  ///
  /// - Parameters:
  ///   - suffixes: of what is needed. Who has a database alone, as a writer does, keeps in memory what a `-shm` is for.
  ///   - may: what the system lets this user do.
  package init?(
    beside database: String, suffixes: [String] = ["-wal", "-shm"],
    may: (String, Use) -> Bool = ForbiddenFile.may
  ) {
    let files = suffixes.map { database + $0 }.filter { FileStatus(path: $0) != nil }
    let forbidden = Use.allCases.compactMap { use in
      files.first { !may($0, use) }.map { (path: $0, use: use) }
    }
    guard let first = forbidden.first else { return nil }
    (path, use) = (first.path, first.use)
  }

  package static func may(_ path: String, _ use: Use) -> Bool { access(path, use.mode) == 0 }

  package var words: String { "this user may not \(use.rawValue) \(path)" }
}

extension StoreError {
  /// What could not be opened: the file beside the database, if this user may not read that.
  ///
  /// - Parameter may: what the system lets this user do.
  package static func unopened(
    _ path: String, _ detail: String,
    may: (String, ForbiddenFile.Use) -> Bool = ForbiddenFile.may
  ) -> StoreError {
    guard let file = ForbiddenFile(beside: path, may: may), file.use == .read else {
      return .cannotRead(path: path, detail: detail)
    }
    return .cannotRead(path: file.path, detail: String(cString: strerror(EACCES)), isForbidden: true)
  }
}
