/// The fields of a conflict, in the order of its table.
///
/// Most are changed by nobody: such a one, of which nothing is to be told but its versions, is put together when somebody looks at it.
public struct FieldConflicts: Sendable {
  // In one piece of memory, as each question about a field is asked of a copy.
  @usableFromInline let storage: Storage

  @usableFromInline
  final class Storage: Sendable {
    let declared: [Field]
    let changed: [Int]
    let toDecide: [Int]
    /// By the place in ``changed``, or all.
    @usableFromInline let made: [FieldConflict]
    let merge: RecordMerge

    init(_ declared: [Field], _ changed: [Int], _ made: [FieldConflict], _ merge: RecordMerge) {
      (self.declared, self.changed, self.made, self.merge) = (declared, changed, made, merge)
      // Mostly all of them, and then nothing is made.
      toDecide =
        changed.allSatisfy { declared[$0].isWritable } ? changed : changed.filter { declared[$0].isWritable }
    }

    convenience init(all: [FieldConflict], of declared: [Field], _ merge: RecordMerge) {
      self.init(declared, all.indices.filter { all[$0].change != .unchanged }, all, merge)
    }
  }

  /// - Parameter rules: of which `table` is asked.
  init(_ fields: [Field], _ merge: RecordMerge, _ rules: FieldRules) {
    func made(_ places: some Sequence<Int>) -> [FieldConflict] {
      places.map { merge.field(fields[$0], at: $0, rules.rule(of: fields[$0]), rules) }
    }
    if merge.hasManyLeaves {
      storage = Storage(all: made(fields.indices), of: fields, merge)
    } else {
      let changed = merge.changed(fields)
      storage = Storage(fields, changed, made(changed), merge)
    }
  }

  /// The same otherwise told.
  init(_ other: FieldConflicts, _ tell: (FieldConflict) -> FieldConflict) {
    storage = Storage(all: other.map(tell), of: other.declared, other.storage.merge)
  }

  /// The fields themselves.
  package var declared: [Field] { storage.declared }
  /// The places of the fields in which the versions differ.
  package var changed: [Int] { storage.changed }
  /// Those of them that a person decides, where fields are decided one by one.
  package var toDecide: [Int] { storage.toDecide }

  /// Where a field is.
  package func place(of name: String) -> Int? {
    if let place = storage.merge.versions.client.fields?.place(of: name, guess: 0), place < declared.count,
      declared[place].name == name
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
    let known = placeInMade(place)
    return try storage.made.withUnsafeBufferPointer { made in
      guard let known, let first = made.baseAddress else {
        return try withUnsafePointer(to: unchanged(at: place), body)
      }
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
  func placeInMade(_ place: Int) -> Int? {
    storage.made.count == declared.count ? place : placeInChanged(place)
  }

  @usableFromInline
  func unchanged(at place: Int) -> FieldConflict { storage.merge.unchanged(declared[place], at: place) }

  private func placeInChanged(_ place: Int) -> Int? {
    let changed = changed
    var (start, end) = (0, changed.count)
    while start < end {
      let middle = (start + end) / 2
      if changed[middle] < place { start = middle + 1 } else { end = middle }
    }
    return start < changed.count && changed[start] == place ? start : nil
  }
}

extension FieldConflicts: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { declared.count }

  public subscript(place: Int) -> FieldConflict { look(at: place, \.pointee) }
}

extension FieldConflicts: Equatable {
  public static func == (left: FieldConflicts, right: FieldConflicts) -> Bool { left.elementsEqual(right) }
}
