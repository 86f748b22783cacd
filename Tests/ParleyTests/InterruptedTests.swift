import BenchmarkStores
import Foundation
import GRDB
import Merging
import StoreInterface
import Telling
import TerminalTestSupport
import Testing

@testable import Journals
@testable import SQLiteDataStores
@testable import parley

/// What the commands tell of a write of which there is no receipt.
struct InterruptedTests {
  /// A store whose last write was interrupted: all of it is in the files.
  private static let interrupted = MadeStore { folder in
    let path = try SampleStores.make(in: folder)
    let records = ["12", "42"].map { "5eed0000-0000-4000-8000-0000000000\($0):reminders" }
    Live.run(["resolve", path] + records + ["--accept", "all"])
    #expect(Live.run("write", path, "--yes").output.contains("written: "))
    let journal = try DatabaseQueue(path: JournalPath.beside(path))
    try journal.write { try $0.execute(sql: "DELETE FROM receipts") }
    try journal.close()
    return path
  }

  @Test(arguments: [
    ["write"], ["write", "--dry-run"], ["undo"], ["doctor", "--mend"], ["resolve", "--forget"],
    ["import", "nope"],
  ])
  func whatIsNotConfirmedFinishesNothing(command: [String]) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run([command[0], path] + command.dropFirst())
      #expect(Live.run("list", path).errors.contains("A write was interrupted: of its "))
    }
  }

  @Test(arguments: ["list", "show", "log", "doctor"])
  func aReadingCommandTellsOfItAndTheWayAndMendsNothing(command: String) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      for _ in 1...2 {
        let errors = Live.run(command, path).errors
        #expect(errors.hasPrefix("parley: A write was interrupted: of its "))
        #expect(errors.contains("are complete, but without a receipt."))
        #expect(errors.contains("r in the desk (parley \(path)) finishes it"))
      }
      let finished = Live.run("write", path, "--yes").errors
      #expect(finished.contains("parley: An interrupted write is finished: of its "))
      #expect(finished.contains("parley:   completed: 5eed0000-0000-4000-8000-000000000012:reminders  "))
      #expect(Live.run(command, path).errors.isEmpty)
    }
  }

  /// Who names it is told that it is written, and not that there is no such record.
  @Test func whatIsFinishedIsToldAsWrittenToWhoeverNamesIt() throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      for _ in 1...2 {
        let run = Live.run("write", path, Self.other, "--yes")
        #expect(run.status == .usage && run.errors.contains("\(Self.other) was written at "), "\(run)")
      }
    }
  }

  @Test func anUndoThatWasInterruptedIsFinishedByTheNextAndNoOtherWriteIsTakenBack() throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run("undo", path, "--yes")
      try Self.forgetUndo(of: path)
      let again = Live.run("undo", path, "--yes")
      #expect(again.status == .nothingLeft)
      #expect(again.errors.contains("parley: An interrupted undo is finished: of its "))
      #expect(again.errors.contains("parley: With that the undo is done, and no other write is taken back."))
      let none = Live.run("undo", path, "--yes").errors
      #expect(none.contains("There is no write to undo any more: the last was taken back at "), "\(none)")
    }
  }

  /// The older write of that record was taken back by the same word.
  @Test(arguments: ["5eed0000-0000-4000-8000-000000000012:reminders", "5eed0000-0000-4000-8000-000000000012"])
  func soItIsOfARecordThatIsNamed(name: String) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run("write", path, "--yes")
      Live.run("undo", path, name, "--yes")
      try Self.forgetUndo(of: path)
      let offered = Live.run("undo", path, name)
      #expect(
        offered.status == .usage && offered.errors.contains("To finish that one, and take back no other: "))
      let again = Live.run("undo", path, name, "--yes")
      #expect(again.status == .nothingLeft && again.output.isEmpty, "\(again)")
      #expect(again.errors.contains("parley: An interrupted undo is finished: of its "))
      #expect(again.errors.contains("parley: With that the undo is done, and no other write is taken back."))
    }
  }

  /// As where the server does not answer for it: of two the later one was done last, and that may be what is not known.
  @Test(
    arguments: [JournalEntry.Act.write, .undo],
    [(0, true), (2, false)] as [(id: Int64, isTakenBack: Bool)])
  func onlyWhatWasInterruptedAfterTheLastWriteHidesIt(
    act: JournalEntry.Act, number: (id: Int64, isTakenBack: Bool)
  ) throws {
    let (id, isTakenBack) = number
    let session = Session([Samples.milk])
    _ = session.run("resolve a.sqlite \(Samples.milk.id) --accept all")
    _ = session.run("write a.sqlite --yes")
    let other = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .awaited)
    session.store.leave(
      InterruptedWrite(act: act, records: [other], hindrance: "it may come until noon", id: id))
    let named = session.run("undo a.sqlite M9:reminders --yes")
    let words =
      "M9:reminders is of \(act.withArticle) that was interrupted, and is not finished: it may come until noon. "
    #expect(named.status == .unfinished && named.errors.contains(words), "\(named)")
    for more in ["", " --yes"] where more != "" || !isTakenBack {
      let run = session.run("undo a.sqlite" + more)
      #expect(run.status == (isTakenBack ? .nothingLeft : .unfinished), "\(run)")
      #expect(run.errors.contains("nothing is taken back, and no write before it") == !isTakenBack, "\(run)")
    }
    #expect(session.store.undos.isEmpty == !isTakenBack)
  }

  /// What `--yes` finishes first beside it is told then, and is not what is taken back, nor taken for that.
  @Test(
    arguments: [JournalEntry.Act.write, .undo], [(0, false), (2, true)] as [(id: Int64, isInTheWay: Bool)])
  func whatCanBeFinishedNowIsInTheWayOnlyWhereItWasBegunAfterTheLastWrite(
    act: JournalEntry.Act, number: (id: Int64, isInTheWay: Bool)
  ) {
    let session = Session([Samples.milk])
    _ = session.run("resolve a.sqlite \(Samples.milk.id) --accept all")
    _ = session.run("write a.sqlite --yes")
    let other = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .half)
    session.store.leave(InterruptedWrite(act: act, records: [other], id: number.id))
    let told = session.run("undo a.sqlite --dry-run")
    #expect(told.status == (number.isInTheWay ? .usage : .nothingLeft), "\(told)")
    #expect(told.output.contains(Samples.milk.id) == !number.isInTheWay, "\(told)")
    #expect(session.run("undo a.sqlite M9:reminders --dry-run").status == .usage)
    let run = session.run("undo a.sqlite --yes")
    let words = "An interrupted \(act.rawValue) is finished: of its 1 record 1 is completed."
    #expect(run.errors.contains(words), "\(run)")
    #expect(session.store.undos.isEmpty == (act == .undo && number.isInTheWay), "\(run)")
  }

  /// Whether the store lets it be taken back nobody knows before it is asked; of what the journal does not hold each undo is refused.
  @Test(arguments: [true, false])
  func theLogOffersAnUndoOfWhatWasLeftUnlessItIsRefusedForSure(isDamaged: Bool) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      let journal = try DatabaseQueue(path: JournalPath.beside(path))
      try journal.write { db in
        try db.execute(
          sql: """
            INSERT INTO receipts (intent, record, outcome, detail, finishedAt)
            SELECT intent, record, 'left', 'somebody else changed it since', 1 FROM records
            """)
        if isDamaged { try db.execute(sql: "UPDATE records SET payload = x'ff'") }
      }
      try journal.close()
      let output = Live.run("log", path).output
      #expect(output.contains("left alone"), "\(output)")
      #expect(output.contains("whether it can be, this tells: parley undo") == !isDamaged, "\(output)")
    }
  }

  @Test(arguments: [[], ["5eed0000-0000-4000-8000-000000000012:reminders"]])
  func aWrongNameFinishesNothing(right: [String]) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      let run = Live.run(["undo", path] + right + ["nothing-of-that-name", "--yes"])
      #expect(run.status == .usage && !run.errors.contains("is finished"), "\(run)")
      #expect(Live.run("list", path).errors.contains("A write was interrupted: of its "))
    }
  }

  /// As where somebody has edited a document on its server meanwhile: nobody has asked for the write before that.
  @Test(arguments: [JournalEntry.Act.write, .undo], FinishedWrite.Outcome.allCases)
  func whatCannotBeFinishedIsNoWriteToTakeBack(act: JournalEntry.Act, outcome: FinishedWrite.Outcome) {
    let begun = InterruptedWrite(act: act, records: [.init(id: "a", title: "Milk", state: .half)])
    let finished = [FinishedWrite(act: act, records: [.init(id: "a", title: "Milk", outcome: outcome)])]
    #expect(finished.hasNothing(of: begun) == (outcome != .completed))
    #expect([FinishedWrite]().hasNothing(of: begun))
    // A later one of the same record, of which nothing is in the store, is another one.
    let (first, later) = (1 as Int64, 2 as Int64)
    let both = [
      FinishedWrite(act: act, records: finished[0].records, id: first),
      FinishedWrite(act: act, records: [.init(id: "a", title: "Milk", outcome: .rolledBack)], id: later),
    ]
    let numbered = InterruptedWrite(act: act, records: begun.records, id: first)
    #expect(both.hasNothing(of: numbered) == (outcome != .completed))
  }

  private static let other = "5eed0000-0000-4000-8000-000000000042:reminders"

  /// Of many records some are begun at a time. But nobody knows whether more was asked for than those.
  @Test func whatAnInterruptedUndoHadNotBegunIsToldAndTakenBackByTheNextButOne() throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run("write", path, "--yes")
      Live.run("undo", path, "--yes", "5eed0000-0000-4000-8000-000000000012:reminders")
      try Self.forgetUndo(of: path)
      let again = Live.run("undo", path, "--yes", "--json")
      #expect(again.status == .unfinished && again.output.isEmpty)
      #expect(again.errors.contains("parley: An interrupted undo is finished: of its 1 record "))
      #expect(again.errors.contains("as far as it was begun; 1 record of the same write stands as written."))
      let rest = Live.run("undo", path, "--yes", "--json")
      #expect(rest.status == .nothingLeft)
      #expect(try rest.objects().map { $0["id"] as? String } == [Self.other])
    }
  }

  /// What was begun of it and not done is not taken for an undo that is still to come, which would take back all the others, too.
  @Test func anInterruptedUndoWithAnUntouchedRecordIsNotFollowedByAnother() throws {
    let written = MadeStore { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run("write", path, "--yes")
      return path
    }
    try withTemporaryFolder { folder in
      let whole = try written.copy(to: folder + "/whole")
      Live.run("undo", whole, "--yes")
      try Self.forgetUndo(of: whole)
      let path = try written.copy(to: folder + "/part")
      Live.run("undo", path, "--yes", "5eed0000-0000-4000-8000-000000000012:reminders")
      try Data(contentsOf: URL(fileURLWithPath: JournalPath.beside(whole)))
        .write(to: URL(fileURLWithPath: JournalPath.beside(path)))
      let offered = Live.run("undo", path).errors
      let states = "of its 2 records 1 is complete, but without a receipt, 1 is untouched."
      #expect(offered.contains(states), "\(offered)")
      #expect(offered.contains("To finish that one, and take back no other: "), "\(offered)")
      let run = Live.run("undo", path, "--yes", "--json")
      #expect(run.status == .unfinished && run.output.isEmpty, "\(run)")
      #expect(run.errors.contains("as far as it was begun; 1 record of the same write stands as written."))
    }
  }

  /// It leaves a row as it was written beside metadata as before that, which is a finding of its own until it is finished.
  @Test func whatIsGoneOnceAnUndoIsFinishedIsNotToldAsMoved() throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run("write", path, "--yes")
      let written = try Data(contentsOf: URL(fileURLWithPath: path))
      Live.run("undo", path, "--yes")
      try Self.forgetUndo(of: path)
      try written.write(to: URL(fileURLWithPath: path))
      #expect(
        Live.run("doctor", path, "--json").output.contains(
          "edit-never-sent:5eed0000-0000-4000-8000-000000000042"))
      let run = Live.run("doctor", path, "--mend", "--yes")
      #expect(run.errors.contains("parley: An interrupted undo is finished: of its "), "\(run)")
      #expect(!run.output.contains("moved since") && run.status == .left, "\(run)")
    }
  }

  /// The list had called it to decide, and the dry run had nothing to write.
  @Test(arguments: [[], ["5eed0000-0000-4000-8000-000000000012:reminders"], ["--json"]])
  func whatAnInterruptedUndoTakesBackIsNotWrittenByTheSameWord(more: [String]) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      Live.run("undo", path, "--yes")
      try Self.forgetUndo(of: path)
      let run = Live.run(["write", path, "--yes"] + more)
      #expect(run.errors.contains("parley: An interrupted undo is finished: of its "), "\(run)")
      #expect(run.output.contains("an undo of it, which was interrupted, was finished just now"), "\(run)")
      #expect(!run.output.contains("written: ") && !run.output.contains(#""outcome":"written""#), "\(run)")
      #expect(run.status == .moved && !run.output.contains("To take this write back"), "\(run)")
      #expect(Live.run("write", path, "--yes").output.contains("written: "))
    }
  }

  private static func forgetUndo(of path: String) throws {
    let journal = try DatabaseQueue(path: JournalPath.beside(path))
    try journal.write { db in
      try db.execute(
        sql: "DELETE FROM receipts WHERE intent = (SELECT max(id) FROM intents WHERE undoes IS NOT NULL)")
    }
    try journal.close()
  }

  /// Who imported has written nothing.
  @Test func anImportThatWasInterruptedIsCalledAnImport() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let record = """
        {"recordName": "5eed0000-0000-4000-8000-000000000101:reminders", "recordType": "reminders",
          "recordChangeTag": "z9", "fields": {"title": {"value": "Feed the cats", "type": "STRING"}}}
        """
      try record.write(toFile: folder + "/export", atomically: true, encoding: .utf8)
      #expect(Live.run("import", path, folder + "/export").status == .nothingLeft)
      let journal = try DatabaseQueue(path: JournalPath.beside(path))
      try journal.write { try $0.execute(sql: "DELETE FROM receipts") }
      try journal.close()
      let run = Live.run("doctor", path)
      #expect(run.errors.hasPrefix("parley: An import was interrupted: of its 1 record "), "\(run.errors)")
      #expect(run.output.contains("interrupted import"), "\(run.output)")
      #expect(run.output.contains("the intent of the import and no receipt"), "\(run.output)")
      #expect(!run.output.contains("while it wrote"), "\(run.output)")
      let undo = CommandError.interruptedBefore(.import, arguments: ["undo", path]).words
      #expect(undo.hasPrefix("Nothing was taken back, as an import was interrupted, "), "\(undo)")
      let finished = Live.run("write", path, "--yes").errors
      #expect(finished.contains("parley: An interrupted import is finished: of its 1 record "), "\(finished)")
    }
  }

  /// A write of some records, all of which are in the files.
  private static func makeInterrupted(_ records: Int, in folder: String) throws -> (
    path: String, written: Int
  ) {
    let path = try LargeStore.make(in: folder, records: records, conflicts: records)
    Live.run("resolve", path, "--accept", "all")
    let written = Live.run("write", path, "--yes").lines.count { $0.hasPrefix("written: ") }
    let journal = try DatabaseQueue(path: JournalPath.beside(path))
    try journal.write { try $0.execute(sql: "DELETE FROM receipts") }
    try journal.close()
    return (path, written)
  }

  /// Of more than three alike `doctor` alone counts the others.
  @Test func whatIsSaidToNameEachRecordNamesEach() throws {
    try withTemporaryFolder { folder in
      let (path, written) = try Self.makeInterrupted(8, in: folder)
      #expect(written > 3)
      #expect(Live.run("list", path).errors.contains("parley doctor \(path) --all names each record."))
      let named = Live.run("doctor", path, "--all").lines.count { $0.hasPrefix("  id         interrupted:") }
      #expect(named == written)
    }
  }

  /// Of many that were rolled back the log has one line, which counts them.
  @Test func whatIsSaidToNameEachRecordThatWasFinishedNamesEach() throws {
    try withTemporaryFolder { folder in
      let (path, written) = try Self.makeInterrupted(60, in: folder)
      let finished = Live.run("write", path, "--yes").errors
      let asked = ["log", path, "--kind", "interrupted", "--json", "--limit", "\(written)"]
      let told = "  and \(written - 20) more; parley \(asked.joined(separator: " ")) names each."
      #expect(written > 20 && finished.contains(told), "\(finished)")
      let entries = Live.run(asked)
      #expect(entries.lines.count == written && entries.errors.isEmpty, "\(entries)")
    }
  }

  /// Nothing of it was imported, so there is nothing to take back, and nothing that was mended in the store.
  @Test func anImportThatMendingTakesBackIsToldAsThatAndNoUndoIsOffered() {
    let id = "1:reminders"
    let finding = Finding(
      id: Finding.interrupted(id), table: "reminders", record: "1", title: "Milk", what: "interrupted import",
      evidence: "it is", cause: "why", remedy: "finish it", canBeMended: "it is finished", isInterrupted: true
    )
    let store = WatchedStore([], findings: [finding])
    let record = InterruptedWrite.Record(id: id, title: "Milk", state: .untouched)
    store.leave(InterruptedWrite(act: .import, records: [record])) {}
    let run = Session(store: store).run("doctor a.sqlite --mend --yes")
    let finished = "parley: An interrupted import is finished: of its 1 record 1 is not changed by it."
    #expect(run.errors.hasPrefix(finished) && run.errors.contains("rolled back: 1:reminders"), "\(run)")
    #expect(run.output.isEmpty && run.status == .nothingLeft, "\(run)")
  }

  /// Nothing is mended by that, and what became of it nobody knows.
  @Test func whatMendingGivesUpIsToldAsThat() {
    let finding = Finding(
      id: Finding.interrupted("1:reminders"), table: "reminders", record: "1", title: "Milk",
      what: "interrupted write", evidence: "it is", cause: "why", remedy: "look at it",
      canBeMended: "it is given up", takesSide: true, isInterrupted: true)
    for (format, told) in [
      ("", "given up: \(finding.id)  Milk\n"), (" --json", #""outcome":"givenUp""#),
    ] {
      let session = Session(store: WatchedStore([], findings: [finding]))
      let run = session.run("doctor a.sqlite \(finding.idAsSeen) --mend --yes" + format)
      #expect(run.output.contains(told) && !run.output.contains("mended"), "\(run)")
    }
  }

  @Test func whatMendingCompletesIsToldAsThatAndTakenBackByUndo() throws {
    let id = "interrupted:5eed0000-0000-4000-8000-000000000012:reminders"
    for format in [[], ["--json"]] {
      try withTemporaryFolder { folder in
        let path = try Self.interrupted.copy(to: folder)
        let run = Live.run(["doctor", path, id, "--mend", "--yes"] + format)
        #expect(run.errors.contains("parley: An interrupted write is finished: of its "), "\(run)")
        let way = "To take this back: parley undo \(path)\n"
        let isTold = format.isEmpty ? run.output == way : run.output.contains(#""outcome":"mended""#)
        #expect(isTold, "\(run)")
        #expect(run.status == .nothingLeft && Live.run("undo", path, "--yes").status == .nothingLeft)
      }
    }
  }

  /// Something else was written since, which that command would take back, and not what it is told beside.
  @Test func whatMendingCompletesBesideALaterWriteIsTakenBackByName() {
    let (id, title) = (Samples.milk.id, "Milk")
    let finding = Finding(
      id: Finding.interrupted(id), table: "reminders", record: "M2", title: title, what: "interrupted write",
      evidence: "it is", cause: "why", remedy: "finish it", canBeMended: "it is finished", isInterrupted: true
    )
    let session = Session(store: WatchedStore([Samples.milk, Samples.dentist], findings: [finding]))
    _ = session.run("resolve a.sqlite \(Samples.dentist.id) --accept all")
    _ = session.run("write a.sqlite --yes")
    let record = InterruptedWrite.Record(id: id, title: title, state: .half)
    session.store.leave(InterruptedWrite(act: .write, records: [record]))
    let run = session.run("doctor a.sqlite \(finding.id) --mend --yes")
    #expect(run.output == "To take this back: parley undo a.sqlite \(id)\n", "\(run)")
  }

  /// What --yes would do is not to show what stands behind it, nor that there is nothing.
  @Test(arguments: [[], ["--dry-run"], ["5eed0000-0000-4000-8000-000000000012:reminders"]])
  func anUndoThatIsNotConfirmedSaysThatItBeginsByFinishing(more: [String]) throws {
    try withTemporaryFolder { folder in
      let path = try Self.interrupted.copy(to: folder)
      let run = Live.run(["undo", path] + more)
      #expect(run.status == .usage && run.output.isEmpty)
      #expect(
        run.errors.contains("parley: Nothing was taken back, as a write was interrupted, and what it did"))
      let names = more.filter { $0 != "--dry-run" }.map { $0 + " " }.joined()
      let offered = "take back what was written last: parley undo \(path) \(names)--yes\n"
      #expect(run.errors.contains(offered), "\(run.errors)")
      #expect(Live.run(["undo", path, "--yes"] + more.filter { $0 != "--dry-run" }).status == .nothingLeft)
    }
  }

  /// What nothing is in the store of is not waited for, as there is nothing of it to take back.
  @Test(
    arguments: [JournalEntry.Act.write, .undo, .import],
    [InterruptedWrite.State.untouched, .changedSince, .half])
  func anUndoThatIsNotConfirmedPassesOverWhatIsNotInTheStore(
    act: JournalEntry.Act, state: InterruptedWrite.State
  ) {
    let record = InterruptedWrite.Record(id: "a", title: "a", state: state)
    let written = Session(store: WatchedStore([Samples.milk, Samples.dentist]))
    let empty = Session(store: WatchedStore([]))
    _ = written.run("resolve a.sqlite --accept all")
    _ = written.run("write a.sqlite --yes")
    for session in [empty, written] { session.store.leave(InterruptedWrite(act: act, records: [record])) {} }
    let isWaitedFor = state == .half
    #expect(empty.run("undo a.sqlite").status == (isWaitedFor ? .usage : .refused))
    let asked = written.run("undo a.sqlite")
    #expect(asked.status == .usage && asked.errors.contains(" was interrupted") == isWaitedFor, "\(asked)")
    #expect(written.run("undo a.sqlite --dry-run").status == (isWaitedFor ? .usage : .nothingLeft))
  }

  /// As of the databases of a server: what is told of one is word for word what is told of the next.
  @Test func ofSeveralStoresItIsToldOfEach() throws {
    try withTemporaryFolder { one in
      try withTemporaryFolder { other in
        let paths = try [one, other].map { try Self.interrupted.copy(to: $0) }
        var told: [UInt8] = []
        let errors = LineWriter { told += $0 }
        let surroundings = Surroundings.live(
          errors: errors, isWatched: false, pause: 1_000, redaction: .fixed)
        for path in paths { _ = try surroundings.open(StoreRequest(path: path, access: .reading)) }
        let lines = String(decoding: told, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("parley: A write was interrupted: of its ") } == 2, "\(lines)")
      }
    }
  }

  /// There `r` asks the question again, and finishes nothing: see ``LinearFailureTests`` for what does.
  @Test func whoAnswersInLinesIsToldTheAnswersThatFinishIt() throws {
    try withTemporaryFolder { folder in
      var told: [UInt8] = []
      let errors = LineWriter { told += $0 }
      let surroundings = Surroundings.live(
        errors: errors, isWatched: false, pause: 1_000, redaction: .fixed)
      var request = StoreRequest(path: try Self.interrupted.copy(to: folder), access: .writing)
      request.use = .lines
      _ = try surroundings.open(request)
      let text = String(decoding: told, as: UTF8.self)
      #expect(text.hasPrefix("parley: A write was interrupted: of its "), "\(text)")
      #expect(text.contains("parley: u, and then yes, finishes it or takes it back"), "\(text)")
      #expect(!text.contains("r in the desk") && text.contains("so does w, and then yes"), "\(text)")
    }
  }

  @Test func whatCannotBeFinishedYetIsNamedByDoctorAllTheSame() {
    let record = InterruptedWrite.Record(id: "a", title: "a", state: .awaited)
    let write = InterruptedWrite(act: .write, records: [record], hindrance: "the server is away")
    let way = InterruptedText.lines([write], store: "http://h/d").last
    let beginning = """
      parley doctor http://h/d --all names each record. It cannot be finished now: the server is away. As soon as that is over \
      r in the desk
      """
    #expect(way?.hasPrefix(beginning) == true, "\(way ?? "")")
  }

  @Test func whatCanBeFinishedNowDoesNotWaitForWhatMayStillCome() {
    let half = InterruptedWrite.Record(id: "a", title: "a", state: .half)
    var late = InterruptedWrite.Record(id: "b", title: "b", state: .awaited)
    late.hindrance = "it may come until noon"
    let writes = [InterruptedWrite(act: .write, records: [half, late])]
    let end = " Not all of it can be finished yet: it may come until noon."
    let way = InterruptedText.lines(writes, store: "http://h/d").last ?? ""
    #expect(way.contains("names each record. r in the desk") && way.hasSuffix(end), "\(way)")
    let line = LinearDesk.lines(writes).last ?? ""
    #expect(line.hasPrefix("u, and then yes, finishes it") && line.hasSuffix(end), "\(line)")
  }
}
