extension ArchivedRecord {
  /// Reads an archive in binary or XML form. Whatever the bytes are, this ends in time that grows with their number.
  ///
  /// - Throws: ``ArchiveError`` if the bytes are no archive, if record type, record name or zone are missing, or if a value
  ///   is damaged. A value of an unknown class is no error: ``ArchivedValue/opaque(className:bytes:)``.
  package init(decoding bytes: [UInt8]) throws(ArchiveError) {
    // A Result, because withUnsafeBytes passes on errors without their type.
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(ArchiveError) in try ArchivedRecord(decoding: bytes) }
    }.get()
  }

  package init(decoding bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
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
    case "ValueStore": try valueStore(.plain, index, into: &parts)
    case "EncryptedValueStore": try valueStore(.encrypted, index, into: &parts)
    // Archives of old systems have one store, and its keys lie in the record.
    case "RecordValues", "OriginalValues", "ChangedKeys": try valueStorePart(key, .plain, index, into: &parts)
    default: break
    }
  }

  private mutating func valueStore(
    _ store: ArchivedValueStore, _ index: Int, into parts: inout RecordParts
  ) throws(ArchiveError) {
    if case .null = try target(of: index) { return }
    parts.hasValueStores = true
    let fields = try object(index)
    for position in 0..<fields.count {
      let (key, index) = try entry(position, of: fields)
      try within(key.text) { () throws(ArchiveError) in try valueStorePart(key, store, index, into: &parts) }
    }
  }

  private mutating func valueStorePart(
    _ key: ArchiveKey, _ store: ArchivedValueStore, _ index: Int, into parts: inout RecordParts
  ) throws(ArchiveError) {
    if case .null = try target(of: index) { return }
    switch key {
    case "RecordValues":
      parts.hasValueStores = true
      try readDictionary(try object(index), of: store, into: &parts.values)
    case "OriginalValues": try readDictionary(try object(index), of: store, into: &parts.originalValues)
    case "ChangedKeys": try readTexts(try object(index), into: &parts.changedKeys)
    default: break
    }
  }

  /// NSDictionary with text for keys: {NS.keys, NS.objects}. A key lives in one store; should it be in both, the encrypted
  /// one counts, since SQLiteData asks it first.
  private mutating func readDictionary(
    _ fields: Extent, of store: ArchivedValueStore, into values: inout [String: ArchivedValue]
  ) throws(ArchiveError) {
    let keys = try elements("NS.keys", of: fields)
    let objects = try elements("NS.objects", of: fields)
    guard keys.count == objects.count else {
      throw ArchiveError(.unequalCounts(keys: keys.count, objects: objects.count))
    }
    if keys.count == 0 { return }
    // A count is only a claim: the keys may all be the same.
    values.reserveCapacity(values.count + min(keys.count, 256))
    for position in 0..<keys.count {
      guard let key = try text(try list.element(position, of: keys)) else { throw ArchiveError(.missing) }
      let object = try list.element(position, of: objects)
      let value = try within(key) { () throws(ArchiveError) in try self.value(object) }
      if store == .encrypted || values[key] == nil { values[key] = value }
    }
  }

  private mutating func readTexts(_ collection: Extent, into texts: inout Set<String>) throws(ArchiveError) {
    let elements = try elements("NS.objects", of: collection)
    for position in 0..<elements.count {
      if let text = try text(try list.element(position, of: elements)) { texts.insert(text) }
    }
  }
}

/// A record while its keys come in, in whatever order they lie.
private struct RecordParts {
  var recordType: String?
  var recordID: ArchivedRecordID?
  var changeTag: String?
  var createdAt: Int64?
  var modifiedAt: Int64?
  var modifiedByDevice: String?
  var parentRecordName: String?
  var values: [String: ArchivedValue] = [:]
  var originalValues: [String: ArchivedValue] = [:]
  var changedKeys: Set<String> = []
  var hasValueStores = false

  func record() throws(ArchiveError) -> ArchivedRecord {
    guard let recordType else { throw ArchiveError(.missing, keys: ["RecordType"]) }
    guard let recordID else { throw ArchiveError(.missing, keys: ["RecordID"]) }
    return ArchivedRecord(
      recordType: recordType, recordName: recordID.recordName, zoneName: recordID.zoneName,
      ownerName: recordID.ownerName, changeTag: changeTag, createdAt: createdAt, modifiedAt: modifiedAt,
      modifiedByDevice: modifiedByDevice, parentRecordName: parentRecordName, values: values,
      originalValues: originalValues, changedKeys: changedKeys, hasValueStores: hasValueStores)
  }
}
