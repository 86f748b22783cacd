/// A record as one side knows it.
public enum RecordVersion: Sendable, Equatable {
  case present(Fields)
  /// Deleted on that side; the time in nanoseconds since 1970, where somebody recorded it.
  case deleted(time: Int64?)
  /// Never was on that side, as far as that side knows.
  case absent
  /// It exists, or existed, and cannot be read; the reason is shown.
  case unknown(reason: String)

  /// The version whose fields are known by their names.
  public static func present(_ fields: [String: FieldVersion<Value>]) -> RecordVersion {
    .present(Fields(fields))
  }

  /// The fields; nil unless the record is present.
  public var fields: Fields? {
    if case .present(let fields) = self { fields } else { nil }
  }

  /// Whether the record is there, and its fields are known.
  public var isPresent: Bool {
    if case .present = self { true } else { false }
  }

  /// Whether somebody deleted it; not so of what never was there.
  public var isDeleted: Bool {
    if case .deleted = self { true } else { false }
  }

  /// Deleted, or never there.
  public var isGone: Bool {
    switch self {
    case .deleted, .absent: true
    case .present, .unknown: false
    }
  }

  /// Whether it cannot be read, so that nobody knows if it is there.
  public var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  /// When the last of it was set, or it was deleted, in nanoseconds since 1970; nil where nobody recorded it.
  package var newestTime: Int64? {
    switch self {
    case .present(let fields): fields.newestTime
    case .deleted(let time): time
    case .absent, .unknown: nil
    }
  }

  /// The client's version. A client has one time for all its changes of a row: a field that differs from the ancestor
  /// gets it, an unchanged one keeps the ancestor's time. Without an ancestor every field gets it.
  public static func client(
    row: [String: Value], modificationTime: Int64?, ancestor: RecordVersion
  ) -> RecordVersion {
    let known = ancestor.fields ?? [:]
    // At the ancestor's places: where it has all names, as it mostly has, nobody looks for one again.
    var fields = Fields(noneOf: known.names)
    for (place, name) in known.names.list.enumerated() {
      guard let value = row[name] else { continue }
      let ancestor = known[place: place]
      let isUnchanged = ancestor.map { $0.value == value } ?? false
      fields.set(at: place, FieldVersion(value, time: isUnchanged ? ancestor?.time : modificationTime))
    }
    if fields.count == row.count { return .present(fields) }
    for (name, value) in row where known.names.place(of: name) == nil {
      fields[name] = FieldVersion(value, time: modificationTime)
    }
    return .present(fields)
  }
}
