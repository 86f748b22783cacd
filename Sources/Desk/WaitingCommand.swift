import Terminal

/// A command of which the record is still being read.
struct WaitingCommand: Sendable {
  let id: String
  let command: Command
}

/// What is typed behind such a command, behind one that asks the journal what there is to take back, or behind a value that the store is
/// asked about, is done behind it, in order: the next key may move the cursor, and the command is about the row that was under it. But where the cursor goes elsewhere by that, nothing
/// that was typed before is decided there: nobody had seen it.
extension DeskState {
  var holdsTyped: Bool { waiting != nil || asksPast || keepsValue }

  /// Whether a value is kept as soon as the store says that it fits.
  private var keepsValue: Bool { top(EditorPage.self)?.isKeeping == true }

  /// What the store says of a value.
  mutating func takeJudgement(_ judgement: Judgement) -> [DeskEffect] {
    let wasToBeKept = keepsValue
    let effects = goingOn { $0.on(EditorPage.self) { $0.take(judgement, on: &$1) } ?? [] }
    if wasToBeKept { noteRefusal() }
    return effects
  }

  /// The value is what a file holds.
  mutating func takeFile(_ path: String, _ bytes: [UInt8]) -> [DeskEffect] {
    let effects = goingOn { $0.on(EditorPage.self) { $0.take(bytes, ofFile: path, on: &$1) } ?? [] }
    noteRefusal()
    return effects
  }

  /// A key for the editor on top. Of a value that is to be kept it may say at once that it cannot be.
  mutating func typeInEditor(_ key: Key) -> [DeskEffect] {
    let effects = goingOn { $0.onTop { $0.type(key, on: &$1) } ?? [] }
    if Keymap.command(for: key, on: .editor) == .line(.keep) { noteRefusal() }
    return effects
  }

  /// If a value that was to be kept is not, what was typed behind it was not meant for the editor, in which it would change that value.
  mutating func noteRefusal() {
    if topic == .editor, !holdsTyped, status?.isFailure == true { (valueIsRefused, hasGoneOn) = (true, true) }
  }

  /// Whether it is kept until then. What leaves does so at once; but letters may be words for a line that is opened before them.
  func isToWait(_ key: Key) -> Bool {
    if case .character = key { return holdsTyped }
    return holdsTyped && !leaves(key)
  }

  /// - Returns: whether it is kept.
  mutating func keep(_ event: TerminalEvent) -> Bool {
    switch event {
    case .key(let key) where isToWait(key) && isSecond(key): _ = tell(.firstKeyIsDone)
    case .key(let key) where isToWait(key): typedBehind.append(event)
    case .paste where holdsTyped: typedBehind.append(event)
    case .key, .keyBehindEscape, .paste, .click, .doubleClick, .clickBehindEscape, .wheel, .resized, .resumed:
      return false
    }
    return true
  }

  /// Who decides once more because nothing has happened yet means the same row, and who decides otherwise may mean this one or the next:
  /// the second would fall on the one where the cursor goes on.
  private func isSecond(_ key: Key) -> Bool {
    guard let first = waiting?.command, first != .undo, first != .redo, typedBehind.isEmpty, pages.isEmpty,
      let second = keys.command(for: meant(key), on: topic)
    else { return false }
    return second == first || first.mayDecide(on: topic) && second.mayDecide(on: topic)
  }

  /// What was typed while the desk stood still, as another process had the journal: nothing of what the key before it did was shown yet.
  package mutating func keep(typedUnseeing events: [TerminalEvent]) {
    if events.isEmpty { return }
    keep(typedAhead: events)
    hasGoneOn = true
  }

  /// What came in one piece with a key that has brought in sight what is not shown yet: see ``mayDecideUnseen``.
  package mutating func keep(typedAhead events: [TerminalEvent]) { typedBehind += events }

  /// What was typed next behind a command that is done now; nil while it waits. Whoever runs the desk takes one after the other, each
  /// with what it has done outside.
  ///
  /// - Parameter now: nanoseconds since 1970; when the key before it was pressed may be seconds ago.
  package mutating func nextTyped(now: Int64) -> TerminalEvent? {
    bringBackUnshown()
    if holdsTyped { return nil }
    guard let next = typedBehind.first else {
      forgetUnseen()
      return nil
    }
    guard isAboutUnseen(next) else {
      unshown = status.map { UnshownStatus(status: $0, page: PageOnTop(self)) }
      return typedBehind.removeFirst()
    }
    leaveTyped()
    tellLeft(now: now)
    return nil
  }

  /// A key takes away what was told before it. What no frame has shown of that stands before what the key itself has to tell. On another
  /// page it is gone as for who types key by key, as the keys that it names do something else there; but what failed is not known yet.
  private mutating func bringBackUnshown() {
    guard let unshown else { return }
    self.unshown = nil
    let said = unshown.status
    guard said.isFailure || unshown.page == PageOnTop(self) else { return }
    if status?.text.contains(said.text) != true { status = status?.behind(said) ?? said }
  }

