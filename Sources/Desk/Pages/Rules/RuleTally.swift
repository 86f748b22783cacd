import Merging
import StoreInterface

/// What every rule would suggest for records that were read, counted: so that any change of rules can be told at once, and no
/// record is held for it.
package struct RuleTally: Sendable, Equatable {
  struct Place: Hashable {
    let table, field: String
  }

  /// What a rule makes of suggestions, beside those that are there.
  struct Effect: Equatable {
    /// How many are other ones, be it only that a person is asked.
    var changed = 0
    /// How many of them are another value.
    var otherwise = 0
    /// How many of them a person has to decide, and had not.
    var asked = 0
    /// How many of them a person had to decide, and has not.
    var settled = 0
    /// How many of all become the newer edit.
    var newer = 0
    /// How many of all a person has to decide.
    var toDecide = 0
    /// Some of the records of those that are another value.
    var examples: [String] = []

    static let most = 8

    static func += (left: inout Effect, right: Effect) {
      let counts = [\Effect.changed, \.otherwise, \.asked, \.settled, \.newer, \.toDecide]
      for count in counts { left[keyPath: count] += right[keyPath: count] }
      left.examples = Array((left.examples + right.examples).unique.prefix(most))
    }
  }

  /// What there is of one field.
  struct Cell: Equatable {
    /// Of how many records both sides changed it, and nobody has decided.
    var open = 0
    /// Of how many somebody has.
    var decided = 0
    /// By rule; the last is what counts where none was asked for.
    var effects = Array(repeating: Effect(), count: MergeRule.allCases.count + 1)
  }

  /// What becomes of some fields by the rules that decide each.
  struct Sum: Equatable {
    var open = 0
    var decided = 0
    var effect = Effect()
  }

  private(set) var cells: [Place: Cell] = [:]

  package init(_ records: [DecidedConflict] = []) { for record in records { add(record) } }

  mutating func add(_ other: RuleTally) {
    for (place, cell) in other.cells {
      cells[place, default: Cell()].open += cell.open
      cells[place, default: Cell()].decided += cell.decided
      for (slot, effect) in cell.effects.enumerated() { cells[place]?.effects[slot] += effect }
    }
  }

  private mutating func add(_ record: DecidedConflict) {
    let conflict = record.conflict
    guard !conflict.isWhole, conflict.details.waitingSince == nil else { return }
    for field in conflict.fields where field.isContested && field.field.isWritable {
      let place = Place(table: conflict.table, field: field.name)
      if record.resolution[.field(field.name)] != nil || record.resolution[.record] != nil {
        cells[place, default: Cell()].decided += 1
      } else {
        cells[place, default: Cell()].add(field, of: conflict)
      }
    }
  }
}

extension RuleTally.Cell {
  fileprivate mutating func add(_ field: FieldConflict, of conflict: RecordConflict) {
    open += 1
    // Where no edit has a time none is the newer, and latest stands for another rule.
    let hasTimes = field.time(.client) != nil || field.time(.server) != nil
    let newest = hasTimes ? conflict.suggestion(of: field, by: .latest) : nil
    for (slot, rule) in (MergeRule.allCases.map(Optional.some) + [nil]).enumerated() {
      let suggestion = conflict.suggestion(of: field, by: rule)
      effects[slot] += RuleTally.Effect(
        of: suggestion, before: field.suggestion, newest: newest, record: conflict.id)
    }
  }
}

extension RuleTally.Effect {
  /// Of one field.
  fileprivate init(
    of suggestion: Suggestion<Value>, before: Suggestion<Value>, newest: Suggestion<Value>?, record: String
  ) {
    let (isAsked, wasAsked) = (suggestion.certainty == .yours, before.certainty == .yours)
    let isOtherwise = suggestion.value != before.value
    changed = isOtherwise || suggestion.certainty != before.certainty ? 1 : 0
    otherwise = isOtherwise ? 1 : 0
    (asked, settled) = (isAsked && !wasAsked ? 1 : 0, wasAsked && !isAsked ? 1 : 0)
    let isNewest = newest.map { $0.certainty != .yours && $0.value == suggestion.value } ?? false
    newer = isNewest && !isAsked ? 1 : 0
    toDecide = isAsked ? 1 : 0
    examples = isOtherwise ? [record] : []
  }
}

extension RuleTally {
  /// What becomes of all suggestions that were counted, if these rules come into force.
  func effect(of rules: MergeRules) -> Effect { sum(by: rules).effect }

  /// Of a field; of a table, if none is named; of all, if no table is.
  func sum(table: String? = nil, field: String? = nil, by rules: MergeRules) -> Sum {
    let places = cells.keys.filter {
      (table == nil || $0.table == table) && (field == nil || $0.field == field)
    }
    // In one order, so that the examples are always the same.
    return places.sorted { ($0.table, $0.field) < ($1.table, $1.field) }.reduce(into: Sum()) { sum, place in
      guard let cell = cells[place] else { return }
      sum.open += cell.open
      sum.decided += cell.decided
      sum.effect += cell.effects[slot(of: place, rules)]
    }
  }

  private func slot(of place: Place, _ rules: MergeRules) -> Int {
    let force = rules.ruleInForce(table: place.table, field: place.field)
    let isUnasked = force.level == .store && rules.defaultRule == .latest
    return isUnasked
      ? MergeRule.allCases.count : MergeRule.allCases.firstIndex(of: force.rule) ?? MergeRule.allCases.count
  }
}

/// The records that are counted for a page of rules, part by part.
struct RuleTrial: Sendable {
  /// As many as one part has: a moment of whoever waits for a record.
  static let part = 200

  /// Told by every answer, so that one to an earlier trial is passed over.
  let act: Int
  private(set) var ids: [String]
  /// A list that is read again tells those that are in it once more.
  private var known: Set<String>
  private(set) var answered = 0
  private var asked = 0
  private(set) var tally = RuleTally()

  init(act: Int, ids: [String]) { (self.act, self.ids, known) = (act, ids, Set(ids)) }

  var isDone: Bool { answered == ids.count }

  /// The next that are to be read; nil if none are left.
  mutating func next() -> [String]? {
    guard asked < ids.count else { return nil }
    let part = ids[asked..<min(ids.count, asked + RuleTrial.part)]
    asked += part.count
    return Array(part)
  }

  /// Whether nothing is on its way.
  var isIdle: Bool { asked == answered }

  /// More of them were found.
  mutating func add(ids more: some Sequence<String>) { ids += more.filter { known.insert($0).inserted } }

  mutating func add(_ tally: RuleTally) {
    answered = asked
    self.tally.add(tally)
  }
}
