/// A conflict on a typed row, for an app that embeds the model.
///
/// ```swift
/// let conflict = MergeConflict(ancestor: ancestor, client: client, server: server)
/// conflict.mergedValue(for: \.title)                     // by the latest edit
/// conflict.mergedValue(for: \.visits, policy: .counter)  // by another policy
/// let draft = conflict.resolved()                        // as the type declares it
/// ```
///
/// The clocks of both sides are believed, unless ``margin`` and ``at(_:)`` say how far.
///
/// Two values of a field are equal if their type says so. A String, or one that may be NULL, is what is stored of it, as on the desk:
/// equal where its UTF-8 is, so that a change of the Unicode normal form is one. So are the elements of a `Set<String>`; texts inside of
/// other types are compared by these. A deletion is no version of a row: where one side
/// deleted and the other edited, there is no such conflict, and a person decides.
public struct MergeConflict<Row: Sendable>: Sendable {
  /// The row as the ancestor, the client and the server have it, each with the times of its fields.
  @inlinable public var versions: ThreeWay<RowVersion<Row>> { sides.versions }
  /// In one piece, as drafts have them too: to copy three rows costs more than to merge them.
  @usableFromInline
  let sides: Sides
  /// How far apart the clocks may be, in nanoseconds: an edit that is newer by less is not known to be newer. 0: it always is.
  public var margin: Int64 = 0
  /// A time after this one proves no edit to be the newer: some clock was wrong. Nanoseconds since 1970; nil: all do.
  public var latestTime: Int64?

  /// A conflict of two versions of one row; `ancestor` is nil where it was not kept.
  @inlinable
  public init(ancestor: RowVersion<Row>?, client: RowVersion<Row>, server: RowVersion<Row>) {
    sides = Sides(ThreeWay(ancestor: ancestor, client: client, server: server))
  }

  /// The same conflict at a moment, as the desk sees it: clocks may be ahead by a day. Without it any time is believed.
  ///
  /// - Parameter now: nanoseconds since 1970.
  public func at(_ now: Int64) -> MergeConflict {
    var conflict = self
    conflict.latestTime = MergeRules.latestTime(at: now)
    return conflict
  }

  /// The newest time that any version has of any column, in nanoseconds since 1970; nil where none has one.
  ///
  /// What an app writes at no later time SQLiteData never sends, as it takes it for the older edit. Where some clock was ahead of this
  /// device's an app waits until then, or leaves the conflict to Parley, whose writes are later than all that is known.
  public var newestTime: Int64? {
    [versions.ancestor, versions.client, versions.server].compactMap { $0?.times.newest }.max()
  }

  /// The three versions of one field.
  public func versions<Value: Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable
  ) -> ThreeWay<FieldVersion<Value>> {
    var fields = versions.map { $0[field: keyPath] }
    if versions.ancestor?.unknown.contains(keyPath) == true { fields.ancestor = nil }
    return fields
  }

  /// What `policy` would write, how sure it is, and why.
  ///
  /// By the latest edit where none is named, whatever the type declares: that is asked by ``resolved()``. A path that is no field, to
  /// a computed property or to a part of a field, has no times of its own: a policy that asks for them leaves it to a person, and
  /// suggests the side that its tie rule names.
  public func suggestion<Value: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, policy: MergePolicy<Value> = .latest()
  ) -> Suggestion<Value> {
    suggestion(by: policy, versions(for: keyPath))
  }

  /// What `policy` would write: by the latest edit where none is named, whatever the type declares. Of a path that is no field, which has
  /// no times, that is the client's edit: ``suggestion(for:policy:)`` says whether anybody knew better.
  public func mergedValue<Value: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, policy: MergePolicy<Value> = .latest()
  ) -> Value {
    suggestion(for: keyPath, policy: policy).value
  }
}

extension MergeConflict {
  @usableFromInline
  final class Sides: Sendable {
    // What every field is merged by lies at the beginning, in one piece.
    /// The client's, the server's, and the ancestor's where there is one: side by side, as they are merged.
    @usableFromInline
    let rows: [Row]
    /// See ``RowVersion/unknown``; the ancestor's.
    @usableFromInline
    let unknown: Set<FieldTimes<Row>.Key>
    @usableFromInline
    let clientTimes: FieldTimes<Row>
    @usableFromInline
    let serverTimes: FieldTimes<Row>
    @usableFromInline
    let versions: ThreeWay<RowVersion<Row>>

