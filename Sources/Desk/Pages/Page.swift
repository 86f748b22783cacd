import Terminal

/// What lies over the list.
package enum Page: Sendable, Equatable {
  case record(RecordPage)
  case value(ValuePage)
  case editor(EditorPage)
  case review(ReviewPage)
  case alternatives(AlternativesPage)
  case walkthrough(WalkthroughPage)
  case tree(TreePage)
  case finding(FindingPage)
  case text(TextPage)
  case help(HelpPage)
  case palette(PalettePage)
  case bulk(BulkPage)
  case rules(RulesPage)
  case family(FamilyPage)
  case givenUp(GivenUpPage)
  case log(LogPage)

  var content: any DeskPage {
    switch self {
    case .record(let page): page
    case .value(let page): page
    case .editor(let page): page
    case .review(let page): page
    case .alternatives(let page): page
    case .walkthrough(let page): page
    case .tree(let page): page
    case .finding(let page): page
    case .text(let page): page
    case .help(let page): page
    case .palette(let page): page
    case .bulk(let page): page
    case .rules(let page): page
    case .family(let page): page
    case .givenUp(let page): page
    case .log(let page): page
    }
  }
}

/// A page owns its state, what its keys do and how it is drawn. The desk around it is the frame: what all pages share, and which
/// of them lies on which.
protocol DeskPage: Sendable {
  /// Itself, as it lies over the list; nil for the list.
  var page: Page? { get }
  var topic: Topic { get }
  /// The record it shows, as far as that has to be in conflict.
  var record: String? { get }

  /// nil for a command that it does not take: a law compares those it takes with its keys in ``Keymap``.
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]?
  /// A key that goes into a line of the page; nil where keys are commands.
  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]?
  /// nil where nothing can be pasted.
  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]?
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect]
  /// Which of its lines, of those with a cursor among them, is shown first; nil where it has none.
  func firstLine(_ desk: DeskState) -> Int?
  /// A larger screen shows more, so that less may be left to scroll away.
  mutating func keepScrolledToSomething(on desk: DeskState)

  func draw(_ desk: DeskState) -> Grid
  /// Whether keys go into a line of the page that has no keys of its own but those of every line.
  func isTyping(on desk: DeskState) -> Bool
  /// Whether there is more of it than the screen shows.
  func isLonger(on desk: DeskState) -> Bool
  /// Whether what it is about is still on its way: then there is nothing to do but to wait or leave.
  func isReading(on desk: DeskState) -> Bool
  /// What the footer says of a key; nil if it says nothing.
  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String?
  /// Whether a help, or the commands, over the page tell of a command: not of one that nothing can be done by there.
  func tells(of command: Command, on desk: DeskState) -> Bool
}

extension DeskPage {
  /// How many lines there are between its heading and its footer.
  func height(_ desk: DeskState) -> Int { max(1, desk.size.rows - 4) }

  var record: String? { nil }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? { nil }
  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? { nil }
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] { [] }
  func firstLine(_ desk: DeskState) -> Int? { nil }
  mutating func keepScrolledToSomething(on desk: DeskState) {}

  func isTyping(on desk: DeskState) -> Bool { false }
  func isLonger(on desk: DeskState) -> Bool { false }
  func isReading(on desk: DeskState) -> Bool { false }
  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? { binding.hint }
  func tells(of command: Command, on desk: DeskState) -> Bool { true }
}

extension DeskState {
  var top: any DeskPage { pages.last?.content ?? ListPage() }

  /// The page on top, if it is of this kind.
  func top<Kind: DeskPage>(_ kind: Kind.Type) -> Kind? { top as? Kind }

  /// The topmost page of a kind, whatever lies over it.
  func page<Kind: DeskPage>(_ kind: Kind.Type) -> Kind? { pages.lazy.compactMap { $0.content as? Kind }.last }

  /// Lets the page on top do something.
  mutating func onTop<Answer>(_ act: (inout any DeskPage, inout DeskState) -> Answer) -> Answer {
    lend(top, act)
  }

  /// Lets the topmost page of a kind do something, whatever lies over it; nil if there is none.
  @discardableResult
  mutating func on<Kind: DeskPage, Answer>(
    _ kind: Kind.Type, _ act: (inout Kind, inout DeskState) -> Answer
  ) -> Answer? {
    page(kind).flatMap { found in
      lend(found) { page, desk in
        guard var own = page as? Kind else { return nil }
        defer { page = own }
        return act(&own, &desk)
      }
    }
  }

  /// A page changes itself and the desk, and is put back as it is then, unless it was left or exchanged for another meanwhile.
  private mutating func lend<Answer>(
    _ page: any DeskPage, _ act: (inout any DeskPage, inout DeskState) -> Answer
  ) -> Answer {
    var changed = page
    let answer = act(&changed, &self)
    if let old = page.page, let new = changed.page, let place = pages.lastIndex(of: old) {
      pages[place] = new
    }
    return answer
  }
}

extension DeskState {
  package func draw() -> Grid { isTooSmall ? drawTooSmall() : top.draw(openToRehearsal) }

  /// What a story holds that Parley made up is nobody's, so it is not hidden where it is decided as a rehearsal either; unless
  /// the list stands beside it, which has the records of the store.
  private var openToRehearsal: DeskState {
    guard privacy.hides, page(WalkthroughPage.self)?.isTold == true, WideLayout(self) == nil,
      top.record == WalkthroughPage.rehearsal
    else { return self }
    var desk = self
    desk.privacy = .open
    return desk
  }

  /// Nothing of a page is shown then, so nothing is done on it either.
  var isTooSmall: Bool { terminalSize.columns < Self.least.columns || terminalSize.rows < Self.least.rows }

  /// Says what a smaller terminal needs.
  private func drawTooSmall() -> Grid {
    var grid = Grid(terminalSize)
    let (columns, rows) = (terminalSize.columns, terminalSize.rows)
    let lines = [
      "Parley needs \(Self.least.columns)x\(Self.least.rows).", "Here: \(columns)x\(rows).",
      "\(list.openCount) open.",
      hints(width: columns) { $0 == .quit || $0 == .back }, "Other keys do nothing.",
    ]
    for (row, line) in lines.enumerated() { grid.write(line, at: 0, row) }
    return grid
  }
}
