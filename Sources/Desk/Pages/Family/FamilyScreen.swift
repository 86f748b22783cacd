import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// Where the parts of the page stand; drawing and the mouse agree on it.
struct FamilyLayout {
  let top = 3
  /// Rows for members.
  let height: Int
  let range: Range<Int>
  let foot: [[Run]]

  init(_ desk: DeskState, _ page: FamilyPage) {
    let room = desk.size.rows - top - 3
    let lines = FamilyWords(desk, page).foot(width: desk.size.columns - 2)
    foot = Array(lines.prefix(max(1, room / 2)))
    height = max(1, room - foot.count)
    let count = desk.family?.members.count ?? 0
    let first = desk.first(showing: page.cursor, height: height, of: count)
    range = first..<min(count, first + height)
  }

  var footTop: Int { top + height + 1 }

  /// Which of the members stands in a row of the screen.
  func place(at row: Int) -> Int? {
    let place = range.lowerBound + row - top
    return row >= top && range.contains(place) ? place : nil
  }
}

struct FamilyScreen {
  private let desk: DeskState
  private let page: FamilyPage
  private let layout: FamilyLayout
  private let words: FamilyWords
  private let columns: Columns

  /// Where the parts of a row start. Of a state a narrow screen has room for its sign.
  private struct Columns {
    let isNarrow: Bool
    let title, kin, becomes, end: Int

    init(_ width: Int) {
      isNarrow = width < 70
      end = width - 1
      title = isNarrow ? 4 : 16
      becomes = title + (end - title) * 6 / 10
      kin = becomes - 9
    }
  }

  init(_ desk: DeskState, _ page: FamilyPage) {
    (self.desk, self.page) = (desk, page)
    layout = FamilyLayout(desk, page)
    words = FamilyWords(desk, page)
    columns = Columns(desk.size.columns)
  }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    frame.header(words.title, right: [Run(words.progress, .dim)])
    drawHeadings(&frame.grid)
    let members = desk.family?.members ?? []
    for place in layout.range {
      draw(members[place], at: layout.top + place - layout.range.lowerBound, &frame.grid)
    }
    frame.rule(layout.footTop - 1)
    frame.grid.write(lines: layout.foot, at: 1, layout.footTop, width: frame.columns - 2)
    return frame.footer(desk)
  }

  private func drawHeadings(_ grid: inout Grid) {
    if !columns.isNarrow { grid.write("State", at: 2, 2, .dim) }
    grid.write("Record", at: columns.title, 2, .dim)
    grid.write("Is", at: columns.kin, 2, .dim)
    grid.write("Decided, or why not", at: columns.becomes, 2, .dim)
  }

  private func draw(_ member: FamilyMember, at row: Int, _ grid: inout Grid) {
    let cells = desk.cells(of: .conflict(member.summary))
    let state = columns.isNarrow ? String(cells.state.prefix(1)) : cells.state
    let table = columns.isNarrow ? [] : [Run(cells.table + " ", .dim)]
    grid.write(state, at: 2, row, cells.ink, width: columns.title - 3)
    _ = grid.write(
      table + [Run(cells.title, cells.ink)], at: columns.title, row, width: columns.kin - columns.title - 1)
    grid.write(words.kin(member), at: columns.kin, row, .dim, width: 8)
    let (text, ink) = words.becomes(member, why: cells.why)
    grid.write(text, at: columns.becomes, row, ink, width: columns.end - columns.becomes)
    if (page.selected(desk)?.id).isName(member.id) {
      grid.write("▸", at: 0, row)
      grid.select(row: row)
    }
  }
}

/// What the page says of a family.
struct FamilyWords {
  private let desk: DeskState
  private let page: FamilyPage
  private let family: Family

  init(_ desk: DeskState, _ page: FamilyPage) {
    (self.desk, self.page, family) = (desk, page, desk.family ?? Family(of: page.id))
  }

  var title: [Run] { [Run("Family", .text.bold), Run("   " + desk.shownTitle(of: page.id))] }

