import Merging
import StoreInterface
import Telling
import Terminal

/// What is said under a whole value: what is decided; in a merge, what can be taken for the change under the cursor.
struct ValueBar {
  /// Drawn, and clicked.
  struct Line {
    var runs: [Run]
    /// What a click asks for, each from a column of the line on.
    var commands: [(start: Int, command: Command)] = []

    func command(at column: Int) -> Command? { commands.last { $0.start <= column }?.command }
  }

  private let desk: DeskState
  private let page: ValuePage
  private let content: ValueContent

  init(_ desk: DeskState, _ page: ValuePage, _ content: ValueContent) {
    (self.desk, self.page, self.content) = (desk, page, content)
  }

  /// None where there is no room.
  func lines(_ size: Size) -> [Line] {
    guard size.rows >= 14 else { return page.input.map { [typed($0)] } ?? [] }
    guard page.isMerging, let part = content.part, let parts = content.parts else {
      return state.map { Line(runs: $0) }
    }
    if size.rows < 20 { return short(part, parts) }
    let last = page.input.map { typed($0) } ?? typedBefore(part) ?? keys(parts)
    return [title(part, parts)] + ways(part, parts) + [last]
  }

  /// The two sides and, by their keys, the other ways; or what is typed.
  private func short(_ part: FieldPart, _ parts: FieldParts) -> [Line] {
    if let input = page.input { return [title(part, parts), typed(input)] }
    let ways = ways(part, parts)
    return [title(part, parts)] + ways.dropFirst(content.field?.ancestor == nil ? 0 : 1).prefix(2)
      + [others(part, parts)]
  }

  private func others(_ part: FieldPart, _ parts: FieldParts) -> Line {
    let hasBoth = part.change == .different && parts.form != .keys
    let all: [(String, Command)] =
      (content.field?.ancestor == nil ? [] : [("a ancestor", .take(.ancestor))])
      + (hasBoth ? [("b both", .record(.both)), ("B server first", .record(.bothServerFirst))] : [])
      + [("e words", .edit)]
    return all.reduce(into: Line(runs: [Run("   ")])) { line, way in
      line.commands.append((line.runs.width, way.1))
      line.runs.append(Run(way.0 + "   ", .dim))
    }
  }

  /// The line that is typed in.
  static func typingLine(of count: Int) -> Int { count - 1 }
  static let typing = "   e  "

  private func typed(_ input: InputLine) -> Line {
    Line(runs: [
      Run(Self.typing, .needs.bold), Run(Self.before(input, desk.size)), Run(Self.shown(input.after)),
    ])
  }

  /// What stands before the cursor, as far as there is room for it: the cursor is always in sight.
  static func before(_ input: InputLine, _ size: Size) -> String {
    let before = shown(input.before)
    let end = before.suffix(columns: size.columns - typing.count - 6)
    return end.utf8.count < before.utf8.count ? "‹" + end : before
  }

  private static func shown(_ text: String) -> String { DisplayText.safe(text) }

  private func keys(_ parts: FieldParts) -> Line {
    let here = "   e  types \(parts.form == .keys ? "its JSON" : "words here"), "
    return Line(
      runs: [Run(here + "E opens the whole text in $EDITOR", .dim)],
      commands: [(0, .edit), (here.count, .editOutside)])
  }

  /// Words that were typed for a change, as one of its ways.
  private func typedBefore(_ part: FieldPart) -> Line? {
    guard case .edit(let text)? = page.choices(desk)[part.id] else { return nil }
    return Line(runs: line("e", text, .result, true, "typed"), commands: [(0, .edit)])
  }

  private var state: [[Run]] {
    guard let field = content.field, let shown = content.shown else { return [] }
    if shown.conflict.details.waitingSince != nil {
      return [[Run("Its draft waits \(desk.store.words.waits).", .dim)]]
    }
    if shown.conflict.isWhole {
      let ways = shown.record.waysByKey(hasOther: false)
      return [[Run("The record is decided as a whole: \(ways).", .dim)]]
    }
    let merge = desk.open[page.id]?.resolution[.field(field.name)]?.unfinished.map {
      "   \($0.choices.count) decided in the merge: \(desk.key(.record(.merge), on: .value)) goes on"
    }
    let alike = content.unseenDifferences.map { [Run("! ", .needs), Run($0)] }
    let words = [shown.stateWords(field), Run(merge ?? "", .needs)]
    guard case .other(let value) = content.result else { return [words] + alike }
    let line = content.told(value)
    let text = shown.changedTexts(field, desk.privacy)?.cell(line, width: desk.size.columns - 6) ?? line
    let leaves = content.leaves(having: value).map { [Run("   of \($0)", .dim)] } ?? []
    return [words, [Run("R  ", .result.bold), Run(text, .result)] + leaves] + alike
  }

