/// When the fields of a version were last set, by their key paths.
///
/// The versions of a type have one list of fields, which is the type's own: of each there is nothing but its times.
@usableFromInline
struct FieldTimes<Row: Sendable>: Sendable {
  @usableFromInline
  typealias Key = PartialKeyPath<Row> & Sendable

  @usableFromInline
  let fields: [MergeField<Row>]
  /// Keys that are no field's.
  @usableFromInline
  let others: [Key]
  /// Nanoseconds since 1970, of each field and then of the others; nil if nobody recorded it.
  @usableFromInline
  let times: [Int64?]

  init(_ times: [Key: Int64]) {
    (fields, others) = ([], Array(times.keys))
    self.times = times.values.map(\.self)
  }

  /// - Parameter time: of the field at a place. Not of the field itself, which is more to copy than all that is asked of it.
  @inlinable
  init(_ fields: [MergeField<Row>], _ time: (Int) -> Int64?) {
    (self.fields, others) = (fields, [])
    times = fields.indices.map(time)
  }

  /// nil if nobody recorded it. Of a key that comes twice the first time counts that there is.
  @usableFromInline
  subscript(key: Key) -> Int64? {
    // The key path that names a field in code is nearly always the same object: to compare one costs more than to look at all.
    var isField = false
    for place in fields.indices where fields[place].keyPath === key {
      if let time = times[place] { return time }
      isField = true
    }
    return isField ? nil : time { $0 === key } ?? time { $0 == key }
  }

  private func time(_ isIt: (Key) -> Bool) -> Int64? {
    for place in fields.indices where isIt(fields[place].keyPath) {
      if let time = times[place] { return time }
    }
    return others.firstIndex(where: isIt).flatMap { times[fields.count + $0] }
  }

  /// The latest of all.
  var newest: Int64? { times.lazy.compactMap(\.self).max() }

  /// - Parameter place: among the fields of the type, where the key most likely is.
  @inlinable
  func time(of key: Key, at place: Int) -> Int64? {
    if place < fields.count, fields[place].keyPath === key, let time = times[place] { return time }
    return self[key]
  }
}
