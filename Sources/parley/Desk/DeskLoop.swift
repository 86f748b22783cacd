import Curses
import Desk
import Foundation
import Merging
import StoreInterface
import Terminal

/// Events change state, state is drawn, effects come back as events. One thread, asleep until something happens.
@MainActor final class DeskLoop {
  private var state: DeskState
  private let terminal: CursesTerminal
  private let store: any ConflictStore
  private let inbox: EventInbox
  private let worker: StoreWorker
  private let now: @Sendable () -> Int64
  private let log: LogBook
  private var hasQuit = false
  private let look: DeskLook
  /// The theme that is seen, whatever was asked for since.
  private var shownTheme: String?
  private var rules: RuleKeeper
  /// What a person should know before anything else.
  var notices: [String] = []

  /// That the store is one to try things on.
  func tellSample() { state.store.banner = "Parley's sample: try everything" }

  init(
    store: any ConflictStore, terminal: CursesTerminal, look: DeskLook, inbox: EventInbox, advances: Bool,
    rules: RuleKeeper, log: LogBook, filling: @escaping @Sendable (String) -> String,
    now: @escaping @Sendable () -> Int64
  ) {
    (self.store, self.terminal, self.look, self.inbox, self.now) = (store, terminal, look, inbox, now)
    (self.log, self.rules) = (log, rules)
    log.note("desk \(terminal.size.columns)x\(terminal.size.rows)")
    worker = StoreWorker(store: store, inbox: inbox, filling: filling)
    state = DeskState(store: store.info, access: .unknown, size: terminal.size, now: now())
    state.filling = filling
    state.isASCII = terminal.isASCII
    state.advances = advances
    (state.themes, state.theme) = (look.names, look.first)
    shownTheme = look.first
    state.keptTheme = rules.keptTheme
    state.keys = look.keys
    state.rules = rules.shelf(of: store.ruleBook.rules)
    state.bracketsWords = !terminal.showsStrokesInColour
  }

  /// What was going on when the person left; nil where the store was not being changed.
  var leftChange: JournalEntry.Act? { state.changeGoingOn }

  /// Runs until the person leaves, and returns what was left in the list.
  func run() -> ListState {
    _ = hearOthers()
    for notice in notices + [look.keys.notice].compactMap(\.self) + store.journal.notices.map(\.words) {
      take(.notice(notice))
    }
    terminal.draw(state.draw())
    startWork()
    while !hasQuit {
      takeNext()
      if !hasQuit { terminal.draw(state.draw()) }
    }
    worker.stop()
    // What became of many meanwhile is told of the list that is left, and nothing more of it is asked for.
    inbox.takeAll { if case .bulk = $0 { _ = state.update($0, now: now()) } }
    return state.list
  }

  /// Behind the first frame: beside a second thread, which touches its memory for the first time as well, it comes a quarter later.
  private func startWork() {
    worker.startWatching()
    worker.startWalk(rows: state.size.rows)
    // Nobody waits for it, and there may be thousands of files of others in that folder.
    DispatchQueue.global(qos: .utility).async { OutsideEditor.removeLeftovers() }
  }

  private func takeNext() {
    switch terminal.nextEvent(wake: inbox.wake, timeout: state.patience.map { .milliseconds($0) }) {
    case .event(let event): take(typed: event)
    case .woken: inbox.takeAll { take($0) }
    case .timedOut: take(.ticked)
    case .hungUp: hasQuit = true
    }
    while !hasQuit, let event = state.nextTyped(now: now()) { take(typed: event) }
  }

  /// The walkthrough alone, without a store behind it.
  func begin(with page: WalkthroughPage) { state.begin(with: page) }

  private func take(_ event: DeskEvent) {
    note(event)
    let effects = state.update(event, now: now())
    // Before anything is kept, so that who types while a disk takes its time is not held up.
    if state.mayDecideUnseen { state.keep(typedAhead: terminal.typedMeanwhile()) }
    for effect in effects { perform(effect) }
  }

  private func take(typed event: TerminalEvent) {
    let failure = event.canDecide ? hearOthers() : nil
    take(.terminal(event))
    if let failure { take(.notHeard(failure)) }
  }

  /// Of keys only that there was one: what is typed may be a value.
  private func note(_ event: DeskEvent) {
    switch event {
    case .terminal(.resized(let size)): log.note("desk \(size.columns)x\(size.rows)")
    case .terminal(let event): log.note("desk \(LogBook.name(of: event))")
    case .ticked, .waits: break
    default: log.note("desk \(LogBook.name(of: event))")
    }
  }

  /// Before a key can decide or write anything. Looking at the journal takes less time than drawing a frame; but not while the store is
  /// changed from here: then it is being written, for seconds where there is much, and what others decide is heard when that is over.
  ///
  /// - Returns: why it could not be looked at, to be told after the key.
  private func hearOthers() -> String? {
    if state.isChangingTheStore { return nil }
    do {
      let others = try store.journal.decisionsOfOthers()
      if others.isEmpty { return nil }
      take(.othersDecided(others, inForce: try store.journal.decisions(for: others.map(\.id))))
      return nil
    } catch {
      return worker.words(error)
    }
  }