    @inlinable
    init(_ versions: ThreeWay<RowVersion<Row>>) {
      self.versions = versions
      let (client, server) = (versions.client.row, versions.server.row)
      rows =
        if let ancestor = versions.ancestor { [client, server, ancestor.row] } else { [client, server] }
      unknown = versions.ancestor?.unknown ?? []
      (clientTimes, serverTimes) = (versions.client.times, versions.server.times)
    }
  }
}

extension MergeConflict {
  /// The same for values that are no Equatable, or are equal where something of them is.
  public func suggestion<Value: Sendable, Key: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, comparing key: (Value) -> Key,
    policy: MergePolicy<Compared<Value, Key>> = .latest()
  ) -> Suggestion<Compared<Value, Key>> {
    suggestion(
      by: policy,
      versions(for: keyPath).map { FieldVersion(Compared($0.value, by: key), time: $0.time) })
  }

  /// What `policy` would write, where values are equal if their key is.
  public func mergedValue<Value: Sendable, Key: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, comparing key: (Value) -> Key,
    policy: MergePolicy<Compared<Value, Key>> = .latest()
  ) -> Value {
    suggestion(for: keyPath, comparing: key, policy: policy).value.value
  }
}

extension MergeConflict {
  private func suggestion<Value>(
    by policy: MergePolicy<Value>, _ versions: ThreeWay<FieldVersion<Value>>
  ) -> Suggestion<Value> {
    let (client, server) = (versions.client.time, versions.server.time)
    var suggestion = policy.suggestion(for: versions)
    let reason = suggestion.reason
    if let doubt = versions.notKnown() ?? reason.withinMargin(margin, client, server)
      ?? reason.timeAhead(of: latestTime, client, server)
    {
      (suggestion.certainty, suggestion.reason) = (.yours, doubt)
    }
    return suggestion
  }
}

/// A value of which a version may not tell enough to compare it. Whoever changed it is then not known.
package protocol PartlyKnown {
  var isKnown: Bool { get }
}

extension ThreeWay {
  fileprivate func notKnown<Value>() -> Reason? where Version == FieldVersion<Value> {
    func isNotKnown(_ version: Version?) -> Bool { (version?.value as? any PartlyKnown)?.isKnown == false }
    if isNotKnown(client) { return .notKnown(.client) }
    if isNotKnown(server) { return .notKnown(.server) }
    return isNotKnown(ancestor) ? .notKnown(.ancestor) : nil
  }
}

extension Reason {
  fileprivate func withinMargin(_ margin: Int64, _ client: Int64?, _ server: Int64?) -> Reason? {
    guard case .newer(let side, let difference) = self, difference < margin, let client, let server else {
      return nil
    }
    return .withinMargin(side, client: client, server: server, margin: margin)
  }

  /// The doubt in an edit that is the newer by a time which can hardly be true.
  func timeAhead(of latestTime: Int64?, _ client: Int64?, _ server: Int64?) -> Reason? {
    guard case .newer(let side, _) = self, let latestTime, let time = side == .client ? client : server,
      time > latestTime
    else { return nil }
    return .timeAhead(side)
  }
}

extension MergeConflict where Row: Mergeable {
  /// The draft as the row's type resolves it: by ``Mergeable/resolve(_:)``.
  @inlinable public func resolved() -> Row.Draft { Row.resolve(self) }

  /// The draft with every field merged by its own policy, and then as ``Mergeable/adjust(_:of:)`` has it. It says which columns
  /// changed, whatever draft type the row's type has.
  ///
  /// - Precondition: all versions are of the same record: ``isOfOneRecord``.
  @inlinable public var draft: RowDraft<Row> {
    precondition(isOfOneRecord, "a conflict is between versions of one record")
    var draft = RowDraft(self)
    Row.adjust(&draft, of: self)
    return draft
  }

  /// Whether all versions have the same primary key. If not, there is no draft.
  @inlinable public var isOfOneRecord: Bool {
    sides.rows.withUnsafeBufferPointer { rows in
      let key = rows[0].primaryKey
      return key == rows[1].primaryKey && (rows.count == 2 || key == rows[2].primaryKey)
    }
  }

  /// Whether every field is at least this certain, of versions of one record. If not, a person should look before ``resolved()`` is
  /// written.
  public func isSure(atLeast certainty: Certainty = .sure) -> Bool {
    isOfOneRecord && columns(below: certainty).isEmpty
  }

  /// The columns that are less certain: what a person should look at.
  public func columns(below certainty: Certainty) -> [String] {
    // Not by a key path, which Swift makes anew for each call where it does not know the row's type.
    Row.mergeFields.compactMap { ($0.certainty(self) ?? .sure) < certainty ? $0.column : nil }
  }
}
