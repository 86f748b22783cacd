import Merging
import Telling
import Terminal

/// The whole of one value on all sides; of long ones what differs.
struct ValueScreen: ReadScreen {
  /// In bytes of each side: many screens full. What is longer is read better in an editor.
  static let longest = 20_000

  let state: DeskState
  let page: ValuePage

  init(_ state: DeskState, _ page: ValuePage) {
    self.state = state
    self.page = page
  }

  var scroll: Int { page.scroll }

  var heading: [Run] {
    [Run(state.shownTitle(of: page.id), .text.bold), Run("   " + state.privacy.name(page.field))]
  }

  var lines: [[Run]] {
    guard let record = state.open[page.id], let field = record.conflict[page.field] else { return [] }
    let shown = ShownRecord(record, leaf: page.leaf)
    return Side.allCases.flatMap { side -> [[Run]] in
      let version = shown.version(field, side)
      let kind = Value.typeName(version?.value)
      let heading = [
        Run("\(side.letter) \(side.rawValue.capitalizedFirst)", .side(side).bold),
        Run(
          "   \(kind)   \(state.privacy.revision(side, of: shown) ?? state.time.long(version?.time))", .dim),
      ]
      let text = RecordWords.difference(
        field, side, shown, state.privacy, atMost: Self.longest
      ).wrapped(state.size.columns - 5)
      return [heading] + text.map { [Run("   ")] + $0 } + [[]]
    }
  }
}
