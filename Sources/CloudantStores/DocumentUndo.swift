import GRDB
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Takes back a write by appending once more: rows that a replica may have seen are never removed.
///
/// On what the write appended to each leaf, a revision with that leaf's body follows: the leaves of before are live again,
/// with new ids. The document is in conflict as it was, with the same winner.
///
///     2-x ─┬─ 3-p ── 4-merged ── 5-p'
///          └─ 3-q ── 4-deleted ── 5-q'
///
/// A leaf that came in from another replica since stays as it is, and is told: whoever went on from it there would be in conflict with what
/// is appended here.
///
/// Where only flags were set, they are set back. A document that the write made gets a tombstone, after all of these.
struct DocumentUndo {
  private let reader: DocumentReader
  private let rows: DocumentRows
  private let endings: [Ending]
  /// The documents that the write made.
  private let made: [DocumentRows]

  /// A leaf of before, and what the write appended to it.
  private struct Ending {
    let leaf: String
    let appended: String
    let sequence: Int64
    let body: [UInt8]
    let attachments: [Attachment]
  }

  /// - Returns: with them what nobody might expect of the leaves then.
  /// - Throws: `Moved` if the document went on since, ``Refusal`` if a leaf's attachments are gone.
  static func changes(
    _ record: RecordChanges, _ reader: DocumentReader
  ) throws -> (changes: [StoredChange], note: String?) {
    let receipts = ReceiptRows(record)
    guard let key = receipts.document, let rows = try DocumentRows(key: key, in: reader.db, reader.schema)
    else { throw Moved("the document is not there any more") }
    if receipts.appended.isEmpty { return (try reader.flagsBefore(receipts.marked), nil) }
    let endings = try receipts.appended.map { try ending($0, receipts, rows, reader) }
    let made = try receipts.begun.compactMap { try reader.begun($0) }
    try reader.attachments.checkAll(endings.flatMap(\.attachments))
    let undo = DocumentUndo(reader: reader, rows: rows, endings: endings, made: made)
    let changes = try undo.changes()
    return (changes, undo.wordsOfNewcomers(beside: changes))
  }

  private static func ending(
    _ appended: RowImage, _ receipts: ReceiptRows, _ rows: DocumentRows, _ reader: DocumentReader
  ) throws -> Ending {
    guard case .integer(let parent)? = appended["parent"],
      case .integer(let sequence)? = appended["sequence"],
      case .text(let id)? = appended["revid"], let leaf = receipts.leaf(parent),
      case .text(let leafID)? = leaf["revid"], let body = leaf.body
    else { throw Refusal(nil, "its receipt is not complete") }
    guard rows.tree.leaves.contains(where: { rows.tree.revisions[$0].id == id }),
      rows.sequences[id] == [sequence]
    else { throw Moved("it went on since it was written") }
    return Ending(
      leaf: leafID, appended: id, sequence: sequence, body: body,
      attachments: receipts.attachments(of: parent))
  }

  /// The winner of before has to win again, and the next to come second: these two are the columns of a desk. Where the new
  /// ids fall otherwise, one more revision is appended to what should be greater.
  private func changes() throws -> [StoredChange] {
    var growth = try DocumentGrowth(rows, reader)
    let worstFirst = endings.sorted { rows.tree.order.areInIncreasingOrder($0.leaf, $1.leaf) }
    var greatest: String?
    for (index, ending) in worstFirst.enumerated() {
      var id = try growth.append(to: ending.appended, body: ending.body, attachments: ending.attachments)
      if index >= worstFirst.count - 2 {
        try extend(&id, ending.body, ending.attachments, beyond: greatest, &growth)
      }
      greatest = greatest.map { rows.tree.order.areInIncreasingOrder($0, id) ? id : $0 } ?? id
    }
    try keepWinner(above: greatest, of: worstFirst.last, &growth)
    return try growth.changes() + deletions(from: growth.nextSequence)
  }

  private func deletions(from sequence: Int64) throws -> [StoredChange] {
    var (sequence, changes) = (sequence, [StoredChange]())
    for rows in made {
      var growth = try DocumentGrowth(rows, reader)
      growth.goOn(from: sequence)
      for leaf in rows.tree.liveLeaves { try growth.delete(rows.tree.revisions[leaf].id) }
      changes += try growth.changes()
      sequence = growth.nextSequence
    }
    return changes
  }

