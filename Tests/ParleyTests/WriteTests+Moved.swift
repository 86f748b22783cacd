import GRDB
import Merging
import SQLiteDataStores
import StoreInterface
import Testing

@testable import parley

/// What was decided and holds no longer.
extension WriteTests {
  @Test("A decision about a field that nobody has changed any more is told as moved, and not dropped")
  func droppedDecision() throws {
    // As it was before the edit here.
    try withMilk(decidedBy: "--accept", "all", thenCalled: "Milk") { path, name in
      let (shown, written) = (Live.run("show", path, name), Live.run("write", path, name, "--yes"))
      #expect(shown.output.contains("open: something that was decided no longer holds"), "\(shown.output)")
      #expect(
        written.status == .moved && written.output.contains("about title no longer holds"), "\(written)")
      #expect(written.output.contains("--set decides it anew, --forget takes it back"), "\(written)")
      #expect(written.output.contains("Nothing to write: 1 to look at again."), "\(written)")
      let accepted = Live.run("resolve", path, name, "--accept", "all")
      #expect(accepted.status == .left && accepted.output.contains("no longer holds"), "\(accepted)")
      let json = Live.run("resolve", path, name, "--accept", "all", "--json")
      let told = try #require(try json.objects().first)
      #expect(json.status == .left && told["state"] as? String == "open", "\(json)")
      #expect(told["undecided"] as? [String] == [] && told["dropped"] as? [String] == ["title"], "\(json)")
      #expect(Live.run("show", path, name).status == .left)
      let again = Live.run("resolve", path, name, "--set", "title=client", "--json")
      #expect(again.status == .nothingLeft && !again.output.contains("dropped"), "\(again)")
      #expect(Live.run("write", path, name, "--yes").status == .nothingLeft)
    }
  }

  @Test("what was decided about all of a record is ended by who decides its fields")
  func endedDecision() throws {
    try withMilk(decidedBy: "--set", "record=accept", thenCalled: "Oat milk") { path, name in
      #expect(Live.run("write", path, name, "--yes").status == .moved)
      // Nor does it come back when they are taken back.
      #expect(Live.run("resolve", path, name, "--set", "title=client").status == .left)
      #expect(Live.run("resolve", path, name, "--forget").status == .left)
      let listed = try Live.run("list", path, "--json").objects()
      #expect(listed.first { $0["id"] as? String == name }?["outdated"] as? Int == 0)
      #expect(
        Live.run("resolve", path, name, "--accept", "all", "--set", "title=client").status == .nothingLeft)
      #expect(Live.run("write", path, name, "--yes").status == .nothingLeft)
    }
  }

  @Test(
    "what another Parley took back or decided otherwise meanwhile is told as that, and not as a change",
    arguments: [
      ("--forget", "what was decided about it was taken back since, and "),
      ("--set title=client", "it was decided otherwise since, and "),
    ])
  func decidedOtherwiseMeanwhile(options: String, words: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let name = "5eed0000-0000-4000-8000-000000000012:reminders"
      #expect(Live.run("resolve", path, name, "--set", "record=accept").status == .nothingLeft)
      let store = try SQLiteDataStore.open(path: path, access: .writing, finishing: false)
      let plan = try ReadyDrafts(store, records: .named([name]))
      #expect(Live.run(["resolve", path, name] + options.components(separatedBy: " ")).status == .left)
      let outcomes = try store.check(plan.ready).map(\.outcome)
      guard case .moved(let why)? = outcomes.first, outcomes.count == 1 else {
        Issue.record("\(outcomes)")
        return
      }
      #expect(why.hasPrefix(words) && why.hasSuffix(" undecided now"), "\(why)")
    }
  }

  /// As `--plain`, the desk and a server do: between that and the write lies a person, or the reading of all documents.
  @Test(
    "what was seen as a whole is not written where another Parley took back or decided otherwise meanwhile",
    arguments: [
      "resolve --forget", "resolve --set record=keep", "resolve --set record=accept --note again",
    ])
  func seenAndDecidedOtherwise(command: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let name = "5eed0000-0000-4000-8000-000000000012:reminders"
      #expect(Live.run("resolve", path, name, "--set", "record=accept").status == .nothingLeft)
      let store = try SQLiteDataStore.open(path: path, access: .writing, finishing: false)
      let plan = try ReadyDrafts(store, records: .named([name]), remembering: .whole)
      let seen = try #require(plan.ready.first?.seen)
      var words = command.components(separatedBy: " ")
      words.insert(contentsOf: [path, name], at: 1)
      _ = Live.run(words)
      for orders in [plan.ready, DecidedAgain(store.journal).orders([seen])] {
        let outcome = try #require(try store.check(orders).first?.outcome)
        if command.hasSuffix("again") {
          #expect(outcome == .fine)
        } else {
          guard case .moved = outcome else {
            Issue.record("\(outcome)")
            continue
          }
        }
      }
    }
  }

  /// A record of the sample, decided by these options, which the app has edited since.
  private func withMilk(
    decidedBy options: String..., thenCalled title: String,
    _ body: (_ path: String, _ name: String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let name = "5eed0000-0000-4000-8000-000000000012:reminders"
      #expect(Live.run(["resolve", path, name] + options).status == .nothingLeft)
      try DatabaseQueue(path: path).write { db in
        try db.execute(sql: "UPDATE reminders SET title = ? WHERE title = 'Milk 2%'", arguments: [title])
      }
      try body(path, name)
    }
  }

  @Test(
    "what was decided and moved is told by name, and speaks first",
    arguments: ["", " --yes", " M2 --yes", " --json"])
  func outdated(arguments: String) throws {
    let before = ready()
    let milk = Samples.edited(
      "M2", title: "Milk", ancestor: ["priority": .integer(1)], client: ["priority": .integer(1)],
      server: ["priority": (.integer(7), 90)])
    let session = Session([Samples.dentist, milk, Samples.invoice])
    try session.store.journal.append(
      before.store.decisions.filter { arguments != " M2 --yes" || $0.id == milk.id })
    let run = session.run("write a.sqlite" + arguments)
    #expect(run.output.contains("what was decided about priority no longer holds"))
    #expect(run.output.contains("M2:reminders"))
    #expect(run.status == (arguments.hasSuffix("--yes") ? .moved : .usage))
    #expect(!session.store.writtenDrafts.map(\.id).contains(milk.id))
    #expect(session.run("list a.sqlite").output.contains("changed since it was decided; "))
    #expect(
      session.run("show a.sqlite M2").output.contains("no longer holds: what was decided about priority at"))
    let line = try session.run("list a.sqlite --json").objects().first { $0["id"] as? String == milk.id }
    #expect(line?["outdated"] as? Int == 1)
    #expect(try session.isShownMoved(milk))
    #expect(session.run("log a.sqlite M2").output.contains("no longer holds: the store has changed"))
    let logged = try session.run("log a.sqlite --json").objects()
    let overtaken = logged.filter { $0["outdated"] as? Bool == true }.compactMap { $0["record"] as? String }
    // Of what is in conflict: the journal of this store, which is in memory, knows no decision as written.
    let written = session.store.writtenDrafts.map(\.id)
    #expect(overtaken.filter { !written.contains($0) } == [milk.id])
  }

  @Test("of a field that is no more, as the app has dropped its column, the way out is told that there is")
  func fieldThatIsGone() throws {
    let seen = Samples.dentist
    let fields = Samples.fields.filter { $0.name != "priority" }
    let session = Session([
      RecordConflict(
        id: seen.id, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: fields,
        versions: seen.versions, details: seen.details)
    ])
    try session.store.journal.append(ready().store.decisions.filter { $0.id == seen.id })
    let way = "--forget takes back what was decided, and the fields that are there are decided anew"
    let written = session.run("write a.sqlite --yes")
    let words = "about priority no longer holds, as there is no such field any more: resolve \(way)"
    #expect(written.status == .moved && written.output.contains(words), "\(written)")
    #expect(!written.output.contains("--set"), "\(written)")
    let shown = session.run("show a.sqlite D1").output
    #expect(shown.contains("; there is no such field any more\n"), "\(shown)")
    #expect(session.run("resolve a.sqlite D1 --set priority=server").status == .usage)
    let tried = session.run("resolve a.sqlite D1 --set title=client")
    #expect(tried.status == .left, "\(tried)")
    #expect(tried.output.contains("as there is no such field any more: priority (\(way))"), "\(tried)")
    #expect(session.run("resolve a.sqlite D1 --forget").status == .left)
    #expect(session.run("resolve a.sqlite D1 --accept all").status == .nothingLeft)
    #expect(session.run("write a.sqlite --yes").status == .nothingLeft)
  }

  @Test("what was decided about an earlier conflict holds up no later one, and --forget takes it back")
  func decidedAboutTheEarlierOne() throws {
    let first = Samples.edited(
      "M2", title: "Milk", ancestor: ["title": .text("Milk")], client: ["title": .text("Oat milk")],
      server: ["title": (.text("Soy milk"), 60)], details: RecordConflict.Details(serverTag: "b00b"))
    let decisions = first.decisions(
      about: first.subjects, in: Resolution(choices: [.field("title"): .take(.client)]), at: 1)
    var milk = Samples.milk
    (milk.details.hasEarlier, milk.details.earlier) = (true, Set(decisions.map(\.fingerprint.conflict)))
    let session = Session([milk])
    try session.store.journal.append(decisions)
    #expect(session.run("resolve a.sqlite M2 --accept all").status == .nothingLeft)
    let written = session.run("write a.sqlite --dry-run")
    #expect(!written.output.contains("no longer holds"), "\(written)")
    let forgotten = session.run("resolve a.sqlite M2 --forget")
    #expect(forgotten.output.contains("taken back: priority, title"), "\(forgotten)")
    let known = try session.store.journal.decisions(for: [milk.id])
    #expect(first.judged(known).resolution.isEmpty)
  }

  @Test("so is what was decided wholly, and has something new to decide", arguments: ["", " M2"])
  func newlyUndecided(record: String) throws {
    let milk = Samples.edited(
      "M2", title: "Milk", ancestor: ["title": .text("Milk"), "priority": .integer(1), "weight": .null],
      client: ["title": .text("Oat milk"), "priority": .integer(1), "weight": .null],
      server: ["title": (.text("Milk"), 0), "priority": (.integer(2), 60), "weight": (.null, 0)])
    let session = Session([Samples.dentist, milk])
    try session.store.journal.append(ready().store.decisions)
    let run = session.run("write a.sqlite\(record) --yes")
    #expect(run.status == .moved)
    #expect(
      run.output.contains(
        "M2:reminders moved since you saw it: it changed after it was decided, and title is undecided now."))
    #expect(session.store.writtenDrafts.map(\.id) == (record.isEmpty ? ["D1:reminders"] : []))
    #expect(session.run("show a.sqlite M2").output.contains("it changed after it was decided"))
    #expect(try session.isShownMoved(milk))
    // Looking at it again is enough: what was not decided then is simply open.
    _ = session.run("resolve a.sqlite M2 --set priority=client")
    #expect(session.run("write a.sqlite M2 --yes").status == .left)
    _ = session.run("resolve a.sqlite M2 --accept all")
    #expect(try !session.isShownMoved(milk))
    #expect(session.run("write a.sqlite M2 --yes").status == .nothingLeft)
  }

  @Test("what was decided about a record that is no more in conflict is told by log, and by no write")
  func settledElsewhere() throws {
    let session = Session([Samples.dentist])
    try session.store.journal.append(ready().store.decisions.filter { $0.id != Samples.dentist.id })
    #expect(session.run("write a.sqlite").output == "Nothing to write: 1 undecided; see parley resolve.\n")
    let logged = try session.run("log a.sqlite --json").objects()
    #expect(!logged.isEmpty && logged.allSatisfy { $0["outdated"] as? Bool == true }, "\(logged)")
    #expect(session.run("log a.sqlite").output.contains(", no longer holds: the store has changed"))
  }
}

extension Session {
  /// By `show` and by `list`, which have to agree.
  fileprivate func isShownMoved(_ conflict: RecordConflict) throws -> Bool {
    let shown = try run("show a.sqlite \(conflict.id) --json").objects().first?["moved"] as? Bool == true
    let listed = try run("list a.sqlite --json").objects().first { $0["id"] as? String == conflict.id }
    #expect(shown == listed?["moved"] as? Bool)
    return shown
  }
}
