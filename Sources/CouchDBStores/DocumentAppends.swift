import ExactJSON
import Journals
import Merging
import RevisionTrees
import StoreInterface

/// What a write adds to one document: revisions, in stages, of which none begins before the server has accepted the one before.
///
///     draft    first                              then
///     save     the draft, on the winner           a tombstone on every other live leaf
///     delete   a tombstone on the winner          a tombstone on every other live leaf
///     undo     the losers' bodies, on what        the former winner's body, on what was
///              was appended to them               appended to it
///
/// Keeping both begins with the new documents, one stage before, and its undo ends with their deletion: at no time is there less than
/// was decided to stay.
///
/// Both at once would lose data: where the server refuses the draft it still takes the tombstones (FORMAT.md, "The order of
/// writing"). Ids follow from parent and body, so two desks that decide alike make the same revisions.
///
/// Where no leaf is live the server takes nothing but a revision without a parent, which it appends to the deletion that wins: so the
/// undo of a deletion begins with that one.
package struct DocumentAppends: Sendable, Equatable {
  struct Append: Sendable, Equatable {
    /// A document that the write makes, or its undo deletes; nil: the one that all of it is about.
    var other: String?
    /// Empty for a document that is not there yet.
    var parent: String
    let isDeleted: Bool
    let members: [JSONText: JSONValue]
    /// As they are told without their bytes, and the revision that has these; nil if the parent has them.
    var attachments: [JSONText: Attachment]
    /// Whether no leaf is live before it.
    var isFirstLife = false

    static func tombstone(_ parent: String) -> Append {
      Append(parent: parent, isDeleted: true, members: [:], attachments: [:])
    }
  }

  struct Attachment: Sendable, Equatable {
    let told: JSONValue
    let source: String?
    /// Of the bytes, where they are at hand.
    var sha256: [UInt8]?
    /// Length and digest as the server tells them once these bytes are sent, unless it packs them: what it has of them may be packed
    /// by whoever attached them.
    var plain: JSONValue?
  }

  /// A live leaf of before.
  struct Leaf: Sendable, Equatable {
    let id: String
    let members: [JSONText: JSONValue]
    let attachments: [JSONText: JSONValue]
    /// The SHA-256 of those whose bytes are at hand: the server drops them some day.
    var kept: [JSONText: [UInt8]] = [:]
  }

  let document: String
  /// The winner first.
  var before: [Leaf]
  var stages: [[Append]]
  /// What has to be the winner's line in the end: whoever descends from this revision. nil: whatever wins.
  let winning: String?
  /// Of an undo: what the write had appended to the leaves of before. Whatever descends from these is what it brings back.
  var ends: [String] = []
  /// The bytes of attachments, by their SHA-256.
  var parts: [[UInt8]: [UInt8]] = [:]
  /// What a write calls it, if that is not the document's name.
  var record: String?
  /// The attachments whose bytes are not at hand for an undo, and why.
  var notKept: [String] = []
  /// All leaves that it had when this was planned, deleted ones, too; nil if nobody asked.
  var leaves: Set<String>?

  var all: [Append] { stages.flatMap(\.self) }
  /// Without what is done to other documents.
  var own: [Append] { all.filter { $0.other == nil } }
  var others: [Append] { all.filter { $0.other != nil } }
  /// The names of all documents that it is about.
  var documents: [String] { [document] + others.compactMap(\.other).unique }

  /// The same without what is done already.
  func keeping(_ isLeft: (Append) throws -> Bool) rethrows -> DocumentAppends {
    var rest = self
    rest.stages = try stages.map { try $0.filter(isLeft) }.filter { !$0.isEmpty }
    return rest
  }
}

extension DocumentAppends.Leaf {
  init(_ revision: ServerRevision) {
    self.init(id: revision.id, members: revision.members, attachments: revision.attachments)
  }
}

