/// A property list as a tree: what the binary writer writes, and what the XML reader reads.
package indirect enum PropertyList: Sendable {
  case bool(Bool)
  case integer(Int64)
  /// Only beyond `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  case string(String)
  case data([UInt8])
  /// In a keyed archive: an index into `$objects`.
  case uid(UInt64)
  case array([PropertyList])
  case dictionary([Entry])

  package struct Entry: Sendable {
    package var key: String
    package var value: PropertyList
  }
}

extension PropertyList.Entry {
  package init(_ key: String, _ value: PropertyList) {
    self.key = key
    self.value = value
  }
}
