/// What a conflict is about as a whole.
public enum ConflictKind: String, Sendable, CaseIterable {
  case edit, noAncestor, deletedOnClient, deletedOnServer
  /// The other side has no record of it, and nobody knows whether it ever had: see ``Reason/onlyOn(_:)``.
  case onlyOnClient, onlyOnServer
}

/// One record on which client and server disagree, whichever store it comes from.
public struct RecordConflict: Sendable {
  // In one piece of memory, as it goes from reading over its decisions to what is told of it: to copy all that it has costs more each
  // time than to make it once.
  @usableFromInline var storage: Storage

  // @unchecked because the details change only while a single value has it, as the buffer of an array.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    @usableFromInline let id, table, primaryKey, title: String
    @usableFromInline let fields: FieldConflicts
    /// nil where nothing is known beside the fields.
    @exclusivity(unchecked) @usableFromInline var known: Known?

    init(
      _ id: String, _ table: String, _ primaryKey: String, _ title: String, _ fields: FieldConflicts,
      _ known: Known?
    ) {
      (self.id, self.table, self.primaryKey, self.title) = (id, table, primaryKey, title)
      (self.fields, self.known) = (fields, known)
    }
  }

  // Apart, as it is six times as large as all the rest, and a plain row has none of it. @unchecked because it, too, changes only while a
  // single value has it; what all share that have none is handed out to be read alone.
  @usableFromInline
  final class Known: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var details: Details
    @usableFromInline static let nothing = Known(Details())

    init(_ details: Details) { self.details = details }
  }

  /// What a note names that is somebody's.
  package struct NotedName: Sendable, Hashable {
    /// As it stands there.
    package let written: String
    /// What is meant: of a revision that is shortened there, all of it.
    package let name: String
    /// Whether it stands there in quotes, as any word may be it. A screen that hides values hides it, too.
    package let isQuoted: Bool

    /// - Parameter short: as it stands there.
    package static func revision(_ id: String, short: String) -> NotedName {
      NotedName(written: short, name: id, isQuoted: false)
    }

    /// A file, a folder or a server that whoever looks has named.
    package static func place(_ path: String) -> NotedName {
      NotedName(written: path, name: path, isQuoted: false)
    }

    /// The name of somebody's file, or what another program says.
    package static func quoted(_ words: String) -> NotedName {
      NotedName(written: "“\(words)”", name: words, isQuoted: true)
    }
  }

  /// What is known beside the fields.
  public struct Details: Sendable, Equatable {
    /// What the store tells this ancestor from others by: a change tag of CloudKit, a revision's id; nil where it has none.
    public var ancestorTag: String?
    /// What the store tells this version of the server's from others by: a change tag of CloudKit, a revision's id, the number of a file's
    /// version; nil where it has none.
    public var serverTag: String?
    /// How far apart the clocks of this record were at least, in nanoseconds; nil where nothing tells that they were.
    public var clocksApart: Int64?
    /// The name of the device that made the server's version.
    public var serverDevice: String?
    /// Nanoseconds since 1970.
    public var receivedAt: Int64?
    /// Whether the server's version came back with a refused save, and not with a fetch.
    public var isMetOnSend = false
    /// Whether a deletion came in and the server has the record again: ``serverTag`` is that of what is known by now, which moves, and which a
    /// later conflict may have as well. What tells it from others of its record is ``receivedAt``.
    package var isReturned = false
    /// Anything a person should know before deciding: "the row was edited after this record came in".
    public var notes: [String] = []
    /// What these and the reasons of versions name that is somebody's: a report to strangers has hashes in their places.
    package var notedNames: [NotedName] = []
    /// Why this record can be looked at and decided, but not written; nil if it can.
    public var notWritable: String?
    /// Why the ancestor's value cannot be chosen; nil if it can. Without the server's archive the ancestor cannot be
    /// advanced, and the engine would overwrite such a value again.
    public var ancestorNotChoosable: String?
    /// What a person would call the records that foreign keys point to, by field and key; and what a file's bytes are.
    public var references: [String: [Value: String]] = [:]
    /// Which keys, by field, point to no record that is here, or is decided to come back, as far as one may be suggested: the store would
    /// refuse them.
    package var unreferenced: [String: Set<Value>] = [:]
    /// All ends of the record's history, the winner first, the deleted ones last; empty for a store whose records have one
    /// history. The first live one is the client, the next the server, unless ``RecordConflict/showing(leaf:)`` says so.
    public var leaves: [Leaf] = [] {
      didSet { leafColumns = nil }
    }
    /// What these have, once a conflict was made with them.
    fileprivate(set) var leafColumns: LeafColumns?
    /// The ways of its store's own to decide the record as a whole; see ``RecordConflict/alternatives``.
    public var alternatives: [Alternative] = []
    /// Whether each version can be taken as it is, and the record deleted, beside these.
    package var takesVersions = false
    /// Where a person can give a value although the record is decided as a whole; nil where its store takes none.
    package var ownValue: OwnValue?
    /// Since when its draft waits for the app, or to be sent, in nanoseconds since 1970; nil if none does. Until it is taken back there is
    /// nothing to decide.
    public var waitingSince: Int64?
    /// Whether the client's version lies in the inbox alone: the engine has taken the row away for the server's deletion, or see
    /// ``isGoneSince``.
    public var rowIsGone = false
    /// Whether the record is gone since its versions were kept, and nobody knows which side has deleted it: nothing of them is suggested, as
    /// that would make it again.
    package var isGoneSince = false
    /// The fields that no policy decides where both sides differ: it would be asked without an ancestor that there was, or about an edit that
    /// was made upon the other one.
    package var withoutPolicy: Set<String> = []
    /// Whether a row is there though the client deleted it: the engine has made it again of the server's record.
    public var rowIsBack = false
    /// What such a row has and the server's record does not, which only somebody here can have put in; nil where no row is back.
    package var ownOfRowBack: [String: Value]?
    /// Whether another conflict of the same record waits, decided or not, which is listed once this one is written.
    package var hasEarlier = false
    /// By what decisions tell each that is known to wait so from this one.
    package var earlier: Set<String> = []
    /// What tells the versions of the server's apart that came in before this one and wait, whether or not they are part of this conflict: as
    /// ``serverTag``, or ``receivedAt`` of a deletion. nil where the store does not know them, so that an older conflict may go on as this one.
    package var cameBefore: CameBefore?
    /// The row as it is now, where the app's engine has taken in the server's record already and left it so; nil where no engine has.
    package var mergedRow: [String: Value]?
    /// Where a file stands that syncs whole; nil in other stores.
    package var file: FileSituation?
    /// What each upload of such a file would send that waits before the client's version, or the upload of which that is the deletion; nil
    /// of one that cannot be read.
    package var earlierUploads: [Value?] = []
    /// Whether something was written that waits to be sent, about something else than what waits here now.
    package var outboxIsOld = false
    /// What is known of the server beside its version here, on which each decision stands as well: of a file that its index tells of a
    /// later one. nil where nothing is.
    package var serverSince: String?
    /// Whether its ancestor may be taken from a place that somebody gives beside the store: with another one it is another conflict.
    package var takesAncestors = false

    /// `receivedAt` and `waitingSince` are in nanoseconds since 1970; what is left out is not known, or not so.
    public init(
      ancestorTag: String? = nil, serverTag: String? = nil, serverDevice: String? = nil,
      receivedAt: Int64? = nil,
      notes: [String] = [], notWritable: String? = nil, ancestorNotChoosable: String? = nil,
      waitingSince: Int64? = nil, leaves: [Leaf] = []
    ) {
      (self.ancestorTag, self.serverTag, self.serverDevice) = (ancestorTag, serverTag, serverDevice)
      (self.receivedAt, self.notes, self.notWritable) = (receivedAt, notes, notWritable)
      (self.ancestorNotChoosable, self.leaves) = (ancestorNotChoosable, leaves)
      self.waitingSince = waitingSince
    }
  }

  /// The record's name in its store, unique there: "primaryKey:table" in SQLiteData.
  @inlinable public var id: String { storage.id }
  /// The table that the record is a row of; in a store without tables, what takes its place.
  @inlinable public var table: String { storage.table }
  /// The key of the record as its store writes it, without the table; unique in the table alone.
  @inlinable public var primaryKey: String { storage.primaryKey }
  /// What a person would call the record.
  @inlinable public var title: String { storage.title }
  /// The record as the ancestor, the client and the server have it; what these say of each field is in ``fields``.
  @inlinable public var versions: ThreeWay<RecordVersion> {
    _read { yield storage.fields.storage.merge.versions }
  }
  /// The fields that the store declares, in its order, with what their three versions say.
  @inlinable public var fields: FieldConflicts { storage.fields }
  /// Those that made the suggestions.
  public var rules: MergeRules { storage.fields.rules.rules }

  /// What is known of the record beside its fields. The suggestions stay those of the details that the conflict was made with.
  public var details: Details {
    // To be looked at where they lie: most that is asked is one of twenty things.
    @inlinable _read {
      let known = storage.known ?? Known.nothing
      yield known.details
    }
    _modify {
      if !isKnownUniquelyReferenced(&storage) {
        storage = Storage(id, table, primaryKey, title, fields, storage.known)
      }
      let known = ownKnown()
      yield &known.details
    }
  }

  private mutating func ownKnown() -> Known {
    if isKnownUniquelyReferenced(&storage.known), let known = storage.known { return known }
    let known = Known(details)
    storage.known = known
    return known
  }

  /// How much newer an edit has to be, in nanoseconds, to be known as the newer.
  public var margin: Int64 { max(rules.margin, details.clocksApart ?? 0) }

  /// Whether the store has the client's row: it may be deleted, or taken away by the engine.
  public var hasRow: Bool { versions.client.isPresent && !details.rowIsGone }

  /// The fields are merged as given in `fields`; `rules` choose the policy of each.
  ///
  /// - Parameter details: nil where nothing is known beside the fields.
  public init(
    id: String, table: String, primaryKey: String, title: String, fields: [Field],
    versions: consuming ThreeWay<RecordVersion>, rules: MergeRules = MergeRules(),
    details: consuming Details? = nil
  ) {
    let live = details?.leaves.live ?? []
    let columns = live.count > 2 ? LeafColumns(fields, live) : nil
    details?.leafColumns = columns
    let rules = FieldRules(
      rules, table: table, clocksApart: details?.clocksApart, unreferenced: details?.unreferenced ?? [:],
      isGone: details?.isGoneSince ?? false, withoutPolicy: details?.withoutPolicy ?? [])
    let merged = FieldConflicts(fields, RecordMerge(versions, live, columns), rules)
    storage = Storage(id, table, primaryKey, title, merged, details.map(Known.init))
  }

  func merging(_ field: FieldConflict, by rule: MergeRule) -> FieldConflict {
    let rules = FieldRules(
      rules, table: table, clocksApart: details.clocksApart, unreferenced: details.unreferenced,
      isGone: details.isGoneSince, withoutPolicy: details.withoutPolicy)
    let merge = RecordMerge(versions, liveLeaves, leafColumns)
    return merge.field(field.field, at: fields.place(of: field.name) ?? 0, rule, rules)
  }

  /// The same, suggested anew: these keys, by field, point to something that is here or comes back.
  package func suggesting(pointers found: [String: Set<Value>]) -> RecordConflict {
    var details = details
    for (name, values) in found { details.unreferenced[name]?.subtract(values) }
    return RecordConflict(
      id: id, table: table, primaryKey: primaryKey, title: title, fields: fields.declared, versions: versions,
      rules: rules, details: details)
  }

  /// What the live leaves have, where they are more than two.
  package var leafColumns: LeafColumns? {
    if let known = details.leafColumns { return known }
    let live = liveLeaves
    return live.count > 2 ? LeafColumns(fields.declared, live) : nil
  }

  /// The same record, shown otherwise.
  init(_ other: RecordConflict, fields: FieldConflicts, details: Details) {
    storage = Storage(other.id, other.table, other.primaryKey, other.title, fields, Known(details))
  }
}