/// A draft.
extension DocumentAppends {
  /// - Parameter signature: who resolved it, if its deletions are to tell that, and what lost.
  /// - Throws: ``Refusal`` if a document cannot hold it.
  init(_ draft: Draft, on document: ServerDocument, signedBy signature: String? = nil) throws {
    let live = document.live
    guard let winner = live.first else { throw Moved("it is no longer in conflict") }
    let first: Append
    switch draft.action {
    case .save(let fields): first = try Append(fields, on: winner, beside: live)
    case .delete: first = .tombstone(winner, keeping: [:], signature)
    case .alternative(let id): throw Refusal(nil, "no database knows \(id)")
    }
    let kept = first.isDeleted ? [:] : first.members
    self.init(
      document: document.id, before: live.map { Leaf($0) },
      stages: [[first], live.dropFirst().map { .tombstone($0, keeping: kept, signature) }],
      winning: nil)
  }
}

extension DocumentAppends.Append {
  /// - Parameter kept: what is there in its place.
  static func tombstone(
    _ leaf: ServerRevision, keeping kept: [JSONText: JSONValue], _ signature: String?
  ) -> DocumentAppends.Append {
    guard let signature else { return .tombstone(leaf.id) }
    let lost = leaf.members.filter { kept[$0.key] != $0.value }
    let told = JSONValue.object(["resolvedBy": .string(signature), "lost": .object(lost)])
    return DocumentAppends.Append(
      parent: leaf.id, isDeleted: true, members: ["parley": told], attachments: [:])
  }
}

extension DocumentAppends.Append {
  fileprivate init(_ fields: [FieldDraft], on winner: ServerRevision, beside live: [ServerRevision]) throws {
    var members: [JSONText: JSONValue] = [:]
    var attachments: [JSONText: DocumentAppends.Attachment] = [:]
    for field in fields where field.value != .missing {
      if field.name.hasPrefix(Field.attachmentPrefix) {
        let (name, attachment) = try Self.attachment(field, winner, live)
        attachments[name] = attachment
      } else if ServerRevision.isServers(field.name) {
        throw Refusal(field.name, "CouchDB keeps names that begin with _ for itself")
      } else {
        guard let json = field.value.json else {
          throw Refusal(field.name, field.value.reasonNoJSON)
        }
        members[JSONText(field.name)] = json
      }
    }
    self.init(parent: winner.id, isDeleted: false, members: members, attachments: attachments)
  }

  /// From the winner as it is told; from another leaf with its bytes: a stub would take the winner's bytes without a word.
  private static func attachment(
    _ field: FieldDraft, _ winner: ServerRevision, _ live: [ServerRevision]
  ) throws -> (JSONText, DocumentAppends.Attachment) {
    for leaf in live {
      guard let (name, value) = leaf.attachment(field.name), value == field.value,
        let told = leaf.attachments[name]
      else { continue }
      return (name, DocumentAppends.Attachment(told: told, source: leaf.id == winner.id ? nil : leaf.id))
    }
    throw Refusal(field.name, "an attachment is taken from a leaf as it is, or left out")
  }
}

/// The mending of a problem by tombstones.
extension DocumentAppends {
  /// nil where there is none.
  init?(mending problem: DocumentProblem, of document: ServerDocument) {
    guard let ids = problem.tombstones(in: document.tree), let winner = document.live.first else {
      return nil
    }
    let leaves = document.live.filter { ids.contains($0.id) }
    self.init(
      document: document.id, before: leaves.map { Leaf($0) }, stages: [leaves.map { .tombstone($0.id) }],
      winning: ids.contains(winner.id) ? nil : winner.id)
  }
}

/// The undo of a write. Nothing is removed: on what was appended to each leaf of before follows that leaf's content.
extension DocumentAppends {
  private struct End {
    let leaf: Leaf
    /// What the write appended to it.
    let child: String
    let isDeletion: Bool
    let revival: Append
  }

