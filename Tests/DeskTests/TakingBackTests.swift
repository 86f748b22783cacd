import Merging
import StoreInterface
import Testing

@testable import Desk

/// A write that is taken back is looked at first, as it was before it was made.
@Suite struct TakingBackTests {
  @Test func whereAllHasMovedTheWayPastItIsTold() {
    var desk = TestDesk().typing("cwY<esc>")
    desk.type("u")
    for id in desk.written.keys { desk.outcomes[id] = .moved("the row has changed") }
    desk.type("Y")
    #expect(desk.screen.description.contains("Nothing taken back   1 moved meanwhile"))
    #expect(desk.screen.description.contains("left alone: it moved: the row has changed"))
    #expect(desk.screen.description.contains("parley undo PATH --skip"))
  }

  /// "parley undo --skip", which ended with "Missing expected argument '<path>'" for who typed it.
  @Test func whatIsToBeTypedElsewhereNamesTheStore() {
    var desk = TestDesk()
    desk.state.filling = { $0.replacing("PATH", with: "'a b.sqlite'") }
    desk.type("cwY<esc>u")
    for id in desk.written.keys { desk.outcomes[id] = .moved("the row has changed") }
    let way = "parley undo 'a b.sqlite' --skip goes past a write of which nothing is left."
    #expect(desk.typing("Y").screen.description.contains("parley undo 'a b.sqlite' --skip"))
    let nothing = desk.typing("<esc>uY")
    #expect(nothing.state.status == .failed("None of these can be taken back. " + way), "\(nothing.screen)")
    let record = InterruptedWrite.Record(id: "42:reminders", title: "Call dentist", state: .half)
    desk.take(.interrupted([InterruptedWrite(act: .write, records: [record])]))
    desk.take(.interrupted([]))
    #expect(desk.state.status?.text.hasSuffix("parley log 'a b.sqlite' tells how.") == true)
  }

  /// Who leaves meanwhile is told what is left.
  @Test func whatGoesOnIsKnownAsAnUndo() {
    var desk = TestDesk().typing("cwY<esc>u")
    #expect(desk.state.changeGoingOn == nil)
    desk.answersWait = true
    #expect(desk.typing("Y").state.changeGoingOn == .undo)
    var writing = TestDesk().typing("cw")
    writing.answersWait = true
    #expect(writing.typing("Y").state.changeGoingOn == .write)
  }

  @Test func howFarItsCheckIsAndWhatIsReadBehindItIsShown() {
    var desk = TestDesk().typing("cwY<esc>")
    desk.answersWait = true
    desk.type("u")
    desk.take(.progressed(.init(done: 1, all: 3)))
    #expect("\(desk.screen)".contains("checking, 1 of 3..."), "\(desk.screen)")
    desk.take(.progressed(.init(done: 1, all: 3, isTelling: true)))
    #expect("\(desk.screen)".contains("reading what comes back, 1 of 3..."), "\(desk.screen)")
  }

