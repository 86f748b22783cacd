import Merging
import StoreInterface
import Telling
import Terminal

/// What the sides have in a field, taken apart into what differs, and what the result is so far.
struct ValueContent {
  let desk: DeskState
  let page: ValuePage
  let shown: ShownRecord?
  let field: FieldConflict?
  let parts: FieldParts?
  private let choices: [FieldPart.ID: PartChoice]
  private let pieces: [FieldParts.Piece]
  let allParts: [FieldPart]
  private let bytes: BytesRows?
  let result: Result
  /// What is under the cursor, where not all of it is shown at once. Looked for once, as each column asks for it, and each key that is told:
  /// of megabytes that would be felt.
  private(set) var long: LongChange?

  init(
    _ desk: DeskState, _ page: ValuePage, _ shown: ShownRecord?, _ field: FieldConflict?, _ parts: FieldParts?
  ) {
    (self.desk, self.page, self.shown, self.field, self.parts) = (desk, page, shown, field, parts)
    choices = page.choices(desk)
    result = Self.result(desk, page, shown, field, parts)
    pieces = parts?.pieces ?? Self.whole(shown, field, result, desk.privacy)
    allParts = pieces.compactMap { if case .part(let part) = $0 { part } else { nil } }
    bytes = BytesRows(shown, field, desk, page.bytesMemory)
    long = longUnderCursor
  }

  private var longUnderCursor: LongChange? {
    if isBytes { return nil }
    if let part { return longChange(of: part) }
    return textOfAll.flatMap { LongChange($0) }
  }

  /// Whether it is bytes that are compared.
  var isBytes: Bool { bytes != nil }

  var changes: Int { bytes?.changes ?? allParts.count }

  /// The change under the cursor.
  var part: FieldPart? {
    guard bytes == nil, !allParts.isEmpty else { return nil }
    return allParts[min(page.change, allParts.count - 1)]
  }

  /// Of a value that is the same on all sides.
  var textOfAll: String? {
    guard bytes == nil, pieces.count == 1, case .kept(let text) = pieces[0] else { return nil }
    return text
  }

  /// What has no parts: one change, or none. A value that no side has is a change, though the sides are alike.
  private static func whole(
    _ shown: ShownRecord?, _ field: FieldConflict?, _ result: Result, _ privacy: Privacy
  ) -> [FieldParts.Piece] {
    guard let shown, let field else { return [] }
    let values = Side.allCases.map { shown.version(field, $0)?.value }
    // What points to a record is told with what that is called.
    let texts = values.map { value in
      value.map { value in
        let title = privacy.title(of: value, in: field.name, of: shown.conflict)
        let told = privacy.whole(value, of: shown.inColumns(field), in: shown.conflict)
        return told + (title.map { "  " + $0 } ?? "")
      }
    }
    let present = values.compactMap(\.self)
    if let first = present.first, present.allSatisfy({ $0 == first }), !result.isOther {
      return [.kept(privacy.line(first))]
    }
    return [
      .part(.whole(ancestor: texts[0], client: texts[1], server: texts[2], change: field.change))
    ]
  }
}

/// The rows.
extension ValueContent {
  func rows(_ columns: [ValueColumn], width: Int, isStacked: Bool) -> ValueRows {
    if let bytes { return bytes.rows(columns, width: width, isStacked: isStacked) }
    let pieces = textOfAll.map { [FieldParts.Piece.kept(textShown($0))] } ?? self.pieces
    let text = FoldedText(
      pieces, at: page.change, showsUnchanged: desk.showsAllOfValues || allParts.isEmpty)
    let maker = ValueRowMaker(
      columns: isStacked ? columns.filter { isTold($0) } : columns, isStacked: isStacked,
      areKeys: parts?.form == .keys, width: width,
      runs: { runs(allParts[$0], $1, isSelected: $0 == page.change) }, sign: { sign($0) },
      areSame: { areSame(allParts[$0], $1, $2) }, wayToSame: wayToSame)
    return maker.rows(text)
  }

  /// Of megabytes that are the same not all are shown here, and those that wait or are decided as a whole are opened nowhere.
  private var wayToSame: String {
    guard desk.showsAllOfValues, let conflict = shown?.conflict, !conflict.isWhole,
      conflict.details.waitingSince == nil
    else { return "" }
    return ": \(desk.key(.editOutside)) opens all"
  }

