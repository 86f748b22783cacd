import Merging
import Terminal

/// Where the parts of the review stand; drawing, moving and the mouse agree on it.
struct ReviewLayout {
  static let signColumn = 2
  static let titleColumn = 5
  static let fieldColumn = 7

  let columns: Int
  /// The row of the first line.
  let top: Int
  /// Rows for lines.
  let height: Int
  let footTop: Int
  /// Whether there is no room for before and after beside each other.
  let isNarrow: Bool
  /// Where the values of now and afterwards start.
  let now: Int
  let after: Int

  init(_ state: DeskState, _ page: ReviewPage) {
    columns = state.size.columns
    isNarrow = columns < 60
    top = isNarrow || state.size.rows < 12 ? 2 : 3
    footTop = state.size.rows - 2 - ReviewFoot(state, page).lines.count
    height = max(1, footTop - top - (ReviewFoot.isShort(state.size) ? 0 : 1))
    now = isNarrow ? 23 : Self.titleColumn + max(20, min(34, columns * 5 / 16))
    after = isNarrow ? now : now + (columns - now) / 2
  }

  var hasHeadings: Bool { top == 3 }

  /// The first line shown: the cursor is kept in sight, and moves before the lines do.
  func first(_ rows: ReviewRows) -> Int {
    let wanted = rows.hasPlaces ? rows.cursorRow - height / 2 : rows.page.scroll
    return max(0, min(wanted, rows.all.count - height))
  }
}
