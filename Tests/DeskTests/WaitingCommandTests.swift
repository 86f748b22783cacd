import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A key about a record that is still being read, and the keys behind it.
struct WaitingCommandTests {
  private static let conflicts = (1...3).map { number in
    Sample.edit(
      "\(number):reminders", client: ["title": .text("Milk \(number)")], at: Sample.now,
      server: ["title": (.text("Tea \(number)"), Sample.now)])
  }
  private static let ids = conflicts.map(\.id)

  private var state = DeskState(
    store: StoreInfo(name: "x", path: "x", kind: "x", writing: ""), access: .writable,
    size: Size(columns: 80, rows: 24), now: Sample.now, localIsUTC: true)
  private var now = Sample.now

  init() {
    let summaries = Self.conflicts.map { ConflictSummary($0, resolution: Resolution()) }
    _ = state.update(.found(ConflictPage(summaries: summaries, seen: 3)), now: Sample.now)
    state.advances = false
  }

  private mutating func press(_ keys: Key...) {
    for key in keys { _ = state.update(.terminal(.key(key)), now: Sample.now) }
  }

  /// What it decided.
  private mutating func open(_ place: Int, _ decided: [Decision] = []) -> [Decision] {
    let effects = state.update(.opened(Self.conflicts[place], decided), now: Sample.now)
    return decisions(in: effects + takeTyped())
  }

  /// A minute later, each time.
  private mutating func takeTyped() -> [DeskEffect] {
    now += Sample.minute
    var effects: [DeskEffect] = []
    while let next = state.nextTyped(now: now) { effects += state.update(.terminal(next), now: now) }
    return effects
  }

  private func decisions(in effects: [DeskEffect]) -> [Decision] {
    effects.flatMap { effect -> [Decision] in
      if case .journal(let decisions) = effect { decisions } else { [] }
    }
  }

  /// What became of a key.
  private func left(_ key: String) -> String {
    "\(key) was pressed before this screen was shown, so it and what was typed with it were ignored."
  }

  private var cursor: String? { state.list.selectedConflict }

  /// Esc leaves it at once, wherever it comes from.
  @Test mutating func altAndAKeyLeavesItAndTheKeyIsDone() {
    press("c", .alt("j"))
    #expect(state.waiting == nil && cursor == Self.ids[0])
    #expect(decisions(in: takeTyped()).isEmpty && cursor == Self.ids[1])
  }

  /// As Esc it would drop what waits, and the line with it.
  @Test mutating func altAndAKeyOfALineIsForTheLineThatIsTypedAhead() {
    press("c", "/", "m", "i", "x", .altBackspace, "t", .alt("b"), "a")
    #expect(state.waiting?.id == Self.ids[0])
    #expect(open(0).map(\.id) == [Self.ids[0]])
    #expect(state.topic == .input && state.list.typing?.text == "at", "\(state.draw())")
  }

  @Test mutating func withoutSuchALineItIsEscAndThatKeyAsItsTurnComes() {
    press("c", .altEnter)
    #expect(state.waiting?.id == Self.ids[0] && state.topic == .list)
    #expect(open(0).map(\.id) == [Self.ids[0]])
    #expect(state.topic == .record, "\(state.draw())")
  }

  @Test mutating func aKeyIsAboutTheRowThatWasUnderTheCursor() {
    press("c", "j")
    #expect(cursor == Self.ids[0], "the next key waits behind it")
    #expect(open(0).map(\.id) == [Self.ids[0]])
    #expect(cursor == Self.ids[1] && state.open[Self.ids[1]]?.resolution.isEmpty != false)
  }

  @Test mutating func eachOfSeveralIsAboutItsOwn() {
    press("c", "j", "s", "j")
    #expect(open(0).map(\.choice) == [.take(.client)])
    let decisions = open(1)
    #expect(decisions.map(\.id) == [Self.ids[1]] && decisions.map(\.choice) == [.take(.server)])
    #expect(cursor == Self.ids[2])
  }

