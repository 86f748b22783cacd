import Merging
import Telling

/// Everything a person can ask the desk to do. What a key means on a screen is in ``Keymap``, and a law compares that with
/// what every page takes.
package enum Command: Sendable, Hashable {
  case move(Movement)
  case left, right, open, back, quit
  case nextUndecided, previousUndecided
  case take(Side)
  case edit, editOutside, accept, undo, redo, review, mend
  case filter(ListFilter)
  case search, history, unfold, reload, nextTopic
  case list(List)
  case record(Record)
  case drafts(Drafts)
  case story(Story)
  case line(Line)
  case anywhere(Anywhere)

  /// What the list takes, and its marks a bulk act too: there they are on rules.
  package enum List: Sendable {
    case nextMatch, previousMatch, sort
    case mark, markRange, markShown, bulk, tables, forSession
  }

  /// What only an open record takes, or the whole of one of its values.
  package enum Record: Sendable, Hashable {
    case nextRecord, previousRecord, nextToDecide, previousToDecide
    case takeCell, forget, alternatives, nextLeaf, previousLeaf
    case nextChange, previousChange, columns, merge, both, bothServerFirst
    /// The whole value, where ``take(_:)`` is about the change under the cursor.
    case takeAll(Side)
  }

  /// What a review takes, and a bulk act that has drafts to make.
  package enum Drafts: Sendable {
    case confirm, note, leaveOut, more, showSQL, showJSON
  }

  /// What only the walkthrough takes.
  package enum Story: Sendable, Hashable {
    case play, faster, slower, ruleSet, nextStory, previousStory, tryIt
    case whatIf(Int)
  }

  /// What is done to a line of text.
  package enum Line: Sendable {
    case keep, breakLine, setNull, otherKind, clear, eraseBefore, eraseAfter, eraseWord, eraseToEnd, wordBack,
      wordOn, takeBack, eraseWordBack, eraseWordOn, yank, swap, older, newer
  }

  /// What no page takes, as the desk does it itself.
  package enum Anywhere: Sendable {
    case help, redraw, suspend, togglePrivate, toggleUnchanged, toggleTime, palette, copy, log, rules
    case family, givenUp, logOfTheStore
  }
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
  case palette = "Commands"
  /// One line of text on a screen: what is looked for, a note.
  case input = "Input"
  case bulk = "Bulk"
  /// A value that is put together change by change.
  case merge = "Merge"
  /// What a screen says in one line, and there is more of.
  case text = "Text"
  case rules = "Rules"
  case family = "Family"
  case givenUp = "Given up"
}

/// The filters of the list; the raw value is the key.
package enum ListFilter: Int, Sendable, Hashable, CaseIterable {
  case all = 1
  case toDecide, clock, sure, ready, stuck, waiting

  /// - Parameter findings: what the store's findings are called.
  func title(findings: String) -> String {
    switch self {
    case .stuck: findings.capitalizedFirst
    case .toDecide: "To decide"
    case .all, .clock, .sure, .ready, .waiting: word.capitalizedFirst
    }
  }

  /// What stands after `is:`. Not by reflection, which costs a start more than all else of the first frame.
  var word: String {
    switch self {
    case .all: "all"
    case .toDecide: "decide"
    case .clock: "clock"
    case .sure: "sure"
    case .ready: "ready"
    case .stuck: "stuck"
    case .waiting: "waiting"
    }
  }
}
