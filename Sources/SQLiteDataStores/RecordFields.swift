import KeyedArchives
import Merging
import SQLiteFiles

/// What a record has of each column, and of fields that are none, found in one pass over its keys.
struct RecordFields {
  private(set) var fields: RecordVersion.Fields = [:]
  /// The names of the record's fields that the table does not have.
  private(set) var unknown: Set<String> = []
  /// See ``ArchivedVersion/newestEdit``.
  let newestEdit: Int64?

  struct Found {
    /// Its place among the record's values.
    var value: Int?
    var time: Int64?

    /// A field with a time and no value was set to NULL; one with neither is missing.
    var isKnown: Bool { value != nil || time != nil }
  }

  /// - Parameter otherTimes: when the fields were set that have a value and no time of their own.
  init(_ record: borrowing ArchivedRecord, _ shape: TableShape?, otherTimes: Int64?) {
    let meanings =
      shape.map { record.values.meanings(in: $0) } ?? KeyMeanings(record.values, NamePlaces([]))
    newestEdit = Self.newestEdit(of: record, meanings)
    let found = Self.find(record.values, meanings, shape?.columns.count ?? 0) { unknown.insert($0) }
    if let shape {
      fields = RecordVersion.Fields(noneOf: shape.fieldNames)
      // Two columns of one name have no place of their own.
      let arePlaced = shape.ambiguousColumn == nil
      for (place, column) in shape.columns.enumerated() where !column.isGenerated {
        add(
          found[place], column.name, column.affinity, record, shape, otherTimes,
          at: arePlaced ? place : nil)
      }
    } else {
      let names = Array(unknown)
      let meanings = KeyMeanings(record.values, NamePlaces(names))
      for (name, found) in zip(names, Self.find(record.values, meanings, names.count)) {
        add(found, name, .none, record, nil, otherTimes)
      }
    }
  }

  /// What there is of each of `count` columns; `miss` gets the names of what is of none.
  static func find(
    _ values: ArchivedValues, _ meanings: KeyMeanings, _ count: Int, _ miss: (String) -> Void = { _ in }
  ) -> [Found] {
    var found = Array(repeating: Found(), count: count)
    for (place, meaning) in meanings.all.enumerated() {
      switch meaning {
      case .timeOfTheRow: break
      case .time(let column?): found[column].time = values.integer(at: place)
      case .value(let column?): found[column].value = place
      case .hash(let hashed, let column):
        if let column { found[column].value = place }
        if (values.isData(at: place) ? hashed : column) == nil { miss(values.field(at: place)) }
      case .time(nil), .value(nil): miss(values.field(at: place))
      }
    }
    return found
  }

  /// What the app has put into the record since it was saved is not what was saved.
  private static func newestEdit(of record: borrowing ArchivedRecord, _ meanings: KeyMeanings) -> Int64? {
    var newest: Int64?
    for (place, meaning) in meanings.all.enumerated() {
      guard case .time = meaning, let time = record.values.integer(at: place),
        newest.map({ time > $0 }) ?? true, !record.isChanged(at: place)
      else { continue }
      newest = time
    }
    return newest
  }

  private mutating func add(
    _ found: Found, _ name: String, _ affinity: Affinity, _ record: borrowing ArchivedRecord,
    _ shape: TableShape?, _ otherTimes: Int64?, at place: Int? = nil
  ) {
    guard found.isKnown else { return }
    let value = found.value.map { record.value(record.values[place: $0], of: name, shape) } ?? .null
    let time = found.value == nil ? found.time : found.time ?? otherTimes
    let version = FieldVersion(affinity.stored(value), time: time)
    if let place { fields.set(at: place, version) } else { fields[name] = version }
  }
}

extension ArchivedRecord {
  /// Whether the field that a time is of was changed since the server was last heard.
  fileprivate func isChanged(at place: Int) -> Bool {
    if changedKeys.isEmpty { return false }
    let name = values.field(at: place)
    return [name, values.key(at: place), ArchivedRecord.assetHashKey(of: name)]
      .contains(where: changedKeys.contains)
  }
}

extension ArchivedValues {
  /// The field that a key is of.
  fileprivate func field(at place: Int) -> String {
    let key = key(at: place)
    return Array(key.utf8).withUnsafeBytes { bytes in
      let timed = ArchivedRecord.timedField(bytes)
      let field = timed ?? (isData(at: place) ? ArchivedRecord.hashedField(bytes) : nil)
      return field.map { String(decoding: $0, as: UTF8.self) } ?? key
    }
  }
}
