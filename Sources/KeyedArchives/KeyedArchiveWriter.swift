/// An object on its way into a keyed archive, or out of one.
package indirect enum CodedObject: Sendable {
  /// nil: a reference to entry 0.
  case null
  /// A truth value or number of the coder's own calls: lies in its owner's dictionary.
  case inline(PropertyList)
  /// Text, data or an NSNumber: an entry of `$objects` of its own.
  case leaf(PropertyList)
  /// The references of a collection: an array in its owner's dictionary.
  case references([CodedObject])
  /// - Parameter classes: the class, its superclass and so on up to NSObject.
  case object(classes: [String], fields: [Field])

  package struct Field: Sendable {
    package var key: String
    package var object: CodedObject

    package init(_ key: String, _ object: CodedObject) { (self.key, self.object) = (key, object) }
  }
}

/// Writes a keyed archive the way NSKeyedArchiver numbers it: an object, then what it holds, then its class.
package struct KeyedArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var uidByClass: [[String]: UInt64] = [:]
  private var uidByText: [[UInt8]: UInt64] = [:]

  package static func archive(root: CodedObject) -> [UInt8] { archive(top: [.init("root", root)]) }

  package static func archive(top: [CodedObject.Field]) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let top = writer.entries(top)
    return BinaryPropertyListWriter.bytes(
      of: .dictionary([
        .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary(top)), .init("$objects", .array(writer.objects)),
      ]))
  }

  private mutating func entries(_ fields: [CodedObject.Field]) -> [PropertyList.Entry] {
    fields.map { .init($0.key, encode($0.object)) }
  }

  /// What stands for `object` in the dictionary or array that holds it.
  private mutating func encode(_ object: CodedObject) -> PropertyList {
    switch object {
    case .null: return .uid(0)
    case .inline(let list): return list
    case .leaf(.string(let text)): return .uid(addText(text))
    case .leaf(let list): return .uid(add(list))
    case .references(let objects): return .array(objects.map { encode($0) })
    case .object(let classes, let fields):
      let uid = add(.dictionary([]))
      let entries = entries(fields)
      objects[Int(uid)] = .dictionary(entries + [.init("$class", .uid(addClass(classes)))])
      return .uid(uid)
    }
  }

  private mutating func add(_ list: PropertyList) -> UInt64 {
    objects.append(list)
    return UInt64(objects.count - 1)
  }

  private mutating func addText(_ text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    if let uid = uidByText[bytes] { return uid }
    let uid = add(.string(text))
    uidByText[bytes] = uid
    return uid
  }

  private mutating func addClass(_ classes: [String]) -> UInt64 {
    if let uid = uidByClass[classes] { return uid }
    let uid = add(
      .dictionary([
        .init("$classname", .string(classes.first ?? "")),
        .init("$classes", .array(classes.map { .string($0) })),
      ]))
    uidByClass[classes] = uid
    return uid
  }
}

// The objects of Foundation, CoreLocation and CloudKit, with the classes and keys that their own coders write.

extension CodedObject {
  package static func text(_ text: String?) -> CodedObject { text.map { .leaf(.string($0)) } ?? .null }

  package static func date(secondsSince2001: Double) -> CodedObject {
    .object(classes: ["NSDate", "NSObject"], fields: [.init("NS.time", .inline(.real(secondsSince2001)))])
  }

  package static func date(nanoseconds: Int64?) -> CodedObject {
    nanoseconds.map { .date(secondsSince2001: ReferenceDate.secondsSince2001(nanoseconds: $0)) } ?? .null
  }

  package static func array(_ elements: [CodedObject]) -> CodedObject {
    .object(classes: ["NSArray", "NSObject"], fields: [.init("NS.objects", .references(elements))])
  }

  /// Mutable, because CloudKit's own are, and secure coding asks for exactly these classes.
  package static func mutableDictionary(_ values: [(key: String, object: CodedObject)]) -> CodedObject {
    .object(
      classes: ["NSMutableDictionary", "NSDictionary", "NSObject"],
      fields: [
        .init("NS.keys", .references(values.map { .leaf(.string($0.key)) })),
        .init("NS.objects", .references(values.map(\.object))),
      ])
  }

  package static func mutableSet(_ texts: [String]) -> CodedObject {
    .object(
      classes: ["NSMutableSet", "NSSet", "NSObject"],
      fields: [.init("NS.objects", .references(texts.map { .leaf(.string($0)) }))])
  }

  package static func zoneID(_ zoneName: String, ownerName: String) -> CodedObject {
    .object(
      classes: ["CKRecordZoneID", "NSObject"],
      fields: [
        .init("ZoneName", .text(zoneName)), .init("ownerName", .text(ownerName)),
        .init("anonymousCKUserID", .null), .init("databaseScopeKey", .inline(.integer(0))),
      ])
  }

  package static func recordID(_ recordName: String, zone: CodedObject) -> CodedObject {
    .object(
      classes: ["CKRecordID", "NSObject"],
      fields: [.init("RecordName", .text(recordName)), .init("ZoneID", zone)])
  }

  /// With the action "none": the record referred to may go without this one.
  package static func reference(to recordID: CodedObject) -> CodedObject {
    .object(
      classes: ["CKReference", "NSObject"],
      fields: [.init("recordID", recordID), .init("referenceAction", .inline(.integer(0)))])
  }

  package static func asset(_ asset: ArchivedAsset) -> CodedObject {
    .object(
      classes: ["CKAsset", "NSObject"],
      fields: [
        .init("AssetFileURL", asset.filePath.map { .url(FileURL.url($0)) } ?? .null),
        .init("AssetSignature", asset.signature.map { .leaf(.data($0)) } ?? .null),
        .init("AssetSize", .inline(.integer(asset.size ?? 0))),
        .init("AssetHasSize", .inline(.bool(asset.size != nil))),
        .init("AssetUUID", .text(asset.uuid)),
      ])
  }

  private static func url(_ url: String) -> CodedObject {
    .object(
      classes: ["NSURL", "NSObject"], fields: [.init("NS.base", .null), .init("NS.relative", .text(url))])
  }

  package static func location(latitude: Double, longitude: Double) -> CodedObject {
    .object(
      classes: ["CLLocation", "NSObject"],
      fields: [
        .init("kCLLocationCodingKeyCoordinateLatitude", .inline(.real(latitude))),
        .init("kCLLocationCodingKeyCoordinateLongitude", .inline(.real(longitude))),
      ])
  }

  package static func encrypted(_ bytes: [UInt8]) -> CodedObject {
    .object(classes: ["CKEncryptedData", "NSObject"], fields: [.init("EncryptedData", .leaf(.data(bytes)))])
  }

  package static func encrypted(_ className: String, _ payload: ProtobufMessage) -> CodedObject {
    .object(
      classes: [className, "CKEncryptedData", "NSObject"],
      fields: [.init("EncryptedData", .leaf(.data(payload.bytes)))])
  }

  /// Unpacks what ``KeyedArchive`` packed. Bytes that are no archive of an object are kept as the object's one field.
  package static func opaque(className: String, bytes: [UInt8]) -> CodedObject {
    let unpacked = try? bytes.inPlace { bytes throws(ArchiveError) in
      var archive = try KeyedArchive(bytes)
      return try archive.rootObject()
    }
    return unpacked
      ?? .object(classes: [className, "NSObject"], fields: [.init("bytes", .leaf(.data(bytes)))])
  }
}
