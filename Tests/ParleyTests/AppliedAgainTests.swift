import Foundation
import StoreInterface
import Testing

@testable import parley

/// A file of decisions that is applied once more, after they were written.
@Suite struct AppliedAgainTests {
  @Test(arguments: [[], ["--redact"]]) func aWrittenRecordIsToldAsResolveTellsIt(redact: [String]) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "Coffee", "--set", "priority=server")
      let shown = try #require(
        try Live.run(["show", path, "Coffee", "--json"] + redact).objects().first)
      let id = try #require(shown["id"] as? String)
      let line = try #require(Live.run("resolve", path, "--export").lines.first)
      let name = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"]
      let whole = try #require(name as? String)
      try write(line.replacing(whole, with: id) + "\n", to: folder + "/one")
      Live.run("write", path, "--yes")

      let resolved = Live.run("resolve", path, id, "--set", "priority=server").errors
      let time = try #require(resolved.firstMatch(of: /was written at (\S+), and/)).1
      let run = Live.run("apply", path, folder + "/one")
      #expect(run.status == .moved)
      #expect(
        run.lines.first == """
          line 1: not taken: \(whole)  Coffee: priority: it was written at \(time), and is no longer in conflict. \
          To take that back: parley undo \(path) \(whole)
          """, "\(run)")
      let told = try #require(try Live.run("apply", path, folder + "/one", "--json").objects().first)
      #expect(told["id"] as? String == whole && told["title"] as? String == "Coffee", "\(told)")
      #expect(told["detail"] as? String == "it was written at \(time), and is no longer in conflict")
    }
  }

  @Test func whereNothingCanBeTakenBackNoWayIsOffered() throws {
    var session = Session(store: WatchedStore([Samples.milk], notUndone: "its function refuses it"))
    _ = session.run("resolve a.sqlite M2 --accept all")
    let line = try #require(session.run("resolve a.sqlite --export").lines.first)
    _ = session.run("write a.sqlite --yes")
    session.input = line + "\n"
    let (applied, named) = (session.run("apply a.sqlite -").output, session.run("show a.sqlite M2").errors)
    for told in [applied, named] {
      #expect(told.contains("This write cannot be taken back: its function refuses it."), "\(told)")
      #expect(!told.contains("parley undo"), "\(told)")
    }
  }

  /// The store was asked to take it back, and said no.
  @Test(
    arguments: [
      (.notDone(.undo, detail: "its function refuses it"), true),
      (.ended(.undo, interrupted: .rolledBack), true),
      (.ended(.undo, interrupted: .left), false), (.ended(.undo), false),
      // So it was in conflict again.
      (.notDone(.write, detail: nil), false),
    ] as [(JournalEntry.Event, Bool)])
  func whatAnUndoDidNotTakeBackIsWrittenStill(last: JournalEntry.Event, isWritten: Bool) {
    let session = Session([])
    let write = JournalEntry(time: 1, record: "M2:reminders", event: .ended(.write))
    let entries = [JournalEntry(time: 2, record: "M2:reminders", event: last), write]
    var written = WrittenRecords(entries, in: session.store.info, session.redaction)
    #expect(written.entry(named: "M2:reminders") == (isWritten ? write : nil))
  }

  @Test func ofWhatWasTakenBackNothingIsSaid() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "Coffee", "--set", "priority=server")
      try write(Live.run("resolve", path, "--export").output, to: folder + "/one")
      Live.run("write", path, "--yes")
      Live.run("undo", path, "--yes")
      // It came back into conflict by that, and is none any more now.
      try AttackedStore.change(path) { try $0.execute(sql: "DELETE FROM parley_inbox") }
      let run = Live.run("apply", path, folder + "/one")
      #expect(run.lines.first?.hasSuffix(": no record of this name is in conflict") == true, "\(run)")
    }
  }
}
