import Foundation
import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("import")
struct ImportCommandTests {
  private let full: ImportSummary = {
    var summary = ImportSummary()
    for entry in [
      ImportSummary.Unreadable(file: "a\u{1B}.json", place: "line 3, column 17", reason: "no base64"),
      ImportSummary.Unreadable(file: "b", place: nil, reason: "it is empty"),
      ImportSummary.Unreadable(
        file: "c", place: nil, record: "1:reminders", title: "Milk", reason: "no fields"),
    ] {
      summary.add(entry)
    }
    (summary.new, summary.deleted, summary.unchanged, summary.older) = (2, 1, 40, 3)
    (summary.withoutArchive, summary.inAppInbox) = (1, 2)
    summary.unknownTables = ["tags": 1, "boards": 2]
    return summary
  }()

  private func session(_ summary: ImportSummary) -> Session {
    Session(store: WatchedStore([Samples.dentist], summary: summary))
  }

  @Test("Everything that became of the records is told, and what could not be read is refused")
  func plain() {
    let run = session(full).run("import a.sqlite a.json b")
    #expect(run.status == .refused)
    #expect(
      run.lines == [
        "2 new, 1 deleted, 40 unchanged, 3 older than what is here, 3 of unknown tables, 3 unreadable",
        "Unknown tables: boards 2, tags 1. A newer version of the app may have them.",
        "2 went into the app's inbox.", "1 went into the journal.",
        "1 came as JSON, without the server's archive: it can be decided and written, but the ancestor is not advanced.",
        "Unreadable: a␛.json, line 3, column 17: no base64", "Unreadable: b: it is empty",
        "Unreadable: c, 1:reminders (Milk): no fields",
        "See them: parley list a.sqlite",
      ])
  }

  @Test("An import that was interrupted is finished by the next, and by nobody else")
  func interrupted() throws {
    try withTemporaryFolder { folder in
      let command = FaultyCommand(kind: .sqlitedata, mode: "delete", act: .importing, number: 0)
      let path = try command.make(in: folder)
      let arguments = command.arguments(path, in: folder)
      Live.run(arguments)
      let journal = try #require(AttackedStore.files(in: folder, ".parley.sqlite").first)
      try AttackedStore.change(journal) { try $0.execute(sql: "DELETE FROM receipts") }
      try AttackedStore.change(path) { try $0.execute(sql: "DELETE FROM parley_inbox") }
      let again = Live.run(arguments)
      #expect(
        again.output.hasPrefix("23 new") && again.errors.contains("23 are not changed by it"), "\(again)")
      #expect(!Live.run("doctor", path, "--json").output.contains("interrupted:"))
      #expect(!Live.run("write", path, "--yes").errors.contains("somebody else"))
    }
  }

  @Test("How far it is shows on a terminal only, and is gone at the end")
  func progress() {
    var session = session(ImportSummary())
    #expect(session.run("import a.sqlite x/a.json").errors.isEmpty)
    session.isWatched = true
    #expect(
      session.run("import a.sqlite x/a.json").errors
        == "\rreading a.json    \rreading a.json\rreading a.json: 1500 records    \rreading a.json: 1500 records\r"
        + String(repeating: " ", count: 32) + "\r",
      "with what a terminal shows of Ctrl-C, twice")
  }

  @Test("A rehearsal says what would be, and that nothing was changed")
  func rehearsal() {
    var summary = ImportSummary()
    (summary.new, summary.inAppInbox) = (1, 1)
    let run = session(summary).run("import a.sqlite a.json --dry-run")
    #expect(
      run
        == Run(
          status: .nothingLeft,
          output: "1 new\n1 would go into the app's inbox.\nNothing was changed.\n", errors: ""))
  }

  @Test("What is known already is nothing to do, and no records are said to be none")
  func nothing() {
    var summary = ImportSummary()
    summary.unchanged = 4
    #expect(
      session(summary).run("import a b") == Run(status: .nothingLeft, output: "4 unchanged\n", errors: ""))
    #expect(session(ImportSummary()).run("import a b").lines == ["The files hold no server records."])
  }

  @Test("A record of an unknown table was not taken: a script hears of it, too")
  func unknownTable() {
    var summary = ImportSummary()
    (summary.new, summary.inAppInbox, summary.unknownTables) = (1, 1, ["boards": 1])
    for options in ["", " --json", " --dry-run"] {
      #expect(session(summary).run("import a.sqlite a.json" + options).status == .refused, "\(options)")
    }
  }

  @Test("--json has every count and place")
  func json() {
    let run = session(full).run("import a.sqlite a.json b --json")
    #expect(run.status == .refused)
    #expect(
      run.output == """
        {"new":2,"deleted":1,"unchanged":40,"older":3,"unknownTables":{"boards":2,"tags":1},"withoutArchive":1,\
        "timesAhead":0,"appInbox":2,"journal":1,"dryRun":false,"unreadable":[{"file":"a\\u001b.json","place":"line 3, column 17",\
        "reason":"no base64"},{"file":"b","place":null,"reason":"it is empty"},\
        {"file":"c","place":null,"reason":"no fields","record":"1:reminders","title":"Milk"}],"moreUnreadable":0}

        """)
  }

  @Test("Files must be named, and be there")
  func usage() throws {
    #expect(Session().run("import a.sqlite").status == .usage)
    try withTemporaryFolder { folder in
      let path = try made(folder + "/demo")
      let run = Live.run("import", path, folder + "/none.json")
      #expect(run.status == .cannotOpen && run.errors.contains("There is no file \(folder)/none.json."))
    }
  }

  @Test("A store that takes in nothing says so")
  func otherStores() {
    let run = Session().run("import a b")
    #expect(run.status == .usage)
    #expect(
      run.errors
        == "parley: A store of the kind memory takes in no server records from files. Give a SQLiteData database.\n"
    )
  }

  @Test("What comes on standard input is taken as a file's, and called so")
  func standardInput() throws {
    try withTemporaryFolder { folder in
      let path = try made(folder + "/demo")
      let record = """
        {"recordName": "5eed0000-0000-4000-8000-000000000101:reminders", "recordType": "reminders",
          "recordChangeTag": "z9", "fields": {"title": {"value": "Feed the cats", "type": "STRING"}}}
        """
      #expect(Live.run(["import", path, "-"], input: record).status == .nothingLeft)
      #expect(Live.run("list", path).output.contains("Feed the cat"))
      let bad = Live.run(["import", path, "-"], input: "nonsense")
      #expect(bad.status == .refused && bad.output.contains("Unreadable: standard input: it is no archived"))
    }
  }

  private func made(_ folder: String) throws -> String {
    Live.run("demo", "--write", folder).output.trimmingCharacters(in: .newlines)
  }

  @Test("What came as JSON is listed, shown with what is missing, decided, written and undone")
  func cycle() throws {
    try withTemporaryFolder { folder in
      let path = try made(folder + "/demo")
      let id = "5eed0000-0000-4000-8000-000000000101:reminders"
      let json = """
        {"records": [{"recordName": "\(id)", "recordType": "reminders", "recordChangeTag": "z9",
          "fields": {"title": {"value": "Feed the cats", "type": "STRING"}}}]}
        """
      try ParleyTests.write(json, to: folder + "/export")
      let before = Live.run("list", path).output
      #expect(Live.run("import", path, folder + "/export", "--dry-run").status == .nothingLeft)
      #expect(Live.run("list", path).output == before)
      #expect(Live.run("import", path, folder + "/export").status == .nothingLeft)
      let listed = Live.run("list", path).output
      #expect(listed.contains("Feed the cat"))

      let shown = Live.run("show", path, id).output
      #expect(shown.contains("note: it was imported from JSON, without the server's archive"))
      let refused = Live.run("resolve", path, id, "--set", "title=ancestor")
      #expect(refused.status == .refused && refused.errors.contains("without the server's archive"))

      #expect(Live.run("resolve", path, id, "--set", "title=server").status == .nothingLeft)
      #expect(Live.run("write", path, id, "--yes").status == .nothingLeft)
      #expect(Live.run("list", path).output == before)
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(Live.run("list", path).output.contains("Feed the cat"))
    }
  }
}
