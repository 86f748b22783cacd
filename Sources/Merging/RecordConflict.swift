/// What a conflict is about as a whole.
public enum ConflictKind: String, Sendable, CaseIterable {
  case edit, noAncestor, deletedOnClient, deletedOnServer
}

/// One record on which client and server disagree, whichever store it comes from.
public struct RecordConflict: Sendable, Equatable {
  /// The record's name in its store, unique there: "primaryKey:table" in SQLiteData.
  public let id: String
  public let table: String
  public let primaryKey: String
  /// What a person would call the record.
  public let title: String
  public let versions: ThreeWay<RecordVersion>
  public let fields: [FieldConflict]
  /// The places of the fields in which the versions differ. Most do not, and each goes along with all its versions: to copy
  /// one costs more than what is asked of it.
  package let changed: [Int]
  public var details: Details
  /// Those that made the suggestions.
  public let rules: MergeRules

  /// What is known beside the fields.
  public struct Details: Sendable, Equatable {
    public var ancestorTag: String?
    public var serverTag: String?
    /// How far apart the clocks of this record were at least, in nanoseconds; nil where nothing tells that they were.
    public var clocksApart: Int64?
    /// The name of the device that made the server's version.
    public var serverDevice: String?
    /// Nanoseconds since 1970.
    public var receivedAt: Int64?
    /// Whether the server's version came back with a refused save, and not with a fetch.
    public var isMetOnSend = false
    /// Anything a person should know before deciding: "the row was edited after this record came in".
    public var notes: [String] = []
    /// Why this record can be looked at and decided, but not written; nil if it can.
    public var notWritable: String?
    /// Why the ancestor's value cannot be chosen; nil if it can. Without the server's archive the ancestor cannot be
    /// advanced, and the engine would overwrite such a value again.
    public var ancestorNotChoosable: String?
    /// What a person would call the records that foreign keys point to, by field and key; and what a file's bytes are.
    public var references: [String: [Value: String]] = [:]
    /// All ends of the record's history, the winner first, the deleted ones last; empty for a store whose records have one
    /// history. The first live one is the client, the next the server, unless ``RecordConflict/showing(leaf:)`` says so.
    public var leaves: [Leaf] = []
    /// The ways to decide the record as a whole; none where the store gives none.
    public var alternatives: [Alternative] = []
    /// Where a person can give a value although the record is decided as a whole; nil where its store takes none.
    package var ownValue: OwnValue?
    /// Since when its draft waits for the app, or to be sent, in nanoseconds since 1970; nil if none does. Until it is taken back there is
    /// nothing to decide.
    public var waitingSince: Int64?
    /// Whether the client's version lies in the inbox alone: the engine has taken the row away for the server's deletion.
    public var rowIsGone = false
    /// Whether a row is there though the client deleted it: the engine has made it again of the server's record.
    public var rowIsBack = false
    /// Where a file stands that syncs whole; nil in other stores.
    package var file: FileSituation?
    /// What is known of the server beside its version here, on which each decision stands as well: of a file that its index tells of a
    /// later one. nil where nothing is.
    package var serverSince: String?

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

  /// How much newer an edit has to be, in nanoseconds, to be known as the newer.
  public var margin: Int64 { max(rules.margin, details.clocksApart ?? 0) }

  /// Whether the store has the client's row: it may be deleted, or taken away by the engine.
  public var hasRow: Bool { versions.client.isPresent && !details.rowIsGone }

  /// The fields are merged as given in `fields`; `rules` choose the policy of each.
  public init(
    id: String, table: String, primaryKey: String, title: String, fields: [Field],
    versions: ThreeWay<RecordVersion>, rules: MergeRules = MergeRules(), details: Details = Details()
  ) {
    (self.id, self.table, self.primaryKey, self.title) = (id, table, primaryKey, title)
    (self.versions, self.details, self.rules) = (versions, details, rules)
    let merging = FieldMerge(versions, details, rules)
    self.fields = fields.map { merging.field($0, by: rules.rule(table: table, field: $0.name)) }
    changed = RecordConflict.changed(self.fields)
  }

  private static func changed(_ fields: [FieldConflict]) -> [Int] {
    fields.withUnsafeBufferPointer { fields in
      fields.indices.filter { fields[$0].change != .unchanged }
    }
  }

  func merging(_ field: Field, by rule: MergeRule) -> FieldConflict {
    FieldMerge(versions, details, rules).field(field, by: rule)
  }

  /// What is the same for all fields of a record.
  private struct FieldMerge {
    let versions: ThreeWay<RecordVersion>
    let rules: MergeRules
    let margin: Int64
    let wholeReason: Reason?
    /// Of the leaves beside client and server.
    let others: [RecordVersion]

