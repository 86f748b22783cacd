import GRDB
import Merging

/// Takes back a write by appending once more: rows that a replica may have seen are never removed.
///
/// On what the write appended to each leaf, a revision with that leaf's body follows: the leaves of before are live again,
/// with new ids. The document is in conflict as it was, with the same winner.
///
///     2-x ─┬─ 3-p ── 4-merged ── 5-p'
///          └─ 3-q ── 4-deleted ── 5-q'
struct DocumentUndo {
  private let reader: DocumentReader
  private let rows: DocumentRows
  private let endings: [Ending]

  /// A leaf of before, and what the write appended to it.
  private struct Ending {
    let leaf: String
    let appended: String
    let body: [UInt8]
    let attachments: [Attachment]
  }

  /// - Throws: `DocumentTask.Moved` if the document went on since, ``Refusal`` if a leaf's attachments are gone.
  init(_ record: RecordChanges, _ reader: DocumentReader) throws {
    guard let rows = try DocumentRows(id: record.record, in: reader.db, reader.schema) else {
      throw DocumentTask.Moved("the document is not there any more")
    }
    self.reader = reader
    self.rows = rows
    let receipts = ReceiptRows(record)
    endings = try receipts.appended.map { try DocumentUndo.ending($0, receipts, rows, reader) }
  }

  private static func ending(
    _ appended: RowImage, _ receipts: ReceiptRows, _ rows: DocumentRows, _ reader: DocumentReader
  ) throws -> Ending {
    guard case .integer(let parent)? = appended["parent"],
      case .integer(let sequence)? = appended["sequence"],
      case .text(let id)? = appended["revid"], let leaf = receipts.leaf(parent),
      case .text(let leafID)? = leaf["revid"]
    else { throw Refusal(nil, "its receipt is not complete") }
    guard rows.tree.leaves.contains(where: { rows.tree.revisions[$0].id == id }),
      rows.sequences[id] == [sequence]
    else { throw DocumentTask.Moved("it went on since it was written") }
    let attachments = receipts.attachments(of: parent)
    for attachment in attachments {
      if let problem = try reader.attachments.problem(of: attachment) {
        throw Refusal(attachment.field, problem)
      }
    }
    return Ending(leaf: leafID, appended: id, body: leaf.body, attachments: attachments)
  }

  /// The winner of before has to win again, and the next to come second: these two are the columns of a desk. Where the new
  /// ids fall otherwise, one more revision is appended to what should be greater.
  func changes() throws -> [StoredChange] {
    var growth = try DocumentGrowth(rows, reader)
    let order = rows.tree.order
    let worstFirst = endings.sorted { order.areInIncreasingOrder($0.leaf, $1.leaf) }
    var greatest: String?
    for (index, ending) in worstFirst.enumerated() {
      var id = try growth.append(to: ending.appended, body: ending.body, attachments: ending.attachments)
      if index >= worstFirst.count - 2 {
        // Each leaf grew by two, so a generation or two makes it the greater; ids made by hand may never be.
        for _ in 1...3 {
          guard let other = greatest, order.areInIncreasingOrder(id, other) else { break }
          id = try growth.append(to: id, body: ending.body, attachments: ending.attachments)
        }
      }
      greatest = greatest.map { order.areInIncreasingOrder($0, id) ? id : $0 } ?? id
    }
    return try growth.changes()
  }
}

/// A write's rows as the journal keeps them.
private struct ReceiptRows {
  /// What was added to `revs`.
  let appended: [RowImage]
  private let leaves: [Int64: RowImage]
  private let attached: [RowImage]

  init(_ record: RecordChanges) {
    let revs = record.changes.filter { $0.table == "revs" }
    appended = revs.filter { $0.before == nil }.compactMap(\.after)
    leaves = Dictionary(
      revs.compactMap(\.before).compactMap { row in
        if case .integer(let sequence)? = row["sequence"] { (sequence, row) } else { nil }
      }
    ) { first, _ in first }
    attached = record.changes.filter { $0.table == "attachments" && $0.before != nil }.compactMap(\.before)
  }

  func leaf(_ sequence: Int64) -> RowImage? { leaves[sequence] }

  func attachments(of sequence: Int64) -> [Attachment] {
    attached.filter { $0["sequence"] == .integer(sequence) }.compactMap { Attachment($0) }
  }
}

extension RowImage {
  fileprivate var body: [UInt8] {
    switch self["json"] {
    case .blob(let blob)?: blob.bytes ?? []
    case .text(let text)?: Array(text.utf8)
    default: []
    }
  }
}
