/// A record as one side knows it.
public enum RecordVersion: Sendable, Equatable {
  public typealias Fields = [String: FieldVersion<Value>]

  case present(Fields)
  /// Deleted on that side; the time in nanoseconds since 1970, where somebody recorded it.
  case deleted(time: Int64?)
  /// Never was on that side, as far as that side knows.
  case absent
  /// It exists, or existed, and cannot be read; the reason is shown.
  case unknown(reason: String)

  public var fields: Fields? {
    if case .present(let fields) = self { fields } else { nil }
  }

  public var isPresent: Bool { fields != nil }

  /// Deleted, or never there.
  public var isGone: Bool {
    switch self {
    case .deleted, .absent: true
    case .present, .unknown: false
    }
  }

  public var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  /// The client's version. A client has one time for all its changes of a row: a field that differs from the ancestor
  /// gets it, an unchanged one keeps the ancestor's time. Without an ancestor every field gets it.
  public static func client(
    row: [String: Value], modificationTime: Int64?, ancestor: RecordVersion
  ) -> RecordVersion {
    let known = ancestor.fields ?? [:]
    var fields = Fields(minimumCapacity: row.count)
    for (name, value) in row {
      let ancestor = known[name]
      let isUnchanged = ancestor.map { $0.value == value } ?? false
      fields[name] = FieldVersion(value, time: isUnchanged ? ancestor?.time : modificationTime)
    }
    return .present(fields)
  }
}
