import Foundation
import GRDB
import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface

/// Revisions that are added to a document, and the rows that come of it.
struct DocumentGrowth {
  let rows: DocumentRows
  let reader: DocumentReader
  private(set) var nextSequence: Int64
  /// The rows so far of each revision.
  private(set) var sequences: [String: [Int64]]
  private(set) var added: [Addition] = []

  struct Addition {
    let id: String
    /// nil: the document begins with it.
    let parent: String?
    let sequence: Int64
    let isDeleted: Bool
    let body: [UInt8]
    let attachments: [Attachment]
  }

  init(_ rows: DocumentRows, _ reader: DocumentReader) throws {
    self.rows = rows
    self.reader = reader
    sequences = rows.sequences
    // A sequence is never used again, also not that of a row which is gone: replicators have seen it.
    let newest = try reader.db.firstRow("SELECT max(sequence) FROM revs") { $0.integer(0) } ?? 0
    nextSequence = try DocumentGrowth.number(after: max(newest, try DocumentGrowth.usedSequence(reader.db)))
  }

  /// Leaves these numbers to others.
  mutating func goOn(from sequence: Int64) { nextSequence = sequence }

  private static func usedSequence(_ db: Database) throws -> Int64 {
    guard try db.hasRow("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'") else { return 0 }
    return try db.firstRow("SELECT seq FROM sqlite_sequence WHERE name = 'revs'") { $0.integer(0) } ?? 0
  }

  /// Adds a live revision.
  ///
  /// - Returns: its id.
  /// - Throws: ``Refusal``
  @discardableResult mutating func append(
    to parent: String?, body: [UInt8], attachments: [Attachment]
  ) throws -> String {
    try add(to: parent, isDeleted: false, body: body, attachments)
  }

  /// Adds a tombstone.
  mutating func delete(_ leaf: String) throws { try add(to: leaf, isDeleted: true, body: [], []) }

  @discardableResult private mutating func add(
    to parent: String?, isDeleted: Bool, body: [UInt8], _ attachments: [Attachment]
  ) throws -> String {
    guard let id = newID(parent, isDeleted, body) else {
      throw Refusal(
        nil, "the revision \(parent ?? "") \(whyNoID(after: parent)), so nothing can be appended to it")
    }
    if sequences[id] != nil { throw Refusal(nil, "the document has a revision \(id) already") }
    added.append(
      Addition(
        id: id, parent: parent, sequence: nextSequence, isDeleted: isDeleted, body: body,
        attachments: attachments))
    sequences[id] = [nextSequence]
    nextSequence = try DocumentGrowth.number(after: nextSequence)
    return id
  }

  /// The next number of a row of revisions or documents.
  ///
  /// - Throws: ``Refusal`` if there is none.
  static func number(after number: Int64) throws -> Int64 {
    let (next, isBeyond) = number.addingReportingOverflow(1)
    if isBeyond { throw Refusal(nil, "the datastore has no number left for another revision") }
    return next
  }

  private func whyNoID(after parent: String?) -> String {
    RevisionID(parent ?? "").generation == 0 ? "has no generation" : "has an id of more than 255 bytes"
  }

  private func newID(_ parent: String?, _ isDeleted: Bool, _ body: [UInt8]) -> String? {
    switch reader.schema.platform {
    case .ios: return RevisionID.cloudant(parent: parent, isDeleted: isDeleted, body: body)
    case .android:
      let generation = parent.map { RevisionID($0).generation }
      let random = UUID().uuidString.replacing("-", with: "").lowercased()
      return generation == 0 ? nil : "\((generation ?? 0) + 1)-\(random)"
    }
  }
}
