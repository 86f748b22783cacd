import Merging
import StoreInterface
import Telling
import Terminal

/// Where the parts of the page stand; drawing and the mouse agree on it.
struct RulesLayout {
  let top = 3
  /// Rows for lines.
  let height: Int
  let first: Int
  private let count: Int
  let foot: [[Run]]

  init(_ desk: DeskState, _ page: RulesPage) {
    let room = desk.size.rows - top - 2
    let lines = RulesFoot(desk: desk, page: page).lines(width: desk.size.columns - 2)
    let most = page.isChanging ? (room + 1) / 2 : room / 2
    foot = lines.cut(after: max(1, most), width: desk.size.columns - 2)
    height = max(1, room - foot.count - 1)
    count = page.choosing == nil ? page.entries.count : MergeRule.allCases.count
    first = desk.first(showing: page.choosing ?? page.cursor, height: height, of: count)
  }

  var range: Range<Int> { first..<min(count, first + height) }
  var footTop: Int { top + height + 1 }

  /// What stands in a row of the screen.
  func place(at row: Int) -> Int? {
    let place = first + row - top
    return row >= top && range.contains(place) ? place : nil
  }
}

extension RulesPage {
  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let layout = RulesLayout(desk, self)
    frame.header([Run("Rules", .text.bold), Run("   \(table)")], right: progress(desk))
    if choosing == nil {
      drawEntries(layout, desk, &frame.grid)
    } else {
      drawRules(layout, desk, &frame.grid)
    }
    frame.rule(layout.footTop - 1)
    frame.grid.write(lines: layout.foot, at: 1, layout.footTop, width: desk.size.columns - 2)
    return frame.footer(desk)
  }

  /// All that is said below, to be read where it has no room.
  func told(_ desk: DeskState) -> [String] {
    RulesFoot(desk: desk, page: self).lines(width: .max).map { $0.map(\.text).joined() }
  }

  private func progress(_ desk: DeskState) -> [Run] {
    guard let trial = desk.trial else { return [] }
    let words =
      trial.isDone
      ? "\(trial.ids.count) in the list" : "\(trial.answered) of \(trial.ids.count) in the list are read"
    return [Run(words, .dim)]
  }

  private func drawEntries(_ layout: RulesLayout, _ desk: DeskState, _ grid: inout Grid) {
    let columns = Columns(desk.size.columns)
    columns.write(["For", "Rule", "From", "Clashes", "To decide"].map { Run($0, .dim) }, row: 2, &grid)
    let rules = rules(desk)
    for (row, place) in layout.range.enumerated() {
      let cells = cells(place, rules, desk)
      columns.write(cells, row: layout.top + row, &grid)
      if place == cursor { grid.write("▸", at: 0, layout.top + row, .text.bold) }
    }
  }

  private func cells(_ place: Int, _ rules: MergeRules, _ desk: DeskState) -> [Run] {
    let force = ruleInForce(of: place, rules)
    let isChanged = changes.keys.contains(entries[place])
    let name =
      place == 0
      ? "every \(desk.store.words.table)"
      : place == 1 ? "all of \(table)" : "  \(desk.privacy.name(fields[place - 2]))"
    let sum = sum(place, by: rules, desk)
    let ink: Ink = isChanged ? .result.bold : force.entry == entries[place] ? .text : .dim
    return [
      Run(name, place == cursor ? .text.bold : .text), Run(force.rule.rawValue, ink),
      Run(source(of: force, entries[place], desk), ink), Run(sum.map { "\($0.open)" } ?? ""),
      Run(sum.map { "\($0.effect.toDecide)" } ?? ""),
    ]
  }

  /// Where the rule of a line comes from.
  private func source(of force: RuleInForce, _ entry: String, _ desk: DeskState) -> String {
    let isChanged = changes.keys.contains(entry)
    if force.entry == entry { return isChanged ? "changed here" : desk.rules.shortWords(of: entry) }
    if changes.keys.contains(force.entry) { return "as changed above" }
    let above = "as \(force.level == .store ? "every \(desk.store.words.table)" : table)"
    if isChanged { return "taken away, \(above)" }
    return desk.rules.places[entry] == .away ? "this session, \(above)" : above
  }

  /// Of the fields that a line is for, with what these rules make of them.
  fileprivate func sum(_ place: Int, by rules: MergeRules, _ desk: DeskState) -> RuleTally.Sum? {
    desk.trial?.tally.sum(
      table: place == 0 ? nil : table, field: place < 2 ? nil : fields[min(place - 2, fields.count - 1)],
      by: rules)
  }

  private func drawRules(_ layout: RulesLayout, _ desk: DeskState, _ grid: inout Grid) {
    let columns = Columns(desk.size.columns)
    let name = cursor == 0 ? "every \(desk.store.words.table)" : entry
    grid.write("Rule for \(name)", at: 2, 2, .dim, width: max(0, desk.size.columns - 20))
    columns.write(["Change", "To decide"].map { Run($0, .dim) }, row: 2, &grid)
    for (row, place) in layout.range.enumerated() {
      let rule = MergeRule.allCases[place]
      let misfit = misfit(of: rule, for: entry)
      let ink: Ink = misfit != nil ? .dim : place == choosing ? .text.bold : .text
      grid.write("  \(rule.rawValue)", at: 1, layout.top + row, ink)
      let words = misfit?.words ?? rule.words
      grid.write(words, at: 14, layout.top + row, ink, width: Self.roomForWords(desk.size))
      columns.write(figures(of: rule, desk), row: layout.top + row, &grid)
      if place == choosing { grid.write("▸", at: 0, layout.top + row, .text.bold) }
    }
  }

  /// Behind the name of a rule, before its figures.
  fileprivate static func roomForWords(_ size: Size) -> Int { max(0, size.columns - 34) }

  /// How many suggestions it changes, and how many of the line's fields are to decide by it.
  private func figures(of rule: MergeRule, _ desk: DeskState) -> [Run] {
    let rules = rules(desk, choosing: rule)
    guard let effect = effect(rules, desk), let sum = sum(cursor, by: rules, desk) else { return [] }
    return [effect.changed, sum.effect.toDecide].map { Run("\($0)", .dim) }
  }

  func effect(_ rules: MergeRules, _ desk: DeskState) -> RuleTally.Effect? {
    desk.trial?.tally.effect(of: rules)
  }

  /// Name, rule, place, and two numbers.
  private struct Columns {
    private let starts: [Int]
    private let columns: Int

    init(_ columns: Int) {
      self.columns = columns
      let name = columns < 60 ? 14 : columns < 100 ? 22 : 34
      starts = [2, 2 + name, 2 + name + 10]
    }

    func write(_ cells: [Run], row: Int, _ grid: inout Grid) {
      for (index, cell) in cells.dropLast(2).enumerated() {
        let end = index < 2 ? starts[index + 1] : columns - 16
        grid.write([cell], at: starts[index], row, width: max(0, end - starts[index] - 1))
      }
      for (cell, end) in zip(cells.suffix(2), [columns - 11, columns - 1]) {
        grid.write(cell.text, endingAt: end, row, cell.ink)
      }
    }
  }
}

