import Merging
import StoreInterface
import Terminal

/// The rules that decide a table's fields, where each comes from, and what another one would do. Nothing is kept before its person
/// says so, and what is decided already stays as it is.
package struct RulesPage: DeskPage, Equatable {
  let table: String
  /// Those that can be decided.
  let fields: [String]
  private let kinds: [Field.Kind]
  /// All that it has.
  private let names: Set<String>
  /// What the default stands for in this store.
  private let withoutTimes: MergeRule
  /// What was chosen and not kept, by entry; nil takes the entry's own rule away.
  private(set) var changes: [String: MergeRule?] = [:]
  private(set) var cursor = 0
  /// The place in the list of rules, while one is being chosen.
  private(set) var choosing: Int?
  /// Whether it was told that what is changed here goes with the page.
  private var toldOf: Command?

  /// - Parameters:
  ///   - field: whose line is under the cursor; nil: that of every table.
  ///   - rule: the one that is being chosen for it; nil: none is.
  init(of conflict: RecordConflict, at field: String? = nil, choosing rule: MergeRule? = nil) {
    table = conflict.table
    let decided = conflict.fields.map(\.field).filter { $0.isWritable && !$0.isPrimaryKey }
    (fields, kinds) = (decided.map(\.name), decided.map(\.kind))
    names = Set(conflict.fields.map(\.name))
    withoutTimes = conflict.rules.withoutTimes
    cursor = field.flatMap(fields.firstIndex).map { $0 + 2 } ?? 0
    choosing = rule.flatMap(MergeRule.allCases.firstIndex)
  }

  var page: Page? { .rules(self) }
  var topic: Topic { .rules }

  /// Whether there is anything to be kept, or about to be.
  var isChanging: Bool { !changes.isEmpty || choosing != nil }

  /// As the settings name them: what counts for every table, for this one, and for each field.
  var entries: [String] { [MergeRules.defaultEntry, table] + fields.map { "\(table).\($0)" } }
  var entry: String { entries[min(cursor, entries.count - 1)] }

  /// The rules with everything that was chosen here.
  func rules(_ desk: DeskState) -> MergeRules { rules(desk, changes) }

  /// The same with one more.
  func rules(_ desk: DeskState, choosing rule: MergeRule) -> MergeRules {
    rules(desk, changes.merging([entry: rule]) { $1 })
  }

  private func rules(_ desk: DeskState, _ changes: [String: MergeRule?]) -> MergeRules {
    var rules = desk.rules.rules(with: changes)
    rules.withoutTimes = withoutTimes
    return rules
  }

  /// Why a rule can decide nothing in the line of an entry; nil if it may, as it may for some field of a table.
  func misfit(of rule: MergeRule, for entry: String) -> RuleEntryProblem? {
    let field = fields.firstIndex { "\(table).\($0)" == entry }
    return field.flatMap { RuleEntryProblem(rule, on: kinds[$0]) }
  }

  /// The entries for this table that decide nothing.
  func idleEntries(_ desk: DeskState) -> [(entry: String, problem: RuleEntryProblem)] {
    let tables = [table: desk.store.hasFixedFields ? names : nil]
    return desk.rules.rules.rules.keys.sorted().compactMap { entry in
      let unfit = desk.rules.rules[entry].flatMap { misfit(of: $0, for: entry) }
      return (RuleEntryProblem(entry, in: tables, areAll: false) ?? unfit).map { (entry, $0) }
    }
  }

  /// What is shown here and ends with this session unless it is written: rules, and nil for those that are taken away.
  func ofSession(_ desk: DeskState) -> [String: MergeRule?] {
    entries.reduce(into: [:]) { own, entry in
      switch desk.rules.places[entry] {
      case .session: own.updateValue(desk.rules.rules[entry], forKey: entry)
      case .away: own.updateValue(nil, forKey: entry)
      case .line, nil: break
      }
    }
  }

  /// What decides the fields of an entry.
  func ruleInForce(of place: Int, _ rules: MergeRules) -> RuleInForce {
    // No field has this name, so that only what is said of more than one field is asked.
    switch place {
    case 0: rules.ruleInForce(table: "", field: "")
    case 1: rules.ruleInForce(table: table, field: "")
    default: rules.ruleInForce(table: table, field: fields[min(place - 2, fields.count - 1)])
    }
  }
}

/// As the settings write them.
extension RulesPage {
  /// The rule that decides the line under the cursor, as one of its own.
  func settingsLine(_ desk: DeskState) -> String {
    let place = min(cursor, entries.count - 1)
    return "\(YAMLText.word(entry)): \(ruleInForce(of: place, rules(desk)).rule.rawValue)"
  }

