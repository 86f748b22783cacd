import Curses
import Desk
import Synchronization

/// What the background has to tell the desk. Any thread posts; the one that owns the screen takes all at once.
final class EventInbox: Sendable {
  let wake: Wake
  private let events = Mutex<[DeskEvent]>([])

  init() throws { wake = try Wake() }

  func post(_ event: DeskEvent) {
    events.withLock { $0.append(event) }
    wake.ring()
  }

  func takeAll() -> [DeskEvent] {
    events.withLock { events in
      defer { events.removeAll() }
      return events
    }
  }
}
