import ExactJSON
import Merging
import StoreInterface

/// A document whose history is a tree, as a conflict needs it: the winner is the client, the next live leaf the server, and the
/// newest revision that all live leaves descend from the ancestor.
package struct TreeDocument: Sendable {
  package let id: String
  package let tree: RevisionTree
  /// By the place of the revision in the tree: its live leaves, and the common ancestor where there is one.
  package let versions: [Int: RecordVersion]
  package let ancestor: Int?
  /// The fields whose names its live leaves spell in more than one way, as the first of them does.
  private let twofold: [String]

  /// The table that a document is in, for a person and for the rules of a configuration: what an application is made of is no data
  /// of its users.
  package static func table(of id: String) -> String { id.hasPrefix("_design/") ? "_design" : "docs" }

  /// All that there are.
  package static let tables = ["docs", "_design"]

  /// nil if the document is not in conflict.
  ///
  /// - Parameter read: reads live leaves and ancestor.
  package init?(
    id: String, tree: RevisionTree, reading read: ([Int]) throws -> [Int: RecordVersion]
  ) rethrows {
    guard tree.isConflict else { return nil }
    (self.id, self.tree) = (id, tree)
    ancestor = tree.commonAncestor(of: tree.liveLeaves)
    let found = try read(TreeDocument.revisionsRead(of: tree))
    let spellings = NameSpellings(
      leaves: tree.liveLeaves.compactMap { found[$0] }, ancestor: ancestor.flatMap { found[$0] })
    versions = TreeDocument.completed(found, spellings.names)
    twofold = spellings.twofold.sorted()
  }

  /// The places of the revisions that a conflict is made of.
  package static func revisionsRead(of tree: RevisionTree) -> [Int] {
    tree.liveLeaves + [tree.commonAncestor(of: tree.liveLeaves)].compactMap(\.self)
  }

  /// The version that a body and its attachments make.
  ///
  /// - Parameter attachments: what each is compared by, under the name of its field.
  package static func version(
    _ body: Result<DocumentBody, any Error>, attachments: [String: Value]
  ) -> RecordVersion {
    switch body {
    case .failure(let error): .unknown(reason: "its body cannot be read: \(error)")
    case .success(let body):
      .present(body.fields.version.merging(attachments.version) { _, new in new })
    }
  }

  /// What no field has of a revision that is not here.
  package static let notKept = RecordVersion.unknown(reason: "not kept (compacted, or never replicated here)")

  /// What is not there any more once a leaf of this version is ended. Of one that cannot be read nothing is told.
  package static func ended(_ version: RecordVersion) -> [LastWrite.FieldChange] {
    guard let fields = version.fields else { return [] }
    return ordered(Set(fields.keys)).map {
      LastWrite.FieldChange(name: $0, before: fields[$0]?.value ?? .missing, after: nil)
    }
  }

  /// The same with a value for every key that any of them has: a key that is not there was removed, or never added, and
  /// either is an edit.
  private static func completed(
    _ versions: [Int: RecordVersion], _ names: Set<String>
  ) -> [Int: RecordVersion] {
    let names = FieldNames(ordered(names))
    return versions.mapValues { version in
      guard let known = version.fields else { return version }
      return .present(RecordVersion.Fields(names, known, orElse: FieldVersion(.missing, time: nil)))
    }
  }

  /// All names: keys in the order of a canonical body, attachments at the end.
  private static func ordered(_ names: Set<String>) -> [String] {
    names.map { JSONText($0) }.sorted { left, right in
      let (first, second) = (left.text.isAttachment, right.text.isAttachment)
      return first == second ? left < right : second
    }.map(\.text)
  }
}

