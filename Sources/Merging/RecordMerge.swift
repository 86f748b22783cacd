/// What merges the fields of a record: its versions, and what is the same for all of them.
@usableFromInline
struct RecordMerge: Sendable {
  @usableFromInline private(set) var versions: ThreeWay<RecordVersion>
  // Not the reason itself, of which there is none mostly: it is larger than the versions.
  private var isWhole: Bool
  /// The live leaves and what they have, where they are more than two.
  private let leaves: [Leaf]
  private let columns: LeafColumns?
  /// Whether one of them cannot be read, which may have changed any field.
  private let hasUnreadLeaf: Bool

  init(_ versions: consuming ThreeWay<RecordVersion>, _ leaves: [Leaf], _ columns: LeafColumns?) {
    isWhole = versions.isWhole
    self.leaves = columns == nil ? [] : leaves
    hasUnreadLeaf = columns != nil && leaves.contains { !$0.version.isPresent }
    self.columns = columns
    self.versions = versions
  }

  /// Why the record is decided as a whole; nil if it is decided field by field.
  var wholeReason: Reason? { isWhole ? versions.wholeReason : nil }

  /// The same of other versions.
  func of(_ versions: ThreeWay<RecordVersion>) -> RecordMerge {
    var other = self
    (other.versions, other.isWhole) = (versions, versions.isWhole)
    return other
  }

  var hasManyLeaves: Bool { columns != nil && !isWhole }

  /// - Parameter place: of the field in the conflict.
  func field(_ field: Field, at place: Int, _ rule: @autoclosure () -> MergeRule, _ rules: FieldRules)
    -> FieldConflict
  {
    func policy() -> MergePolicy<Value> {
      (rules.withoutPolicy.contains(field.name) ? .latest : rule())
        .policy(tie: rules.rules.tie, margin: rules.margin, of: field)
    }
    var merged = merge(field, at: place, tie: rules.rules.tie, policy)
    if rules.rules.leavesTies { merged.leaveTie() }
    merged.doubt(latestTime: rules.rules.latestTime)
    if !rules.unreferenced.isEmpty { merged.doubt(unreferenced: rules.unreferenced[field.name]) }
    if hasUnreadLeaf { merged.doubtForUnreadLeaf() }
    if rules.isGone { merged.leaveGone() }
    return merged
  }

  private func merge(
    _ field: Field, at place: Int, tie: TieRule, _ policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let sides = sides(of: field, at: place)
    if let wholeReason {
      return .whole(
        field, sides, isAncestorKnown: versions.ancestor?.isPresent == true, reason: wholeReason)
    }
    guard let columns, !leaves.isEmpty else { return .merging(field, sides, policy: policy) }
    let folded = FoldedLeaves(of: field, at: place, columns[place], leaves, ancestor: sides.ancestor.version)
    return .folding(field, sides, folded, tie: tie, policy: policy)
  }

  private func sides(of field: Field, at place: Int) -> FieldConflict.Sides {
    func slot(_ version: RecordVersion) -> RecordVersion.Fields.Slot {
      guard case .present(let fields) = version, let place = fields.place(of: field.name, guess: place) else {
        return RecordVersion.Fields.Slot(nil)
      }
      return fields.withSlots { $0[place] }
    }
    return FieldConflict.Sides(
      ancestor: versions.ancestor.map(slot) ?? RecordVersion.Fields.Slot(nil), client: slot(versions.client),
      server: slot(versions.server))
  }

  /// A field that nobody changed.
  func unchanged(_ field: Field, at place: Int) -> FieldConflict {
    merge(field, at: place, tie: .client) {
      preconditionFailure("no policy is asked about a field that nobody changed")
    }
  }
}

extension RecordMerge {
  private typealias Slot = UnsafePointer<RecordVersion.Fields.Slot>

  /// The places of the fields in which the versions differ, where there are no more leaves than two.
  func changed(_ fields: [Field]) -> FieldPlaces {
    // All three at once: who takes out one after the other copies each, and counts it.
    switch (versions.ancestor, versions.client, versions.server) {
    case (.present(let ancestor)?, .present(let client), .present(let server)):
      return changed(ancestor, client, server, fields)
    default:
      let none = RecordVersion.Fields()
      return changed(
        versions.ancestor?.fields ?? none, versions.client.fields ?? none, versions.server.fields ?? none,
        fields)
    }
  }

  private func changed(
    _ ancestor: RecordVersion.Fields, _ client: RecordVersion.Fields, _ server: RecordVersion.Fields,
    _ fields: [Field]
  ) -> FieldPlaces {
    let isInOrder =
      ancestor.names.isSame(as: client.names) && ancestor.names.isSame(as: server.names)
      && ancestor.names.begins(with: fields)
    return ancestor.withSlots { ancestors in
      client.withSlots { clients in
        server.withSlots { servers in
          if isInOrder { return changed(ancestors, clients, servers, fields) }
          return FieldPlaces(
            fields.indices.lazy.filter { index in
              isChanged(
                slot(ancestors, ancestor, fields[index], index), slot(clients, client, fields[index], index),
                slot(servers, server, fields[index], index), of: fields[index])
            })
        }
      }
    }
  }

