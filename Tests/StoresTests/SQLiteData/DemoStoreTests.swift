import Merging
import Telling
import Testing

@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

struct DemoStoreTests {
  let folder: TestFolder
  let store: SQLiteDataStore

  init() throws {
    folder = try TestFolder()
    store = try SQLiteDataStore.open(path: try DemoStore.make(in: folder.path, now: Demo.now))
  }

  @Test func everySortOfConflictIsListedFromTheNewest() throws {
    let lines = try summaries(of: store).map { summary in
      "\(summary.certainty) \(summary.kind) \(summary.table) \(summary.title): \(Privacy.open.why(summary.why))"
    }
    #expect(
      lines == [
        "yours edit reminders Call dentist today: remindersListID: same time",
        "yours edit reminders Rotate garden beds: dueDate: same time",
        "yours edit remindersLists Groceries: color: same time",
        "yours deletedOnServer reminders Old invoice, paid: deleted on the server, edited on the client",
        "yours deletedOnClient reminders Water the tomatoes: deleted on the client, edited on the server",
        "yours noAncestor reminders Trip plan: 2 fields, no ancestor, server newer",
        "byClock edit reminders Coffee: priority: server newer by 30m 00s",
        "byClock edit reminders Paint the fence: 2 fields, client newer",
        "sure edit reminders Milk 2%: 2 fields, no clash",
        "sure edit reminders Bread: title: only server changed",
        "sure edit reminders Water plants: title: client and server agree",
        "byClock edit reminders Spare keys: notes: server newer by 5m 00s",
        "byClock edit reminders 買い物リスト 🛒: title: server newer by 5m 00s",
        "byClock edit reminders Caf\u{E9}: title: server newer by 3m 00s",
        "byClock edit reminders Pasted \u{1B}[31mred\u{7} text: title: server newer by 3m 00s",
        "yours edit reminders Garden poster: cover: the server's bytes are not here",
        "sure edit reminders Count the stars: 2 fields, no clash",
        "byClock edit reminders Letter to the landlord: notes: server newer by 5m 00s",
        "yours edit mergeModels The seven fields of a merge: field6: same time",
        "sure edit reminders Pay rent!: 2 fields, no clash",
        "yours noAncestor reminders Piano lesson: notes: no ancestor, server newer",
        "yours edit reminders Ask about insurance: server not known",
        "yours edit reminders Buy wood for the shed: remindersListID: points to nothing here",
        "yours edit reminders Call the plumber again: title: would be NULL, and must have a value",
        "byClock edit tags urgent: uses: server newer by 5m 00s",
      ])
  }

  /// Of what the table has no column for nobody can decide; but it is not gone, and `doctor` says so.
  @Test func whatCameInAboutAColumnThatIsGoneWaitsUntilItIsThereAgain() throws {
    let isListed = { try summaries(of: store).contains { $0.title == "Spare keys" } }
    let files = try StoreFilesInspector(store.info.path)
    try files.run("ALTER TABLE reminders RENAME COLUMN notes TO memo")
    #expect(try !isListed())
    let told = try findings(of: store).first { $0.what == "schema changed" }
    #expect(told?.remedy.contains("a column that is gone is in no list, and stays where it waits") == true)
    try files.run("ALTER TABLE reminders RENAME COLUMN memo TO notes")
    #expect(try isListed())
  }

  /// By the keys of the tables: a list with its reminders, from each of them, and who has none has none.
  @Test func aListAndItsRemindersAreAFamily() throws {
    let ids = try summaries(of: store).map(\.id)
    let list = try #require(ids.first { $0.hasSuffix(":remindersLists") })
    let key = String(list.prefix { $0 != ":" })
    let children = try ids.filter { id in
      let field = try store.conflict(id)["remindersListID"]
      return Side.allCases.contains { field?.version($0)?.value == .text(key) }
    }
    let family = try store.family(of: list)
    #expect(!children.isEmpty && family.map(\.id) == children)
    for child in family {
      #expect(child == Relative(id: child.id, kind: .child, of: list, field: "remindersListID"))
      #expect(try Set(store.family(of: child.id).map(\.id)) == Set([list] + children).subtracting([child.id]))
    }
    let tag = try #require(ids.first { $0.hasSuffix(":tags") })
    #expect(try store.family(of: tag).isEmpty)
  }

  @Test func theSevenFieldsAreTheModels() throws {
    let conflict = try store.conflict("\(Demo.key(7)):mergeModels")
    let table = (1...7).compactMap { conflict["field\($0)"] }.map { field in
      "\(field.change) \(field.suggestion.source?.rawValue ?? "-")"
    }
    #expect(
      table == [
        "unchanged -", "onlyClient client", "onlyServer server", "different server", "different client",
        "different client", "same both",
      ])
  }

  @Test func recordsAreStuckInEveryWay() throws {
    let lines = try findings(of: store).map { "\($0.what): \($0.title)" }
    #expect(
      lines == [
        "undecodable pending change: pending change 4",
        "waiting for its parent: \(Demo.key(299))",
        "never uploaded: Invoice March", "edit never sent: Book the campsite",
        "waiting for upload: Renew library card", "delete waiting: Broken lamp",
        "ancestor unreadable: Season tickets", "ancestor without fields: Thank-you cards",
        "no row: Lost umbrella", "unknown table: Kitchen board", "delete waiting: Water the tomatoes",
      ])
  }

  /// Each record once, however few a page has.
  @Test(arguments: [4, 500]) func aWalkOfTheFindingsTellsHowManyRecordsItHasLookedAt(limit: Int) throws {
    let files = try StoreFilesInspector(folder.path("Reminders.sqlite"))
    let walk = store.findings()
    while try walk.next(limit: limit) != nil {}
    #expect(
      try files.value("SELECT count(*) FROM sqlitedata_icloud_metadata") == .integer(Int64(walk.looked)))
  }

  @Test func bothFilesAreInWALModeAndComplete() throws {
    let names = try folder.contents().keys.sorted()
    #expect(names == [".Reminders.metadata-iCloud.com.example.Reminders.sqlite", "Reminders.sqlite"])
    #expect(try folder.contents().values.allSatisfy { $0[18] == 2 && $0[19] == 2 })
  }

  @Test func itIsNeverMadeOverAnotherStore() throws {
    #expect(
      throws: StoreError.writeFailed(path: folder.path("Reminders.sqlite"), detail: "it is already there")
    ) {
      try DemoStore.make(in: folder.path, now: Demo.now)
    }
  }
}