  var progress: String {
    if family.isReading { return "looking for them..." }
    return desk.size.columns < 60 ? "" : "nothing is written here"
  }

  /// Seen from the record whose family it is.
  func kin(_ member: FamilyMember) -> String {
    guard let relative = member.relative else { return "this one" }
    if relative.of.hasSameBytes(as: page.id) { return relative.kind.rawValue }
    let parents = family.members.compactMap(\.relative).filter {
      $0.kind == .parent && $0.of.hasSameBytes(as: page.id)
    }
    let isSibling = relative.kind == .child && parents.contains { $0.id.hasSameBytes(as: relative.of) }
    return isSibling ? "sibling" : "relative"
  }

  func becomes(_ member: FamilyMember, why: String) -> (String, Ink) {
    if family.contradictions.contains(where: { $0.child == member.id }) {
      return ("✗ stays, parent goes", .failed)
    }
    let orphans = family.contradictions.count { $0.parent == member.id }
    if orphans > 0 { return ("✗ goes, \(orphans) stay\(orphans == 1 ? "s" : "")", .failed) }
    return switch member.outcome {
    case .open: (why, .text)
    case .deleted: ("goes", .ready)
    case .answered(let answer): (desk.privacy.words(answer), .ready)
    case .kept(let sources): ("stays" + from(sources), .ready)
    }
  }

  private func from(_ sources: [Source]) -> String {
    sources.isEmpty ? " as it is" : ": " + sources.map(\.rawValue).joined(separator: ", ")
  }

  /// Why the record under the cursor belongs here, what contradicts, and what there is to decide.
  func foot(width: Int) -> [[Run]] {
    if family.isReading { return [[Run("The whole store is gone through, once.", .dim)]] }
    let lines = [relation, contradiction, sum].compactMap(\.self)
    return lines.flatMap { $0.wrapped(width, most: 3) }
  }

  private var relation: [Run]? {
    guard let relative = page.selected(desk)?.relative else { return nil }
    let (title, other) = (desk.shownTitle(of: relative.id), desk.shownTitle(of: relative.of))
    let field = desk.privacy.name(relative.field)
    return switch relative.kind {
    case .parent: [Run("In at least one version \(other) points to \(title) by \(field).", .dim)]
    case .child: [Run("In at least one version \(title) points to \(other) by \(field).", .dim)]
    }
  }

  /// That of the record under the cursor, or else the first.
  private var contradiction: [Run]? {
    let all = family.contradictions
    let id = page.selected(desk)?.id
    guard let one = all.first(where: { id.isName($0.child) || id.isName($0.parent) }) ?? all.first else {
      return nil
    }
    let (child, parent) = (desk.shownTitle(of: one.child), desk.shownTitle(of: one.parent))
    let more = all.count == 1 ? "" : " \(all.count) contradict in all."
    return [
      Run("✗ ", .failed.bold),
      Run("\(parent) goes, and \(child) stays and would point to nothing (\(desk.privacy.name(one.field)))."),
      Run(more),
    ]
  }

  private var sum: [Run] {
    let (all, open) = (family.members.count, family.undecided.count)
    let lost = family.givenUp == 1 ? "1 edit" : "\(family.givenUp) edits"
    let givenUp = family.givenUp == 0 ? "." : ", and \(lost) given up by that."
    let decided = Run("\(all - open) of \(all) decided\(givenUp) ", .text.bold)
    return [decided, Run(open == 0 ? "\(desk.key(.review)) reviews and writes." : ways(open))]
  }

  /// What is to decide, as a deletion is beside an edit, is not accepted with the rest.
  private func ways(_ open: Int) -> String {
    let accepted = family.undecided.count { $0.summary.certainty != .yours && !$0.summary.holdsNoLonger }
    let sides = open == 1 ? "c or s decides the other one" : "c or s decides the other \(open)"
    if accepted == open { return "\(sides), and so does A." }
    return accepted == 0 ? "\(sides); A none of them." : "\(sides); A \(accepted) of them."
  }
}
