import Synchronization

/// The fields of a conflict, in the order of its table.
///
/// What differs is known at once. What that says, and what is suggested, is put together when somebody looks at one of these: of many
/// conflicts nobody asks more than whether there is anything to decide. A field that nobody changed is put together each time: of it
/// nothing is told but its versions.
public struct FieldConflicts: Sendable {
  // In one piece of memory, as each question about a field is asked of a copy.
  @usableFromInline let storage: Storage

  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let declared: [Field]
    let changed: FieldPlaces
    let toDecide: FieldPlaces
    @usableFromInline let merge: RecordMerge
    let rules: FieldRules
    /// Whether all fields are made at once.
    let hasAll: Bool
    // AtomicLazyReference looks up its types with each look, which takes longer than the look.
    private let known = Atomic<Unmanaged<Made>?>(nil)

    private final class Made: Sendable {
      let fields: [FieldConflict]

      init(_ fields: [FieldConflict]) { self.fields = fields }
    }

    init(
      _ declared: [Field], _ changed: FieldPlaces, _ merge: RecordMerge, _ rules: FieldRules,
      hasAll: Bool = false
    ) {
      (self.declared, self.changed, self.merge, self.rules) = (declared, changed, merge, rules)
      (self.hasAll, toDecide) = (hasAll, declared.writable(of: changed))
    }

    convenience init(
      all: [FieldConflict], of declared: [Field], _ merge: RecordMerge, _ rules: FieldRules
    ) {
      let changed = all.indices.lazy.filter { all[$0].change != .unchanged }
      self.init(declared, FieldPlaces(changed), merge, rules, hasAll: true)
      _ = keep(Made(all))
    }

    deinit { known.load(ordering: .acquiring)?.release() }

    /// By the place in ``changed``, or all. What is made stays as long as this does, so nobody has to count it meanwhile.
    @usableFromInline
    func withMade<Answer>(
      _ body: (UnsafeBufferPointer<FieldConflict>) throws -> Answer
    ) rethrows -> Answer {
      guard let made = known.load(ordering: .acquiring) else {
        return try keep(make()).fields.withUnsafeBufferPointer(body)
      }
      return try made._withUnsafeGuaranteedRef { try $0.fields.withUnsafeBufferPointer(body) }
    }

    /// The first that is made, if several are at once.
    private func keep(_ made: Made) -> Made {
      let new = Unmanaged.passRetained(made)
      let known = known.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
      guard !known.exchanged, let first = known.original else { return made }
      new.release()
      return first.takeUnretainedValue()
    }

    private func make() -> Made {
      Made(changed.map { merge.field(declared[$0], at: $0, rules.rule(of: declared[$0]), rules) })
    }
  }

  /// - Parameter rules: of which `table` is asked.
  init(_ fields: [Field], _ merge: consuming RecordMerge, _ rules: consuming FieldRules) {
    if merge.hasManyLeaves {
      // Only the edits of all tell whether one differs.
      let all = fields.indices.map { merge.field(fields[$0], at: $0, rules.rule(of: fields[$0]), rules) }
      storage = Storage(all: all, of: fields, merge, rules)
    } else {
      let changed = merge.changed(fields)
      storage = Storage(fields, changed, merge, rules)
    }
  }

  /// The same of other versions, otherwise told.
  init(
    _ other: FieldConflicts, of versions: ThreeWay<RecordVersion>,
    _ tell: (FieldConflict) -> FieldConflict
  ) {
    storage = Storage(
      all: other.map(tell), of: other.declared, other.storage.merge.of(versions), other.storage.rules)
  }

  /// The fields themselves.
  @inlinable package var declared: [Field] { storage.declared }
  /// The places of the fields in which the versions differ.
  package var changed: FieldPlaces { storage.changed }
  /// Those of them that a person decides, where fields are decided one by one.
  package var toDecide: FieldPlaces { storage.toDecide }
  /// Those that made the suggestions.
  var rules: FieldRules { storage.rules }
  var wholeReason: Reason? { storage.merge.wholeReason }

  /// Where a field is.
  package func place(of name: String) -> Int? {
    if case .present(let fields) = storage.merge.versions.client,
      let place = fields.place(of: name, guess: 0), place < storage.declared.count,
      storage.declared[place].name == name
    {
      return place
    }
    return declared.firstIndex { $0.name == name }
  }

  /// What `body` tells of the field at a place where it lies: to copy one costs more than most that is asked of it.
  @inlinable
  package func look<Answer>(
    at place: Int, _ body: (UnsafePointer<FieldConflict>) throws -> Answer
  ) rethrows -> Answer {
    guard let known = placeInMade(place) else { return try withUnsafePointer(to: unchanged(at: place), body) }
    return try storage.withMade { made in
      guard let first = made.baseAddress else { return try withUnsafePointer(to: unchanged(at: place), body) }
      return try body(first + known)
    }
  }

  /// When a side last set one of those that differ; nil where nobody recorded it.
  package func newestTime(_ side: Side) -> Int64? {
    var newest: Int64?
    for place in storage.changed {
      look(at: place) { field in
        if let time = field.pointee.time(side) { newest = Swift.max(newest ?? time, time) }
      }
    }
    return newest
  }

  @usableFromInline
  func placeInMade(_ place: Int) -> Int? { storage.hasAll ? place : placeInChanged(place) }

  @usableFromInline
  func unchanged(at place: Int) -> FieldConflict { storage.merge.unchanged(declared[place], at: place) }

  private func placeInChanged(_ place: Int) -> Int? {
    storage.changed.contains(place) ? storage.changed.rank(of: place) : nil
  }
}

extension [Field] {
  /// Those of some that a draft can hold a value for.
  fileprivate func writable(of places: FieldPlaces) -> FieldPlaces {
    withUnsafeBufferPointer { fields in
      places.allSatisfy { fields[$0].isWritable }
        ? places : FieldPlaces(places.filter { fields[$0].isWritable })
    }
  }
}

extension FieldConflicts: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { declared.count }

  /// The field at this place among the declared ones; one that nobody changed is put together each time it is asked for.
  public subscript(place: Int) -> FieldConflict { look(at: place, \.pointee) }
}

extension FieldConflicts: Equatable {
  public static func == (left: FieldConflicts, right: FieldConflicts) -> Bool { left.elementsEqual(right) }
}
