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
}
