import Merging
import Telling
import Terminal

/// Blobs in lines of bytes beside their letters, where they differ.
struct BytesRows {
  private typealias Version = (side: Side, value: Value?)

  private let versions: [Version]
  private let bytes: [Side: [UInt8]]
  private let page: ValuePage
  private let showsUnchanged: Bool
  private let privacy: Privacy
  /// The lines of ``step`` bytes in which not all sides have the same, one behind the other.
  private let runs: [Range<Int>]

  /// Bytes that are compared at once: the smallest line.
  private static let step = 16
  /// In bytes: what is longer is compared and shown by its beginning.
  private static let longest = 1_048_576
  /// Lines that are shown of one change, and of what is the same.
  private static let most = 64
  /// How many changes are shown on each side of the one under the cursor.
  private static let around = 20

  var changes: Int { runs.count }

  /// nil for what is no blob, or is hidden.
  init?(_ shown: ShownRecord?, _ field: FieldConflict?, _ desk: DeskState, page: ValuePage) {
    guard let shown, let field, !desk.privacy.hides else { return nil }
    versions = Side.allCases.map { ($0, shown.version(field, $0)?.value) }
    guard versions.contains(where: { $0.value?.isBlob == true }) else { return nil }
    (self.page, showsUnchanged, privacy) = (page, desk.showsAllOfValues, desk.privacy)
    bytes = versions.reduce(into: [:]) { all, version in
      if case .blob(let blob)? = version.value, let bytes = blob.bytes {
        all[version.side] = Array(bytes.prefix(Self.longest))
      }
    }
    runs = Self.runs(Array(bytes.values))
  }

  private static func runs(_ all: [[UInt8]]) -> [Range<Int>] {
    guard all.count > 1, let longest = all.map(\.count).max() else { return [] }
    var runs: [Range<Int>] = []
    for line in 0..<(longest + step - 1) / step {
      let lines = all.map { $0.dropFirst(line * step).prefix(step) }
      if lines.dropFirst().allSatisfy({ $0 == lines[0] }) { continue }
      if let last = runs.last, last.upperBound == line {
        runs[runs.count - 1] = last.lowerBound..<line + 1
      } else {
        runs.append(line..<line + 1)
      }
    }
    return runs
  }

  private var lineCount: Int { ((bytes.values.map(\.count).max() ?? 0) + Self.step - 1) / Self.step }
}

extension BytesRows {
  func rows(_ columns: [ValueColumn], width: Int, isStacked: Bool) -> ValueRows {
    var rows = ValueRows()
    let sides = columns.compactMap { if case .side(let side) = $0 { side } else { nil } }
    addKinds(sides, isStacked, to: &rows)
    guard !bytes.isEmpty else { return rows }
    var next = 0
    let shown = max(0, page.change - Self.around)..<min(runs.count, page.change + Self.around + 1)
    if shown.lowerBound > 0 { next = runs[shown.lowerBound - 1].upperBound }
    for place in shown {
      let run = runs[place]
      addSame(next..<run.lowerBound, hasBefore: place > 0, hasAfter: true, sides, width, isStacked, to: &rows)
      for line in run.prefix(Self.most) { add(line, change: place, sides, width, isStacked, to: &rows) }
      if run.count > Self.most { fold(run.count - Self.most, "more that differ", to: &rows) }
      next = run.upperBound
    }
    let end = shown.upperBound < runs.count ? runs[shown.upperBound].lowerBound : lineCount
    addSame(next..<end, hasBefore: !runs.isEmpty, hasAfter: false, sides, width, isStacked, to: &rows)
    if shown.upperBound < runs.count { fold(runs.count - shown.upperBound, "more changes", to: &rows) }
    return rows
  }

