import Foundation
import GRDB
import Merging
import Testing

@testable import SQLiteFiles
@testable import StoreInterface

/// Files that are read as one: all of them, or none.
struct AttachedFileTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    for table in ["lists", "notes"] {
      let queue = try DatabaseQueue(path: folder.path(table))
      try queue.writeWithoutTransaction {
        try $0.execute(sql: "CREATE TABLE \(table) (n); INSERT INTO \(table) VALUES (1)")
      }
      try queue.close()
    }
  }

  private func reader() throws -> SQLiteReader {
    let files = try [("lists", "main"), ("notes", "beside")].map { name, schema in
      let path = folder.path(name)
      return SQLiteReader.File(path: path, schema: schema, probe: try FileStatus.checkDatabase(path))
    }
    return SQLiteReader(files: files)
  }

  /// As one that is locked for a moment.
  @Test func oneThatCannotBeOpenedIsOpenedOnceItCan() throws {
    let reader = try reader()
    let notes = URL(filePath: folder.path("notes"))
    func sum() throws -> Int64? {
      try reader.read { try $0.firstRow("SELECT lists.n + notes.n FROM lists, notes") { $0.integer(0) } }
    }
    let whole = try Data(contentsOf: notes)
    try Data(repeating: 7, count: whole.count).write(to: notes)
    for _ in 1...2 {
      let error = #expect(throws: DatabaseError.self) { try sum() }
      #expect(error?.resultCode == .SQLITE_NOTADB)
    }
    try whole.write(to: notes)
    #expect(try sum() == 2)
  }
}