  /// A winner that the write left alone, as mending an old branch does, still wins.
  private func keepWinner(
    above revived: String?, of best: Ending?, _ growth: inout DocumentGrowth
  ) throws {
    guard let best, let winner = rows.tree.liveLeaves.first(where: { wasWinning($0, over: best) }),
      rows.tree.revisions[winner].hasBody
    else { return }
    var id = rows.tree.revisions[winner].id
    let sequence = rows.sequence(of: winner)
    try extend(
      &id, try reader.body(of: sequence) ?? [], try reader.attachments.attachments(of: sequence),
      beyond: revived,
      &growth)
  }

  /// Whether a live leaf, or what it goes on from, won when the document was written, and was left alone. What came in since on another
  /// branch, or on a leaf that the write has ended, did not win over anything then.
  private func wasWinning(_ leaf: Int, over best: Ending) -> Bool {
    let then = rows.tree.line(from: leaf).first { !isNew($0) }.map { rows.tree.revisions[$0].id }
    guard let then, !endings.contains(where: { $0.leaf == then }) else { return false }
    return rows.tree.order.areInIncreasingOrder(best.leaf, then)
  }

  /// Whether it was added by the write, or came in since: numbers only rise.
  private func isNew(_ revision: Int) -> Bool {
    endings.contains { $0.sequence <= rows.sequence(of: revision) }
  }

  /// nil if no live leaf came in since the write.
  private func wordsOfNewcomers(beside changes: [StoredChange]) -> String? {
    let newcomers = rows.tree.liveLeaves.filter { leaf in
      isNew(leaf) && !endings.contains { $0.appended == rows.tree.revisions[leaf].id }
    }
    guard let first = newcomers.first else { return nil }
    let added = changes.ofItsDocument.filter { $0.before == nil }.compactMap(\.after)
    let parents = added.compactMap { $0.integer("parent") }
    let isExtended = newcomers.contains { parents.contains(rows.sequence(of: $0)) }
    let wins = added.allSatisfy {
      rows.tree.order.areInIncreasingOrder($0.revisionID, rows.tree.revisions[first].id)
    }
    let end = isExtended ? "with one more revision, so that it still wins" : wins ? "and wins" : nil
    if newcomers.count == 1 {
      return "a version that came in since stays beside what comes back" + (end.map { ", \($0)" } ?? "")
    }
    return "\(newcomers.count) versions that came in since stay beside what comes back"
      + (end.map { ", one of them \($0)" } ?? "")
  }

  /// Appends the same once more until it is the greater. Each leaf grew by two, so a generation or two does it; ids made by
  /// hand may never be greater.
  private func extend(
    _ id: inout String, _ body: [UInt8], _ attachments: [Attachment], beyond other: String?,
    _ growth: inout DocumentGrowth
  ) throws {
    guard let other else { return }
    for _ in 1...3 where rows.tree.order.areInIncreasingOrder(id, other) {
      id = try growth.append(to: id, body: body, attachments: attachments)
    }
  }
}

extension DocumentReader {
  /// A document that a write made with this revision; nil if it is deleted, or not there any more.
  ///
  /// - Throws: `Moved` if somebody went on from it: nobody else has what is there.
  fileprivate func begun(_ row: RowImage) throws -> DocumentRows? {
    guard let key = row.integer("doc_id"), let rows = try DocumentRows(key: key, in: db, schema),
      let leaf = rows.tree.liveLeaves.first
    else { return nil }
    guard rows.tree.liveLeaves.count == 1, row["revid"] == .text(rows.tree.revisions[leaf].id),
      row.integer("sequence").map({ [$0] }) == rows.sequences[rows.tree.revisions[leaf].id]
    else { throw Moved("the document that it made went on since it was written") }
    return rows
  }

