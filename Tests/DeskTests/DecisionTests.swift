import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

@Suite struct DecisionTests {
  @Test func everyDecisionIsHandedToTheJournalAtOnce() {
    let desk = TestDesk().typing("<enter>gsjjc")
    #expect(desk.journal.map(\.subject) == [.field("title"), .field("list")])
    #expect(desk.journal.map(\.choice) == [.take(.server), .take(.client)])
    #expect(desk.journal.allSatisfy { $0.id == "42:reminders" && $0.decidedAt == Sample.now })
  }

  @Test func aDecisionThatCannotBeKeptWasNeverTaken() {
    var desk = TestDesk()
    desk.type("<enter>gs")
    desk.journalIsFull = true
    desk.type("jc")
    #expect(
      desk.state.open["42:reminders"]?.resolution == Resolution(choices: [.field("title"): .take(.server)]))
    #expect(desk.state.status?.isFailure == true)
    desk.journalIsFull = false
    desk.type("u")
    #expect(desk.state.open["42:reminders"]?.resolution == Resolution())
  }

  @Test func undoneAndDoneAgainIsTheSameAndBothAreJournalled() {
    let decided = TestDesk().typing("<enter>Ajjc")
    let again = decided.typing("uuUU")
    #expect(again.state.open["42:reminders"] == decided.state.open["42:reminders"])
    #expect(again.journal.count == decided.journal.count * 3)
    let record = Sample.dentist
    #expect(record.resolution(from: again.journal) == record.resolution(from: decided.journal))
    #expect(record.resolution(from: decided.typing("uu").journal) == Resolution())
  }

  @Test func aNewDecisionEndsWhatCouldBeDoneAgain() {
    let desk = TestDesk().typing("<enter>sujcU")
    #expect(desk.state.status == .told("Nothing to redo."))
    let words = "No decision was taken back. A write that was taken back is done again by w."
    #expect(TestDesk().typing("cU").state.status == .told(words))
    let mend = " A mend that was taken back is done again by m."
    let store = TestDesk(findings: [MendTests.mendable])
    #expect(store.typing("cU").state.status == .told(words + mend))
    #expect(store.typing("U").state.status == .told("No decision was taken back." + mend))
  }

  @Test func undoGoesToTheRecordThatChanges() {
    let desk = TestDesk().typing("<enter>sn<esc>u")
    #expect(desk.state.list.selected?.id == "42:reminders")
  }

  @Test func undoReadsTheRecordAgainIfItWasPutAway() {
    var desk = TestDesk().typing("s")
    desk.type("r")
    desk.state.open.removeAll()
    desk.type("u")
    #expect(Sample.dentist.resolution(from: desk.journal) == Resolution())
  }

  @Test func acceptLeavesOpenWhatIsForAPerson() throws {
    let desk = TestDesk().typing("A")
    let record = try #require(desk.state.open["42:reminders"])
    #expect(record.conflict.undecided(in: record.resolution) == [.field("list")])
    #expect(
      desk.state.status?.text
        == "Call dentist: 5 taken. Given up: 2 edits of what both changed (title, notes). 1 to decide.")
  }

  @Test func aBlobThatIsNotHereCannotBeTaken() {
    let desk = TestDesk().typing("jjjjjjj<enter>sA")
    #expect(desk.journal.isEmpty)
  }

  /// In the list, too: nothing was taken, so nothing else is said.
  @Test func ofASideOfWhichNothingCanBeTakenNothingIsSaidToBeTaken() {
    let desk = TestDesk([Sample.cover]).typing("s")
    #expect(desk.journal.isEmpty)
    #expect(
      desk.state.status
        == .failed(
          "Poster: The server's bytes are not here, only their hash. Take another side, or give a file."))
    var both = Sample.cover
    both = Sample.edit(
      both.id, title: both.title,
      client: ["cover": .blob(Blob(bytes: [1, 2, 3])), "notes": .text("A2")], at: Sample.now,
      server: ["cover": (.blob(Blob(sha256: Array(repeating: 0x5A, count: 32), count: 900)), Sample.now)])
    let partly = TestDesk([both]).typing("s")
    #expect(partly.journal.map(\.subject) == [.field("notes")])
    #expect(
      partly.state.status?.text.hasPrefix(
        "Poster: server taken, but cover cannot be taken from it: still to decide. Given up: 1 edit") == true,
      "\(partly.screen)")
  }

  @Test func spaceTakesTheCellUnderTheCursor() {
    func taken(_ keys: String) -> [Choice?] { TestDesk().typing("<enter>g" + keys).journal.map(\.choice) }
    #expect(taken("h ") == [.take(.client)] && taken("hh ") == [.take(.ancestor)])
    #expect(taken("hhll ") == [.take(.server)])
  }

  /// In every field anew, whichever cell somebody went to in another.
  @Test func spaceTakesWhatIsMarkedWhereNobodyWentToAnotherCell() {
    for keys in [" ", "hhjk "] {
      #expect(TestDesk().typing("<enter>g" + keys).journal.map(\.choice) == [.take(.server)], "the title's")
    }
    #expect(TestDesk().typing("<enter>gak ").journal.map(\.choice) == [.take(.ancestor), .take(.ancestor)])
  }

  @Test func forgettingIsADecisionToo() {
    let desk = TestDesk().typing("<enter>sx")
    #expect(desk.journal.map(\.choice) == [.take(.server), nil])
    #expect(desk.state.open["42:reminders"]?.resolution == Resolution())
  }

  @Test func tabVisitsOnlyWhatIsUndecided() {
    let desk = TestDesk().typing("<enter>A<tab>s")
    #expect(desk.state.open["42:reminders"].map { $0.conflict.isReady($0.resolution) } == true)
    let next = desk.typing("<tab>")
    #expect(next.state.top.record == "87:reminders" && next.journal == desk.journal)
    let alone = TestDesk([Sample.dentist]).typing("<enter>A<tab>s<tab>")
    #expect(alone.state.status?.text.hasPrefix("All is decided here") == true)
  }

  @Test func aCommandWaitsForItsRecord() {
    var state = DeskState(
      store: StoreInfo(name: "x", path: "x", kind: "x", writing: ""), access: .writable,
      size: Size(columns: 80, rows: 24), now: Sample.now, localIsUTC: true)
    let conflict = Sample.tie
    let summary = ConflictSummary(conflict, resolution: Resolution())
    #expect(
      state.update(.found(ConflictPage(summaries: [summary], seen: 1)), now: 1) == [.open(id: conflict.id)])
    #expect(state.update(.terminal(.key("c")), now: 2).isEmpty)
    let effects = state.update(.opened(conflict, []), now: 3)
    guard case .journal(let decisions)? = effects.first else {
      Issue.record("the command was lost")
      return
    }
    #expect(decisions.map(\.choice) == [.take(.client)])
  }

  @Test func deletionIsDecidedAsAWhole() {
    let desk = TestDesk().typing("jj<enter>c")
    #expect(desk.journal.map(\.subject) == [.record])
    #expect(desk.typing("<esc>wY").written["91:reminders"]?["title"] == .text("Old invoice, paid"))
    #expect(TestDesk().typing("jjswY").written["91:reminders"]?.action == .delete)
  }

  @Test func decisionsOfAnEarlierSessionAreThere() {
    let first = TestDesk().typing("<enter>A<tab>s")
    var second = TestDesk()
    second.journal = first.journal
    second.type("r")
    #expect(second.state.list.counts[.ready] == 1)
  }

  @Test func takingASideInTheListTellsWhatIsGivenUp() {
    let server = TestDesk().typing("s")
    #expect(
      server.state.status
        == .told(
          "Call dentist: server taken. Given up: 1 edit that only the client made (due); "
            + "3 edits of what both changed (title, notes, list). u takes it back."))
    #expect(server.typing("u").state.open["42:reminders"]?.resolution == Resolution())
    #expect(
      TestDesk().typing("c").state.status?.text.contains(
        "1 edit that only the server made (priority); 3 edits")
        == true)
    #expect(
      TestDesk().typing("jjjjja").state.status?.text.contains("2 edits that only one side made") == true)
  }

  /// `u` would take back what was decided in between.
  @Test func whatIsTakenAlreadyIsToldSoBehindAnotherDecision() {
    var field = TestDesk().typing("<enter>gsjjcgs")
    let status = field.state.status?.text ?? ""
    #expect(
      status.hasPrefix("The server was taken for title already.") && !status.contains("u takes"), "\(status)")
    field.type("u")
    #expect(field.state.open["42:reminders"]?.resolution[.field("title")] == .take(.server))
    let list = TestDesk().typing("sjjcgs").state.status?.text ?? ""
    #expect(
      list.hasPrefix("Call dentist: server was taken already. Given up:") && !list.contains("u takes"),
      "\(list)")
    // Here it would take back more: the whole record.
    let one = TestDesk().typing("s<enter>gs").state.status?.text ?? ""
    #expect(one.hasPrefix("The server was taken for title already.") && !one.contains("u takes"), "\(one)")
  }

  @Test func takingARecordAsAWholeTellsWhatIsGivenUp() {
    #expect(
      TestDesk().typing("jjc").state.status
        == .told("Old invoice, paid: client taken. Given up: the server's deletion. u takes it back."))
    #expect(
      TestDesk().typing("jjs").state.status?.text.contains("Given up: the client's edit of title.") == true)
  }

  @Test func manyLeavesGiveUpWhatTheyChanged() {
    #expect(
      Bookshop.desk().typing("c").state.status
        == .told(
          "Walden: client taken. Given up: 2 edits that only one leaf made (pages, shelf); "
            + "2 edits of what several leaves changed (stock). u takes it back."))
  }

  /// Nothing is in the journal of what nobody decided.
  @Test func whatIsNotDecidedIsNotTakenBack() {
    let desk = TestDesk().typing("<enter>gx")
    #expect(desk.journal.isEmpty && desk.state.status == .told("Nothing is decided about title."))
    let forgotten = desk.typing("sgx")
    #expect(forgotten.journal.map(\.choice) == [.take(.server), nil])
    #expect(forgotten.state.status == .told("title is no longer decided: u decides it again."))
    let again = forgotten.typing("u")
    #expect(
      again.state.status?.text.hasPrefix("Decided again: Call dentist: title") == true, "\(again.screen)")
    #expect(again.state.open["42:reminders"]?.resolution[.field("title")] == .take(.server))
    #expect(again.typing("u").state.status?.text.hasPrefix("Taken back: Call dentist: title") == true)
  }

  /// It is about an earlier conflict of the record, which waits, and would decide that one as soon as it is listed.
  @Test func whatAnEarlierConflictKeepsIsTakenBackByTheSameKey() {
    let (earlier, title) = (Sample.dentist, Subject.field("title"))
    let kept = earlier.decisions(about: [title], in: Resolution(choices: [title: .take(.client)]), at: 1)
    var server = earlier.versions.server.fields ?? [:]
    server["title"] = FieldVersion(.text("Call the surgery"), time: Sample.now)
    var later = RecordConflict(
      id: earlier.id, table: earlier.table, primaryKey: earlier.primaryKey, title: earlier.title,
      fields: Sample.fields,
      versions: ThreeWay(
        ancestor: earlier.versions.ancestor, client: earlier.versions.client, server: .present(server)),
      details: earlier.details)
    (later.details.serverTag, later.details.earlier) = ("later", Set(kept.map(\.fingerprint.conflict)))
    var desk = TestDesk([later])
    desk.journal = kept
    desk.state.filling = { $0.replacing("PATH", with: "a.sqlite") }
    desk.take(.storeChanged)
    let told = { (desk: TestDesk) in desk.state.status?.text ?? "" }
    let elsewhere = desk.typing("<enter>x")
    #expect(elsewhere.journal == kept && told(elsewhere).contains("title is decided: x there takes"))
    // Without a name the command takes back what is decided of all records.
    #expect(told(elsewhere).hasSuffix("or parley resolve a.sqlite RECORD --forget all of the record."))
    for keys in ["<enter>gx", "<enter>cgx", "<enter>cgsx"] {
      let done = desk.typing(keys)
      #expect(done.journal.last?.subject == title && done.journal.last?.choice == nil, "\(keys)")
      #expect(told(done).contains("of an earlier conflict, which waits, is taken back"), "\(done.screen)")
      #expect(DecidedConflict(later, decisions: done.journal).kept.isEmpty)
      #expect(done.typing("x").journal == done.journal, "it is taken back once")
    }
  }

  /// What a person has to decide comes before what is suggested, and that before what is decided.
  @Test func aRecordBeginsAtWhatIsToDecideFirst() {
    let field = { (keys: String) in TestDesk().typing(keys).state.top(RecordPage.self)?.field }
    #expect(field("<enter>") == "list")
    #expect(field("<enter>c<esc><enter>") == "title")
    #expect(field("<enter>cgs<esc><enter>") == "notes")
    #expect(field("<enter>cA<esc><enter>") == nil)
    #expect(field("/dentist<enter><enter>") == "title", "that has the words")
    // A record that is read only then, too.
    var reading = TestDesk()
    reading.state.open = [:]
    #expect(reading.typing("<enter>").state.top(RecordPage.self)?.field == "list")
  }

  @Test func theCursorStaysOnItsFieldWhereOthersAreShownOrHidden() {
    // done is the last of the changed fields, and in the middle of all of them.
    #expect(TestDesk().typing("<enter>gG=c").journal.map(\.subject) == [.field("done")])
    #expect(TestDesk().typing("<enter>g=Gkkk=c").journal.map(\.subject) == [.field("done")])
    // One that is hidden has the cursor on the next that is shown, and gets it back.
    let folded = TestDesk().typing("<enter>=gjjjjjj=")
    #expect(folded.typing("c").journal.map(\.subject) == [.field("done")])
    #expect(folded.typing("=e2.5<enter>").journal.map(\.subject) == [.field("estimate")])
  }

  /// It would change nothing, and the cursor would be on another field for the next key. What was typed there is taken back so.
  @Test func whatAllSidesHaveIsNotTaken() {
    let desk = TestDesk(advances: true).typing("<enter>=gjjjjjj")
    #expect(desk.state.top(RecordPage.self)?.field == "estimate")
    for key in ["c", "s", "a", " ", "<enter>c"] {
      let pressed = desk.typing(key)
      let words = "All sides have the same in estimate: nothing to take. e types another value."
      #expect(pressed.journal.isEmpty && pressed.state.status == .failed(words), "\(key)\n\(pressed.screen)")
      #expect(pressed.state.page(RecordPage.self)?.field == "estimate", "\(key)")
    }
    // Neither what is hidden nor a file is typed.
    let hidden = desk.typing("Pc").state.status
    #expect(hidden == .failed("All sides have the same in estimate: nothing to take."))
    let file = Bookshop.desk([Bookshop.album]).typing("<enter>=gc").state.status
    #expect(file?.isFailure == true && file?.text.hasSuffix("nothing to take.") == true, "\(file as Any)")
    let footer = desk.screen.description.split(separator: "\n").last ?? ""
    #expect(!footer.contains("c client") && !footer.contains("s server"), "\(footer)")
    let typed = TestDesk().typing("<enter>=gjjjjjje2.5<enter>c")
    #expect(typed.journal.map(\.choice) == [.edit(.real(2.5)), .take(.client)])
  }

  @Test func theCursorStaysOnItsFieldWhereTheRecordIsReadAgain() {
    var desk = TestDesk().typing("<enter>gjj")
    var server = [String: (Value, Int64)]()
    server["list"] = (.text("12"), Sample.now)
    desk.take(
      .opened(Sample.edit("42:reminders", client: ["list": .text("9")], at: Sample.now, server: server), []))
    #expect(desk.typing("c").journal.map(\.subject) == [.field("list")])
  }
}

