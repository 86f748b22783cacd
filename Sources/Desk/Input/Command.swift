import Merging
import StoreInterface

/// Everything a person can ask the desk to do. What a key means on a screen is in ``Keymap``, and a law compares that with
/// what every page takes.
package enum Command: Sendable, Hashable {
  case move(Movement)
  case left, right
  case open, back, quit
  case nextUndecided, previousUndecided, nextRecord, previousRecord
  case takeCell
  case take(Side)
  case edit, editOutside, accept, forget, alternatives
  case undo, redo, review, mend, confirm, note, leaveOut, more, showSQL, showJSON
  case filter(ListFilter)
  case search
  case toggleUnchanged, toggleTime, togglePrivate
  case history, unfold, nextLeaf, previousLeaf
  case play, faster, slower
  case whatIf(Int)
  case ruleSet, nextStory, previousStory, tryIt
  case help, nextTopic, reload, redraw, suspend
  case keep, setNull, clear, eraseBefore, eraseAfter
}

/// Through lines: of a list, of a text.
package enum Movement: Sendable, Hashable {
  case up, down, first, last, pageUp, pageDown

  /// How many lines down, to be kept inside what there is.
  ///
  /// - Parameter page: what the page keys move by.
  func lines(page: Int) -> Int {
    switch self {
    case .up: -1
    case .down: 1
    case .pageUp: -page
    case .pageDown: page
    case .first: .min / 2
    case .last: .max / 2
    }
  }
}

/// The screens, as keys and help see them.
package enum Topic: String, Sendable, CaseIterable {
  case list = "List"
  case record = "Record"
  case value = "Value"
  case editor = "Editor"
  case alternatives = "Whole record"
  case review = "Review"
  case walkthrough = "Lifecycle"
  case tree = "Tree"
  case finding = "Finding"
  case help = "Help"
  /// One line of text on a screen: what is looked for, a note.
  case input = "Input"
}

/// The filters of the list; the raw value is the key.
package enum ListFilter: Int, Sendable, Hashable, CaseIterable {
  case all = 1
  case yours, clock, sure, ready, stuck

  /// - Parameter findings: what the store's findings are called.
  func title(findings: String) -> String { (self == .stuck ? findings : "\(self)").capitalizedFirst }
}
