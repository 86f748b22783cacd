import Foundation
import Testing

@testable import CloudantStores
@testable import SMSyncStores
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What a folder holds, for every store; or why nobody can tell.
struct FolderNamesTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func unlisted(_ path: String, _ reason: String, isForbidden: Bool) -> StoreError {
    .cannotRead(path: path, detail: "the folder cannot be listed, \(reason)", isForbidden: isForbidden)
  }

  /// Neither of its permissions, nor as if it held nothing.
  @Test func aFolderThatCannotBeListedIsToldAsTheSystemTellsIt() throws {
    let missing = folder.path("missing")
    let error = unlisted(missing, "No such file or directory", isForbidden: false)
    #expect(throws: error) { try FolderNames(missing) }
    #expect(throws: error) { try StoreFiles.metadatabase(of: missing + "/Reminders.sqlite") }
    #expect(throws: error) { try ContainerFiles.containers(in: missing) }
    try Data().write(to: URL(filePath: folder.path("file")))
    #expect(throws: unlisted(folder.path("file"), "Not a directory", isForbidden: false)) {
      try FolderNames(folder.path("file"))
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may list everything"))
  func whereItIsForbiddenPermissionsAreTheMatter() throws {
    let path = folder.path
    #expect(chmod(path, 0o300) == 0)
    defer { chmod(path, 0o700) }
    let error = unlisted(path, "Permission denied", isForbidden: true)
    #expect(throws: error) { try StoreFiles.onlyDatabase(in: path) }
    #expect(throws: error) { try DatastoreFiles(path: path) }
    #expect(throws: error) { try ContainerFiles(path: path) }
    #expect(throws: error) { try AncestorTexts(folder: path) }
  }
}