  @Test mutating func escapeLeavesTheRecordAsItIs() {
    press("c", "j", .escape)
    let words = "Nothing was done to Call dentist: it is still being read."
    #expect(state.status == .told(words + " What was typed behind that is not done, either."))
    #expect(open(0).isEmpty && cursor == Self.ids[0])
  }

  @Test mutating func whatWasTypedBehindARecordThatCannotBeReadIsDropped() {
    press("c", "j")
    _ = state.update(.openFailed(id: Self.ids[0], "Gone."), now: Sample.now)
    #expect(cursor == Self.ids[0] && state.status == .failed("Gone. " + left("j")))
    _ = state.update(.terminal(.key("j")), now: Sample.now + Sample.minute)
    #expect(cursor == Self.ids[1])
  }

  /// Nobody is told of every time that it cannot be read; but who pressed a key for it is.
  @Test mutating func whoWaitsOnceMoreForARecordThatCannotBeReadIsToldOnceMore() {
    for _ in 1...2 {
      press("c")
      _ = state.update(.openFailed(id: Self.ids[0], "Gone."), now: Sample.now)
      #expect(state.waiting == nil && state.status == .failed("Gone."))
    }
  }

  /// What is said of a record that could not be read is over once it is, and a key that was left is not.
  @Test mutating func aKeyThatWasLeftIsToldWhenTheRecordIsReadAfterAll() {
    press("c", "j")
    _ = state.update(.openFailed(id: Self.ids[0], "Gone."), now: Sample.now)
    #expect(open(0).isEmpty && state.status?.text == left("j"))
  }

  /// Each is kept before the next is taken, so that the first that is not ends all.
  @Test mutating func whatCannotBeKeptEndsWhatWasTypedBehindIt() {
    press("c", "j", "s")
    _ = state.update(.opened(Self.conflicts[0], []), now: Sample.now)
    _ = state.update(.journalFailed("The disk is full."), now: Sample.now)
    #expect(state.nextTyped(now: Sample.now) == nil && cursor == Self.ids[0])
    #expect(state.open[Self.ids[0]]?.resolution.isEmpty == true)
    let words = "Not decided, as it could not be kept: The disk is full. "
    #expect(state.status == .failed(words + left("j")))
  }

  /// A filter may be opened before them.
  @Test mutating func lettersWaitWhateverTheyDoHere() {
    press("c", "/", "q")
    #expect(open(0).map(\.id) == [Self.ids[0]])
    #expect(state.list.typing?.text == "q", "\(state.draw())")
  }

  @Test mutating func itIsSaidThatItWaits() {
    press("c")
    #expect(state.status == .told("One moment: the record is read first. Esc leaves it."))
    _ = open(0)
    #expect(state.status?.text.contains("One moment") == false)
  }

  /// Else the second would be about the next row, where the cursor goes on.
  @Test(arguments: [true, false]) mutating func whoPressesItTwiceMeansItOnce(advances: Bool) {
    state.advances = advances
    press("c", "c")
    let words = "One moment: the record is read first, and only the first key is done. Esc leaves it."
    #expect(state.status == .told(words))
    #expect(open(0).map(\.id) == [Self.ids[0]])
    #expect(state.waiting == nil && state.nextTyped(now: Sample.now) == nil)
    #expect(state.status?.text.contains("One moment") == false)
    // What is typed in between makes it another one.
    press("j", "s", "k", "s")
    #expect(state.typedBehind.count == 2)
  }

  /// It may be meant for this row or for the next, which is not shown yet.
  @Test(arguments: [true, false]) mutating func whoPressesAnotherIsToldThatTheFirstIsDone(advances: Bool) {
    state.advances = advances
    press("c", "s")
    let words = "One moment: the record is read first, and only the first key is done. Esc leaves it."
    #expect(state.status == .told(words))
    #expect(open(0).map(\.choice) == [.take(.client)])
    #expect(state.waiting == nil && open(1).isEmpty)
  }

