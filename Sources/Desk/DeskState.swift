import Merging
import StoreInterface
import Telling
import Terminal

/// Everything the desk knows: the pages, and what they share. A value: what is drawn is a function of it.
package struct DeskState: Sendable {
  package var store: StoreInfo
  package var access: StoreAccess
  /// What pages reckon with: never less than they are shown on. Those of a smaller terminal go on hearing what happens.
  package private(set) var size: Size
  /// The terminal's, which may be a single cell.
  private(set) var terminalSize: Size
  package var time: TimeText
  package var list = ListState()
  /// The list as it is read again, beside the one that is shown.
  var nextList: NextList?
  /// Whether the store has changed since a walk began that still goes on.
  var walksAgain = false
  /// The conflicts read so far, as they were when they were read, with the decisions taken.
  package var open: ByRecord<DecidedConflict> = [:]
  /// Those that are read again, as long as nothing is decided about them meanwhile.
  var openingAgain: RecordNames = []
  /// What lies over the list, the last on top.
  package var pages: [Page] = []
  package var history = History()
  package var status: Status?
  package var showsUnchanged = false
  /// The same of the drafts in a review.
  private(set) var showsUnchangedOfDrafts = false
  /// Whether the list tells the time of a last edit, and not how long ago it was.
  var listTellsTimes = false
  /// Of a long value, on its own page: nothing is folded.
  package private(set) var showsAllOfValues = false
  package var keys = OwnKeys()
  /// Those that can be chosen, and the one that is shown.
  package var themes: [String] = []
  package var theme: String?
  /// The one that the settings name, or that is taken where they name none.
  package var keptTheme: String?
  /// What the key before this one copied, so that the same key again takes more of it.
  var copied: String?
  /// Whether the cursor goes to what is to decide next after a choice.
  package var advances = true
  /// Whether added and removed words stand in brackets: where the terminal cannot show colours, or not strike out.
  package var bracketsWords = false
  package var privacy = Privacy.open
  /// What is told with the store in the place of `PATH`, in the commands that it offers: as whoever opened it called it.
  package var filling: @Sendable (String) -> String = { $0 }
  /// There is no store behind it: leaving the walkthrough ends the program.
  package var isWalkthroughOnly = false
  /// The records that the person does not want to be written with the others.
  package var leftOut: RecordNames = []
  /// Whether the journal was asked anew for what there is to take back, so that it is not asked for ever.
  var hasAskedAgain = false
  var note = LogNote()
  /// Why records that were to be written were not, until something is decided about them again; of those that may be half written
  /// until that is written, taken back or finished.
  var unwritten: ByRecord<CheckedWrite.Outcome> = [:] {
    didSet {
      if unwritten != oldValue {
        list.refuse(refused, halves: RecordNames(unwritten.filter(\.value.isHalf).keys))
      }
    }
  }
  /// Those of which this desk itself began the write that may be half in the store.
  var begunHere: RecordNames = []
  /// When it was told of each, in nanoseconds since 1970.
  var unwrittenSince: ByRecord<Int64> = [:]
  /// The revision tree that was read last, or is being read.
  var tree = TreeReading.none
  /// What the last decision changed, until the journal has it.
  var unsaved: Unsaved?
  /// What another Parley decided, until it is told.
  var othersDecided: [Decision] = []
  /// What was told of that without a key.
  var toldOfOthers: ToldOfOthers?
  /// What was told last of records that somebody else settled.
  var toldGone: ToldGone?
  var logsAsked = LogsAsked()
  /// Whether somebody wanted to leave while the store was being changed.
  var wantsToLeave = false
  /// What is told of a change of the store that has ended since the last key; nil once there was a key.
  var justEnded: Status?
  /// The writes that were begun and of which nobody knows how they ended.
  var interrupted: [InterruptedWrite] = [] {
    didSet {
      let records = interrupted.flatMap { write in
        write.records.map { ($0.id, (act: write.act, state: $0.state)) }
      }
      interruptedRecords = ByRecord(records) { first, _ in first }
    }
  }
  /// The same record by record, as the list asks for each row.
  private(set) var interruptedRecords: ByRecord<(act: JournalEntry.Act, state: InterruptedWrite.State)> = [:]
  /// What was told last of those that were finished.
  var toldFinished: Status?
  /// Whether the store has told of them yet.
  var knowsInterrupted = false
  /// Why what others change is not heard of now; nil if it is.
  var deafness: String?
  /// How long a server has said nothing that is waited for.
  var waits: [Errand: StoreCall.Wait] = [:]
  /// What was said of a record that could not be read.
  var unreadStatus: (id: String, status: Status)?
  /// What was told of the store that could not be read, and of the journal that could not be heard, as long as that is so.
  var failureOfReading, failureOfHearing: String?
  /// A command that waits for its record to be read, and what was typed behind it.
  var waiting: WaitingCommand?
  var typedBehind: [TerminalEvent] = []
  /// Whether the cursor has gone elsewhere before that, which was typed by somebody who had not seen what is there.
  var hasGoneOn = false
  /// Whether a page was left, and no frame may have shown yet what is beneath it.
  var hasUncovered = false
  /// What the list left out when it was shown last.
  var narrowingShown = ListNarrowing()
  /// Whether the editor was to keep a value, and does not, which no frame has shown yet.
  var valueIsRefused = false
  /// What was told before the key of these that is done now.
  var unshown: UnshownStatus?
  /// The first of these that are not done, until that is told.
  var left: TerminalEvent?
  /// The key that was told so last.
  var dropped: TerminalEvent?
  /// The last two that went with it.
  var swallowed: [TerminalEvent] = []
  /// Until when what is typed goes with what was dropped, in nanoseconds since 1970.
  var dropsUntil: Int64 = 0
  /// Whether the journal, or the store, is being asked what there is to take back.
  var asksPast = false
  /// Whether the terminal shows ASCII alone, in which letters with accents look like those without.
  package var isASCII = false
  /// The last click, until something else is done.
  var clicked: Clicked?
  /// What was looked for or noted so far, on whatever page.
  var typedLines = TypedLines()
  /// The line that was shown first on the page on top when it was clicked, until a key is pressed.
  var heldFirst: Int?
  /// What was left to type a filter.
  var leftForFilter: LeftPages?
  /// What rules are being tried on.
  var bulk: Bulk?
  /// The preview that lies below a bulk act which is taken back from a record of it.
  var bulkBelow: Bulk?
  package var rules = RuleShelf()
  /// The records that other rules are tried on.
  var trial: RuleTrial?
  var ruleTrials = 0
  /// The family that is shown.
  var family: Family?
  /// How many bulk acts there were.
  var bulkActs = 0
  /// Nanoseconds since 1970.
  let startedAt: Int64

  package init(store: StoreInfo, access: StoreAccess, size: Size, now: Int64, localIsUTC: Bool = false) {
    (self.store, self.access, self.size, terminalSize) = (store, access, size.atLeast(Self.least), size)
    (time, startedAt) = (TimeText(now: now, localIsUTC: localIsUTC), now)
  }

  /// What a page needs: in less nothing of it is shown.
  static let least = Size(columns: 40, rows: 10)

  mutating func resize(to size: Size) { (self.size, terminalSize) = (size.atLeast(Self.least), size) }

  /// The same on a part of the screen.
  func narrowed(to columns: Int) -> DeskState {
    var part = self
    part.size.columns = columns
    return part
  }

  /// What comes back into a line: no note where it would not be shown either.
  var typedBefore: TypedLines { privacy.hides ? typedLines.withoutNotes : typedLines }

  private var refused: ByRecord<DraftRefusal> { unwritten.compactMapValues(\.refusal) }

  func isHalf(_ id: String) -> Bool { unwritten[id]?.isHalf == true }

  /// Another decision makes another draft, which nobody has refused; what is half in the store is so still.
  mutating func forgetRefusal(of id: String) { if !isHalf(id) { unwritten[id] = nil } }

  /// What became of their write is past: it was taken back, or finished.
  mutating func forgetMarks(of ids: [String]) {
    changeUnwritten { unwritten in for id in ids { unwritten[id] = nil } }
    begunHere.subtract(ids)
  }

  /// Many of them at once: the list looks at all that are left each time it is told.
  mutating func changeUnwritten(_ change: (inout ByRecord<CheckedWrite.Outcome>) -> Void) {
    var changed = unwritten
    change(&changed)
    unwritten = changed
  }

  /// What `=` shows or hides, by the page that it is typed on: the fields behind a value are not the value's.
  mutating func toggleUnchanged() {
    switch topic {
    case .value, .merge: showsAllOfValues.toggle()
    case .review: showsUnchangedOfDrafts.toggle()
    default: showsUnchanged.toggle()
    }
  }

  /// Unfolds a value, or folds it again, whatever is typed on it.
  mutating func toggleAllOfValues() { showsAllOfValues.toggle() }

  /// As the list tells it.
  func lastEdit(_ edited: Int64?) -> String { listTellsTimes ? time.clock(edited) : time.ago(edited) }

  package var topic: Topic { top.isTyping(on: self) ? .input : top.topic }
}

