import Merging
import Synchronization
import Telling
import Terminal

/// Blobs in lines of bytes beside their letters, where they differ. All of what differs can be scrolled through.
struct BytesRows {
  private typealias Version = (side: Side, value: Value?)

  private let versions: [Version]
  private let showsUnchanged: Bool
  private let privacy: Privacy
  private let compared: ComparedBytes

  private static let step = ComparedBytes.step

  var changes: Int { runs.count }
  private var bytes: [Side: [UInt8]] { compared.bytes }
  private var runs: [Range<Int>] { compared.runs }

  /// nil for what is no blob, or is hidden.
  init?(_ shown: ShownRecord?, _ field: FieldConflict?, _ desk: DeskState, _ memory: BytesMemory) {
    guard let shown, let field, !desk.privacy.hides else { return nil }
    versions = Side.allCases.map { ($0, shown.version(field, $0)?.value) }
    guard versions.contains(where: { $0.value?.isBlob == true }) else { return nil }
    (showsUnchanged, privacy) = (desk.showsAllOfValues, desk.privacy)
    compared = memory.compared(versions.map(\.value))
  }

  private var lineCount: Int { ((bytes.values.map(\.count).max() ?? 0) + Self.step - 1) / Self.step }
}

extension BytesRows {
  func rows(_ columns: [ValueColumn], width: Int, isStacked: Bool) -> ValueRows {
    var rows = ValueRows()
    let sides = columns.compactMap { if case .side(let side) = $0 { side } else { nil } }
    addKinds(sides, isStacked, to: &rows)
    guard !bytes.isEmpty else { return rows }
    let lines = BytesLines(sides: sides, isStacked: isStacked, width: width)
    var next = 0
    for (place, run) in runs.enumerated() {
      addSame(next..<run.lowerBound, hasBefore: place > 0, hasAfter: true, lines, to: &rows)
      add(run, change: place, lines, to: &rows)
      next = run.upperBound
    }
    addSame(next..<lineCount, hasBefore: !runs.isEmpty, hasAfter: false, lines, to: &rows)
    addRest(to: &rows)
    return rows
  }

  private struct BytesLines {
    let sides: [Side]
    let isStacked: Bool
    let width: Int
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

  private func fold(_ words: String, to rows: inout ValueRows) {
    rows.add(ValueRows.Row(cells: [[Run("··· \(words) ···", .dim)]]))
  }

  /// What is too long to be compared.
  private func addRest(to rows: inout ValueRows) {
    let counts = versions.map { version in
      if case .blob(let blob)? = version.value { blob.bytes?.count ?? 0 } else { 0 }
    }
    let rest = (counts.max() ?? 0) - ComparedBytes.longest
    if rest > 0 { fold("\(bytesInWords(rest)) more, not compared", to: &rows) }
  }

  /// Lines that are the same on all sides: one beside each change, unless all are wanted.
  private func addSame(
    _ lines: Range<Int>, hasBefore: Bool, hasAfter: Bool, _ shape: BytesLines, to rows: inout ValueRows
  ) {
    if showsUnchanged || runs.isEmpty { return add(lines, change: nil, shape, to: &rows) }
    let first = lines.prefix(hasBefore ? 1 : 0)
    let last = lines.suffix(hasAfter ? min(1, lines.count - first.count) : 0)
    add(first, change: nil, shape, to: &rows)
    let left = lines.count - first.count - last.count
    if left > 0 { fold("\(bytesInWords(left * Self.step)) the same", to: &rows) }
    add(last, change: nil, shape, to: &rows)
  }

  private func add(_ lines: Range<Int>, change: Int?, _ shape: BytesLines, to rows: inout ValueRows) {
    let changes = change.map { [$0] } ?? []
    let sign = Run(change == nil ? "  " : "! ", .needs.bold)
    if shape.isStacked { return addStacked(lines, isSame: change == nil, changes, sign, shape, to: &rows) }
    let count = BytesText.bytesOfLine(width: shape.width)
    let parts = Self.step / count
    rows.add(lines.count * parts, changes: changes) { row in
      let start = (lines.lowerBound + row / parts) * Self.step + row % parts * count
      let cells = shape.sides.map { cell(start, count, $0) }
      return ValueRows.Row(margin: row % parts == 0 ? [sign] : [], cells: cells)
    }
  }