  /// Those that are given, for every table and for this one.
  func settingsLines(_ desk: DeskState) -> String {
    let rules = rules(desk)
    let lines = entries.compactMap { entry in
      rules[entry].map { "  \(YAMLText.word(entry)): \($0.rawValue)\n" }
    }
    return "policies:\n" + lines.joined()
  }
}

extension DeskState {
  /// `R`: of the table of the record that is shown, or lies under the cursor.
  ///
  /// - Parameter rule: what is about to be chosen; nil: nothing is.
  mutating func startRules(choosing rule: MergeRule? = nil) -> [DeskEffect] {
    guard let conflict = conflictForRules else { return tell(wordsWithoutRules) }
    pages.append(.rules(RulesPage(of: conflict, at: fieldForRules, choosing: rule)))
    return tallyAll()
  }

  /// Why there are none here.
  private var wordsWithoutRules: String {
    if top.record == WalkthroughPage.rehearsal { return "A rehearsal has no rules." }
    if pages.isEmpty, case .finding? = list.selected { return "Rules decide conflicts: this is a finding." }
    return "Rules are a table's: go to a conflict, or wait until it is read."
  }

  private mutating func tallyAll() -> [DeskEffect] {
    ruleTrials += 1
    trial = RuleTrial(act: ruleTrials, ids: list.ids)
    return tallyRules()
  }

  /// What others changed or decided may be in what is counted, and nobody knows where.
  mutating func tallyAgain() -> [DeskEffect] { page(RulesPage.self) == nil ? [] : tallyAll() }

  /// What rules that are chosen from a page would be for, in a sentence; nil where there is nothing.
  func entryForRules(_ topic: Topic) -> String? {
    if topic == .list, case .conflict? = list.selected { return "every \(store.words.table)" }
    guard topic == .record, let page = page(RecordPage.self), page.id != WalkthroughPage.rehearsal,
      let record = open[page.id], let field = page.selectedField(in: record, on: self)
    else { return nil }
    return "\(record.conflict.table).\(field.name)"
  }

  private var fieldForRules: String? {
    guard let page = top(RecordPage.self), let record = open[page.id] else { return nil }
    return page.selectedField(in: record, on: self)?.name
  }

  private var conflictForRules: RecordConflict? {
    if let page = top(RecordPage.self) {
      return page.id == WalkthroughPage.rehearsal ? nil : open[page.id]?.conflict
    }
    guard case .conflict(let summary)? = list.selected else { return nil }
    return open[summary.id]?.conflict
  }

  private mutating func tallyRules() -> [DeskEffect] {
    guard let part = trial?.next(), let act = trial?.act else { return [] }
    return [.tally(part, act: act)]
  }

  /// The list was still being read when the page was opened.
  mutating func tallyAlso(_ found: [ConflictSummary]) -> [DeskEffect] {
    let isIdle = trial?.isIdle == true
    trial?.add(ids: found.lazy.map(\.id))
    return isIdle ? tallyRules() : []
  }

  mutating func take(_ tally: RuleTally, of act: Int) -> [DeskEffect] {
    guard trial?.act == act, page(RulesPage.self) != nil else { return [] }
    trial?.add(tally)
    return tallyRules()
  }

  /// The store merges by them from now on, so all is read again; decisions stay as they are.
  mutating func kept(_ shelf: RuleShelf, _ words: String) -> [DeskEffect] {
    rules = shelf
    pages.removeAll { $0.content is RulesPage }
    trial = nil
    return storeChanged() + tell(words)
  }
}

