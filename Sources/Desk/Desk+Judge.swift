import Merging
import StoreInterface

/// The store judges what is typed, in the background and one value after the other: a key never waits for it.
extension DeskState {
  /// Asks about the value in the editor, unless that was asked already or cannot be stored at all.
  mutating func judgeTyped() -> [DeskEffect] {
    guard case .editor(let page)? = pages.last, page.isShort || page.isKeeping else { return [] }
    return ask(about: page)
  }

  /// What the store said is about rows that may be others by now.
  mutating func judgeAgain() -> [DeskEffect] {
    guard case .editor(var page)? = pages.last else { return [] }
    page.judgement = nil
    pages[pages.count - 1] = .editor(page)
    return judgeTyped()
  }

  private mutating func ask(about page: EditorPage) -> [DeskEffect] {
    guard !page.isAsking, !page.isSettled, let record = open[page.id], !record.isRehearsal, page.path == nil,
      let value = page.value(in: record), page.verdict(on: value) == nil
    else { return [] }
    var page = page
    page.isAsking = true
    pages[pages.count - 1] = .editor(page)
    let name = page.field.name
    let draft = record.conflict.draft(typing: value, for: name, in: record.resolution)
    return [.judge(Planned(seen: record.conflict, draft: draft), field: name)]
  }

  mutating func takeJudgement(_ judgement: Judgement) -> [DeskEffect] {
    guard case .editor(var page)? = pages.last, page.id == judgement.id, page.field.name == judgement.field
    else {
      return []
    }
    page.isAsking = false
    page.judgement = judgement
    pages[pages.count - 1] = .editor(page)
    guard let record = open[page.id], let value = page.value(in: record), page.isKeeping,
      page.verdict(on: value) != nil
    else { return judgeTyped() }
    page.isKeeping = false
    pages[pages.count - 1] = .editor(page)
    return keepJudged(value, record, page)
  }

  /// Keeps a value that the store takes; one that it was not asked about yet waits for the answer.
  mutating func keepJudged(_ value: Value, _ record: OpenConflict, _ page: EditorPage) -> [DeskEffect] {
    if record.isRehearsal { return keep(value, record, page) }
    switch page.verdict(on: value) {
    case .fits?, .odd?, .notKnown?: return keep(value, record, page)
    case .refused(let reason)?: return tell(.failed("The store refuses this value: \(reason)."))
    case nil:
      var page = page
      page.isKeeping = true
      pages[pages.count - 1] = .editor(page)
      return ask(about: page)
    }
  }
}

extension EditorPage {
  /// Short enough to be judged with every key.
  var isShort: Bool { input.size <= 64_000 }

  /// What the store said to this very value.
  func verdict(on value: Value) -> ValueVerdict? { judgement?.value == value ? judgement?.verdict : nil }

  /// The value as it would be stored, if it can be.
  func value(in record: OpenConflict) -> Value? {
    guard let conflict = record.conflict[field.name] else { return nil }
    return try? value(like: conflict).get()
  }
}
