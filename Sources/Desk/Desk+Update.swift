import Merging
import Telling
import Terminal

extension DeskState {
  /// Takes in what happened and returns what is to be done outside. Never waits, reads no clock, touches no file.
  ///
  /// - Parameter now: nanoseconds since 1970.
  package mutating func update(_ event: DeskEvent, now: Int64) -> [DeskEffect] {
    time.now = now
    let effects = take(event)
    noteQuestions(in: effects)
    renewLifecycles()
    countTablesAgain(after: event)
    tellLeft(now: now)
    endPassingWords()
    return effects + openSelected() + showBulk() + checkBulk() + readFamilyAgain() + searchValues()
  }

  private mutating func take(_ event: DeskEvent) -> [DeskEffect] {
    switch event {
    case .terminal(let event): takeTerminal(event)
    case .counted, .found, .walkEnded, .foundFindings, .findingsEnded, .walkFailed: takeWalk(event)
    case .opened(let conflict, let decisions): opened(conflict, decisions)
    case .settled(let id): settled(id)
    case .openFailed(let id, let words): openFailed(id, words)
    case .accessChanged(let access): accessChanged(access)
    case .unreadIsReadAgain: readUnreadAgain()
    case .deafnessChanged(let reason): deafnessChanged(reason)
    case .storeChanged: storeChanged()
    case .interrupted(let writes): foundInterrupted(writes)
    case .journalFailed(let words): journalFailed(words)
    case .othersDecided(let decisions, let inForce): takeOver(decisions, inForce: inForce)
    case .journalChanged: [.hear] + readHalves + readNewestWrite + readLogsAgain
    case .heard: heard()
    case .notHeard(let words): notHeard(words)
    case .tree(let id, let tree): takeTree(id, tree)
    case .treeFailed(let id, let words): treeFailed(id, words)
    case .content(let question, let contents):
      on(ValuePage.self) { $0.take(contents, for: question, on: &$1) } ?? []
    case .judged(let judgement): takeJudgement(judgement)
    case .rehearsed(let planned, let outcome): take(outcome, ofRehearsal: planned)
    case .fitNow(let ids): forgetRefusals(of: ids)
    case .lastWrite(let write, let alone): heardPast { $0.reviewUndo(write, alone: alone) }
    case .newestWrite(let write, let standing): hearNewestWrite(write, standing)
    case .earlier(let found): heardPast { $0.takeEarlier(found) }
    case .pastNotHeard(let words): heardPast { $0.tell(failed: words) }
    case .drafts, .progressed, .checked, .wrote, .undid, .mended, .reviewFailed: takeReview(event)
    case .notDone(let words): tell(failed: words)
    case .notice(let words): tell(failed: (status.map { $0.text + " " } ?? "") + words)
    case .waits(let wait, let errand): note(wait, for: errand)
    case .finished(let writes): finished(writes)
    case .exported(let page): show(page)
    case .copied(let status): tell(status)
    case .ticked: ticked()
    case .editedOutside(let text): on(EditorPage.self) { $0.takeOutside(text, on: &$1) } ?? []
    case .editorFailed(let words):
      on(EditorPage.self) { $0.takeOutside(failure: words, on: &$1) } ?? tell(failed: words)
    case .readFile(let path, let bytes): takeFile(path, bytes)
    case .fileNotRead(let words): fileNotRead(words)
    case .bulk(let answer): take(answer)
    case .log(let id, let entries): takeLog(id, entries)
    case .logOfStore(let entries): takeLogOfStore(entries)
    case .logOfStoreFailed(let words): logOfStoreFailed(words)
    case .givenUp(let entries): takeGivenUp(entries)
    case .halves(let entries): takeHalves(entries)
    case .tallied(let tally, let act): take(tally, of: act)
    case .rulesKept(let shelf, let words): kept(shelf, words)
    case .themeKept(let name, let words): kept(theme: name, words)
    case .themeFailed(let name, let shown, let words): failed(theme: name, shown: shown, words)
    case .family(let id, let members): takeFamily(id, members)
    case .familyFailed(let id, let words): familyFailed(id, words)
    case .searched(let question, let found): takeSearched(question, found)
    case .searchFailed(let question, let words): searchFailed(question, words)
    }
  }

  private mutating func heardPast(_ take: (inout DeskState) -> [DeskEffect]) -> [DeskEffect] {
    asksPast = false
    return goingOn(take)
  }

