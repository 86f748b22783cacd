import Merging
import StoreInterface
import Testing

@testable import Desk

/// Rules where they decide, and how they are changed from the desk.
@Suite struct RulesTests {
  private static let path = "~/.config/parley/config.yaml"

  private static func desk(columns: Int = 80, rows: Int = 24, _ rules: MergeRules = given) -> TestDesk {
    var desk = TestDesk(
      Sample.all.map { $0.merged(by: rules) }, columns: columns, rows: rows)
    desk.state.rules = RuleShelf(
      rules: rules,
      places: ["reminders.notes": .line(14, isOfStore: true), "reminders": .line(4, isOfStore: false)],
      file: path)
    return desk
  }

  private static let given = MergeRules(rules: ["reminders.notes": .text, "reminders": .latest])

  @Test(arguments: [(80, 24), (120, 40), (40, 10)]) func rulesOfATable(columns: Int, rows: Int) throws {
    try expect(Self.desk(columns: columns, rows: rows).typing("R").screen, matches: "rules")
  }

  /// Who stands on a conflict is not sent to one, nor told to wait for what is read.
  @Test(arguments: [
    ("LlllllltR", "A rehearsal has no rules."), ("6R", "Rules decide conflicts: this is a finding."),
  ])
  func whereThereAreNoneItIsSaid(keys: String, words: String) {
    let desk = TestDesk().typing(keys)
    #expect(desk.state.status == .told(words) && desk.state.topic != .rules, "\(desk.screen)")
  }

  /// What would only say how it goes on is not offered.
  @Test func whileARuleIsChosenTheFooterHasWhatWorks() {
    let footer = { (keys: String) in
      String(
        Self.desk(columns: 120, rows: 40).typing(keys).screen.description.split(separator: "\n").last ?? "")
    }
    #expect(footer("R").contains("this session") && footer("R").contains("into settings"), "\(footer("R"))")
    let choosing = footer("R<enter>")
    #expect(choosing.contains("Enter take it") && choosing.contains("Esc back"), "\(choosing)")
    #expect(!choosing.contains("this session") && !choosing.contains("into settings"), "\(choosing)")
    #expect(!footer("R").contains("take away"), "that line has no rule of its own")
    #expect(!footer("Rj").contains("take away"), "what counts for every store goes in the settings alone")
    #expect(footer("Rj<enter>j<enter>").contains("x take away"), "\(footer("Rj<enter>j<enter>"))")
  }

  @Test(arguments: [(80, 24), (120, 40)]) func aRuleIsChosenFromAList(columns: Int, rows: Int) throws {
    try expect(
      Self.desk(columns: columns, rows: rows).typing("Rjj<enter>jj").screen, matches: "rules-choosing")
  }

  @Test(arguments: [(80, 24), (120, 40)]) func whatAChangeDoesIsToldBefore(columns: Int, rows: Int) throws {
    let desk = Self.desk(columns: columns, rows: rows).typing("Rj<enter>j<enter>")
    try expect(desk.screen, matches: "rules-changed")
    #expect(desk.state.rules.rules == Self.given && desk.journal.isEmpty)
  }

