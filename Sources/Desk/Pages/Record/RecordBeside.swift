import Merging
import Simulation
import StoreInterface
import Telling
import Terminal

/// Beside the record on a wide screen: where it stands, what happens next, what can be told of its draft without asking the store,
/// and what it is called there. What nobody knows is not said.
struct RecordBeside {
  /// A part of it, which is drawn whole or not at all.
  struct Section {
    var title: String
    var hint = ""
    var lines: [[Run]]

    /// With a rule over it, and an empty line below.
    var height: Int { lines.count + 3 }
  }

  /// What a tree has at least: six lines of it, what is told of a leaf, and what the signs mean.
  private static let leastTreeRows = 24

  let desk: DeskState
  let shown: ShownRecord

  private var record: DecidedConflict { shown.record }
  private var conflict: RecordConflict { record.conflict }

  func draw(_ size: Size) -> Grid {
    var frame = Frame(size)
    var sections = sections(size.columns - 3)
    var row = 0
    if desk.store.can.contains(.tellTrees) {
      row = drawTree(&frame, above: sections)
    } else if let first = sections.first {
      sections.removeFirst()
      frame.header([Run(first.title, .text.bold)], right: [Run(first.hint, .dim)])
      frame.grid.write(lines: first.lines, at: 1, 3, width: size.columns - 2)
      row = first.lines.count + 4
    }
    for section in sections where row + section.height <= frame.bottom + 1 {
      draw(section, at: row, &frame)
      row += section.height
    }
    frame.rule(frame.bottom)
    return frame.grid
  }

  /// - Returns: where the next section begins.
  private func drawTree(_ frame: inout Frame, above sections: [Section]) -> Int {
    let needed = sections.reduce(0) { $0 + $1.height }
    let lines = desk.drawnTree(conflict.id)?.lines(isUnfolded: false).count ?? 6
    let least = Self.leastTreeRows - max(0, 6 - lines)
    let rows = min(frame.grid.size.rows, max(least, frame.grid.size.rows - needed))
    let panel = TreeBeside(desk: desk, record: shown)
    frame.grid.draw(panel.draw(Size(columns: frame.columns, rows: rows)), at: 0, 0)
    return rows - 2
  }

  private func draw(_ section: Section, at row: Int, _ frame: inout Frame) {
    frame.rule(row)
    frame.grid.write([Run(section.title, .text.bold)], at: 1, row + 1)
    frame.grid.write(section.hint, endingAt: frame.columns - 1, row + 1, .dim)
    frame.grid.write(lines: section.lines, at: 1, row + 2, width: frame.columns - 2)
  }

  /// The same to be read, where a screen has no room for it: a heading, and the lines of a section two columns further in.
  var paragraphs: [String] {
    sections(desk.size.columns - TextPage.margin - 2).map { section in
      ([section.title] + section.lines.map { "  " + $0.map(\.text).joined() }).joined(separator: "\n")
    }
  }

  private func sections(_ width: Int) -> [Section] {
    let all =
      record.isRehearsal ? [standing(width)] : [standing(width), next(width), checks(width), raw(width)]
    return all.compactMap(\.self).filter { !$0.lines.isEmpty }
  }
}

extension RecordPage {
  /// What stands beside it on a wide screen, in paragraphs; nil until it is read.
  func toldBeside(_ desk: DeskState) -> [String]? {
    desk.open[id].map { RecordBeside(desk: desk.withValues, shown: ShownRecord($0, leaf: leaf)).paragraphs }
  }

  func tellBeside(on desk: inout DeskState) -> [DeskEffect] {
    guard let told = toldBeside(desk) else { return [] }
    // Of a record of a store there is always something.
    if told.isEmpty { return desk.tell("A rehearsal is in no store, so nothing else is known of it.") }
    let title = desk.withValues.shownTitle(of: id)
    var page = TextPage(title: "", of: title, paragraphs: told, holdsValues: true)
    page.beside = self
    desk.pages.append(.text(page))
    return []
  }
}

/// Where it stands between client and server.
extension RecordBeside {
  private func standing(_ width: Int) -> Section? {
    if let situation = conflict.details.file {
      let lines = situation.words.flatMap { [Run($0)].wrapped(width) }
      return Section(title: "Where this file stands", hint: "L plays it", lines: lines)
    }
    guard desk.store.can.contains(.foretell), let picture = Lifecycle.picture(of: conflict) else {
      return nil
    }
    let branches = BranchLines(picture: picture, strokes: 2).lines.map { [Run("  ")] + $0 }
    return Section(
      title: "Lifecycle of this \(desk.store.words.record)", hint: "L plays it",
      lines: branches + [[]] + nodes(picture))
  }

