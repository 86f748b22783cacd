import Merging
import StoreInterface
import Testing

@testable import parley

/// What `list --find` lists is shown, decided and written in one command.
@Suite("show, resolve and write --find") struct FoundRecordsTests {
  @Test(
    "decides what list would list, and nothing else",
    arguments: [
      ("is:sure", ["M2"]), ("field:prio", ["D1", "M2"]), ("table:remind milk", ["M2"]), ("zebra", []),
    ])
  func found(words: String, keys: [String]) {
    for decision in [["--accept", "sure"], ["--set", "priority=server"]] {
      let session = Session()
      let run = session.run(["resolve", "a.sqlite", "--find", words] + decision)
      #expect(session.store.decisions.map(\.id) == keys.map { "\($0):reminders" }, "\(run)")
      #expect(session.store.decisions.allSatisfy { $0.choice == .take(.server) })
    }
  }

  @Test(
    "what is found is decided, told and asked about as if it were named",
    arguments: [
      "resolve a.sqlite D1 --accept all", "resolve a.sqlite D1 --accept clock --dry-run --json",
      "resolve a.sqlite D1 --set title=client --note why", "resolve a.sqlite D1 --forget",
      "resolve a.sqlite D1 --export", "show a.sqlite D1", "show a.sqlite D1 --json --redact",
      "write a.sqlite D1 --dry-run", "write a.sqlite D1 --yes",
    ])
  func asNamed(command: String) {
    func run(_ command: String) -> (Run, [Decision]) {
      let session = Session()
      _ = session.run("resolve a.sqlite D1 M2 --accept all")
      _ = session.run("resolve a.sqlite D1 --set priority=client")
      return (session.run(command), session.store.decisions)
    }
    let (named, found) = (run(command), run(command.replacing("D1", with: "--find dentist")))
    #expect(found == named)
  }

  @Test("the whole record is decided for one side of all that is found, as it is listed")
  func whole() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      func ids(_ arguments: String...) throws -> [String] {
        try Live.run([arguments[0], path] + arguments.dropFirst() + ["--json"]).objects()
          .compactMap { $0["id"] as? String }
      }
      let listed = try ids("list", "--find", "is:clock table:rem")
      let decided = try ids("resolve", "--find", "is:clock table:rem", "--set", "record=server")
      #expect(listed.count > 3 && decided == listed, "\(decided)")
      #expect(try ids("list", "--find", "is:ready") == listed)
    }
  }

  @Test("what one of those that are found refuses is decided of none")
  func together() {
    let session = Session()
    let run = session.run(["resolve", "a.sqlite", "--find", "remind", "--set", "record=server"])
    #expect(run.status == .usage && run.errors.contains("D1:reminders"), "\(run)")
    #expect(session.store.decisions.isEmpty)
    _ = session.run(["resolve", "a.sqlite", "--find", "kind:deleted", "--set", "record=server"])
    #expect(session.store.decisions.map(\.id) == ["I3:reminders"])
  }

  @Test("writes only what is ready of it")
  func write() {
    let session = Session()
    _ = session.run("resolve a.sqlite D1 M2 --accept all")
    let run = session.run(["write", "a.sqlite", "--find", "is:ready milk", "--yes"])
    #expect(run.status == .nothingLeft && run.lines.first == "written: M2:reminders  Milk", "\(run)")
    #expect(session.store.writtenDrafts.map(\.id) == ["M2:reminders"])
  }

  @Test(
    "tells that none is found, and ends as list does",
    arguments: ["show", "resolve --accept all", "resolve --set title=server", "resolve --forget", "write"])
  func none(command: String) {
    let words = command.split(separator: " ").map(String.init)
    let session = Session()
    let run = session.run([words[0], "a.sqlite", "--find", "zebra"] + words.dropFirst())
    #expect(run.status == .nothingLeft && session.store.decisions.isEmpty)
    #expect(run.errors == "parley: No conflict matches “zebra”; 3 in all.\n")
    let told = [
      "write": "Nothing to write: none was found.\n",
      "resolve --forget": "There was no decision to take back.\n",
    ]
    #expect(run.output == told[command] ?? "")
    let waiting = session.run([words[0], "a.sqlite", "--find", "is:waiting"] + words.dropFirst())
    #expect(waiting.errors.contains("No draft waits. What else waits is no conflict."), "\(waiting)")
  }

  @Test(
    "words that would leave nothing out decide nothing",
    arguments: [
      ([""], "--find needs words. All are meant without it."), ([" "], "--find needs words."),
      (["\"\""], "--find needs words."),
      (["is:decide table:"], "--find: nothing stands behind table:, so it would leave nothing out."),
      (["is:bogus"], "--find: there is no is:bogus; after "), (["is:stuck"], "See it: parley doctor "),
      (["milk", "D1"], "--find goes without the names of records"),
      (["milk", "--find", "dentist"], "--find can be given once"),
    ])
  func refused(words: [String], told: String) {
    for command in [
      ["resolve", "--accept", "all"], ["resolve", "--set", "title=server"], ["write"], ["show"],
    ] {
      let session = Session()
      let run = session.run([command[0], "a.sqlite", "--find"] + words + command.dropFirst())
      #expect(run.status == .usage && run.errors.contains(told), "\(run.errors)")
      #expect(session.store.decisions.isEmpty)
    }
  }

  @Test("takes the families of what is found, too")
  func family() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let rehearse = ["--family", "--accept", "all", "--dry-run"]
      let named = Live.run(["resolve", path, "Groceries"] + rehearse)
      let found = Live.run(["resolve", path, "--find", "table:remindersLists groceries"] + rehearse)
      #expect(found == named && named.output.contains("points to Groceries"), "\(found)")
    }
  }
}