extension ThreeWay<RecordVersion> {
  /// Whether the record is decided as a whole, and not field by field.
  var isWhole: Bool { !client.isPresent || !server.isPresent }

  /// Why it is; nil if it is not.
  var wholeReason: Reason? {
    switch (client, server) {
    case (.present, .present): nil
    case (_, .unknown): .notKnown(.server)
    case (.unknown, _): .notKnown(.client)
    case (.present, .deleted): .deletedAgainstEdit(deleted: .server)
    case (.deleted, .present): .deletedAgainstEdit(deleted: .client)
    case (.present, .absent): .onlyOn(.client)
    case (.absent, .present): .onlyOn(.server)
    case (.deleted, .deleted), (.deleted, .absent), (.absent, .deleted), (.absent, .absent): .agree
    }
  }
}

extension RecordConflict {
  /// nil if the record is decided field by field.
  public var wholeReason: Reason? { storage.fields.wholeReason }

  /// Whether the record is decided as a whole, and not field by field: one side does not have it, or it cannot be read.
  public var isWhole: Bool { wholeReason != nil }

  /// A record that neither side has any more counts as deleted on the server, where it will not come back from.
  public var kind: ConflictKind {
    switch (versions.client.isGone, versions.server.isGone) {
    case (true, true): .deletedOnServer
    case (false, true): versions.server.isDeleted ? .deletedOnServer : .onlyOnClient
    case (true, false): versions.client.isDeleted ? .deletedOnClient : .onlyOnServer
    case (false, false): versions.ancestor?.isPresent == true ? .edit : .noAncestor
    }
  }