  /// The nodes of the picture, and what each is.
  private func nodes(_ picture: BranchPicture) -> [[Run]] {
    let isGone = { (node: BranchPicture.Node) in node.label == "-" }
    let rows: [(BranchPicture.Node?, String)] = [
      (picture.stem, "last-known server record"),
      (
        picture.client,
        isGone(picture.client) ? "the client's deletion, not sent" : "the client's edit, not sent"
      ),
      (picture.server, isGone(picture.server) ? "the server's deletion" : "the server's record"),
      (picture.merged, draftWords),
    ]
    return rows.compactMap { node, words in
      guard let node, node.kind != .empty else { return nil }
      return [Run(node.description.padding(to: 6), node.ink), Run(words, .dim)]
    }
  }

  private var draftWords: String {
    if conflict.details.waitingSince != nil { return "the draft, which waits" }
    return record.isDecided ? "the draft, ready to be written" : "the draft, not decided yet"
  }
}

/// What happens to it from here, in steps.
extension RecordBeside {
  private func next(_ width: Int) -> Section {
    let lines = steps.enumerated().flatMap { number, step in
      [Run(step)].wrapped(width - 4).enumerated().map { index, line in
        [Run(index == 0 ? " \(number + 1)  " : "    ", .dim)] + line
      }
    }
    return Section(title: "What happens next", lines: lines)
  }

  private var steps: [String] {
    if let since = conflict.details.waitingSince {
      return ["its draft waits \(desk.store.words.waits), since \(desk.time.long(since))"]
    }
    if conflict.details.notWritable != nil {
      return deciding + ["what you decide is kept; it cannot be written"]
    }
    let isLeftOut = desk.leftOut.contains(conflict.id)
    let review = "w shows what will be written, Y writes it"
    return deciding + [
      isLeftOut ? "w leaves it out, until Space there takes it in" : review, desk.store.writing,
    ]
  }

  /// What is left for a person to do.
  private var deciding: [String] {
    let undecided = record.undecided
    if undecided.isEmpty { return record.isMoved ? ["you look again: a decision holds no longer"] : [] }
    if conflict.isWhole { return ["you decide the whole \(desk.store.words.record): \(record.waysByKey)"] }
    let names = undecided.compactMap(conflict.name)
    let own = names.filter { conflict[$0]?.suggestion.certainty == .yours }
    if own.isEmpty { return ["A accepts what is suggested, or you decide otherwise"] }
    let rest = names.count - own.count
    let others = rest > 1 ? "; A accepts the other \(rest)" : rest == 1 ? "; A accepts the other" : ""
    return ["you decide \(desk.privacy.words(own))\(others)"]
  }
}

/// What can be told of the draft without asking the store.
extension RecordBeside {
  private enum Verdict {
    case fine(String)
    case doubt(String)

    var runs: [Run] {
      switch self {
      case .fine(let words): [Run("✓ ", .ready), Run(words)]
      case .doubt(let words): [Run("! ", .needs), Run(words)]
      }
    }
  }

  private func checks(_ width: Int) -> Section {
    let verdicts = (access + writing + types + references + clocks).flatMap { hanging($0.runs, width) }
    let rules = desk.store.words.rules.map {
      hanging([Run("· ", .dim), Run("w asks the store too: \($0)", .dim)], width)
    }
    return Section(title: "Checks", lines: verdicts + (rules ?? []))
  }

  private func hanging(_ runs: [Run], _ width: Int) -> [[Run]] {
    runs.wrapped(width - 2).enumerated().map { $0 == 0 ? $1 : [Run("  ")] + $1 }
  }

  private var access: [Verdict] {
    switch desk.access {
    case .writable: [.fine("drafts can be written now")]
    case .readOnly(let reason), .inUse(let reason), .tooNew(let reason): [.doubt(reason)]
    case .unknown: []
    }
  }

  private var writing: [Verdict] {
    let isWaiting =
      conflict.details.waitingSince != nil ? [Verdict.doubt("it waits \(desk.store.words.waits)")] : []
    return conflict.details.notWritable == nil ? isWaiting : [.doubt("it cannot be written, as said beside")]
  }

