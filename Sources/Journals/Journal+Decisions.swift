import ExactJSON
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

extension Journal {
  package func append(_ decisions: [Decision]) throws {
    if decisions.isEmpty { return }
    // One lock around both, as a bulk act appends while keys are pressed: what is in the file, and not yet known to be our own,
    // would be told as another's.
    try heard.withLock { heard in heard.append(own: try insert(decisions)) }
  }

  private func insert(_ decisions: [Decision]) throws -> [Int64] {
    try write { db in
      let known = try Journal.lastDecisions(for: Set(decisions.map { JSONText($0.id) }), in: db)
      let decisions = decisions.changing(known)
      let standing = try Journal.refusalsStanding(after: decisions, in: db)
      let sql = try Journal.insertion(at: decisions.lazy.map(\.decidedAt).min() ?? 0, in: db)
      let rows = try decisions.map { decision in
        try db.run(sql, Journal.columns(of: decision))
        return db.lastInsertedRowID
      }
      for (decision, row) in zip(decisions, rows) { try standing[decision.id]?.insert(about: row, in: db) }
      return rows
    }
  }

  /// - Parameter time: of the first of what is inserted. Mostly nothing was written after that, which is known without a look at each record.
  private static func insertion(at time: Int64, in db: Database) throws -> String {
    let isSetBack = try db.hasRow("SELECT 1 FROM receipts WHERE finishedAt > ? LIMIT 1", [.integer(time)])
    return """
      INSERT INTO decisions (record, field, choice, value, opaqueKind, fingerprint, decidedAt, note, givenUp, answer)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(isSetBack ? "ifnull((\(afterItsWrites)), ?7)" : "?7"), ?8, ?9, ?10)
      """
  }

  private static func columns(of decision: Decision) -> [Value] {
    [.text(decision.id), decision.subject.stored] + (decision.choice.map(\.stored) ?? [.null, .null, .null])
      + [
        .text(decision.fingerprint.stored), .integer(decision.decidedAt),
        decision.note.map { .text($0) } ?? .null,
        decision.givenUp.map { .text($0.stored) } ?? .null,
        decision.answer.map { .text($0) } ?? .null,
      ]
  }

  /// The log is in the order of the times. Where the clock was set back since the last write of the record, a decision follows that one.
  private static let afterItsWrites = """
    SELECT min(max(finishedAt), 9223372036854775806) + 1
    FROM receipts JOIN intents ON intents.id = receipts.intent
    WHERE receipts.record = ?1 AND finishedAt > ?7 AND act = 'write'
    """

  package func traces() -> [Int64] { FileStatus.traces(ofDatabase: path) }
  package var placeAtStart: Int64? { heard.withLock { $0.start } }

  package func decisionsOfOthers() throws -> [Decision] {
    try checkFile()
    // Nobody decides in one that cannot be written, and what an older Parley does there would be brought up anew with each key.
    if hindrance.withLock({ $0 != nil }) { return [] }
    let last = heard.withLock { $0.last }
    let rows = try read(or: []) { db in try decisions(after: last, in: db) }
    return heard.withLock { $0.take(rows) }
  }

  /// The decisions after a row; before anybody listened only the newest, as the others are known.
  private func decisions(after row: Int64?, in db: Database) throws -> [(
    row: Int64, decision: Decision
  )] {
    let condition = row == nil ? "ORDER BY id DESC LIMIT 1" : "WHERE id > ? ORDER BY id"
    return try db.rows("\(selection(in: db)) \(condition)", row.map { [.integer($0)] } ?? []) {
      ($0.integer(0), Decision($0))
    }
  }

  package func decisions(for ids: [String], before decision: Decision?) throws -> [Decision] {
    if ids.isEmpty { return [] }
    let kept: [Decision] = try read(or: []) { db in
      let end = try decision.map { try Journal.row(of: $0, in: db) }
      return try Journal.lastDecisions(
        for: Set(ids.map { JSONText($0) }), before: end, ofEachConflict: true,
        isAnyOpen: hasOpenIntents(in: db),
        in: db)
    }
    return decision == nil ? supposals.standing(after: kept, about: ids) : kept
  }

  package func suppose(_ decisions: [Decision]) { supposals.add(decisions) }
  package var supposals: Supposals { supposed.withLock { $0 } }
  package func share(_ supposals: Supposals) { supposed.withLock { $0 = supposals } }

  /// 0 of one that is not there: nothing was before it.
  private static func row(of decision: Decision, in db: Database) throws -> Int64 {
    try db.firstRow(
      "SELECT ifnull(min(id), 0) FROM decisions WHERE record = ? AND field IS ? AND decidedAt = ?",
      [.text(decision.id), decision.subject.stored, .integer(decision.decidedAt)]
    ) { $0.integer(0) } ?? 0
  }

