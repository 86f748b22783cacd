import GRDB
import Testing

@testable import parley

@Suite("A dry run")
struct DryRunTests {
  typealias Family = RefusedDraftTests

  /// What the run says but for what it keeps.
  private func told(by run: Run) -> String {
    run.errors.replacing(", which is kept all the same", with: "")
  }

  @Test(
    "of resolve tells of a child what the run does where the parent that comes back is refused by a rule of its table",
    arguments: [
      "\(Family.wood) \(Family.shed):remindersLists", "\(Family.shed):remindersLists \(Family.wood)",
      "\(Family.wood) --family",
    ])
  func theParentIsRefused(_ named: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try Family().bringInTheShed(in: path)
      try AttackedStore.change(path) {
        try $0.execute(sql: "CREATE UNIQUE INDEX one ON remindersLists (title)")
      }
      let decide = ["resolve", path] + named.split(separator: " ").map(String.init) + ["--accept", "all"]
      let tried = Live.run(decide + ["--dry-run"])
      let run = Live.run(decide)
      #expect(tried.output == run.output && tried.status == run.status, "\(tried), \(run)")
      #expect(tried.errors == told(by: run), "\(tried), \(run)")
      #expect(run.output.contains("undecided: remindersListID"), "\(run)")
      #expect(run.errors.contains("UNIQUE") && !run.errors.contains(Family.noShed), "\(run)")
    }
  }

  /// Here it is decided that the list comes back; by the file it stays deleted, and a reminder goes there all the same.
  @Test("of apply tells of a child what the run does where the file takes back that its parent comes back")
  func theParentIsTakenBack() throws {
    try withTemporaryFolder { folder in
      let (path, copy) = (
        try SampleStores.make(in: folder + "/demo"), try SampleStores.make(in: folder + "/copy")
      )
      for store in [path, copy] { try Family().loseTheGarden(in: store) }
      let (list, plants) = (Family.garden + ":remindersLists", "000000000024:reminders")
      Live.run("resolve", path, list, "--set", "record=server")
      Live.run("resolve", path, plants, "--accept", "all", "--set", "remindersListID=server")
      Live.run("resolve", path, list, "--set", "record=delete")
      try write(Live.run("resolve", path, "--export").output, to: folder + "/lines")
      #expect(Live.run("resolve", copy, list, "--set", "record=server").status == .nothingLeft)
      let tried = Live.run("apply", copy, folder + "/lines", "--dry-run")
      let run = Live.run("apply", copy, folder + "/lines")
      #expect(run.status == .refused && run.errors.contains(plants), "\(run)")
      #expect(tried.status == .refused && tried.errors == told(by: run), "\(tried), \(run)")
    }
  }

  /// Between the two lie more lines than are taken at a time, and one of them comes twice.
  @Test(
    "of apply counts what is decided, as before and open as the run does, also where lines about a record lie far apart"
  )
  func farApart() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let copy = try SampleStores.make(in: folder + "/copy")
      Live.run("resolve", path, "000000000042", "000000000012", "--accept", "all")
      let lines = Live.run("resolve", path, "--export").lines
      let dentist = lines.filter { $0.contains("042:reminders") }
      let milk = try #require(lines.first { $0.contains("012:reminders") })
      #expect(dentist.count > 1)
      let all = [dentist[0]] + Array(repeating: milk, count: 600) + Array(dentist.dropFirst()) + [milk]
      try write(all.joined(separator: "\n"), to: folder + "/lines")
      let tried = Live.run("apply", copy, folder + "/lines", "--dry-run").lines.last ?? ""
      let run = Live.run("apply", copy, folder + "/lines").lines.last ?? ""
      #expect(run.hasPrefix("\(dentist.count + 1) decided, 600 as before. "), "\(run)")
      #expect(tried.replacing("would be decided", with: "decided") == run, "\(tried)")
    }
  }
}
