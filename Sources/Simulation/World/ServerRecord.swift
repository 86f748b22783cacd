import Merging

/// A record as it travels: each field with the time at which it was set, and one time for the whole.
///
/// NULL with a time is a field that was set to NULL. A field that is missing is not known to whoever wrote the record,
/// which is something else: it is left alone where the record arrives.
package struct ServerRecord: Sendable, Equatable {
  package var fields: RecordVersion.Fields
  /// Nanoseconds since 1970; nil in a record that other software wrote.
  package var time: Int64?
  /// nil until the server has saved it.
  package var tag: ChangeTag?

  /// - Parameter time: the newest of the fields' times, unless given.
  package init(_ fields: RecordVersion.Fields, tag: ChangeTag? = nil) {
    self.init(fields, time: fields.values.compactMap(\.time).max(), tag: tag)
  }

  package init(_ fields: RecordVersion.Fields, time: Int64?, tag: ChangeTag? = nil) {
    self.fields = fields
    self.time = time
    self.tag = tag
  }

  package func value(_ column: String) -> Value { fields[column]?.value ?? .null }

  func knows(_ column: String) -> Bool { fields[column]?.time != nil }

  mutating func raiseTime(to time: Int64) { self.time = max(self.time ?? time, time) }
}
