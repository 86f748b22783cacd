import Foundation
import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("Confirming")
struct ConfirmingTests {
  private static let commands = [
    "write": ["write", "my notes.sqlite", "M2"], "undo": ["undo", "my notes.sqlite"],
    "doctor": ["doctor", "my notes.sqlite", "edit-1", "--mend"],
  ]
  /// A value for every option that takes one.
  private static let values = [
    "metadata": "the other.sqlite", "tie": "server", "note": "it's for ticket 7", "queue": "3",
    "ca": "authorities.pem", "ancestors": "replica", "ancestor": "replica", "index": "index.json",
    "copy": "a copy", "find": "milk",
    "log": "calls.log",
  ]
  /// What confirms, what shows and never asks, and the parser's own; and what goes with the id of such a finding alone, which has a test
  /// of its own.
  private static let others: Set<String> = [
    "yes", "dry-run", "sql", "redact", "mend", "help", "version", "take",
  ]

  @Test(
    "--yes says in the help what it does",
    arguments: [("write", "Write."), ("undo", "Take it back."), ("doctor", "Mend.")])
  func help(command: String, words: String) {
    let run = Session().run("help \(command)")
    let line = run.lines.first { $0.hasPrefix("  --yes ") }
    #expect(line?.hasSuffix("  \(words)") == true, "\(run.output)")
  }

  /// With a write to take back, one that can be written, and findings.
  private func session(_ command: String) -> Session {
    let findings = ["edit-1", "edit-2", "never-1"].map {
      Finding(
        id: $0, table: "reminders", record: $0, title: $0, what: "stuck", evidence: "it is", cause: "why",
        remedy: "mend it", canBeMended: "it is mended")
    }
    let session = Session(store: WatchedStore([Samples.milk, Samples.dentist], findings: findings))
    _ = session.run("resolve a.sqlite --accept all")
    if command == "undo" { _ = session.run("write a.sqlite --yes") }
    return session
  }

  @Test(
    "what is offered for confirming is the command that was given with all its options, and --yes",
    arguments: ["write", "undo", "doctor"])
  func everyOption(command: String) throws {
    let given = try #require(ConfirmingTests.commands[command])
    for option in try ConfirmingTests.options(of: command) where !ConfirmingTests.others.contains(option.name)
    {
      let value = try option.isFlag ? [] : [#require(ConfirmingTests.values[option.name], "\(option.name)")]
      // It stands in the place of names.
      let given = option.name == "find" ? Array(given.dropLast()) : given
      try expectOffer(given + ["--" + option.name] + value, given + ["--" + option.name] + value + ["--yes"])
    }
  }

  @Test("records and findings are named as they were given, and --yes stands before what is no option")
  func names() throws {
    try expectOffer(["undo", "a.sqlite", "M2", "D1:rem"], ["undo", "a.sqlite", "M2", "D1:rem", "--yes"])
    try expectOffer(
      ["doctor", "a.sqlite", "edit-2", "never", "--mend"],
      ["doctor", "a.sqlite", "edit-2", "never", "--mend", "--yes"])
    try expectOffer(
      ["write", "a.sqlite", "--note", "x", "--", "M2"],
      ["write", "a.sqlite", "--note", "x", "--yes", "--", "M2"])
  }

  @Test("where nothing that was named can be mended nobody is asked for --yes")
  func nothingToMend() {
    let finding = Finding(
      id: "odd-1", table: "reminders", record: "1", title: "x", what: "odd", evidence: "it is", cause: "why",
      remedy: "look at it")
    let run = Session(store: WatchedStore([], findings: [finding])).run("doctor a.sqlite odd-1 --mend")
    #expect(run.status == .left && run.errors.isEmpty)
    #expect(run.output.contains("1 finding; none that Parley can mend."))
  }

  @Test(
    "a finding in which a side loses an edit is counted as one that can be mended, once it is named",
    arguments: [
      (
        "doctor a.sqlite",
        "1 finding; Parley can mend it if named, as something would be given up: ID --mend.",
        "mend does  it is deleted. Done only if this finding is named.\n"
      ),
      ("doctor a.sqlite won-1", "1 finding; Parley can mend it: --mend.", "mend does  it is deleted\n"),
    ])
  func takesSide(arguments: String, words: String, mending: String) {
    let finding = Finding(
      id: "won-1", table: "reminders", record: "1", title: "x", what: "an edit won", evidence: "it is",
      cause: "why", remedy: "look at it", canBeMended: "it is deleted", takesSide: true)
    let run = Session(store: WatchedStore([], findings: [finding])).run(arguments)
    #expect(run.lines.last == words && run.output.contains(mending), "\(run)")
  }

  @Test("the server's side of a finding is taken only where it is asked for by its id")
  func takesServer() {
    var finding = Finding(
      id: "same-time:1:reminders", table: "reminders", record: "1", title: "x", what: "same time",
      evidence: "it is",
      cause: "why", remedy: "look at it", canBeMended: "it is sent", takesSide: true)
    let taking = "doctor a.sqlite same-time:1:reminders --mend --take server"
    let refused = Session(store: WatchedStore([], findings: [finding])).run(taking)
    #expect(refused.errors.contains("Of same-time:1:reminders no server's side can be taken."), "\(refused)")
    finding.takesServer = "the row takes it"
    let run = Session(store: WatchedStore([], findings: [finding])).run(taking)
    #expect(
      run.output.contains("mend does  the row takes it") && run.errors.contains("--take server --yes"),
      "\(run)")
    // What is confirmed is what was seen, as it is where the client's side is kept.
    #expect(run.errors.contains("doctor a.sqlite \(finding.idAsSeen) --mend --take server --yes"), "\(run)")
    var moved = finding
    moved.shown = "it is otherwise"
    let late = Session(store: WatchedStore([], findings: [moved])).run(
      "doctor a.sqlite \(finding.idAsSeen) --mend --take server --yes")
    #expect(late.errors.contains("is not what was shown any more"), "\(late)")
    let shown = Session(store: WatchedStore([], findings: [finding])).run("doctor a.sqlite").output
    #expect(shown.contains("or server  the row takes it --take server"), "\(shown)")
    let all = Session(store: WatchedStore([], findings: [finding])).run(
      "doctor a.sqlite --mend --take server")
    #expect(all.status == .usage && all.errors.contains("--take goes with --mend and the ids of findings"))
  }