  /// The field of this name; nil if the store declares none.
  public subscript(name: String) -> FieldConflict? { fields.place(of: name).map { fields[$0] } }

  /// What a person has to decide: the record as a whole, or each changed field. Nothing, if neither side has the record.
  public var subjects: [Subject] {
    switch wholeReason {
    case nil: fields.toDecide.map { .field(fields.declared[$0].name) }
    case .agree?: []
    case .some: [.record]
    }
  }

  /// Whether a person has anything to decide.
  package var hasSubjects: Bool {
    switch wholeReason {
    case nil: !fields.toDecide.isEmpty
    case .agree?: false
    case .some: true
    }
  }

  /// What is suggested for the record as a whole: never to lose an edit. Nothing, where its store tells that to keep the one edit
  /// loses another: of a file that was edited here, and then deleted.
  public var wholeSuggestion: Choice? {
    let side: Side
    switch wholeReason {
    case .deletedAgainstEdit(let deleted)?: side = deleted == .server ? .client : .server
    case .onlyOn(let there)?: side = there
    default: return nil
    }
    return alternative(side.rawValue)?.ownLosses.isEmpty == false ? nil : .take(side)
  }

  /// The weakest certainty of what has to be decided; sure if nothing has.
  public var certainty: Certainty { certainty(of: subjects) ?? .sure }

