/// The values of a record by their keys, as a dictionary has them. Each is made when somebody asks for it.
///
/// Whether it can be made was found out as the archive was read, with every value in it: what is damaged is refused there, and not
/// found by who asks. Most are not asked for: a list compares the fields of a record, and shows few of them.
///
/// Keys are told apart as those of a dictionary are, by Unicode's equivalence; of ASCII that is the same bytes.
package struct ArchivedValues: Sendable {
  typealias Extent = BinaryPropertyList.Extent
  typealias Bytes = UnsafeRawBufferPointer

  fileprivate enum KeyInPlace {
    case ascii(Extent)
    /// Among ``texts``: one that is not ASCII, or was set since.
    case text(Int)
  }

  fileprivate struct Entry {
    let key: KeyInPlace
    var value: ValueInPlace
  }

  /// What the extents lie in.
  private var archive: [UInt8] = []
  private var entries: [Entry] = []
  private var texts: [String] = []
  private var made: [ArchivedValue] = []
  /// Where each key is, of many; nil of few, which are as soon looked through.
  private(set) var places: [String: Int]?
  /// That of all archives with these keys at these places; nil where nobody knows, and once a key was set or taken away.
  private var layout: ArchiveLayout?
  private static let few = 32
}

// As a dictionary.
extension ArchivedValues {
  package init(_ values: [String: ArchivedValue]) {
    self.init()
    for (key, value) in values { self[key] = value }
  }

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }
  package var dictionary: [String: ArchivedValue] { Dictionary(uniqueKeysWithValues: map { ($0, $1) }) }

  package subscript(key: String) -> ArchivedValue? {
    get { archive.withUnsafeBytes { place(of: key, $0) }.map { self[place: $0] } }
    set {
      let archive = archive
      archive.withUnsafeBytes { bytes in
        guard let newValue else { return remove(key, bytes) }
        made.append(newValue)
        set(.text(key), .made(made.count - 1), replacing: true, bytes)
        layout = nil
      }
    }
  }

  private mutating func remove(_ key: String, _ bytes: Bytes) {
    guard let place = place(of: key, bytes) else { return }
    entries.remove(at: place)
    places = places(bytes)
    layout = nil
  }
}

extension ArchivedValues: Sequence {
  package func makeIterator() -> some IteratorProtocol<(key: String, value: ArchivedValue)> {
    entries.indices.lazy.map { (key(at: $0), self[place: $0]) }.makeIterator()
  }
}

extension ArchivedValues: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, ArchivedValue)...) {
    self.init(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension ArchivedValues: Equatable {
  package static func == (left: ArchivedValues, right: ArchivedValues) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }
}

// By place, for who asks for few of many.
extension ArchivedValues {
  package func key(at place: Int) -> String { archive.withUnsafeBytes { text(entries[place].key, $0) } }

  package subscript(place place: Int) -> ArchivedValue {
    archive.withUnsafeBytes { entries[place].value.value(in: $0, made) }
  }

  /// What `body` makes of a text that lies in the archive as it is; nil of all else, also of texts that lie otherwise.
  package func withUTF8<Result>(at place: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard case .utf8(let extent) = entries[place].value else { return nil }
    return archive.withUnsafeBytes { body($0.part(extent)) }
  }

  package func isData(at place: Int) -> Bool {
    switch entries[place].value {
    case .data: true
    case .made(let number): if case .data = made[number] { true } else { false }
    case .null, .bool, .integer, .unsigned, .real, .date, .utf8: false
    }
  }

  /// What `make` makes of the keys alone, which is made once for all archives that have them at the same places.
  ///
  /// - Parameter asker: for whom it is made; another one gets their own.
  package func ofKeys<Meaning: AnyObject & Sendable>(
    for asker: some AnyObject & Sendable, _ make: () -> Meaning
  ) -> Meaning {
    layout?.remembered(for: asker, make) ?? make()
  }

  package func integer(at place: Int) -> Int64? {
    switch entries[place].value {
    case .integer(let integer): integer
    case .made(let number): if case .integer(let integer) = made[number] { integer } else { nil }
    case .null, .unsigned, .real, .bool, .date, .utf8, .data: nil
    }
  }

