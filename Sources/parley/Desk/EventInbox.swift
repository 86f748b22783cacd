import Curses
import Desk
import Synchronization

/// What the background has to tell the desk. Any thread posts; the one that owns the screen takes all at once.
final class EventInbox: Sendable {
  let wake: Wake
  private let posted = Mutex<[Posted]>([])

  private struct Posted: Sendable {
    let event: DeskEvent
    let isWanted: @Sendable () -> Bool
  }

  init() throws { wake = try Wake() }

  /// - Parameter isWanted: asked when the event is taken; one that is wanted no longer is dropped.
  func post(_ event: DeskEvent, where isWanted: @escaping @Sendable () -> Bool = { true }) {
    posted.withLock { $0.append(Posted(event: event, isWanted: isWanted)) }
    wake.ring()
  }

  /// Hands all events to `take`, in the order in which they came. One may make those after it unwanted.
  func takeAll(_ take: (DeskEvent) -> Void) {
    let all = posted.withLock { posted in
      defer { posted.removeAll() }
      return posted
    }
    for posted in all where posted.isWanted() { take(posted.event) }
  }
}