  /// What nobody who takes a write back would expect of what the app reads then. What the app's own deletion had left marked over a
  /// conflict is marked no more, as revisions are appended, or is marked again, where only flags are set back. nil on iOS, as of several
  /// that are marked there nobody knows which the app reads.
  func wordsOfReading(after undo: [StoredChange], takingBack write: RecordChanges) -> String? {
    guard schema.platform == .android, let then = undo.ofItsDocument.compactMap(\.after).marked else {
      return nil
    }
    let written = write.changes.ofItsDocument
    if written.contains(where: { $0.before == nil }) {
      guard let before = written.compactMap(\.before).marked, before != then else { return nil }
      return
        "the app then reads a version that is \(then.words); before the write it read one that is \(before.words)"
    }
    guard let now = undo.ofItsDocument.compactMap(\.before).marked, now != then else { return nil }
    return
      "the app then reads a version that is \(then.words), as before the flags were set, in place of one that is \(now.words)"
  }

  /// - Throws: `Moved` if a flag is no longer as it was written.
  fileprivate func flagsBefore(_ marked: [StoredChange]) throws -> [StoredChange] {
    try marked.map { change in
      let columns = schema.revs.stored.filter { ["doc_id", "revid", "parent", "current"].contains($0.name) }
      let now = try schema.revs.row(change.key, columns: columns, in: db)
      guard let now, now.allSatisfy({ change.after?[$0.key] == $0.value }) else {
        throw Moved("it went on since it was written")
      }
      return change.reversed
    }
  }
}

/// A write's rows as the journal keeps them.
private struct ReceiptRows {
  /// What was added to `revs`.
  let appended: [RowImage]
  /// The same of other documents, which the write made.
  let begun: [RowImage]
  /// Whose flag changed.
  let marked: [StoredChange]
  /// The key of the document.
  let document: Int64?
  private let leaves: [Int64: RowImage]
  private let attached: [RowImage]

  init(_ record: RecordChanges) {
    let revs = record.changes.ofItsDocument
    appended = revs.filter { $0.before == nil }.compactMap(\.after)
    begun = record.changes.addedToOthers
    marked = revs.filter { $0.before != nil && !$0.changesNothing }
    document = record.changes.document
    leaves = Dictionary(
      revs.compactMap(\.before).compactMap { row in row.integer("sequence").map { ($0, row) } }
    ) { first, _ in first }
    attached = record.changes.filter { $0.table == "attachments" && $0.before != nil }.compactMap(\.before)
  }

  func leaf(_ sequence: Int64) -> RowImage? { leaves[sequence] }

  func attachments(of sequence: Int64) -> [Attachment] {
    attached.filter { $0["sequence"] == .integer(sequence) }.compactMap { Attachment($0) }
  }
}

/// A write begins with the rows of the document that it is about.
extension [StoredChange] {
  fileprivate var document: Int64? {
    lazy.filter { $0.table == "revs" }.compactMap(\.after).compactMap { $0.integer("doc_id") }.first
  }

  /// The rows of `revs` that are the document's own.
  var ofItsDocument: [StoredChange] {
    filter { $0.table == "revs" && ($0.after ?? $0.before)?.integer("doc_id") == document }
  }

  fileprivate var addedToOthers: [RowImage] {
    filter { $0.table == "revs" && $0.before == nil }.compactMap(\.after).filter {
      $0.integer("doc_id") != document
    }
  }
}

/// What the app reads of a document.
private enum ReadVersion {
  case live, deleted

  var words: String {
    switch self {
    case .live: "live"
    case .deleted: "deleted"
    }
  }
}

extension [RowImage] {
  /// The one of these that is marked as `current`; nil where it is not one.
  fileprivate var marked: ReadVersion? {
    let marked = filter { $0.integer("current") == 1 }
    return marked.count == 1 ? (marked[0].integer("deleted") == 1 ? .deleted : .live) : nil
  }
}

extension RowImage {
  fileprivate func integer(_ column: String) -> Int64? {
    if case .integer(let integer)? = self[column] { integer } else { nil }
  }

  /// nil where the row does not say it: an empty one in its place would be a document that nobody ever had.
  fileprivate var body: [UInt8]? {
    switch self["json"] {
    case .blob(let blob)?: blob.bytes
    case .text(let text)?: Array(text.utf8)
    case .opaque(Value.brokenText, let bytes)?: bytes
    case .null?: []
    case .integer?, .real?, .opaque?, nil: nil
    }
  }
}