  /// Nothing is called chosen, or can be kept, that is not seen.
  private mutating func failed(theme name: String, shown: String?, _ words: String) -> [DeskEffect] {
    if theme == name { theme = shown }
    return tell(failed: words)
  }

  private mutating func kept(theme name: String, _ words: String) -> [DeskEffect] {
    keptTheme = name
    return tell(words)
  }

  mutating func tell(_ status: Status?) -> [DeskEffect] {
    self.status = status
    return []
  }

  private mutating func fileNotRead(_ words: String) -> [DeskEffect] {
    defer { noteRefusal() }
    return tell(failed: words)
  }

  mutating func tell(_ words: String) -> [DeskEffect] { tell(.told(words)) }
  mutating func tell(failed words: String) -> [DeskEffect] { tell(.failed(words)) }

  private mutating func takeTerminal(_ event: TerminalEvent) -> [DeskEffect] {
    if let key = keyWithAlt(event) { return takeEscape(before: .key(key)) }
    if isTooSmall, !isTaken(unseen: event) { return [] }
    if isRestOfDropped(event) || keep(event) { return [] }
    let height = pages.count
    let effects = takeInput(event)
    if pages.count < height { hasUncovered = true }
    return effects
  }

  private mutating func takeInput(_ event: TerminalEvent) -> [DeskEffect] {
    switch event {
    case .key(let key): return type(key)
    case .keyBehindEscape(let key): return takeEscape(before: .key(key))
    case .clickBehindEscape(let point): return takeEscape(before: .click(point))
    case .paste(let text, let isOpen): return paste(text, isOpen: isOpen)
    case .click(let point): return click(point)
    case .doubleClick(let point): return doubleClick(point)
    // Only what is typed is for the editor.
    case .wheel(let lines):
      heldFirst = nil
      return topic == .editor ? [] : run(.move(lines < 0 ? .up : .down))
    case .resized(let size):
      resize(to: size)
      onTop { $0.keepScrolledToSomething(on: $1) }
      return []
    case .resumed: return [.redraw]
    }
  }

  /// It goes into input fields only: it must never run keys. Where its end was lost all that is typed is of it.
  private mutating func paste(_ text: String, isOpen: Bool) -> [DeskEffect] {
    let way = isOpen ? " \(Key.escape.name) ends a paste that does not end." : ""
    return onTop { $0.paste(text, on: &$1) } ?? tell("Pasted text is ignored here." + way)
  }

  /// With Alt a key comes as Esc and that key at once do: it is these two wherever it is no key of its own. nil for any other event.
  private func keyWithAlt(_ event: TerminalEvent) -> Key? {
    guard case .key(let key) = event, let behind = key.behindEscape else { return nil }
    // What is kept may be for a line that is opened before it; what it is is seen when its turn comes.
    let topics = holdsTyped ? [topic, .editor, .input] : [topic]
    return topics.contains { isKey(key, on: $0) } ? nil : behind
  }

  private func isKey(_ key: Key, on topic: Topic) -> Bool {
    keys.told(on: topic).contains { $0.keys.contains(key) }
  }

  /// The key, or the click, comes next, as it may be about what only Esc shows. But nobody had seen that, so it decides nothing there.
  private mutating func takeEscape(before event: TerminalEvent) -> [DeskEffect] {
    let isHeld = holdsTyped
    let effects = takeTerminal(.key(.escape))
    typedBehind.insert(event, at: isHeld ? typedBehind.endIndex : 0)
    return effects
  }

  private mutating func type(_ key: Key) -> [DeskEffect] {
    heldFirst = nil
    // Who leaves by these is not always sent to what comes in sight: the cursor may stand elsewhere in a list that is whole again.
    let effects = [.escape, .control("c")].contains(key) ? goingOn { $0.take(key) } : take(meant(key))
    justEnded = nil
    tellOfOthers()
    return effects
  }

  /// Ctrl-J is Enter, as terminals have it, but where it breaks a line.
  func meant(_ key: Key) -> Key { key == .control("j") && topic != .editor ? .enter : key }

  /// Whether a key leaves the page or the program, or touches neither.
  func leaves(_ key: Key) -> Bool {
    let leaving: [Command] = [.quit, .back, .anywhere(.redraw), .anywhere(.suspend)]
    return keys.command(for: key, on: topic).map(leaving.contains) ?? (key == .escape)
  }

  /// What a person may do who sees nothing of the page: leave it, or make the terminal larger.
  private func isTaken(unseen event: TerminalEvent) -> Bool {
    switch event {
    case .key(let key): return leaves(key)
    case .paste, .click, .doubleClick, .wheel: return false
    // Of these two what comes behind is seen when its turn comes.
    case .keyBehindEscape, .clickBehindEscape, .resized, .resumed: return true
    }
  }

