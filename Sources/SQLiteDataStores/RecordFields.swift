import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// What a record has of each column, and of fields that are none, found in one pass over its keys.
struct RecordFields {
  private(set) var fields: RecordVersion.Fields = [:]
  /// The names of the record's fields that the table does not have.
  private(set) var unknown: Set<String> = []

  struct Found {
    /// Its place among the record's values.
    var value: Int?
    var time: Int64?

    /// A field with a time and no value was set to NULL; one with neither is missing.
    var isKnown: Bool { value != nil || time != nil }
  }

  /// - Parameter otherTimes: when the fields were set that have a value and no time of their own.
  init(_ record: ArchivedRecord, _ shape: TableShape?, otherTimes: Int64?) {
    if let shape {
      let found = Self.find(record.values, shape.places, shape.columns.count) { miss($0) }
      fields = RecordVersion.Fields(noneOf: shape.fieldNames)
      // Two columns of one name have no place of their own.
      let arePlaced = shape.ambiguousColumn == nil
      for (place, column) in shape.columns.enumerated() where !column.isGenerated {
        add(
          found[place], column.name, column.affinity, record, shape, otherTimes,
          at: arePlaced ? place : nil)
      }
    } else {
      _ = Self.find(record.values, NamePlaces([]), 0) { miss($0) }
      let names = Array(unknown)
      for (name, found) in zip(names, Self.find(record.values, NamePlaces(names), names.count)) {
        add(found, name, .none, record, nil, otherTimes)
      }
    }
  }

  /// What there is of each of `count` columns; `miss` gets the names of what is of none.
  static func find(
    _ values: ArchivedValues, _ columns: NamePlaces, _ count: Int,
    _ miss: (UnsafeRawBufferPointer) -> Void = { _ in }
  ) -> [Found] {
    var found = Array(repeating: Found(), count: count)
    values.forEachKey { key, place in
      if let timed = ArchivedRecord.timedField(key) {
        guard let column = columns[timed] else { return miss(timed) }
        found[column].time = values.integer(at: place)
      } else if !ArchivedRecord.isModificationTime(key) {
        let column = columns[key]
        if let column { found[column].value = place }
        let name = values.hashedField(key, at: place)
        if name.map({ columns[$0] == nil }) ?? (column == nil) { miss(name ?? key) }
      }
    }
    return found
  }

  private mutating func miss(_ name: UnsafeRawBufferPointer) {
    unknown.insert(String(decoding: name, as: UTF8.self))
  }

  private mutating func add(
    _ found: Found, _ name: String, _ affinity: Affinity, _ record: ArchivedRecord, _ shape: TableShape?,
    _ otherTimes: Int64?, at place: Int? = nil
  ) {
    guard found.isKnown else { return }
    let value = found.value.map { record.value(record.values[place: $0], of: name, shape) } ?? .null
    let time = found.value == nil ? found.time : found.time ?? otherTimes
    let version = FieldVersion(affinity.stored(value), time: time)
    if let place { fields.set(at: place, version) } else { fields[name] = version }
  }
}

extension ArchivedValues {
  /// The field whose blob's SHA-256 lies under a key; nil if none does.
  fileprivate func hashedField(_ key: UnsafeRawBufferPointer, at place: Int) -> UnsafeRawBufferPointer? {
    let suffix = ArchivedRecord.hashSuffix.utf8
    guard key.count >= suffix.count, key.suffix(suffix.count).elementsEqual(suffix),
      case .data = self[place: place]
    else { return nil }
    return UnsafeRawBufferPointer(rebasing: key.dropLast(suffix.count))
  }
}
