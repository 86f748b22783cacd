import KeyedArchives

/// A record, or a row as it was captured, as a row's `Decodable` asks for it: one container, whose keys are columns.
struct RecordDecoder: Decoder {
  let columns: RecordColumns
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(columns: columns))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notARow([Any].self) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notARow(Any.self) }

  private func notARow(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type, .init(codingPath: [], debugDescription: "a row is decoded by the names of its columns"))
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let columns: RecordColumns
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
      columns.asked.list()
      return Set(columns.values.keys).union(columns.known.keys).compactMap(Key.init)
    }

    func contains(_ key: Key) -> Bool {
      let column = asked(key)
      return columns.contains(column)
    }
    func decodeNil(forKey key: Key) throws -> Bool { columns.isNull(asked(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      let column = asked(key)
      do {
        let value = try columns.decode(type, [key])
        columns.asked.answer(column)
        return value
      } catch {
        // That a column is NULL is no loss: what a type makes of it is its own.
        let isNull = columns.contains(column) && columns.isNull(column)
        columns.asked.answer(column, failure: isNull ? nil : error)
        throw error
      }
    }

    /// What stands for bytes that are not at hand may be NULL, where the record's own value is not.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
      guard contains(key), try !decodeNil(forKey: key) else { return nil }
      return try decode(Value?.self, forKey: key)
    }

    @discardableResult private func asked(_ key: Key) -> String {
      columns.asked.insert(key.stringValue)
      return key.stringValue
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw notNested(key) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw notNested(key)
    }
    func superDecoder() throws -> any Decoder { RecordDecoder(columns: columns) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw notNested(key) }

    private func notNested(_ key: Key) -> DecodingError {
      .dataCorrupted(.init(codingPath: [key], debugDescription: "a column of JSON is a type of its own"))
    }
  }
}

/// One value of a record, as a type asks for it that is none of the standard library's.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let columns: RecordColumns
  let value: ArchivedValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw IsJSON()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw IsJSON() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    switch value {
    case .bool(let bool): bool
    case .integer(0): false
    case .integer(1): true
    default: throw columns.mismatch(type, value, codingPath)
    }
  }

  func decode(_ type: String.Type) throws -> String {
    if case .string(let text) = value { text } else { throw columns.mismatch(type, value, codingPath) }
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .real(let real): real
    // The engine writes a whole number back as an integer.
    case .integer(let integer):
      if let real = Double(exactly: integer) { real } else { throw columns.mismatch(type, value, codingPath) }
    default: throw columns.mismatch(type, value, codingPath)
    }
  }

  /// What is too large for it is no infinity.
  func decode(_ type: Float.Type) throws -> Float {
    let real = try decode(Double.self)
    let float = Float(real)
    guard float.isFinite == real.isFinite else { throw columns.mismatch(type, value, codingPath) }
    return float
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try columns.decode(type, value, codingPath)
  }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    let number: Number? =
      switch value {
      case .integer(let integer): Number(exactly: integer)
      case .unsigned(let integer): Number(exactly: integer)
      case .bool(let bool): bool ? 1 : 0
      default: nil
      }
    guard let number else { throw columns.mismatch(Number.self, value, codingPath) }
    return number
  }
}
