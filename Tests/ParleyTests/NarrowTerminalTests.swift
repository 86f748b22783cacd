import Foundation
import Samples
import Terminal
import TerminalTestSupport
import Testing

@testable import parley

/// What commands print in a terminal is read there whole, however narrow it is.
@Suite("In a terminal of any width") struct NarrowTerminalTests {
  private static let widths = [40, 80, 120, 200]

  /// As far as a line break does not part it.
  private func text(_ run: Run) -> String {
    run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("parley log tells when, of which record and what, and what was given up", arguments: widths)
  func log(width: Int) {
    var session = Session()
    session.width = width
    let note = ["--note", "as she said on the telephone"]
    _ = session.run(["resolve", "x", "D1:reminders", "--set", "title=server"] + note)
    for options in [[], ["--given-up", "any"]] {
      let log = session.run(["log", "x"] + options)
      #expect(log.lines.allSatisfy { DisplayText.width($0) <= width }, "\(log.output)")
      for words in ["decision", "D1:reminders", "Call dentist", "title: server taken", "telephone)"] {
        #expect(text(log).contains(words), "\(words) at \(width): \(log.output)")
      }
    }
    let lost = text(session.run("log x --given-up any"))
    #expect(lost.contains("given up: title of the client: Call dentist today"), "\(lost)")
    #expect(!lost.contains("›"), "\(lost)")
  }

  @Test("parley log shortens keys to their end there alone, which names the record") func keys() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "Groceries", "--set", "color=server")
      let whole = Live.run("log", path).output
      #expect(
        whole.contains(
          "  5eed0000-0000-4000-8000-000000000004:remindersLists  Groceries: color: server taken")
      )
      let short = Live.run(["log", path], width: 80).output
      #expect(short.contains("…00000004:remindersLists\n    Groceries: color: server taken"), "\(short)")
      #expect(Live.run("show", path, "…00000004:remindersLists").output.contains("Groceries"))
    }
  }

  @Test("parley list shows title, reason and last edit beside the end of a key", arguments: [80, 100, 120])
  func listed(width: Int) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let lines = Live.run(["list", path], width: width).lines
      #expect(lines[0].hasPrefix("STATE") && lines[0].hasSuffix("LAST EDIT"), "\(lines[0])")
      #expect(lines.allSatisfy { DisplayText.width($0) <= width }, "\(lines)")
      let groceries = try #require(lines.first { $0.contains("Groceries") })
      #expect(groceries.contains("…00000004 ") && groceries.contains("color: same time"), "\(groceries)")
      #expect(groceries.split(separator: " ").dropLast().last == "both", "\(groceries)")
      #expect(Live.run("show", path, "…00000004:remindersLists").output.contains("Groceries"))
    }
  }

  @Test("Where ASCII alone is shown, the end of a key is no redirection to a shell, and names the record")
  func keysInASCII() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "Groceries", "--set", "color=server")
      for command in ["list", "log"] {
        let run = Run([command, path]) { output, errors in
          output.sendASCII()
          var surroundings = Surroundings.live(output: output, errors: errors, redaction: .fixed)
          surroundings.width = 120
          return surroundings
        }
        #expect(run.output.contains("..00000004") && !run.output.contains(">00000004"), "\(run)")
      }
      for name in ["..00000004:remindersLists", "remindersLists/..00000004"] {
        #expect(Live.run("show", path, name).output.contains("Groceries"))
      }
    }
  }

  @Test("parley doctor tells of which record and since when, beside the end of a key", arguments: [40, 80])
  func stuck(width: Int) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let run = Live.run(["doctor", path], width: width)
      let indented = run.lines.filter { $0.hasPrefix("  ") }
      #expect(indented.allSatisfy { DisplayText.width($0) <= width }, "\(run.output)")
      #expect(!run.output.contains("›"), "\(run.output)")
      let words = text(run)
      #expect(words.contains("waiting for upload: Renew library card (reminders/…00000203)"), "\(words)")
      #expect(words.contains(/save reminders\/…00000203 changed [-0-9]+T[0-9:]+Z/), "\(words)")
      let whole = Live.run("doctor", path).output
      #expect(whole.contains("reminders/5eed0000-0000-4000-8000-000000000203  changed "), "\(whole)")
    }
  }

  @Test("parley show tells all that a choice loses, and cuts values", arguments: [40, 80, 120])
  func lost(width: Int) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let show = ["show", path, "5eed0000-0000-4000-8000-000000000042:reminders"]
      let run = Live.run(show, width: width)
      #expect(run.lines.allSatisfy { DisplayText.width($0) <= width }, "\(run.output)")
      #expect(run.lines.contains { $0.hasPrefix("    S  ") && $0.hasSuffix("›") }, "\(run.output)")
      let choices = Live.run(show).lines.filter { $0.hasPrefix("  --set record=") }
      #expect(choices.count == 3 && choices.allSatisfy { $0.contains("; loses what ") }, "\(choices)")
      for choice in choices {
        let words = choice.split(separator: " ").joined(separator: " ")
        #expect(text(run).contains(words), "\(run.output)")
      }
    }
  }

  @Test("parley show cuts no sentence, nor whose a value is, at which place it stands", arguments: [30, 40])
  func whose(width: Int) throws {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = (1...9).map { leaf in
        SampleRevision(
          "2-\(100 - leaf)", on: "1-aa", #"{"n":"\#(leaf) of a text that is longer than this is wide"}"#)
      }
      try builder.add("doc", [SampleRevision("1-aa", #"{"n":"0"}"#)] + leaves)
      try builder.close()
      let path = folder + "/shop.touchdb"
      Live.run("resolve", path, "doc", "--set", "n=leaf:2-97")
      let run = Live.run(["show", path, "doc"], width: width)
      #expect(run.lines.allSatisfy { DisplayText.width($0) <= width }, "\(run.output)")
      let leaf = run.lines.first { $0.hasPrefix("    S3  3 of a") }
      #expect(leaf?.hasSuffix("›  (2-97)") == true, "\(run.output)")
      #expect(text(run).contains("2 more values of 2 leaves: --json tells them"), "\(run.output)")
      let end = width == 40 ? "t›  (decided: leaf 3)" : "that is lo›\n      (decided: leaf 3)"
      #expect(run.output.contains("    R  3 of a text " + end + "\n"), "\(run.output)")
      let demo = try SampleStores.make(in: folder + "/demo")
      let show = ["show", demo, "5eed0000-0000-4000-8000-000000000042:reminders"]
      let words = "titleLength: 18 (generated: a write computes it anew)"
      #expect(text(Live.run(show, width: width)).contains(words))
    }
  }

  @Test("A preview cuts values around what changes, and tells all that is given up", arguments: [40, 80])
  func changes(width: Int) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let record = "5eed0000-0000-4000-8000-000000000042:reminders"
      let resolve = ["resolve", path, record, "--set", "record=server"]
      let decided = Live.run(resolve + ["--dry-run"], width: width)
      Live.run(resolve)
      let write = Live.run(["write", path, record, "--dry-run"], width: width)
      #expect(decided.lines.allSatisfy { DisplayText.width($0) <= width }, "\(decided.output)")
      for run in [decided, write].map(text) {
        #expect(run.contains(/remindersListID: …0{7,}2 → …0{7,}3 \(server\)/), "\(run)")
        #expect(run.contains(" given up: notes of the client: Ask about the wisdom tooth and "), "\(run)")
        #expect(run.contains("↵Park in the back.↵↵Appointment 14:30 given up: dueDate "), "\(run)")
      }
      Live.run("write", path, record, "--yes")
      let undo = Live.run(["undo", path, "--dry-run"], width: width)
      #expect(text(undo).contains(/notes: Ask about wis[^›]*› → Ask about the[^›]*›/), "\(undo.output)")
    }
  }

  @Test("What the answer to a file loses is told to its end") func answer() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      let run = Live.run(
        ["resolve", path, "…00000003", "--set", "record=keep", "--dry-run"], width: 80)
      #expect(text(run).contains("the file as version 3; loses the deletion on the server"), "\(run)")
      #expect(run.lines.allSatisfy { DisplayText.width($0) <= 80 }, "\(run)")
    }
  }

  @Test("A long value takes some lines, and a mark says that there is more") func long() {
    var layout = ColumnLayout(columns: 2, limit: 40)
    let lines = layout.brokenLines([["now", String(repeating: "word ", count: 200)]])
    #expect(lines.count < 12 && lines.last?.hasSuffix("›") == true, "\(lines)")
    #expect(lines.allSatisfy { DisplayText.width($0) <= 40 })
  }

  @Test(
    "A line is broken between words, and a command stays in one piece",
    arguments: [
      ("a store is missing", ["a store is missing"]),
      ("one side and the other disagree", ["one side and the", "other disagree"]),
      ("  one side and the other disagree", ["  one side and the", "  other disagree"]),
      ("To undo it: parley undo /a/b", ["To undo it:", "parley undo /a/b"]),
      (
        "To take this back: parley undo /a/very/long/path",
        ["To take this back:", "parley undo /a/very/long/path"]
      ),
      ("買い物リスト 買い物リスト", ["買い物リスト", "買い物リスト"]),
      (
        "There is no file /a/path/longer/than/this here",
        ["There is no file", "/a/path/longer/than/this", "here"]
      ),
    ])
  func lines(_ line: String, _ lines: [String]) {
    #expect(BrokenLine.lines(line, width: 20) == lines)
  }

  @Test("The program breaks its lines at the width of the terminal, and writes them whole into a pipe")
  func program() throws {
    let terminal = try PseudoTerminal([Binary.path, "list", "/no/such/folder"], columns: 40)
    _ = try terminal.waitForExit()
    let shown = terminal.text.split(whereSeparator: \.isNewline).map(String.init)
    #expect(shown.count > 1 && shown.allSatisfy { $0.count <= 40 }, "\(shown)")
    let piped = try Binary.run("list", "/no/such/folder").errors
    #expect(shown.joined(separator: " ") == piped.trimmingCharacters(in: .newlines))
  }

  @Test("Every line of the default configuration fits into 80 columns, and is a comment") func configuration()
  {
    let lines = Configuration.defaultText(themes: (0..<30).map { "a-theme-\($0)" }).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("#") && $0.count <= 80 })
  }

  @Test("What is indented in a help fits into 80 columns, as the parser breaks it without an indent")
  func help() {
    let all = [Parley.configuration] + Parley.configuration.subcommands.map { $0.configuration }
    for configuration in all {
      let indented = configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
      #expect(indented.allSatisfy { $0.count < 80 }, "\(indented)")
    }
  }

  @Test("What an exit status means goes on below its words")
  func statuses() {
    let lines = Status.table.split(separator: "\n")
    let below = lines.filter { $0.hasPrefix("       ") }
    #expect(lines.count == Status.allCases.count + below.count && below.count == 3, "\(lines)")
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    for status in Status.allCases { #expect(words.contains("\(status.rawValue) \(status.words)")) }
  }

  @Test("The help of each command begins its usage with parley", arguments: Parley.commandNames)
  func usage(_ command: String) {
    let help = Session().run([command, "--help"])
    #expect(help.output.contains("USAGE: parley \(command)"), "\(help.output.prefix(400))")
    let same = Session().run(["help", command])
    #expect(same.output.contains("USAGE: parley \(command)"), "\(same.output.prefix(400))")
    let wrong = Session().run([command, "--no-such-option"])
    #expect(wrong.errors.contains("Usage: parley \(command)"), "\(wrong.errors)")
  }
}
