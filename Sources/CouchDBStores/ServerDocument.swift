import ExactJSON
import Merging
import RevisionTrees
import StoreInterface

/// A document as its server tells it: all of its leaves, with what they descend from.
struct ServerDocument: Sendable {
  let id: String
  let tree: RevisionTree
  /// By their ids; beside the leaves also what else was read of it.
  let revisions: [String: ServerRevision]
  /// What kept the ancestor's body from being had from elsewhere, as a sentence.
  private var hindrance: DocumentNote?

  /// - Parameter others: revisions that are no leaves, and were read for their bodies.
  init(id: String, leaves: [ServerRevision], others: [ServerRevision] = []) {
    self.id = id
    revisions = Dictionary((leaves + others).map { ($0.id, $0) }) { first, _ in first }
    var parents: [String: String] = [:]
    var ids: [String] = []
    var known: Set<String> = []
    for leaf in leaves {
      for id in leaf.history where known.insert(id).inserted { ids.append(id) }
      for (child, parent) in zip(leaf.history, leaf.history.dropFirst()) { parents[child] = parent }
    }
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })
    tree = RevisionTree(
      ids.map { [revisions] id in
        RevisionTree.Revision(
          id: id, isDeleted: revisions[id]?.isDeleted ?? false, hasBody: revisions[id] != nil)
      }, parents: ids.map { parents[$0].flatMap { places[$0] } }, order: .couchDB)
  }

  func revision(_ place: Int) -> ServerRevision? { revisions[tree.revisions[place].id] }

  /// Its live leaves, the winner first.
  var live: [ServerRevision] { tree.liveLeaves.compactMap(revision) }

  /// What was made of a revision; of none, what the document began with.
  func children(of id: String) -> [String] {
    if id.isEmpty { return tree.roots.map { tree.revisions[$0].id } }
    guard let place = tree.revisions.firstIndex(where: { $0.id == id }) else { return [] }
    return tree.children[place].map { tree.revisions[$0].id }
  }

  /// Whether it is in the tree, with or without its body.
  func knows(_ id: String) -> Bool { tree.revisions.contains { $0.id == id } }

  /// Whether what was made of a revision is not to be seen any more: it was purged, or is too old for the server's limit. Of none was made
  /// what a document began with.
  func hasForgotten(_ id: String) -> Bool { !id.isEmpty && !knows(id) }

  var leaves: Set<String> { Set(tree.leaves.map { tree.revisions[$0].id }) }

  func isLeaf(_ id: String) -> Bool { tree.leaves.contains { tree.revisions[$0].id == id } }

  /// The ancestor whose body it takes to merge; nil where there is none, or nothing to merge.
  var ancestor: String? {
    tree.isConflict ? tree.commonAncestor(of: tree.liveLeaves).map { tree.revisions[$0].id } : nil
  }

  /// nil if it is not in conflict.
  func conflict(_ rules: MergeRules) -> RecordConflict? {
    let document = TreeDocument(id: id, tree: tree) { places in
      places.reduce(into: [:]) { $0[$1] = revision($1)?.version ?? TreeDocument.notKept }
    }
    let lent = ancestor.flatMap { revisions[$0]?.source }.map {
      DocumentNote("The body of the common ancestor is from \($0).", naming: [.place($0)])
    }
    var conflict = document?.conflict(
      rules, notes: [lent, hindrance].compactMap(\.self), notWritable: nil, isTreeKnown: unreadLeaf == nil)
    conflict?.details.takesAncestors = true
    conflict?.details.notedNames += live.compactMap(\.failure).flatMap(\.names).map {
      RecordConflict.NotedName.quoted($0)
    }
    return conflict
  }

  /// Why a live leaf of it cannot be read; nil if all can.
  var unread: Evidence? { live.lazy.compactMap(\.failure).first }

  /// Why a leaf of it, live or deleted, cannot be read, and so not what it descends from either; nil if all can.
  var unreadLeaf: Evidence? { tree.leaves.lazy.compactMap { self.revision($0)?.failure }.first }

  /// Whether something may have been made of a revision that is not seen here: below it may be a leaf that cannot be read.
  func mayHide(childrenOf id: String) -> Bool {
    if isLeaf(id) { return false }
    return tree.leaves.compactMap(revision).contains {
      $0.failure != nil && RevisionID($0.id).generation > RevisionID(id).generation
    }
  }
}