  @Test func takingBackIsCheckedAsAWriteIs() {
    var desk = TestDesk().typing("cjcjcwY<esc>")
    #expect(desk.written.count > 1)
    let moved = desk.written.keys.sorted().last ?? ""
    desk.type("u")
    let fine = desk.screen.description
    #expect(
      fine.contains("now in the store")
        && fine.contains("can be taken back: what was written is as it was left"), "\(fine)")
    desk.outcomes[moved] = .moved("the row has changed")
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("! 2 of 3 can be taken back; the rest is left alone"))
    // Problems come first, once it is opened; later nothing jumps away.
    let lines = desk.typing("<esc>u").screen.description.split(separator: "\n")
    #expect(
      lines[3].hasPrefix("▸ ↻  \(moved)") && lines[3].contains("it moved: the row has changed"), "\(lines)")
    for id in desk.written.keys { desk.outcomes[id] = .moved("the row has changed") }
    desk.take(.storeChanged)
    desk.type("Y")
    #expect(desk.state.status == .failed(ReviewWords.nothingToTakeBack))
    #expect(!desk.effects.contains { if case .undoWrite = $0 { true } else { false } })
  }

  /// A customer wants one record as it was, of those that were written together.
  @Test func someOfAWriteCanStay() {
    let written = TestDesk().typing("cjcjcwY<esc>")
    let all = written.typing("u")
    #expect(all.screen.description.contains("Space leave out"), "\(all.screen)")
    let one = all.typing("<space>j<space>".replacing("<space>", with: " "))
    #expect(one.screen.description.contains("Take back 1 of 3"), "\(one.screen)")
    #expect(one.screen.description.contains("left out by you"), "\(one.screen)")
    #expect(one.screen.description.contains("Y take back 1"), "\(one.screen)")
    #expect(one.typing(" ").screen.description.contains("Take back 2 of 3"))
    let done = one.typing("Y")
    #expect(
      done.written.count == 2 && done.screen.description.contains("Taken back 1 of 1   2 left out"),
      "\(done.screen)")
    #expect(done.screen.description.split(separator: "\n").count { $0.contains("left out by you") } == 2)
    // What stays of the write is the last one still.
    #expect(done.typing("<esc>u").screen.description.contains("Take back the last write"))
    let none = one.typing("j ")
    #expect(none.screen.description.contains("All are left out: Space takes one in again."), "\(none.screen)")
    #expect(none.typing("Y").written.count == 3)
  }

  @Test func whatCouldNotBeCheckedIsNotCalledTheStoresAndNotTakenBack() {
    var desk = TestDesk().typing("cwY<esc>")
    desk.checkFailure = "The disk is gone."
    desk.type("u")
    let screen = desk.screen.description
    #expect(screen.contains("as it was written") && !screen.contains("now in the store"), "\(screen)")
    #expect(screen.contains("The disk is gone."))
    #expect(desk.typing("Y").written == desk.written)
    desk.checkFailure = nil
    desk.take(.accessChanged(.writable))
    #expect(desk.screen.description.contains("now in the store"))
  }

  /// As it was taken back elsewhere, say.
  @Test(arguments: ["?", ":"]) func whyItCouldNotBeCheckedIsToldToWhoComesBack(key: String) {
    let words = "This is no longer the last write. Esc goes back, and u there takes back what was done last."
    var desk = TestDesk(columns: 120, rows: 40).typing("cwY<esc>u" + key)
    desk.checkFailure = words
    desk.take(.storeChanged)
    let back = desk.typing("<esc>").screen.description
    let beginning = "✗ not checked, so nothing can be taken back now. This is no longer the last write."
    #expect(back.contains(beginning), "\(back)")
    desk.checkFailure = nil
    desk.take(.storeChanged)
    #expect(!desk.typing("<esc>").screen.description.contains("no longer the last write"))
  }

  @Test func whatIsTakenBackIsCutWhereItDiffers() {
    let write = LastWrite(
      id: 1,
      records: [
        .init(
          id: "42:reminders", title: "Call dentist",
          changes: WrittenChanges(
            fields: [
              .init(
                name: "list", before: .text("5eed0000-0000-4000-8000-000000000001"),
                after: .text("5eed0000-0000-4000-8000-000000000002"))
            ], newRecords: ["dentist-copy"]))
      ], takingBack: "Put back.")
    var state = TestDesk().state
    _ = state.update(.lastWrite(write), now: Sample.now)
    let screen = state.draw().description
    #expect(screen.contains("000002 ") && screen.contains("000001"), "\(screen)")
    #expect(screen.contains("deletes dentist-copy, which the write made"), "\(screen)")
  }

  /// A trigger sets it again with every change.
  @Test func whatDoesNotComeBackIsToldAndNotShownAsIfItDid() {
    let label = RecordLabel(id: "42:reminders", title: "Call dentist")
    let fields = ["title", "edits"].map {
      LastWrite.FieldChange(name: $0, before: .text("\($0) before"), after: .text("\($0) now"))
    }
    let record = LastWrite.Record(
      id: label.id, title: label.title, changes: WrittenChanges(fields: fields))
    var state = TestDesk().state
    _ = state.update(
      .lastWrite(LastWrite(id: 1, records: [record], takingBack: "Put back.")), now: Sample.now)
    #expect(state.draw().description.contains("edits before"))
    let note = "a trigger keeps edits from coming back"
    let checked = CheckedWrite(label, outcome: .fine, note: note, notBack: NotBack(fields: ["edits"]))
    _ = state.update(.checked([checked], .writable), now: Sample.now)
    let screen = state.draw().description
    #expect(screen.contains("! \(note)") && screen.contains("title before"), "\(screen)")
    #expect(!screen.contains("edits before"), "\(screen)")
    _ = state.update(.undid([checked]), now: Sample.now)
    let done = state.draw().description
    #expect(done.contains("! \(note)") && !done.contains("as before the write"), "\(done)")
  }

  @Test func whereNothingCanBeTakenBackItIsSaidAtOnce() {
    let desk = TestDesk(findings: []).typing("u")
    #expect(desk.state.pages.isEmpty)
    #expect(desk.state.status?.text.hasPrefix("There is nothing to take back") == true)
  }

  @Test func takingBackShowsWhatIsThereNowAndWhatWasBefore() {
    let screen = TestDesk().typing("cwY<esc>u").screen.description
    for text in ["Take back the last write", "after taking back", "Put back as before.", "Y take back"] {
      #expect(screen.contains(text), "\(text)\n\(screen)")
    }
    #expect(!screen.contains(Sample.store.writing))
    let edited = TestDesk().typing("<enter>ge<c-u>Ring<enter>A<tab>cwY<esc>u").screen
    #expect(edited.description.contains("title                  Ring"), "\(edited)")
    #expect(edited.description.contains("Call dentist today"))
  }

  @Test func whatWroteNothingOffersNothingToTakeBack() {
    var desk = TestDesk().typing("cw")
    desk.outcomes["42:reminders"] = .moved("the row changed")
    desk.type("Y")
    #expect(!desk.screen.description.contains("take"), "\(desk.screen)")
    desk.type("u")
    #expect(!desk.effects.contains(.readLastWrite()))
  }
}