/// What can be taken back, last first.
@Suite struct HistoryTests {
  private func step(_ id: String, at time: Int64) -> History.Act {
    .step(
      History.Step(
        id: id, old: Resolution(), new: Resolution(choices: [.field("title"): .take(.client)]), time: time))
  }

  /// Those of a write that was taken back stand among those of other records, each in its time.
  @Test func decisionsOfAWriteThatWasTakenBackComeBackInTheirTime() {
    var history = History()
    for (time, id) in ["written", "other", "written too"].enumerated() {
      history.record(step(id, at: Int64(time)))
    }
    history.recordWrite(of: ["written", "written too"])
    history.record(step("after", at: 4))
    history.forgetLastWrite(of: ["written", "written too"])
    let order = (0..<4).map { _ in
      defer { history.undo() }
      guard case .step(let step)? = history.lastAct else { return "none" }
      return step.id
    }
    #expect(order == ["after", "written too", "other", "written"])
  }

  /// An act of earlier is put together record by record, and only once all of them are known.
  @Test func aLargeActOfEarlierIsOne() {
    let steps = (0..<30_000).map { number in
      History.Step(
        id: "\(number)", old: Resolution(), new: Resolution(choices: [.record: .take(.client)]), time: 3)
    }
    var history = History()
    let other = History.Step(id: "0", old: Resolution(), new: steps[0].new, time: 2)
    history.recall([other] + steps + [nil], isAll: true)
    #expect(history.lastAct == nil)
    history.forgetLastWrite(of: [])
    history.recall([other] + steps, isAll: true)
    guard case .bulk(let bulk)? = history.lastAct else {
      Issue.record("it is no bulk act")
      return
    }
    #expect(bulk.changes.count == 30_000)
    history.undo()
    #expect(history.lastAct == .step(other))
  }

