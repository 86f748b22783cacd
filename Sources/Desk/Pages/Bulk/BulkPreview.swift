import StoreInterface

/// What rules come to for many records: which they take, which they leave, and what is different afterwards.
///
/// It grows with each record that is read, and is made anew in one go when a switch changes: a look at a few numbers of each record.
struct BulkPreview: Sendable, Equatable {
  /// The places of the records that become drafts.
  private(set) var taken: [Int] = []
  /// The line with which each of them begins.
  private var starts: [Int] = []
  /// How many lines they have: one for each subject that is decided.
  private(set) var lines = 0
  /// The places of those that are left out.
  private(set) var left: [Int] = []
  private(set) var reasons: [BulkReason: Int] = [:]
  /// How many subjects each rule decides, or would decide if it were on.
  private(set) var counts: [BulkRule: Int] = [:]
  /// The rules that could decide something here, whichever are on: a switch never takes another one away.
  private var able = BulkRules([])
  /// How many of them are of records that are taken.
  private(set) var countsOfTaken: [BulkRule: Int] = [:]
  /// How many rows of the store are another one when this is written.
  private(set) var changedRows = 0
  /// How many edits are given up, and how many of them one side alone made.
  private(set) var lost = 0
  private(set) var lostAlone = 0

  init() {}

  /// - Parameter refused: what the store would not take.
  init(
    _ records: [BulkRecord], _ rules: BulkRules, refused: ByRecord<CheckedWrite.Outcome> = [:]
  ) {
    for (place, record) in records.enumerated() {
      add(record, at: place, rules, isRefused: refused[record.id] != nil)
    }
  }

  mutating func add(_ record: BulkRecord, at place: Int, _ rules: BulkRules, isRefused: Bool = false) {
    let reason = rules.reason(leaving: record) { counts[$0, default: 0] += 1 }
    if record.exception == nil { able.formUnion(deciding: record.open) }
    if let reason = reason ?? (isRefused ? .byStore : nil) {
      left.append(place)
      reasons[reason, default: 0] += 1
      return
    }
    take(record, at: place, rules)
  }

  private mutating func take(_ record: BulkRecord, at place: Int, _ rules: BulkRules) {
    taken.append(place)
    starts.append(lines)
    lines += record.open.count
    var changesRow = record.changesRow
    for open in record.open {
      guard let rule = rules.rule(for: open), let way = rule.way(for: open) else { continue }
      countsOfTaken[rule, default: 0] += 1
      let effect = open[way]
      changesRow = changesRow || effect.changesRow
      lost += Int(effect.lost)
      if open.isAlone { lostAlone += Int(effect.lost) }
    }
    if changesRow { changedRows += 1 }
  }

  /// The line of a subject of a record, or where that is left out the record's; nil if it is not here.
  func line(ofRecord place: Int, open: Int) -> Int? {
    if let index = taken.firstIndex(of: place) { return starts[index] + open }
    return left.firstIndex(of: place).map { lines + $0 }
  }

  /// Which record has a line, and which of its subjects.
  func place(ofLine line: Int) -> (record: Int, open: Int) {
    var range = 0..<starts.count
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = starts[middle] <= line ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return (taken[range.lowerBound], line - starts[range.lowerBound])
  }

  /// Whether a rule is told of: the surest always, another one where it could decide something.
  func tells(_ rule: BulkRule) -> Bool { rule == .onlyChanged || rule == .agree || able.contains(rule) }
}
