import Foundation
import Merging
import Telling
import Testing

@testable import Journals
@testable import StoreInterface

/// A journal holds whole rows, so it is its owner's alone.
struct JournalPrivacyTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func rights(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func append(_ journal: Journal) throws {
    try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
  }

  @Test func itsFilesAndFoldersAreForTheOwnerAlone() throws {
    let path = folder.path("state/parley/Reminders.parley.sqlite")
    let journal = Journal(path: path, clock: { Demo.now })
    try append(journal)
    for suffix in ["", "-wal", "-shm"] { #expect(try rights(path + suffix) == 0o600) }
    for made in ["state", "state/parley"] { #expect(try rights(folder.path(made)) == 0o700) }
  }

  @Test(arguments: [false, true]) func aWiderOneIsTightenedAsSoonAsItIsOpened(forWriting: Bool) throws {
    let path = folder.path("Reminders.parley.sqlite")
    let first = Journal(path: path, clock: { Demo.now })
    try append(first)
    first.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
    let next = Journal(path: path, clock: { Demo.now })
    if forWriting { try append(next) } else { _ = try next.entries(limit: 1) }
    for suffix in forWriting ? ["", "-wal", "-shm"] : [""] { #expect(try rights(path + suffix) == 0o600) }
  }
}
