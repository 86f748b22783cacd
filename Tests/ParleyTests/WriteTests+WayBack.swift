import StoreInterface
import Testing

@testable import parley

/// What is told behind a write of how it is taken back.
extension WriteTests {
  @Test("a write that is there in part alone is taken back by the same command")
  func partlyTakenBack() {
    let part = CheckedWrite.Outcome.partly(written: "the title", "no room")
    let way = "To take this write back: parley undo a.sqlite"
    #expect(
      ready(["D1:reminders": part, "M2:reminders": part]).run("write a.sqlite --yes").output.contains(way))
    let refused = CheckedWrite.Outcome.refused(field: nil, "no")
    let run = ready(["D1:reminders": refused, "M2:reminders": refused]).run("write a.sqlite --yes")
    #expect(!run.output.contains(way))
  }

  @Test("no way back is told of a store that takes nothing back")
  func noWayBack() {
    var info = ready().store.info
    #expect(WriteCommand.wayBack(info, "a.sqlite") == "To take this write back: parley undo a.sqlite")
    info.notUndone = "its function refuses it"
    let words = "This write cannot be taken back: its function refuses it."
    #expect(WriteCommand.wayBack(info, "a.sqlite") == words)
  }

  @Test("undo says that nothing can be taken back, and asks for no --yes that would be refused")
  func refusedUndo() {
    for arguments in ["", " M2", " --dry-run", " --skip"] {
      let session = Session(store: WatchedStore([Samples.milk], notUndone: "its function refuses it"))
      _ = session.run("resolve a.sqlite M2 --accept all")
      _ = session.run("write a.sqlite --yes")
      let run = session.run("undo a.sqlite" + arguments)
      #expect(run.status == .refused && run.errors == "", "\(run)")
      #expect(run.output.contains("its function refuses it") && !run.output.contains("parley undo"), "\(run)")
    }
  }

  @Test("behind an undo that is refused no other is offered where none is possible")
  func noOtherUndo() {
    let refused = ["M2:reminders": CheckedWrite.Outcome.refused(field: nil, "no")]
    for why in [nil, "its function refuses it"] {
      let store = WatchedStore([Samples.milk, Samples.dentist], undoing: refused, notUndone: why)
      let session = Session(store: store)
      for record in [Samples.dentist.id, Samples.milk.id] {
        _ = session.run("resolve a.sqlite \(record) --accept all")
        _ = session.run("write a.sqlite \(record) --yes")
      }
      let run = session.run("undo a.sqlite --yes")
      #expect(run.output.contains("--skip") == (why == nil), "\(run)")
    }
  }

  @Test("behind what doctor has mended no undo is offered where none is possible")
  func mendedForGood() {
    let (id, title) = (Samples.milk.id, "Milk")
    let finding = Finding(
      id: Finding.interrupted(id), table: "reminders", record: "M2", title: title, what: "interrupted write",
      evidence: "it is", cause: "why", remedy: "finish it", canBeMended: "it is finished", isInterrupted: true
    )
    let store = WatchedStore([Samples.milk], findings: [finding], notUndone: "its function refuses it")
    let record = InterruptedWrite.Record(id: id, title: title, state: .half)
    store.leave(InterruptedWrite(act: .write, records: [record]))
    let run = Session(store: store).run("doctor a.sqlite \(finding.id) --mend --yes")
    #expect(run.output == "This write cannot be taken back: its function refuses it.\n", "\(run)")
  }
}
