import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

@Suite struct TwoDesksTests {
  private let title = Subject.field("title")

  @Test func whatIsDecidedAgainIsJournalledAgain() {
    #expect(TestDesk().typing("<enter>cc").journal.map(\.choice) == [.take(.client), .take(.client)])
    #expect(TestDesk().typing("<enter>gcgx").journal.map(\.choice) == [.take(.client), nil])
    let whole = TestDesk().typing("c").journal.count
    #expect(TestDesk().typing("cc").journal.count == 2 * whole)
  }

  private func told(_ side: String) -> String {
    "Another Parley decided title of Call dentist meanwhile: \(side) taken."
  }

  @Test func whatAnotherDecidedIsTakenOverAndTold() {
    var desk = TestDesk().typing("<enter>c")
    desk.another(decides: "42:reminders", title, .take(.server))
    #expect(desk.state.open["42:reminders"]?.resolution[title] == .take(.server))
    desk.type("k")
    #expect(
      desk.state.status == .told(told("server")))
    #expect(desk.typing("k").state.status == nil)
  }

  /// Somebody may only look.
  @Test func whatAnotherDecidedIsToldWithoutAKey() {
    var desk = TestDesk().typing("<enter>")
    #expect(desk.state.update(.journalChanged, now: Sample.now) == [.hear])
    desk.another(decides: "42:reminders", title, .take(.server))
    desk.take(.heard)
    #expect(
      desk.state.status == .told(told("server")))
    desk.take(.heard)
    #expect(
      desk.state.status == .told(told("server")))
    desk.another(decides: "42:reminders", title, .take(.client))
    desk.take(.heard)
    #expect(
      desk.state.status == .told(told("client")))
  }

  /// The words of this desk's own decision are no longer true then.
  @Test func whatAnotherOverruledIsNotCalledTaken() {
    var desk = TestDesk().typing("<enter>gs")
    desk.another(decides: "42:reminders", title, .take(.client))
    desk.take(.heard)
    #expect(
      desk.state.status == .told("Another Parley decided title of Call dentist meanwhile: client taken."))

    var beside = TestDesk().typing("<enter>gs")
    let own = beside.state.status?.text ?? ""
    beside.another(decides: "42:reminders", .field("list"), .take(.server))
    beside.take(.heard)
    #expect(own.contains("server") && beside.state.status?.text.hasPrefix(own) == true)
  }

  /// What was told of a key stands first where another decides after it, and last where it was pressed after that.
  @Test func whatHappenedFirstIsToldFirst() {
    let (undone, decided) = (
      "Taken back: Call dentist: title",
      "Another Parley decided list of Call dentist meanwhile: server taken."
    )
    var after = TestDesk().typing("<enter>gsu")
    after.another(decides: "42:reminders", .field("list"), .take(.server))
    after.take(.heard)
    #expect(after.state.status == .told("\(undone). \(decided)"))
    var before = TestDesk().typing("<enter>gs")
    before.another(decides: "42:reminders", .field("list"), .take(.server))
    before.type("u")
    #expect(before.state.status == .told("\(decided) \(undone)"))
  }

  /// The next change takes the place of what stands behind its words, and the next decision that of the one before.
  @Test func whatAnotherDecidedStandsBeforeWhatChanged() {
    let change = "The store has changed: 2 no longer in conflict."
    var desk = TestDesk().typing("<enter>")
    desk.state.status = .told("Next: Groceries. \(change)")
    for side in [Side.server, .client] {
      desk.another(decides: "42:reminders", title, .take(side))
      desk.take(.heard)
      #expect(desk.state.status == .told("Next: Groceries. \(told(side.rawValue)) \(change)"))
    }
  }

  /// A failure stays one.
  @Test func whatFailedIsToldAsThatBesideWhatAnotherDecided() {
    var desk = TestDesk(access: .readOnly(reason: "in use")).typing("cwY")
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    desk.take(.heard)
    #expect(desk.state.status?.isFailure == true, "\(desk.screen)")
  }

  @Test func whatAnotherTookBackIsNotCalledTaken() {
    var desk = TestDesk().typing("<enter>")
    desk.another(decides: "42:reminders", title, nil)
    desk.type("k")
    #expect(
      desk.state.status
        == .told("Another Parley took back the decision on title of Call dentist meanwhile: open again."))
    for (choices, words) in [
      ([Choice?.none, nil], "took 2 back on"), ([.take(.client), nil], "took 1 decision and took 1 back on"),
      ([.take(.client), .take(.client)], "took 2 decisions on"),
    ] {
      var desk = TestDesk().typing("<enter>")
      for (field, choice) in zip(["title", "list"], choices) {
        desk.another(decides: "42:reminders", .field(field), choice)
      }
      desk.type("k")
      #expect(
        desk.state.status == .told("Another Parley \(words) Call dentist meanwhile."))
    }
  }

  /// Of a record of several fields as of one: what stands is not denied.
  @Test func whatAnotherDecidedInPartIsTakenBack() {
    var desk = TestDesk().typing("<enter>gs<esc>")
    desk.another(decides: "42:reminders", title, .take(.client))
    #expect(desk.state.list.ready.isEmpty)
    desk.now = Sample.now + 1
    desk.type("u")
    #expect(
      desk.journal.last?.choice != .take(.client) && desk.journal.last?.subject == title, "\(desk.screen)")
    #expect(desk.state.status?.text.hasPrefix("Taken back: Call dentist: title") == true, "\(desk.screen)")
  }

  @Test func aDecisionAfterAnothersHoldsAndBothAreTold() {
    var desk = TestDesk().typing("<enter>gc")
    desk.another(decides: "42:reminders", title, .take(.server))
    desk.type("c")
    #expect(desk.state.open["42:reminders"]?.resolution[title] == .take(.client))
    #expect(desk.journal.last?.choice == .take(.client))
    #expect(
      desk.state.status
        == .told(
          "Another Parley had decided title of Call dentist: server taken. Yours is newer. "
            + "The client is taken for title: u takes it back."))
  }

  @Test func acceptingAllLeavesWhatAnotherDecided() {
    var desk = TestDesk()
    desk.another(decides: "42:reminders", title, .take(.client))
    desk.type("A")
    #expect(desk.state.open["42:reminders"]?.resolution[title] == .take(.client))
  }

  /// What the settings have wrong, say, which nobody would ever read.
  @Test func whatIsToldAtTheStartStaysUntilAKey() {
    var state = TestDesk().state
    _ = state.update(.notice("The key l is taken."), now: Sample.now)
    _ = state.update(.notice("So is s."), now: Sample.now)
    _ = state.update(.heard, now: Sample.now)
    #expect(state.status == .failed("The key l is taken. So is s."))
  }

  /// The same words are the reason of something else, which stays to be read once the journal is heard again.
  @Test func whyADecisionWasNotKeptStaysOnceTheJournalIsHeard() {
    var state = TestDesk([Sample.dentist]).typing("<enter>g").state
    _ = state.update(.notHeard("The journal is locked."), now: Sample.now)
    _ = state.update(.terminal(.key("c")), now: Sample.now)
    _ = state.update(.journalFailed("The journal is locked."), now: Sample.now)
    _ = state.update(.notHeard("The journal is locked."), now: Sample.now)
    _ = state.update(.heard, now: Sample.now)
    #expect(state.status?.text == "Not decided, as it could not be kept: The journal is locked.")
  }

  /// As where somebody deleted it: with every key, behind what the key itself has to tell.
  @Test func aJournalThatCannotBeAskedIsToldAfterTheKey() {
    var state = TestDesk().typing("j").state
    _ = state.update(.notHeard("The journal is gone."), now: Sample.now)
    #expect(state.status == .failed("The journal is gone."))
    _ = state.update(.terminal(.key("w")), now: Sample.now)
    _ = state.update(.notHeard("The journal is gone."), now: Sample.now)
    #expect(state.status?.text.hasPrefix("Nothing is ready") == true)
    #expect(state.status?.text.hasSuffix(" The journal is gone.") == true)
    _ = state.update(.notHeard("The journal is gone."), now: Sample.now)
    #expect(state.status?.text.ranges(of: "The journal is gone.").count == 1)
  }

  @Test func undoTakesBackOwnDecisionsOnly() {
    var desk = TestDesk().typing("<enter>gs")
    desk.another(decides: "42:reminders", .field("list"), .take(.server))
    desk.type("u")
    #expect(
      desk.state.open["42:reminders"]?.resolution == Resolution(choices: [.field("list"): .take(.server)]))
    #expect(Sample.dentist.resolution(from: desk.journal)[.field("list")] == .take(.server))

    var overruled = TestDesk().typing("<enter>gs")
    overruled.another(decides: "42:reminders", title, .take(.client))
    #expect(overruled.state.history.lastAct == nil)
  }

  @Test func aReviewShowsWhatAnotherDecidedBeforeItCanBeWritten() {
    var desk = TestDesk().typing("jcw")
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    #expect(desk.typing("Y").written["87:reminders"]?["due"] == .text("2026-11-24 00:00:00.000"))

    // Until it was read again nothing is written.
    var waiting = TestDesk().typing("jcw").state
    let decision = Decision(
      id: "87:reminders", subject: .field("due"), choice: .take(.server),
      fingerprint: Sample.tie.fingerprint(of: .field("due")), decidedAt: Sample.now)
    let effects = waiting.update(.othersDecided([decision], inForce: [decision]), now: Sample.now)
    #expect(effects == [.readDrafts(["87:reminders"])])
    #expect(waiting.update(.terminal(.key("Y")), now: Sample.now).isEmpty)
    #expect(
      waiting.status?.text
        == "Another Parley decided due of Rotate garden beds meanwhile: server taken. It is being checked. One moment. "
        + PassingWordsTests.leftY)
    // The moment is over with the check, and the rest stays to be read.
    let decided = DecidedConflict(Sample.tie, decisions: [decision])
    _ = waiting.update(.drafts([decided]), now: Sample.now)
    let fine = CheckedWrite(id: "87:reminders", title: "Rotate garden beds", outcome: .fine)
    _ = waiting.update(.checked([fine], .writable), now: Sample.now)
    let decidedWords = "Another Parley decided due of Rotate garden beds meanwhile: server taken."
    #expect(waiting.status == .told("\(decidedWords) \(PassingWordsTests.leftY)"))
    // Heard of without a key it stands behind the moment.
    waiting.status = .told("It is being checked. One moment. \(decidedWords)")
    _ = waiting.update(.drafts([decided]), now: Sample.now)
    _ = waiting.update(.checked([fine], .writable), now: Sample.now)
    #expect(waiting.status == .told(decidedWords))
  }

  @Test func aRecordThatWasNotReadYetIsRead() {
    var desk = TestDesk()
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    #expect(desk.state.list.summary("87:reminders")?.isReady == true)
  }

  /// Up to twenty one by one; more are found faster by walking through the store again.
  @Test(arguments: [20, 21]) func ofManyRecordsThatWereNotReadTheListIsReadAgain(count: Int) {
    let records = (0..<count).map {
      Sample.edit(
        "\($0):reminders", title: "Milk", client: ["priority": .integer(2)], at: Sample.now,
        server: ["priority": (.integer(3), Sample.now)])
    }
    var state = TestDesk(records).state
    state.open = [:]
    state.list.reading = records[0].id
    let decisions = records.map {
      Decision(
        id: $0.id, subject: .field("priority"), choice: .take(.server), fingerprint: "", decidedAt: Sample.now
      )
    }
    let effects = state.update(.othersDecided(decisions, inForce: decisions), now: Sample.now)
    #expect(effects == (count == 20 ? records.map { .open(id: $0.id) } : [.walk]))
  }

  @Test func manyDecisionsAreCounted() {
    var desk = TestDesk()
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    desk.another(decides: "42:reminders", title, .take(.server))
    desk.type("k")
    #expect(
      desk.state.status?.text == "Another Parley took 2 decisions on 2 records meanwhile."
    )
  }
}
