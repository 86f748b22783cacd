import ExactJSON
import Merging
import StoreInterface
import Terminal

/// What stands in the line, and what changes it.
extension EditorPage {
  /// How the line is read now.
  var reading: LineReading {
    get { readings[input.meaning] }
    set {
      if newValue == reading { return }
      readings.append(newValue)
      input.meaning = readings.count - 1
    }
  }

  /// The value that stands in the line as it is, until something else is typed; nil for what is typed.
  var held: Value? { reading.isHeld ? reading.last.value : nil }

  /// The version that stands there, which Up and Down walk on from.
  package var copied: Side? { reading.isHeld ? reading.last.side : nil }

  var isNull: Bool { held == .null }

  /// What stands in the place of a text, until one is typed.
  var wholeValue: Value? { reading.last.isText ? nil : held }

  /// The file whose bytes become the blob.
  var path: String? {
    guard field.kind == .blob, let mark = ["@", "file:"].first(where: input.text.hasPrefix) else {
      return nil
    }
    return String(input.text.dropFirst(mark.count))
  }

  /// Whether it can have several lines.
  var takesLines: Bool { field.kind != .blob && field.kind != .integer && field.kind != .real }

  /// Of one row the arrows copy the versions, as a shell's go to what was typed before; of several they go from row to row, and nobody
  /// who goes too far gets another text for it.
  func hasRows(on desk: DeskState) -> Bool { EditorScreen(desk: desk, page: self).area.rows.count > 1 }

  /// Above the first row is the start, below the last the end.
  mutating func goTo(row: Int, on desk: DeskState) -> [DeskEffect] {
    let steps = EditorScreen(desk: desk, page: self).area.steps(by: row)
    input.go(by: steps ?? (row < 0 ? -input.before.count : input.after.count))
    return []
  }

  /// A key may change the text, bring back another one, or move the cursor alone.
  ///
  /// - Parameter erases: what is there, also where that is no text: then an empty one is left.
  mutating func type(erases: Bool = false, _ change: (inout InputLine) -> InputLine.Answer) {
    let erasesWhole = erases && wholeValue != nil
    let before = held == nil || erasesWhole ? nil : input.text
    let (meaning, said) = (input.meaning, reading.readsText)
    // No letter goes by it, and yet it is an act to be taken back.
    if erasesWhole { input.remember() }
    guard change(&input) == .changed else { return }
    if input.meaning != meaning { return sayAgain(said) }
    // Where only the cursor moves, it stays what it is.
    if let before, before.hasSameBytes(as: input.text) { return }
    // Who takes a letter back by another key has what was there again.
    reading.isHeld = reading.readsText == nil && reading.isLast(in: input)
  }

  /// What was typed is taken back alone, and not what was said of it.
  private mutating func sayAgain(_ said: Bool?) {
    if !reading.isHeld, reading.readsText == nil { reading.readsText = said }
  }

  /// The same words as another kind; false where they have but one.
  mutating func turn(on desk: DeskState) -> Bool {
    guard let record = desk.open[id]?.conflict, let conflict = record[field.name],
      let turned = turned(like: conflict, in: record)
    else { return false }
    let isText = if case .text = turned { true } else { false }
    // Nobody has to have said what was there before.
    let isBack = turned == reading.last.value && reading.isLast(in: input)
    reading = LineReading(last: reading.last, isHeld: isBack, readsText: isBack ? nil : isText)
    return true
  }

  /// Up and Down walk through what the three sides have, as a shell walks through what was typed before.
  mutating func copy(next: Bool, on desk: inout DeskState) -> [DeskEffect] {
    guard let shown = desk.open[id].map({ ShownRecord($0, leaf: leaf) }),
      let conflict = shown.columns[field.name]
    else { return judgeOther(on: desk) }
    let sides: [Side?] = [nil] + Side.allCases.filter { conflict.version($0) != nil }
    let place = sides.firstIndex(of: copied) ?? 0
    return copy(sides[Round(sides.count)[place + (next ? 1 : -1)]], of: conflict, shown, on: &desk)
  }

  /// What was typed is nowhere else, so who copies a version over it, be it by a key that scrolls elsewhere or by a click beside it, is
  /// told the way back.
  ///
  /// - Parameter side: nil for what was typed.
  private mutating func copy(
    _ side: Side?, of conflict: FieldConflict, _ shown: ShownRecord, on desk: inout DeskState
  ) -> [DeskEffect] {
    let takesItsPlace = copied == nil && isTyped
    put(side, of: conflict)
    if takesItsPlace, let copied {
      let isLeaf = copied == .server && shown.isTurned
      let version = isLeaf ? "That of leaf \(shown.leafNumber)" : "The \(copied.rawValue)'s"
      let key = desk.key(.line(.takeBack), on: .editor)
      desk.status = .told("\(version) is copied; \(key) brings back what was typed.")
    }
    return judgeOther(on: desk)
  }

  private mutating func put(_ side: Side?, of conflict: FieldConflict) {
    if copied == nil { (typed, readingBefore) = (input.text, reading) }
    if let side, let value = conflict.value(takenFrom: side) {
      hold(value, of: side)
    } else {
      input.replace(with: typed)
      reading = readingBefore
    }
  }

  /// Another value in the place of what is there. What was said of that is not said of this.
  mutating func hold(_ value: Value, of side: Side? = nil) {
    let other = LineReading(value, of: side)
    input.replace(with: other.last.text)
    reading = other
  }

  /// A version that is clicked is copied, as Up and Down do it; in the text the cursor goes there.
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let screen = EditorScreen(desk: desk, page: self)
    if let steps = screen.steps(to: point) {
      input.go(by: steps)
      return []
    }
    guard let side = screen.side(at: point), let shown = desk.open[id].map({ ShownRecord($0, leaf: leaf) }),
      let conflict = shown.columns[field.name], conflict.version(side) != nil
    else { return [] }
    return copy(side, of: conflict, shown, on: &desk)
  }
}
