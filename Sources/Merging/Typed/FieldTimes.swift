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

  /// nil if nobody recorded it.
  @inlinable
  subscript(key: Key) -> Int64? { place(of: key).flatMap { times[$0] } }

  /// The latest of all.
  var newest: Int64? { times.lazy.compactMap(\.self).max() }

  /// - Parameter place: among the fields of the type, where the key most likely is.
  @inlinable
  func time(of key: Key, at place: Int) -> Int64? {
    place < fields.count && fields[place].keyPath === key ? times[place] : self[key]
  }

  /// The key path that names a field in code is nearly always the same object, and found as such: to compare one costs more than to look
  /// at all.
  @usableFromInline
  func place(of key: Key) -> Int? {
    func first(_ isIt: (Key) -> Bool) -> Int? {
      fields.firstIndex { isIt($0.keyPath) } ?? others.firstIndex(where: isIt).map { fields.count + $0 }
    }
    return first { $0 === key } ?? first { $0 == key }
  }
}