  /// - Throws: `Moved` if the document went on since.
  ///
  /// - Parameter others: the documents that the write made.
  init(
    undoing write: DocumentAppends, on document: ServerDocument, _ others: [JSONText: ServerDocument] = [:]
  )
    throws
  {
    let ends = try DocumentAppends.ends(of: write, document)
    let deletions = try write.deletions(of: others)
    if ends.isEmpty, deletions.isEmpty { throw Moved("nothing of the write is there") }
    var winning = write.winning ?? ends.first { $0.leaf.id == write.before.first?.id }?.child
    // Of a write that came no further than its new documents.
    if ends.isEmpty { winning = write.before.first?.id }
    let open = ends.filter { end in
      guard document.isLeaf(end.child) else { return false }
      // An earlier undo may have brought it back on an older deletion.
      guard end.isDeletion, let elsewhere = document.revived(end.revival, notOf: write.before.map(\.id))
      else {
        return true
      }
      if winning == end.child { winning = elsewhere }
      return false
    }
    // An earlier undo may have gone a part of the way, and somebody on from there.
    guard ends.allSatisfy({ document.isLeaf($0.child) || $0.isDeletion || document.hasMade($0.revival) })
    else {
      throw Moved("it went on since it was written")
    }
    // A write that left the winner alone says which one that is.
    let winner = write.winning == nil ? write.before.first?.id : nil
    var stages = [open.filter { $0.leaf.id != winner }, open.filter { $0.leaf.id == winner }].map {
      $0.map(\.revival)
    }
    if document.live.isEmpty { DocumentAppends.beginWithLife(&stages, &winning, document) }
    self.init(
      document: document.id, before: open.compactMap { document.revisions[$0.child].map { Leaf($0) } },
      stages: (stages + [deletions]).filter { !$0.isEmpty }, winning: winning,
      ends: ends.map(\.child), parts: write.parts)
  }

  /// What the write appended to the leaves of before. One that is not found may be there under a content that nobody knows, or was
  /// purged: without it another conflict would come back than there was.
  ///
  /// - Throws: `Moved` if one is not there that the server must have accepted.
  private static func ends(of write: DocumentAppends, _ document: ServerDocument) throws -> [End] {
    let ends = write.before.map { (leaf: $0, end: end($0, of: write, document)) }
    let found = Set(ends.compactMap { $0.end?.leaf.id })
    let accepted = write.accepted(as: found)
    for (leaf, end) in ends where end == nil && write.own.contains(where: { $0.parent == leaf.id }) {
      if !document.knows(leaf.id) {
        throw Moved(
          "the server does not know \(leaf.id) any more, which was purged, or is too old for its limit")
      }
      if accepted.contains(leaf.id) {
        throw Moved(
          "what was written on \(leaf.id) is not found there: it was purged, or the server made something else of it"
        )
      }
    }
    return ends.compactMap(\.end)
  }

  /// The leaves on which something is, as no stage begins before all of the one before is accepted.
  private func accepted(as found: Set<String>) -> Set<String> {
    let stages = stages.map { $0.filter { $0.other == nil }.map(\.parent) }
    let last = stages.lastIndex { !found.isDisjoint(with: $0) } ?? 0
    return Set(stages[..<last].joined())
  }

  /// nil for a leaf to which the write appended nothing: it is a leaf still, or somebody else went on from it.
  private static func end(_ leaf: Leaf, of write: DocumentAppends, _ document: ServerDocument) -> End? {
    guard let append = write.own.first(where: { $0.parent == leaf.id }) else { return nil }
    let children = document.children(of: leaf.id)
    let made = children.first { document.revisions[$0].map(append.isMade) ?? false }
    // One that somebody went on from is no leaf, and its content is not here.
    guard let child = made ?? children.first(where: { document.revisions[$0] == nil }) else { return nil }
    return End(
      leaf: leaf, child: child, isDeletion: append.isDeleted,
      revival: Append(reviving: leaf, on: child, document.revisions[child], write.parts))
  }

