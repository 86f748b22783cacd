import Testing

@testable import KeyedArchives

/// One object and the value it stands for.
struct ValueCase: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var object: CodedObject
  var value: ArchivedValue

  init(_ description: String, _ object: CodedObject, _ value: ArchivedValue) {
    testDescription = description
    self.object = object
    self.value = value
  }
}

@Suite struct ArchivedValueTests {
  @Test(arguments: foundation + cloudKit)
  func plainValuesAreRead(_ example: ValueCase) throws {
    let bytes = ArchivedRecord.archive(plain: [.init("field", example.object)])
    #expect(try ArchivedRecord(decoding: bytes).values["field"] == example.value)
  }

  @Test(arguments: encrypted)
  func encryptedValuesAreRead(_ example: ValueCase) throws {
    let bytes = ArchivedRecord.archive(encrypted: [.init("field", example.object)])
    #expect(try ArchivedRecord(decoding: bytes).values["field"] == example.value)
  }

  static let foundation = [
    ValueCase("text", .leaf(.string("Milk")), .string("Milk")),
    ValueCase("text beyond ASCII", .leaf(.string("牛乳 🥛")), .string("牛乳 🥛")),
    ValueCase("empty text", .leaf(.string("")), .string("")),
    ValueCase(
      "mutable text", .plain("NSMutableString", [.init("NS.string", .leaf(.string("Milk")))]), .string("Milk")
    ),
    ValueCase(
      "mutable text in place", .plain("NSMutableString", [.init("NS.string", .inline(.string("Milk")))]),
      .string("Milk")),
    ValueCase("small number", .leaf(.integer(42)), .integer(42)),
    ValueCase("negative number", .leaf(.integer(-1)), .integer(-1)),
    ValueCase("largest number", .leaf(.integer(.max)), .integer(.max)),
    ValueCase("smallest number", .leaf(.integer(.min)), .integer(.min)),
    ValueCase("unsigned number", .leaf(.unsigned(.max)), .unsigned(.max)),
    ValueCase("real number", .leaf(.real(2.5)), .real(2.5)),
    ValueCase("no number", .leaf(.real(.nan)), .real(.nan)),
    ValueCase("negative zero", .leaf(.real(-0.0)), .real(-0.0)),
    ValueCase("truth", .leaf(.bool(true)), .bool(true)),
    ValueCase("data", .leaf(.data([1, 2])), .data([1, 2])),
    ValueCase("mutable data", .plain("NSMutableData", [.init("NS.data", .leaf(.data([3])))]), .data([3])),
    ValueCase("date", .date(secondsSince2001: 0.25), .date(secondsSince2001: 0.25)),
    ValueCase("NSNull", .plain("NSNull"), .null),
    ValueCase(
      "list", .array([.text("a"), .array([.leaf(.integer(1))])]), .list([.string("a"), .list([.integer(1)])])),
    ValueCase("empty list", .array([]), .list([])),
  ]

  static let cloudKit = [
    ValueCase(
      "reference", .reference(to: .recordID("2", zone: .zoneID("z", ownerName: "o"))),
      .reference(recordName: "2")),
    ValueCase(
      "location", .location(latitude: 51.5, longitude: -0.12), .location(latitude: 51.5, longitude: -0.12)),
    ValueCase("asset without anything", .plain("CKAsset"), .asset(ArchivedAsset())),
    ValueCase(
      "asset of unknown size",
      .plain(
        "CKAsset", [.init("AssetHasSize", .inline(.bool(false))), .init("AssetSize", .inline(.integer(0)))]),
      .asset(ArchivedAsset())),
    ValueCase(
      "asset and its file",
      .asset(ArchivedAsset(signature: [9], size: 7, uuid: "U", filePath: "/tmp/ä b")),
      .asset(ArchivedAsset(signature: [9], size: 7, uuid: "U", filePath: "/tmp/ä b"))),
    ValueCase(
      "list of data", .array([.encrypted([1]), .encrypted([])]), .list([.data([1]), .data([])])),
  ]

