import ExactJSON
import GRDB
import Merging
import RevisionTrees
import SQLiteFiles

/// Everything a datastore says about one document in conflict.
struct DocumentState: Sendable {
  let rows: DocumentRows
  /// By the place of the revision in the tree: its live leaves, and the common ancestor where there is one.
  let versions: [Int: DocumentVersion]
  let conflict: RecordConflict

  var tree: RevisionTree { rows.tree }

  /// All attachments of a leaf or the ancestor.
  func attachments(of revision: Int) -> [Attachment] { versions[revision]?.attachments ?? [] }
}

/// One revision with its body.
struct DocumentVersion: Sendable {
  let version: RecordVersion
  let attachments: [Attachment]
}

/// Reads documents.
package struct DocumentReader {
  let db: Database
  let schema: DatastoreSchema
  let files: DatastoreFiles
  let rules: MergeRules
  private let checked = CheckedFiles()

  /// The table that all documents are in, for a person and for the rules of a configuration.
  static let table = "docs"

  var attachments: AttachmentReader {
    AttachmentReader(db: db, schema: schema, files: files, checked: checked)
  }

  /// nil if the document is not in conflict, or not there.
  func state(of id: String) throws -> DocumentState? {
    try DocumentRows(id: id, in: db, schema).flatMap { try state(of: $0) }
  }

  /// nil if the document is not in conflict.
  func state(of rows: DocumentRows) throws -> DocumentState? {
    guard rows.tree.isConflict else { return nil }
    let live = rows.tree.liveLeaves
    let ancestor = rows.tree.commonAncestor(of: live)
    let versions = DocumentReader.completed(try self.versions(live + [ancestor].compactMap(\.self), rows))
    return DocumentState(
      rows: rows, versions: versions, conflict: conflict(rows, live: live, ancestor: ancestor, versions))
  }

  private func conflict(
    _ rows: DocumentRows, live: [Int], ancestor: Int?, _ versions: [Int: DocumentVersion]
  ) -> RecordConflict {
    func version(_ place: Int) -> RecordVersion { versions[place]?.version ?? .absent }
    let threeWay = ThreeWay(
      ancestor: ancestor.map(version), client: version(live[0]), server: version(live[1]))
    let leaves = rows.tree.leaves.map { place in
      let revision = rows.tree.revisions[place]
      return Leaf(
        id: revision.id, isDeleted: revision.isDeleted,
        version: revision.isDeleted ? .deleted(time: nil) : version(place))
    }
    var conflict = RecordConflict(
      id: rows.id, table: DocumentReader.table, primaryKey: rows.id,
      title: RecordTitle.title(of: threeWay, shape: nil) ?? rows.id,
      fields: DocumentReader.fields(versions.values.map(\.version)), versions: threeWay, rules: rules,
      details: RecordConflict.Details(
        ancestorTag: ancestor.map { rows.tree.revisions[$0].id }, serverTag: rows.tree.revisions[live[1]].id,
        notes: DocumentNotes(
          rows: rows, live: live, ancestor: ancestor, platform: schema.platform,
          attachments: versions.values.flatMap(\.attachments)
        ).all,
        notWritable: notWritable(rows, live.map { versions[$0] }), leaves: leaves))
    conflict.details.alternatives = conflict.versionsAsAlternatives
    return conflict
  }

  private func notWritable(_ rows: DocumentRows, _ live: [DocumentVersion?]) -> String? {
    if live.contains(where: { $0?.version.isUnknown ?? true }) {
      return "a live leaf of it cannot be read, and would be deleted unseen"
    }
    return rows.tree.repeated.isEmpty
      ? nil : "it holds one revision more than once, which has to be mended first"
  }
}

/// A revision's body.
extension DocumentReader {
  private func versions(_ revisions: [Int], _ rows: DocumentRows) throws -> [Int: DocumentVersion] {
    var attached: [Int: [Attachment]] = [:]
    for revision in revisions where !rows.tree.revisions[revision].isDeleted {
      attached[revision] = try attachments.attachments(of: rows.sequence(of: revision))
    }
    attached = try attachments.comparable(attached)
    return try revisions.reduce(into: [:]) { versions, revision in
      versions[revision] = try version(rows.tree.revisions[revision], attached[revision] ?? [])
    }
  }

  private func version(
    _ revision: RevisionTree.Revision, _ attachments: [Attachment]
  ) throws -> DocumentVersion {
    if revision.isDeleted { return DocumentVersion(version: .deleted(time: nil), attachments: []) }
    guard revision.hasBody, let body = try body(of: revision.row) else {
      return DocumentVersion(
        version: .unknown(reason: "not kept (compacted, or never replicated here)"), attachments: attachments)
    }
    return DocumentVersion(version: DocumentReader.version(body, attachments), attachments: attachments)
  }

  /// The bytes of a body; nil if it is not here.
  func body(of sequence: Int64) throws -> [UInt8]? {
    try db.firstRow("SELECT json FROM revs WHERE sequence = ?", [.integer(sequence)]) { $0.optionalBytes(0) }
      ?? nil
  }

  private static func version(_ body: [UInt8], _ attachments: [Attachment]) -> RecordVersion {
    switch Result(catching: { try DocumentBody(body) }) {
    case .failure(let error): return .unknown(reason: "its body cannot be read: \(error)")
    case .success(let body):
      var fields = body.fields
      for attachment in attachments { fields[attachment.field] = attachment.value }
      return .present(fields.mapValues { FieldVersion($0, time: nil) })
    }
  }

  /// The same with a value for every key that any of them has: a key that is not there was removed, or never added, and
  /// either is an edit.
  private static func completed(_ versions: [Int: DocumentVersion]) -> [Int: DocumentVersion] {
    let names = Set(versions.values.flatMap { $0.version.fields.map { Array($0.keys) } ?? [] })
    return versions.mapValues { version in
      guard var fields = version.version.fields else { return version }
      for name in names where fields[name] == nil { fields[name] = FieldVersion(.missing, time: nil) }
      return DocumentVersion(version: .present(fields), attachments: version.attachments)
    }
  }

  /// Keys in the order of the body, attachments at the end.
  private static func fields(_ versions: [RecordVersion]) -> [Field] {
    var values: [String: [Value]] = [:]
    for fields in versions.compactMap(\.fields) {
      for (name, version) in fields { values[name, default: []].append(version.value) }
    }
    let names = values.keys.map { JSONText($0) }.sorted { left, right in
      let (first, second) = (left.text.hasPrefix(Attachment.prefix), right.text.hasPrefix(Attachment.prefix))
      return first == second ? left < right : second
    }
    return names.map { name in
      let isAttached = name.text.hasPrefix(Attachment.prefix)
      return Field(
        name.text, kind: kind(values[name.text] ?? []), form: isAttached ? .attachment : .json)
    }
  }

  /// The kind that all values have, where they have one; whole numbers beside others are numbers.
  private static func kind(_ values: [Value]) -> Field.Kind {
    let kinds = Set(values.filter { $0 != .null && $0 != .missing }.map(\.documentKind))
    if kinds == [.integer, .real] { return .real }
    return kinds.count == 1 ? kinds.first ?? .any : .any
  }
}

extension Value {
  fileprivate var documentKind: Field.Kind {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .null, .blob, .opaque: .any
    }
  }
}