/// What the lower part says: what the line under the cursor means, and what the changes would do.
private struct RulesFoot {
  let desk: DeskState
  let page: RulesPage

  /// Where there is little room, what the changes would do: nobody should keep them unseen.
  func lines(width: Int) -> [[Run]] {
    let isShort = desk.size.rows < 20
    let preview = preview
    let all =
      page.isChanging && isShort
      ? Array(preview.prefix(1)) + meaning + preview.dropFirst() + line + problems
      : line + meaning + preview + problems
    return all.flatMap { $0.wrapped(width) }
  }

  /// What the rule under the cursor does, where its own line has no room to say so.
  private var meaning: [[Run]] {
    guard let rule = page.choosing.map({ MergeRule.allCases[$0] }) else { return [] }
    let misfit = page.misfit(of: rule, for: page.entry)?.words
    guard DisplayText.width(misfit ?? rule.words) > RulesPage.roomForWords(desk.size) else { return [] }
    return [[Run(misfit.map { "\(rule.rawValue) \($0)" } ?? "\(rule.rawValue): \(rule.words)")]]
  }

  private var line: [[Run]] {
    if page.choosing != nil { return [] }
    let rules = page.rules(desk)
    let force = page.ruleInForce(of: page.cursor, rules)
    let isChanged = page.changes.keys.contains(force.entry)
    let place = isChanged ? "changed here, not kept" : desk.rules.words(of: force.entry)
    let over = desk.rules.entries(under: force, table: page.table).compactMap { entry in
      rules[entry].map {
        [Run("It stands over \(entry): \($0.rawValue), \(desk.rules.words(of: entry))", .dim)]
      }
    }
    let margin = desk.rules.marginWords(of: force.rule).map { [[Run($0, .dim)]] } ?? []
    return [[Run("\(force.words(table: desk.store.words.table)): \(force.rule.words) (\(place))")]] + margin
      + over + clashes + elsewhere
  }

