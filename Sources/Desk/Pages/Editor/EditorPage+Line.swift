import ExactJSON
import Merging
import Terminal

/// What stands in the line, and what changes it.
extension EditorPage {
  /// How a value stands in the input line.
  static func text(_ value: Value) -> String {
    switch value {
    case .null, .blob: ""
    case .opaque: value.jsonText ?? ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    }
  }

  /// Whether the input line tells all of it, as it does not of bytes, NULL, and a key that is not there.
  private static func isText(_ value: Value) -> Bool {
    switch value {
    case .integer, .real, .text: true
    case .opaque: value.jsonText != nil
    case .null, .blob: false
    }
  }

  var isNull: Bool { held == .null }

  /// What stands in the place of a text, until one is typed.
  var wholeValue: Value? { held.flatMap { Self.isText($0) ? nil : $0 } }

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

  mutating func type(_ change: (inout InputLine) -> InputLine.Answer) {
    let before = held == nil || wholeValue != nil ? nil : input.text
    guard change(&input) == .changed else { return }
    // Where only the cursor moves, it stays what it is.
    if let before, before.hasSameBytes(as: input.text) { return }
    (held, copied) = (nil, nil)
  }

  /// The same words as another kind; false where they have but one.
  mutating func turn(on desk: DeskState) -> Bool {
    guard let conflict = desk.open[id]?.conflict[field.name], let turned = turned(like: conflict) else {
      return false
    }
    readsText = if case .text = turned { true } else { false }
    (held, copied) = (nil, nil)
    return true
  }

  /// Up and Down walk through what the three sides have, as a shell walks through what was typed before.
  mutating func copy(next: Bool, from record: DecidedConflict?) {
    guard let record, let conflict = ShownRecord(record, leaf: leaf).columns[field.name] else { return }
    let sides: [Side?] = [nil] + Side.allCases.filter { conflict.version($0) != nil }
    let place = sides.firstIndex(of: copied) ?? 0
    copy(sides[Round(sides.count)[place + (next ? 1 : -1)]], of: conflict)
  }

  /// - Parameter side: nil for what was typed.
  private mutating func copy(_ side: Side?, of conflict: FieldConflict) {
    if copied == nil { (typed, heldBefore) = (input.text, held) }
    copied = side
    let value = side.flatMap { conflict.value(takenFrom: $0) }
    input.replace(with: value.map(Self.text) ?? typed)
    held = value ?? heldBefore
  }

  /// A version that is clicked is copied, as Up and Down do it; in the text the cursor goes there.
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let screen = EditorScreen(desk: desk, page: self)
    if let steps = screen.steps(to: point) {
      input.go(by: steps)
      return []
    }
    guard let side = screen.side(at: point),
      let conflict = desk.open[id].flatMap({ ShownRecord($0, leaf: leaf).columns[field.name] }),
      conflict.version(side) != nil
    else { return [] }
    copy(side, of: conflict)
    return judgeOther(on: desk)
  }
}