  /// Where the cursor was sent, and what a person has left to look at another page, may be decided; but nothing is confirmed that is not
  /// in sight.
  private func isAboutUnseen(_ event: TerminalEvent) -> Bool {
    if hasGoneOn || filterIsGone { return valueIsRefused ? isTyped(event) : mayDecide(event) }
    return hasUncovered && confirms(event)
  }

  /// Whether rows are in the list that a filter has hidden in the last frame, whatever has taken that away: the next one may be any of them.
  private var filterIsGone: Bool { narrowingShown.hides(rowsOf: list.narrowing) }

  /// All that was done is shown now.
  private mutating func forgetUnseen() {
    (hasGoneOn, hasUncovered, valueIsRefused) = (false, false, false)
    narrowingShown = list.narrowing
  }

  private func confirms(_ event: TerminalEvent) -> Bool {
    guard case .key(let key) = event else { return false }
    return keys.command(for: meant(key), on: topic)?.confirms == true
  }

  private func mayDecide(_ event: TerminalEvent) -> Bool {
    switch event {
    case .key(let key): keys.command(for: meant(key), on: topic)?.isForWhatIsSeen(on: topic) == true
    case .click, .doubleClick: true
    // What it decides is seen when it is a key, or a click, by itself, behind its Esc.
    case .keyBehindEscape, .clickBehindEscape, .paste, .wheel, .resized, .resumed: false
    }
  }

  /// Whether it is for the page on top. What leaves that, and what the terminal says of itself, is not; but Esc is with something behind it,
  /// which would be for the page that only Esc shows, or changes.
  private func isTyped(_ event: TerminalEvent) -> Bool {
    switch event {
    case .key(let key): !leaves(key)
    case .keyBehindEscape, .clickBehindEscape, .paste, .click, .doubleClick: true
    case .wheel, .resized, .resumed: false
    }
  }

  /// Whether what is to be confirmed on the page on top is not shown yet.
  var asksNothingYet: Bool {
    if let review = top(ReviewPage.self) { return review.stage == .reading || review.stage == .checking }
    return top(BulkPage.self) != nil && bulk?.isRead == false
  }

  /// What was typed since was typed by somebody who could not know.
  mutating func leaveTyped() {
    left = typedBehind.first ?? left
    forgetTyped()
  }

  /// Behind what is said of why. What is typed behind it goes with it, as that may be words for what it would have opened.
  mutating func tellLeft(now: Int64) {
    guard let event = left else { return }
    (left, dropped, swallowed) = (nil, event, [])
    dropsUntil = now &+ DeskState.pause
    let words =
      "\(event.name) was pressed before this screen was shown, so it and what was typed with it were ignored."
    status = Status.told(words).behind(status)
  }

  /// A hand that goes on without looking rests for less, in nanoseconds; who has read what is told, for longer.
  private static let pause: Int64 = 300_000_000

  /// Whether it goes on with what was dropped: of a word whose first letters are gone the others would be commands. Until nobody types for a
  /// moment, or the clock is set back.
  mutating func isRestOfDropped(_ event: TerminalEvent) -> Bool {
    guard time.now < dropsUntil, dropsUntil &- time.now <= DeskState.pause, goesOn(event),
      confirms(event) || !isHeld(event)
    else { return false }
    dropsUntil = time.now &+ DeskState.pause
    swallowed = swallowed.suffix(1) + [event]
    return true
  }

  /// The mouse and arrows belong to no word.
  private func goesOn(_ event: TerminalEvent) -> Bool {
    switch event {
    case .key(.up), .key(.down), .key(.left), .key(.right), .key(.pageUp), .key(.pageDown): false
    // Letters of a word leave nothing.
    case .key(.character), .paste: true
    case .key(let key): !leaves(key)
    case .keyBehindEscape, .click, .doubleClick, .clickBehindEscape, .wheel, .resized, .resumed: false
    }
  }

  /// Nor does a key that is pressed again at once, and no word has a letter three times. But nobody confirms by a key that is still down
  /// what they were told just now.
  private func isHeld(_ event: TerminalEvent) -> Bool {
    event == dropped && swallowed.isEmpty || swallowed == [event, event]
  }

  /// Notes whether the cursor is elsewhere then.
  mutating func goingOn(_ act: (inout DeskState) -> [DeskEffect]) -> [DeskEffect] {
    let before = (pages: pages, row: list.selectedConflict)
    let effects = act(&self)
    if before.pages != pages || !before.row.isName(list.selectedConflict) { hasGoneOn = true }
    return effects
  }

  /// Whether what waits in the terminal now may decide what no frame has shown. What is typed for an editor is text, be it for another one,
  /// unless the value before it was refused.
  package var mayDecideUnseen: Bool {
    (hasGoneOn || hasUncovered || filterIsGone) && !holdsTyped && (topic != .editor || valueIsRefused)
  }

  /// Until the record is there. Another command that waited is not done any more.
  mutating func wait(for id: String, _ command: Command) -> [DeskEffect] {
    let other = waiting.flatMap { $0.id.hasSameBytes(as: id) ? nil : $0.id }
    waiting = WaitingCommand(id: id, command: command)
    let gone = other.map { "Nothing was done to \(shownTitle(of: $0)). " } ?? ""
    return tell(gone + PassingWords.commandWaits.rawValue)
  }