extension RulesPage {
  /// While a rule is chosen, what keeps those that are changed does nothing.
  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    if binding.command == .drafts(.confirm), desk.rules.refusal != nil { return nil }
    if binding.command == .record(.forget), !canForget(desk) { return nil }
    if choosing == nil { return binding.hint }
    if [.list(.forSession), .drafts(.confirm)].contains(binding.command) { return nil }
    return binding.command == .open ? "take it" : binding.hint
  }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    let wasTold = toldOf
    toldOf = nil
    switch command {
    case .back where choosing != nil: choosing = nil
    case .back where !changes.isEmpty && wasTold != .back: return ask(.back, "drops", on: &desk)
    case .back:
      desk.trial = nil
      return desk.goBack()
    case .move(let movement): move(movement, desk)
    case .open: return open(on: &desk)
    case .record(.forget): return forget(on: &desk)
    case .drafts(.more):
      desk.pages.append(
        .text(TextPage(title: "Rules of \(table)", paragraphs: told(desk), holdsValues: true)))
    case .list(.forSession): return keep(inFile: false, on: &desk)
    case .drafts(.confirm): return keep(inFile: true, on: &desk)
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold,
      .story,
      .nextTopic, .reload, .line:
      return nil
    }
    return []
  }

  /// What was changed goes by a second key alone.
  private mutating func ask(_ command: Command, _ deed: String, on desk: inout DeskState) -> [DeskEffect] {
    toldOf = command
    let words =
      changes.count == 1 ? "The rule changed here is" : "The \(changes.count) rules changed here are"
    let keeping: [Command] =
      desk.rules.refusal == nil ? [.list(.forSession), .drafts(.confirm)] : [.list(.forSession)]
    let keys = keeping.map { desk.key($0, on: topic) }.joined(separator: " or ")
    return desk.tell("\(words) not kept: \(keys) keeps, \(desk.key(command, on: topic)) once more \(deed).")
  }

  /// nil where there is nothing to ask.
  mutating func askBeforeQuit(on desk: inout DeskState) -> [DeskEffect]? {
    if changes.isEmpty || toldOf == .quit { return nil }
    return ask(.quit, "quits without", on: &desk)
  }

  private mutating func move(_ movement: Movement, _ desk: DeskState) {
    if let place = choosing {
      choosing = desk.scrolled(place, by: movement, last: MergeRule.allCases.count - 1)
    } else {
      cursor = desk.scrolled(cursor, by: movement, last: entries.count - 1)
    }
  }

  private mutating func open(on desk: inout DeskState) -> [DeskEffect] {
    guard let place = choosing else {
      let rule = ruleInForce(of: cursor, rules(desk)).rule
      choosing = MergeRule.allCases.firstIndex(of: rule) ?? 0
      return []
    }
    let rule = MergeRule.allCases[place]
    if let misfit = misfit(of: rule, for: entry) { return desk.tell("Not taken: it \(misfit.words).") }
    choosing = nil
    // What is said already is no change; what only this session has can still be written.
    let isSaid = desk.rules.rules[entry] == rule && ofSession(desk)[entry] == nil
    if isSaid { changes.removeValue(forKey: entry) } else { changes.updateValue(rule, forKey: entry) }
    guard entry == MergeRules.defaultEntry, rule == .latest, withoutTimes != .latest else { return [] }
    return desk.tell(
      "No field of this store has a time, so latest stands for \(withoutTimes.rawValue) in every \(desk.store.words.table)."
    )
  }

  /// What was changed in the line becomes as it was; where nothing was, its own rule is taken away.
  private mutating func forget(on desk: inout DeskState) -> [DeskEffect] {
    choosing = nil
    if changes.removeValue(forKey: entry) != nil { return [] }
    switch desk.rules.places[entry] {
    case nil: return desk.tell("There is no rule of its own in this line.")
    case .line(_, isOfStore: false):
      return desk.tell(
        "\(desk.rules.words(of: entry)): only there it can go. Enter chooses one for this store.")
    // What the settings say for this store lies beneath what only the session has.
    case .session, .away: changes.updateValue(desk.rules.ofStore[entry], forKey: entry)
    case .line: changes.updateValue(nil, forKey: entry)
    }
    return []
  }

  /// What the settings say for every store only they take away.
  private func canForget(_ desk: DeskState) -> Bool {
    if changes.keys.contains(entry) { return true }
    switch desk.rules.places[entry] {
    case nil, .line(_, isOfStore: false): return false
    case .session, .away, .line: return true
    }
  }

  private func keep(inFile: Bool, on desk: inout DeskState) -> [DeskEffect] {
    if choosing != nil { return desk.tell("Enter takes the rule, Esc leaves it as it was.") }
    let all = inFile ? ofSession(desk).merging(changes) { $1 } : changes
    if all.isEmpty { return desk.tell("Nothing is changed yet: Enter chooses another rule.") }
    if inFile, let refusal = desk.rules.refusal { return desk.tell(failed: refusal) }
    return [.keepRules(all, inFile: inFile)]
  }

  func firstLine(_ desk: DeskState) -> Int? { RulesLayout(desk, self).first }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let layout = RulesLayout(desk, self)
    guard let place = layout.place(at: point.row) else { return [] }
    if choosing != nil { choosing = place } else { cursor = place }
    return opens ? open(on: &desk) : []
  }
}