  /// Of what is decided, and of what would be accepted.
  private var types: [Verdict] {
    guard desk.store.words.rules != nil, !conflict.isWhole, !record.isGoneOrOwn else { return [] }
    let unfit = conflict.fields.filter { field in
      guard field.field.isWritable, field.needsDecision, let draft = draft(field) else { return false }
      return field.field.refusal(of: draft.value) != nil
    }
    if unfit.isEmpty { return [.fine("types fit the \(desk.store.words.field)s")] }
    return unfit.map {
      .doubt("\(desk.privacy.name($0.name)) is of another type than its \(desk.store.words.field)")
    }
  }

  /// nil while a person has to choose.
  private func draft(_ field: FieldConflict) -> FieldDraft? {
    let choice = record.resolution[.field(field.name)]
    return choice == nil && field.suggestion.certainty == .yours ? nil : field.draft(choice)
  }

  /// A key whose record was found has a title, which is not told here.
  private var references: [Verdict] {
    conflict.fields.filter { $0.change != .unchanged && $0.field.referencedTable != nil }.compactMap {
      field in
      let keys = [field.client?.value, field.server?.value].filter { $0 != .null }
      let areThere = keys.allSatisfy { desk.privacy.title(of: $0, in: field.name, of: conflict) != nil }
      guard keys.count == 2, areThere else { return nil }
      return .fine("\(desk.privacy.name(field.name)): what C and S point to is there")
    }
  }

  private var clocks: [Verdict] {
    let times = [Side.client, .server].compactMap { side in conflict.commonTime(side).map { (side, $0) } }
    let ahead = times.filter { $0.1 > desk.time.now + 1_000_000_000 }
    let apart = conflict.details.clocksApart.map {
      [
        Verdict.doubt(
          "the clocks were \(Reason.duration($0)) apart at least: what is newer by less is to decide")
      ]
    }
    if let apart { return apart }
    if times.count == 2, ahead.isEmpty { return [.fine("no edit is ahead of this clock")] }
    return ahead.map { .doubt("the \($0.rawValue)'s newest edit: \(desk.time.ago($1)) by this clock") }
  }
}

/// What it is called in its store.
extension RecordBeside {
  private func raw(_ width: Int) -> Section {
    let rows =
      [
        ("record name", desk.privacy.recordName(conflict.id, of: conflict.table, key: conflict.primaryKey))
      ] + (shown.hasTree ? revisions : tags)
    let lines = rows.flatMap { name, value in
      [Run(value)].wrapped(width - 13).enumerated().map { index, line in
        [Run((index == 0 ? name : "").padding(to: 13), .dim)] + line
      }
    }
    return Section(title: "Raw", hint: desk.privacy.hides ? "" : "y copies, y y as JSON", lines: lines)
  }

  private var revisions: [(String, String)] {
    Side.allCases.compactMap { side in
      desk.privacy.revision(side, of: shown).map { (side.rawValue, $0) }
    }
  }

  private var tags: [(String, String)] {
    let details = conflict.details
    let rows = [
      ("known tag", details.ancestorTag), ("server tag", details.serverTag),
      ("server from", details.serverDevice.map(desk.privacy.shown)),
      (
        "came in",
        details.receivedAt.map { desk.time.long($0) + (details.isMetOnSend ? ", with a refused save" : "") }
      ),
    ]
    return rows.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension RecordConflict {
  fileprivate func name(_ subject: Subject) -> String? {
    if case .field(let name) = subject { name } else { nil }
  }
}

extension FileSituation {
  /// What each side has, and who keeps whom waiting.
  fileprivate var words: [String] {
    let here =
      switch pending {
      case .upload: "an edit waits to be sent"
      case .deletion: "its deletion waits to be sent"
      case .uploadThenDeletion: "an edit, and then its deletion, wait to be sent"
      }
    let known = ancestorVersion.map { "version \($0), and " } ?? ""
    let there = isDeletedThere ? "deleted, after version \(serverVersion)" : "version \(serverVersion)"
    return ["here    \(known)\(here)", "server  \(there), as last seen"]
      + (overtaking.map {
        ["index   \($0.isDeleted ? "deleted, after version" : "version") \($0.version) by now"]
      } ?? []) + (holdsLock ? ["lock    held here: the other devices wait"] : [])
  }
}