extension ServerDocument {
  /// As a person saw it, without what the leaves descend from.
  ///
  /// nil where something of it is in none of its fields: of an attachment these only say what it is compared by.
  init?(seen: RecordConflict) {
    let leaves = seen.details.leaves.compactMap { ServerRevision($0) }
    guard leaves.count == seen.details.leaves.count else { return nil }
    self.init(id: seen.id, leaves: leaves)
  }
}

/// One revision with its body.
struct ServerRevision: Sendable, Equatable {
  let id: String
  let isDeleted: Bool
  /// Itself, its parent, and so on to the oldest that the server still knows.
  let history: [String]
  /// Without what the server tells beside it.
  let members: [JSONText: JSONValue]
  /// As they are told without their bytes, by their names.
  let attachments: [JSONText: JSONValue]
  /// How another revision tells those that hold the same bytes, packed otherwise: they are compared by that, and read by their own.
  private(set) var alike: [JSONText: JSONValue] = [:]
  /// The SHA-256 of those whose bytes were read to know what is in them.
  var contents: [JSONText: [UInt8]] = [:]
  /// Where it was found, if that is not this server.
  var source: String?
  /// Why nobody can read what is in it.
  var failure: Evidence?
  /// Whether something told that it is deleted, or that it is not.
  private(set) var isFateTold = true

  /// nil if that is no revision.
  init?(_ json: JSONValue) {
    guard case .object(let all) = json, let id = json["_rev"]?.string else { return nil }
    self.id = id
    isDeleted = json["_deleted"]?.isTrue ?? false
    let told = json["_revisions"]
    let start = told?["start"]?.integer ?? RevisionID(id).generation
    let suffixes = (told?["ids"]?.elements ?? []).compactMap(\.string)
    history = suffixes.isEmpty ? [id] : suffixes.enumerated().map { "\(start &- $0.offset)-\($0.element)" }
    members = all.filter { !ServerRevision.isServers($0.key.text) }
    attachments = if case .object(let attachments)? = json["_attachments"] { attachments } else { [:] }
  }

  /// The same, or one that cannot be read: what descends from what is told by the history, and would be another tree. Whether it is deleted
  /// is told by no history, and stays.
  var checked: ServerRevision {
    if history.first == id { return self }
    return ServerRevision(id, failure: "the server tells the history of another one").unread(
      isDeleted: isDeleted)
  }

  /// Whether a member of this name is the server's own. What replicators note in their documents, and what is to rule who may read
  /// one, is kept in any document, as if it were its app's.
  static func isServers(_ name: String) -> Bool { name.hasPrefix("_") && !kept.contains(name) }

  private static let kept: Set<String> = [
    "_access", "_replication_id", "_replication_state", "_replication_state_reason",
    "_replication_state_time",
    "_replication_stats",
  ]

  /// One that the server has, and does not tell.
  init(_ id: String, failure: Evidence) {
    self.init(id: id, isDeleted: false, members: [:])
    (self.failure, isFateTold) = (failure, false)
  }

  /// The same of one that cannot be read, where something else told whether it is deleted; nil if nothing did.
  func unread(isDeleted: Bool?) -> ServerRevision {
    var revision = ServerRevision(id: id, isDeleted: isDeleted ?? false, members: [:])
    revision.isFateTold = isDeleted != nil
    revision.failure = failure.map {
      isDeleted == nil ? $0 + "; nobody tells whether it is live or deleted" : $0
    }
    return revision
  }

