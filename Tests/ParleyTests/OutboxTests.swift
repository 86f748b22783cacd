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

  private func state(_ path: String) throws -> String? {
    try Live.run("list", path, "--json").objects().first { $0["id"] as? String == Self.milk }?["state"]
      as? String
  }

  private static let milk = "5eed0000-0000-4000-8000-000000000012:reminders"

  @Test("a written draft waits in the list until it is taken back")
  func waiting() throws {
    try withStore { path in
      #expect(Live.run("resolve", path, Self.milk, "--accept", "all").status == .nothingLeft)
      let told = Live.run("write", path, Self.milk, "--dry-run").output
      #expect(told.contains("\n  uploaded once the app has applied the draft\n"), "\(told)")
      let write = Live.run("write", path, Self.milk, "--yes")
      #expect(write.status == .nothingLeft)
      #expect(write.output.hasPrefix("waiting for the app: \(Self.milk)"))
      let waiting = try state(path)
      #expect(waiting == "waiting")
      #expect(
        Live.run("log", path, "--limit", "1").output.contains("written: Milk 2%: into the app's outbox")
      )
      let shown = Live.run("show", path, Self.milk)
      #expect(
        shown.output.contains("; waiting\n") && shown.output.contains("its draft waits for the app since"))
      let again = Live.run("write", path, Self.milk, "--yes")
      #expect(again.output == "Nothing to write: 1 waiting for the app.\n")
      let sql = Live.run("write", path, Self.milk, "--sql")
      #expect(sql.output.isEmpty && sql.status == .nothingLeft, "\(sql)")
      #expect(sql.errors == "parley: Nothing to write: 1 waiting for the app.\n")
      #expect(Live.run("resolve", path, Self.milk, "--set", "title=client").status == .refused)

      let undo = Live.run("undo", path, "--dry-run").output
      #expect(undo.contains("no field changes back\n"), "\(undo)")
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(try state(path) == "ready")
    }
  }

  @Test("resolve says of a draft that waits that it does, and calls nothing undecided")
  func resolvedAgain() throws {
    try withStore { path in
      Live.run("resolve", path, Self.milk, "--accept", "all")
      Live.run("write", path, Self.milk, "--yes")
      let text = Live.run("resolve", path, Self.milk, "--accept", "all").output
      #expect(text.contains("\n  its draft waits for the app since "), "\(text)")
      #expect(!text.contains("undecided"), "\(text)")
      let json = try #require(
        try Live.run("resolve", path, Self.milk, "--accept", "all", "--json").objects().first)
      #expect(json["state"] as? String == "waiting" && json["draft"] is NSNull)
      #expect(json["undecided"] as? [String] == [])
    }
  }

  @Test("what was exported is as before also while its draft waits, and anything else is refused")
  func appliedWhileItWaits() throws {
    try withStore { path in
      Live.run("resolve", path, Self.milk, "--set", "title=client", "--set", "priority=client")
      let exported = Live.run("resolve", path, Self.milk, "--export").output
      let waits = Live.run("write", path, Self.milk, "--yes")
      #expect(waits.output.hasPrefix("waiting for the app: "), "\(waits)")
      let again = Live.run(["apply", path, "-"], input: exported)
      #expect(again.status == .nothingLeft && again.lines.last?.contains("2 as before. ") == true, "\(again)")
      let other = exported.replacing(#""choice":"client""#, with: #""choice":"server""#)
      #expect(other != exported)
      let refused = Live.run(["apply", path, "-"], input: other)
      #expect(refused.status == .refused, "\(refused)")
      #expect(refused.output.contains("Its draft waits for the app."), "\(refused)")
    }
  }

  @Test("what comes back beside the record is told where something else was changed")
  func beside() throws {
    try withStore { path in
      Live.run("resolve", path, Self.milk, "--set", "title=client", "--set", "priority=client")
      Live.run("write", path, Self.milk, "--yes", "--direct")
      let undo = Live.run("undo", path, "--dry-run").output
      let words = "no field changes back, only what was changed beside the record\n"
      #expect(undo.contains(words), "\(undo)")
    }
  }

  @Test("--direct writes past the outbox, and --outbox needs one")
  func routes() throws {
    try withStore { path in
      #expect(Live.run("resolve", path, Self.milk, "--accept", "all").status == .nothingLeft)
      let write = Live.run("write", path, Self.milk, "--yes", "--direct", "--json")
      let written = try write.objects()
      #expect(written.first?["state"] as? String == "written")
      #expect(try state(path) == nil)
    }
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      #expect(Live.run("resolve", path, Self.milk, "--accept", "all").status == .nothingLeft)
      let write = Live.run("write", path, Self.milk, "--yes", "--outbox")
      #expect(write.status == .usage)
      #expect(
        write.errors.contains("has no table parley_outbox. Leave --outbox out: drafts are written directly"))
    }
  }

  @Test("capture prints SQL for every table that syncs, and says nothing is left")
  func capture() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let text = Live.run("capture", path)
      #expect(text.status == .nothingLeft)
      #expect(
        text.output.hasPrefix(
          "-- Keeps conflicts for Parley, in mergeModels, reminders, remindersLists, tags.\n"))
      let json = try #require(try Live.run("capture", path, "--json").objects().first)
      #expect(json["tables"] as? [String] == ["mergeModels", "reminders", "remindersLists", "tags"])
      let statements = try #require(json["statements"] as? [String])
      // Our five tables and their indexes, the table and the triggers of a merge; of each table its time and its triggers.
      #expect(statements.count == 6 + 1 + 2 + 4 * (3 + 4 + 2))
      #expect(statements.allSatisfy { text.output.contains($0) })
    }
  }
}
