import Foundation
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import parley

@Suite("A store whose app has an outbox")
struct OutboxTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let writer = try SQLiteWriter(try StoreFiles(path: path, metadatabase: nil), clock: { 0 })
      try writer.transaction { db in
        try db.run(ParleyTables.outbox)
        return .commit
      }
      writer.close()
      try body(path)
    }
  }

  private func objects(_ result: Binary.Result) throws -> [[String: Any]] {
    try Run(status: .left, output: result.output, errors: "").objects()
  }

  private func state(_ path: String) throws -> String? {
    try objects(Binary.run("list", path, "--json")).first { $0["id"] as? String == Self.milk }?["state"]
      as? String
  }

  private static let milk = "5eed0000-0000-4000-8000-000000000012:reminders"

  @Test("a written draft waits in the list until it is taken back")
  func waiting() throws {
    try withStore { path in
      #expect(try Binary.run("resolve", path, Self.milk, "--accept", "all").status == 0)
      let write = try Binary.run("write", path, Self.milk, "--yes")
      #expect(write.status == 0)
      #expect(write.output.hasPrefix("waiting for the app: \(Self.milk)"))
      #expect(try state(path) == "waiting")
      #expect(
        try Binary.run("log", path, "--limit", "1").output.contains("written: Milk 2%: into the app's outbox")
      )
      #expect(try Binary.run("show", path, Self.milk).output.contains("its draft waits for the app since"))
      let again = try Binary.run("write", path, Self.milk, "--yes")
      #expect(again.output == "Nothing to write: 1 waiting for the app.\n")
      #expect(try Binary.run("resolve", path, Self.milk, "--set", "title=client").status == 5)

      #expect(try Binary.run("undo", path, "--yes").status == 0)
      #expect(try state(path) == "ready")
    }
  }

  @Test("--direct writes past the outbox, and --outbox needs one")
  func routes() throws {
    try withStore { path in
      #expect(try Binary.run("resolve", path, Self.milk, "--accept", "all").status == 0)
      let write = try Binary.run("write", path, Self.milk, "--yes", "--direct", "--json")
      #expect(try objects(write).first?["state"] as? String == "written")
      #expect(try state(path) == nil)
    }
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      #expect(try Binary.run("resolve", path, Self.milk, "--accept", "all").status == 0)
      let write = try Binary.run("write", path, Self.milk, "--yes", "--outbox")
      #expect(write.status == 2)
      #expect(
        write.errors.contains("has no table parley_outbox. Leave --outbox out: drafts are written directly"))
    }
  }

  @Test("capture prints SQL for every table that syncs, and says nothing is left")
  func capture() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let text = try Binary.run("capture", path)
      #expect(text.status == 0)
      #expect(
        text.output.hasPrefix(
          "-- Keeps conflicts for Parley, in mergeModels, reminders, remindersLists, tags.\n"))
      let json = try #require(try objects(Binary.run("capture", path, "--json")).first)
      #expect(json["tables"] as? [String] == ["mergeModels", "reminders", "remindersLists", "tags"])
      let statements = try #require(json["statements"] as? [String])
      // Our five tables and their indexes, the table and the triggers of a merge; of each table its time and its triggers.
      #expect(statements.count == 6 + 1 + 2 + 4 * (3 + 4 + 2))
      #expect(statements.allSatisfy { text.output.contains($0) })
    }
  }
}