  /// nil if a person was not shown all of it.
  init?(_ leaf: Leaf) {
    guard !leaf.isDeleted else {
      self.init(id: leaf.id, isDeleted: true, members: [:])
      return
    }
    guard let fields = leaf.version.fields?.filter({ $0.value.value != .missing }) else { return nil }
    let members = fields.compactMap { name, version in
      name.hasPrefix(Field.attachmentPrefix) ? nil : version.value.json.map { (JSONText(name), $0) }
    }
    guard members.count == fields.count else { return nil }
    self.init(id: leaf.id, isDeleted: false, members: Dictionary(uniqueKeysWithValues: members))
  }

  private init(id: String, isDeleted: Bool, members: [JSONText: JSONValue]) {
    (self.id, self.isDeleted, self.members) = (id, isDeleted, members)
    (history, attachments) = ([id], [:])
  }

  var version: RecordVersion {
    if isDeleted { return .deleted(time: nil) }
    if let failure { return .unknown(reason: "it cannot be read: \(failure)") }
    guard Set(attachments.keys.map(\.text)).count == attachments.count else {
      return .unknown(reason: "two of its attachments are called alike but for their Unicode normal form")
    }
    let attached = attachments.keys.map { (Field.attachmentPrefix + $0.text, value(of: $0) ?? .missing) }
    return TreeDocument.version(
      Result { try DocumentBody(members) }, attachments: Dictionary(attached) { _, last in last })
  }

  /// What two revisions are compared by: all that a replica would see, and not in which generation it was added.
  static func value(_ attachment: JSONValue) -> Value {
    let members: [JSONText: JSONValue] = [
      "digest": attachment["digest"] ?? .null, "length": attachment["length"] ?? .null,
      "content_type": attachment["content_type"] ?? .null,
    ]
    return .opaque(kind: Value.attachmentKind, bytes: JSONValue.object(members).canonical)
  }

  /// The attachments that a field stands for, by name.
  func attachment(_ field: String) -> (name: JSONText, value: Value)? {
    let name = JSONText(String(field.dropFirst(Field.attachmentPrefix.count)))
    return value(of: name).map { (name, $0) }
  }

  /// nil if nothing of this name is attached.
  func value(of name: JSONText) -> Value? {
    attachments[name].map { ServerRevision.value(alike[name] ?? $0) }
  }
}

extension ServerRevision {
  /// One that is not kept here, as another place has it; nil if what it has attached cannot be told from there.
  ///
  /// - Parameter leaves: values that these have, too, are no change however they are written there: 1.10 is 1.1 here.
  init?(_ id: String, _ body: RevisionBody, from source: String, beside leaves: [ServerRevision]) {
    guard let attachments = body.attachments ?? (leaves.allSatisfy(\.attachments.isEmpty) ? [:] : nil) else {
      return nil
    }
    (self.id, isDeleted, history, self.attachments, self.source) = (id, false, [id], attachments, source)
    let own = body.members.map { key, value in
      (key, leaves.lazy.compactMap { $0.members[key] }.first { value.isStored(as: $0) } ?? value)
    }
    members = Dictionary(uniqueKeysWithValues: own)
  }

  /// The same, where this attachment is compared as another revision tells its equal.
  func telling(_ name: JSONText, as told: JSONValue) -> ServerRevision {
    var revision = self
    revision.alike[name] = told
    return revision
  }
}

extension ServerDocument {
  /// The same, with revisions that are no leaves.
  func knowing(_ others: [ServerRevision]) -> ServerDocument {
    ServerDocument(
      id: id, leaves: tree.leaves.compactMap(revision), others: others.filter { revisions[$0.id] == nil })
  }

  /// The same, where each of its revisions is another one.
  func mapping(_ change: (ServerRevision) throws -> ServerRevision) rethrows -> ServerDocument {
    let leaves = leaves
    var document = ServerDocument(
      id: id, leaves: try tree.leaves.compactMap(revision).map(change),
      others: try revisions.values.filter { !leaves.contains($0.id) }.map(change))
    document.hindrance = hindrance
    return document
  }

  /// The same, where a person is told this of its ancestor.
  func noting(_ hindrance: DocumentNote) -> ServerDocument {
    var document = self
    document.hindrance = hindrance
    return document
  }
}