  /// What each is, and how long.
  private func addKinds(_ sides: [Side], _ isStacked: Bool, to rows: inout ValueRows) {
    let cells = sides.map { side in
      [Run(kind(versions.first { $0.side == side }?.value), Ink.side(side))]
    }
    if !isStacked { return rows.add(ValueRows.Row(cells: cells)) }
    for (side, cell) in zip(sides, cells) { rows.add(ValueRows.Row(margin: letter(side), cells: [cell])) }
    rows.add(ValueRows.Row(cells: [[]]))
  }

  private func kind(_ value: Value?) -> String {
    guard case .blob(let blob)? = value else { return privacy.line(value) }
    guard let bytes = blob.bytes else { return privacy.line(value) }
    return [BytesKind(bytes)?.words, bytesInWords(bytes.count)].compactMap(\.self).joined(separator: ", ")
  }

  private func letter(_ side: Side) -> [Run] { [Run("  "), Run(side.letter + " ", Ink.side(side).bold)] }

  private func fold(_ count: Int, _ words: String, to rows: inout ValueRows) {
    rows.add(ValueRows.Row(cells: [[Run("··· \(count) \(words) ···", .dim)]]))
  }

  /// Lines that are the same on all sides: one beside each change, unless all are wanted.
  private func addSame(
    _ lines: Range<Int>, hasBefore: Bool, hasAfter: Bool, _ sides: [Side], _ width: Int, _ isStacked: Bool,
    to rows: inout ValueRows
  ) {
    let isAlone = !hasBefore && !hasAfter
    let most = showsUnchanged || isAlone ? Self.most : 1
    let first = lines.prefix(hasBefore || isAlone ? most : 0)
    let last = lines.suffix(hasAfter ? min(most, lines.count - first.count) : 0)
    for line in first { add(line, change: nil, sides, width, isStacked, to: &rows) }
    let left = lines.count - first.count - last.count
    if left > 0 {
      let cell = Run("··· \(bytesInWords(left * Self.step)) \(runs.isEmpty ? "more" : "the same") ···", .dim)
      rows.add(ValueRows.Row(cells: [[cell]]))
    }
    for line in last { add(line, change: nil, sides, width, isStacked, to: &rows) }
  }

  private func add(
    _ line: Int, change: Int?, _ sides: [Side], _ width: Int, _ isStacked: Bool, to rows: inout ValueRows
  ) {
    let changes = change.map { [$0] } ?? []
    let sign = [Run(change == nil ? "  " : "! ", .needs.bold)]
    if isStacked {
      let isSame = change == nil && bytes.count > 1
      for (index, side) in sides.filter({ bytes[$0] != nil }).prefix(isSame ? 1 : 3).enumerated() {
        let margin = isSame ? [] : (index == 0 ? sign : [Run("  ")]) + [letter(side)[1]]
        let cells = [cell(line * Self.step, Self.step, side)]
        rows.add(ValueRows.Row(margin: margin, cells: cells, side: isSame ? nil : side), changes: changes)
      }
      return
    }
    let count = BytesText.bytesOfLine(width: width)
    for start in stride(from: line * Self.step, to: (line + 1) * Self.step, by: count) {
      let margin = start == line * Self.step ? sign : []
      rows.add(
        ValueRows.Row(margin: margin, cells: sides.map { cell(start, count, $0) }), changes: changes)
    }
  }

  /// A line of one side, with the bytes marked that it has otherwise than the ancestor; without that, than the other side.
  private func cell(_ start: Int, _ count: Int, _ side: Side) -> [Run] {
    guard let own = bytes[side], start < own.count else { return [] }
    let others: [Side] = side == .ancestor ? [] : [.ancestor, side == .client ? .server : .client]
    let other = others.lazy.compactMap { bytes[$0] }.first
    let line = own[start..<min(own.count, start + count)]
    let differs = line.indices.map { place in
      other.map { place >= $0.count || $0[place] != own[place] } ?? false
    }
    return BytesText.line(line, at: start, of: count, differs: differs, Ink.side(side))
  }
}

extension Value {
  fileprivate var isBlob: Bool { if case .blob = self { true } else { false } }
}