  private func title(_ part: FieldPart, _ parts: FieldParts) -> Line {
    let place = min(page.change, parts.parts.count - 1) + 1
    let alike = part.unseenDifferences(isASCII: desk.isASCII).map { Run("   " + $0, .needs) }
    let rest = [Run("   "), state(part)] + alike
    let number = "Change \(place)"
    let room = desk.size.columns - 2 - number.count - 3 - rest.width
    // Two paths may be told apart by their ends alone.
    let name = part.name.map { "   " + DisplayText.cutInside($0, to: max(12, room)) } ?? ""
    return Line(runs: [Run(number + name, .text.bold)] + rest)
  }

  private func state(_ part: FieldPart) -> Run {
    if let choice = page.choices(desk)[part.id] { return Run("✓ \(choice.words)", .ready) }
    if part.change == .same { return Run("~ both sides alike", .dim) }
    guard part.isSure else {
      return Run(part.onlySide == nil ? "! to decide" : "! to decide: told by its place", .needs.bold)
    }
    return Run("~ only the \(part.onlySide?.rawValue ?? "") changed it", .dim)
  }

  private func ways(_ part: FieldPart, _ parts: FieldParts) -> [Line] {
    let chosen = parts.choice(of: part, in: page.choices(desk))
    let sides = [Side.ancestor, .client, .server].filter { $0 != .ancestor || content.field?.ancestor != nil }
    let lines = sides.map { way($0, part, isChosen: chosen == .take($0)) }
    let canBeBoth = part.change == .different && parts.form != .keys
    return canBeBoth ? lines + [wayOfBoth(part, chosen)] : lines
  }

  private func way(_ side: Side, _ part: FieldPart, isChosen: Bool) -> Line {
    let isNewer = part.change == .different && side == page.newerSide(desk)
    // What is chosen already it leaves alone.
    let isToDecide = page.choices(desk)[part.id] == nil
    let newer = isToDecide ? "newer: \(desk.key(.accept, on: .merge)) takes it" : "newer"
    let words = [desk.time.short(content.field?.version(side)?.time), isNewer ? newer : ""]
    let runs = line(
      side.letter.lowercased(), part.text(side) ?? "(none)", .side(side), isChosen,
      words.filter { !$0.isEmpty }.joined(separator: "  "))
    return Line(runs: runs, commands: [(0, .take(side))])
  }

  /// In the order that is chosen, with the key of the other.
  private func wayOfBoth(_ part: FieldPart, _ chosen: PartChoice?) -> Line {
    let isServerFirst = chosen == .both(first: .server)
    let both = part.text(.both(first: isServerFirst ? .server : .client)) ?? ""
    let isBoth = isServerFirst || chosen == .both(first: .client)
    let orders: [(key: String, first: String, command: Command)] = [
      ("b", "client", .record(.both)), ("B", "server", .record(.bothServerFirst)),
    ]
    let (shown, other) = isServerFirst ? (orders[1], orders[0]) : (orders[0], orders[1])
    let otherWords = "\(other.key): \(other.first)"
    let runs = line(shown.key, both, .result, isBoth, "\(shown.first) first; \(otherWords)")
    let start = runs.width - DisplayText.width(otherWords)
    return Line(runs: runs, commands: [(0, shown.command), (start, other.command)])
  }

  private func line(_ key: String, _ text: String, _ ink: Ink, _ isChosen: Bool, _ words: String) -> [Run] {
    let width = desk.size.columns - 2
    let room = max(8, width - 8 - DisplayText.width(words))
    let isBlank = text.allSatisfy { $0 == " " }
    let seen = text.isEmpty ? "(nothing)" : isBlank ? String(repeating: "␣", count: text.count) : text
    let text = DisplayText.cut(seen, to: room)
    let gap = String(repeating: " ", count: max(1, room - DisplayText.width(text)))
    return [
      Run(isChosen ? " ● " : "   ", ink.bold), Run(key + "  ", ink.bold),
      Run(text, isChosen ? ink.bold : ink), Run(gap + words, .dim),
    ]
  }
}
