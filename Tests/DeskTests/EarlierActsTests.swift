import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// `u` in a desk that was opened again.
@Suite struct EarlierActsTests {
  /// What was typed before, each decision a minute after the one before it.
  private func again(after keys: String, writes: [JournalEntry] = []) -> TestDesk {
    let first = TestDesk().typing(keys)
    var desk = TestDesk()
    desk.journal = first.journal.enumerated().map { index, decision in
      var decision = decision
      decision.decidedAt = Sample.now - Int64(first.journal.count - index) * Sample.minute
      return decision
    }
    desk.writes = writes
    desk.state.open = [:]
    desk.take(.storeChanged)
    return desk
  }

  private func resolution(_ desk: TestDesk) -> Resolution { Sample.dentist.resolution(from: desk.journal) }

  @Test func whatWasDecidedBeforeIsTakenBackStepByStep() {
    let desk = again(after: "<enter>gsjjcs")
    #expect(resolution(desk).choices.count == 2)
    let once = desk.typing("u")
    #expect(resolution(once)[.field("list")] == .take(.client), "\(once.screen)")
    #expect(
      once.state.status?.text.hasPrefix("Undone: Call dentist: list, decided 12:09:02 in an earlier session")
        == true,
      "\(once.screen)")
    #expect(resolution(desk.typing("uu")) == Resolution(choices: [.field("title"): .take(.server)]))
    let all = desk.typing("uuu")
    #expect(resolution(all).isEmpty)
    #expect(resolution(all.typing("U"))[.field("title")] == .take(.server))
    #expect(all.typing("u").state.status?.text == "There is nothing to take back: no decision, and no write.")
  }

  /// It was decided for a write of another session, which may be half in the store.
  @Test func whatWasDecidedForAWriteThatIsNotFinishedStays() {
    var desk = again(after: "<enter>gs")
    let record = InterruptedWrite.Record(id: Sample.dentist.id, title: "Call dentist", state: .half)
    desk.take(.interrupted([InterruptedWrite(isUndo: false, records: [record])]))
    let decided = desk.journal.count
    desk.type("u")
    #expect(
      desk.state.status?.text
        == "Nothing is taken back before it is known what of the last write is in the store. r finishes it or takes it back, record by record.",
      "\(desk.screen)")
    #expect(desk.journal.count == decided && !resolution(desk).isEmpty)
    // What this session decides is no part of it.
    desk.type("<enter>gjjc")
    #expect(desk.journal.count == decided + 1)
    #expect(desk.typing("u").journal.count == decided + 2)
    desk.take(.interrupted([]))
    #expect(resolution(desk.typing("uu")).isEmpty, "\(desk.typing("uu").screen)")
  }

  /// `parley undo`, while a desk is open that has written.
  @Test func aWriteThatSomebodyElseTookBackIsPast() {
    var desk = TestDesk([Sample.dentist, Sample.clock]).typing("cwY")
    #expect(desk.written.count == 1, "\(desk.screen)")
    desk.written = [:]
    let back = desk.typing("<esc>u")
    #expect(resolution(back).isEmpty, "\(back.screen)")
    #expect(back.state.status?.text.hasPrefix("Undone: Call dentist") == true, "\(back.screen)")
    #expect(back.state.list.count == 3, "the list is read again, with its finding: \(back.screen)")
    let all = back.typing("uuu")
    #expect(all.state.status?.text == "There is nothing to take back: no decision, and no write.")
  }

  /// It lies below, and is none of what `u` takes back now.
  @Test func aWriteBelowAnotherOneIsNotPast() {
    var desk = TestDesk([Sample.dentist, Sample.clock]).typing("cwY")
    (desk.mended, desk.written) = (["16:reminders"], [:])
    let review = desk.typing("<esc>u")
    #expect(review.state.topic == .review && !resolution(review).isEmpty, "\(review.screen)")
  }

  /// By another Parley, while this desk was open.
  @Test func whatAnotherDecidedMeanwhileIsTakenBackWhereNothingElseIs() {
    var desk = TestDesk()
    let other = TestDesk([Sample.dentist]).typing("c").journal.map { decision in
      var decision = decision
      decision.decidedAt = Sample.now + Sample.minute
      return decision
    }
    desk.journal = other
    desk.state.open = [:]
    desk.now = Sample.now + 2 * Sample.minute
    desk.take(.storeChanged)
    #expect(desk.state.list.counts[.ready] == 1, "\(desk.screen)")
    let back = desk.typing("u")
    #expect(back.state.list.counts[.ready] == 0, "\(back.screen)")
    #expect(back.typing("uu").state.status?.text.hasPrefix("There is nothing to take back") == true)
  }

  /// What took back a decision that lies further back than is looked is no act that others changed meanwhile.
  @Test func whatWasTakenBackFurtherBackIsNoAct() {
    let made = TestDesk().typing("Bjj Y").journal
    let back = made.map { decision in
      var decision = decision
      (decision.choice, decision.decidedAt) = (nil, decision.decidedAt + 1)
      return decision
    }
    for kept in 0...made.count {
      let entries = (made.suffix(kept) + back).map { JournalEntry($0) }.reversed()
      #expect(EarlierActs(Array(entries), before: .max).steps.isEmpty, "\(kept)")
    }
    #expect(!EarlierActs(made.reversed().map { JournalEntry($0) }, before: .max).steps.isEmpty)
  }

  /// The journal keeps the decisions of a bulk act one by one, of one moment.
  @Test func whatWasDecidedInBulkIsTakenBackInOneGo() {
    let first = TestDesk().typing("Bjj Y")
    let ids = Set(first.journal.map(\.id))
    var desk = TestDesk()
    desk.journal = first.journal.map { decision in
      var decision = decision
      decision.decidedAt = Sample.now - Sample.minute
      return decision
    }
    desk.state.open = [:]
    desk.take(.storeChanged)
    #expect(ids.count == 3 && desk.state.list.counts[.ready] == 3, "\(desk.screen)")
    let back = desk.typing("u")
    #expect(back.state.status == .told("3 drafts taken back. U makes them again."), "\(back.screen)")
    #expect(back.state.list.counts[.ready] == 0)
    #expect(back.typing("U").state.list.counts[.ready] == 3)
  }

  @Test func whatThisSessionDidIsTakenBackFirst() {
    let desk = again(after: "<enter>gs").typing("<enter>gjjc")
    #expect(resolution(desk.typing("u")) == Resolution(choices: [.field("title"): .take(.server)]))
    #expect(resolution(desk.typing("uu")).isEmpty)
  }

  @Test(arguments: ["<enter>su", "<enter>csuu", "<enter>sx"])
  func whatWasTakenBackThenIsNotDoneAgain(keys: String) {
    let desk = again(after: keys)
    let all = desk.typing("uuu")
    #expect(resolution(all).isEmpty && all.journal.allSatisfy { $0.decidedAt <= Sample.now }, "\(all.screen)")
    #expect(all.state.status?.text.hasPrefix("There is nothing to take back") == true)
  }

  /// A write is asked about, and no newer decision is gone past.
  @Test func aWriteIsTakenBackWhenItsTurnComes() {
    let write = { (time: Int64) in
      JournalEntry(time: time, record: "16:reminders", title: "Coffee", event: .ended(.write))
    }
    var desk = again(after: "<enter>s", writes: [write(Sample.now - 9 * Sample.minute)])
    desk.mended = ["16:reminders"]
    let once = desk.typing("u")
    #expect(resolution(once).isEmpty && once.state.topic == .list)
    #expect(once.typing("u").state.topic == .review)
    var newer = again(after: "<enter>s", writes: [write(Sample.now - 1)])
    newer.mended = ["16:reminders"]
    let review = newer.typing("u")
    #expect(review.state.topic == .review && resolution(review).choices.count == 1)
  }

  @Test func whatWasWrittenIsPast() {
    var desk = again(after: "<enter>s")
    desk.journal = desk.journal.map {
      var decision = $0
      decision.isWritten = true
      return decision
    }
    #expect(desk.typing("u").state.status?.text.hasPrefix("There is nothing to take back") == true)
  }
}
