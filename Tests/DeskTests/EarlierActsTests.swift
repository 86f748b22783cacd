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
      once.state.status?.text.hasPrefix(
        "Taken back: Call dentist: list, decided 12:09:02 in an earlier session")
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
    desk.take(.interrupted([InterruptedWrite(act: .write, records: [record])]))
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

  /// Of an old write that stays unread something newer is known, and what was decided since is taken back.
  @Test(arguments: [(0, false), (2, true)] as [(Int64, Bool)])
  func aWriteOfBeforeTheLastOneHidesNoDecision(id: Int64, isHidden: Bool) {
    var desk = again(after: "<enter>gs")
    desk.written[Sample.clock.id] = Draft(id: Sample.clock.id, action: .save([]))
    let record = InterruptedWrite.Record(id: "M9:reminders", title: "Rice", state: .unread)
    desk.take(
      .interrupted([InterruptedWrite(act: .write, records: [record], hindrance: "nobody knows", id: id)]))
    desk.type("u")
    #expect(resolution(desk).isEmpty != isHidden, "\(desk.screen)")
    #expect(desk.state.status?.text.hasPrefix("Nothing is taken back before") == isHidden, "\(desk.screen)")
  }

  /// It has no decisions that would stand in the journal.
  @Test(arguments: [InterruptedWrite.State.complete, .untouched])
  func anImportThatIsNotFinishedIsInTheWayOfTakingBackAsAWriteIs(state: InterruptedWrite.State) {
    var desk = TestDesk()
    let record = InterruptedWrite.Record(id: Sample.dentist.id, title: "Call dentist", state: state)
    desk.take(.interrupted([InterruptedWrite(act: .import, records: [record])]))
    let words = "Nothing is taken back before it is known what of the last import is in the store. "
    #expect(desk.typing("u").state.status?.text.hasPrefix(words + "r finishes it") == true, "\(desk.screen)")
    // What was written before it is not what was done last.
    desk.written[Sample.clock.id] = Draft(id: Sample.clock.id, action: .save([]))
    let older = desk.typing("u")
    #expect(
      older.state.topic == .list && older.state.status?.text.hasPrefix(words) == true, "\(older.screen)")
    // Whether there is one is not known before the store has told it.
    let early = TestDesk(knowsInterrupted: false).typing("u")
    #expect(early.state.status?.text.hasPrefix("Whether a write was interrupted is not known") == true)
  }

  /// What it has taken back by half has moved by its own hand.
  @Test(arguments: [nil, "the app has it open"])
  func anUndoThatIsNotFinishedIsToldAndNotWhatItHasMoved(hindrance: String?) {
    var desk = TestDesk()
    desk.written[Sample.dentist.id] = Draft(id: Sample.dentist.id, action: .save([]))
    let record = InterruptedWrite.Record(id: Sample.dentist.id, title: "Call dentist", state: .half)
    desk.take(.interrupted([InterruptedWrite(act: .undo, records: [record], hindrance: hindrance)]))
    desk.type("u")
    let told = desk.state.status?.text ?? ""
    #expect(told.hasPrefix("Nothing else is taken back before the interrupted undo is finished. "), "\(told)")
    #expect(told.contains("r finishes it") && desk.state.topic == .list, "\(desk.screen)")
  }

  /// `parley undo`, while a desk is open that has written.
  @Test func aWriteThatSomebodyElseTookBackIsPast() {
    var desk = TestDesk([Sample.dentist, Sample.clock]).typing("cwY")
    #expect(desk.written.count == 1, "\(desk.screen)")
    (desk.written, desk.now) = ([:], Sample.now + 1)
    let back = desk.typing("<esc>u")
    #expect(resolution(back).isEmpty, "\(back.screen)")
    #expect(back.state.status?.text.hasPrefix("Taken back: Call dentist") == true, "\(back.screen)")
    #expect(back.state.list.count == 3, "the list is read again, with its finding: \(back.screen)")
    let all = back.typing("uuu")
    #expect(all.state.status?.text == "There is nothing to take back: no decision, and no write.")
  }

  private func written(_ id: String, at time: Int64 = Sample.now) -> JournalEntry {
    JournalEntry(time: time, record: id, title: "Coffee", event: .ended(.write))
  }

  /// It lies below, and is none of what `u` takes back now.
  @Test func aWriteBelowAnotherOneIsNotPast() {
    var desk = TestDesk([Sample.dentist, Sample.clock]).typing("cwY")
    (desk.mended, desk.written) = (["16:reminders"], [:])
    (desk.writes, desk.now) = ([written("16:reminders"), written("42:reminders")], Sample.now + 1)
    let review = desk.typing("<esc>u")
    #expect(review.state.topic == .review && !resolution(review).isEmpty, "\(review.screen)")
  }

  /// Of two writes the newer was taken back by somebody else: what was decided for it comes first, and the older write stays.
  @Test func theNewerOfTwoWritesIsPast() {
    var desk = TestDesk([Sample.dentist, Sample.clock]).typing("cwY")
    (desk.mended, desk.written) = (["16:reminders"], [:])
    (desk.writes, desk.now) = ([written("16:reminders", at: Sample.now - 1)], Sample.now + 1)
    let back = desk.typing("<esc>u")
    #expect(back.state.topic == .list && resolution(back).isEmpty, "\(back.screen)")
    #expect(back.typing("u").state.topic == .review)
  }

  /// What this desk decided is none of what stands: somebody else decided since.
  @Test func whatAnotherDecidedSinceIsNotTakenBackAsThisDesksOwn() {
    var desk = TestDesk([Sample.dentist]).typing("<enter>gc")
    let own = desk.journal.count
    var other = desk.journal[own - 1]
    (other.choice, other.decidedAt) = (.edit(.text("precious words")), Sample.now + 1)
    desk.journal.append(other)
    let conflict = DecidedConflict(Sample.dentist, decisions: desk.journal)
    desk.state.open[Sample.dentist.id] = conflict
    let back = desk.typing("u")
    #expect(
      back.state.status?.text == "Call dentist: title stands otherwise by now, and stays so.",
      "\(back.screen)")
    #expect(resolution(back)[.field("title")] == .edit(.text("precious words")))
    #expect(back.typing("U").journal.count == back.journal.count)
  }

  /// Two records whose names differ in their normal form alone, decided at one moment.
  @Test func twinsAreTwoActs() {
    let twins = ["caf\u{E9}:tags", "cafe\u{301}:tags"].map { id in
      RecordConflict(
        id: id, table: "tags", primaryKey: id, title: "", fields: Sample.fields,
        versions: Sample.dentist.versions)
    }
    let decisions = twins.flatMap {
      $0.decisions(
        about: [.field("title")], in: Resolution(choices: [.field("title"): .take(.server)]), at: 5)
    }
    let steps = EarlierActs(decisions.reversed().map { JournalEntry($0) }).steps
    #expect(steps.map { $0?.id.utf8.count } == twins.map(\.id.utf8.count))
  }

  /// Of a record that was written, brought in and taken out again the write still stands.
  @Test func anImportThatWasTakenBackIsNoWrite() {
    let entries = [
      JournalEntry(time: 9, record: "a", title: "", event: .ended(.undo)),
      JournalEntry(time: 8, record: "a", title: "", event: .ended(.import)),
      JournalEntry(time: 7, record: "a", title: "", event: .ended(.write)),
    ]
    #expect(EarlierActs(entries).steps.map { $0 == nil } == [true])
    let both = [JournalEntry(time: 10, record: "a", title: "", event: .ended(.undo))] + entries
    #expect(EarlierActs(both).steps.isEmpty)
  }

  /// Nor is there anything of it to take back, nor has it taken back what was written before it.
  @Test func whatWasInterruptedAndRolledBackIsNoAct() throws {
    let decided = try #require(
      Sample.dentist.decisions(
        about: [.field("title")], in: Resolution(choices: [.field("title"): .take(.client)]), at: 5
      ).first)
    func rolledBack(_ act: JournalEntry.Act, at time: Int64) -> JournalEntry {
      JournalEntry(time: time, record: decided.id, title: "", event: .ended(act, interrupted: .rolledBack))
    }
    let decision = JournalEntry(decided)
    #expect(EarlierActs([rolledBack(.write, at: 9), decision]).steps.map { $0 != nil } == [true])
    let written = JournalEntry(time: 7, record: decided.id, title: "", event: .ended(.write))
    #expect(EarlierActs([rolledBack(.undo, at: 9), written]).steps.map { $0 == nil } == [true])
  }

  /// What is taken back comes back to what stood before, however far back that lies.
  @Test func whatStoodBeforeAllThatIsLookedAtComesBack() throws {
    func decision(_ side: Side?, at time: Int64) throws -> Decision {
      let choices = side.map { [.field("title"): .take($0)] } ?? [Subject: Choice]()
      let decisions = Sample.dentist.decisions(
        about: [.field("title")], in: Resolution(choices: choices), at: time)
      return try #require(decisions.first)
    }
    let (old, new) = (try decision(.client, at: 1), try decision(.server, at: 2))
    func step(_ entries: [JournalEntry], standing: [Decision] = []) -> History.Step? {
      EarlierActs(entries, standing: standing).steps.last ?? nil
    }
    let whole = step([JournalEntry(new), JournalEntry(old)])
    #expect(whole?.old == Resolution(choices: [.field("title"): .take(.client)]))
    #expect(step([JournalEntry(new)], standing: [old]) == whole && step([JournalEntry(new)]) != whole)
    // What was written was about an earlier conflict: it would decide this one, which looks the same.
    for state in [Decision.Written.perhaps, .yes] {
      var written = old
      written.written = state
      #expect(step([JournalEntry(new)], standing: [written]) == step([JournalEntry(new)]))
      #expect(step([JournalEntry(new), JournalEntry(written)]) == step([JournalEntry(new)]))
    }
    #expect(
      try step([JournalEntry(new)], standing: [old, decision(nil, at: 1)]) == step([JournalEntry(new)]))
    // Who took it back came back to what was before: that is no act, and what was taken back none any more.
    #expect(try step([JournalEntry(decision(nil, at: 3))], standing: [new]) == nil)
  }

  /// The journal is read on where its newest entries are all of what was taken back.
  @Test func whatLiesFurtherBackIsFound() throws {
    let decision = try #require(TestDesk([Sample.dentist]).typing("<enter>gc").journal.last)
    let idle = (0..<5000).flatMap { number in
      [
        JournalEntry(time: 10, record: "\(number)", title: "", event: .ended(.undo)),
        JournalEntry(time: 9, record: "\(number)", title: "", event: .ended(.write)),
      ]
    }
    let all = idle + [JournalEntry(decision)]
    #expect(steps(all).count == 1 && steps(idle).isEmpty)
  }

  /// What `u` would take back of these entries, once the journal was asked so often.
  private func steps(
    _ entries: [JournalEntry], asking times: Int = 1, standing: (Decision) -> [Decision] = { _ in [] }
  ) -> [History.Step?] {
    var (known, steps) = (Int64?.none, [History.Step?]())
    for _ in 0..<times {
      let found = EarlierActs.find(upTo: nil, olderThan: known) {
        Array(entries.prefix($0))
      } _: {
        standing($1)
      }
      steps = found.steps(olderThan: known)
      known = steps.compactMap { $0?.place }.min() ?? known
    }
    return steps
  }

  /// Decisions of one moment, which is their place as well, about so many records, by default its own.
  private func act(_ count: Int, at time: Int64, of names: String? = nil) throws -> [JournalEntry] {
    let decision = try #require(TestDesk([Sample.dentist]).typing("<enter>gc").journal.last)
    return (0..<count).map { number in
      var one = decision
      (one.id, one.decidedAt) = ("\(names ?? "\(time)/")\(number)", time)
      var entry = JournalEntry(one)
      entry.place = time
      return entry
    }
  }

  /// What was decided at once is taken back at once, however much that is, and whatever was taken back since.
  @Test(arguments: [999, 1000, 3000, 70_000]) func anActIsFoundWhole(count: Int) throws {
    let older = (0..<9000).map { JournalEntry(time: 5, record: "\($0)", title: "", event: .ended(.write)) }
    for idle in [[], [JournalEntry(time: 8, record: "a", title: "", event: .ended(.undo))]] {
      let found = try steps(idle + act(count, at: 7) + older)
      #expect(found.count { $0?.time == 7 } == count)
    }
  }

  /// What was done since, as a taking back of more than is looked at, is none of what is looked at.
  @Test func whatWasDoneSinceHidesNothing() throws {
    let entries = try act(70_000, at: 9) + act(1, at: 7)
    let found = EarlierActs.find(upTo: 8, olderThan: nil) {
      Array(entries.prefix($0))
    } _: { _, _ in
      []
    }
    #expect(found.steps(olderThan: nil).map { $0?.time } == [7])
  }

  /// A choice that was made twice is one act, and who took it back has taken back both.
  @Test func theSameOnceMoreIsNoAct() {
    let twice = TestDesk([Sample.dentist]).typing("<enter>gcgc").journal
    #expect(twice.count == 2)
    func entries(_ decisions: [Decision]) -> [JournalEntry] {
      decisions.enumerated().reversed().map { index, decision in
        var decision = decision
        decision.decidedAt = Int64(index)
        return JournalEntry(decision)
      }
    }
    #expect(EarlierActs(entries(twice)).steps.count == 1)
    var back = twice[1]
    back.choice = nil
    #expect(EarlierActs(entries(twice + [back])).steps.isEmpty)
    #expect(EarlierActs(entries(Array(twice.suffix(1))), standing: [twice[0]]).steps.isEmpty)
  }

  /// The older of two acts is read once its turn comes, and all of it.
  @Test func anActThatIsCutOffIsNoneYet() throws {
    let entries = try act(700, at: 9) + act(700, at: 8) + act(1, at: 7)
    func counts(asking times: Int) -> [Int64?: Int] {
      Dictionary(grouping: steps(entries, asking: times)) { $0?.time }.mapValues(\.count)
    }
    #expect(counts(asking: 1) == [9: 700])
    #expect(counts(asking: 2) == [8: 700, 7: 1])
    #expect(steps(entries, asking: 3).isEmpty)
  }

  /// The journal is asked for what stood before the last that is looked at, and that is what is cut off with it.
  @Test func whatIsTakenBackComesBackToWhatWasCutOff() throws {
    let old = try act(1000, at: 8, of: "")
    let new = try act(1, at: 9, of: "").map { entry in
      guard case .decided(var decision) = entry.event else { return entry }
      decision.choice = .take(.server)
      var other = JournalEntry(decision)
      other.place = entry.place
      return other
    }
    let found = steps(new + old) { before in
      before.decidedAt > 8
        ? old.compactMap { if case .decided(let decision) = $0.event { decision } else { nil } } : []
    }
    #expect(found.count == 1 && found.last??.old.isEmpty == false)
  }

  /// Until the store has told of it a desk does not know of a write that was interrupted.
  @Test func nothingOfEarlierIsTakenBackBeforeThatIsKnown() {
    var desk = TestDesk(knowsInterrupted: false)
    desk.journal = TestDesk().typing("<enter>gs").journal.map { decision in
      var decision = decision
      decision.decidedAt = Sample.now - Sample.minute
      return decision
    }
    desk.state.open = [:]
    desk.take(.storeChanged)
    desk.type("u")
    #expect(desk.state.status?.text.hasPrefix("Whether a write was interrupted is not known yet") == true)
    #expect(!resolution(desk).isEmpty)
    desk.take(.interrupted([]))
    #expect(resolution(desk.typing("u")).isEmpty)
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
    #expect(back.state.status?.text.contains(" by another Parley") == true, "\(back.screen)")
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
      #expect(EarlierActs(Array(entries)).steps.isEmpty, "\(kept)")
    }
    #expect(!EarlierActs(made.reversed().map { JournalEntry($0) }).steps.isEmpty)
  }

  /// The clock was set back since: what was decided before has a later time than all that this session does.
  @Test func whatWasDecidedBeforeIsFoundWhateverTheClockSays() {
    var desk = again(after: "<enter>gsjjcs")
    let later = 9 * Sample.minute
    desk.journal = desk.journal.map { decision in
      var decision = decision
      decision.decidedAt += later
      return decision
    }
    desk.decidedBefore = desk.journal.count
    let once = desk.typing("u")
    #expect(resolution(once)[.field("list")] == .take(.client), "\(once.screen)")
    #expect(once.state.status?.text.contains("in an earlier session") == true, "\(once.screen)")
    #expect(resolution(desk.typing("uuu")).isEmpty, "\(desk.typing("uuu").screen)")
    // What this session decides is none of it, though it was decided at an earlier time.
    let own = desk.typing("<enter>gc<esc>uu")
    #expect(resolution(own)[.field("list")] == .take(.client), "\(own.screen)")
  }

  /// The record changed, so that what was decided of it before did not stand any more.
  @Test func whatWasTakenBackOfARecordThatChangedIsNoAct() throws {
    let decided = try #require(TestDesk([Sample.dentist]).typing("<enter>gc").journal.last)
    var (again, back) = (decided, decided)
    again.fingerprint = "00ff"
    (back.fingerprint, back.choice) = (again.fingerprint, nil)
    let entries = [back, again, decided].map { JournalEntry($0) }
    #expect(EarlierActs(entries).steps == EarlierActs(Array(entries.suffix(1))).steps)
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
    let told = "3 drafts taken back, decided 12:09:02 in an earlier session. U makes them again."
    #expect(back.state.status == .told(told), "\(back.screen)")
    #expect(back.state.list.counts[.ready] == 0)
    #expect(back.typing("U").state.list.counts[.ready] == 3)
  }

  /// As `parley resolve` leaves it: nobody calls that a draft of which something is left to decide.
  @Test func whatWasDecidedInPartIsNoDraft() {
    var desk = TestDesk()
    desk.journal = [Sample.dentist, Sample.clock].flatMap { conflict in
      let field = conflict.id == Sample.clock.id ? "priority" : "title"
      return conflict.decisions(
        about: [.field(field)], in: Resolution(choices: [.field(field): .take(.server)]),
        at: Sample.now - Sample.minute)
    }
    desk.state.open = [:]
    desk.take(.storeChanged)
    #expect(desk.state.list.counts[.ready] == 1, "\(desk.screen)")
    let words = "1 draft and 1 row decided in part"
    let back = desk.typing("u")
    let told = "\(words) taken back, decided 12:09:02 in an earlier session. U makes them again."
    #expect(back.state.status == .told(told), "\(back.screen)")
    #expect(back.typing("U").state.status?.text.hasPrefix("\(words) made again.") == true)
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

  @Test(arguments: [Decision.Written.perhaps, .yes]) func whatWasWrittenIsPast(written: Decision.Written) {
    var desk = again(after: "<enter>s")
    desk.journal = desk.journal.map {
      var decision = $0
      decision.written = written
      return decision
    }
    #expect(desk.typing("u").state.status?.text.contains("is nothing to take back") == true)
  }
}