  private func perform(_ effect: DeskEffect) {
    log.note("desk \(LogBook.name(of: effect))")
    switch effect {
    case .journal(let decisions): keep(decisions)
    case .walk: worker.startWalk(rows: state.size.rows)
    case .hear: take(hearOthers().map { .notHeard($0) } ?? .heard)
    case .finishInterrupted: worker.finishInterrupted()
    case .open(let id): worker.open(id)
    case .readTree(let id): worker.readTree(id)
    case .readContent(let question): worker.readContent(question)
    case .readDrafts(let ids): worker.readDrafts(ids)
    case .judge(let planned, let field): worker.judge(planned, field)
    case .rehearse(let planned): worker.rehearse(planned)
    case .check(let planned): worker.check(planned)
    case .write(let planned, let note): worker.write(planned, note: note)
    case .stop: worker.stopReview()
    case .stopFamily: worker.stopFamily()
    case .stopWaiting: worker.stopWaiting()
    case .export(let planned, let format): worker.export(planned, format)
    case .readLastWrite(let record): worker.readLastWrite(of: record)
    case .readNewestWrite(let own): worker.readNewestWrite(beside: own)
    case .readEarlier(let withOwn, let known): worker.readEarlier(withOwn: withOwn, olderThan: known)
    case .checkUndo(let write): worker.checkUndo(write)
    case .undoWrite(let write, let records): worker.undoWrite(write, of: records)
    case .mend(let finding): worker.mend(finding)
    case .editOutside(let text): take(editOutside(text))
    case .readFile(let path): take(readFile(path))
    case .copy(let copied): take(.copied(copy(copied)))
    case .showTheme(let name): show(theme: name)
    case .keepTheme(let name): take(keep(theme: name))
    case .bulk(let request): worker.answer(request)
    case .exportBulk(let records, let rules, let format): worker.export(records, rules, format)
    case .readLog(let id): worker.readLog(id)
    case .readLogOfStore(let limit): worker.readLogOfStore(limit: limit)
    case .readGivenUp: worker.readGivenUp()
    case .readHalves(let ids): worker.readHalves(ids)
    case .tally(let ids, let act): worker.tally(ids, act: act)
    case .keepRules(let changes, let inFile): take(keep(changes, inFile: inFile))
    case .readFamily(let id, let known): worker.readFamily(id, known: known)
    case .search(let question): worker.search(question)
    case .redraw: terminal.redraw()
    case .quit: hasQuit = true
    }
  }

  /// Longer than a disk takes, and than a hand rests that goes on without looking.
  private static let patience = Duration.milliseconds(250)

  /// Done here and not in the background: the next frame shows the decision, so it must be durable by then.
  private func keep(_ decisions: [Decision]) {
    let start = ContinuousClock.now
    do {
      try store.journal.append(decisions)
      // Another process had the journal. What a person pressed at the screen that stood still was about that screen.
      if ContinuousClock.now - start > Self.patience {
        state.keep(typedUnseeing: terminal.typedMeanwhile())
      }
    } catch {
      // Nothing of what was typed meanwhile is done: who typed it could not know.
      state.keep(typedUnseeing: terminal.typedMeanwhile())
      take(.journalFailed(worker.words(error)))
    }
  }

  /// Written before they are in force, so that a file that cannot be written changes nothing.
  private func keep(_ changes: [String: MergeRule?], inFile: Bool) -> DeskEvent {
    do {
      let words = try rules.keep(changes, inFile: inFile, in: store.ruleBook)
      return .rulesKept(rules.shelf(of: store.ruleBook.rules), words)
    } catch {
      return .notDone((error as? CommandError)?.words ?? worker.words(error))
    }
  }

  private func keep(theme name: String) -> DeskEvent {
    do {
      _ = try look.theme(name)
      return .themeKept(name, try rules.keep(theme: name))
    } catch {
      return .notDone((error as? CommandError)?.words ?? worker.words(error))
    }
  }

  private func copy(_ copied: Copied) -> Status {
    Clipboard(environment: look.environment, foretells: store.info.can.contains(.foretell)).take(
      copied, terminal)
  }

  private func show(theme name: String) {
    do {
      try look.show(name, on: terminal)
      shownTheme = name
      state.bracketsWords = !terminal.showsStrokesInColour
    } catch {
      take(.themeFailed(name, shown: shownTheme, (error as? CommandError)?.words ?? worker.words(error)))
    }
  }

  private func editOutside(_ text: String) -> DeskEvent {
    do {
      return .editedOutside(try terminal.suspended { try OutsideEditor.edit(text) })
    } catch {
      return .editorFailed(worker.words(error))
    }
  }

  private func readFile(_ path: String) -> DeskEvent {
    do {
      return .readFile(path: path, bytes: try bytes(ofFile: path, limit: FileLimit.value))
    } catch {
      return .fileNotRead(worker.words(error))
    }
  }
}

extension TerminalEvent {
  /// Whether it may decide something, or ask for a write.
  fileprivate var canDecide: Bool {
    switch self {
    case .key, .keyBehindEscape, .click, .doubleClick, .clickBehindEscape: true
    case .paste, .wheel, .resized, .resumed: false
    }
  }
}