  /// The record is there. Who went on to another row by the mouse, or to another page, does not mean it any more.
  mutating func runWaiting(for id: String) -> [DeskEffect] {
    guard let waiting, waiting.id.hasSameBytes(as: id) else { return [] }
    self.waiting = nil
    guard isMeant(waiting) else { return forget(waiting, "the cursor is elsewhere by now") }
    // As with any key: what failed before is no refusal of this.
    status = nil
    let effects = run(waiting.command)
    // `u` behind what was refused would take back something else.
    if status?.isFailure == true { leaveTyped() }
    return effects
  }

  private func isMeant(_ waiting: WaitingCommand) -> Bool {
    switch waiting.command {
    case .undo: history.lastAct?.isStep(of: waiting.id) == true
    case .redo: history.undone.last?.isStep(of: waiting.id) == true
    default: pages.isEmpty && list.selectedConflict.isName(waiting.id)
    }
  }

  /// `Esc`
  mutating func leaveWaiting() -> [DeskEffect]? {
    waiting.map { forget($0, "it is still being read") }
  }

  private mutating func forget(_ waiting: WaitingCommand, _ reason: String) -> [DeskEffect] {
    tell("Nothing was done to \(shownTitle(of: waiting.id)): \(reason)." + forgetTyped())
  }

  /// Its record cannot be read, or is none any more.
  mutating func forgetWaiting(for id: String) {
    if (waiting?.id).isName(id) { leaveTyped() }
  }

  /// Who ends it by a key, or by the mouse, goes on from there.
  ///
  /// - Returns: that, if anything was typed.
  @discardableResult mutating func forgetTyped() -> String {
    defer {
      (waiting, typedBehind) = (nil, [])
      forgetUnseen()
    }
    return typedBehind.isEmpty ? "" : " What was typed behind that is not done, either."
  }

  /// What there is to take back is asked for, and what is typed meanwhile is done behind that.
  mutating func noteQuestions(in effects: [DeskEffect]) {
    let asks = effects.contains {
      switch $0 {
      case .readEarlier, .readLastWrite: true
      default: false
      }
    }
    if asks { asksPast = true }
  }
}

/// What was told, and on which page.
struct UnshownStatus: Sendable {
  let status: Status
  let page: PageOnTop
}

/// Which page somebody sees, whatever of it, and wherever its cursor stands.
struct PageOnTop: Sendable, Equatable {
  private let depth: Int
  private let topic: Topic
  private let record: String?

  init(_ desk: DeskState) {
    (depth, topic, record) = (desk.pages.count, desk.top.topic, desk.top.record)
  }
}

extension Command {
  /// Whether the cursor may go elsewhere by it without having been sent there. So it may where a value is kept, see ``DeskState/take(_:)``.
  func mayGoOn(on topic: Topic) -> Bool { mayDecide(on: topic) || [.undo, .redo, .mend].contains(self) }

  /// Whether it does anything to what is shown, so that nobody should do it to what they have not seen: also where it changes what is to be
  /// confirmed.
  fileprivate func isForWhatIsSeen(on topic: Topic) -> Bool {
    switch self {
    case .drafts(.leaveOut): true
    case .list(.mark), .open: topic == .bulk || mayDecide(on: topic)
    default: confirms || mayDecide(on: topic)
    }
  }

  /// Whether what the page on top asks about is done by it.
  fileprivate var confirms: Bool { [.drafts(.confirm), .list(.forSession)].contains(self) }

  /// Whether it may decide what is under the cursor, or confirm what is shown. Taking back is about what was done last, and goes there.
  func mayDecide(on topic: Topic) -> Bool {
    switch self {
    case .take, .edit, .editOutside, .accept, .drafts(.confirm): true
    case .record(let command): command.mayDecide
    case .open: topic == .alternatives || topic == .palette
    case .move, .left, .right, .back, .quit, .nextUndecided, .previousUndecided, .undo, .redo, .review, .mend,
      .filter, .search, .history, .unfold, .reload, .nextTopic, .list, .drafts, .story, .line, .anywhere:
      false
    }
  }
}

extension Command.Record {
  fileprivate var mayDecide: Bool {
    switch self {
    case .takeCell, .forget, .both, .bothServerFirst, .takeAll: true
    case .nextRecord, .previousRecord, .nextToDecide, .previousToDecide, .alternatives, .nextLeaf,
      .previousLeaf, .nextChange, .previousChange, .columns, .merge:
      false
    }
  }
}

extension Status {
  fileprivate func behind(_ said: Status?) -> Status {
    Status(text: (said?.text ?? "").beforeMore + text, isFailure: isFailure || said?.isFailure == true)
  }
}

extension TerminalEvent {
  fileprivate var name: String {
    switch self {
    case .key(let key): key.name
    case .keyBehindEscape(let key): "\(Key.escape.name) \(key.name)"
    case .paste: "A paste"
    case .click, .doubleClick, .clickBehindEscape, .wheel: "The mouse"
    case .resized, .resumed: "The terminal"
    }
  }
}
