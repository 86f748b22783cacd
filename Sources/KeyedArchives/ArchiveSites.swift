/// Where the record's own keys and values are in an archive that was read: see ``ArchiveLayout``.
struct ArchiveSites {
  private(set) var system: [ArchiveLayout.Site] = []
  private(set) var values: [ArchiveLayout.ValueSite] = []

  /// - Throws: for an archive of a kind that no layout is kept of.
  init(_ archive: inout KeyedArchive) throws(ArchiveError) {
    let fields = try archive.recordFields()
    for position in 0..<fields.count {
      let (key, index) = try archive.entry(position, of: fields)
      switch RecordKey(key) {
      case nil: break
      case .plainStore?, .encryptedStore?: try addValues(ofStore: index, &archive)
      case .values?, .originalValues?, .changedKeys?: throw ArchiveError(.notAKeyedArchive("an old one"))
      case let key?: system.append(.init(key: key, index: index))
      }
    }
  }

  private mutating func addValues(ofStore index: Int, _ archive: inout KeyedArchive) throws(ArchiveError) {
    if case .null = try archive.target(of: index) { return }
    let store = try archive.object(index)
    for position in 0..<store.count {
      let (key, index) = try archive.entry(position, of: store)
      switch try archive.target(of: index) {
      case .null: break
      case .dictionary(let dictionary): if RecordKey(key) == .values { try addValues(dictionary, &archive) }
      // It is looked at whatever it is, and nothing free may be that is no site.
      default: throw ArchiveError(.unexpected(found: "a value", expected: "an object"))
      }
    }
  }

  private mutating func addValues(
    _ dictionary: BinaryPropertyList.Extent, _ archive: inout KeyedArchive
  ) throws(ArchiveError) {
    let keys = try archive.elements("NS.keys", of: dictionary)
    let objects = try archive.elements("NS.objects", of: dictionary)
    for position in 0..<keys.count {
      let key = try archive.number(ofObject: try archive.list.element(position, of: keys))
      guard case .ascii(let text) = try archive.list.node(key) else {
        throw ArchiveError(.invalidText(encoding: "ASCII"))
      }
      let index = try archive.list.element(position, of: objects)
      values.append(
        .init(
          key: key, keyStart: text.start - archive.list.offset(key), keyCount: text.count, index: index,
          encrypted: try archive.encryptedData(index)))
    }
  }
}

extension KeyedArchive {
  fileprivate mutating func encryptedData(
    _ index: Int
  ) throws(ArchiveError) -> (payload: EncryptedPayload, data: Int)? {
    guard case .dictionary(let object) = try target(of: index),
      let payload = try objectClass(of: object).payload, let data = try entry("EncryptedData", of: object)
    else { return nil }
    return (payload, data)
  }
}

/// The objects of an archive that decide how it is read: see ``ArchiveLayout``.
struct FixedObjects {
  private(set) var runs: [ArchiveLayout.Run] = []
  private(set) var distances: [Int] = []
  private(set) var bytes: [UInt8] = []

  /// - Parameter keys: the objects that are keys of the record's values.
  init(_ list: BinaryPropertyList, keys: [Int]) throws(ArchiveError) {
    var isFixed = Array(repeating: false, count: list.objectCount)
    for key in keys { isFixed[key] = true }
    for index in 0..<list.objectCount { try Self.mark(index, of: list, &isFixed) }
    var end = -1
    for index in 0..<list.objectCount {
      guard isFixed[index] else {
        end = -1
        continue
      }
      let place = try list.place(of: index)
      add(index, place, in: list, isNext: place.lowerBound == end)
      end = place.upperBound
    }
  }

  /// What holds others is fixed, and so are its keys and what its class is called.
  private static func mark(
    _ index: Int, of list: BinaryPropertyList, _ isFixed: inout [Bool]
  ) throws(ArchiveError) {
    switch try list.node(index) {
    case .integer, .unsigned, .real, .date, .data, .ascii, .utf16: break
    case .null, .bool, .uid, .array, .set: isFixed[index] = true
    case .dictionary(let extent):
      isFixed[index] = true
      for position in 0..<extent.count {
        let key = try list.element(position, of: extent)
        isFixed[key] = true
        switch try ArchiveKey(key, in: list) {
        case "$classname", "$archiver", "$version": isFixed[try list.value(position, of: extent)] = true
        default: break
        }
      }
    }
  }

  private mutating func add(_ index: Int, _ place: Range<Int>, in list: BinaryPropertyList, isNext: Bool) {
    if isNext, let last = runs.popLast() {
      runs.append(
        .init(
          first: last.first, count: last.count + 1, start: last.start, length: last.length + place.count,
          passed: last.passed))
      distances.append(last.length)
    } else {
      runs.append(
        .init(first: index, count: 1, start: bytes.count, length: place.count, passed: distances.count))
      distances.append(0)
    }
    bytes += list.bytes[place]
  }
}