  /// An input field gets the key first; elsewhere it is a command.
  private mutating func take(_ key: Key) -> [DeskEffect] {
    // It does nothing to the page, nor to what was told: both are only drawn once more.
    if keys.command(for: key, on: topic) == .anywhere(.redraw) { return [.redraw] }
    (status, failureOfHearing, valueIsRefused) = (nil, nil, false)
    let last = copied
    copied = nil
    // A line of text is no screen of its own: what quits from anywhere quits from there, too.
    if topic == .input, Keymap.command(for: key, on: .input) == .quit { return quit() }
    if topic == .editor { return typeInEditor(key) }
    if let effects = onTop({ $0.type(key, on: &$1) }) { return effects }
    guard let command = keys.command(for: key, on: topic) else {
      let isAlmost = key == "y" && top(ReviewPage.self).map { $0.stage != .done } == true
      return tell(isAlmost ? "Capital Y writes." : "\(key.name) does nothing here. ? shows the keys.")
    }
    if command == .drafts(.confirm), asksNothingYet { left = .key(key) }
    return command == .anywhere(.copy) ? copy(after: last) : run(command)
  }

  mutating func run(_ command: Command) -> [DeskEffect] {
    if command == .back, canStopWaiting { return stopWaiting() }
    if command == .back, let effects = leaveWaiting() { return effects }
    let act = { (desk: inout DeskState) -> [DeskEffect] in
      desk.runAnywhere(command) ?? desk.runOnPage(command) ?? []
    }
    return command.mayGoOn(on: topic) ? goingOn(act) : act(&self)
  }

  /// nil for a command that the page on top does not take: a law compares those it takes with its keys in ``Keymap``.
  mutating func runOnPage(_ command: Command) -> [DeskEffect]? { onTop { $0.run(command, on: &$1) } }

  mutating func runAnywhere(_ command: Command) -> [DeskEffect]? {
    switch command {
    case .quit: return quit()
    case .anywhere(.redraw): return [.redraw]
    // The terminal layer has stopped and gone on already; the key is in the table for the help.
    case .anywhere(.suspend): return []
    case .anywhere(.help): pages.append(.help(HelpPage(of: topic)))
    case .anywhere(.palette):
      pages.append(.palette(PalettePage(over: topic, about: PalettePage.Shown(self), theme: theme)))
    case .anywhere(.copy): return copy()
    case .anywhere(.log): return readLog()
    case .anywhere(.logOfTheStore): return readLogOfStore()
    case .anywhere(.rules): return startRules()
    case .anywhere(.family): return startFamily()
    case .anywhere(.givenUp): return readGivenUp()
    case .anywhere(.togglePrivate): return togglePrivate()
    case .anywhere(.toggleUnchanged):
      if let page = top(ReviewPage.self), !page.isOpen {
        return tell("\(key(.anywhere(.toggleUnchanged))) shows unchanged fields of drafts alone.")
      }
      toggleUnchanged()
    case .anywhere(.toggleTime): return toggleTime()
    case .move, .left, .right, .open, .back, .nextUndecided, .previousUndecided, .record, .take, .edit,
      .editOutside, .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .history,
      .unfold,
      .story, .nextTopic, .reload, .line:
      return nil
    }
    return []
  }

  private mutating func togglePrivate() -> [DeskEffect] {
    privacy = privacy == .open ? .hidden : .open
    return tell(
      privacy == .open
        ? "Values are shown again." : "Values are hidden. \(key(.anywhere(.togglePrivate))) shows them again."
    )
  }

  /// `T`: how times are told; on the list, where ages are compared at a glance, whether as such.
  private mutating func toggleTime() -> [DeskEffect] {
    if topic == .list {
      listTellsTimes.toggle()
      return tell(listTellsTimes ? "Last edits are shown as times." : "Last edits are shown as ages.")
    }
    time.style = time.style.next
    return tell("Times are now \(time.style.words).")
  }

  mutating func goBack() -> [DeskEffect] {
    let left = pages.removeLast()
    takeRehearsal()
    if let words = top(TextPage.self)?.outdated { status = .told(words) }
    return returnToReview(from: left) + returnToBulk()
  }
}

extension TimeText.Style {
  fileprivate var next: TimeText.Style {
    switch self {
    case .local: .ago
    case .ago: .utc
    case .utc: .local
    }
  }
}