  /// The deletion that wins is brought back to life first. That may be one of long ago: then the former winner goes on from there.
  private static func beginWithLife(
    _ stages: inout [[Append]], _ winning: inout String?, _ document: ServerDocument
  ) {
    let all = stages.flatMap(\.self)
    guard let place = document.tree.winner, let last = all.last else { return }
    let top = document.tree.revisions[place].id
    var first = all.first { $0.parent == top } ?? last
    let replaced = first.parent
    if winning == replaced { winning = top }
    (first.parent, first.isFirstLife) = (top, true)
    stages = [[first]] + stages.map { $0.filter { $0.parent != replaced } }
  }
}

extension ServerDocument {
  /// The deletion from which a live leaf with this content went on, if that is on none of these leaves' lines.
  fileprivate func revived(_ append: DocumentAppends.Append, notOf leaves: [String]) -> String? {
    live.first { append.isMade($0) && !leaves.contains(where: $0.history.contains) }?.history.dropFirst()
      .first
  }

  /// Whether a revision was made already, and is here.
  fileprivate func hasMade(_ append: DocumentAppends.Append) -> Bool {
    children(of: append.parent).contains { revisions[$0].map(append.isMade) ?? false }
  }
}

extension DocumentAppends.Append {
  /// - Parameter end: what its parent is; what that has attached need not be sent.
  fileprivate init(
    reviving leaf: DocumentAppends.Leaf, on parent: String, _ end: ServerRevision?,
    _ parts: [[UInt8]: [UInt8]]
  ) {
    let attachments = leaf.attachments.map { name, told in
      let there = end?.attachments[name]
      let isThere = there?["digest"] == told["digest"] && there?["content_type"] == told["content_type"]
      var attachment = DocumentAppends.Attachment(
        told: isThere ? there ?? told : told, source: isThere ? nil : leaf.id, sha256: leaf.kept[name])
      if let bytes = leaf.kept[name].flatMap({ parts[$0] }) { attachment.sent(bytes) }
      return (name, attachment)
    }
    self.init(
      parent: parent, isDeleted: false, members: leaf.members,
      attachments: Dictionary(uniqueKeysWithValues: attachments))
  }

  /// Whether a revision is what this one makes. By value: the server writes numbers its own way, and tells attachments anew.
  func isMade(_ revision: ServerRevision) -> Bool {
    guard revision.isDeleted == isDeleted else { return false }
    return isDeleted
      || JSONValue.object(members).isStored(as: .object(revision.members))
        && attachments.count == revision.attachments.count
        && attachments.allSatisfy { name, sent in revision.attachments[name].map(sent.mayBe) ?? false }
  }
}

extension DocumentAppends.Attachment {
  /// Whether the server may tell this one so. A text that came from elsewhere may be packed otherwise here: then length and type have
  /// to do.
  fileprivate func mayBe(_ other: JSONValue) -> Bool {
    if told["digest"] == other["digest"] { return true }
    guard source != nil, told["content_type"] == other["content_type"] else { return false }
    if told.isPacked { return [told["length"], plain?["length"]].contains(other["length"]) }
    return plain?["digest"] == other["digest"] && plain?["length"] == other["length"]
  }
}

extension JSONValue {
  /// Whether servers pack an attachment of this type before they store it, so that its digest is no digest of its bytes.
  var isPacked: Bool {
    let type = (self["content_type"]?.string ?? "").lowercased()
    return type.hasPrefix("text/") || ["json", "xml", "javascript"].contains { type.contains($0) }
  }

  /// Whether the server may show this value as `other`: 1.10 as 1.1, -0.0 as 0.0.
  func isStored(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.literal(let left), .literal(let right)):
      left == right || JSONValue.isStored(left, as: right)
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isStored(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.isStored(as: $0) } ?? false }
    default: false
    }
  }
}

extension JSONValue {
  /// Whole numbers stay as they are, of any size, but for the sign of nought; others are Doubles, of which the smallest end as zero.
  private static func isStored(_ left: String, as right: String) -> Bool {
    guard left.contains(where: { ".eE".contains($0) }) else { return left == "-0" && right == "0" }
    guard let sent = Double(left), let kept = Double(right) else { return false }
    if sent == kept || kept == 0 && sent.magnitude < Double.leastNormalMagnitude { return true }
    // A whole number with an exponent is multiplied out there, each step rounded.
    return !left.contains(".") && kept.isFinite && (sent - kept).magnitude <= 4 * sent.ulp
  }
}