  /// On whatever screen: nobody keeps what they have not seen.
  @Test(arguments: [(80, 24), (60, 15), (40, 10)]) func theOutcomeIsSeenBeforeItIsKept(
    columns: Int, rows: Int
  ) {
    let desk = Self.desk(columns: columns, rows: rows).typing("Rj<enter>j")
    for screen in [desk.screen, desk.typing("<enter>").screen] {
      let words = screen.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("5 suggestions change: 3 get another value"), "\(screen)")
    }
  }

  /// Where the lines of the rules have no room for it; on a usual screen it is said there alone.
  @Test(arguments: [
    (60, 15, "Rj<enter>jjjjj", "set: what either side added or took out"),
    (40, 12, "Rj<enter>", "latest: the newer edit"),
  ])
  func whatARuleDoesIsSaidBelowWhereItsLineIsTooShort(columns: Int, rows: Int, keys: String, told: String) {
    let words = { (columns: Int, rows: Int) in
      let screen = Self.desk(columns: columns, rows: rows).typing(keys).screen.description
      return screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(words(columns, rows).contains(told), "\(words(columns, rows))")
    #expect(!words(80, 24).contains(told), "\(words(80, 24))")
  }

  /// It decides what is left to a person, so it stands beside the rule that it is about, with where it is set.
  @Test(arguments: [(80, 24), (60, 20)]) func theMarginIsTold(columns: Int, rows: Int) {
    var rules = Self.given
    rules.margin = 2_000_000_000
    var desk = Self.desk(columns: columns, rows: rows, rules)
    desk.state.rules.margin = .line(3, isOfStore: false)
    func words(_ keys: String) -> String {
      desk.typing(keys).screen.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let told = words("R")
    #expect(told.contains("The margin is 2s: edits closer to each other are to decide"), "\(told)")
    #expect(told.contains("\(Self.path):3, every store"), "\(told)")
    desk.state.rules.rules.defaultRule = .client
    #expect(!words("R").contains("margin"), "only where it counts")
  }

  /// A law: what both sides changed becomes the newer edit, another value, or is to decide; and each line sums up those below it.
  @Test(arguments: MergeRule.allCases) func theFiguresAddUp(rule: MergeRule) {
    var rules = Self.given
    rules["reminders"] = rule
    let tally = RuleTally(Sample.all.map { DecidedConflict($0.merged(by: Self.given), Resolution()) })
    let all = tally.sum(by: rules)
    #expect(all.open > 0 && all.effect.newer + all.effect.toDecide <= all.open)
    let sums = Set(tally.cells.keys).map { tally.sum(table: $0.table, field: $0.field, by: rules) }
    #expect(sums.reduce(0) { $0 + $1.open } == all.open)
    #expect(sums.reduce(0) { $0 + $1.effect.newer } == all.effect.newer)
    #expect(sums.reduce(0) { $0 + $1.effect.toDecide } == all.effect.toDecide)
  }

  /// The lines are those of one document; what they leave out is told, so that the numbers add up.
  @Test func whatClashesInOtherFieldsIsCounted() throws {
    let left = Bookshop.document(
      "left", title: "Left",
      leaves: [
        Bookshop.leaf(Bookshop.id(2, 31), ["stock": .integer(7), "price": .integer(8)]),
        Bookshop.leaf(Bookshop.id(2, 32), ["stock": .integer(2), "price": .integer(5)]),
      ])
    let desk = Bookshop.desk([try Bookshop.box(), left])
    let words = { (keys: String) in
      desk.typing(keys).screen.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let others = "2 more of docs clash in fields that this document does not have: price, stock."
    #expect(
      words("R").contains("3 clashing fields are undecided") && words("R").contains(others), "\(words("R"))")
    #expect(words("jR").contains("1 more of docs clashes in fields that this document does not have: size."))
    #expect(!words("R<enter>").contains("more of docs"), "\(words("R<enter>"))")
  }

  /// A law, for every entry with every rule: what a line promises under a rule is what the merge then makes, and what becomes to
  /// decide or no longer is makes up the whole difference.
  @Test(arguments: MergeRule.allCases) func theFiguresOfARuleAreThoseOfItsMerge(rule: MergeRule) {
    let tally = RuleTally(Sample.all.map { DecidedConflict($0.merged(by: Self.given), Resolution()) })
    let now = tally.sum(by: Self.given).effect
    for entry in [MergeRules.defaultEntry, "reminders"] + Sample.fields.map({ "reminders.\($0.name)" }) {
      var rules = Self.given
      rules[entry] = rule
      let made = RuleTally(Sample.all.map { DecidedConflict($0.merged(by: rules), Resolution()) })
      for place in tally.cells.keys {
        let told = tally.sum(table: place.table, field: place.field, by: rules).effect
        let real = made.sum(table: place.table, field: place.field, by: rules).effect
        #expect(told.toDecide == real.toDecide && told.newer == real.newer, "\(entry) \(place)")
      }
      let told = tally.sum(by: rules).effect
      #expect(told.toDecide == now.toDecide + told.asked - told.settled, "\(entry)")
      #expect(told.toDecide == Self.toDecide(by: rules), "\(entry)")
    }
  }

  /// As the records themselves say it.
  private static func toDecide(by rules: MergeRules) -> Int {
    Sample.all.map { $0.merged(by: rules) }.filter { !$0.isWhole && $0.details.waitingSince == nil }
      .flatMap(\.fields).count {
        $0.isContested && $0.field.isWritable && $0.suggestion.certainty == .yours
      }
  }

  /// The lines tell of what would be, and not of what is.
  @Test func theLinesTellOfTheChosenRule() {
    let chosen = Self.desk().typing("Rj<enter>j")
    #expect(chosen.screen.description.contains(/▸ +client +the client's value +5 +2/), "\(chosen.screen)")
    let screen = chosen.typing("<enter>").screen.description
    #expect(screen.contains(/all of reminders +client +changed here +9 +2/), "\(screen)")
    let words = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("the newer edit 1, another one 6, to decide 2"), "\(screen)")
    #expect(words.contains("3 get another value, 3 no longer need a decision."), "\(screen)")
    let asked = Self.desk().typing("Rj<enter>jjjjjjjj").screen.description
    #expect(asked.contains("2 now need a decision"), "\(asked)")
  }

  /// A list that is read again tells each of its records once more, and each counts once.
  @Test func noRecordCountsTwice() {
    var desk = Self.desk().typing("R")
    let counted = desk.screen.description
    desk.take(
      .found(ConflictPage(summaries: desk.state.list.ids.compactMap { desk.state.list.summary($0) }, seen: 8))
    )
    #expect(desk.screen.description == counted, "\(desk.screen)")
  }

  @Test func theLineOfTheFieldIsUnderTheCursor() {
    let desk = Self.desk().typing("<enter>gR")
    #expect(desk.screen.description.contains("▸   title"), "\(desk.screen)")
  }

  /// As the keys of the record say.
  @Test func aRecordShowsTheRuleThatDecides() throws {
    let desk = Self.desk().typing("<enter>gj")
    let words = "rule text, field reminders.notes (\(Self.path):14)"
    #expect(desk.screen.description.contains(words), "\(desk.screen)")
    let other = Self.desk().typing("<enter>g")
    let table = "rule latest, table reminders (\(Self.path):4, every store)"
    #expect(other.screen.description.contains(table), "\(other.screen)")
    var far = Self.desk()
    far.state.rules.file = "/home/somebody/with/a/long/name/.config/parley/config.yaml"
    let near = "rule text, field reminders.notes (config.yaml:14)"
    #expect(far.typing("<enter>gj").screen.description.contains(near))
    let plain = TestDesk(columns: 120, rows: 40).typing("<enter>g")
    #expect(plain.screen.description.contains("rule latest, every table (the default)"))
  }

  /// For each rule of the table: what is told before is what is so afterwards.
  @Test(arguments: MergeRule.allCases) func thePreviewIsTheTruth(rule: MergeRule) {
    let old = Self.desk()
    let tally = RuleTally(old.records.map { DecidedConflict($0, Resolution()) })
    var rules = Self.given
    rules["reminders"] = rule
    let told = tally.effect(of: rules)
    let pairs = old.records.map { ($0, $0.merged(by: rules)) }.flatMap { old, new in
      zip(old.fields, new.fields).filter { $0.0.field.isWritable && !old.isWhole }
    }
    #expect(
      told.changed
        == pairs.count {
          $0.suggestion.value != $1.suggestion.value
            || $0.suggestion.certainty != $1.suggestion.certainty
        })
    #expect(told.otherwise == pairs.count { $0.suggestion.value != $1.suggestion.value })
  }

  @Test func whatTheListFindsMeanwhileIsCountedToo() {
    let all = Self.desk()
    var desk = all
    let late = Sample.edit(
      "late:reminders", title: "Late", client: ["priority": .integer(2)], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now - Sample.minute)])
    desk.state.list.progress = ListState.Progress()
    desk.type("Rj<enter>j<enter>")
    let before = desk.screen.description
    #expect(before.contains(" so far"), "\(before)")
    desk.records.append(late)
    desk.take(
      .found(ConflictPage(summaries: [DecidedConflict(late, Resolution()).summary], seen: 10)))
    desk.take(.walkEnded)
    let after = desk.screen.description
    #expect(!after.contains(" so far") && after != before, "\(after)")
    var whole = all
    whole.take(.found(ConflictPage(summaries: [DecidedConflict(late, Resolution()).summary], seen: 10)))
    whole.records.append(late)
    #expect(whole.typing("Rj<enter>j<enter>").screen.description == after)
  }

  @Test func whatIsKeptIsInForceAndDecisionsStay() throws {
    let decided = Self.desk().typing("<enter>c<esc>")
    let before = decided.journal
    let desk = decided.typing("Rj<enter>j<enter>t")
    #expect(desk.effects.contains(.keepRules(["reminders": .client], inFile: false)))
    #expect(desk.state.rules.rules["reminders"] == .client && desk.state.topic == .list)
    #expect(desk.journal == before && desk.state.open[Sample.dentist.id]?.resolution.choices.count == 1)
    let record = desk.typing("<enter>")
    #expect(record.state.open[Sample.dentist.id]?.conflict["list"]?.suggestion.reason == .policy("client"))
    #expect(record.screen.description.contains("(this session)") || record.screen.description.contains("✓"))
  }

  @Test func onlyCapitalYWritesTheSettings() {
    let chosen = Self.desk().typing("Rj<enter>j<enter>")
    #expect(chosen.typing("Y").effects.contains(.keepRules(["reminders": .client], inFile: true)))
    var readOnly = chosen
    readOnly.state.rules.refusal = "With --read-only no file is written."
    #expect(!readOnly.typing("Y").effects.contains(.keepRules(["reminders": .client], inFile: true)))
    #expect(readOnly.typing("Y").state.status == .failed("With --read-only no file is written."))
    #expect(chosen.screen.description.contains("Y into settings"))
    #expect(!readOnly.screen.description.contains("Y into settings"), "\(readOnly.screen)")
    let asked = readOnly.typing("<esc>").state.status?.text
    #expect(asked == "The rule changed here is not kept: t keeps, Esc once more drops.", "\(asked ?? "")")
    #expect(readOnly.typing("t").effects.contains(.keepRules(["reminders": .client], inFile: false)))
  }

  /// Of documents and files the default is no choice, and says so.
  @Test func latestOfWhatHasNoTimesIsExplained() throws {
    var rules = MergeRules()
    rules.withoutTimes = .keys
    let dated = Sample.dentist
    let undated = RecordConflict(
      id: dated.id, table: dated.table, primaryKey: dated.primaryKey, title: dated.title,
      fields: Sample.fields, versions: dated.versions, rules: rules)
    let place = try #require(MergeRule.allCases.firstIndex(of: .latest))
    let keys = try #require(MergeRule.allCases.firstIndex(of: .keys))
    let steps = String(repeating: place > keys ? "j" : "k", count: abs(place - keys))
    let desk = TestDesk([undated]).typing("R<enter>\(steps)<enter>")
    #expect(desk.state.status?.text.contains("latest stands for keys in every table") == true)
    #expect(Self.desk().typing("R<enter><enter>").state.status == nil)
  }

  @Test func whatTheSessionHasCanBeWritten() {
    var desk = Self.desk()
    desk.state.rules.rules["reminders"] = .client
    desk.state.rules.places["reminders"] = .session
    let chosen = desk.typing("Rj<enter><enter>Y")
    #expect(chosen.effects.contains(.keepRules(["reminders": .client], inFile: true)))
    let told = desk.typing("R")
    #expect(told.screen.description.contains("1 rule is of this session alone: Y writes it into"))
    #expect(told.typing("Y").effects.contains(.keepRules(["reminders": .client], inFile: true)))
    #expect(told.typing("t").state.status == .told("Nothing is changed yet: Enter chooses another rule."))
    desk.state.rules.rules["reminders"] = nil
    desk.state.rules.places["reminders"] = .away
    #expect(
      desk.typing("R").screen.description.contains(
        "1 rule is taken away in this session alone"))
    desk.state.rules.rules["reminders"] = .client
    desk.state.rules.places["reminders"] = .line(3, isOfStore: true)
    #expect(
      !desk.typing("Rj<enter><enter>Y").effects.contains(.keepRules(["reminders": .client], inFile: true)))
  }

  @Test func whatIsChangedGoesByASecondEscapeAlone() {
    let once = Self.desk().typing("Rj<enter>j<enter><esc>")
    #expect(once.state.topic == .rules && once.state.status?.text.contains("Esc once more drops") == true)
    #expect(once.typing("<esc>").state.topic == .list)
    #expect(once.typing("j<esc>").state.topic == .rules, "it is told anew")
  }

  @Test(arguments: ["", "?"]) func norDoesItGoByLeavingTheDesk(help: String) {
    let once = Self.desk().typing("Rj<enter>j<enter>\(help)<f10>")
    #expect(!once.hasQuit && once.state.status?.text.contains("once more quits without") == true)
    #expect(once.typing("<f10>").hasQuit)
  }

  @Test func whatIsForgottenIsNotKept() {
    let desk = Self.desk().typing("Rj<enter>j<enter>xt")
    #expect(desk.state.status == .told("Nothing is changed yet: Enter chooses another rule."))
    #expect(desk.typing("<esc>").state.topic == .list)
  }

  /// Seen before it is kept, and a second time brings it back.
  @Test func aRuleThatWasKeptCanBeTakenAway() {
    var desk = Self.desk()
    desk.state.rules.ofStore = ["reminders.notes": .text]
    let away = desk.typing("Rjjjx")
    #expect(
      away.screen.description.contains(/▸ +notes +latest +taken away, as reminders +3 +\d/),
      "\(away.screen)")
    #expect(away.screen.description.contains("suggestion"), "\(away.screen)")
    #expect(away.typing("x").screen.description.contains(/notes +text +config.yaml:14 +3 +2/))
    #expect(away.typing("Y").effects.contains(.keepRules(["reminders.notes": nil], inFile: true)))
    let gone = away.typing("Y")
    #expect(gone.state.rules.rules["reminders.notes"] == nil)
    #expect(gone.typing("Rjjjx").state.status == .told("There is no rule of its own in this line."))
    let session = away.typing("t").typing("Rjjj")
    #expect(session.screen.description.contains("this session, as reminders"), "\(session.screen)")
    #expect(session.typing("Y").effects.contains(.keepRules(["reminders.notes": nil], inFile: true)))
    #expect(session.typing("xt").state.rules.rules["reminders.notes"] == .text)
  }

  /// It is another store's, too: who wants it gone goes there.
  @Test func aRuleOfEveryStoreStays() {
    let desk = Self.desk().typing("Rjx")
    #expect(desk.state.status?.text.contains("\(Self.path):4, every store: only there") == true)
    #expect(desk.typing("t").state.status == .told("Nothing is changed yet: Enter chooses another rule."))
  }

  /// A table may have some field that it fits, and a line of its own is for one field.
  @Test func aRuleThatFitsNoValueOfAFieldIsNotTaken() throws {
    let page = try #require(Self.desk().typing("R").state.top(RulesPage.self))
    let line = try #require(page.entries.firstIndex(of: "reminders.title"))
    let rule = try #require(MergeRule.allCases.firstIndex(of: .counter))
    let list = String(repeating: "j", count: line) + "<enter>g" + String(repeating: "j", count: rule)
    let choosing = Self.desk().typing("R" + list)
    #expect(
      choosing.screen.description.contains("decides nothing: counter fits no text"), "\(choosing.screen)")
    let taken = choosing.typing("<enter>")
    #expect(taken.state.status?.text == "Not taken: it decides nothing: counter fits no text.")
    #expect(taken.state.top(RulesPage.self)?.changes.isEmpty == true)
    var kept = Self.desk()
    kept.state.rules.rules["reminders.title"] = .counter
    #expect(kept.typing("R").screen.description.contains("! reminders.title decides nothing: counter fits"))
  }

  @Test func anEntryForAFieldThatIsNotThereIsTold() {
    var desk = Self.desk()
    desk.state.rules.rules["reminders.nosuch"] = .text
    desk.state.rules.rules["reminders.titleLength"] = .text
    desk.state.rules.rules["others.nosuch"] = .text
    desk.state.rules.rules["Reminders.title"] = .text
    desk.state.rules.places["reminders.nosuch"] = .line(9, isOfStore: true)
    let screen = desk.typing("R").screen.description
    #expect(screen.contains("! reminders.nosuch decides nothing, as there is no such field"))
    #expect(screen.contains("config.yaml:9") && !screen.contains("titleLength decides"))
    #expect(!screen.contains("others"))
    #expect(
      screen.contains("! Reminders.title decides nothing, as it is spelled reminders.title"), "\(screen)")
  }

  @Test func aFindingHasNoRules() {
    #expect(Self.desk().typing("6R").state.topic == .list)
  }
}
