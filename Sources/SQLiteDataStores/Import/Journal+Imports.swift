import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Server records that were brought in and are kept in the journal: the app has no inbox, or is running, or the record came
/// without an archive.
extension Journal {
  /// The imports before `id` that are not settled, newest first, at most `limit`.
  func imports(before id: Int64, limit: Int) throws -> [InboxRow] {
    let rows = try kept(OldJournals.importKind, before: id, limit: limit).map { try InboxRow($0) }
    var order = KeyOrder.falling(from: id)
    for row in rows { try order.pass(row.id) }
    return rows
  }

  /// The newest import of a record that is not settled.
  func newestImport(of recordName: String) throws -> InboxRow? {
    try kept(OldJournals.importKind, of: recordName, limit: 1).first.map { try InboxRow($0) }
  }

  /// The newest import of a record, settled or not, but not one that was taken out again: that may be brought in anew.
  func lastImport(of recordName: String) throws -> InboxRow? {
    try kept(OldJournals.importKind, of: recordName, .everIn, limit: 1).first.map { try InboxRow($0) }
  }

  /// The imports of a record that are not settled, oldest first.
  func openImports(of recordName: String) throws -> [InboxRow] {
    try kept(OldJournals.importKind, of: recordName).reversed().map { try InboxRow($0) }
  }

  /// The records of which an import waits, and how many do.
  func waitingImports() throws -> ByRecord<Int> { try namesOfKept(OldJournals.importKind) }
}

/// An import as the journal keeps it: the columns of `parley_inbox`, and `serverJSON`.
extension InboxRow {
  func payload() throws -> Payload {
    Payload(kind: OldJournals.importKind, bytes: try EncodedRow(stored, longLength: .max).bytes)
  }

  fileprivate convenience init(_ kept: Journal.Kept) throws {
    let row = try RowDecoder.row(kept.bytes) { _ in nil }
    func text(_ name: String) -> String? { if case .text(let text)? = row[name] { text } else { nil } }
    func integer(_ name: String) -> Int64 {
      if case .integer(let integer)? = row[name] { integer } else { 0 }
    }
    func bytes(_ name: String) -> [UInt8]? {
      if case .blob(let blob)? = row[name] { blob.bytes } else { nil }
    }
    self.init(
      place: .journal, id: kept.id, recordName: text("recordName") ?? "", zoneName: text("zoneName") ?? "",
      ownerName: text("ownerName") ?? "", receivedAt: integer("receivedAt"), path: text("path") ?? "",
      isDeleted: integer("isDeleted") != 0, serverRecord: bytes("serverRecord"),
      serverJSON: text("serverJSON"), recordType: text("recordType") ?? "")
  }
}
