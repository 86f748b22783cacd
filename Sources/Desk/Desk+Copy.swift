import Merging
import StoreInterface
import Telling

/// `y`: what the cursor is on goes into the clipboard; the same key again takes all of the record, or of the rules.
extension DeskState {
  /// - Parameter last: what the key before this one copied.
  mutating func copy(after last: String? = nil) -> [DeskEffect] {
    if privacy.hides { return tell("What is hidden is not copied. P shows it.") }
    if let page = top(RulesPage.self) { return copy(page, after: last) }
    if let page = top(GivenUpPage.self) ?? lossesBelow { return copy(page) }
    if let page = top(LogPage.self) { return copy(page) }
    if let page = top(TextPage.self) {
      return [
        .copy(page.copied ?? .text(page.paragraphs.joined(separator: "\n\n"), of: "the text of this page"))
      ]
    }
    if pages.isEmpty, let names = namesOfMarked { return [.copy(names)] }
    guard let id = copiedRecord else { return copyFinding() }
    copied = id
    if last.isName(id), let record = open[id] { return [.copy(.record(record))] }
    guard let (value, name) = copiedValue(of: id) else {
      return [.copy(.text(id, of: "the record's name"))]
    }
    guard let value else {
      return tell("\(name.capitalizedFirst) has bytes that are not here, so nothing was copied.")
    }
    return [.copy(.text(value, of: name))]
  }

  /// A name in a line. Who has marked rows means them, and not the one under the cursor.
  private var namesOfMarked: Copied? {
    let ids = list.marked
    if ids.isEmpty { return nil }
    let name = ids.count == 1 ? "the name of the marked record" : "the names of \(ids.count) marked records"
    return .text(ids.joined(separator: "\n"), of: name)
  }

  /// Those of which one is read as a whole.
  var lossesBelow: GivenUpPage? {
    guard top(TextPage.self) != nil, case .givenUp(let page)? = pages.dropLast().last else { return nil }
    return page
  }

  private mutating func copyFinding() -> [DeskEffect] {
    guard let finding else { return tell("Nothing is under the cursor that could be copied.") }
    return [.copy(.text(finding.id, of: "the finding's name"))]
  }

  private mutating func copy(_ page: GivenUpPage) -> [DeskEffect] {
    guard let (value, name) = page.copied() else { return tell("No value was kept that could be copied.") }
    let text = if case .text(let text) = value { text } else { privacy.line(value) }
    return [.copy(.text(text, of: name))]
  }

  private mutating func copy(_ page: LogPage) -> [DeskEffect] {
    guard let act = page.copied(self) else { return tell("There is nothing here that could be copied.") }
    return [.copy(.text(act, of: "the act on top"))]
  }

  private var copiedRecord: String? {
    if let page = page(RecordPage.self) { return page.id }
    if case .conflict(let summary)? = list.selected, pages.isEmpty { return summary.id }
    return nil
  }

  /// As the settings write them.
  private mutating func copy(_ page: RulesPage, after last: String?) -> [DeskEffect] {
    let name = "the rules of \(page.table)"
    copied = name
    if last != name { return [.copy(.text(page.settingsLine(self), of: "this rule"))] }
    return [.copy(.text(page.settingsLines(self), of: name))]
  }

  /// Without a text where the bytes are not here.
  private func copiedValue(of id: String) -> (text: String?, name: String)? {
    if let page = top(ValuePage.self), page.isMerging, let merged = page.merged(self), let record = open[id] {
      return (text(merged.value, of: page.field, in: record.conflict), merged.name)
    }
    guard let page = page(RecordPage.self), let record = open[id],
      let field = page.selectedField(in: record, on: self)
    else { return nil }
    let side = page.side(in: record, on: self)
    let value = ShownRecord(record, leaf: page.leaf).version(field, side)?.value
    let name = "the \(side.rawValue)'s \(field.name.wholeName)"
    if let value, !value.isAtHand { return (nil, name) }
    return (text(value, of: field.name, in: record.conflict), name)
  }

  private func text(_ value: Value?, of field: String, in conflict: RecordConflict) -> String {
    if case .text(let text)? = value { text } else { privacy.line(value, of: field, in: conflict) }
  }
}