  @Test mutating func whatWasTypedBeforeTheCursorWentOnDecidesNothing() {
    state.advances = true
    press("c", "j", "s", "j")
    #expect(open(0).map(\.id) == [Self.ids[0]])
    #expect(cursor == Self.ids[2] && state.waiting == nil && state.nextTyped(now: Sample.now) == nil)
    let done = state.status?.text ?? ""
    #expect(done.contains(": client taken. ") && done.hasSuffix(". " + left("s")), "\(done)")
    now += Sample.minute
    _ = state.update(.terminal(.key("s")), now: now)
    #expect(open(2).map(\.id) == [Self.ids[2]])
  }

  /// One whose record is there already goes on as well.
  @Test mutating func whatWasTypedBeforeAKeptKeyWentOnDecidesNothing() {
    state.advances = true
    for place in 0...1 { _ = open(place) }
    press("u", "s", "c")
    #expect(state.typedBehind.count == 2, "the journal is asked first")
    _ = state.update(.pastNotHeard("It is gone."), now: Sample.now)
    #expect(decisions(in: takeTyped()).map(\.id) == [Self.ids[0]])
    #expect(cursor == Self.ids[1])
    let words = state.status?.text ?? ""
    #expect(words.hasPrefix("It is gone. ") && words.contains(": server taken. "), "\(words)")
    #expect(words.hasSuffix(". " + left("c")), "\(words)")
  }

  /// A taking back goes to the row of what it takes back.
  @Test mutating func whatWasTypedBeforeATakingBackWentElsewhereDecidesNothing() {
    _ = open(0)
    let decided = decisions(in: state.update(.terminal(.key("c")), now: Sample.now))
    press("j")
    _ = open(1)
    state.open[Self.ids[0]] = nil
    press("u", "s")
    #expect(open(0, decided).map(\.choice) == [nil])
    #expect(cursor == Self.ids[0])
    #expect(state.status?.text.hasSuffix(" " + left("s")) == true, "\(state.draw())")
  }

  /// As while another process has the journal: the keys wait in the terminal then.
  @Test mutating func whatWasTypedAtAScreenThatStoodStillDecidesNothing() {
    for place in Self.conflicts.indices { _ = open(place) }
    press("c")
    state.keep(typedUnseeing: [.key("j"), .key("s"), .key("u")])
    #expect(decisions(in: takeTyped()).isEmpty && cursor == Self.ids[1])
    let words = state.status?.text ?? ""
    #expect(words.contains(": client taken. ") && words.hasSuffix(". " + left("s")), "\(words)")
    state.keep(typedUnseeing: [.click(Point(column: 8, row: 6))])
    #expect(takeTyped().isEmpty && cursor == Self.ids[1])
    state.keep(typedUnseeing: [.key("u")])
    #expect(decisions(in: takeTyped()).map(\.id) == [Self.ids[0]], "it is about what was done last")
  }

  /// Terminals and macros send it for Enter.
  @Test mutating func noControlJIsDoneThereEither() {
    for place in Self.conflicts.indices { _ = open(place) }
    press("c")
    state.keep(typedUnseeing: [.key("j"), .key(":"), .key("t"), .key(.control("j"))])
    #expect(decisions(in: takeTyped()).isEmpty && state.topic == .palette)
    #expect(state.status?.text.contains(" was pressed before this screen was shown, so it and ") == true)
  }

  /// Of "/cafe" no letter is a command because the line was never opened.
  @Test mutating func theRestOfAWordThatWasDroppedDecidesNothing() {
    for place in Self.conflicts.indices { _ = open(place) }
    press("c")
    state.keep(typedUnseeing: [.key("s"), .key("/")])
    _ = takeTyped()
    for key: Key in ["c", "a", "q", .control("j")] {
      now += 200_000_000
      #expect(state.update(.terminal(.key(key)), now: now).isEmpty && state.topic == .list)
    }
    now += 600_000_000
    _ = state.update(.terminal(.key("j")), now: now)
    #expect(decisions(in: state.update(.terminal(.key("c")), now: now)).map(\.id) == [Self.ids[1]])
  }

