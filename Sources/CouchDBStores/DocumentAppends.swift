import ExactJSON
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
    /// As they are told without their bytes.
    var attachments: [JSONText: Attachment]
    /// Whether no leaf is live before it.
    var isFirstLife = false

    static func tombstone(_ parent: String) -> Append {
      Append(parent: parent, isDeleted: true, members: [:], attachments: [:])
    }
  }

  struct Attachment: Sendable, Equatable {
    let told: JSONValue
    /// The revision that has its bytes, which are sent. That may be the parent: then a stub is sent where they are too long, or cannot
    /// be had. nil: a stub, which takes the parent's.
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
  /// Of an undo: what the write had appended to the leaves of before, or a deletion that bears one in place of that. Whatever descends
  /// from these is what it brings back.
  var ends: [String] = []
  /// The bytes of attachments, by their SHA-256.
  var parts: [[UInt8]: [UInt8]] = [:]
  /// What a write calls it, if that is not the document's name.
  var record: String?
  /// The attachments whose bytes are not at hand for an undo, and why.
  var notKept: [String] = []
  /// All leaves that it had when this was planned, deleted ones, too; nil if nobody asked.
  var leaves: Set<String>?
  /// How many revisions of an undo an earlier one has made already.
  var doneBefore = 0
  /// What the server called what it accepted of it, for its undo.
  var acceptedIDs = AcceptedIDs()

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
  static let noSuchAttachment = "an attachment is taken as a revision on the server has it, or left out"

  /// - Parameter signature: who resolved it, if its deletions are to tell that, and what lost.
  /// - Throws: ``Refusal`` if a document cannot hold it.
  init(_ draft: Draft, on document: ServerDocument, signedBy signature: String? = nil) throws {
    let live = document.live
    guard let winner = live.first else { throw Moved("it is no longer in conflict") }
    let first: Append
    switch draft.action {
    case .save(let fields): first = try Append(fields, on: winner, beside: live, before: document.inner)
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
    let whole = JSONValue.object(["resolvedBy": .string(signature), "lost": .object(lost)])
    // A deletion that nobody can read could not be taken back either.
    let told = whole.depth > deepestMember ? .object(["resolvedBy": .string(signature)]) : whole
    return DocumentAppends.Append(
      parent: leaf.id, isDeleted: true, members: ["parley": told], attachments: [:])
  }

  /// In levels, as far as a document is read: it comes six levels deep in an answer about several.
  private static let deepestMember = JSONValue.rules.depth - 6
}

extension DocumentAppends.Append {
  fileprivate init(
    _ fields: [FieldDraft], on winner: ServerRevision, beside live: [ServerRevision],
    before ancestors: [ServerRevision]
  ) throws {
    var members: [JSONText: JSONValue] = [:]
    var attachments: [JSONText: DocumentAppends.Attachment] = [:]
    for field in fields where field.value != .missing {
      if field.name.hasPrefix(Field.attachmentPrefix) {
        let (name, attachment) = try Self.attachment(field, winner, live, ancestors)
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

  /// From another revision always with its bytes: a stub would take the winner's without a word.
  private static func attachment(
    _ field: FieldDraft, _ winner: ServerRevision, _ live: [ServerRevision], _ ancestors: [ServerRevision]
  ) throws -> (JSONText, DocumentAppends.Attachment) {
    for revision in live + ancestors {
      guard let (name, value) = revision.attachment(field.name), value == field.value,
        let told = revision.attachments[name]
      else { continue }
      let isStub = revision.id == winner.id && live.haveAlike(name)
      return (name, DocumentAppends.Attachment(told: told, source: isStub ? nil : revision.id))
    }
    throw Refusal(field.name, DocumentAppends.noSuchAttachment)
  }
}

extension ServerDocument {
  /// Those that are known, and are no leaves.
  fileprivate var inner: [ServerRevision] { revisions.values.filter { !isLeaf($0.id) } }

  /// Whether no live leaf has an attachment of a draft.
  fileprivate func lacks(_ field: FieldDraft) -> Bool {
    field.name.hasPrefix(Field.attachmentPrefix) && field.value != .missing
      && !live.contains { $0.attachment(field.name)?.value == field.value }
  }
}

extension CouchDBServer {
  /// The same document with its ancestor, if the draft takes an attachment from there, and the server keeps it.
  func withAncestor(_ document: ServerDocument, for draft: Draft) throws -> ServerDocument {
    guard case .save(let fields) = draft.action, fields.contains(where: document.lacks) else {
      return document
    }
    return document.knowing(try documents([document.id]).flatMap(\.inner))
  }
}

extension [ServerRevision] {
  /// Whether all of these leaves have the same under this name. Where they have not, what a revision takes over from its parent is sent
  /// as bytes, too: sync-android fills a stub from the leaf that won on the device, which may be another one.
  ///
  /// FORMAT.md, "What a device makes of a stub".
  func haveAlike(_ name: JSONText) -> Bool {
    guard let value = first?.value(of: name) else { return false }
    return allSatisfy { $0.value(of: name) == value }
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
