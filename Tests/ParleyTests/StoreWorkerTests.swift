import Desk
import Foundation
import MemoryStores
import Merging
import StoreInterface
import Testing

@testable import parley

/// What the desk's worker makes of a store, without a terminal.
struct StoreWorkerTests {
  private let store = MemoryStore(conflicts: [Samples.milk, Samples.dentist])

  private func write(_ conflict: RecordConflict) throws -> LastWrite.ID {
    let draft = try #require(conflict.draft(conflict.accepting(.yours, in: Resolution())))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    return try #require(try store.lastWrite()).id
  }

  private func answer(_ ask: (StoreWorker) -> Void) throws -> DeskEvent {
    let inbox = try EventInbox()
    let worker = StoreWorker(store: store, inbox: inbox)
    ask(worker)
    var events: [DeskEvent] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while events.isEmpty, .now < deadline {
      inbox.takeAll { events.append($0) }
      sched_yield()
    }
    return try #require(events.first)
  }

  /// Another Parley wrote after the screen had shown what would be taken back.
  @Test func onlyTheWriteThatWasShownIsTakenBack() throws {
    let shown = try write(Samples.milk)
    let newer = try write(Samples.dentist)
    for ask in [{ $0.checkUndo(shown) }, { $0.undoWrite(shown) }] as [(StoreWorker) -> Void] {
      guard case .failed(let words) = try answer(ask) else {
        Issue.record("an older write was taken back, or looked at")
        return
      }
      #expect(words == "This is no longer the last write. Esc, and u shows which is.")
      #expect(try store.lastWrite()?.id == newer)
    }
    guard case .undid(let undone) = try answer({ $0.undoWrite(newer) }) else {
      Issue.record("the last write was not taken back")
      return
    }
    #expect(undone.map(\.id) == [Samples.dentist.id])
  }
}
