import Terminal

/// What a click changed in what is on the screen: where the cursor was, and where it is. A page shows what is around its cursor, so
/// the first click of two may move away what the second is about.
struct Clicked: Sendable, Equatable {
  /// What lies over the list, and where the list stands.
  struct View: Sendable, Equatable {
    var pages: [Page]
    var cursor: Int
    var first: Int?
    var order: ListOrder
    var filter: ListFilter
  }

  let point: Point
  let before, after: View

  /// What stood at the place when it was clicked first, if nothing else was done since; nil where that click led elsewhere.
  func view(under second: Point, on now: View) -> View? {
    let isSamePage = before.pages.last?.content.topic == after.pages.last?.content.topic
    let isSameList = before.order == after.order && before.filter == after.filter
    guard second == point, now == after, before.pages.count == after.pages.count, isSamePage, isSameList
    else { return nil }
    return before
  }
}

extension DeskState {
  private var view: Clicked.View {
    get {
      Clicked.View(
        pages: pages, cursor: list.cursor, first: heldFirst, order: list.order, filter: list.filter)
    }
    set {
      pages = newValue.pages
      list.moveCursor(to: newValue.cursor)
      heldFirst = newValue.first
    }
  }

  mutating func click(_ point: Point) -> [DeskEffect] {
    if let effects = clickFooter(point) { return effects }
    let before = view
    let effects = click(point, opens: false)
    clicked = Clicked(point: point, before: before, after: view)
    return effects
  }

  /// The second click is about what stood there at the first. Where it does nothing, that one has done it.
  mutating func doubleClick(_ point: Point) -> [DeskEffect] {
    let now = view
    let earlier = clicked?.view(under: point, on: now)
    clicked = nil
    if let earlier { view = earlier }
    let effects = click(point, opens: true)
    if effects.isEmpty, let earlier, view == earlier { view = now }
    return effects
  }

  /// A message is read by then, as it is before a key.
  private mutating func click(_ point: Point, opens: Bool) -> [DeskEffect] {
    status = nil
    let (first, topics) = (top.firstLine(self), pages.map(\.content.topic))
    let effects = onTop { $0.click(point, opens: opens, on: &$1) }
    heldFirst = topics == pages.map(\.content.topic) ? first : nil
    return effects
  }

  /// Which line is shown first: the one that was when a line was clicked, until a key is pressed, as nothing may move away under a
  /// hand; else the one that has the cursor in the middle, so that it moves before the lines do.
  func first(showing line: Int, height: Int, of count: Int) -> Int {
    let last = max(0, count - height)
    let held = heldFirst.map { max(0, min($0, last)) }
    if let held, (held..<held + height).contains(line) { return held }
    return max(0, min(line - height / 2, last))
  }

  /// What stands in the footer is done when it is clicked, as if its key were pressed. But no click writes.
  ///
  /// nil where no hint is.
  private mutating func clickFooter(_ point: Point) -> [DeskEffect]? {
    guard point.row == size.rows - 1, topic != .editor else { return nil }
    // A message gives way to what it covers.
    if status != nil { return tell(nil) }
    guard let command = command(inFooterAt: point.column - 1) else { return nil }
    if command == .drafts(.confirm) { return tell("No click writes: capital Y does.") }
    // As behind Esc: nobody clicks, and types what is for another page, as a macro does.
    return command == .back ? goingOn { $0.run(command) } : run(command)
  }
}
