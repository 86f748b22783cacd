import Terminal

/// Tells a double click: ncurses would hold back every click until its time is over.
struct Clicks {
  static let patience = Duration.milliseconds(400)
  private var last: (point: Point, time: ContinuousClock.Instant)?

  mutating func press(at point: Point, _ time: ContinuousClock.Instant) -> TerminalEvent {
    if let last, last.point == point, time - last.time <= Self.patience {
      // The third press begins a new click.
      self.last = nil
      return .doubleClick(point)
    }
    last = (point, time)
    return .click(point)
  }
}
