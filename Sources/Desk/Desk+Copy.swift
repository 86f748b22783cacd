import Merging
import StoreInterface
import Telling

/// `y`: what the cursor is on goes into the clipboard; the same key again takes all of the record.
extension DeskState {
  /// - Parameter last: what the key before this one copied.
  mutating func copy(after last: String? = nil) -> [DeskEffect] {
    if privacy.hides { return tell("What is hidden is not copied. P shows it.") }
    guard let id = copiedRecord else { return copyFinding() }
    copied = id
    if last == id, let record = open[id] { return [.copy(.record(record))] }
    guard let (value, name) = copiedValue(of: id) else {
      return [.copy(.text(id, of: "the record's name"))]
    }
    return [.copy(.text(value, of: name))]
  }

  private mutating func copyFinding() -> [DeskEffect] {
    guard let finding else { return tell("Nothing is under the cursor that could be copied.") }
    return [.copy(.text(finding.id, of: "the finding's name"))]
  }

  private var copiedRecord: String? {
    if let page = page(RecordPage.self) { return page.id }
    if case .conflict(let summary)? = list.selected, pages.isEmpty { return summary.id }
    return nil
  }

  private func copiedValue(of id: String) -> (text: String, name: String)? {
    guard let page = page(RecordPage.self), let record = open[id],
      let field = page.selectedField(in: record, on: self)
    else { return nil }
    let side = page.side(in: record, on: self)
    let value = ShownRecord(record, leaf: page.leaf).version(field, side)?.value
    let text =
      if case .text(let text)? = value { text } else {
        privacy.line(value, of: field.name, in: record.conflict)
      }
    return (text, "\(side.rawValue)'s \(field.name)")
  }
}
