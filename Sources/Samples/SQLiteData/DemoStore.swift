/// A store to look at: a reminders app with one conflict of every sort, and records stuck in most ways there are.
///
/// It is a real store, made file by file as SQLiteData would leave it. All times are told from `now`, so the desk shows
/// "4m ago" whenever the demo runs.
package enum DemoStore {
  /// - Parameter now: nanoseconds since 1970.
  /// - Returns: the path of the app's database.
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if a store is there already.
  package static func make(in folder: String, now: Int64) throws -> String {
    let builder = try StoreBuilder(
      folder: folder, name: "Reminders.sqlite", container: "iCloud.com.example.Reminders", tables: tables)
    let samples = DemoSamples(now: now)
    try builder.write { db in
      for sample in samples.settled + samples.stuck { try builder.add(sample, table(sample.table), in: db) }
      try builder.addIncoming(samples.superseded, table("reminders"), in: db)
      // The list shows the newest first: the last one that is put in.
      for sample in samples.conflicts.reversed() { try builder.add(sample, table(sample.table), in: db) }
      try builder.addUnsynced(samples.orphan, in: db)
      try builder.addPending(StoreBuilder.damaged, in: db)
    }
    try builder.close()
    return builder.database
  }

  static func table(_ name: String) -> SampleTable {
    sampleTables.first { $0.name == name } ?? SampleTable(name: name, columns: ["id", "title"])
  }

  private static let sampleTables = [
    SampleTable(name: "remindersLists", columns: ["id", "title", "color", "position"]),
    SampleTable(
      name: "reminders",
      columns: [
        "id", "title", "notes", "dueDate", "isCompleted", "priority", "estimate", "cover", "remindersListID",
      ],
      dates: ["dueDate"], parent: ("remindersListID", "remindersLists")),
    SampleTable(name: "tags", columns: ["title", "uses"]),
    SampleTable(name: "mergeModels", columns: ["id", "title"] + (1...7).map { "field\($0)" }),
  ]

  private static let tables: [(name: String, sql: String)] = [
    (
      "remindersLists",
      """
      CREATE TABLE "remindersLists" (
        "id" TEXT NOT NULL PRIMARY KEY,
        "title" TEXT NOT NULL DEFAULT '',
        "color" INTEGER NOT NULL DEFAULT 4889071,
        "position" INTEGER NOT NULL DEFAULT 0
      ) STRICT
      """
    ),
    (
      "reminders",
      """
      CREATE TABLE "reminders" (
        "id" TEXT NOT NULL PRIMARY KEY,
        "title" TEXT NOT NULL DEFAULT '',
        "notes" TEXT,
        "dueDate" TEXT,
        "isCompleted" INTEGER NOT NULL DEFAULT 0,
        "priority" INTEGER,
        "estimate" REAL,
        "cover" BLOB,
        "remindersListID" TEXT NOT NULL REFERENCES "remindersLists"("id") ON DELETE CASCADE,
        "titleLength" INTEGER GENERATED ALWAYS AS (length("title")) VIRTUAL
      ) STRICT
      """
    ),
    (
      "tags",
      """
      CREATE TABLE "tags" (
        "title" TEXT NOT NULL PRIMARY KEY,
        "uses" INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID
      """
    ),
    (
      "mergeModels",
      """
      CREATE TABLE "mergeModels" (
        "id" TEXT NOT NULL PRIMARY KEY,
        "title" TEXT NOT NULL DEFAULT '',
      \((1...7).map { "  \"field\($0)\" TEXT NOT NULL DEFAULT ''" }.joined(separator: ",\n"))
      ) STRICT
      """
    ),
  ]
}