extension TreeDocument {
  /// - Parameters:
  ///   - notes: what only the store can tell, beside what the tree tells.
  ///   - notWritable: why the store cannot write it; nil if it can.
  ///   - isTreeKnown: whether what the tree shows is all there is: of a leaf that cannot be read nobody knows the ancestors.
  package func conflict(
    _ rules: MergeRules, notes: [DocumentNote], notWritable: String?, isTreeKnown: Bool = true
  ) -> RecordConflict {
    let live = tree.liveLeaves
    let told = (isTreeKnown ? self.notes : []) + notes
    let threeWay = ThreeWay(
      ancestor: ancestor.map(version), client: version(live[0]), server: version(live[1]))
    var conflict = RecordConflict(
      id: id, table: TreeDocument.table(of: id), primaryKey: id,
      title: RecordTitle.title(of: threeWay) ?? RecordTitle.title(ofID: id), fields: fields,
      versions: threeWay, rules: rules,
      details: RecordConflict.Details(
        ancestorTag: ancestor.map { tree.revisions[$0].id }, serverTag: tree.revisions[live[1]].id,
        notes: told.map(\.words), notWritable: unreadableLeaf ?? renaming ?? notWritable,
        leaves: leaves))
    conflict.details.notedNames = told.flatMap(\.names)
    // The deletion stays the last of them.
    let (ways, apart) = (conflict.versionsAsAlternatives, KeptApart(conflict)?.alternative)
    conflict.details.alternatives =
      ways.dropLast() + (ways.isEmpty ? [] : [apart].compactMap(\.self)) + ways.suffix(1)
    return conflict
  }

  private func version(_ place: Int) -> RecordVersion { versions[place] ?? .absent }

  private var unreadableLeaf: String? {
    unreadLeaves == 0 ? nil : "a live leaf of it cannot be read, and would be deleted unseen"
  }

  private var unreadLeaves: Int {
    tree.liveLeaves.count { version($0).isUnknown || versions[$0] == nil }
  }

  private var renaming: String? {
    twofold.isEmpty
      ? nil : "its leaves spell a name in two Unicode normal forms, of which a write would keep one"
  }

  private var leaves: [Leaf] {
    tree.leaves.map { place in
      let revision = tree.revisions[place]
      return Leaf(
        id: revision.id, isDeleted: revision.isDeleted,
        version: revision.isDeleted ? .deleted(time: nil) : version(place))
    }
  }

  /// In the order of the versions' names.
  private var fields: [Field] {
    let known = versions.values.compactMap(\.fields)
    guard let names = known.first?.names.list else { return [] }
    // Place by place, as nearly all leaves have the same kind of value there.
    var kinds = Array(repeating: [Field.Kind](), count: names.count)
    for fields in known {
      fields.withSlots { slots in
        for place in slots.indices {
          guard let kind = slots[place].value.documentKind, kind != kinds[place].last else { continue }
          kinds[place].append(kind)
        }
      }
    }
    return zip(names, kinds).map { name, kinds in
      Field(
        name, kind: TreeDocument.kind(Set(kinds)), form: name.isAttachment ? .attachment : .json)
    }
  }

  /// The kind that all values have, where they have one; whole numbers beside others are numbers.
  private static func kind(_ kinds: Set<Field.Kind>) -> Field.Kind {
    if kinds == [.integer, .real] { return .real }
    return kinds.count == 1 ? kinds.first ?? .any : .any
  }
}

extension [String: Value] {
  fileprivate var version: RecordVersion.Fields {
    RecordVersion.Fields(mapValues { FieldVersion($0, time: nil) })
  }
}

/// What a person should know before deciding.
package struct DocumentNote: Sendable {
  package let words: String
  /// What it names that is somebody's.
  package let names: [RecordConflict.NotedName]

  package init(_ words: String, naming names: [RecordConflict.NotedName] = []) {
    (self.words, self.names) = (words, names)
  }
}

extension RevisionTree {
  /// Some of its revisions as a note names them: shortened, as it is shown with hidden values, too, and so that no two look alike.
  package func noted(_ ids: [String]) -> [RecordConflict.NotedName] {
    let names = RevisionName(toTellApart: revisions.map(\.id))
    return ids.map { .revision($0, short: names.short($0)) }
  }
}

