import ExactJSON
import Foundation
import Merging

@testable import CloudantStores
@testable import RevisionTrees

extension JSONValue {
  func strings(_ key: String) -> [String] { (self[key]?.elements ?? []).compactMap(\.string) }

  func rows(_ key: String, _ document: String) throws -> [CaseRow] {
    try CloudantCases.Missing.unwrap(try CaseRow.trees(self[key], document: document)[document], key)
  }

  /// The trees of a case that shows only one of many like it; the others get row numbers of their own.
  func trees(
    _ key: String, document: String, repeatedFor documents: [String]
  ) throws -> [String: [CaseRow]] {
    var trees = try CaseRow.trees(self[key], document: document)
    let rows = try CloudantCases.Missing.unwrap(trees[document], document)
    for (index, name) in documents.enumerated() where trees[name] == nil {
      trees[name] = rows.map { $0.moved(by: (index + 1) * 100) }
    }
    return trees
  }
}

extension CaseRow {
  /// The library's tree after a leaf was kept, as a desk makes it.
  static func appendingKept(before: [CaseRow], after: [CaseRow]) throws -> [CaseRow] {
    let kept = try CloudantCases.Missing.unwrap(
      after.first { $0.isCurrent && !$0.isDeleted }, "the kept leaf")
    let body = Array((kept.body ?? "").utf8)
    let id = try CloudantCases.Missing.unwrap(
      RevisionID.cloudant(parent: kept.id, isDeleted: false, body: body), "an id")
    let appended = CaseRow(
      sequence: before.map(\.sequence).max().map { $0 + 1 } ?? 1, parent: kept.sequence, id: id,
      isCurrent: true, body: kept.body, attachments: kept.attachments.map { $0.carried(to: id) })
    let old = after.prefix(before.count).map { $0.marked($0 == kept ? false : $0.isCurrent) }
    return old + [appended] + after.dropFirst(before.count).map { $0.renumbered(by: 1) }
  }

  func marked(_ isCurrent: Bool) -> CaseRow {
    var row = self
    row.isCurrent = isCurrent
    return row
  }

  private func renumbered(by count: Int) -> CaseRow {
    var row = self
    row.sequence += count
    return row
  }

  func moved(by count: Int) -> CaseRow {
    var row = renumbered(by: count)
    row.parent = parent.map { $0 + count }
    return row
  }

  var compacted: CaseRow {
    CaseRow(
      sequence: sequence, parent: parent, id: id, isCurrent: isCurrent, isDeleted: isDeleted, body: nil)
  }
}

extension Datastore {
  /// What the library's own compaction does (Sources/CloudantStores/FORMAT.md, "Replication and compaction").
  func compact() throws {
    try sql(
      """
      UPDATE revs SET json = NULL WHERE current = 0;
      DELETE FROM attachments WHERE sequence IN (SELECT sequence FROM revs WHERE json IS NULL);
      DELETE FROM attachments_key_filename WHERE key NOT IN (SELECT lower(hex(key)) FROM attachments);
      """)
    let folder = try DatastoreFiles(path: path).attachments
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }
}
