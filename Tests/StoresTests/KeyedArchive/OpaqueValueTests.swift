import Merging
import Testing

@testable import KeyedArchives

/// Values of classes that are not understood: compared by what they are, and written back as they were.
@Suite struct OpaqueValueTests {
  private let paint = CodedObject.plain(
    "AppPaint",
    [
      .init("red", .inline(.real(0.5))), .init("name", .text("Föhn")), .init("none", .null),
      .init("stops", .references([.leaf(.integer(1)), .plain("AppStop"), .inline(.bool(true))])),
    ])

  private func value(_ fields: [CodedObject.Field]) throws -> ArchivedValue? {
    try ArchivedRecord(decoding: ArchivedRecord.archive(plain: fields)).values["paint"]
  }

  @Test func unknownClassesAreCarriedThrough() throws {
    let record = try ArchivedRecord(decoding: ArchivedRecord.archive(plain: [.init("paint", paint)]))
    guard case .opaque("AppPaint", _)? = record.values["paint"] else {
      Issue.record("\(record.values)")
      return
    }
    #expect(try ArchivedRecord(decoding: record.encoded()) == record)
  }

  @Test func bytesDoNotDependOnWhereTheObjectLay() throws {
    let alone = try value([.init("paint", paint)])
    let amongOthers = try value([
      .init("a", .text("Föhn")), .init("b", .plain("AppStop")), .init("paint", paint),
    ])
    #expect(alone == amongOthers)
  }

  @Test func keysInAnotherOrderAreTheSameObject() throws {
    guard case .object(let classes, let fields) = paint else { return }
    let turned = CodedObject.object(classes: classes, fields: fields.reversed())
    #expect(try value([.init("paint", turned)]) == value([.init("paint", paint)]))
  }

  @Test func anotherContentIsAnotherValue() throws {
    let other = CodedObject.plain("AppPaint", [.init("red", .inline(.real(0.25)))])
    let same = CodedObject.plain("AppPaint", [.init("red", .leaf(.real(0.25)))])
    #expect(try value([.init("paint", other)]) != value([.init("paint", paint)]))
    #expect(
      try value([.init("paint", other)]) != value([.init("paint", same)]),
      "in place is not the same as by reference")
  }

  @Test(
    arguments: [
      [.init("ReallyEncryptedData", .leaf(.data([1, 2, 3])))], [.init("EncryptedData", .null)],
      [.init("EncryptedData", .leaf(.data([0x18, 1])))],
    ] as [[CodedObject.Field]])
  func encryptedValueThatCannotBeReadIsOpaque(fields: [CodedObject.Field]) throws {
    let object = CodedObject.object(
      classes: ["CKEncryptedString", "CKEncryptedData", "NSObject"], fields: fields)
    let record = try ArchivedRecord(decoding: ArchivedRecord.archive(encrypted: [.init("paint", object)]))
    guard case .opaque("CKEncryptedString", _)? = record.values["paint"] else {
      Issue.record("\(record.values)")
      return
    }
    #expect(try ArchivedRecord(decoding: record.encoded()) == record)
  }

  @Test func theClassIsTheOneThatIsNamedNotTheFirstOfTheChain() throws {
    let disguised = CodedObject.object(classes: ["AppPaint", "CKAsset", "NSObject"], fields: [])
    let record = try ArchivedRecord(decoding: ArchivedRecord.archive(plain: [.init("paint", disguised)]))
    #expect(try ArchivedRecord(decoding: record.encoded()).values == record.values)
  }
}