  /// The field at its place in a version, most likely `index`.
  private func slot(
    _ slots: UnsafeBufferPointer<RecordVersion.Fields.Slot>, _ fields: RecordVersion.Fields, _ field: Field,
    _ index: Int
  ) -> Slot? {
    guard let base = slots.baseAddress else { return nil }
    return fields.place(of: field.name, guess: index).flatMap { slots[$0].isThere ? base + $0 : nil }
  }

  /// All versions have the fields at the same places, as a store's versions of one table have them.
  private func changed(
    _ ancestors: UnsafeBufferPointer<RecordVersion.Fields.Slot>,
    _ clients: UnsafeBufferPointer<RecordVersion.Fields.Slot>,
    _ servers: UnsafeBufferPointer<RecordVersion.Fields.Slot>, _ fields: [Field]
  ) -> FieldPlaces {
    var changed = FieldPlaces()
    guard let ancestor = ancestors.baseAddress, let client = clients.baseAddress,
      let server = servers.baseAddress
    else { return changed }
    for place in 0..<fields.count {
      let (ancestor, client, server) = (ancestor + place, client + place, server + place)
      let isChanged =
        !isWhole && RecordMerge.areThere(ancestor, client, server)
        ? ancestor.isOther(than: client) || ancestor.isOther(than: server)
        : isChanged(
          RecordMerge.present(ancestor), RecordMerge.present(client), RecordMerge.present(server),
          of: fields[place])
      if isChanged { changed.insert(place) }
    }
    return changed
  }

  @inline(__always)
  private static func present(_ slot: Slot) -> Slot? { slot.pointee.isThere ? slot : nil }

  @inline(__always)
  private static func areThere(_ ancestor: Slot, _ client: Slot, _ server: Slot) -> Bool {
    ancestor.pointee.isThere && client.pointee.isThere && server.pointee.isThere
  }

  /// As ``FieldConflict`` tells it, without making one.
  private func isChanged(
    _ ancestor: Slot?, _ client: Slot?, _ server: Slot?, of field: @autoclosure () -> Field
  ) -> Bool {
    if isWhole {
      guard let present = client ?? server else { return false }
      if let ancestor { return ancestor.isOther(than: present) }
      return versions.ancestor?.isPresent != true || field().initial != present.pointee.value
    }
    guard let client, let server else {
      // A side that does not know the field did not change it; nor did anybody where one side alone knows it.
      guard let ancestor, let present = client ?? server else { return false }
      return ancestor.isOther(than: present)
    }
    guard let ancestor else { return true }
    return ancestor.isOther(than: client) || ancestor.isOther(than: server)
  }
}

extension UnsafePointer<RecordVersion.Fields.Slot> {
  /// Whether the value, which lies first, is another one. What is the same bit for bit is the same value: numbers, short texts, and what two versions have
  /// from one place. Only of other bits is the value itself taken out, which costs more.
  @inline(__always)
  fileprivate func isOther(than other: Self) -> Bool {
    let (left, right) = (UnsafeRawPointer(self), UnsafeRawPointer(other))
    // Of all bytes together: a question about each part is one that the processor guesses at.
    var differing: UInt64 = 0
    var place = 0
    while place + 8 <= MemoryLayout<Value>.size {
      differing |=
        left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < MemoryLayout<Value>.size {
      differing |= UInt64(
        left.load(fromByteOffset: place, as: UInt8.self) ^ right.load(fromByteOffset: place, as: UInt8.self))
      place += 1
    }
    return differing != 0 && holdsOther(than: other)
  }

  /// As values tell it. Texts first: they are most of what differs in its bits and may yet be the same.
  @inline(__always)
  private func holdsOther(than other: Self) -> Bool {
    if case .text(let left) = pointee.value, case .text(let right) = other.pointee.value {
      return !left.hasSameBytes(as: right)
    }
    return pointee.value != other.pointee.value
  }
}

/// The rules for the fields of one record.
struct FieldRules {
  let rules: MergeRules
  let table: String
  /// See ``RecordConflict/margin``.
  let margin: Int64
  /// See ``RecordConflict/Details/unreferenced``.
  let unreferenced: [String: Set<Value>]
  /// See ``RecordConflict/Details/isGoneSince``.
  let isGone: Bool
  /// See ``RecordConflict/Details/withoutPolicy``.
  let withoutPolicy: Set<String>

  init(
    _ rules: MergeRules, table: String, clocksApart: Int64?, unreferenced: [String: Set<Value>], isGone: Bool,
    withoutPolicy: Set<String>
  ) {
    (self.rules, self.table, self.unreferenced) = (rules, table, unreferenced)
    margin = max(rules.margin, clocksApart ?? 0)
    (self.isGone, self.withoutPolicy) = (isGone, withoutPolicy)
  }

  func rule(of field: Field) -> MergeRule { rules.rule(table: table, field: field.name) }
}