  @Test("what is mended only if it is named is told where nothing else is mended")
  func onlyByName() {
    let finding = Finding(
      id: "won-1", table: "reminders", record: "1", title: "x", what: "an edit won", evidence: "it is",
      cause: "why", remedy: "look at it", canBeMended: "it is deleted", takesSide: true)
    for arguments in ["doctor a.sqlite --mend", "doctor a.sqlite --mend --yes"] {
      let run = Session(store: WatchedStore([], findings: [finding])).run(arguments)
      let words = "1 finding can be mended if named, as something would be given up: won-1"
      #expect(run.lines == [words] && run.status == .left, "\(run.output)")
    }
  }

  /// A change that is on its way is nothing that is stuck.
  @Test("where changes are on their way alone nothing is stuck, and the exit status is 0")
  func onTheirWay() {
    let waiting = Finding(
      id: "w-1", table: "reminders", record: "1", title: "x", what: "waiting", evidence: "it is",
      cause: "why",
      remedy: "wait", isWaiting: true)
    let odd = Finding(
      id: "o-1", table: "reminders", record: "1", title: "x", what: "odd", evidence: "it is", cause: "why",
      remedy: "look at it")
    let calm = Session(store: WatchedStore([], findings: [waiting])).run("doctor a.sqlite")
    #expect(calm.status == .nothingLeft)
    #expect(calm.lines.last == "Nothing is stuck: 1 change is on its way.")
    let both = Session(store: WatchedStore([], findings: [waiting, odd])).run("doctor a.sqlite")
    #expect(both.status == .left)
    #expect(both.lines.last == "2 findings, 1 of them on its way; none that Parley can mend.")
  }

  /// It was refused with 5, and without --yes told as not stuck with 1.
  @Test("of a change on its way nothing is to be mended, and that it is named refuses nothing")
  func onItsWayByName() {
    func run(_ more: String) -> Run {
      let waiting = Finding(
        id: "w-1", table: "reminders", record: "1", title: "x", what: "waiting", evidence: "it is",
        cause: "why", remedy: "wait", isWaiting: true)
      let stuck = Finding(
        id: "s-1", table: "reminders", record: "2", title: "y", what: "stuck", evidence: "it is",
        cause: "why", remedy: "send it", canBeMended: "it is sent")
      return Session(store: WatchedStore([], findings: [waiting, stuck])).run("doctor a.sqlite \(more)")
    }
    let tried = run("w-1 --mend")
    #expect(tried.lines.last == "Nothing is stuck: 1 change is on its way." && tried.status == .nothingLeft)
    let done = run("w-1 --mend --yes")
    #expect(done.lines == ["on its way, with nothing to mend: w-1  x"] && done.status == .nothingLeft)
    let told = run("w-1 --mend --yes --json")
    let line = #"{"id":"w-1","title":"x","outcome":"waiting","field":null,"detail":null}"#
    #expect(told.lines == [line] && told.status == .nothingLeft, "\(told)")
    let both = run("w-1 s-1 --mend --yes")
    #expect(both.status == .nothingLeft && both.output.contains("mended: s-1  y"), "\(both)")
  }

  private func expectOffer(_ given: [String], _ offered: [String]) throws {
    let session = session(given[0])
    let run = session.run(given)
    let words = (["parley"] + offered).map(shellQuoted).joined(separator: " ")
    #expect(run.status == .usage && run.errors.hasSuffix(": \(words)\n"), "\(run.errors)")
    #expect(session.run(offered).status != .usage)
  }

  private static func options(of command: String) throws -> [(name: String, isFlag: Bool)] {
    let help = try JSONDecoder().decode(Help.self, from: Data(Parley._dumpHelp().utf8))
    let found = try #require(help.command.subcommands?.first { $0.commandName == command })
    return found.arguments?.flatMap { argument in
      (argument.names ?? []).filter { $0.kind == "long" }.map { ($0.name, argument.kind == "flag") }
    } ?? []
  }

  private struct Help: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
      var arguments: [Argument]?
    }
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }
      var kind: String
      var names: [Name]?
    }
    var command: Command
  }
}