  /// The payloads are written out byte by byte: the writer must not be its own witness.
  static let encrypted = [
    payload("CKEncryptedString", [0x32, 6, 0x73, 0x65, 0x63, 0x72, 0x65, 0x74], .string("secret")),
    payload("CKEncryptedString", [0x32, 0], .string("")),
    payload("CKEncryptedLongLong", [0x18, 5], .integer(5)),
    payload("CKEncryptedLongLong", [0x18] + Array(repeating: 0xFF, count: 9) + [1], .integer(-1)),
    payload("CKEncryptedDouble", [0x21, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], .real(1.5)),
    payload("CKEncryptedDate", [0x2A, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0], .date(secondsSince2001: 0)),
    payload("CKEncryptedData", [1, 2, 3], .data([1, 2, 3])),
    payload("CKInternalEncryptedData", [], .data([])),
    payload(
      "CKEncryptedLocation", [0x3A, 18, 9, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0x11, 0, 0, 0, 0, 0, 0, 0, 0x40],
      .location(latitude: 1.5, longitude: 2)),
    payload(
      "CKEncryptedReference", [0x42, 9, 8, 2, 0x12, 5, 0x0A, 3, 0x0A, 1, 0x32], .reference(recordName: "2")),
    payload("CKEncryptedLongLongArray", [0x50, 1, 0x50, 2], .list([.integer(1), .integer(2)])),
    payload("CKEncryptedLongLongArray", [0x52, 3, 1, 0x80, 1], .list([.integer(1), .integer(128)])),
    payload("CKEncryptedDoubleArray", [0x5A, 8, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], .list([.real(1.5)])),
    payload("CKEncryptedDoubleArray", [0x59, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], .list([.real(1.5)])),
    payload(
      "CKEncryptedDateArray", [0x62, 9, 9, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F],
      .list([.date(secondsSince2001: 1.5)])),
    payload("CKEncryptedStringArray", [0x6A, 1, 0x61, 0x6A, 0], .list([.string("a"), .string("")])),
    payload("CKEncryptedLocationArray", [0x72, 0], .list([.location(latitude: 0, longitude: 0)])),
    payload("CKEncryptedEmptyArray", [], .list([])),
    payload(
      "CKEncryptedString with fields around it", [8, 7, 0x32, 1, 0x61, 0x7D, 0, 0, 0, 0], .string("a")),
    payload("CKEncryptedString twice: the last counts", [0x32, 1, 0x61, 0x32, 1, 0x62], .string("b")),
  ]

  private static func payload(_ name: String, _ bytes: [UInt8], _ value: ArchivedValue) -> ValueCase {
    let className = String(name.prefix { $0 != " " })
    return ValueCase(
      "\(name) \(bytes)", .plain(className, [.init("EncryptedData", .leaf(.data(bytes)))]), value)
  }

  @Test(
    arguments: [
      ("CKEncryptedString", [0x32]), ("CKEncryptedString", [0x32, 2, 0x61]),
      ("CKEncryptedString", [0x32, 1, 0xFF]),
      ("CKEncryptedString", [0x30, 1]), ("CKEncryptedString", [0x33]), ("CKEncryptedLongLong", [0x18]),
      ("CKEncryptedLongLong", [0x18] + Array(repeating: 0x80, count: 10)),
      ("CKEncryptedDouble", [0x21, 0, 0]),
      ("CKEncryptedDate", [0x29, 0, 0, 0, 0, 0, 0, 0, 0]), ("CKEncryptedLongLongArray", [0x52, 1, 0x80]),
      ("CKEncryptedDoubleArray", [0x5A, 4, 0, 0, 0, 0]), ("CKEncryptedReference", [0x42, 2, 0x10, 1]),
      ("CKEncryptedString", [0x32] + Array(repeating: 0xFF, count: 9) + [1]),
    ] as [(String, [UInt8])])
  func damagedPayloadsAreRefused(className: String, payload: [UInt8]) throws {
    let object = CodedObject.plain(className, [.init("EncryptedData", .leaf(.data(payload)))])
    let error = try #require(refusal(ArchivedRecord.archive(encrypted: [.init("field", object)])))
    #expect(error.keys == ["EncryptedValueStore", "RecordValues", "field"])
  }
}
