import SQLiteDataStores
import Terminal

/// One line on standard error that tells how far something is, where a person watches; gone at the end.
struct ProgressLine {
  private let errors: LineWriter
  private let isShown: Bool
  private var width = 0

  init(_ surroundings: Surroundings) {
    errors = surroundings.errors
    isShown = surroundings.isWatched
  }

  mutating func show(_ text: String) throws {
    guard isShown else { return }
    let text = DisplayText.cut(text, to: 79)
    let rest = String(repeating: " ", count: max(0, width - DisplayText.width(text)))
    width = max(width, DisplayText.width(text))
    try errors.show(overwriting: text + rest)
  }

  mutating func end() throws {
    guard width > 0 else { return }
    try show("")
    try errors.show(overwriting: "")
    width = 0
  }
}