/// What the journal keeps.
extension DocumentAppends {
  static let kind = "appends"

  func payload() -> Payload { Payload(kind: DocumentAppends.kind, bytes: json.canonical, parts: parts) }

  init(_ kept: KeptIntent) throws {
    guard let payload = kept.payload, payload.kind == DocumentAppends.kind else {
      throw Damage("it is no write of a document")
    }
    self = try DocumentAppends(parsing: payload.bytes)
    for sum in before.flatMap(\.kept.values) + all.flatMap({ $0.attachments.values.compactMap(\.sha256) }) {
      guard let bytes = try kept.part(sum) else { throw Damage("the bytes of an attachment are not there") }
      parts[sum] = bytes
    }
  }

  /// Without the bytes of attachments.
  init(parsing bytes: [UInt8]) throws {
    guard let json = try? JSONValue(parsing: bytes), let appends = DocumentAppends(json) else {
      throw Damage("it is no write of a document")
    }
    self = appends
  }

  private var json: JSONValue {
    .object([
      "document": .string(document), "winning": winning.map { .string($0) } ?? .null,
      "ends": .array(ends.map { .string($0) }),
      "before": .array(
        before.map { leaf in
          .object([
            "rev": .string(leaf.id), "body": .object(leaf.members), "attachments": .object(leaf.attachments),
            "kept": .object(leaf.kept.mapValues { .string(Hexadecimal.text($0)) }),
          ])
        }), "stages": .array(stages.map { .array($0.map(\.json)) }),
    ])
  }

  private init?(_ json: JSONValue) {
    guard let document = json["document"]?.string else { return nil }
    self.init(
      document: document,
      before: (json["before"]?.elements ?? []).compactMap { leaf in
        leaf["rev"]?.string.map {
          Leaf(
            id: $0, members: leaf["body"]?.members ?? [:], attachments: leaf["attachments"]?.members ?? [:],
            kept: (leaf["kept"]?.members ?? [:]).compactMapValues { $0.string.flatMap(Hexadecimal.bytes) })
        }
      },
      stages: (json["stages"]?.elements ?? []).map { $0.elements.compactMap { Append($0) } },
      winning: json["winning"]?.string, ends: (json["ends"]?.elements ?? []).compactMap(\.string))
  }
}

extension DocumentAppends.Append {
  fileprivate var json: JSONValue {
    .object([
      "other": other.map { .string($0) } ?? .null, "parent": .string(parent),
      "first": .literal(isFirstLife ? "true" : "false"),
      "deleted": .literal(isDeleted ? "true" : "false"), "body": .object(members),
      "attachments": .object(
        attachments.mapValues {
          .object([
            "told": $0.told, "of": $0.source.map { .string($0) } ?? .null,
            "sha256": $0.sha256.map { .string(Hexadecimal.text($0)) } ?? .null,
            "plain": $0.plain ?? .null,
          ])
        }),
    ])
  }

  fileprivate init?(_ json: JSONValue) {
    guard let parent = json["parent"]?.string else { return nil }
    self.init(
      other: json["other"]?.string, parent: parent, isDeleted: json["deleted"]?.isTrue ?? false,
      members: json["body"]?.members ?? [:],
      attachments: (json["attachments"]?.members ?? [:]).mapValues {
        DocumentAppends.Attachment(
          told: $0["told"] ?? .null, source: $0["of"]?.string,
          sha256: $0["sha256"]?.string.flatMap(Hexadecimal.bytes),
          plain: $0["plain"].flatMap { $0 == .null ? nil : $0 })
      }, isFirstLife: json["first"]?.isTrue ?? false)
  }
}

extension JSONValue {
  var members: [JSONText: JSONValue] { if case .object(let members) = self { members } else { [:] } }
}
