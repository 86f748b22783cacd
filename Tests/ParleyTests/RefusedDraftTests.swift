import Foundation
import GRDB
import SQLiteFiles
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import parley

@Suite("What the store would refuse")
struct RefusedDraftTests {
  /// A value that fitted when it was decided: the list is gone since.
  private func decideForNoList(_ record: String, in path: String) throws {
    try AttackedStore.change(path) {
      try $0.execute(sql: "INSERT INTO remindersLists (id, title) VALUES ('nosuch', 'Gone')")
    }
    let run = Live.run("resolve", path, record, "--set", "remindersListID=nosuch")
    #expect(run.output.contains("nosuch  (edited)"), "\(run)")
    try AttackedStore.change(path) { try $0.execute(sql: "DELETE FROM remindersLists WHERE id = 'nosuch'") }
    Live.run("resolve", path, record, "--accept", "all")
  }

  /// In another process than the write.
  @Test("a draft that was refused is not told as ready, until something else is decided")
  func refusedLater() throws {
    try withTemporaryFolder { folder in
      let (path, milk) = (try SampleStores.make(in: folder + "/demo"), "000000000012")
      try decideForNoList(milk, in: path)
      let why = "there is no record \"nosuch\" in remindersLists"
      for options in [["--yes"], ["--dry-run"]] {
        let told = try Live.run(["write", path, milk, "--json"] + options).objects().first
        #expect(told?["state"] as? String == "refused" && told?["outcome"] as? String == "refused")
        #expect(told?["refusal"] as? [String: String] == ["field": "remindersListID", "detail": why])
        #expect(told?["why"] as? String == "remindersListID: \(why)")
      }
      let listed = try #require(
        try Live.run("list", path, "--json").objects().first { ($0["id"] as? String)?.contains(milk) == true }
      )
      #expect(listed["state"] as? String == "refused")
      let toDecide = try Live.run("list", path, "--find", "is:decide", "--json").objects()
      #expect(toDecide.contains { $0["state"] as? String == "refused" })
      #expect(listed["why"] as? String == "remindersListID: \(why)")
      #expect(listed["refusal"] as? [String: String] == ["field": "remindersListID", "detail": why])
      let line = try #require(Live.run("list", path).lines.first { $0.contains(milk) })
      #expect(line.hasPrefix("✗ refused ") && line.contains("remindersListID: \(why)"), "\(line)")
      #expect(!Live.run("list", path, "--redact").output.contains("nosuch"))
      #expect(Live.run("list", path, "--find", "is:ready").output.isEmpty)
      #expect(
        Live.run("show", path, milk).output.contains(
          "refused by the store when it was asked last: remindersListID: "))
      let plain = Live.run([path, "--plain"], input: String(repeating: "N\n", count: 25)).output
      #expect(plain.contains("The store refuses what was decided: remindersListID: "), "\(plain)")
      let again = Live.run("resolve", path, milk, "--accept", "all").output
      #expect(again.contains("stays refused: remindersListID: \(why)"), "\(again)")
      let other = Live.run("resolve", path, milk, "--set", "remindersListID=client").output
      #expect(!other.contains("stays refused"), "\(other)")
      #expect(try #require(Live.run("list", path).lines.first { $0.contains(milk) }).hasPrefix("✓ ready"))
    }
  }

  @Test("of the drafts of a write those are counted that are in its SQL, and what is not is told beside it")
  func sql() throws {
    try withTemporaryFolder { folder in
      let (path, milk) = (try SampleStores.make(in: folder + "/demo"), "000000000012")
      try decideForNoList(milk, in: path)
      Live.run("resolve", path, "Groceries", "--set", "color=7")
      let run = Live.run("write", path, milk, "Groceries", "--sql")
      #expect(run.output.hasPrefix("-- What parley write would run for 1 of 2 drafts. "), "\(run)")
      #expect(!run.output.contains("nosuch") && run.status == .refused, "\(run)")
      let rehearsed = Live.run("write", path, milk, "--dry-run").lines
      let refusal = try #require(rehearsed.first { $0.contains(" was refused: ") })
      #expect(run.errors == "parley: \(refusal)\n")
      let whole = Live.run("write", path, "Groceries", "--sql")
      #expect(whole.output.contains(" would run for 1 draft. ") && whole.errors.isEmpty)
      let alone = Live.run("write", path, milk, "--sql")
      #expect(alone.errors == run.errors + "parley: None of them can be written.\n")
      #expect(alone.output.isEmpty && alone.status == .refused)
    }
  }

  @Test("what the store would refuse of a side's own values is told where a named record is decided")
  func refusedOfASide() throws {
    try withTemporaryFolder { folder in
      let (path, wood) = (try SampleStores.make(in: folder + "/demo"), "000000000035")
      // What is suggested is none of that: it would point to a list that is not here.
      #expect(Live.run("resolve", path, wood, "--accept", "all").status == .left)
      let tried = Live.run("resolve", path, wood, "--set", "record=accept", "--dry-run")
      #expect(tried.errors.contains("refuse this draft: remindersListID: ") && tried.status == .refused)
      #expect(!Live.run("list", path, "--find", "wood").output.contains("✗ refused"))
      let run = Live.run("resolve", path, wood, "--set", "record=accept")
      let told = "the store would refuse this draft, which is kept all the same: remindersListID: "
      #expect(run.errors.contains("\(wood):reminders: \(told)") && run.status == .refused)
      // The same once more is as refused as before.
      #expect(Live.run("resolve", path, wood, "--set", "record=accept").status == .refused)
      // What was decided on another copy is asked about, too.
      let copy = try SampleStores.make(in: folder + "/copy")
      let lines = Live.run("resolve", path, wood, "--export").output
      try lines.write(toFile: folder + "/lines", atomically: true, encoding: .utf8)
      let foreseen = Live.run("apply", copy, folder + "/lines", "--dry-run")
      #expect(foreseen.status == .refused && foreseen.errors.contains("would refuse this draft: "))
      #expect(foreseen.output.contains("their drafts, of which the store would refuse 1, as told."))
      let applied = Live.run("apply", copy, folder + "/lines")
      #expect(applied.status == .refused && applied.errors.contains(told), "\(applied)")
      #expect(Live.run("list", copy, "--find", "wood").output.contains("✗ refused"))
      // And nothing calls it ready from then on.
      let listed = Live.run("list", path, "--find", "wood").output
      #expect(listed.contains("✗ refused") && !listed.contains("✓ ready"), "\(listed)")
      #expect(Live.run("resolve", path, "000000000012", "--accept", "all").errors.isEmpty)
      let json = try Live.run("resolve", path, wood, "--set", "record=accept", "--json").objects()
      #expect(json.map { $0["state"] as? String } == ["refused"], "\(json)")
      let why = try #require(json.first?["refusal"] as? [String: Any])
      #expect(why["field"] as? String == "remindersListID" && (why["detail"] as? String)?.isEmpty == false)
      #expect(Live.run("resolve", path, wood, "--set", "record=keep").errors.isEmpty)
    }
  }

  @Test(
    "a key that points to nothing is taken by no file of decisions, and what was decided while it pointed to something is ready no more"
  )
  func keyToNothing() throws {
    try withTemporaryFolder { folder in
      let (path, wood) = (
        try SampleStores.make(in: folder + "/demo"), "5eed0000-0000-4000-8000-000000000035:reminders"
      )
      let store = try SQLiteDataStore.open(path: path)
      let fingerprint = try store.conflict(wood).fingerprint(of: .field("remindersListID"))
      let line =
        #"{"id":"\#(wood)","field":"remindersListID","choice":"server","fingerprint":"\#(fingerprint.subject + fingerprint.record)"}"#
      try line.write(toFile: folder + "/lines", atomically: true, encoding: .utf8)
      for dryRun in [["--dry-run"], []] {
        let applied = Live.run(["apply", path, folder + "/lines"] + dryRun)
        #expect(applied.status == .refused && applied.output.contains(Self.noShed), "\(applied)")
      }
      let list = "5eed0000-0000-4000-8000-000000000009"
      try AttackedStore.change(path) {
        try $0.execute(sql: "INSERT INTO remindersLists (id, title) VALUES (?, 'Shed')", arguments: [list])
      }
      #expect(Live.run("list", path, "--find", "is:sure wood").lines.count == 1)
      #expect(Live.run("resolve", path, wood, "--accept", "all").status == .nothingLeft)
      #expect(Live.run("list", path, "--find", "is:ready").lines.count == 1)
      try AttackedStore.change(path) {
        try $0.execute(sql: "DELETE FROM remindersLists WHERE id = ?", arguments: [list])
      }
      #expect(Live.run("list", path, "--find", "is:ready").output.isEmpty)
      let gone = Live.run("list", path, "--find", "wood").output
      #expect(
        gone.contains("✗ refused") && gone.contains("remindersListID: \(Self.noShed)"), "\(gone)")
    }
  }

  @Test("what a rehearsal finds refused is not told as ready either, and log tells when it was found")
  func rehearsedRefusal() throws {
    try withTemporaryFolder { folder in
      let (path, milk) = (try SampleStores.make(in: folder + "/demo"), "000000000012")
      try decideForNoList(milk, in: path)
      let rehearsed = Live.run("write", path, milk, "--dry-run")
      #expect(rehearsed.status == .refused)
      #expect(rehearsed.lines.last == "None of them can be written.", "\(rehearsed.output)")
      let refused = Live.run("list", path, "--find", "is:refused").lines
      #expect(refused.contains { $0.contains(milk) && $0.hasPrefix("✗ refused") })
      #expect(Live.run("list", path, "--find", "nosuch").output.contains(milk))
      let log = Live.run("log", path, "--kind", "refusal").lines
      #expect(
        log.count == 1 && log[0].contains("the store refused the draft: remindersListID: there is no record"))
      #expect(!Live.run("log", path, "--redact").output.contains("nosuch"))
    }
  }

  static let wood = "5eed0000-0000-4000-8000-000000000035:reminders"
  static let garden = "5eed0000-0000-4000-8000-000000000005"

  /// Of the list of a reminder that is to come back nothing is here any more.
  func loseTheGarden(in path: String) throws {
    let metadata = try SQLiteDataStore.open(path: path).files.metadatabase
    try AttackedStore.change(path) { db in
      try db.execute(sql: "ATTACH ? AS hidden", arguments: [metadata])
      try db.execute(
        sql: """
          UPDATE reminders SET remindersListID = '5eed0000-0000-4000-8000-000000000001' WHERE remindersListID = ?
          """, arguments: [Self.garden])
      try db.execute(
        sql: """
          INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
          SELECT recordName, zoneName, ownerName, recordType, 1, 'probe', _lastKnownServerRecordAllFields
          FROM hidden.sqlitedata_icloud_metadata WHERE recordName = ?
          """, arguments: [Self.garden + ":remindersLists"])
      try db.execute(sql: "DELETE FROM remindersLists WHERE id = ?", arguments: [Self.garden])
    }
  }

  @Test(
    "a record whose parent is decided to come back is told as what write does with both, whichever is decided first",
    arguments: [(true, true), (false, true), (false, false)])
  func besideItsParent(isParentFirst: Bool, isParentNamed: Bool) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try loseTheGarden(in: path)
      let tomatoes = "5eed0000-0000-4000-8000-000000000092:reminders"
      let named = [Self.garden + ":remindersLists", "--set", "record=server"]
      let list = ["resolve", path] + (isParentNamed ? named : ["--accept", "all"])
      let child = ["resolve", path, tomatoes, "--set", "record=server"]
      if isParentFirst {
        #expect(Live.run(list).status == .nothingLeft)
        #expect(Live.run(child + ["--dry-run"]).status == .nothingLeft)
        let run = Live.run(child)
        #expect(run.status == .nothingLeft && run.errors.isEmpty, "\(run)")
      } else {
        #expect(Live.run(child).errors.contains("the store would refuse this draft, which is kept"))
        #expect(Live.run(list).status == .nothingLeft || !isParentNamed)
      }
      #expect(!Live.run("list", path, "--find", "is:refused").output.contains(tomatoes))
      let ready = Live.run("list", path, "--find", "is:ready")
      #expect(ready.output.contains(tomatoes) && (ready.lines.count == 2 || !isParentNamed), "\(ready)")
      let written = Live.run("write", path, "--dry-run").output
      #expect(written.contains("Water the tomatoes\n  insert the row again"), "\(written)")
    }
  }

  @Test(
    "what points to a record that comes back by the same file is taken the first time, in whatever order",
    arguments: [true, false])
  func takenWithItsParent(isParentFirst: Bool) throws {
    try withTemporaryFolder { folder in
      let (path, copy) = (
        try SampleStores.make(in: folder + "/demo"), try SampleStores.make(in: folder + "/copy")
      )
      for store in [path, copy] { try loseTheGarden(in: store) }
      let list = Self.garden + ":remindersLists"
      Live.run("resolve", path, list, "--set", "record=server")
      Live.run("resolve", path, "000000000092", "--set", "record=server")
      Live.run("resolve", path, "000000000020", "--set", "record=accept")
      Live.run(
        "resolve", path, "000000000024", "--accept", "all", "--set", "remindersListID=server")
      let lines = Live.run("resolve", path, "--export").lines
      let parents = lines.filter { $0.contains(list) }
      let children = lines.filter { !$0.contains(list) }
      #expect(parents.count == 1 && children.count > 2)
      let all = isParentFirst ? parents + children : children + parents
      for (name, some) in [("all", all), ("children", children)] {
        try some.joined(separator: "\n").write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      }
      let alone = Live.run("apply", copy, folder + "/children", "--dry-run")
      #expect(alone.status == .refused && alone.output.contains("there is no record"), "\(alone)")
      for dryRun in [["--dry-run"], []] {
        let run = Live.run(["apply", copy, folder + "/all"] + dryRun)
        #expect(run.status == .nothingLeft && run.errors.isEmpty, "\(run)")
        #expect(!run.output.contains("refused"), "\(run)")
      }
      #expect(Live.run("list", copy, "--find", "is:ready").lines.count == 4)
    }
  }

  /// The list comes back by the file, and is refused itself. Between the lines about the reminder lie more than are kept at a time.
  @Test("of a file of decisions the store is asked about a record as the last line about it leaves it")
  func askedAsTheLastLineLeavesIt() throws {
    try withTemporaryFolder { folder in
      let (path, copy) = (
        try SampleStores.make(in: folder + "/demo"), try SampleStores.make(in: folder + "/copy")
      )
      for store in [path, copy] { try loseTheGarden(in: store) }
      try AttackedStore.change(copy) {
        try $0.execute(sql: "INSERT INTO remindersLists (id, title) VALUES ('other', 'Garden')")
        try $0.execute(sql: "CREATE UNIQUE INDEX one ON remindersLists (title)")
      }
      let (list, plants) = (Self.garden + ":remindersLists", "000000000024:reminders")
      Live.run("resolve", path, list, "--set", "record=server")
      Live.run("resolve", path, "000000000012", "--accept", "all")
      Live.run("resolve", path, plants, "--accept", "all", "--set", "remindersListID=server")
      let first = Live.run("resolve", path, "--export").lines
      Live.run("resolve", path, plants, "--set", "record=keep")
      let last = Live.run("resolve", path, plants, "--export").lines
      let milk = try #require(first.first { $0.contains("000000000012:reminders") })
      #expect(first.count { $0.contains(plants) } > 1 && last.count == 1)
      let all = first + Array(repeating: milk, count: 500) + last
      try all.joined(separator: "\n").write(toFile: folder + "/all", atomically: true, encoding: .utf8)
      for dryRun in [["--dry-run"], []] {
        let run = Live.run(["apply", copy, folder + "/all"] + dryRun)
        #expect(run.errors.contains("parley: \(list): the store would refuse this draft"), "\(run.errors)")
        #expect(!run.errors.contains(plants) && run.status == .refused, "\(run.errors)")
      }
      #expect(Live.run("list", copy, "--find", "is:ready").output.contains(plants))
    }
  }

  @Test("what was refused for want of a record is read for all together once that is decided")
  func readTogether() throws {
    try withTemporaryFolder { folder in
      let (path, log) = (try SampleStores.make(in: folder + "/demo"), folder + "/log")
      try loseTheGarden(in: path)
      for child in ["020", "024", "087", "092"] {
        Live.run("resolve", path, "000000000" + child, "--set", "record=accept")
      }
      #expect(Live.run("write", path, "--dry-run").status == .refused)
      let list = Self.garden + ":remindersLists"
      Live.run("resolve", path, list, "--set", "record=server", "--log", log)
      let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      let reads = lines.compactMap { $0.split(separator: " conflicts of ").dropFirst().first }
      #expect(reads == ["4: 4", "1: 1"], "\(lines)")
      #expect(Live.run("list", path, "--find", "is:ready").lines.count == 5)
    }
  }

  static let shed = "5eed0000-0000-4000-8000-000000000009"
  static let noShed = "there is no record \"\(shed)\" in remindersLists"

  /// The list that the server has put a reminder in comes in, behind that.
  func bringInTheShed(in path: String) throws {
    let metadata = try SQLiteDataStore.open(path: path).files.metadatabase
    try AttackedStore.change(path) { db in
      try db.execute(sql: "ATTACH ? AS hidden", arguments: [metadata])
      let archive = "CAST(_lastKnownServerRecordAllFields AS TEXT)"
      try db.execute(
        sql: """
          INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
          SELECT '\(Self.shed):remindersLists', zoneName, ownerName, recordType, 1, 'probe',
            CAST(replace(\(archive), '\(Self.garden)', '\(Self.shed)') AS BLOB)
          FROM hidden.sqlitedata_icloud_metadata WHERE recordName = '\(Self.garden):remindersLists'
          """)
    }
  }

  @Test(
    "what points to a record that is decided to come back by the same command is decided by it, too",
    arguments: ["", "\(wood) \(shed):remindersLists", "\(shed):remindersLists \(wood)", "\(wood) --family"]
  )
  func acceptedWithItsParent(_ named: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try bringInTheShed(in: path)
      #expect(Live.run("show", path, Self.wood).output.contains("points to nothing here"))
      let decide = ["resolve", path] + named.split(separator: " ").map(String.init) + ["--accept", "all"]
      let tried = Live.run(decide + ["--dry-run"])
      #expect(Live.run("list", path, "--find", "is:ready").output.isEmpty, "nothing is kept of it")
      let run = Live.run(decide)
      #expect(tried == run, "\(tried)")
      #expect(run.output.contains("→ \(Self.shed)  (server)") && run.errors.isEmpty, "\(run)")
      #expect(run.lines.filter { $0.hasPrefix(Self.wood) }.count == 1, "\(run)")
      #expect(named.isEmpty || run.status == .nothingLeft)
      let ready = Live.run("list", path, "--find", "is:ready").output
      #expect(ready.contains(Self.wood) && ready.contains(Self.shed), "\(ready)")
    }
  }

  @Test(
    "of a record that is decided as a whole, and points to nothing, those ways out are told that there are")
  func waysOut() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try loseTheGarden(in: path)
      let (list, tomatoes) = (
        Self.garden + ":remindersLists", "5eed0000-0000-4000-8000-000000000092:reminders"
      )
      let child = ["resolve", path, tomatoes, "--set", "record=server"]
      let ways = "Decide it otherwise: --set record=delete. Or "
      let beside = Live.run(child).errors
      #expect(
        beside.hasSuffix(" \(ways)decide first that what it points to comes back: \(list).\n"), "\(beside)")
      try AttackedStore.change(path) {
        try $0.execute(sql: "DELETE FROM parley_inbox WHERE recordName = ?", arguments: [list])
      }
      let alone = Live.run(child).errors
      #expect(
        alone.hasSuffix(" \(ways)leave it: once what it points to is here, parley write asks again.\n"),
        "\(alone)")
      let show = Live.run("show", path, tomatoes).output
      #expect(
        show.contains("  --set record=delete: ") && !show.contains("  --set record=accept"), "\(show)")
      // There is no way to put it elsewhere.
      let inbox = "remindersListID=5eed0000-0000-4000-8000-000000000001"
      #expect(Live.run("resolve", path, tomatoes, "--set", inbox, "--dry-run").status == .refused)
      let deleted = Live.run("resolve", path, tomatoes, "--set", "record=delete", "--dry-run")
      #expect(deleted.status == .nothingLeft && deleted.errors.isEmpty, "\(deleted)")
      try AttackedStore.change(path) {
        try $0.execute(
          sql: "INSERT INTO remindersLists (id, title) VALUES (?, 'Garden')", arguments: [Self.garden])
      }
      #expect(Live.run("write", path, tomatoes, "--dry-run").status == .nothingLeft)
    }
  }

  @Test("that what it points to is to come back is not told where that is decided, and refused itself")
  func besideOneThatIsRefused() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try loseTheGarden(in: path)
      try AttackedStore.change(path) {
        try $0.execute(sql: "INSERT INTO remindersLists (id, title) VALUES ('other', 'Garden')")
        try $0.execute(sql: "CREATE UNIQUE INDEX one ON remindersLists (title)")
      }
      let (list, tomatoes) = (Self.garden + ":remindersLists", "000000000092")
      let together = ["resolve", path, list, tomatoes, "--set", "record=server"]
      #expect(!Live.run(together + ["--dry-run"]).errors.contains("decide first"))
      #expect(!Live.run(together).errors.contains("decide first"))
      let child = Live.run("resolve", path, tomatoes, "--set", "record=server")
      #expect(child.errors.hasSuffix(" Decide it otherwise: --set record=delete.\n"), "\(child)")
      Live.run("resolve", path, list, "--forget")
      let alone = Live.run("resolve", path, tomatoes, "--set", "record=server").errors
      #expect(alone.hasSuffix(" decide first that what it points to comes back: \(list).\n"), "\(alone)")
    }
  }

  @Test("of what it points to it is told that a draft of that waits, where nothing can be decided of it")
  func besideOneThatWaits() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try loseTheGarden(in: path)
      try AttackedStore.change(path) { try $0.execute(sql: ParleyTables.outbox) }
      let list = Self.garden + ":remindersLists"
      Live.run("resolve", path, list, "--set", "record=server")
      #expect(Live.run("write", path, list, "--yes").output.hasPrefix("waiting for the app: \(list)"))
      let child = Live.run("resolve", path, "000000000092", "--set", "record=server").errors
      #expect(!child.contains("decide first"), "\(child)")
      #expect(child.hasSuffix(" A draft of what it points to waits for the app: \(list).\n"), "\(child)")
    }
  }

  @Test("what is only tried is asked about also where an app has left its -wal")
  func besideALeftWAL() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let app = try DatabaseQueue(path: path)
      try app.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; UPDATE reminders SET notes = 'Left' WHERE notes = ''")
        try db.execute(sql: "CREATE TABLE more (id INTEGER)")
      }
      try FileManager.default.copyItem(atPath: folder + "/demo", toPath: folder + "/left")
      try app.close()
      let left = folder + "/left" + path.dropFirst(folder.count + "/demo".count)
      #expect(FileStatus(path: left + "-wal").map { $0.size > 0 } == true)
      let run = Live.run("resolve", left, "000000000042", "--set", "record=server", "--dry-run")
      #expect(run.status == .nothingLeft && run.errors.isEmpty, "\(run)")
    }
  }

  /// Of two columns that are unique together the last is named, which need not be why.
  @Test("a way out is told though it has the value of the field that is named where another one may be why")
  func uniqueTogether() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let bread = "5eed0000-0000-4000-8000-000000000013:reminders"
      try AttackedStore.change(path) {
        let list = "SELECT remindersListID FROM reminders WHERE id = '\(bread.prefix(36))'"
        try $0.execute(
          sql: """
            UPDATE reminders SET title = 'Bread, rye', remindersListID = (\(list))
            WHERE id = (SELECT id FROM reminders WHERE id NOT IN (SELECT substr(recordName, 1, 36) FROM parley_inbox) LIMIT 1)
            """)
        try $0.execute(sql: "CREATE UNIQUE INDEX one ON reminders (title, remindersListID)")
      }
      let refused = Live.run("resolve", path, bread, "--set", "record=accept")
      #expect(refused.errors.hasSuffix(" Decide it otherwise: parley show tells the ways.\n"), "\(refused)")
      #expect(Live.run("show", path, bread).output.contains("--set record=keep"))
    }
  }

  /// The server has left it in the list that is gone here.
  @Test("a record that goes to a list which is decided to come back is ready for as long as that is")
  func movedBesideItsParent() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try loseTheGarden(in: path)
      let list = Self.garden + ":remindersLists"
      let plants = "5eed0000-0000-4000-8000-000000000024:reminders"
      let moved = ["resolve", path, plants, "--accept", "all", "--set", "remindersListID=server"]
      #expect(Live.run(moved).status == .refused)
      #expect(Live.run("resolve", path, plants, "--set", "record=accept").status == .refused)
      #expect(Live.run("list", path, "--find", "is:refused").lines.count == 1)
      #expect(Live.run("resolve", path, list, "--set", "record=server").status == .nothingLeft)
      #expect(Live.run("list", path, "--find", "is:refused").output.isEmpty)
      for decide in [moved, ["resolve", path, plants, "--set", "record=accept"]] {
        let run = Live.run(decide)
        #expect(run.status == .nothingLeft && run.errors.isEmpty, "\(run)")
        #expect(Live.run("show", path, plants).output.contains("ready: all is decided"))
        #expect(Live.run("list", path, "--find", "is:ready").lines.count == 2)
        #expect(Live.run("write", path, "--dry-run").output.contains("→ \(Self.garden)  (server)"))
      }
      // Both in one command, and with both only tried.
      Live.run("resolve", path, list, plants, "--forget")
      for options in [["--dry-run"], []] {
        let together = Live.run(["resolve", path, plants, list, "--set", "record=accept"] + options)
        #expect(together.status == .nothingLeft && together.errors.isEmpty, "\(together)")
      }
      Live.run("resolve", path, list, "--forget")
      let alone = Live.run("show", path, plants).output
      #expect(alone.contains("refused: remindersListID: there is no record"), "\(alone)")
      #expect(Live.run("list", path, "--find", "is:ready").output.isEmpty)
    }
  }
}
