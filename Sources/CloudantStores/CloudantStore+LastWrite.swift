import ExactJSON
import Journals
import Merging
import RevisionTrees
import RowJournals
import StoreInterface

extension CloudantStore {
  package func lastWrite() throws -> LastWrite? {
    guard let intent = try log.newestWrite()?.intent else { return nil }
    var isOfFlagsOnly = true
    let records = try intent.records.map { record in
      let readable = try log.readableChanges(of: record, in: intent.id)
      isOfFlagsOnly = isOfFlagsOnly && readable.changes.allSatisfy { $0.before != nil }
      var told = readable.changes.ofADocument
      told.damage = readable.damage
      return LastWrite.Record(id: record.id, title: record.title, changes: told)
    }
    return LastWrite(
      id: intent.id, records: records, takingBack: LastWrite.takingBack(isOfFlagsOnly: isOfFlagsOnly),
      notVerified: info.notVerified)
  }
}

extension LastWrite {
  fileprivate static func takingBack(isOfFlagsOnly: Bool) -> String {
    isOfFlagsOnly
      ? "The flags are set back as they were found. No revision changes."
      : """
      A document's rows are never removed: on each revision that the write appended follows one with the body from before, \
      so the same leaves are live again, under new ids, with the same winner. A document that the write made is deleted.
      """
  }
}

extension PayloadReading {
  static let ofDocuments = PayloadReading(old: OldJournals.versions) { try $0.changes().ofADocument }
}

extension [StoredChange] {
  fileprivate var ofADocument: WrittenChanges {
    WrittenChanges(fields: fieldsOfTheDocument, newRecords: newDocuments)
  }

  /// The fields of the document that the write left, and of the winner before it.
  fileprivate var fieldsOfTheDocument: [LastWrite.FieldChange] {
    let revisions = ofItsDocument
    let saved = revisions.filter { $0.before == nil }.compactMap(\.after).first {
      $0["deleted"] == .integer(0)
    }
    let parents = Set(revisions.filter { $0.before == nil }.compactMap { $0.after?["parent"] })
    let leaves = revisions.compactMap(\.before).filter { parents.contains($0["sequence"] ?? .null) }
    // Of those that were live: an undo goes on from deletions, too.
    let winner = leaves.filter { $0["deleted"] == .integer(0) }.max {
      RevisionOrder.cloudant.areInIncreasingOrder($0.revisionID, $1.revisionID)
    }
    let (before, after) = (winner?.members ?? [:], saved?.members ?? [:])
    let names = Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }
    let members = names.map { name in
      LastWrite.FieldChange(
        name: name.text, before: before[name].map { Value($0) }, after: after[name].map { Value($0) })
    }
    let fields = members + attachments(from: winner?["sequence"], to: saved?["sequence"])
    return fields.map { $0.telling(wasThere: winner != nil, isThere: saved != nil) }
  }

  /// What a review has as fields behind those of the body.
  private func attachments(from winner: Value?, to saved: Value?) -> [LastWrite.FieldChange] {
    let rows = filter { $0.table == "attachments" }
    let contents = foundContents
    let before = rows.compactMap(\.before).attached(to: winner, contents)
    let after = rows.filter { $0.before == nil }.compactMap(\.after).attached(to: saved, contents)
    let names = Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }
    return names.map { LastWrite.FieldChange(name: $0, before: before[$0], after: after[$0]) }
  }

  /// The names of the documents that begin, or begin again, with it.
  private var newDocuments: [String] {
    filter { $0.table == "docs" }.compactMap {
      if case .text(let name)? = $0.after?["docid"] { name } else { nil }
    }
  }
}

extension [RowImage] {
  /// What a revision has attached, by field.
  ///
  /// - Parameter contents: what was found in compressed ones.
  fileprivate func attached(to sequence: Value?, _ contents: [[UInt8]: [UInt8]]) -> [String: Value] {
    let own = filter { sequence != nil && $0["sequence"] == sequence }.compactMap { row in
      var attachment = Attachment(row)
      if let attached = attachment, attached.isCompressed { attachment?.contentKey = contents[attached.key] }
      return attachment
    }
    return Dictionary(own.map { ($0.field, $0.value) }) { first, _ in first }
  }
}

extension RowImage {
  var revisionID: String { if case .text(let id)? = self["revid"] { id } else { "" } }

  fileprivate var members: [JSONText: JSONValue] {
    let text: String? =
      switch self["json"] {
      case .blob(let blob)?: blob.bytes.flatMap { String(validating: $0, as: UTF8.self) }
      case .text(let text)?: text
      case .null?, .integer?, .real?, .opaque?, nil: nil
      }
    guard let text, case .object(let members)? = try? JSONValue(parsing: text) else { return [:] }
    return members
  }
}