  /// The last decision of each subject of these records, in the order in which they were taken; of those before a row, if one is given.
  ///
  /// - Parameters:
  ///   - ofEachConflict: whether what was decided about several conflicts of a record is told apart.
  ///   - isAnyOpen: whether there is an intent that has not come to its end, of which this may be written.
  static func lastDecisions(
    for records: Set<JSONText>, before end: Int64? = nil, ofEachConflict: Bool = false,
    isAnyOpen: Bool = false, in db: Database
  ) throws -> [Decision] {
    let rows = try decisions(about: Array(records), isAnyOpen, in: db)
    let places = rows.indices.filter { place in end.map { rows[place].row < $0 } ?? true }
    // Their places: a decision is much to move.
    return places.sorted { rows[$0].row < rows[$1].row }
      .handedOut(
        { DecidedSubject(rows[$0].decision, ofEachConflict: ofEachConflict) },
        isTakenBack: { rows[$0].decision.choice == nil }
      )
      .map { rows[$0].decision }
  }

  package func everDecided(among ids: [String]) throws -> RecordNames {
    try read(or: []) { db in
      var names = RecordNames()
      for page in ids.inBatches(of: Journal.together) {
        try db.forEachRow(Journal.recordsOfSome, Journal.asked(page.map { .text($0) })) {
          names.insert($0.text(0))
        }
      }
      return names
    }
  }

  private static let recordsOfSome = "SELECT DISTINCT record FROM decisions WHERE record IN (\(marks))"

  /// In no order. Many records are asked for at once: to begin to ask costs more than what there is of one.
  private static func decisions(
    about records: [JSONText], _ isAnyOpen: Bool, in db: Database
  ) throws -> [(row: Int64, decision: Decision)] {
    let kind = try Kind(
      hasReceipts: db.hasRow("SELECT 1 FROM receipts LIMIT 1"), hasRefusals: isAnyRefused(in: db),
      isAnyOpen: isAnyOpen)
    var rows: [(Int64, Decision)] = []
    for page in records.inBatches(of: together) {
      let names = page.map { Value.text($0.text) }
      let isOne = names.count == 1
      guard let sql = (isOne ? ofOne : ofSome)[kind] else { continue }
      try db.forEachRow(sql, isOne ? names : asked(names)) { rows.append(($0.integer(0), Decision($0))) }
    }
    return rows
  }

  private static let together = 50
  private static let marks = Array(repeating: "?", count: together).joined(separator: ", ")

  /// Always as many, so that it is compiled once: which is asked for twice is found once.
  private static func asked(_ names: [Value]) -> [Value] {
    names + Array(repeating: names.last ?? .null, count: together - names.count)
  }

  /// What a journal has: most have no refusals, before the first write none has receipts, and nearly none has an intent that is open.
  private struct Kind: Hashable {
    let hasReceipts, hasRefusals, isAnyOpen: Bool

    static let all = [false, true].flatMap { receipts in
      [false, true].flatMap { refusals in
        [false, true].map { Kind(hasReceipts: receipts, hasRefusals: refusals, isAnyOpen: $0) }
      }
    }

    /// ``StoreInterface/Decision/Written``; NULL where there is no receipt of it.
    private var written: String {
      let known = hasReceipts ? Journal.written : "0"
      return isAnyOpen ? "max(ifnull(\(known), 0), \(Journal.isBegun))" : known
    }

    var selection: String {
      """
      SELECT id, record, field, choice, value, opaqueKind, fingerprint, decidedAt, note,
        \(written), givenUp, answer, \(hasRefusals ? refusalOfDecision : "NULL, NULL")
      FROM decisions
      """
    }
  }

  private static let written = """
    (
      SELECT max(CASE WHEN receipts.\(Journal.isDone) THEN \(Decision.Written.yes.rawValue) ELSE \(Decision.Written.perhaps.rawValue) END)
      FROM receipts JOIN intents ON intents.id = receipts.intent
      WHERE receipts.record = decisions.record AND act = 'write' AND \(Journal.standsOrIsLeft)
        AND ifnull(lastDecision >= decisions.id, finishedAt >= decidedAt))
    """

  /// ``StoreInterface/Decision/Written/perhaps`` of a record that was about to be written, of which nobody knows what became; else 0.
  private static let isBegun = """
    EXISTS (
      SELECT 1 FROM records CROSS JOIN intents ON intents.id = records.intent
      WHERE records.record = decisions.record AND ifnull(lastDecision >= decisions.id, 1)
        AND records.intent IN (SELECT id FROM intents WHERE act = 'write' AND undoes IS NULL AND \(Journal.isOpen)))
    """

  // Made once, as they are asked for with every page.
  private static let ofAll = [false, true].map {
    Kind(hasReceipts: true, hasRefusals: true, isAnyOpen: $0).selection
  }
  private static let ofOne = selections { "\($0) WHERE record = ?" }
  private static let ofSome = selections { "\($0) WHERE record IN (\(marks))" }