  package func forEachKey(_ body: (_ key: UnsafeRawBufferPointer, _ place: Int) -> Void) {
    archive.withUnsafeBytes { bytes in
      for place in entries.indices {
        switch entries[place].key {
        case .ascii(let extent): body(bytes.part(extent), place)
        case .text(let number):
          var text = texts[number]
          text.withUTF8 { body(UnsafeRawBufferPointer($0), place) }
        }
      }
    }
  }
}

// As an archive is read.
extension ArchivedValues {
  enum ReadKey {
    case ascii(Extent)
    case text(String)

    func text(in bytes: Bytes) -> String {
      switch self {
      case .ascii(let extent): String(decoding: bytes.part(extent), as: UTF8.self)
      case .text(let text): text
      }
    }
  }

  mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(entries.count + count) }

  /// - Parameters:
  ///   - replaces: whether this value counts where the key has one already.
  ///   - bytes: the archive, which ``keep(_:_:)`` gets once it is read.
  mutating func set(_ key: ReadKey, _ value: ValueInPlace, replacing replaces: Bool, _ bytes: Bytes) {
    guard let place = place(of: key, bytes) else { return append(key, value, bytes) }
    if replaces { entries[place].value = value }
  }

  private mutating func append(_ key: ReadKey, _ value: ValueInPlace, _ bytes: Bytes) {
    switch key {
    case .ascii(let extent): append(Entry(key: .ascii(extent), value: value), bytes)
    case .text(let text):
      texts.append(text)
      append(Entry(key: .text(texts.count - 1), value: value), bytes)
    }
  }

  private mutating func append(_ entry: Entry, _ bytes: Bytes) {
    entries.append(entry)
    if places == nil {
      places = places(bytes)
    } else {
      let key = text(entry.key, bytes)
      places?[key] = entries.count - 1
    }
  }

  /// To be filled by ``append(_:_:)``.
  ///
  /// - Parameter layout: with all keys that it will have.
  init(_ layout: ArchiveLayout) {
    (self.layout, places) = (layout, layout.places)
    entries.reserveCapacity(layout.values.count)
  }

  /// Where no other has this key.
  mutating func append(_ key: Extent, _ value: ValueInPlace) {
    entries.append(Entry(key: .ascii(key), value: value))
  }

  /// - Parameter made: what ``ValueInPlace/made(_:)`` counts in.
  mutating func keep(_ archive: [UInt8], _ made: [ArchivedValue]) {
    if !entries.isEmpty { (self.archive, self.made) = (archive, made) }
  }
}

// Where a key is.
extension ArchivedValues {
  private func place(of key: ReadKey, _ bytes: Bytes) -> Int? {
    switch key {
    case .ascii(let extent): place(ofASCII: bytes.part(extent), bytes)
    case .text(let text): place(of: text, bytes)
    }
  }

  private func place(of key: String, _ bytes: Bytes) -> Int? {
    if let places { return places[key] }
    var key = key
    if key.utf8.allSatisfy({ $0 < 0x80 }) {
      return key.withUTF8 { place(ofASCII: Bytes($0), bytes) }
    }
    return entries.firstIndex { text($0.key, bytes) == key }
  }

  private func place(ofASCII key: Bytes, _ bytes: Bytes) -> Int? {
    if let places { return places[String(decoding: key, as: UTF8.self)] }
    return entries.firstIndex { entry in
      switch entry.key {
      case .ascii(let extent): extent.count == key.count && bytes.part(extent).equals(key)
      case .text(let number): texts[number] == String(decoding: key, as: UTF8.self)
      }
    }
  }

  /// nil of few.
  private func places(_ bytes: Bytes) -> [String: Int]? {
    if entries.count <= Self.few { return nil }
    let places = entries.enumerated().map { (text($0.element.key, bytes), $0.offset) }
    return Dictionary(uniqueKeysWithValues: places)
  }

  private func text(_ key: KeyInPlace, _ bytes: Bytes) -> String {
    switch key {
    case .ascii(let extent): String(decoding: bytes.part(extent), as: UTF8.self)
    case .text(let number): texts[number]
    }
  }
}