  /// What is the same on all sides stands there once.
  private func addStacked(
    _ lines: Range<Int>, isSame: Bool, _ changes: [Int], _ sign: Run, _ shape: BytesLines,
    to rows: inout ValueRows
  ) {
    let isOnce = isSame && bytes.count > 1
    let sides = Array(shape.sides.filter { bytes[$0] != nil }.prefix(isOnce ? 1 : 3))
    // The letters need no room behind them.
    let count = BytesText.bytesOfLine(width: shape.width + 4)
    rows.add(lines.count * (Self.step / count) * sides.count, changes: changes) { row in
      let (start, side) = (
        lines.lowerBound * Self.step + row / sides.count * count, sides[row % sides.count]
      )
      let cells = [cell(start, count, side)]
      if isOnce { return ValueRows.Row(cells: cells) }
      let isSigned = row % sides.count == 0 && differs(start, count, sides)
      let margin = [isSigned ? sign : Run("  "), letter(side)[1]]
      return ValueRows.Row(margin: margin, cells: cells, side: side)
    }
  }

  /// A line that is broken for a narrow screen may differ in one of its pieces alone.
  private func differs(_ start: Int, _ count: Int, _ sides: [Side]) -> Bool {
    let pieces = sides.compactMap { bytes[$0]?.dropFirst(start).prefix(count) }
    return pieces.contains { Array($0) != pieces.first.map(Array.init) }
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

/// The bytes of a value's sides, and where they differ.
struct ComparedBytes {
  private(set) var bytes: [Side: [UInt8]] = [:]
  /// The lines of ``step`` bytes in which not all sides have the same, one behind the other. A run ends where the bytes that differ
  /// do.
  let runs: [Range<Int>]

  /// Bytes that are compared at once: the smallest line.
  static let step = 16
  /// In bytes: what is longer is compared and shown by its beginning.
  static let longest = 1_048_576

  /// - Parameter values: of all sides, in their order.
  init(_ values: [Value?]) {
    for (side, value) in zip(Side.allCases, values) {
      if case .blob(let blob)? = value, let all = blob.bytes { bytes[side] = Array(all.prefix(Self.longest)) }
    }
    runs = Self.runs(Array(bytes.values))
  }

  private static func runs(_ all: [[UInt8]]) -> [Range<Int>] {
    guard all.count > 1, let longest = all.map(\.count).max() else { return [] }
    var runs: [Range<Int>] = []
    for line in 0..<(longest + step - 1) / step {
      let lines = all.map { $0.dropFirst(line * step).prefix(step) }
      if lines.dropFirst().allSatisfy({ $0 == lines[0] }) { continue }
      if let last = runs.last, last.upperBound == line, goesOn(all, at: line * step) {
        runs[runs.count - 1] = last.lowerBound..<line + 1
      } else {
        runs.append(line..<line + 1)
      }
    }
    return runs
  }

  /// Whether the bytes that differ before a place go on there.
  private static func goesOn(_ all: [[UInt8]], at place: Int) -> Bool {
    [place - 1, place].allSatisfy { place in
      let byte = { (bytes: [UInt8]) in bytes.indices.contains(place) ? bytes[place] : nil }
      return all.dropFirst().contains { byte($0) != byte(all[0]) }
    }
  }
}

/// What was compared last: a megabyte is gone through once, and not for each frame.
final class BytesMemory: Sendable, Equatable {
  private let known = Mutex<(values: [Value?], compared: ComparedBytes)?>(nil)

  func compared(_ values: [Value?]) -> ComparedBytes {
    known.withLock { known in
      if let known, known.values == values { return known.compared }
      let compared = ComparedBytes(values)
      known = (values, compared)
      return compared
    }
  }

  /// It says nothing that the page does not.
  static func == (left: BytesMemory, right: BytesMemory) -> Bool { true }
}
