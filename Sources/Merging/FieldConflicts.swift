/// The fields of a conflict, in the order of its table.
///
/// Most are changed by nobody: such a one, of which nothing is to be told but its versions, is put together when somebody looks at it.
public struct FieldConflicts: Sendable {
  /// The fields themselves.
  package let declared: [Field]
  /// The places of the fields in which the versions differ.
  package let changed: [Int]
  /// By the place in ``changed``, or all.
  private let made: [FieldConflict]
  private let merge: RecordMerge

  /// - Parameter rules: of which `table` is asked.
  init(_ fields: [Field], _ merge: RecordMerge, _ rules: FieldRules) {
    (declared, self.merge) = (fields, merge)
    if merge.hasManyLeaves {
      let all = fields.indices.map { merge.field(fields[$0], at: $0, rules.rule(of: fields[$0]), rules) }
      (made, changed) = (all, all.indices.filter { all[$0].change != .unchanged })
    } else {
      let places = merge.changed(fields)
      made = places.map { merge.field(fields[$0], at: $0, rules.rule(of: fields[$0]), rules) }
      changed = places
    }
  }

  /// The same otherwise told.
  init(_ other: FieldConflicts, _ tell: (FieldConflict) -> FieldConflict) {
    (declared, merge) = (other.declared, other.merge)
    let all = other.map(tell)
    (made, changed) = (all, all.indices.filter { all[$0].change != .unchanged })
  }

  /// Where a field is.
  package func place(of name: String) -> Int? {
    if let place = merge.versions.client.fields?.place(of: name, guess: 0), place < declared.count,
      declared[place].name == name
    {
      return place
    }
    return declared.firstIndex { $0.name == name }
  }

  /// What `body` tells of the field at a place where it lies: to copy one costs more than most that is asked of it.
  package func look<Answer>(
    at place: Int, _ body: (UnsafePointer<FieldConflict>) throws -> Answer
  ) rethrows -> Answer {
    let known = made.count == declared.count ? place : placeInChanged(place)
    return try made.withUnsafeBufferPointer { made in
      guard let known, let first = made.baseAddress else {
        return try withUnsafePointer(to: merge.unchanged(declared[place], at: place), body)
      }
      return try body(first + known)
    }
  }

  private func placeInChanged(_ place: Int) -> Int? {
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
