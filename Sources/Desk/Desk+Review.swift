import Merging
import Terminal

extension DeskState {
  /// Opens the review of every record that is decided.
  mutating func review() -> [DeskEffect] {
    let ready = list.summaries.filter { $0.isReady && $0.notWritable == nil }.map(\.id)
    guard !ready.isEmpty else {
      return tell(.told("Nothing is ready: decide every field of a record first."))
    }
    pages.append(.review(ReviewPage(.write, stage: .reading)))
    return [.readDrafts(ready)]
  }

  mutating func reviewUndo(_ write: LastWrite?) -> [DeskEffect] {
    guard let write else {
      return tell(.told("There is nothing to take back: no decision of this session, and no write."))
    }
    switch pages.last {
    case nil, .record?: pages.append(.review(ReviewPage(.undo(write), stage: .ready)))
    // Somebody went on to another screen meanwhile.
    case .value?, .editor?, .review?, .walkthrough?, .tree?, .help?, .finding?: break
    }
    return []
  }

  mutating func takeReview(_ event: DeskEvent) -> [DeskEffect] {
    guard case .review(var page)? = pages.last else {
      if case .failed(let words) = event { return tell(.failed(words)) }
      return []
    }
    let effects = take(event, &page)
    pages[pages.count - 1] = .review(page)
    return effects
  }

  private mutating func take(_ event: DeskEvent, _ page: inout ReviewPage) -> [DeskEffect] {
    switch event {
    case .drafts(let drafts):
      page.drafts = drafts.filter { $0.planned != nil }
      page.stage = .checking
      return [.check(page.drafts.compactMap(\.planned))]
    case .checked(let checks, let access):
      page.checks = checks
      page.stage = .ready
      self.access = access
    case .wrote(let checks): return wrote(checks, &page)
    case .undid(let checks): return undid(checks, &page)
    case .mended(let checks): return mended(checks, &page)
    case .failed(let words):
      page.stage = .ready
      return tell(.failed(words))
    default: break
    }
    return []
  }

  private mutating func wrote(_ checks: [CheckedWrite], _ page: inout ReviewPage) -> [DeskEffect] {
    page.checks = checks
    page.stage = .done
    let written = checks.filter { $0.outcome == .fine }
    let ids = Set(written.map(\.id))
    if !ids.isEmpty { history.recordWrite(of: ids, titles: written.map(\.title)) }
    // What was not written is read again, as it may have moved.
    for check in checks { open[check.id] = nil }
    tree = .none
    list.remove(ids)
    let again = store.draftsWait ? readAgain() : []
    // Esc goes back to the list then: there is nothing left to see of the record.
    pages.removeAll { if case .record(let record) = $0 { ids.contains(record.id) } else { false } }
    let left = checks.count - written.count
    let rest = left == 0 ? "" : ", \(left) not: see why above"
    let done = store.draftsWait ? "left to the app" : "written"
    guard !written.isEmpty else { return again + tell(.failed("Nothing was written: see why above.")) }
    return again
      + tell(Status(text: "\(written.count) \(done)\(rest). u takes the write back.", isFailure: left > 0))
  }

  private mutating func undid(_ checks: [CheckedWrite], _ page: inout ReviewPage) -> [DeskEffect] {
    page.checks = checks
    page.stage = .done
    history.forgetLastWrite()
    let left = checks.filter { $0.outcome != .fine }.count
    let rest = left == 0 ? "" : ", \(left) moved since and were left alone"
    let restored = checks.count - left
    guard restored > 0 else {
      return readAgain()
        + tell(.failed("Nothing was taken back: see why above. parley undo --skip goes past it."))
    }
    return readAgain()
      + tell(
        Status(text: "\(restored) restored\(rest). What was decided stays decided.", isFailure: left > 0))
  }

  mutating func run(_ command: Command, in page: ReviewPage) -> [DeskEffect] {
    var page = page
    switch command {
    case .back: return page.stage == .writing ? tell(.told("Writing. One moment.")) : goBack()
    case .confirm: return confirm(page)
    case .undo:
      guard page.stage == .done, page.hasWritten else {
        return tell(.told("Esc goes back to the record; undo is there."))
      }
      return goBack() + undo()
    case .note: page.isTypingNote = page.action == .write && page.stage == .ready
    default: page.scroll = scrolled(page.scroll, by: command, last: ReviewScreen(self, page).lastScroll)
    }
    pages[pages.count - 1] = .review(page)
    return []
  }

  private mutating func confirm(_ page: ReviewPage) -> [DeskEffect] {
    guard page.stage == .ready else { return [] }
    if case .readOnly(let reason) = access { return tell(.failed(reason)) }
    switch page.action {
    case .write: return write(page)
    case .undo(let write): return start(page, .undoWrite(write.id))
    case .mend(let finding): return start(page, .mend(finding.id))
    }
  }

  private mutating func write(_ page: ReviewPage) -> [DeskEffect] {
    guard !page.writable.isEmpty else { return tell(.failed("None of these can be written as it stands.")) }
    return start(page, .write(page.writable, note: page.note.isEmpty ? nil : page.note.text))
  }

  private mutating func start(_ page: ReviewPage, _ effect: DeskEffect) -> [DeskEffect] {
    var page = page
    page.stage = .writing
    pages[pages.count - 1] = .review(page)
    return [effect]
  }

  mutating func takeNote(_ key: Key, _ page: ReviewPage) -> [DeskEffect] {
    var page = page
    switch key {
    case .escape, .enter: page.isTypingNote = false
    default: _ = page.note.take(key)
    }
    pages[pages.count - 1] = .review(page)
    return []
  }

  mutating func takeHelp(_ key: Key, _ page: HelpPage) -> [DeskEffect] {
    var page = page
    switch key {
    case .escape, .enter, .function(1): return goBack()
    case .function(10), .control("c"): return [.quit]
    case .tab: (page.topic, page.scroll) = (page.topic.next, 0)
    case .up: page.scroll = max(0, page.scroll - 1)
    case .down: page.scroll = min(HelpScreen(self, page).lastScroll, page.scroll + 1)
    default:
      var line = InputLine(page.words)
      _ = line.take(key)
      page.words = line.text
      page.scroll = 0
    }
    pages[pages.count - 1] = .help(page)
    return []
  }
}

extension Topic {
  var next: Topic {
    let topics = Topic.allCases
    return topics[((topics.firstIndex(of: self) ?? 0) + 1) % topics.count]
  }
}
