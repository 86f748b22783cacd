/// One end of a record's history, in a store that keeps several: a leaf of a revision tree.
public struct Leaf: Sendable, Equatable, Identifiable {
  /// The revision's id: "3-afa9e12f7a64362c94cd1bd253f31298".
  public let id: String
  /// Deleted leaves take no part in a merge; they are told so that nobody misses them.
  public let isDeleted: Bool
  /// What the record is at this end of its history.
  public let version: RecordVersion

  /// An end of a history as a store has read it; `id` is its revision's.
  public init(id: String, isDeleted: Bool, version: RecordVersion) {
    (self.id, self.isDeleted, self.version) = (id, isDeleted, version)
  }
}

extension [Leaf] {
  /// Those that are not deleted.
  var live: [Leaf] {
    // Each field asks for them, and of hundreds nearly always all live: then nothing is copied.
    contains { $0.isDeleted } ? filter { !$0.isDeleted } : self
  }
}

extension RecordConflict {
  /// The leaves that take part in the merge, the winner first. Empty for a store whose records have one history.
  public var liveLeaves: [Leaf] {
    details.leaves.live
  }

  /// The same conflict with another leaf in the server's column. What is suggested stays the same: it is folded from all
  /// leaves, whichever is shown. Decisions are still taken on the conflict as the store gave it, see ``choice(of:for:)``.
  ///
  /// nil if there is no such live leaf beside the winner.
  public func showing(leaf id: Leaf.ID) -> RecordConflict? {
    guard let leaf = liveLeaves.dropFirst().first(where: { $0.id == id }) else { return nil }
    var versions = versions
    versions.server = leaf.version
    var details = details
    details.serverTag = id
    let shown = FieldConflicts(fields, of: versions) { $0.showing(leaf.version.fields?[$0.name]) }
    return RecordConflict(self, fields: shown, details: details)
  }

  /// The choice that takes a field, or a whole record, as this leaf has it. It means the same whichever leaf is shown, and
  /// its fingerprint is the one of the conflict as the store gave it.
  ///
  /// nil if the leaf does not have it.
  public func choice(of leaf: Leaf.ID, for subject: Subject) -> Choice? {
    let live = liveLeaves
    if leaf == live.first?.id { return .take(.client) }
    if leaf == live.dropFirst().first?.id { return .take(.server) }
    guard let leaf = live.first(where: { $0.id == leaf }) else { return nil }
    guard case .field(let name) = subject else { return .alternative(leaf.id) }
    return leaf.version.fields?[name].map { .merged($0.value) }
  }
}

/// What leaves have made of a field that stand in no column: neither the winner nor the one that is shown as the server's.
package struct FurtherValue: Sendable {
  package let value: Value
  /// The ids of the live leaves that have it, in their order, each with its number; the winner is 1.
  package let leaves: [(number: Int, id: Leaf.ID)]
}

extension RecordConflict {
  /// What the third and later leaves have of a field otherwise than the ancestor, each value once, in the order of the leaves.
  package func furtherValues(of field: FieldConflict) -> [FurtherValue] {
    guard let columns = leafColumns, let place = fields.place(of: field.name) else { return [] }
    let column = columns[place]
    let before = field.before(versions.ancestor?.isPresent == true)
    // First of the few values: leaves may be hundreds, and fields a thousand.
    let isNews = column.values.map { $0 != nil && $0 != before }
    if !isNews.contains(true) { return [] }
    let leaves = column.leaves(having: isNews, droppingFirst: 2)
    let told = leaves.indices.filter { !leaves[$0].isEmpty }.sorted { leaves[$0][0] < leaves[$1][0] }
    return told.compactMap { place in
      column.values[place].map { value in
        FurtherValue(value: value, leaves: leaves[place].map { (number: $0 + 1, id: columns.ids[$0]) })
      }
    }
  }

  /// What live leaves have of a field, where they are more than two: each value once, and nil where one has none.
  func leafValues(of field: String) -> [Value?] {
    guard let columns = leafColumns, let place = fields.place(of: field) else { return [] }
    return columns[place].values
  }

  /// The leaves that a name may mean: by the whole id, or by its beginning.
  package func leaves(named name: String) -> [Leaf] {
    if let leaf = details.leaves.first(where: { $0.id == name }) { return [leaf] }
    return name.isEmpty ? [] : details.leaves.filter { $0.id.hasPrefix(name) }
  }
}

extension FieldConflict {
  fileprivate func showing(_ server: FieldVersion<Value>?) -> FieldConflict {
    var copy = self
    copy.server = server
    if let source = suggestion.source, source != .ancestor {
      copy.suggestion.source = .named(suggestion.value, client: client?.value, server: server?.value)
    }
    return copy
  }
}

extension Source {
  /// The side that has this value, or `merged` if neither has.
  static func named<Value: Equatable>(_ value: Value, client: Value?, server: Value?) -> Source {
    func isThat(of side: Value?) -> Bool { side.map { areAlike(value, $0) } ?? false }
    return switch (isThat(of: client), isThat(of: server)) {
    case (true, true): .both
    case (true, false): .client
    case (false, true): .server
    case (false, false): .merged
    }
  }

  /// The choice that gives `value`, which comes from here.
  func choice(of value: Value) -> Choice {
    switch self {
    case .client, .both: .take(.client)
    case .server: .take(.server)
    case .ancestor: .take(.ancestor)
    case .merged, .edited: .merged(value)
    }
  }
}
