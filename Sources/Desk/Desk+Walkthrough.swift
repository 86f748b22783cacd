import Merging
import Simulation
import Terminal

extension DeskState {
  /// `L` in the list: the tree of the record under the cursor, or the story told to everybody.
  mutating func startHistory() -> [DeskEffect] {
    guard store.can.contains(.tellTrees) else {
      pages.append(.walkthrough(opening(WalkthroughPage())))
      return []
    }
    return switch list.selected {
    case nil: tell(.told("There is no record here whose revisions could be shown."))
    case .conflict(let summary)?: startTree(of: summary.id, title: summary.title)
    case .finding(let finding)?: startTree(of: finding.record, title: finding.title)
    }
  }

  /// `L` on a record: its tree, or its life.
  mutating func startHistory(of record: OpenConflict) -> [DeskEffect] {
    if store.can.contains(.tellTrees) {
      return startTree(of: record.conflict.id, title: record.conflict.title)
    }
    guard store.can.contains(.foretell) else {
      return tell(.told("The lifecycle is that of SQLiteData's records."))
    }
    let page = WalkthroughPage(.record(record.conflict, record.resolution, now: time.now))
    guard page.timeline(isToday: false) != nil else {
      return tell(.failed("A version of this record is not known, so nothing can be foretold."))
    }
    pages.append(.walkthrough(page))
    return []
  }

  /// The walkthrough alone, without a store behind it.
  package mutating func begin(with page: WalkthroughPage) {
    pages = [.walkthrough(page.step == 0 && page.pace == nil ? opening(page) : page)]
    isWalkthroughOnly = true
  }

  /// A story opens with all of its steps as one picture, where there is room for it.
  private func opening(_ page: WalkthroughPage) -> WalkthroughPage {
    var page = page
    page.showsAll = size.columns >= 120 && size.rows >= 34
    return page
  }

  mutating func run(_ command: Command, in page: WalkthroughPage) -> [DeskEffect] {
    var page = page
    let last = max(0, (page.timeline(isToday: page.isToday)?.entries.count ?? 1) - 1)
    switch command {
    case .back: return leaveWalkthrough()
    case .right: page.step = min(last, page.step + 1)
    case .left: page.step = max(0, page.step - 1)
    case .move(.first): page.step = 0
    case .move(.last): page.step = last
    case .move(.up): page.turnField(by: -1)
    case .move(.down): page.turnField(by: 1)
    case .move(.pageUp), .move(.pageDown): return []
    case .open: page.showsAll.toggle()
    case .play: page.pace = page.pace == nil ? WalkthroughPage.usualPace : nil
    case .faster: page.pace = max(250, (page.pace ?? WalkthroughPage.usualPace) / 2)
    case .slower: page.pace = min(WalkthroughPage.slowest, (page.pace ?? WalkthroughPage.usualPace) * 2)
    case .whatIf(let number): page = page.choosing(number)
    case .ruleSet: page.isToday.toggle()
    case .nextStory, .previousStory: page = page.turning(by: command == .nextStory ? 1 : -1)
    case .tryIt: return rehearse(page)
    case .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell, .take, .edit,
      .editOutside, .accept, .forget, .undo, .redo, .review, .mend, .confirm, .note, .leaveOut, .more,
      .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime, .togglePrivate, .history,
      .unfold, .nextLeaf, .previousLeaf, .help, .nextTopic, .reload, .redraw, .suspend, .keep, .setNull,
      .clear, .eraseBefore, .eraseAfter, .alternatives:
      return []
    }
    if command == .play, page.pace != nil, page.step == last { page.step = 0 }
    return put(page)
  }

  private mutating func put(_ page: WalkthroughPage) -> [DeskEffect] {
    pages[pages.count - 1] = .walkthrough(page)
    return []
  }

  private mutating func leaveWalkthrough() -> [DeskEffect] {
    pages.count == 1 && isWalkthroughOnly ? [.quit] : goBack()
  }

  /// `t`: the viewer's own hands on the conflict, in the record screen. Nothing of it reaches a journal.
  private mutating func rehearse(_ page: WalkthroughPage) -> [DeskEffect] {
    guard let conflict = page.conflict else {
      return tell(.told("There is no conflict to decide in this story."))
    }
    open[WalkthroughPage.rehearsal] = OpenConflict(conflict, page.resolution)
    pages.append(.record(RecordPage(id: WalkthroughPage.rehearsal)))
    return []
  }

  /// Back from the rehearsal: the story goes on with what was decided there.
  mutating func takeRehearsal() {
    guard case .walkthrough(var page)? = pages.last,
      let record = open.removeValue(forKey: WalkthroughPage.rehearsal)
    else { return }
    history.forget(WalkthroughPage.rehearsal)
    page.resolution = record.resolution
    page.step = page.timeline(isToday: false)?.decision?.step ?? page.step
    pages[pages.count - 1] = .walkthrough(page)
  }

  /// How long to wait for a key before the story goes on by itself; nil while nothing plays. Milliseconds.
  package var patience: Int? {
    if case .walkthrough(let page)? = pages.last { page.pace } else { nil }
  }

  mutating func ticked() -> [DeskEffect] {
    guard case .walkthrough(var page)? = pages.last, page.pace != nil else { return [] }
    let last = max(0, (page.timeline(isToday: page.isToday)?.entries.count ?? 1) - 1)
    page.step = min(last, page.step + 1)
    if page.step == last { page.pace = nil }
    return put(page)
  }
}

extension WalkthroughPage {
  /// Another clock order, or a deletion: the rest of the story changes with it.
  fileprivate func choosing(_ number: Int) -> WalkthroughPage {
    guard hasWhatIfs, Lifecycle.WhatIf.allCases.indices.contains(number - 1) else { return self }
    var page = self
    page.whatIf = Lifecycle.WhatIf.allCases[number - 1]
    page.resolution = Resolution()
    return page
  }

  fileprivate mutating func turnField(by step: Int) {
    let fields = varyingFields
    guard !fields.isEmpty else { return }
    field = fields[(place(in: fields) + step + fields.count) % fields.count]
  }

  fileprivate func turning(by step: Int) -> WalkthroughPage {
    guard case .told(let number) = story else { return self }
    let count = WalkthroughPage.stories.count
    var page = WalkthroughPage(.told((number + step + count) % count))
    page.isToday = isToday
    page.showsAll = showsAll
    return page
  }
}
