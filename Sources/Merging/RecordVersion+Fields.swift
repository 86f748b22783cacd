extension RecordVersion {
  /// The fields of a version by their names, each with its value and time.
  ///
  /// They lie in the order of ``FieldNames``, which versions of one table share: then a field is found in all of them by its place,
  /// and no name is hashed. Equal are those that have the same fields, in whatever order.
  public struct Fields: Sendable {
    public typealias Version = FieldVersion<Merging.Value>

    package private(set) var names: FieldNames
    /// By the place of the name.
    private var slots: [Slot]
    public private(set) var count: Int

    public init() { (names, slots, count) = (FieldNames(), [], 0) }

    public init(minimumCapacity: Int) {
      self.init()
      slots.reserveCapacity(minimumCapacity)
    }

    public init(_ fields: [String: Version]) {
      self.init(FieldNames(Array(fields.keys)), fields.values.map { $0 })
    }

    public init(uniqueKeysWithValues fields: some Sequence<(String, Version)>) {
      self.init(fields) { _, _ in preconditionFailure("a field has one value, as Dictionary has it") }
    }

    public init(
      _ fields: some Sequence<(String, Version)>,
      uniquingKeysWith combine: (Version, Version) throws -> Version
    ) rethrows {
      self.init(minimumCapacity: fields.underestimatedCount)
      for (name, version) in fields {
        self[name] = try self[name].map { try combine($0, version) } ?? version
      }
    }

    /// - Parameter versions: as many as names; nil where there is no such field.
    package init(_ names: FieldNames, _ versions: [Version?]) {
      precondition(names.count == versions.count, "each name has its place")
      self.names = names
      slots = versions.map { Slot($0) }
      count = slots.count(where: \.isThere)
    }

    /// The same fields among others.
    ///
    /// - Parameters:
    ///   - names: all of which are there then, those of `known` among them.
    ///   - version: of each name that `known` does not have. It is filled in first: hundreds of leaves may lack most of a thousand fields.
    package init(_ names: FieldNames, _ known: RecordVersion.Fields, orElse version: Version) {
      self.names = names
      slots = Array(repeating: Slot(version), count: names.count)
      count = slots.count
      for (name, slot) in zip(known.names.list, known.slots) where slot.isThere {
        if let place = names.place(of: name) { slots[place] = slot }
      }
    }

    /// None so far of the fields of these names.
    package init(noneOf names: FieldNames) {
      self.names = names
      slots = Array(repeating: Slot(nil), count: names.count)
      count = 0
    }

    /// A field of the version, or that it does not have it. It is no `FieldVersion<Value>?`: what is made of generic types is copied
    /// and taken away by their witnesses, which costs more than all that is done with it.
    package struct Slot: Sendable, Equatable {
      /// The first, where it is compared.
      package var value: Merging.Value
      private var nanoseconds: Int64
      private var hasTime: Bool
      package private(set) var isThere: Bool

      init(_ version: Version?) {
        (value, isThere) = (version?.value ?? .null, version != nil)
        (nanoseconds, hasTime) = (version?.time ?? 0, version?.time != nil)
      }

      package var time: Int64? { hasTime ? nanoseconds : nil }
      package var version: Version? { isThere ? Version(value, time: time) : nil }
    }
  }
}

extension RecordVersion.Fields {
  public var isEmpty: Bool { count == 0 }

  public subscript(name: String) -> Version? {
    get { names.place(of: name).flatMap { slots[$0].version } }
    set { set(name, newValue, guess: slots.count) }
  }

  /// The field at a place of ``names``.
  package subscript(place place: Int) -> Version? { slots[place].version }

  var newestTime: Int64? {
    var newest: Int64?
    for slot in slots where slot.isThere {
      if let time = slot.time { newest = Swift.max(newest ?? time, time) }
    }
    return newest
  }

  /// - Parameter guess: the place at which the name most likely is.
  package func place(of name: String, guess: Int) -> Int? { names.place(of: name, guess: guess) }

  package mutating func set(_ name: String, _ version: Version?, guess: Int) {
    if let place = names.place(of: name, guess: guess) {
      count += (version == nil ? 0 : 1) - (slots[place].isThere ? 1 : 0)
      slots[place] = Slot(version)
    } else if let version {
      names.append(name)
      slots.append(Slot(version))
      count += 1
    }
  }

  /// All in one piece of memory, for who looks at each.
  package func withSlots<Result>(_ body: (UnsafeBufferPointer<Slot>) throws -> Result) rethrows -> Result {
    try slots.withUnsafeBufferPointer(body)
  }

  /// Sets what is there at a place of ``names``.
  package mutating func set(at place: Int, _ version: Version) {
    count += slots[place].isThere ? 0 : 1
    slots[place] = Slot(version)
  }

  public var keys: [String] {
    count == slots.count ? names.list : zip(names.list, slots).compactMap { $1.isThere ? $0 : nil }
  }

  public var values: [Version] { slots.compactMap(\.version) }

  public mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

  /// Unlike the one of sequences, again fields.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> RecordVersion.Fields {
    var kept = self
    for element in self where try !isIncluded(element) { kept[element.key] = nil }
    return kept
  }

  public func mapValues<Other>(_ transform: (Version) throws -> Other) rethrows -> [String: Other] {
    var mapped: [String: Other] = Dictionary(minimumCapacity: count)
    for (name, version) in self { mapped[name] = try transform(version) }
    return mapped
  }

  /// The same fields with other versions.
  public func mapVersions(
    _ transform: (Version) throws -> Version
  ) rethrows -> RecordVersion.Fields {
    var mapped = self
    mapped.slots = try slots.map { Slot(try $0.version.map(transform)) }
    return mapped
  }

  public mutating func merge(
    _ other: RecordVersion.Fields,
    uniquingKeysWith combine: (Version, Version) throws -> Version
  ) rethrows {
    for (name, version) in other { self[name] = try self[name].map { try combine($0, version) } ?? version }
  }

  public func merging(
    _ other: RecordVersion.Fields,
    uniquingKeysWith combine: (Version, Version) throws -> Version
  ) rethrows -> RecordVersion.Fields {
    var merged = self
    try merged.merge(other, uniquingKeysWith: combine)
    return merged
  }
}

extension RecordVersion.Fields: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Version)...) {
    self.init(uniqueKeysWithValues: elements)
  }
}

extension RecordVersion.Fields: Sequence {
  public typealias Element = (key: String, value: Version)

  public struct Iterator: IteratorProtocol {
    fileprivate let names: [String]
    fileprivate let slots: [Slot]
    fileprivate var place = 0

    public mutating func next() -> Element? {
      while place < slots.count {
        defer { place += 1 }
        if let version = slots[place].version { return (names[place], version) }
      }
      return nil
    }
  }

  public func makeIterator() -> Iterator { Iterator(names: names.list, slots: slots) }

  public var underestimatedCount: Int { count }
}

extension RecordVersion.Fields: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    if left.count != right.count { return false }
    if left.names.isSame(as: right.names) { return left.slots == right.slots }
    return left.enumerated().allSatisfy { guess, element in
      let place = right.names.place(of: element.key, guess: guess)
      return place.map { right.slots[$0].version == element.value } ?? false
    }
  }
}
