import Foundation
import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Another program writes to the store while the desk is open.
@Suite struct NoticeTests {
  private let dentist = "42:reminders"

  /// The dentist's record after the app has edited its title once more.
  private var retitled: RecordConflict {
    let seen = Sample.dentist
    var row = seen.versions.client.fields ?? [:]
    row["title"] = FieldVersion(.text("Call the vet"), time: Sample.now)
    return RecordConflict(
      id: dentist, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: Sample.fields,
      versions: ThreeWay(
        ancestor: seen.versions.ancestor, client: .present(row), server: seen.versions.server),
      details: seen.details)
  }

  @Test func aDecisionThatNoLongerHoldsIsToldWhileItsRecordIsOpen() {
    var desk = TestDesk().typing("<enter>gsjc")
    #expect(desk.state.open[dentist]?.resolution[.field("title")] == .take(.server))
    desk.change(retitled)
    #expect(desk.state.open[dentist]?.resolution[.field("title")] == nil)
    #expect(desk.state.status?.text.contains("Your decision on title no longer holds.") == true)
    #expect(desk.state.status?.text.contains("Call dentist has changed in the store (title).") == true)
    // And it stays to be read when the line is gone.
    #expect(desk.typing("g").screen.description.contains("Your decision on title no longer holds"))
  }

  /// A server has compacted it: who reads that three fields have changed looks for what somebody wrote.
  @Test func whereTheAncestorAloneWentThatIsTold() {
    let seen = Sample.dentist
    let compacted = RecordConflict(
      id: dentist, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: Sample.fields,
      versions: ThreeWay(
        ancestor: .unknown(reason: "not kept"), client: seen.versions.client, server: seen.versions.server),
      details: seen.details)
    var desk = TestDesk().typing("<enter>gsjc")
    desk.change(compacted)
    let words = "Call dentist: its ancestor is kept no longer, and nothing else has changed."
    #expect(desk.state.status?.text.contains(words) == true, "\(desk.screen)")
  }

  /// The log has it among what is in force.
  @Test(arguments: ["H", "<esc>J"]) func whatTheStoreOvertookIsNotTakenForInForce(keys: String) {
    var desk = TestDesk(columns: 120, rows: 40).typing("<enter>gsjc")
    let words = "no longer holds: the store has changed"
    #expect(!desk.typing(keys).screen.description.contains(words))
    desk.change(retitled)
    let screen = desk.typing(keys).screen
    #expect(screen.description.components(separatedBy: words).count == 2, "\(screen)")
  }

