import KeyedArchives
import SQLiteFiles

/// What the keys of a record are to a table, by their places. Most records of a table have the same keys, so it is found out once.
final class KeyMeanings: Sendable {
  enum Meaning {
    /// When a column was set.
    case time(of: Int?)
    case timeOfTheRow
    case value(of: Int?)
    /// Where data lies under it, it is the SHA-256 of what a column holds as an asset, else a field like any other.
    case hash(of: Int?, orValueOf: Int?)
  }

  /// Of columns their places; nil where the table has no such column.
  let all: [Meaning]

  init(_ values: ArchivedValues, _ columns: NamePlaces) {
    var all: [Meaning] = []
    values.forEachKey { key, _ in all.append(Meaning(key, columns)) }
    self.all = all
  }
}

extension KeyMeanings.Meaning {
  fileprivate init(_ key: UnsafeRawBufferPointer, _ columns: NamePlaces) {
    if let timed = ArchivedRecord.timedField(key) {
      self = .time(of: columns[timed])
    } else if ArchivedRecord.isModificationTime(key) {
      self = .timeOfTheRow
    } else if let hashed = ArchivedRecord.hashedField(key) {
      self = .hash(of: columns[hashed], orValueOf: columns[key])
    } else {
      self = .value(of: columns[key])
    }
  }
}

extension ArchivedValues {
  func meanings(in shape: TableShape) -> KeyMeanings {
    ofKeys(for: shape) { KeyMeanings(self, shape.places) }
  }
}