  /// Whoever sees that nothing was done presses again, or holds a key down. No word begins like that.
  @Test mutating func aKeyThatIsHeldDownIsHeldUpNoLonger() {
    state.advances = true
    for place in Self.conflicts.indices { _ = open(place) }
    press("c")
    state.keep(typedUnseeing: [.key("c")])
    #expect(decisions(in: takeTyped()).isEmpty && cursor == Self.ids[1])
    now += 33_000_000
    #expect(decisions(in: state.update(.terminal(.key("c")), now: now)).map(\.id) == [Self.ids[1]])
  }

  /// The third time of a letter, the first of an arrow, the mouse.
  @Test(arguments: [[.key("j"), .key("j"), .key("j")], [.key(.down)], [.wheel(1)]] as [[TerminalEvent]])
  mutating func whatOnlyMovesIsNoRestOfAWord(events: [TerminalEvent]) {
    for place in Self.conflicts.indices { _ = open(place) }
    dropS()
    for event in events {
      #expect(cursor == Self.ids[0])
      now += 33_000_000
      _ = state.update(.terminal(event), now: now)
    }
    #expect(cursor == Self.ids[1])
  }

  private mutating func dropS() {
    press("c")
    state.keep(typedUnseeing: [.key("s")])
    _ = takeTyped()
  }

  /// "eWasser", whose letters would be commands.
  @Test mutating func aLetterOfAWordIsNoKeyThatIsPressedAgain() {
    for place in Self.conflicts.indices { _ = open(place) }
    dropS()
    for key: Key in ["e", .control("u"), "W", "a", "s", "s", "e", "r", .enter] {
      now += 120_000_000
      #expect(state.update(.terminal(.key(key)), now: now).isEmpty)
    }
    #expect(state.pages.isEmpty && cursor == Self.ids[0])
    #expect(state.status?.text.hasSuffix(left("s")) == true)
  }

  /// The records are there; the keys came at once, and no frame was drawn between them.
  @Test mutating func whatWaitsInTheTerminalDecidesNothingWhereTheCursorWentOn() {
    state.advances = true
    for place in Self.conflicts.indices { _ = open(place) }
    press("c")
    #expect(state.mayDecideUnseen && cursor == Self.ids[1])
    state.keep(typedUnseeing: [.key("s"), .key("u")])
    #expect(decisions(in: takeTyped()).isEmpty && cursor == Self.ids[1])
    let words = state.status?.text ?? ""
    #expect(words.contains(": client taken. ") && words.hasSuffix(". " + left("s")), "\(words)")
  }

  /// That u takes it back is so in the list; on another page u may take back something else.
  @Test(arguments: [Key.enter, "?", "w"]) mutating func whatWasDoneBeforeIsNotToldOnAnotherPage(key: Key) {
    for place in Self.conflicts.indices { _ = open(place) }
    press("c")
    state.keep(typedUnseeing: [.key("j")])
    _ = takeTyped()
    #expect(state.pages.isEmpty && state.status?.text.contains(": client taken. ") == true)
    press("c")
    state.keep(typedUnseeing: [.key("j"), .key(key)])
    _ = takeTyped()
    #expect(state.pages.count == 1 && state.status?.text.contains(": client taken. ") != true)
  }

  @Test mutating func whatFailedBeforeIsToldThereAllTheSame() {
    _ = open(0)
    _ = state.update(.notDone("The disk is full."), now: now)
    state.keep(typedUnseeing: [.key(.enter)])
    _ = takeTyped()
    #expect(state.topic == .record && state.status == .failed("The disk is full."))
  }

  /// Each of them comes when the one before has been drawn, however soon.
  @Test mutating func whoTypesFastIsHeldUpByNothing() {
    state.advances = true
    for place in Self.conflicts.indices { _ = open(place) }
    for place in Self.conflicts.indices {
      let effects = state.update(.terminal(.key("c")), now: Sample.now)
      #expect(decisions(in: effects).map(\.id) == [Self.ids[place]])
      #expect(state.nextTyped(now: Sample.now) == nil && !state.mayDecideUnseen)
    }
  }