  /// Its own record, or another one, lies over the review meanwhile.
  @Test(arguments: ["<enter>", "G<enter>"]) func aDraftThatHasChangedDoesNotGoFromAReviewWithoutAWord(
    keys: String
  ) {
    var desk = TestDesk().typing("cjcw" + keys)
    desk.change(retitled)
    desk.type("<esc>")
    #expect(desk.state.top(ReviewPage.self)?.drafts.map(\.id) == ["87:reminders"], "\(desk.screen)")
    #expect(
      desk.state.status
        == .told("Call dentist is in this review no longer: it has changed in the store."))
    // Who opens it once it has moved sees what it is now.
    var later = TestDesk().typing("cjcw")
    later.outcomes["42:reminders"] = .moved("the row has changed")
    later.change(retitled)
    later.type("<tab><enter>")
    #expect(later.state.status?.text.contains("Call dentist has changed in the store (title).") == true)
    later.type("<esc>")
    #expect(later.state.status == desk.state.status, "\(later.screen)")
    // What somebody takes back in person is no news.
    let own = TestDesk().typing("cjcw<enter>gx<esc>")
    #expect(own.state.top(ReviewPage.self)?.drafts.count == 1 && own.state.status == nil, "\(own.screen)")
  }

  private func interrupted(_ hindrance: String? = nil) -> InterruptedWrite {
    InterruptedWrite(
      act: .write, records: [.init(id: dentist, title: "Call dentist", state: .half)], hindrance: hindrance)
  }

  @Test func aWriteThatWasInterruptedIsToldWithTheWayAndFinishedByR() {
    var desk = TestDesk()
    desk.take(.interrupted([interrupted()]))
    #expect(
      desk.screen.description.contains("A write was interrupted: of its 1 record 1 is half written."))
    #expect(desk.state.status?.text.hasSuffix("r finishes it or takes it back, record by record.") == true)
    desk = desk.typing("j")
    #expect(desk.screen.description.contains("reminders.sqlite   interrupted "))
    desk = desk.typing("r")
    #expect(desk.effects.contains(.finishInterrupted))
    #expect(!desk.screen.description.contains("reminders.sqlite   interrupted"))
  }

  @Test func whatCanBeFinishedNowIsOfferedBesideWhatMayStillCome() {
    var desk = TestDesk()
    var (write, late) = (interrupted(), InterruptedWrite.Record(id: "b", title: "b", state: .awaited))
    late.hindrance = "it may come until noon"
    write.records.append(late)
    desk.take(.interrupted([write]))
    let end =
      "r finishes it or takes it back, record by record. Not all of it can be finished yet: it may come until noon."
    #expect(desk.state.status?.text.hasSuffix(end) == true, "\(desk.screen)")
  }

  /// A server may need a while to say what of a write arrived.
  @Test(arguments: ["r", "<enter>r", "cwr"]) func rBeforeThatIsKnownSaysSoAndFinishesNothing(keys: String) {
    var desk = TestDesk(knowsInterrupted: false).typing(keys)
    let words = "Whether a write was interrupted is not known yet: the store is being asked."
    #expect(desk.screen.description.contains("Whether a write was interrupted is not known yet"))
    #expect(desk.state.status == .told(words) && !desk.effects.contains(.finishInterrupted))
    desk.take(.interrupted([interrupted()]))
    #expect(desk.state.status?.text.hasSuffix("r finishes it or takes it back, record by record.") == true)
    #expect(desk.typing("r").effects.contains(.finishInterrupted))
  }

  @Test func onceNothingWasInterruptedTheWordsOfThatAreGone() {
    var desk = TestDesk(knowsInterrupted: false).typing("r")
    desk.take(.interrupted([]))
    #expect(desk.state.status == nil)
    desk.type("<enter>r")
    #expect(desk.state.status == .told("The store is read again."))
  }

  @Test func whatCannotBeFinishedNowSaysWhy() {
    var desk = TestDesk(access: .readOnly(reason: "the app has it open"))
    desk.take(.interrupted([interrupted("the app has it open; it can be written once that is closed")]))
    let text = "It cannot be finished now: the app has it open; it can be written once that is closed."
    #expect(desk.state.status?.text.contains(text) == true)
  }

  /// Half of a write looks like a record that somebody settled.
  @Test func halfAWriteIsNotToldAsSettled() {
    var desk = TestDesk().typing("j")
    desk.take(.interrupted([interrupted()]))
    desk.records.remove(at: 1)
    desk.take(.storeChanged)
    #expect(desk.state.status?.text.contains("A write was interrupted") == true)
    #expect(desk.state.status?.text.contains("no longer in conflict") == false)
  }

  /// Its other half takes the record out of the list.
  @Test func whatRHasFinishedIsToldBeforeWhatIsGoneByThat() {
    var desk = TestDesk().typing("j")
    desk.take(.interrupted([interrupted()]))
    desk.records.remove(at: 1)
    let record = FinishedWrite.Record(id: dentist, title: "Call dentist", outcome: .completed)
    desk.interrupted = [FinishedWrite(act: .write, records: [record])]
    desk.type("r")
    let words = "An interrupted write is finished: of its 1 record 1 is completed."
    #expect(desk.state.status?.text.hasPrefix(words) == true, "\(desk.screen)")
    desk.take(.settled(id: dentist))
    #expect(desk.state.status?.text.hasPrefix(words) == true, "\(desk.screen)")
    #expect(desk.state.status?.text.contains(dentist) == false, "\(desk.screen)")
    #expect(desk.state.status?.text.contains("no longer in conflict") == true, "\(desk.screen)")
  }

  @Test func aDecisionThatStillHoldsStays() {
    var desk = TestDesk().typing("<enter>jc")
    let kept = desk.journal
    desk.change(retitled)
    #expect(kept.count == 1)
    #expect(desk.journal == kept)
    #expect(desk.state.open[dentist]?.resolution[kept[0].subject] == kept[0].choice)
    #expect(desk.state.status?.text.contains("no longer") == false)
  }

  @Test func whatNoLongerHoldsIsNotUndone() {
    var desk = TestDesk().typing("<enter>gs")
    desk.change(retitled)
    #expect(desk.state.history.lastAct == nil)
  }

  @Test func theSameStoreReadAgainSaysNothing() {
    var desk = TestDesk().typing("<enter>s<esc>j")
    let before = desk.screen
    desk.take(.storeChanged)
    #expect(desk.state.status == nil)
    #expect(desk.screen == before)
  }

  /// A law: whatever is read again, the cursor of a record is on the same field, or on the nearest that is left.
  @Test func theCursorHangsOnItsField() throws {
    let names = Sample.fields.map(\.name)
    for (place, name) in names.enumerated() {
      let before = TestDesk().typing("<enter>=g" + String(repeating: "j", count: place))
      #expect(try field(before) == name)
      let others = Sample.fields.filter { $0.name != name }
      let near = (names[(place + 1)...] + names[..<place].reversed()).first
      let added = [Field("urgent", kind: .integer)] + Sample.fields
      for (fields, expected) in [
        (Sample.fields.reversed(), name), (added, name), (others, near), (others.reversed(), near),
      ] {
        var after = before
        after.change(dentist(with: fields))
        #expect(try field(after) == expected, "\(name) in \(fields.map(\.name))")
      }
    }
  }

  private func dentist(with fields: [Field]) -> RecordConflict {
    let seen = Sample.dentist
    return RecordConflict(
      id: dentist, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: fields,
      versions: seen.versions, details: seen.details)
  }

  /// The name of the field under the cursor.
  private func field(_ desk: TestDesk) throws -> String? {
    guard case .record(let page)? = desk.state.pages.last else { return nil }
    return page.selectedField(in: try #require(desk.state.open[dentist]), on: desk.state)?.name
  }

  @Test func theCursorStaysOnItsRow() {
    var desk = TestDesk().typing("jj")
    let row = desk.state.list.selected
    desk.records.removeFirst()
    desk.records.insert(retitled, at: 3)
    desk.take(.storeChanged)
    #expect(desk.state.list.selected == row)
    #expect(desk.state.list.cursor == 1)
  }

  @Test func aCursorWhoseRowIsGoneGoesToTheNext() {
    var desk = TestDesk().typing("j")
    let next = desk.state.list[2]?.id
    desk.records.remove(at: 1)
    desk.take(.storeChanged)
    #expect(desk.state.list.selected?.id == next)
    #expect(desk.state.status?.text == "Rotate garden beds is no longer in conflict.")
  }

  @Test func decisionsOnRecordsThatNobodyLooksAtAreCounted() {
    var desk = TestDesk().typing("<enter>gs<esc>j")
    desk.change(retitled)
    #expect(desk.state.status?.text == "The store has changed: 1 decision no longer holds.")
    #expect(desk.typing("g").screen.description.contains("changed since"))
    // Once is enough.
    desk.type("j")
    desk.take(.storeChanged)
    #expect(desk.state.status == nil)
  }

  @Test func whatChangesTwiceIsToldOnceBehindWhatWasSaid() throws {
    var desk = TestDesk()
    desk.state.status = .told("Taken back: Call dentist")
    for record in desk.records.suffix(2) {
      desk.records.removeAll { $0.id == record.id }
      desk.take(.storeChanged)
    }
    let text = try #require(desk.state.status?.text)
    #expect(text.hasPrefix("Taken back: Call dentist. The store has changed: "), "\(text)")
    #expect(text.components(separatedBy: "The store has changed").count == 2, "\(text)")
  }

  @Test func anOpenFindingThatIsGoneSaysSo() {
    var desk = TestDesk().typing("G<enter>")
    let isGone = { (desk: TestDesk) in desk.screen.description.contains("it is not found any more") }
    #expect(desk.state.topic == .finding && !isGone(desk))
    desk.findings = []
    desk.take(.storeChanged)
    #expect(isGone(desk))
    desk.type("m")
    #expect(desk.state.topic == .finding)
    #expect(desk.state.status?.text == "It is not found any more: there is nothing to mend.")
  }

  @Test func aSettledRecordLeavesAndIsTold() {
    var desk = TestDesk().typing("<enter>s<enter>")
    desk.records.removeFirst()
    desk.take(.storeChanged)
    #expect(desk.state.pages.isEmpty)
    #expect(
      desk.state.status?.text.hasPrefix(
        "Call dentist is no longer in conflict. What was decided about it is kept in the log.") == true)
  }

  /// One after the other, or by a walk through the store, in whatever order.
  @Test(arguments: ["each", "walk", "each and walk", "walk and each"])
  func recordsThatOthersSettledAreCounted(way: String) {
    var desk = TestDesk()
    let gone = desk.records.prefix(3).map(\.id)
    desk.records.removeFirst(3)
    for part in way.split(separator: " ") {
      if part == "each" { for id in gone { desk.take(.settled(id: id)) } }
      if part == "walk" { desk.take(.storeChanged) }
    }
    #expect(desk.state.status == .told("The store has changed: 3 no longer in conflict."), "\(desk.screen)")
    #expect(desk.state.list.openCount == 5)
    // What is found after a key is another change.
    desk.type("j")
    desk.take(.settled(id: desk.records[0].id))
    #expect(desk.state.status == .told("Trip plan is no longer in conflict."))
  }

  @Test func whatIsBackIsNotSaidToBeGone() {
    var desk = TestDesk()
    let first = desk.records.removeFirst()
    desk.take(.settled(id: first.id))
    #expect(desk.state.status == .told("Call dentist is no longer in conflict."))
    desk.records.insert(first, at: 0)
    desk.take(.storeChanged)
    #expect(desk.state.status == .told("The store has changed: 1 more in conflict."), "\(desk.screen)")
  }

  @Test func whatIsTypedStaysWhileItsRecordIsSettled() {
    var desk = TestDesk().typing("<enter>ehello")
    desk.records.removeFirst()
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("hello"))
    #expect(desk.state.status?.text.contains("What is typed here cannot be kept.") == true)
    let screen = desk.typing("g").screen.description
    for text in ["Call dentist", "hellog"] where !screen.contains(text) || screen.contains("Reading") {
      Issue.record("\(text)\n\(screen)")
    }
    #expect(!screen.contains("✓") && screen.contains("✗ It is no longer in conflict."), "\(screen)")
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("Call dentist"))
    #expect(desk.typing("<enter>").state.status?.isFailure == true)
    #expect(desk.typing("<enter>").journal.isEmpty)
    #expect(desk.typing("<esc>").state.pages.isEmpty)
  }

  /// As where another Parley writes it, and takes that back.
  @Test func whatIsTypedCanBeKeptOnceItsRecordIsInConflictAgain() {
    var desk = TestDesk().typing("<enter>ge<c-u>hello")
    #expect(desk.screen.description.contains("Enter take"), "\(desk.screen)")
    let record = desk.records.removeFirst()
    desk.take(.storeChanged)
    desk.type("!")
    #expect(!desk.screen.description.contains("Enter take"), "\(desk.screen)")
    desk.type("<enter>")
    #expect(desk.state.status?.text.contains("so this cannot be kept") == true && desk.journal.isEmpty)
    desk.records.insert(record, at: 0)
    desk.take(.storeChanged)
    let told = "Call dentist is in conflict again: Enter takes what is typed."
    #expect(
      desk.state.status == .told(told + " The store has changed: 1 more in conflict."), "\(desk.screen)")
    desk.type("!")
    #expect(desk.screen.description.contains("Enter take") && desk.screen.description.contains("✓"))
    desk.type("<enter>")
    #expect(desk.journal.map(\.choice) == [.edit(.text("hello!!"))] && desk.state.topic == .record)
  }

  /// There is nothing left that it could be the value of.
  @Test func whatIsTypedStaysUnkeptWhereItsFieldIsGone() {
    var desk = TestDesk().typing("<enter>ge<c-u>hello")
    let record = desk.records.removeFirst()
    desk.take(.storeChanged)
    let fields = Sample.fields.filter { $0.name != "title" }
    desk.records.insert(
      RecordConflict(
        id: record.id, table: record.table, primaryKey: record.primaryKey, title: record.title,
        fields: fields,
        versions: record.versions, details: record.details), at: 0)
    desk.take(.storeChanged)
    #expect(!desk.screen.description.contains("Enter take"), "\(desk.screen)")
    #expect(desk.typing("<enter>").state.status?.isFailure == true && desk.typing("<enter>").journal.isEmpty)
    #expect(desk.typing("<esc>").state.pages.isEmpty)
  }

  @Test func aRecordThatCannotBeReadNowIsKept() {
    var state = TestDesk().typing("<enter>gs").state
    _ = state.update(.storeChanged, now: Sample.now)
    _ = state.update(.openFailed(id: dentist, "The store is locked."), now: Sample.now)
    #expect(state.open[dentist]?.resolution[.field("title")] == .take(.server))
    #expect(state.status == .failed("The store is locked."))
    #expect(state.pages.count == 1)
  }

  @Test func aDecisionDuringTheReadingIsNotForgotten() {
    var state = TestDesk().typing("<enter>g").state
    _ = state.update(.storeChanged, now: Sample.now)
    let effects = state.update(.terminal(.key("s")), now: Sample.now)
    guard case .journal(let decisions)? = effects.first else {
      Issue.record("nothing decided")
      return
    }
    // What was read before it is not taken; it is read once more.
    #expect(state.update(.opened(Sample.dentist, []), now: Sample.now) == [.open(id: dentist)])
    #expect(state.open[dentist]?.resolution[.field("title")] == .take(.server))
    _ = state.update(.opened(Sample.dentist, decisions), now: Sample.now)
    #expect(state.open[dentist]?.resolution[.field("title")] == .take(.server))
  }

  @Test func aChangeDuringAWalkIsFollowedByAnotherWalk() {
    var desk = TestDesk()
    desk.state.list.findingsAreComplete = false
    #expect(!desk.state.update(.storeChanged, now: Sample.now).contains(.walk))
    #expect(desk.state.update(.findingsEnded, now: Sample.now).contains(.walk))
    #expect(!desk.state.update(.findingsEnded, now: Sample.now).contains(.walk))
  }

  @Test func aReviewIsCheckedAgain() {
    var desk = TestDesk().typing("jcw")
    #expect(desk.state.pages.last?.content.topic == .review)
    desk.outcomes["87:reminders"] = .moved("the row is another")
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("the row is another"))
    #expect(desk.typing("Y").written.isEmpty)
  }

  @Test func theBadgeComesAndGoesWithItsCause() {
    var desk = TestDesk()
    #expect(!desk.screen.description.contains("read-only"))
    desk.take(.accessChanged(.readOnly(reason: "Reminders has it open")))
    #expect(desk.screen.description.contains("read-only"))
    desk.take(.accessChanged(.writable))
    #expect(!desk.screen.description.contains("read-only"))
  }

  @Test func aStoreThatIsNotListenedToIsCalledSoUntilItIsAgain() {
    var desk = TestDesk()
    desk.take(.deafnessChanged("the server cannot be reached"))
    #expect(
      desk.state.status
        == .failed(
          "What others change is not heard of: the server cannot be reached. r reads the store again."))
    #expect(desk.typing("j").screen.description.contains("not listening"))
    desk.take(.deafnessChanged(nil))
    #expect(desk.state.status?.text == "Changes by others are noticed again.")
    #expect(!desk.screen.description.contains("not listening"))
  }

  /// Who was just told why a draft is not checked has to read that.
  @Test func whatStoodThereStaysBesideIt() {
    var desk = TestDesk()
    desk.state.status = .failed("1 draft is ready, and not checked")
    let deaf = { (why: String) in "What others change is not heard of: \(why). r reads the store again." }
    for reason in ["it was cut off", "it cannot be reached"] {
      desk.take(.deafnessChanged(reason))
      #expect(desk.state.status == .failed("1 draft is ready, and not checked. \(deaf(reason))"))
    }
    desk.take(.deafnessChanged(nil))
    #expect(desk.state.status == .failed("1 draft is ready, and not checked."))
  }

  @Test func whatWasSaidOfTheBadgeGoesWithIt() {
    var desk = TestDesk(access: .readOnly(reason: "Reminders has it open")).typing("cwY")
    #expect(desk.state.status == .failed("Nothing can be written: Reminders has it open"))
    desk.take(.accessChanged(.writable))
    #expect(desk.state.status == nil)
    #expect(!desk.screen.description.contains("has it open"))
  }

  @Test func whatWasInterruptedIsFinishedAndToldOnceTheStoreCanBeWritten() {
    var desk = TestDesk(access: .readOnly(reason: "Reminders has it open"))
    desk.interrupted = [
      FinishedWrite(
        act: .write,
        records: [
          .init(id: "a", title: "a", outcome: .completed), .init(id: "b", title: "b", outcome: .left),
        ])
    ]
    desk.take(.accessChanged(.writable))
    #expect(
      desk.state.status?.text
        == "An interrupted write is finished: of its 2 records 1 is completed, 1 is left alone.")
    #expect(desk.effects.contains(.walk))
  }

  @Test func beforeAnyWriteIsFinishedWhatWasInterrupted() {
    let desk = TestDesk().typing("cwYuY")
    let order = desk.effects.compactMap { effect -> String? in
      switch effect {
      case .finishInterrupted: "finish"
      case .write: "write"
      case .undoWrite: "undo"
      default: nil
      }
    }
    #expect(order == ["finish", "write", "finish", "undo"])
  }

  @Test func aRecordIsReadAgainByHand() {
    var desk = TestDesk().typing("<enter>gs")
    desk.records[0] = retitled
    #expect(desk.typing("r").state.status?.text.contains("no longer holds") == true)
  }
}

extension TestDesk {
  /// Another program has changed a record.
  fileprivate mutating func change(_ record: RecordConflict) {
    records = records.map { $0.id == record.id ? record : $0 }
    take(.storeChanged)
  }
}
