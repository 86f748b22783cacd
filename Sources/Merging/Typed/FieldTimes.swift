/// When the fields of a version were last set, by their key paths.
///
/// The key path that names a field in code is nearly always the same object, and found as such: to hash one costs more than to look
/// at all.
@usableFromInline
struct FieldTimes<Row>: Sendable {
  @usableFromInline
  typealias Key = PartialKeyPath<Row> & Sendable

  @usableFromInline
  private(set) var keys: [Key] = []
  /// Nanoseconds since 1970, by the place of the key.
  @usableFromInline
  private(set) var times: [Int64] = []

  /// - Parameter times: of a key that comes twice the first counts.
  init(_ times: some Sequence<(Key, Int64)>) {
    for (key, time) in times where self[key] == nil {
      keys.append(key)
      self.times.append(time)
    }
  }

  /// nil if nobody recorded it.
  @inlinable
  subscript(key: Key) -> Int64? {
    for place in keys.indices where keys[place] === key { return times[place] }
    return keys.firstIndex { $0 == key }.map { times[$0] }
  }
}