  /// What was shown then is what it decides.
  @Test mutating func nothingIsTakenFromTheTerminalWhereTheCursorStays() {
    _ = open(0)
    press("c")
    #expect(!state.mayDecideUnseen)
  }

  /// What decides is held then anyway, and `Esc` is for now.
  @Test mutating func nothingIsTakenFromTheTerminalWhileTheJournalIsAsked() {
    state.advances = true
    for place in 0...1 { _ = open(place) }
    press("u", "c", "u", "u")
    _ = state.update(.pastNotHeard("It is gone."), now: Sample.now)
    _ = takeTyped()
    #expect(state.asksPast && state.hasGoneOn && !state.mayDecideUnseen)
  }

  @Test mutating func whatIsTypedForAnEditorIsTakenByNobodyElse() {
    _ = open(0)
    press(.enter, "e")
    #expect(state.topic == .editor && state.hasGoneOn && !state.mayDecideUnseen)
  }

  private mutating func judge(_ text: String, _ verdict: ValueVerdict) -> [Decision] {
    let judgement = Judgement(id: Self.ids[0], field: "title", value: .text(text), verdict: verdict)
    return decisions(in: state.update(.judged(judgement), now: now) + takeTyped())
  }

  /// The store is asked first whether it takes the value, and what the cursor goes to then nobody has seen.
  @Test(arguments: [ValueVerdict.fits, .refused("too short")])
  mutating func whatIsTypedBehindAValueWaitsForTheStore(verdict: ValueVerdict) {
    _ = open(0)
    press(.enter, "e", .control("u"), "x", .enter, "c", "j")
    #expect(state.topic == .editor && judge("", .fits).isEmpty && state.topic == .editor)
    let kept = judge("x", verdict)
    #expect(kept.map(\.choice) == (verdict == .fits ? [.edit(.text("x"))] : []))
    #expect(state.topic == (verdict == .fits ? .record : .editor))
    let words = state.status?.text ?? ""
    let done =
      verdict == .fits
      ? "title: edited. u takes it back. All is decided here: " : "The store refuses this value: too short."
    #expect(words.hasPrefix(done) && words.hasSuffix(". " + left("c")), "\(words)")
  }

  /// The answer was there before Enter was.
  @Test mutating func whatComesWithTheEnterOfAValueDecidesNothing() {
    state.advances = true
    _ = open(0)
    press(.enter, "e", .control("u"), "x")
    #expect(judge("", .fits).isEmpty && judge("x", .fits).isEmpty)
    let kept = decisions(in: state.update(.terminal(.key(.enter)), now: now))
    #expect(kept.map(\.choice) == [.edit(.text("x"))] && state.mayDecideUnseen)
    state.keep(typedUnseeing: [.key("c")])
    #expect(decisions(in: takeTyped()).isEmpty)
    #expect(state.status?.text.hasSuffix(". " + left("c")) == true)
  }

  /// No store is asked whether a column takes NULL.
  @Test mutating func whatIsTypedBehindAValueThatTheDeskRefusesIsLeft() {
    _ = open(0)
    press(.enter, "e", .control("n"), .enter)
    let refusal = state.status?.text ?? ""
    #expect(state.status?.isFailure == true && state.mayDecideUnseen, "\(state.draw())")
    state.keep(typedUnseeing: [.key("c"), .key(.enter)])
    #expect(decisions(in: takeTyped()).isEmpty && state.topic == .editor)
    #expect(state.status == .failed("\(refusal) \(left("c"))") && !state.mayDecideUnseen)
    // Once a frame has shown it, what is typed is for the editor again.
    now += Sample.minute
    _ = state.update(.terminal(.key("W")), now: now)
    #expect(state.top(EditorPage.self)?.input.text == "W")
  }

  /// So is a file that cannot be read.
  @Test mutating func whatIsTypedBehindAFileThatCannotBeReadIsLeft() {
    _ = open(0)
    press(.enter, "e")
    _ = state.update(.fileNotRead("There is no such file."), now: now)
    #expect(state.mayDecideUnseen)
    state.keep(typedUnseeing: [.key("x")])
    #expect(takeTyped().isEmpty && state.status == .failed("There is no such file. \(left("x"))"))
  }

