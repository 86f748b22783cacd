import Merging

/// The time that a write gives a record, in nanoseconds since 1970.
///
/// The app sends a field only if its time in the ancestor is not later than the record's. But the device that receives it takes
/// it only if its time is later than the one that device knows: at equal times each keeps its own value, for ever, and
/// nothing tells. So a write is one later than all that is known of the record, from whichever side it came. That is more
/// than now where the clock of some device was ahead; and never more than needed, as what is set too late makes later edits
/// of right clocks lose.
enum WriteTime {
  static func time(now: Int64, after known: some Sequence<Int64>) -> Int64 {
    guard let newest = known.max() else { return now }
    // At the end of time itself nothing can be later.
    return max(now, newest == .max ? .max : newest + 1)
  }
}

extension RecordVersion {
  var times: [Int64] { fields?.values.compactMap(\.time) ?? [] }
}

extension ArchivedVersion {
  /// Of its fields, and of the record as a whole.
  var times: [Int64] { version.times + [record?.modificationTime].compactMap(\.self) }
}
