import Merging
import TerminalTestSupport

@testable import Samples
@testable import StoreInterface

/// The demo store as tests use it.
enum Demo {
  /// 2026-11-20 13:00 UTC, in nanoseconds since 1970.
  static let now: Int64 = 1_795_179_600_000_000_000

  /// Made once, as most tests begin with a copy of one.
  private static let made = MadeStore { try DemoStore.make(in: $0, now: now) }
  private static let datastore = MadeStore { try CloudantDemoStore.make(in: $0, now: now) }
  private static let android = MadeStore { try CloudantDemoStore.make(in: $0, now: now, isAndroid: true) }

  /// Puts the demo store into `folder`, and returns the path of its app database.
  static func make(in folder: TestFolder) throws -> String { try made.copy(to: folder.path) }

  /// The same with the demo datastore.
  static func makeDatastore(in folder: TestFolder, isAndroid: Bool = false) throws -> String {
    try (isAndroid ? android : datastore).copy(to: folder.path)
  }

  static func key(_ number: Int) -> String {
    "5eed0000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
  }

  static func reminder(_ number: Int) -> String { key(number) + ":reminders" }
}

/// All summaries of a walk, a few at a time.
func summaries(of store: any ConflictStore, limit: Int = 7) throws -> [ConflictSummary] {
  let walk = store.conflicts()
  var summaries: [ConflictSummary] = []
  while let page = try walk.next(limit: limit) { summaries += page.summaries }
  return summaries
}

func conflicts(of store: any ConflictStore, limit: Int) throws -> [RecordConflict] {
  let walk = store.conflicts()
  var conflicts: [RecordConflict] = []
  while let page = try walk.nextConflicts(limit: limit, of: store) { conflicts += page }
  return conflicts
}

func findings(of store: any ConflictStore, limit: Int = 7) throws -> [Finding] {
  let walk = store.findings()
  var findings: [Finding] = []
  while let page = try walk.next(limit: limit) { findings += page }
  return findings
}

/// What would be written if every suggestion were accepted, and `choices` for what is named there.
func plan(
  _ id: String, in store: any ConflictStore, _ choices: [Subject: Choice] = [:]
) throws -> PlannedWrite? {
  let conflict = try store.conflict(id)
  let resolution = conflict.accepting(.yours, in: Resolution(choices: choices))
  return conflict.draft(resolution).map { PlannedWrite(seen: conflict, draft: $0) }
}

/// A draft that the model would not let anybody choose, to see that the store refuses it as well.
func forced(
  _ id: String, _ field: String, _ value: Value, in store: any ConflictStore
) throws -> PlannedWrite {
  let draft = Draft(id: id, action: .save([FieldDraft(name: field, value: value, source: .server)]))
  return PlannedWrite(seen: try store.conflict(id), draft: draft)
}
