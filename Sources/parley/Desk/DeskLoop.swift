import Curses
import Desk
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
  private var hasQuit = false

  init(
    store: any ConflictStore, terminal: CursesTerminal, inbox: EventInbox,
    now: @escaping @Sendable () -> Int64
  ) {
    self.store = store
    self.terminal = terminal
    self.inbox = inbox
    self.now = now
    worker = StoreWorker(store: store, inbox: inbox)
    state = DeskState(store: store.info, access: .unknown, size: terminal.size, now: now())
  }

  /// Runs until the person leaves, and returns what was left in the list.
  func run() -> ListState {
    _ = hearOthers()
    worker.startWatching()
    worker.startWalk()
    while !hasQuit {
      terminal.draw(state.draw())
      switch terminal.nextEvent(wake: inbox.wake, timeout: state.patience.map { .milliseconds($0) }) {
      case .event(let event):
        var failure: String?
        if case .key = event { failure = hearOthers() }
        take(.terminal(event))
        if let failure { take(.notHeard(failure)) }
      case .woken: inbox.takeAll { take($0) }
      case .timedOut: take(.ticked)
      case .hungUp: hasQuit = true
      }
    }
    worker.stop()
    return state.list
  }

  /// The walkthrough alone, without a store behind it.
  func begin(with page: WalkthroughPage) { state.begin(with: page) }

  private func take(_ event: DeskEvent) {
    for effect in state.update(event, now: now()) { perform(effect) }
  }

  /// Before a key can decide or write anything. Looking at the journal takes less time than drawing a frame.
  ///
  /// - Returns: why it could not be looked at, to be told after the key.
  private func hearOthers() -> String? {
    do {
      let others = try store.journal.decisionsOfOthers()
      if others.isEmpty { return nil }
      take(.othersDecided(others, inForce: try store.journal.decisions(for: others.map(\.id))))
      return nil
    } catch {
      return words(error)
    }
  }

  private func perform(_ effect: DeskEffect) {
    switch effect {
    case .journal(let decisions): keep(decisions)
    case .walk: worker.startWalk()
    case .finishInterrupted: worker.finishInterrupted()
    case .open(let id): worker.open(id)
    case .readTree(let id): worker.readTree(id)
    case .readDrafts(let ids): worker.readDrafts(ids)
    case .judge(let planned, let field): worker.judge(planned, field)
    case .check(let planned): worker.check(planned)
    case .write(let planned, let note): worker.write(planned, note: note)
    case .stop: worker.stopReview()
    case .export(let planned, let format): worker.export(planned, format)
    case .readLastWrite: worker.readLastWrite()
    case .checkUndo(let write): worker.checkUndo(write)
    case .undoWrite(let write): worker.undoWrite(write)
    case .mend(let id): worker.mend(id)
    case .editOutside(let text): take(editOutside(text))
    case .readFile(let path): take(readFile(path))
    case .redraw: terminal.redraw()
    case .quit: hasQuit = true
    }
  }

  /// Done here and not in the background: the next frame shows the decision, so it must be durable by then.
  private func keep(_ decisions: [Decision]) {
    do {
      try store.journal.append(decisions)
    } catch {
      take(.journalFailed(words(error)))
    }
  }

  private func editOutside(_ text: String) -> DeskEvent {
    do {
      return .editedOutside(try terminal.suspended { try OutsideEditor.edit(text) })
    } catch {
      return .failed(words(error))
    }
  }

  private func readFile(_ path: String) -> DeskEvent {
    do {
      return .readFile(path: path, bytes: try bytes(ofFile: path, limit: FileLimit.value))
    } catch {
      return .failed(words(error))
    }
  }
}