  /// Of what has no parts the values tell: two that differ may be shown alike, as all are that are hidden.
  private func areSame(_ part: FieldPart, _ left: Side, _ right: Side) -> Bool {
    guard parts == nil, let shown, let field else { return part.areSame(left, right) }
    return shown.version(field, left)?.value == shown.version(field, right)?.value
  }

  /// An ancestor that is not known takes no lines.
  private func isTold(_ column: ValueColumn) -> Bool {
    column != .side(.ancestor) || field?.ancestor != nil
  }

  /// The weakest of some changes.
  private func sign(_ changes: [Int]) -> [Run] {
    let signs = changes.map { place -> Run in
      let part = allParts[place]
      if page.isMerging, choices[part.id] != nil { return Run("✓", .ready) }
      return page.isMerging && part.isSure ? Run("~", .dim) : Run("!", .needs.bold)
    }
    // What is not put together by its changes is taken as a whole, whatever each of them would be.
    guard page.isMerging, parts != nil else {
      return [field.flatMap { shown?.sign($0) } ?? Run(" "), Run(" ")]
    }
    return [signs.first { $0.text == "!" } ?? signs.first { $0.text == "✓" } ?? signs[0], Run(" ")]
  }

  private func runs(_ part: FieldPart, _ column: ValueColumn, isSelected: Bool) -> [Run] {
    switch column {
    case .side(let side):
      let runs = sideRuns(part, side, isSelected)
      // One change alone is all that differs.
      return isSelected && allParts.count > 1 ? underCursor(runs) : runs
    case .result:
      let runs = resultRuns(part, isSelected)
      return isSelected ? underCursor(runs) : runs
    }
  }

  /// Several changes may stand in one line: the one that keys are about is reversed, and where that cannot be told from the rest it
  /// stands between marks.
  private func underCursor(_ runs: [Run]) -> [Run] {
    guard desk.bracketsWords, allParts.count > 1 else {
      return runs.map { Run($0.text, $0.ink.bold.selected()) }
    }
    let end = runs.last?.text.reversed().prefix(while: \.isNewline).count ?? 0
    let last = runs.last.map { [Run(String($0.text.dropLast(end)), $0.ink)] } ?? []
    let newlines = Run(String(repeating: "\n", count: end))
    let inside = (runs.dropLast() + last).map { Run($0.text, $0.ink.bold.selected()) }
    return [Run(">", .text.bold)] + inside + [Run("<", .text.bold)] + (end > 0 ? [newlines] : [])
  }

  private func sideRuns(_ part: FieldPart, _ side: Side, _ isSelected: Bool) -> [Run] {
    guard let text = part.text(side) else { return [Run(parts?.form == .keys ? "(none)" : "-", .dim)] }
    let shown = textShown(text, of: part, isSelected: isSelected)
    return shown.between(marked(shown.text, part, side, isSelected))
  }

  /// With what differs from the ancestor. A key and what it is called are read as a whole: "7 9  Inbox Health" names neither.
  private func marked(_ text: String, _ part: FieldPart, _ side: Side, _ isSelected: Bool) -> [Run] {
    let ink = Ink.side(side)
    if side == .ancestor || part.areSame(side, .ancestor) { return [Run(text, ink)] }
    guard let old = part.ancestor, !isTitled else { return [Run(text, ink.underlined)] }
    let before = textShown(old, of: part, isSelected: isSelected).text
    return WordMarks(brackets: desk.bracketsWords).runs(from: before, to: text, ink)
  }

  /// Whether a side points to a record that has a title.
  private var isTitled: Bool {
    guard let shown, let field else { return false }
    return Side.allCases.contains { side in
      desk.privacy.title(of: shown.version(field, side)?.value, in: field.name, of: shown.conflict) != nil
    }
  }

  /// What two versions of the change under the cursor differ in, where they look the same. Of what has no parts the values tell, as in
  /// ``areSame(_:_:_:)``.
  var unseenDifferences: [String] {
    guard !desk.privacy.hides, bytes == nil else { return [] }
    guard parts == nil, let shown, let field else {
      return part?.unseenDifferences(isASCII: desk.isASCII) ?? []
    }
    return UnseenVersions.all(isASCII: desk.isASCII) { shown.version(field, $0)?.value }.map(\.words)
  }
}

