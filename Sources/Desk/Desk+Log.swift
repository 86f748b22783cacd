import ExactJSON
import StoreInterface
import Telling

/// `H`: everything that was ever decided about a record, and written of it.
extension DeskState {
  mutating func readLog() -> [DeskEffect] {
    if let page = top(RecordPage.self) {
      let isRehearsal = page.id == WalkthroughPage.rehearsal
      return isRehearsal ? tell("A rehearsal is not kept.") : askForLog(of: page.id)
    }
    guard case .conflict(let summary)? = list.selected else {
      return tell("H tells of a conflict's past, and J of everything in the store.")
    }
    return askForLog(of: summary.id)
  }

  private mutating func askForLog(of id: String) -> [DeskEffect] {
    logsAsked.records.insert(id)
    return [.readLog(id: id)]
  }

  /// `D`
  mutating func readGivenUp() -> [DeskEffect] {
    logsAsked.givenUp = true
    return [.readGivenUp]
  }

  /// What is shown of the journal, once that has more.
  var readLogsAgain: [DeskEffect] {
    pages.flatMap { page -> [DeskEffect] in
      switch page {
      case .log(let page): page.reading
      case .text(let page): page.logOf.map { [.readLog(id: $0)] } ?? []
      case .givenUp: [.readGivenUp]
      default: []
      }
    }
  }

  /// All that was given up, of whatever record. Unless somebody went on to another screen meanwhile.
  mutating func takeGivenUp(_ entries: [JournalEntry]) -> [DeskEffect] {
    let isAsked = logsAsked.givenUp
    logsAsked.givenUp = false
    if page(GivenUpPage.self) != nil { return takeGivenUpAgain(entries) }
    guard isAsked, Keymap.bindings(on: topic).contains(where: { $0.command == .anywhere(.givenUp) }) else {
      return []
    }
    var page = GivenUpPage(entries, title: knownTitle)
    page.go(to: self.page(RecordPage.self)?.id)
    pages.append(.givenUp(page))
    return []
  }

  private func knownTitle(of id: String) -> String? { list.summary(id)?.title ?? open[id]?.conflict.title }

  /// The cursor stays with what it is on, as far as that is still there.
  private mutating func takeGivenUpAgain(_ entries: [JournalEntry]) -> [DeskEffect] {
    for index in pages.indices {
      guard case .givenUp(let old) = pages[index] else { continue }
      // Of a record that is just coming back into the list nothing else tells what it is called.
      var page = GivenUpPage(entries) { knownTitle(of: $0) ?? old.title(of: $0) }
      page.goOn(from: old)
      pages[index] = .givenUp(page)
    }
    return []
  }

  /// Unless somebody went on to another screen meanwhile.
  mutating func takeLog(_ id: String, _ entries: [JournalEntry]) -> [DeskEffect] {
    let isAsked = logsAsked.records.remove(id) != nil
    let told = entries.map { paragraph($0) }
    let nothing = "Nothing was decided about it so far, and nothing written."
    let paragraphs = told.isEmpty ? [nothing] : told
    if pages.contains(where: { $0.isLog(of: id) }) { return takeLogAgain(id, paragraphs) }
    guard isAsked, isStill(at: id) else { return [] }
    var page = TextPage(
      title: "Log of this \(store.words.record), newest first",
      paragraphs: [withValues.shownTitle(of: id)] + paragraphs, holdsValues: true)
    page.logOf = id
    pages.append(.text(page))
    return []
  }

  private mutating func takeLogAgain(_ id: String, _ paragraphs: [String]) -> [DeskEffect] {
    for index in pages.indices {
      guard case .text(var page) = pages[index], pages[index].isLog(of: id) else { continue }
      let title = knownTitle(of: id) == nil ? page.paragraphs.first : withValues.shownTitle(of: id)
      page.growAbove(to: [title].compactMap(\.self) + paragraphs, self)
      pages[index] = .text(page)
    }
    return []
  }

  private func isStill(at id: String) -> Bool {
    if let page = pages.last { return page.record.isName(id) && page.content is RecordPage }
    if case .conflict(let summary)? = list.selected { return summary.id.hasSameBytes(as: id) }
    return false
  }

  /// When and what; below it the note, and each field that a write changed. A log is hidden as a whole.
  ///
  /// - Parameter called: the record, where the entry does not name it; nil where that is known.
  func paragraph(_ entry: JournalEntry, called: String? = nil) -> String {
    let (entry, privacy) = (entry.marked(overtaken: open[entry.record]?.outdated ?? []), Privacy.open)
    let way = store.notUndone == nil ? [filling("parley undo PATH RECORD may take it back")] : []
    let left = entry.left?.isTakenUp == true ? ["taken up again since"] : entry.mayBeTakenUp ? way : []
    let changes = (entry.left?.fields ?? entry.changes.fields).map { field in
      let values = UnseenDifference.telling(
        (privacy.line(field.before, kind: field.kind), privacy.line(field.after, kind: field.kind)),
        of: field.before, field.after, isASCII: isASCII)
      return "\(privacy.name(field.label)): \(values.old) → \(values.new)"
    }
    let below =
      (entry.note.map { ["note: \($0)"] } ?? []) + entry.changes.done(privacy) + changes
      + entry.givenUpWords(
        privacy, whole: filling("parley log PATH --json lists"),
        ends: { $0.unseenEnds(isASCII: isASCII) }) + left
    let name = called.map { "\($0): " } ?? ""
    let act = "\(entry.kind.words)\(name)\(entry.text(privacy, inLines: true))\(entry.since)"
    // A value of several lines has all of them below the act, too.
    let lines = ([act] + below).flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let head = "\(time.long(entry.time))  \(lines[0])"
    return ([head] + lines.dropFirst().map { "    \($0)" }).joined(separator: "\n")
  }
}

extension Page {
  fileprivate func isLog(of id: String) -> Bool {
    if case .text(let page) = self { page.logOf.isName(id) } else { false }
  }
}

extension JournalEntry.Kind {
  /// What an act says itself is not said again.
  fileprivate var words: String { self == .decision ? "decided: " : "" }
}