  private static func selections(_ sql: (String) -> String) -> [Kind: String] {
    Dictionary(uniqueKeysWithValues: Kind.all.map { ($0, sql($0.selection)) })
  }

  private func selection(in db: Database) throws -> String {
    Journal.ofAll[try hasOpenIntents(in: db) ? 1 : 0]
  }

  /// All decisions about one record, newest first.
  func allDecisions(about record: String, in db: Database) throws -> [Decision] {
    try db.rows("\(selection(in: db)) WHERE record = ? ORDER BY id DESC", [.text(record)]) { Decision($0) }
  }

  /// All decisions, newest first, with their rows.
  func newestDecisions(
    limit: Int, in db: Database
  ) throws -> [(row: Int64, decision: Decision)] {
    try db.rows("\(selection(in: db)) ORDER BY id DESC LIMIT ?", [.integer(Int64(limit))]) {
      ($0.integer(0), Decision($0))
    }
  }
}

/// Which decisions of the journal this program knows of, so that it can tell those of others.
package struct HeardDecisions {
  /// The newest row that was looked at; nil before anybody listened.
  package private(set) var last: Int64?
  /// The newest row when somebody began to listen; nil before that.
  package private(set) var start: Int64?
  /// Rows after it that this program appended itself.
  private var own: Set<Int64> = []

  package mutating func append(own rows: [Int64]) { if last != nil { own.formUnion(rows) } }

  package mutating func take(_ rows: [(row: Int64, decision: Decision)]) -> [Decision] {
    let listens = last != nil
    let others = listens ? rows.filter { !own.contains($0.row) }.map(\.decision) : []
    last = rows.last?.row ?? last ?? 0
    start = start ?? last
    own = own.filter { $0 > last ?? 0 }
    return others
  }
}

extension Decision {
  fileprivate init(_ row: SQLRow) {
    self.init(
      id: row.text(1), subject: row.optionalText(2).map { .field($0) } ?? .record,
      choice: Choice(row.optionalText(3), row.value(4), opaqueKind: row.optionalText(5)),
      fingerprint: Fingerprint(stored: row.text(6)), decidedAt: row.integer(7), note: row.optionalText(8),
      written: Written(rawValue: row.integer(9)) ?? .no,
      givenUp: row.optionalText(10).map { KeptGivenUp(stored: $0) },
      answer: row.optionalText(11), refusal: DraftRefusal(row, from: 12))
  }
}

extension Subject {
  fileprivate var stored: Value {
    switch self {
    case .record: .null
    case .field(let name): .text(name)
    }
  }
}

extension Choice {
  /// Kind, value, and the kind of an opaque value.
  fileprivate var stored: [Value] {
    switch self {
    case .take(let side): [.text(side.rawValue), .null, .null]
    case .edit(let value): [.text("edit")] + Choice.stored(value)
    case .merged(let value): [.text("merged")] + Choice.stored(value)
    case .alternative(let id): [.text("alternative"), .text(id), .null]
    // As one that is taken back: to a Parley that knows no parts the field is still to decide.
    case .parts(let parts): [.null, .text(parts.stored), .text(Choice.partsKind)]
    }
  }

  private static let partsKind = "parts"

  /// A blob without its bytes is kept by its hash, and a NaN by its bits, as SQLite would make it NULL.
  private static func stored(_ value: Value) -> [Value] {
    switch value {
    case .real(let real) where real.isNaN: [.integer(Int64(bitPattern: real.bitPattern)), .text("real")]
    case .opaque(let kind, let bytes): [.blob(Blob(bytes: bytes)), .text("opaque:" + kind)]
    case .blob(let blob) where blob.bytes == nil: [.blob(Blob(bytes: blob.sha256)), .text("sha256")]
    case .null, .integer, .real, .text, .blob: [value, .null]
    }
  }

  fileprivate init?(_ kind: String?, _ value: Value, opaqueKind: String?) {
    if kind == nil, opaqueKind == Choice.partsKind, case .text(let stored) = value,
      let parts = PartChoices(stored: stored)
    {
      self = .parts(parts)
      return
    }
    let value = Choice.value(value, opaqueKind)
    switch kind {
    case "edit": self = .edit(value)
    case "merged": self = .merged(value)
    case "alternative":
      guard case .text(let id) = value else { return nil }
      self = .alternative(id)
    default:
      guard let side = kind.flatMap({ Side(rawValue: $0) }) else { return nil }
      self = .take(side)
    }
  }

  private static func value(_ value: Value, _ kind: String?) -> Value {
    if kind == "real", case .integer(let bits) = value {
      return .real(Double(bitPattern: UInt64(bitPattern: bits)))
    }
    guard let kind, case .blob(let blob) = value, let bytes = blob.bytes else { return value }
    return kind == "sha256"
      ? .blob(Blob(sha256: bytes)) : .opaque(kind: String(kind.dropFirst(7)), bytes: bytes)
  }
}