  /// What the two figures of the line are, and the rest between them.
  private var clashes: [[Run]] {
    guard let sum = page.sum(page.cursor, by: page.rules(desk), desk), sum.open > 0 else { return [] }
    let (newer, toDecide) = (sum.effect.newer, sum.effect.toDecide)
    let others = sum.open - newer - toDecide
    let parts = [
      (newer, "the newer edit"), (others, newer == 0 ? "suggested" : "another one"), (toDecide, "to decide"),
    ]
    let told = parts.filter { $0.0 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    let words = sum.open == 1 ? "1 clashing field is" : "\(sum.open) clashing fields are"
    // Of several fields each may have a rule of its own.
    let all = page.changes.isEmpty ? "the rules in force" : "these rules"
    let rule = page.cursor < 2 ? all : "this rule"
    return [[Run("\(words) undecided. By \(rule): \(told).", .dim)]]
  }

  /// Of a store whose records have not all the same fields: what the lines of this one leave out, so that the numbers add up.
  private var elsewhere: [[Run]] {
    let known = Set(page.fields)
    let cells = desk.trial?.tally.cells ?? [:]
    let others = cells.filter {
      $0.key.table == page.table && !known.contains($0.key.field) && $0.value.open > 0
    }
    let count = others.values.reduce(0) { $0 + $1.open }
    guard count > 0 else { return [] }
    let clash = count == 1 ? "1 more of \(page.table) clashes" : "\(count) more of \(page.table) clash"
    let names = others.keys.map { desk.privacy.name($0.field) }.sorted().listed(room: Self.roomForNames)
    return [[Run("\(clash) in fields that this \(desk.store.words.record) does not have\(names).", .dim)]]
  }

  /// In columns: some, as there may be thousands.
  private static let roomForNames = 60

  private var preview: [[Run]] {
    let rules =
      page.choosing.map { page.rules(desk, choosing: MergeRule.allCases[$0]) } ?? page.rules(desk)
    guard page.isChanging else {
      let keys = desk.rules.refusal == nil ? "t or Y" : "t"
      let rest = session ?? "; nothing is kept before \(keys)."
      return [[Run("Enter chooses another rule\(rest)", .dim)]]
    }
    guard let trial = desk.trial, let effect = page.effect(rules, desk) else { return [] }
    let decided = trial.tally.sum(by: rules).decided
    let stays = "Your decisions stay\(decided == 0 ? "" : ": \(decided)")."
    let read = trial.isDone && desk.list.progress == nil ? "" : " so far"
    let changed = effect.changed == 1 ? "1 suggestion changes" : "\(effect.changed) suggestions change"
    let values =
      switch effect.otherwise {
      case 0: "none gets another value"
      case 1: "1 gets another value"
      case let several: "\(several) get another value"
      }
    let words =
      effect.changed == 0
      ? "No suggestion changes\(read)." : "\(changed)\(read): \(values)\(asked(effect))."
    let told = Run(words, .result)
    let otherwise = effect.otherwise == 0 ? [] : [[Run("Another value: \(names(effect))")]]
    // On a short screen the names of what becomes another come before what stays.
    return desk.size.rows < 20
      ? [[told]] + otherwise + [[Run(stays, .result)]] : [[told, Run(" \(stays)", .result)]] + otherwise
  }

  /// What is lost with this session; nil if nothing is.
  private var session: String? {
    let own = page.ofSession(desk)
    let away = own.values.count { $0 == nil }
    switch (own.count - away, away) {
    case (0, 0): return nil
    case (1, 0): return ". 1 rule is of this session alone: Y writes it into the settings."
    case (let count, 0): return ". \(count) rules are of this session alone: Y writes them into the settings."
    case (0, 1): return ". 1 rule is taken away in this session alone: Y takes it out of the settings."
    case (0, _):
      return ". \(away) rules are taken away in this session alone: Y takes them out of the settings."
    case (let count, _):
      return
        ". Of this session alone \(count) \(count == 1 ? "is" : "are") given and \(away) taken away: Y changes the settings so."
    }
  }

  /// ", 9 now need a decision, 1 no longer needs a decision": a value that stays may be a person's from now on.
  private func asked(_ effect: RuleTally.Effect) -> String {
    let (asked, settled) = (effect.asked, effect.settled)
    let parts = [
      asked == 0 ? nil : asked == 1 ? "1 now needs a decision" : "\(asked) now need a decision",
      settled == 0
        ? nil
        : settled == 1
          ? "1 no longer needs a decision" : "\(settled) no longer need a decision",
    ].compactMap(\.self)
    return parts.map { ", " + $0 }.joined()
  }

  private func names(_ effect: RuleTally.Effect) -> String {
    let shown = effect.examples.prefix(4).map { desk.shownTitle(of: $0) }
    let more = effect.otherwise - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }

  private var problems: [[Run]] {
    page.idleEntries(desk).map { entry, problem in
      [Run("! ", .needs), Run("\(entry) \(problem.words) (\(desk.rules.words(of: entry)))")]
    }
  }
}
