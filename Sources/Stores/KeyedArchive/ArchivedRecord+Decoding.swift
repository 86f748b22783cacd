extension ArchivedRecord {
  /// Reads an archive in binary or XML form. Whatever the bytes are, this ends in time that grows with their number.
  ///
  /// - Throws: ``ArchiveError`` if the bytes are no archive, if record type, record name or zone are missing, or if a value
  ///   is damaged. A value of an unknown class is no error: ``ArchivedValue/opaque(className:bytes:)``.
  public init(decoding bytes: [UInt8]) throws(ArchiveError) {
    // A Result, because withUnsafeBytes passes on errors without their type.
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(ArchiveError) in try ArchivedRecord(decoding: bytes) }
    }.get()
  }

  public init(decoding bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    if XMLPropertyList.isOne(bytes) {
      try self.init(decoding: try XMLPropertyList.binary(bytes))
    } else {
      var archive = try KeyedArchive(bytes)
      self = try archive.record()
    }
  }
}

extension KeyedArchive {
  /// The record in `$top`, or in the object that `$top.root` names.
  fileprivate mutating func record() throws(ArchiveError) -> ArchivedRecord {
    guard let root = try entry("root", of: top) else { return try record(top) }
    return try record(try within("root") { () throws(ArchiveError) in try object(root) })
  }

  private mutating func record(_ fields: Extent) throws(ArchiveError) -> ArchivedRecord {
    var parts = RecordParts()
    for position in 0..<fields.count {
      let (key, index) = try entry(position, of: fields)
      try within(key.text) { () throws(ArchiveError) in try read(key, index, into: &parts) }
    }
    return try parts.record()
  }

  private mutating func read(
    _ key: ArchiveKey, _ index: Int, into parts: inout RecordParts
  ) throws(ArchiveError) {
    switch key {
    case "RecordType": parts.recordType = try requiredText(index)
    case "RecordID": parts.recordID = try recordID(index)
    case "ETag": parts.changeTag = try text(index)
    case "RecordCtime": parts.createdAt = try date(index).flatMap(ReferenceDate.nanoseconds)
    case "RecordMtime": parts.modifiedAt = try date(index).flatMap(ReferenceDate.nanoseconds)
    case "ModifiedByDevice": parts.modifiedByDevice = try text(index)
    case "ParentReference": parts.parentRecordName = try parentRecordName(index)
    case "ValueStore": try valueStore(index, into: &parts.plain)
    case "EncryptedValueStore": try valueStore(index, into: &parts.encrypted)
    // Archives of old systems have one store, and its keys lie in the record.
    case "RecordValues", "OriginalValues", "ChangedKeys": try valueStorePart(key, index, into: &parts.legacy)
    default: break
    }
  }

  private mutating func valueStore(_ index: Int, into store: inout RecordParts.Store) throws(ArchiveError) {
    if case .null = try target(of: index) { return }
    store.isThere = true
    let fields = try object(index)
    for position in 0..<fields.count {
      let (key, index) = try entry(position, of: fields)
      try within(key.text) { () throws(ArchiveError) in try valueStorePart(key, index, into: &store) }
    }
  }

  private mutating func valueStorePart(
    _ key: ArchiveKey, _ index: Int, into store: inout RecordParts.Store
  ) throws(ArchiveError) {
    if case .null = try target(of: index) { return }
    switch key {
    case "RecordValues":
      store.isThere = true
      store.values = try dictionary(try object(index))
    case "OriginalValues": store.originalValues = try dictionary(try object(index))
    case "ChangedKeys": store.changedKeys = try texts(try object(index))
    default: break
    }
  }

  /// NSDictionary with text for keys: {NS.keys, NS.objects}.
  private mutating func dictionary(_ fields: Extent) throws(ArchiveError) -> [String: ArchivedValue] {
    let keys = try elements("NS.keys", of: fields)
    let objects = try elements("NS.objects", of: fields)
    guard keys.count == objects.count else {
      throw ArchiveError(.unequalCounts(keys: keys.count, objects: objects.count))
    }
    var values: [String: ArchivedValue] = [:]
    values.reserveCapacity(keys.count)
    for position in 0..<keys.count {
      guard let key = try text(try list.element(position, of: keys)) else { throw ArchiveError(.missing) }
      let object = try list.element(position, of: objects)
      values[key] = try within(key) { () throws(ArchiveError) in try value(object) }
    }
    return values
  }

  private mutating func texts(_ collection: Extent) throws(ArchiveError) -> Set<String> {
    let elements = try elements("NS.objects", of: collection)
    var texts: Set<String> = []
    for position in 0..<elements.count {
      if let text = try text(try list.element(position, of: elements)) { texts.insert(text) }
    }
    return texts
  }
}

/// A record while its keys come in, in whatever order they lie.
private struct RecordParts {
  struct Store {
    var isThere = false
    var values: [String: ArchivedValue] = [:]
    var originalValues: [String: ArchivedValue] = [:]
    var changedKeys: Set<String> = []
  }

  var recordType: String?
  var recordID: ArchivedRecordID?
  var changeTag: String?
  var createdAt: Int64?
  var modifiedAt: Int64?
  var modifiedByDevice: String?
  var parentRecordName: String?
  var plain = Store()
  var encrypted = Store()
  var legacy = Store()

  func record() throws(ArchiveError) -> ArchivedRecord {
    guard let recordType else { throw ArchiveError(.missing, keys: ["RecordType"]) }
    guard let recordID else { throw ArchiveError(.missing, keys: ["RecordID"]) }
    return ArchivedRecord(
      recordType: recordType, recordName: recordID.recordName, zoneName: recordID.zoneName,
      ownerName: recordID.ownerName, changeTag: changeTag, createdAt: createdAt, modifiedAt: modifiedAt,
      modifiedByDevice: modifiedByDevice, parentRecordName: parentRecordName,
      values: joined(\.values), originalValues: joined(\.originalValues),
      changedKeys: legacy.changedKeys.union(plain.changedKeys).union(encrypted.changedKeys),
      hasValueStores: legacy.isThere || plain.isThere || encrypted.isThere)
  }

  /// A key lives in one store. Should it be in two, the encrypted one is the one SQLiteData asks first.
  private func joined(_ part: KeyPath<Store, [String: ArchivedValue]>) -> [String: ArchivedValue] {
    var joined = encrypted[keyPath: part]
    for store in [plain, legacy] where !store[keyPath: part].isEmpty {
      joined.merge(store[keyPath: part]) { first, _ in first }
    }
    return joined
  }
}
