import Merging
import StoreInterface

/// The records that a bulk act is about, and how far it is. It lies in the desk and not in its page: a page is copied and compared
/// with every key, and here may be a hundred thousand records.
struct Bulk: Sendable {
  /// Told by every answer, so that one to an earlier act is passed over.
  let act: Int
  /// In the order of the preview.
  let ids: [String]
  private(set) var records: [BulkRecord] = []
  private(set) var preview = BulkPreview()
  /// How many of ``ids`` were asked for, and how many of them are answered.
  private var asked = 0
  private(set) var answered = 0
  /// Of records in sight.
  private(set) var shown: ByRecord<DecidedConflict> = [:]
  private var wanted: RecordNames = []
  var work: BulkWork?
  private(set) var check = BulkCheck()
  /// Where the cursor was before these records were read anew; nil if it was on none.
  var stood: Stood?
  /// Whether records that are read again were changed by others, which is told.
  var tellsChange = false

  /// The rules that a preview before this one told of: while it is read anew none goes away under the cursor.
  private let before: Set<BulkRule>

  init(act: Int, ids: [String], after earlier: Bulk? = nil) {
    (self.act, self.ids) = (act, ids)
    before = Set(BulkRule.allCases.filter { earlier?.tells($0) == true })
  }

  func tells(_ rule: BulkRule) -> Bool { preview.tells(rule) || !isRead && before.contains(rule) }

  /// The records that become drafts.
  var taken: [BulkRecord] { preview.taken.map { records[$0] } }

  var isRead: Bool { answered == ids.count }

  /// The next that have to be read; nil if all are, or some are on their way.
  mutating func next() -> [String]? {
    guard asked == answered, asked < ids.count else { return nil }
    // The first fill a screen, and are there at once.
    asked = min(ids.count, asked + (asked == 0 ? 50 : BulkRequest.most))
    return Array(ids[answered..<asked])
  }

  mutating func add(_ found: [BulkRecord], _ rules: BulkRules) {
    answered = asked
    for record in found {
      preview.add(record, at: records.count, rules)
      records.append(record)
    }
  }

  /// The line of the preview with a subject of a record; nil if it is not here.
  func line(of place: (id: BulkRecord.ID, open: Int)) -> Int? {
    records.firstIndex { $0.id.hasSameBytes(as: place.id) }.flatMap {
      preview.line(ofRecord: $0, open: place.open)
    }
  }

  /// Asks what the store says to what is taken, once all is read; nil if that is known, or on its way.
  mutating func nextCheck() -> (number: Int, records: [BulkRecord])? {
    guard isRead, work == nil, check.isNeeded, !preview.taken.isEmpty else { return nil }
    return (check.ask(), Array(taken.prefix(BulkCheck.most)))
  }

  /// What would be refused is no draft.
  mutating func take(_ outcomes: [CheckedWrite]?, _ number: Int, _ rules: BulkRules) {
    if check.take(outcomes, number) { preview = BulkPreview(records, rules, refused: check.refused) }
  }

  /// Whether the store was asked about all that is taken.
  var isChecked: Bool { check.isAnswered && preview.taken.count + check.refused.count <= BulkCheck.most }

  /// What was asked for last did not come.
  mutating func giveUp() { asked = answered }

  mutating func apply(_ rules: BulkRules) {
    check.forget()
    preview = BulkPreview(records, rules)
  }

  /// Records that may have been decided meanwhile, or are gone.
  ///
  /// - Returns: how many are otherwise now.
  mutating func replace(_ found: [BulkRecord], _ rules: BulkRules, isThere: (String) -> Bool) -> Int {
    let found = ByRecord(found.map { ($0.id, $0) }) { first, _ in first }
    var changed = 0
    records = records.compactMap { record in
      let now = isThere(record.id) ? found[record.id] ?? record : nil
      if now != record { changed += 1 }
      return now
    }
    if changed > 0 { apply(rules) }
    return changed
  }

  /// Those of `ids` that have to be read in full to be shown, each told once.
  mutating func toShow(_ ids: [String]) -> [String] {
    let new = ids.filter { !wanted.contains($0) }
    wanted.formUnion(new)
    return new
  }

  /// What was shown long ago is read again when it comes into sight again.
  mutating func show(_ found: [DecidedConflict]) {
    if shown.count > 400 { shown = [:] }
    for record in found { shown[record.conflict.id] = record }
    if shown.count == found.count { wanted = RecordNames(shown.keys) }
  }

  mutating func forgetShown() { (shown, wanted) = ([:], []) }
}

extension Bulk {
  struct Stood: Sendable {
    let place: (id: BulkRecord.ID, open: Int)
    let cursor: BulkPage.Place

    /// nil where the cursor is on no record.
    init?(_ layout: BulkLayout, _ page: BulkPage) {
      guard let place = layout.selectedSubject else { return nil }
      (self.place, cursor) = (place, page.cursor)
    }
  }
}

/// A job that is being done.
struct BulkWork: Sendable {
  let job: BulkJob
  /// How many of its records were asked for.
  private(set) var asked = 0
  /// How many of them are done, or were not as they were.
  private(set) var answered = 0
  private(set) var changes: [BulkChange] = []
  /// See ``BulkResult/drafts``.
  private(set) var drafts = 0
  private(set) var moved = 0

  /// Of the decisions that are made next. Nanoseconds since 1970.
  var time: Int64 = 0
  /// Who has decided what is taken back, as words behind that.
  let whose: String

  init(_ job: BulkJob, whose: String) { (self.job, self.whose) = (job, whose) }

  mutating func next() -> BulkJob? {
    guard asked < job.count else { return nil }
    let part = job.part(from: asked)
    asked += part.count
    return part
  }

  mutating func add(_ result: BulkResult) {
    answered = asked
    changes += result.changes
    drafts += result.drafts
    moved += result.moved
  }

  /// What was not reached, of a job that takes back or does again.
  var rest: [BulkChange] {
    switch job {
    case .decide: []
    case .takeBack(let changes), .takeAgain(let changes): Array(changes[answered...])
    }
  }
}