struct NextList: Sendable {
  var list = ListState()
  /// Whether what is otherwise in it was done by others.
  var tells: Bool
  /// What a taking back brings again.
  var back: Back?

  struct Back {
    let ids: RecordNames
    /// Where the cursor was then: who moved it since wants it there.
    let cursor: String?
  }
}

/// Records that are no longer in conflict, and the words for them.
struct ToldGone: Sendable {
  var ids: RecordNames
  /// What was told before, as sentences to go on from.
  var said: String
  var status: Status
}

struct ToldOfOthers: Sendable {
  /// What stood there before.
  let before: Status?
  let status: Status?
}

struct Unsaved: Sendable {
  var record: DecidedConflict
  var history: History
  /// Where the cursors stood.
  var pages: [Page]
}

/// Which logs a key asked for. Those that are shown are read again when there is more of them, too; who has left one meanwhile is not
/// brought back.
struct LogsAsked: Sendable {
  var records: RecordNames = []
  var givenUp = false
}

/// One line for the person, in place of the footer until the next key.
package struct Status: Sendable, Equatable {
  package var text: String
  package var isFailure = false

  package static func told(_ text: String) -> Status { Status(text: text) }
  package static func failed(_ text: String) -> Status { Status(text: text, isFailure: true) }
}

extension Size {
  fileprivate func atLeast(_ other: Size) -> Size {
    Size(columns: max(columns, other.columns), rows: max(rows, other.rows))
  }
}
