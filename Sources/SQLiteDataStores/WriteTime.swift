import Merging
import StoreInterface

/// The time that a write gives a record, in nanoseconds since 1970.
///
/// The app sends a field only if its time in the ancestor is not later than the record's. But the device that receives it takes
/// it only if its time is later than the one that device knows: at equal times each keeps its own value, for ever, and
/// nothing tells. So a write is later than all that is known of the record, from whichever side it came. That is more
/// than now where the clock of some device was ahead; and hardly more than needed, as what is set too late makes later edits
/// of right clocks lose.
///
/// Later by one would be one time for two devices that decide the same conflict otherwise. What is decided tells them apart: each draft
/// has a place of its own within the next millisecond, by a hash.
enum WriteTime {
  private static let places: UInt64 = 1_000_000

  static func time(of row: RowImage?, now: Int64, after known: some Sequence<Int64>) -> Int64 {
    guard let newest = known.max(), newest >= now else { return now }
    let (time, isBeyond) = newest.addingReportingOverflow(1 + place(of: row))
    // At the end of time itself nothing can be later.
    return isBeyond ? .max : time
  }

  /// The same wherever the same is drafted.
  private static func place(of row: RowImage?) -> Int64 {
    let digest = Blob(bytes: Array(RowJSON.encode(row ?? [:]).utf8)).sha256
    return Int64(digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } % places)
  }
}

extension RecordVersion {
  var times: [Int64] { fields?.values.compactMap(\.time) ?? [] }
}

extension ArchivedVersion {
  /// Of its fields, and of the record as a whole.
  var times: [Int64] { version.times + [record?.modificationTime].compactMap(\.self) }
}
