import ExactJSON

// Records go by their names, byte for byte, as in their stores: a text of Swift equals another in Unicode's other normal form, and of two
// records that differ in no more than that one would be taken for the other.

/// Names of records.
package struct RecordNames: Sendable, Hashable, SetAlgebra {
  private var names: Set<JSONText>

  package init() { names = [] }
  package init(_ names: some Sequence<String>) { self.names = Set(names.lazy.map { JSONText($0) }) }
  private init(of names: Set<JSONText>) { self.names = names }
  package init(arrayLiteral names: String...) {
    self.init()
    for name in names { insert(name) }
  }

  package var count: Int { names.count }
  package var isEmpty: Bool { names.isEmpty }

  package func contains(_ name: String) -> Bool { names.contains(JSONText(name)) }

  @discardableResult package mutating func insert(_ name: String) -> (
    inserted: Bool, memberAfterInsert: String
  ) {
    let (inserted, member) = names.insert(JSONText(name))
    return (inserted, member.text)
  }

  @discardableResult package mutating func remove(_ name: String) -> String? {
    names.remove(JSONText(name))?.text
  }
  @discardableResult package mutating func update(with name: String) -> String? {
    names.update(with: JSONText(name))?.text
  }

  package func union(_ other: RecordNames) -> RecordNames { RecordNames(of: names.union(other.names)) }
  package func intersection(_ other: RecordNames) -> RecordNames {
    RecordNames(of: names.intersection(other.names))
  }
  package func symmetricDifference(_ other: RecordNames) -> RecordNames {
    RecordNames(of: names.symmetricDifference(other.names))
  }

  package mutating func formUnion(_ other: RecordNames) { names.formUnion(other.names) }
  package mutating func formIntersection(_ other: RecordNames) { names.formIntersection(other.names) }
  package mutating func formSymmetricDifference(_ other: RecordNames) {
    names.formSymmetricDifference(other.names)
  }

  package func filter(_ isIncluded: (String) throws -> Bool) rethrows -> RecordNames {
    RecordNames(of: try names.filter { try isIncluded($0.text) })
  }
}

extension RecordNames {
  package mutating func formUnion(_ names: some Sequence<String>) { for name in names { insert(name) } }
  package mutating func subtract(_ names: some Sequence<String>) { for name in names { remove(name) } }

  package func union(_ names: some Sequence<String>) -> RecordNames {
    var all = self
    all.formUnion(names)
    return all
  }

  package func subtracting(_ names: some Sequence<String>) -> RecordNames {
    var rest = self
    rest.subtract(names)
    return rest
  }

  package func isSuperset(of names: some Sequence<String>) -> Bool { names.allSatisfy(contains) }
  package func isDisjoint(with names: some Sequence<String>) -> Bool { !names.contains(where: contains) }
}

extension String? {
  /// Whether both are the name of one record, or of none.
  package func isName(_ other: String?) -> Bool { map { JSONText($0) } == other.map { JSONText($0) } }
}

extension [String] {
  /// Where a name is.
  package func place(ofName name: String) -> Int? { firstIndex { $0.hasSameBytes(as: name) } }

  /// Each name once, in the order of first appearance.
  package var unique: [String] {
    var seen = RecordNames()
    return filter { seen.insert($0).inserted }
  }
}

extension RecordNames: Sequence {
  package func makeIterator() -> AnyIterator<String> {
    var rest = names.makeIterator()
    return AnyIterator { rest.next()?.text }
  }
}

/// What is known of records, by their names.
package struct ByRecord<Value> {
  private var entries: [JSONText: Value]

  package init() { entries = [:] }
  private init(of entries: [JSONText: Value]) { self.entries = entries }

  package init(
    _ pairs: some Sequence<(String, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    entries = try Dictionary(pairs.lazy.map { (JSONText($0), $1) }, uniquingKeysWith: combine)
  }

  package init<Element>(
    grouping elements: some Sequence<Element>, by name: (Element) throws -> String
  ) rethrows where Value == [Element] {
    entries = try Dictionary(grouping: elements) { JSONText(try name($0)) }
  }

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }
  package var keys: some Collection<String> { entries.keys.lazy.map(\.text) }
  package var values: some Collection<Value> { entries.values }

  package subscript(name: String) -> Value? {
    get { entries[JSONText(name)] }
    _modify { yield &entries[JSONText(name)] }
  }

  package subscript(name: String, default none: @autoclosure () -> Value) -> Value {
    get { entries[JSONText(name), default: none()] }
    _modify { yield &entries[JSONText(name), default: none()] }
  }

  /// - Returns: what was known before.
  @discardableResult package mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
    entries.updateValue(value, forKey: JSONText(name))
  }

  @discardableResult package mutating func removeValue(forKey name: String) -> Value? {
    entries.removeValue(forKey: JSONText(name))
  }

  package mutating func removeAll() { entries = [:] }

  package func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> ByRecord<Other> {
    ByRecord<Other>(of: try entries.mapValues(transform))
  }

  package func compactMapValues<Other>(_ transform: (Value) throws -> Other?) rethrows -> ByRecord<Other> {
    ByRecord<Other>(of: try entries.compactMapValues(transform))
  }

  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> ByRecord {
    ByRecord(of: try entries.filter { try isIncluded(($0.key.text, $0.value)) })
  }
}

extension ByRecord: Sequence {
  package typealias Element = (key: String, value: Value)

  package func makeIterator() -> AnyIterator<Element> {
    var rest = entries.makeIterator()
    return AnyIterator { rest.next().map { ($0.key.text, $0.value) } }
  }
}

extension ByRecord: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}

extension ByRecord: Equatable where Value: Equatable {}
extension ByRecord: Sendable where Value: Sendable {}