    init(_ versions: ThreeWay<RecordVersion>, _ details: Details, _ rules: MergeRules) {
      (self.versions, self.rules) = (versions, rules)
      margin = max(rules.margin, details.clocksApart ?? 0)
      wholeReason = RecordConflict.wholeReason(versions)
      others = details.leaves.filter { !$0.isDeleted }.dropFirst(2).map(\.version)
    }

    func field(_ field: Field, by rule: MergeRule) -> FieldConflict {
      let policy = { rule.policy(tie: rules.tie, margin: margin, of: field) }
      let merged = RecordConflict.merge(
        field, versions: versions, others: others, wholeReason: wholeReason, policy: policy)
      return (rules.leavesTies ? merged.withoutTie : merged).doubted(latestTime: rules.latestTime)
    }
  }

  private static func merge(
    _ field: Field, versions: ThreeWay<RecordVersion>, others: [RecordVersion], wholeReason: Reason?,
    policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let ancestor = versions.ancestor?.fields?[field.name]
    let client = versions.client.fields?[field.name]
    let server = versions.server.fields?[field.name]
    if let wholeReason {
      return .whole(field, ancestor: ancestor, client: client, server: server, reason: wholeReason)
    }
    if others.isEmpty {
      return .merging(field, ancestor: ancestor, client: client, server: server, policy: policy)
    }
    return .folding(
      field, ancestor: ancestor, client: client, server: server,
      others: others.map { $0.fields?[field.name] }, policy: policy)
  }

  /// The same record, shown otherwise.
  init(
    _ other: RecordConflict, versions: ThreeWay<RecordVersion>, fields: [FieldConflict], details: Details
  ) {
    (id, table, primaryKey, title) = (other.id, other.table, other.primaryKey, other.title)
    (self.versions, self.fields, self.details, rules) = (versions, fields, details, other.rules)
    changed = RecordConflict.changed(fields)
  }

  /// Why the record is decided as a whole; nil if it is decided field by field.
  private static func wholeReason(_ versions: ThreeWay<RecordVersion>) -> Reason? {
    switch (versions.client, versions.server) {
    case (.present, .present): nil
    case (_, .unknown): .notKnown(.server)
    case (.unknown, _): .notKnown(.client)
    case (.present, .deleted), (.present, .absent): .deletedAgainstEdit(deleted: .server)
    case (.deleted, .present), (.absent, .present): .deletedAgainstEdit(deleted: .client)
    case (.deleted, .deleted), (.deleted, .absent), (.absent, .deleted), (.absent, .absent): .agree
    }
  }
}

extension RecordConflict {
  /// nil if the record is decided field by field.
  public var wholeReason: Reason? { RecordConflict.wholeReason(versions) }

  public var isWhole: Bool { wholeReason != nil }

  /// A record that neither side has any more counts as deleted on the server, where it will not come back from.
  public var kind: ConflictKind {
    switch (versions.client.isGone, versions.server.isGone) {
    case (_, true): .deletedOnServer
    case (true, false): .deletedOnClient
    case (false, false): versions.ancestor?.isPresent == true ? .edit : .noAncestor
    }
  }

  public subscript(name: String) -> FieldConflict? { place(of: name).map { fields[$0] } }

  private func place(of name: String) -> Int? { fields.indices.first { fields[$0].name == name } }

  /// What a person has to decide: the record as a whole, or each changed field. Nothing, if neither side has the record.
  public var subjects: [Subject] {
    switch wholeReason {
    case nil: toDecide.map { .field(fields[$0].name) }
    case .agree?: []
    case .some: [.record]
    }
  }

  /// The places of the fields that a person has to decide, if they are decided one by one.
  package var toDecide: [Int] { changed.filter { fields[$0].field.isWritable } }

  /// What is suggested for the record as a whole: never to lose an edit. Nothing, where its store tells that to keep the one edit
  /// loses another: of a file that was edited here, and then deleted.
  public var wholeSuggestion: Choice? {
    guard case .deletedAgainstEdit(let deleted)? = wholeReason else { return nil }
    let side = deleted == .server ? Side.client : .server
    return alternative(side.rawValue)?.ownLosses.isEmpty == false ? nil : .take(side)
  }

  /// The weakest certainty of what has to be decided; sure if nothing has.
  public var certainty: Certainty { certainty(of: subjects) ?? .sure }

  /// The weakest certainty of `subjects`; nil if there is none.
  public func certainty(of subjects: [Subject]) -> Certainty? {
    subjects.compactMap { subject in
      switch subject {
      case .record: .yours
      case .field(let name): place(of: name).flatMap { fields[$0].suggestion.certainty }
      }
    }.min()
  }

  public func version(_ side: Side) -> RecordVersion {
    switch side {
    case .ancestor: versions.ancestor ?? .absent
    case .client: versions.client
    case .server: versions.server
    }
  }
}