  /// The weakest certainty of `subjects`; nil if there is none.
  public func certainty(of subjects: [Subject]) -> Certainty? {
    subjects.compactMap { subject in
      switch subject {
      case .record: .yours
      case .field(let name):
        fields.place(of: name).flatMap { place in fields.look(at: place) { $0.pointee.certainty } }
      }
    }.min()
  }

  /// The record as one side has it; absent for an ancestor that nobody kept.
  public func version(_ side: Side) -> RecordVersion {
    switch side {
    case .ancestor: versions.ancestor ?? .absent
    case .client: versions.client
    case .server: versions.server
    }
  }
}

extension RecordConflict: Equatable {
  public static func == (left: RecordConflict, right: RecordConflict) -> Bool {
    let (left, right) = (left.storage, right.storage)
    return left === right
      || (left.id == right.id && left.table == right.table && left.primaryKey == right.primaryKey
        && left.title == right.title
        && left.fields.storage.merge.versions == right.fields.storage.merge.versions
        && left.fields == right.fields && left.fields.rules.rules == right.fields.rules.rules
        && (left.known ?? Known.nothing).details == (right.known ?? Known.nothing).details)
  }
}

extension RecordConflict {
  /// What the store has of a field now: the client's value, or what the app's engine has made of that since; nil where it has none.
  package func now(_ field: FieldConflict) -> Value? { details.mergedRow?[field.name] ?? field.client?.value }
}
