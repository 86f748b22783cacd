// The values of a record: numbers, text and data lie in `$objects` as they are, everything else is an object of a class.

extension KeyedArchive {
  package mutating func value(_ index: Int, depth: Int = 0) throws(ArchiveError) -> ArchivedValue {
    guard depth < Self.depthLimit else { throw ArchiveError(.tooDeep(limit: Self.depthLimit)) }
    switch try target(of: index) {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .integer(let integer): return .integer(integer)
    case .unsigned(let unsigned): return .unsigned(unsigned)
    case .real(let real): return .real(real)
    case .data(let extent): return .data(try bytes(list.data(extent)))
    case .dictionary(let object): return try value(object: object, at: index, depth: depth)
    case let node:
      if let text = try text(node) { return .string(text) }
      return .null
    }
  }

  private mutating func value(object: Extent, at index: Int, depth: Int) throws(ArchiveError) -> ArchivedValue
  {
    let className = try className(of: object)
    if let payload = EncryptedPayload(className: className) {
      if let value = try encrypted(payload, object) { return value }
      return try opaque(at: index)
    }
    switch className {
    case "NSString", "NSMutableString": return .string(try text(index) ?? "")
    case "NSData", "NSMutableData":
      return .data(try bytes(try data(index) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    case "NSDate": return .date(secondsSince2001: try date(object))
    case "NSNull": return .null
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet": return try values(object, depth: depth)
    case "CKReference": return .reference(recordName: try recordName(referredToBy: object))
    case "CKAsset": return .asset(try asset(object))
    case "CLLocation": return try location(object)
    default: return try opaque(at: index)
    }
  }

  /// nil where the payload is missing, encrypted for real, or does not hold what the class says.
  private mutating func encrypted(
    _ payload: EncryptedPayload, _ object: Extent
  ) throws(ArchiveError) -> ArchivedValue? {
    guard let index = try entry("EncryptedData", of: object), let data = try data(index) else { return nil }
    try reserve(payload.isList ? 16 * data.count : data.count)
    return try payload.value(data)
  }

  private mutating func values(_ collection: Extent, depth: Int) throws(ArchiveError) -> ArchivedValue {
    let elements = try elements("NS.objects", of: collection)
    var values: [ArchivedValue] = []
    for position in 0..<elements.count {
      try reserve(16)
      values.append(try value(try list.element(position, of: elements), depth: depth + 1))
    }
    return .list(values)
  }

  /// Compared and carried through, not understood.
  private mutating func opaque(at index: Int) throws(ArchiveError) -> ArchivedValue {
    let object = try object(at: index)
    guard case .object(let classes, _) = object, let className = classes.first else {
      throw ArchiveError(.missing, keys: ["$class"])
    }
    return .opaque(className: className, bytes: KeyedArchiveWriter.archive(root: object))
  }

  /// The coder's numbers lie in the object itself, under long names.
  private mutating func location(_ object: Extent) throws(ArchiveError) -> ArchivedValue {
    .location(
      latitude: try coordinate("kCLLocationCodingKeyCoordinateLatitude", of: object),
      longitude: try coordinate("kCLLocationCodingKeyCoordinateLongitude", of: object))
  }

  private mutating func coordinate(_ name: StaticString, of object: Extent) throws(ArchiveError) -> Double {
    guard let index = try entry(name, of: object) else { throw ArchiveError(.missing, keys: ["\(name)"]) }
    return try real(index)
  }

  /// CKAsset: of its forty keys, those that say which file it is.
  private mutating func asset(_ object: Extent) throws(ArchiveError) -> ArchivedAsset {
    var asset = ArchivedAsset()
    var hasSize = true
    for position in 0..<object.count {
      let (key, index) = try entry(position, of: object)
      switch key {
      case "AssetSignature":
        asset.signature = try data(index).map { data throws(ArchiveError) in try bytes(data) }
      case "AssetSize": asset.size = try integer(index)
      case "AssetHasSize": hasSize = try bool(index)
      case "AssetUUID": asset.uuid = try text(index)
      case "AssetFileURL": asset.filePath = try filePath(index)
      default: break
      }
    }
    if !hasSize { asset.size = nil }
    return asset
  }

  /// NSURL, or nil: {NS.base, NS.relative}. The path of a file URL, anything else as it is.
  private mutating func filePath(_ index: Int) throws(ArchiveError) -> String? {
    switch try target(of: index) {
    case .null: return nil
    case .dictionary(let fields):
      guard let relative = try entry("NS.relative", of: fields) else { return nil }
      return try text(relative).map(FileURL.path)
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "a URL"))
    }
  }
}
