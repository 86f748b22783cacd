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
    let unpacked = bytes.withUnsafeBytes { bytes in
      Result { () throws(ArchiveError) in
        var archive = try KeyedArchive(bytes)
        return try archive.rootObject()
      }
    }
    if case .success(let object) = unpacked { return object }
    return .object(classes: [className, "NSObject"], fields: [.init("bytes", .leaf(.data(bytes)))])
  }
}
