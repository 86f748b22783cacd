import Merging

/// How today's SQLiteData writes into a record. Each setter looks at the field's time first, lets none go back, and tells
/// whether it changed the value.
extension ServerRecord {
  /// -1 where nobody recorded one.
  private func fieldTime(_ column: String) -> Int64 { fields[column]?.time ?? -1 }

  private mutating func set(_ value: Value, in column: String, at time: Int64) {
    fields[column] = FieldVersion(value, time: max(fieldTime(column), time))
    raiseTime(to: time)
  }

  /// A column of a row that is sent.
  mutating func put(_ value: Value, in column: String, at time: Int64) {
    switch value {
    case .null: removeValue(of: column, at: time)
    // Bytes are never compared: each upload of a row stamps all its blobs anew.
    case .blob where fieldTime(column) <= time: set(value, in: column, at: time)
    case .blob: break
    case .integer, .real, .text, .opaque: setValue(value, of: column, at: time)
    }
  }

  /// A column of the last-known record that is put back into the server's, if it is not older and differs.
  mutating func putBack(_ known: FieldVersion<Value>?, in column: String) -> Bool {
    let time = known?.time ?? -1
    switch known?.value ?? .null {
    case .null: return removeValue(of: column, at: time)
    // An archive names the file of a blob, and mostly it is gone.
    case let blob where !blob.isAtHand: return false
    case let value: return setValue(value, of: column, at: time)
    }
  }

  @discardableResult
  private mutating func setValue(_ value: Value, of column: String, at time: Int64) -> Bool {
    guard fieldTime(column) <= time, self.value(column) != value else { return false }
    set(value, in: column, at: time)
    return true
  }

  @discardableResult
  private mutating func removeValue(of column: String, at time: Int64) -> Bool {
    guard fieldTime(column) <= time else { return false }
    if value(column) != .null {
      set(.null, in: column, at: time)
      return true
    }
    if !knows(column) { fields[column] = FieldVersion(.null, time: time) }
    return false
  }
}