  @Test mutating func escapeBehindAValueThatTheDeskRefusesIsDone() {
    _ = open(0)
    press(.enter, "e", .control("n"), .enter)
    state.keep(typedUnseeing: [.key(.escape), .key(.escape), .key("c")])
    #expect(decisions(in: takeTyped()).isEmpty)
    #expect(state.status?.text.hasSuffix("What was typed behind that is not done, either.") == true)
  }

  /// Whoever presses it behind Enter wants the value not to be kept.
  @Test mutating func escapeLeavesAValueThatIsNotKeptYet() {
    _ = open(0)
    press(.enter, "e", .control("u"), "x", .enter, "c", .escape)
    let words = "Enter takes it, Esc once more drops it. What was typed behind that is not done, either."
    #expect(state.status?.text.hasSuffix(words) == true)
    #expect(judge("", .fits).isEmpty && judge("x", .fits).isEmpty && state.topic == .editor)
    press(.escape)
    #expect(state.topic == .record && decisions(in: takeTyped()).isEmpty)
  }

  @Test mutating func whatWasTypedIntoALineIsKept() {
    press("/", "m")
    state.keep(typedUnseeing: [.key("i"), .key("s"), .key("c")])
    _ = takeTyped()
    #expect(state.list.typing?.text == "misc")
  }

  /// What it would take back is something else.
  @Test mutating func whatWasTypedBehindARefusedOneIsDropped() {
    _ = open(0)
    press("c", "j", "c", "u")
    var waits = Self.conflicts[1]
    waits.details.waitingSince = Sample.now
    _ = state.update(.opened(waits, []), now: Sample.now)
    #expect(state.status?.isFailure == true && state.nextTyped(now: Sample.now) == nil)
    #expect(state.status?.text.hasSuffix("or let the app apply it. " + left("u")) == true, "\(state.draw())")
    #expect(state.open[Self.ids[0]]?.resolution.isEmpty == false)
  }

  @Test mutating func whatFailedBeforeIsNoRefusal() {
    let whole = Sample.deletedOnServer
    state = DeskState(store: state.store, access: .writable, size: state.size, now: Sample.now)
    let summary = ConflictSummary(whole, resolution: Resolution())
    _ = state.update(.found(ConflictPage(summaries: [summary], seen: 1)), now: Sample.now)
    press("c")
    _ = state.update(.notHeard("It is locked."), now: Sample.now)
    _ = state.update(.opened(whole, []), now: Sample.now)
    #expect(state.status?.text.contains(": client taken.") == true && state.status?.isFailure == false)
  }

  /// The journal is asked first, and what was decided since is not what was meant.
  @Test mutating func whatIsTypedBehindATakingBackIsDoneBehindIt() {
    _ = open(0)
    press("u", "c")
    #expect(state.open[Self.ids[0]]?.resolution.isEmpty == true)
    let nothing = EarlierActs.find(upTo: nil, olderThan: nil) { _ in
      []
    } _: { _, _ in
      []
    }
    _ = state.update(.earlier(nothing), now: Sample.now)
    #expect(state.nextTyped(now: Sample.now) == nil, "the store is asked as well")
    _ = state.update(.lastWrite(nil), now: Sample.now)
    while let next = state.nextTyped(now: Sample.now) { _ = state.update(.terminal(next), now: Sample.now) }
    #expect(state.open[Self.ids[0]]?.resolution.isEmpty == false)
  }

  @Test mutating func whoGoesElsewhereByTheMouseDoesNotMeanItAnyMore() {
    press("c")
    _ = state.update(.terminal(.click(Point(column: 8, row: 6))), now: Sample.now)
    #expect(cursor == Self.ids[2])
    #expect(open(0).isEmpty)
    #expect(state.status == .told("Nothing was done to Call dentist: the cursor is elsewhere by now."))
  }
}
