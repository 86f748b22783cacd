import Merging
import Samples
import StoreInterface
import Telling
import TerminalTestSupport
import Testing

@testable import parley

@Suite("--plain, where a write or the store fails")
struct LinearFailureTests {
  /// One answer after the other; before some of them something happens to the store.
  private func run(
    _ answers: [String], _ session: Session, _ events: [Int: (WatchedStore) -> Void] = [:]
  ) -> Run {
    var (session, next) = (session, 0)
    let store = session.store
    session.reader = LineReader {
      events[next]?(store)
      defer { next += 1 }
      return next < answers.count ? Array((answers[next] + "\n").utf8) : []
    }
    return session.run("a.sqlite --plain")
  }

  private static let offer = "u takes this write back."

  @Test("that u takes a write back is said where something of it is written, and else not")
  func offered() {
    for (outcome, isOffered) in [
      (CheckedWrite.Outcome.notKnown("no answer"), false), (.notReached("the disk is full"), false),
      (.refused(field: nil, "no"), false), (.moved("its row"), false),
      (.partly(written: "its title", "no"), true), (.fine, true),
    ] {
      let session = Session(store: WatchedStore([Samples.milk], endings: ["M2:reminders": outcome]))
      let told = run(["", "w", "yes", "q"], session).output
      #expect(told.contains(Self.offer) == isOffered && told.contains("Type yes"), "\(told)")
    }
    let half = WatchedStore(
      [Samples.milk, Samples.dentist], endings: ["M2:reminders": .notKnown("no answer")])
    #expect(run(["", "A", "c", "w", "yes", "q"], Session(store: half)).output.contains(Self.offer))
  }

  @Test("where nothing can be taken back that is said, and no key that would do it")
  func noWayBack() {
    let store = WatchedStore([Samples.milk], notUndone: "its function refuses it")
    let told = run(["", "w", "yes", "q"], Session(store: store)).output
    #expect(told.contains("\nThis write cannot be taken back: its function refuses it.\n"), "\(told)")
    #expect(!told.contains(Self.offer), "\(told)")
    let again = WatchedStore([Samples.milk], notUndone: "its function refuses it")
    let undone = run(["", "w", "yes", "u", "q"], Session(store: again)).output
    let words = "This write cannot be taken back"
    #expect(undone.components(separatedBy: words).count == 3 && !undone.contains("--skip"), "\(undone)")
    #expect(!undone.contains("to take back") && again.undos.isEmpty, "\(undone)")
  }

  private func unheard() -> Session { Session(store: WatchedStore([Samples.milk], losesAnswers: true)) }

  @Test("u takes nothing back while a write may still arrive, and says so, in a later session, too")
  func unknown() {
    let session = unheard()
    let told = run(["", "w", "yes", "u", "u", "q"], session).output
    let words =
      "A write was interrupted: of its 1 record 1 is untouched so far, and may still be written by a request "
      + "on its way.\nIt cannot be finished now: it may come until noon. "
      + "Until then u takes back only what you decide from now on.\n"
    #expect(told.components(separatedBy: words).count == 3, "\(told)")
    #expect(!told.contains("Taken back") && session.store.undos.isEmpty, "\(told)")
    #expect(session.store.decisions.map(\.choice) == [.take(.server)])
    #expect(run(["u", "q"], session).output.contains(words) && session.store.decisions.count == 1)
  }

  @Test("what is decided after such a write is taken back by u as ever")
  func decidedSince() {
    let told = run(["", "w", "yes", "/ milk", "c", "u", "q"], unheard()).output
    #expect(told.contains("Taken back: priority of Milk.\n"), "\(told)")
  }

