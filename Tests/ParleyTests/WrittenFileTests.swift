import GRDB
import Testing

@testable import parley

/// A file that was decided and written, and clashes again in another version with the same texts.
@Suite("A file that clashes again") struct WrittenFileTests {
  private static let file = "5EED0000-0000-4000-8000-000000000007"

  private func bringAnotherVersion(to path: String) throws {
    try AttackedStore.change(AttackedStore.files(in: path, "Model.sqlite")[0]) { db in
      try db.execute(
        sql: """
          UPDATE ZSMDOWNLOADOPERATION SET ZSERVERVERSION = ZSERVERVERSION + 4
          WHERE ZLOCALFILE = (SELECT Z_PK FROM ZSMLOCALFILE WHERE ZUUID = ?)
          """, arguments: [Self.file])
      try db.execute(
        sql: "UPDATE ZSMLOCALFILE SET ZLOCALVERSION = ZLOCALVERSION + 4 WHERE ZUUID = ?",
        arguments: [Self.file])
    }
  }

  private func isReady(_ path: String) -> Bool {
    Live.run("list", path).output.split(separator: "\n").contains {
      $0.contains("ready") && $0.contains(Self.file.suffix(8))
    }
  }

  @Test("What was written of the first version decides nothing of the next, by its name nor from a file")
  func again() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      let decided = Live.run("resolve", path, Self.file, "--set", "content=client")
      #expect(decided.status == .nothingLeft && isReady(path), "\(decided)")
      let exported = folder + "/decided"
      try write(Live.run("resolve", path, "--export").output, to: exported)
      #expect(Live.run("write", path, "--yes").output.contains("waiting in the outbox: "))
      try bringAnotherVersion(to: path)
      #expect(!isReady(path), "\(Live.run("list", path))")
      let applied = Live.run("apply", path, exported)
      #expect(applied.output.contains("decided about another conflict"), "\(applied)")
      #expect(!isReady(path))
    }
  }

  @Test("What was written into a copy decides nothing of the next version, either")
  func ofACopy() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      Live.run("resolve", path, Self.file, "--set", "content=client")
      let copied = Live.run("write", path, "--yes", "--copy", folder + "/copy")
      #expect(copied.output.contains("written: "), "\(copied)")
      try bringAnotherVersion(to: path)
      let second = Live.run("write", path, "--yes", "--copy", folder + "/second")
      #expect(!second.output.contains("written: "), "\(second)")
      #expect(!isReady(path), "\(Live.run("list", path))")
    }
  }
}