/// As far as the tree tells.
extension TreeDocument {
  private var notes: [DocumentNote] {
    [ancestorNote, leavesNote, spuriousNote, spellingNote].compactMap(\.self)
  }

  private func noted(_ places: [Int]) -> [RecordConflict.NotedName] {
    tree.noted(places.map { tree.revisions[$0].id })
  }

  private var ancestorNote: DocumentNote? {
    guard let ancestor else {
      return DocumentNote(
        "The leaves have no common ancestor: the document was made twice, or its history was cut off.")
    }
    let revision = tree.revisions[ancestor]
    if revision.hasBody || revision.isDeleted { return nil }
    let nearest = tree.nearestKeptAncestor(of: tree.liveLeaves)
    let names = noted([ancestor] + [nearest].compactMap(\.self))
    let words = "The common ancestor \(names[0].written) is not kept (compacted, or never replicated here)."
    let hint = names.dropFirst().map {
      " The nearest older one that is kept is \($0.written); it is a hint only."
    }
    return DocumentNote(words + hint.joined(), naming: names)
  }

  private var leavesNote: DocumentNote? {
    let (live, deleted) = (tree.liveLeaves.count, tree.deletedLeaves.count)
    let words = deleted == 0 ? "" : ", \(deleted) deleted \(deleted == 1 ? "one" : "ones") beside them"
    if live <= 2 { return nil }
    return DocumentNote("\(live) leaves are live\(words). Suggestions \(counting).")
  }

  /// Of a leaf that cannot be read nobody knows what it changed.
  private var counting: String {
    switch unreadLeaves {
    case 0: "take all of them into account"
    case 1: "leave out the one that cannot be read, which may have changed a field, too"
    case let unread: "leave out the \(unread) that cannot be read, which may have changed a field, too"
    }
  }

  private var spuriousNote: DocumentNote? {
    let spurious = noted(tree.spuriousLeaves)
    if spurious.isEmpty { return nil }
    let share = spurious.count == 1 ? "shares" : "share"
    let (are, them) = spurious.count == 1 ? ("is", "it") : ("are", "them")
    let words = """
      \(spurious.map(\.written).joined(separator: ", ")) \(share) nothing with the winner and \(are) older than all that is known of it: a \
      replica that was away for long sent \(them) again, most likely.
      """
    return DocumentNote(words, naming: spurious)
  }

  private var spellingNote: DocumentNote? {
    guard let first = twofold.first else { return nil }
    let name = RecordConflict.NotedName.quoted(
      first.isAttachment ? String(first.dropFirst(Field.attachmentPrefix.count)) : first)
    let words = twofold.count == 1 ? name.written : "\(name.written) and \(twofold.count - 1) more"
    return DocumentNote(
      "Leaves spell a name in two Unicode normal forms; it is shown as the first of them has it: \(words).",
      naming: first.isAttachment ? [name] : [])
  }
}

extension MergeRules {
  /// Documents have no times, so the latest edit is nowhere to be seen: nested keys are merged where nothing else is asked.
  package var forDocuments: MergeRules {
    var rules = self
    rules.withoutTimes = .keys
    return rules
  }
}

extension String {
  fileprivate var isAttachment: Bool { hasPrefix(Field.attachmentPrefix) }
}

extension Value {
  /// nil of what has no kind: no value, and none that is there.
  fileprivate var documentKind: Field.Kind? {
    switch self {
    case .null, .missing: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob, .opaque: .any
    }
  }
}

extension Value {
  /// What is said of a value that no document can hold.
  package var reasonNoJSON: String {
    switch self {
    case .blob: "a document holds JSON, and no bytes; bytes go into an attachment"
    case .real: "a document holds JSON, which has finite numbers alone"
    case .null, .integer, .text, .opaque: "a document holds JSON, and this is none"
    }
  }
}
