// The values of a record: numbers, text and data lie in `$objects` as they are, everything else is an object of a class.

extension KeyedArchive {
  package mutating func value(_ index: Int, depth: Int = 0) throws(ArchiveError) -> ArchivedValue {
    try valueInPlace(index, depth: depth).value(in: list.bytes, made)
  }

  /// A value, checked with all that is in it.
  mutating func valueInPlace(_ index: Int, depth: Int = 0) throws(ArchiveError) -> ValueInPlace {
    guard depth < Self.depthLimit else { throw ArchiveError(.tooDeep(limit: Self.depthLimit)) }
    switch try target(of: index) {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .integer(let integer): return .integer(integer)
    case .unsigned(let unsigned): return .unsigned(unsigned)
    case .real(let real): return .real(real)
    case .data(let extent): return try dataInPlace(extent)
    case .ascii(let extent):
      try reserve(extent.count)
      try list.checkASCII(extent)
      return .utf8(extent)
    case .dictionary(let object): return try valueInPlace(object: object, at: index, depth: depth)
    case let node: return try text(node).map { make(.string($0)) } ?? .null
    }
  }

  private mutating func valueInPlace(
    object: Extent, at index: Int, depth: Int
  ) throws(ArchiveError) -> ValueInPlace {
    let found = try objectClass(of: object)
    guard let payload = found.payload else {
      return make(try value(object: object, of: found.name, at: index, depth: depth))
    }
    if let value = try encrypted(payload, object) { return value }
    return make(try opaque(at: index))
  }

  private mutating func dataInPlace(_ extent: Extent) throws(ArchiveError) -> ValueInPlace {
    try reserve(extent.count)
    return .data(extent)
  }

  private mutating func make(_ value: ArchivedValue) -> ValueInPlace {
    made.append(value)
    return .made(made.count - 1)
  }

  private mutating func value(
    object: Extent, of className: ArchiveKey, at index: Int, depth: Int
  ) throws(ArchiveError) -> ArchivedValue {
    switch className {
    case "NSString", "NSMutableString": return .string(try text(index) ?? "")
    case "NSData", "NSMutableData":
      return .data(try bytes(try data(index) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    case "NSDate": return .date(secondsSince2001: try date(object))
    case "NSNull": return .null
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet": return try values(object, depth: depth)
    case "CKReference": return .reference(recordName: try recordName(referredToBy: object))
    case "CKAsset": return .asset(try asset(object))
    // The coder's numbers lie in the object itself, under long names.
    case "CLLocation":
      return .location(
        latitude: try real(try required("kCLLocationCodingKeyCoordinateLatitude", of: object)),
        longitude: try real(try required("kCLLocationCodingKeyCoordinateLongitude", of: object)))
    default: return try opaque(at: index)
    }
  }

  /// nil where the payload is missing, encrypted for real, or does not hold what the class says.
  private mutating func encrypted(
    _ payload: EncryptedPayload, _ object: Extent
  ) throws(ArchiveError) -> ValueInPlace? {
    guard let index = try entry("EncryptedData", of: object) else { return nil }
    return try encrypted(payload, data: index)
  }

  mutating func encrypted(
    _ payload: EncryptedPayload, data index: Int
  ) throws(ArchiveError) -> ValueInPlace? {
    guard let data = try data(index) else { return nil }
    try reserve(payload.isList ? 16 * data.count : data.count)
    if payload == .bytes { return .data(list.extent(of: data)) }
    if payload.isList { return make(.list(try payload.values(data))) }
    switch try payload.last(data) {
    case nil: return nil
    case .integer(let integer)?: return .integer(integer)
    case .real(let real)?: return .real(real)
    case .text(let utf8)?: return .utf8(list.extent(of: utf8))
    case .date(let seconds)?: return .date(secondsSince2001: seconds)
    case .made(let value)?: return make(value)
    }
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

// A whole object with all it holds, for what is carried through without being understood.

extension KeyedArchive {
  /// Keys in the order of their bytes and nothing shared, so that equal objects give equal trees.
  package mutating func object(at index: Int, depth: Int = 0) throws(ArchiveError) -> CodedObject {
    guard depth < Self.depthLimit else { throw ArchiveError(.tooDeep(limit: Self.depthLimit)) }
    try visit()
    try reserve(16)
    let node = try list.node(index)
    switch node {
    case .uid(0): return .null
    case .uid(let uid): return try codedObject(try object(uid), depth: depth)
    case .array(let elements): return .references(try objects(elements, depth: depth))
    default: return .inline(try leaf(node))
    }
  }

  /// The object that `$top.root` names.
  package mutating func rootObject() throws(ArchiveError) -> CodedObject {
    try object(at: try required("root", of: top))
  }

  private mutating func codedObject(_ node: Node, depth: Int) throws(ArchiveError) -> CodedObject {
    guard case .dictionary(let dictionary) = node else { return .leaf(try leaf(node)) }
    var fields: [CodedObject.Field] = []
    for position in 0..<dictionary.count {
      let (key, index) = try entry(position, of: dictionary)
      if "$class" ~= key { continue }
      let name = try text(try list.node(try list.element(position, of: dictionary))) ?? ""
      fields.append(.init(name, try object(at: index, depth: depth + 1)))
    }
    fields.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .object(classes: try classes(of: dictionary), fields: fields)
  }

  private mutating func objects(_ elements: Extent, depth: Int) throws(ArchiveError) -> [CodedObject] {
    var objects: [CodedObject] = []
    for position in 0..<elements.count {
      objects.append(try object(at: try list.element(position, of: elements), depth: depth + 1))
    }
    return objects
  }

  private mutating func leaf(_ node: Node) throws(ArchiveError) -> PropertyList {
    switch node {
    case .bool(let bool): return .bool(bool)
    case .integer(let integer): return .integer(integer)
    case .unsigned(let unsigned): return .unsigned(unsigned)
    case .real(let real): return .real(real)
    case .data(let extent): return .data(try bytes(list.data(extent)))
    case .ascii, .utf16: return .string(try text(node) ?? "")
    case .null, .date, .uid, .array, .set, .dictionary:
      throw ArchiveError(.unexpected(found: node.kind, expected: "a value or an object"))
    }
  }

  /// The class, its superclass and so on; whatever `$classes` says, the first is the one that `$classname` names.
  private mutating func classes(of object: Extent) throws(ArchiveError) -> [String] {
    let classObject = try classObject(try required("$class", of: object))
    let name = try requiredText(try classNameIndex(classObject))
    guard let index = try entry("$classes", of: classObject), case .array(let chain) = try list.node(index)
    else { return [name] }
    var classes: [String] = []
    for position in 0..<chain.count {
      classes.append(try requiredText(try list.element(position, of: chain)))
    }
    return classes.first == name ? classes : [name] + classes
  }
}