  /// The key was pressed twice before the first answer came.
  @Test func askedTwiceItKnowsNoLess() {
    var history = History()
    let step = History.Step(
      id: "a", old: Resolution(), new: Resolution(choices: [.record: .take(.client)]), time: 9, place: 3)
    history.recall([step], isAll: false)
    history.recall([], isAll: false)
    #expect(history.earlier.oldest == 3)
    history.undo()
    #expect(history.lastAct == nil && history.wantsEarlier)
  }

  /// As the record has its fields, and not by their names.
  @Test func whatIsTakenBackIsToldInTheOrderOfTheFields() {
    let desk = TestDesk([Sample.dentist]).typing("<enter>A")
    let decided = Sample.dentist.fields.map(\.name).filter { name in
      desk.journal.contains { $0.subject == .field(name) }
    }
    #expect(decided.count > 1 && decided != decided.sorted())
    let told = desk.typing("u").state.status?.text ?? ""
    #expect(
      told.hasPrefix("Taken back: Call dentist") && told.contains(": \(decided.joined(separator: ", "))"),
      "\(told)")
  }

  /// What another decided since of one field leaves the others of the same act to be taken back.
  @Test func theRestOfAnActThatAnotherChangedStays() {
    let (title, notes) = (Subject.field("title"), Subject.field("notes"))
    func act(_ choices: [Subject: Choice]) -> [History.Act] {
      let step = History.Step(id: "a", old: Resolution(), new: Resolution(choices: choices), time: 1)
      let taken = choices.map { BulkChange.Taken(subject: $0.key, choice: $0.value) }
      return [.step(step), .bulk(History.Bulk([BulkChange(id: "a", seen: "", taken: taken)], time: 1))]
    }
    let rest = act([notes: .take(.server)])
    for (whole, rest) in zip(act([title: .take(.client), notes: .take(.server)]), rest) {
      var history = History()
      history.record(whole)
      history.forget([title], of: "a")
      #expect(history.lastAct == rest)
      history.forget([notes], of: "a")
      #expect(history.lastAct == nil)
    }
  }
}