  @Test(
    "once it is over u asks whether to finish it, tells what became of it, and takes back nothing with it")
  func finished() {
    let asked = "Type yes, or Y, to finish it or take it back, record by record; anything else"
    let left = unheard()
    let no = run(["", "w", "yes", "u", "no", "q"], left, [3: { $0.endWaiting() }])
    #expect(
      no.output.contains(asked) && no.errors.isEmpty && left.store.decisions.first?.choice != nil, "\(no)")
    let once = unheard()
    let run = run(["", "w", "yes", "u", "yes", "q"], once, [3: { $0.endWaiting() }])
    #expect(run.errors.contains("An interrupted write is finished: of its 1 record 1 is not changed by it."))
    #expect(run.output.contains("With that it has ended, and nothing else is taken back."), "\(run.output)")
    #expect(once.store.decisions.map(\.choice) == [.take(.server)] && !run.output.contains("Taken back"))
    let twice = self.run(["", "w", "yes", "u", "yes", "u", "q"], unheard(), [3: { $0.endWaiting() }])
    #expect(twice.output.contains("Taken back: priority of Milk"), "\(twice.output)")
  }

  @Test("what the interrupted write has written is told as written by it")
  func finishedFirst() {
    let ended = "it is no longer in conflict"
    let store = WatchedStore(
      [Samples.milk, Samples.dentist], endings: ["M2:reminders": .moved(ended)])
    store.leave(
      InterruptedWrite(act: .write, records: [.init(id: "M2:reminders", title: "Milk", state: .half)]))
    let told = run(["", "w", "yes", "q"], Session(store: store)).output
    #expect(told.contains("Milk: written, by the interrupted write, which was finished first."), "\(told)")
    #expect(told.contains("u takes the interrupted write back.") && !told.contains(ended), "\(told)")
    #expect(!told.contains("0 of"), "\(told)")
  }

  @Test("of what the interrupted write has written no way back is told where there is none")
  func noWayBackOfTheInterrupted() {
    let store = WatchedStore(
      [Samples.milk], endings: ["M2:reminders": .moved("it is no longer in conflict")],
      notUndone: "its function refuses it")
    store.leave(
      InterruptedWrite(act: .write, records: [.init(id: "M2:reminders", title: "Milk", state: .half)]))
    let told = run(["", "w", "yes", "q"], Session(store: store)).output
    #expect(told.contains("\nThis write cannot be taken back: its function refuses it.\n"), "\(told)")
    #expect(!told.contains("u takes the interrupted"), "\(told)")
  }

  @Test("where a store can only be read the commands that are offered name it")
  func readOnly() {
    let store = WatchedStore([Samples.milk], readOnly: "this user may not write it")
    let told = run(["", "w", "q"], Session(store: store)).output
    #expect(told.contains("can only be read now: this user may not write it"), "\(told)")
    #expect(told.contains("parley resolve a.sqlite --export > FILE") && !told.contains("PATH"), "\(told)")
  }

  @Test("of what an interrupted undo has just taken back nothing is written by the same yes")
  func takenBackFirst() {
    let session = Session(store: WatchedStore([Samples.milk]))
    session.store.leave(
      InterruptedWrite(act: .undo, records: [.init(id: "M2:reminders", title: "Milk", state: .complete)]))
    let told = run(["", "w", "yes", "q"], session).output
    #expect(told.contains("an undo of it, which was interrupted, was finished just now."), "\(told)")
    #expect(session.store.writtenDrafts.isEmpty && !told.contains(Self.offer), "\(told)")
  }

  @Test("u asks whether to finish an import first, also where nothing else is there to take back")
  func importFirst() {
    let session = Session(store: WatchedStore([Samples.milk]))
    let record = InterruptedWrite.Record(id: "M2:reminders", title: "Milk", state: .complete)
    session.store.leave(InterruptedWrite(act: .import, records: [record]))
    let no = run(["u", "no", "q"], session).output
    #expect(no.contains("An import was interrupted: of its 1 record 1 is complete"), "\(no)")
    #expect(no.contains("Type yes, or Y, to finish it") && !no.contains("nothing to take back"), "\(no)")
    let yes = run(["u", "yes", "q"], session)
    #expect(yes.errors.contains("An interrupted import is finished: of its 1 record 1 is completed."))
    #expect(yes.output.contains("With that it has ended, and nothing else is taken back."), "\(yes.output)")
  }

  @Test("u finishes an undo that was interrupted, and takes back no other write with it")
  func undoFirst() {
    let session = Session(store: WatchedStore([Samples.milk], undoing: ["M2:reminders": .moved("its row")]))
    let record = InterruptedWrite.Record(id: "M2:reminders", title: "Milk", state: .half)
    let undo = InterruptedWrite(act: .undo, records: [record])
    let run = run(["", "w", "yes", "u", "yes", "q"], session, [3: { $0.leave(undo) }])
    #expect(run.output.contains("An undo was interrupted: of its 1 record 1 is half written."), "\(run)")
    #expect(run.output.contains("With that it has ended, and nothing else is taken back."), "\(run)")
    #expect(!run.output.contains("--skip") && session.store.undos.isEmpty, "\(run)")
  }

  @Test(
    "what may have been written after the last write hides it from u, as from parley undo",
    arguments: [JournalEntry.Act.write, .undo],
    [(0, false), (2, true)] as [(id: Int64, isHidden: Bool)])
  func mayBeLater(act: JournalEntry.Act, number: (id: Int64, isHidden: Bool)) {
    let (id, isHidden) = number
    let record = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .awaited)
    let late = InterruptedWrite(act: act, records: [record], hindrance: "it may come until noon", id: id)
    let session = Session(store: WatchedStore([Samples.milk]))
    let told = run(["", "w", "yes", "u", "yes", "q"], session, [3: { $0.leave(late) }]).output
    #expect(told.contains("It cannot be finished now: it may come until noon.") == isHidden, "\(told)")
    #expect(told.contains("The last write was of 1 record") == !isHidden, "\(told)")
    #expect(session.store.undos.isEmpty == isHidden)
  }

  @Test("what was begun before the last write hides no decision of an earlier session from u")
  func begunBefore() {
    let record = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .unread)
    let old = InterruptedWrite(act: .write, records: [record], hindrance: "nobody knows", id: 0)
    let session = Session(store: WatchedStore([Samples.milk, Samples.dentist]))
    _ = run(["/ milk", "c", "w", "yes", "/ dentist", "c", "q"], session)
    session.store.leave(old)
    let told = run(["u", "q"], session).output
    #expect(told.contains("Taken back: ") && !told.contains("It cannot be finished now"), "\(told)")
  }

  private static let silence = StoreError.noAnswer(path: "memory")

  @Test(
    "where the next question cannot be read, that is told, and r asks it once it can", arguments: ["h", ""])
  func nextQuestion(answer: String) {
    let session = Session([Samples.dentist])
    let run = run(
      ["c", answer, "r", "r", "q"], session,
      [
        1: { $0.fail(with: Self.silence, after: answer == "h" ? 0 : 1) }, 3: { $0.recover() },
      ])
    let told = run.output
    let words = "\(Self.silence.words) r asks the next question.\n"
    #expect(told.components(separatedBy: words).count == 3, "\(told)")
    let field = answer == "h" ? "Field weight." : "Field priority."
    #expect(told.components(separatedBy: words).last?.hasPrefix(field) == true, "\(told)")
    #expect(run.status == .left && run.errors.isEmpty, "\(run)")
    #expect(session.store.decisions.count == (answer == "h" ? 1 : 2))
  }

  @Test("what is answered then is about the question that was heard last")
  func heardLast() {
    let session = Session([Samples.dentist])
    let run = run(
      ["c", "h", "s", "q"], session, [1: { $0.fail(with: Self.silence) }, 2: { $0.recover() }])
    #expect(run.output.contains("Decided: title, server taken: Call Dr. Wu.\nField weight."), "\(run.output)")
  }

  @Test("what could not be taken back is taken back by the next u")
  func takingBack() {
    let session = Session([Samples.dentist])
    let told = run(
      ["c", "c", "u", "u", "q"], session, [2: { $0.fail(with: Self.silence) }, 3: { $0.recover() }]
    ).output
    #expect(told.contains("Taken back: title of Call dentist.\n"), "\(told)")
    #expect(!told.contains("Taken back: weight"), "\(told)")
  }

  @Test("what somebody else has decided otherwise meanwhile is not taken back, which is told")
  func decidedByOthers() throws {
    let record = Samples.dentist
    let other = Resolution(choices: [.field("weight"): .take(.ancestor)])
    let decisions = record.decisions(about: [.field("weight")], in: other, at: Samples.time(20_001))
    let session = Session([record])
    let decide: [Int: (WatchedStore) -> Void] = [1: { _ = try? $0.journal.append(decisions) }]
    let told = run(["c", "u", "q"], session, decide).output
    #expect(told.contains("weight of Call dentist stands otherwise by now, and stays so.\n"), "\(told)")
    #expect(!told.contains("Taken back") && session.store.decisions.map(\.choice) == [.take(.ancestor)])
    let twice = run(["c", "u", "u", "q"], Session([record]), decide).output
    #expect(
      twice.contains(/Taken back: weight of Call dentist, decided .* by another Parley\.\n/), "\(twice)")
  }

  @Test("what somebody else has decided since it was asked is told, and u comes back to that")
  func decidedSinceAsked() throws {
    let record = Samples.dentist
    let other = Resolution(choices: [.field("weight"): .take(.ancestor)])
    let decisions = record.decisions(about: [.field("weight")], in: other, at: Samples.time(20_001))
    let session = Session([record])
    let told = run(["c", "u", "q"], session, [0: { _ = try? $0.journal.append(decisions) }]).output
    let words = "Another Parley was here meanwhile. Decided: weight, ancestor taken: 1.0.\n"
    #expect(told.contains(words + "Decided: weight, client taken: 2.0.\n"), "\(told)")
    #expect(session.store.decisions.map(\.choice) == [.take(.ancestor)], "\(told)")
    #expect(told.components(separatedBy: "Another Parley").count == 2, "\(told)")
  }

  @Test("at the end, too, and that what was decided is kept", arguments: [["q"], []])
  func end(last: [String]) {
    let run = run(["c"] + last, Session([Samples.dentist]), [1: { $0.fail(with: Self.silence) }])
    #expect(run.output.hasSuffix("\(Self.silence.words)\nAll decisions are kept.\n"), "\(run.output)")
    #expect(run.status == .left && run.errors.isEmpty, "\(run)")
  }

  @Test("after a write of which the rest cannot be read, the rest is asked about all the same")
  func restAfterWrite() {
    let told = run(
      ["", "w", "yes", "r", "q"], Session([Samples.milk, Samples.dentist]),
      // The write itself is well.
      [2: { $0.fail(with: Self.silence, after: 1) }, 3: { $0.recover() }]
    ).output
    #expect(told.contains("1 of 1 written.\n\(Self.offer)\n\(Self.silence.words)"), "\(told)")
    #expect(told.components(separatedBy: "Field weight.").count == 3, "\(told)")
  }

  @Test("what the journal does not take is not decided, nor taken back, and the question stays")
  func heldJournal() {
    let session = Session([Samples.dentist])
    let run = run(
      ["c", "s", "c", "u", "q"], session,
      [1: { $0.holdJournal() }, 2: { $0.holdJournal(false) }, 3: { $0.holdJournal() }])
    let why = "as it could not be kept: \(StoreError.locked(path: "a.parley.sqlite", holder: nil).words)\n"
    #expect(run.output.contains("Not decided, \(why)Decided: "), "\(run.output)")
    #expect(run.output.contains("Not taken back, \(why)"), "\(run.output)")
    #expect(session.store.decisions.map(\.choice) == [.take(.client), .take(.client)])
  }

  @Test("where nobody says who asks a server, what it answers is told in a line of its own")
  func endOfInputAtTheUser() throws {
    try withTemporaryFolder { folder in
      let server = try CouchDBDemo.start(admin: (name: "admin", password: "secret"), now: Samples.nine)
      defer { server.stop() }
      let terminal = try PseudoTerminal(
        [Binary.path, server.url + "/" + CouchDBDemo.database, "--plain"], columns: 200,
        environment: ["HOME": folder])
      try terminal.waitForOutput(containing: "User for ")
      terminal.type("\u{04}")
      #expect(try terminal.waitForExit() == .exited(3))
      #expect(
        terminal.contains("/bookshop: \r\nparley: "), "\(String(decoding: terminal.output, as: UTF8.self))")
    }
  }
}