extension FieldPart {
  /// Whether two sides have the same there, byte for byte: two normal forms of a text are two texts, though they look alike.
  func areSame(_ left: Side, _ right: Side) -> Bool {
    text(left).map { Value.text($0) } == text(right).map { Value.text($0) }
  }

  /// Where two versions differ and yet look the same, what in.
  func unseenDifferences(isASCII: Bool) -> [String] {
    UnseenVersions.all(isASCII: isASCII) { side in text(side).map { Value.text($0) } }.map(\.words)
  }
}

/// The result.
extension ValueContent {
  /// What the field would hold of a change.
  private func resultRuns(_ part: FieldPart, _ isSelected: Bool) -> [Run] {
    func runs(_ text: String, _ ink: Ink) -> [Run] {
      let shown = textShown(text, of: part, isSelected: isSelected)
      return shown.between([Run(shown.text, ink)])
    }
    if let text = resultText(part) { return runs(text, isChosen ? .result.bold : .result) }
    if shown?.conflict.isWhole == true { return [Run("by the whole record", .dim)] }
    return [Run("[ ", .needs.bold)] + runs(part.client ?? "", .client) + [Run(" | ", .needs.bold)]
      + runs(part.server ?? "", .server) + [Run(" ]", .needs.bold)]
  }

  private var isChosen: Bool {
    field.map { shown?.record.resolution[.field($0.name)] != nil } ?? false
  }

  /// nil where somebody has to decide.
  func resultText(_ part: FieldPart) -> String? {
    switch result {
    case .parts where parts == nil: decidedLine
    case .parts(let choices): parts?.choice(of: part, in: choices).map { part.text($0) ?? "(none)" }
    case .side(let side): part.text(side) ?? (parts?.form == .keys ? "(none)" : "-")
    case .other(let value): parts == nil ? told(value) : "(\(origin(of: value)): below)"
    case .open: nil
    }
  }

  /// Of what is not taken apart, as while it is hidden.
  private var decidedLine: String? {
    guard page.isDecided(desk), let field, let shown else { return nil }
    return told(field.draft(shown.record.resolution[.field(field.name)]).value)
  }

  /// A value of the field, so that no text is taken for what other versions of it are.
  func told(_ value: Value) -> String {
    guard let field, let shown else { return desk.privacy.line(value) }
    return desk.privacy.whole(value, of: shown.inColumns(field), in: shown.conflict)
  }

  /// Whose a value is, as ``ShownRecord/wordsOfLeaves(having:in:)`` tells it: "leaf 3", "leaves 3 and 4"; nil where no leaf beside the winner
  /// has it.
  func leaves(having value: Value) -> String? {
    guard let field, let shown else { return nil }
    return shown.wordsOfLeaves(having: value, in: field.name)
  }

  private func origin(of value: Value) -> String {
    leaves(having: value) ?? (isEdited ? "typed" : "merged")
  }

  private var isEdited: Bool {
    if case .edit? = field.flatMap({ shown?.record.resolution[.field($0.name)] }) { true } else { false }
  }

  enum Result: Equatable {
    case parts([FieldPart.ID: PartChoice])
    case side(Side)
    /// A value that none of the sides has.
    case other(Value)
    case open

    fileprivate var isOther: Bool { if case .other = self { true } else { false } }
  }

  private static func result(
    _ desk: DeskState, _ page: ValuePage, _ shown: ShownRecord?, _ field: FieldConflict?, _ parts: FieldParts?
  ) -> Result {
    let choices = page.choices(desk)
    if page.isMerging { return .parts(choices) }
    guard let field, let shown, !shown.conflict.isWhole, field.field.isWritable else { return .open }
    let choice = shown.record.resolution[.field(field.name)]
    if case .parts? = choice { return .parts(choices) }
    // What is sure is in, as in the merge.
    if choice == nil, field.suggestion.certainty == .yours { return parts == nil ? .open : .parts([:]) }
    let value = field.draft(choice).value
    let side = [Side.client, .server, .ancestor].first { shown.version(field, $0)?.value == value }
    if let side { return .side(side) }
    return parts?.value([:]) == value ? .parts([:]) : .other(value)
  }
}
