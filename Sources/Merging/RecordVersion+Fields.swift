extension RecordVersion {
  /// The fields of a version by their names, each with its value and time.
  ///
  /// They lie in the order of ``FieldNames``, which versions of one table share: then a field is found in all of them by its place,
  /// and no name is hashed. Equal are those that have the same fields, in whatever order.
  public struct Fields: @unchecked Sendable {
    /// One field of a version: its value, and when it was set.
    public typealias Version = FieldVersion<Merging.Value>

    // Changed only while this value alone has them, hence @unchecked.
    private var slots: Slots

    /// A version that has no fields.
    public init() { slots = Slots.none }

    /// A version that has no fields so far, and room for so many of them.
    public init(minimumCapacity: Int) { slots = Slots.make(FieldNames(), room: minimumCapacity) }

    /// The fields of a dictionary, in no order of their own.
    public init(_ fields: [String: Version]) {
      self.init(FieldNames(Array(fields.keys)), fields.values.map { $0 })
    }

    /// Fields of which each name is there once; a second one ends the program, as it does in a Dictionary.
    public init(uniqueKeysWithValues fields: some Sequence<(String, Version)>) {
      self.init(fields) { _, _ in preconditionFailure("a field has one value, as Dictionary has it") }
    }

    /// Fields in the order of their names' first places; of a name that is there twice `combine` makes one version of both.
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
      slots = Slots.make(names, versions.lazy.map { Slot($0) })
    }

    /// The same fields among others.
    ///
    /// - Parameters:
    ///   - names: all of which are there then, those of `known` among them.
    ///   - version: of each name that `known` does not have. It is filled in first: hundreds of leaves may lack most of a thousand fields.
    package init(_ names: FieldNames, _ known: RecordVersion.Fields, orElse version: Version) {
      slots = Slots.make(names, repeatElement(Slot(version), count: names.count))
      known.withSlots { others in
        for (name, slot) in zip(known.names.list, others) where slot.isThere {
          if let place = names.place(of: name) { slots.set(at: place, slot) }
        }
      }
    }

    /// None so far of the fields of these names.
    package init(noneOf names: FieldNames) {
      slots = Slots.make(names, repeatElement(Slot(nil), count: names.count))
    }
  }
}

extension RecordVersion.Fields {
  package var names: FieldNames { slots.names }

  /// How many fields the version has.
  public var count: Int { slots.countThere }

  /// Whether the version has no field at all.
  public var isEmpty: Bool { count == 0 }

  /// The field of this name; nil where the version does not have it, and setting nil takes it away.
  public subscript(name: String) -> Version? {
    get { names.place(of: name).flatMap { self[place: $0] } }
    set { set(name, newValue, guess: slots.count) }
  }

  /// The field at a place of ``names``.
  package subscript(place place: Int) -> Version? {
    withSlots { slots in
      precondition(place < slots.count, "a place of its names")
      return slots[place].version
    }
  }

  var newestTime: Int64? {
    withSlots { slots in
      var newest: Int64?
      for place in slots.indices where slots[place].isThere {
        if let time = slots[place].time { newest = Swift.max(newest ?? time, time) }
      }
      return newest
    }
  }

  /// - Parameter guess: the place at which the name most likely is.
  package func place(of name: String, guess: Int) -> Int? { names.place(of: name, guess: guess) }

  package mutating func set(_ name: String, _ version: Version?, guess: Int) {
    if let place = names.place(of: name, guess: guess) {
      set(at: place, Slot(version))
    } else if let version {
      let (count, room) = (slots.count, slots.room)
      own(room: count < room ? room : Swift.max(4, 2 * count))
      slots.append(name, Slot(version))
    }
  }

  /// All in one piece of memory, for who looks at each.
  package func withSlots<Result>(_ body: (UnsafeBufferPointer<Slot>) throws -> Result) rethrows -> Result {
    try slots.withAll(body)
  }

  /// Sets what is there at a place of ``names``.
  package mutating func set(at place: Int, _ version: Version) { set(at: place, Slot(version)) }

  private mutating func set(at place: Int, _ slot: Slot) {
    own(room: slots.room)
    slots.set(at: place, slot)
  }

  /// Makes sure that nobody else has what is about to be changed, and that there is room.
  private mutating func own(room: Int) {
    if isKnownUniquelyReferenced(&slots), slots.room >= room { return }
    slots = slots.copy(room: room)
  }

  /// The names of the fields that the version has, in the order of ``values``.
  public var keys: [String] {
    let list = names.list
    return slots.countThere == slots.count
      ? list : withSlots { slots in list.indices.filter { slots[$0].isThere }.map { list[$0] } }
  }

  /// The fields without their names, in the order of ``keys``.
  public var values: [Version] { withSlots { $0.compactMap(\.version) } }

  /// Makes room for so many fields, so that none is moved while they are set.
  public mutating func reserveCapacity(_ count: Int) { own(room: Swift.max(count, slots.count)) }

  /// Unlike the one of sequences, again fields.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> RecordVersion.Fields {
    var kept = self
    for element in self where try !isIncluded(element) { kept[element.key] = nil }
    return kept
  }

  /// What `transform` makes of each field, by its name.
  public func mapValues<Other>(_ transform: (Version) throws -> Other) rethrows -> [String: Other] {
    var mapped: [String: Other] = Dictionary(minimumCapacity: count)
    for (name, version) in self { mapped[name] = try transform(version) }
    return mapped
  }

  /// The same fields with other versions.
  public func mapVersions(
    _ transform: (Version) throws -> Version
  ) rethrows -> RecordVersion.Fields {
    try withSlots { slots in
      RecordVersion.Fields(names, try slots.map { try $0.version.map(transform) })
    }
  }

  /// Takes in the fields of `other`; of a name that both have `combine` makes one version: the first is this one's.
  public mutating func merge(
    _ other: RecordVersion.Fields,
    uniquingKeysWith combine: (Version, Version) throws -> Version
  ) rethrows {
    for (name, version) in other { self[name] = try self[name].map { try combine($0, version) } ?? version }
  }

  /// The fields of both; of a name that both have `combine` makes one version: the first is this one's.
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
  /// A field that is there, with its name.
  public typealias Element = (key: String, value: Version)

  /// Walks the fields that are there, in the order of their names' places.
  public struct Iterator: IteratorProtocol {
    fileprivate let names: [String]
    fileprivate let fields: RecordVersion.Fields
    fileprivate var place = 0

    public mutating func next() -> Element? {
      while place < names.count {
        defer { place += 1 }
        if let version = fields[place: place] { return (names[place], version) }
      }
      return nil
    }
  }

  public func makeIterator() -> Iterator { Iterator(names: names.list, fields: self) }

  public var underestimatedCount: Int { count }
}

extension RecordVersion.Fields: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    if left.count != right.count { return false }
    if left.names.isSame(as: right.names) {
      return left.withSlots { left in right.withSlots { left.elementsEqual($0) } }
    }
    return left.enumerated().allSatisfy { guess, element in
      let place = right.names.place(of: element.key, guess: guess)
      return place.map { right[place: $0] == element.value } ?? false
    }
  }
}
