import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

/// Archives that are sound as property lists and mean harm.
@Suite struct HostileArchiveTests {
  /// `$objects` and `$top` by hand: what the writer would never write.
  private func archive(
    objects: [PropertyList], top: [PropertyList.Entry], archiver: String = "NSKeyedArchiver",
    version: Int64 = 100_000
  ) -> [UInt8] {
    BinaryPropertyListWriter.bytes(
      of: .dictionary([
        .init("$archiver", .string(archiver)), .init("$version", .integer(version)),
        .init("$top", .dictionary(top)),
        .init("$objects", .array([.string("$null")] + objects)),
      ]))
  }

  private let top: [PropertyList.Entry] = [
    .init("RecordType", .uid(1)), .init("RecordID", .uid(2)), .init("ValueStore", .uid(5)),
  ]

  /// Objects 1 to 4 name the record, 5 and 6 are its store and dictionary, 7 is the value, 8 the class of lists.
  private func objects(value: PropertyList, more: [PropertyList] = []) -> [PropertyList] {
    [
      .string("reminders"),
      .dictionary([.init("RecordName", .uid(1)), .init("ZoneID", .uid(3))]),
      .dictionary([.init("ZoneName", .uid(4)), .init("ownerName", .uid(4))]),
      .string("zone"),
      .dictionary([.init("RecordValues", .uid(6))]),
      .dictionary([.init("NS.keys", .array([.uid(1)])), .init("NS.objects", .array([.uid(7)]))]),
      value,
      .dictionary([.init("$classname", .string("NSArray")), .init("$classes", .array([.string("NSArray")]))]),
    ] + more
  }

  private func listObject(_ elements: [UInt64]) -> PropertyList {
    .dictionary([.init("$class", .uid(8)), .init("NS.objects", .array(elements.map { .uid($0) }))])
  }

  private func problem(value: PropertyList, more: [PropertyList] = []) -> ArchiveError.Problem? {
    refusal(archive(objects: objects(value: value, more: more), top: top))?.problem
  }

  @Test func theFrameItselfIsSound() { #expect(problem(value: listObject([1])) == nil) }

  @Test func aListThatContainsItselfIsTooDeep() {
    #expect(problem(value: listObject([7])) == .tooDeep(limit: KeyedArchive.depthLimit))
  }

  @Test func listsNestedAThousandDeepAreTooDeep() {
    let nested = (10...1009).map { listObject([$0]) }
    #expect(
      problem(value: listObject([9]), more: nested + [.string("bottom")])
        == .tooDeep(limit: KeyedArchive.depthLimit))
  }

  @Test func listsThatDoubleAtEachLevelRunOutOfReferences() {
    let doubling = (10...22).map { listObject([$0, $0]) }
    guard case .tooManyReferences? = problem(value: listObject([9, 9]), more: doubling + [.string("bottom")])
    else {
      Issue.record("the bomb went off")
      return
    }
  }

  @Test func aLongTextThatIsUsedTooOftenExpandsTooFar() {
    let text = PropertyList.string(String(repeating: "x", count: 50_000))
    guard
      case .expandsTooFar? = problem(value: listObject(Array(repeating: 9, count: 100)), more: [text])
    else {
      Issue.record("the bomb went off")
      return
    }
  }

  @Test func aListThatNamesOneObjectTenThousandTimesIsNoBomb() throws {
    let list = listObject(Array(repeating: 1, count: 10_000))
    let record = try ArchivedRecord(decoding: archive(objects: objects(value: list), top: top))
    #expect(record.values["reminders"] == .list(Array(repeating: .string("reminders"), count: 10_000)))
  }

  @Test func listsOfManyListsThatAreTheSameRunOutOfReferences() {
    let truths = PropertyList.dictionary([
      .init("$class", .uid(8)), .init("NS.objects", .array(Array(repeating: .bool(true), count: 10_000))),
    ])
    // The elements are no references to objects, and are counted all the same.
    let error = problem(value: listObject(Array(repeating: 9, count: 10_000)), more: [truths])
    guard case .tooManyReferences? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func encryptedListsThatAreUsedTooOftenExpandTooFar() {
    let list = PropertyList.dictionary([.init("$class", .uid(10)), .init("EncryptedData", .uid(11))])
    let more: [PropertyList] = [
      list, .dictionary([.init("$classname", .string("CKEncryptedLongLongArray"))]),
      .data([0x52, 0x90, 0x4E] + Array(repeating: 1, count: 10_000)),
    ]
    #expect(problem(value: listObject([9]), more: more) == nil)
    guard case .expandsTooFar? = problem(value: listObject(Array(repeating: 9, count: 8)), more: more) else {
      Issue.record("the bomb went off")
      return
    }
  }

  @Test func anUnknownObjectThatContainsItselfIsRefused() {
    let classObject = PropertyList.dictionary([.init("$classname", .string("AppPaint"))])
    let value = PropertyList.dictionary([
      .init("$class", .uid(9)), .init("self", .uid(7)), .init("too", .uid(7)),
    ])
    #expect(problem(value: value, more: [classObject]) == .tooDeep(limit: KeyedArchive.depthLimit))
  }

  @Test func aClassThatIsItsOwnObjectIsRefused() {
    #expect(problem(value: .dictionary([.init("$class", .uid(7))])) == .missing)
  }

  @Test(
    arguments: [
      (.uid(99), .unexpected(found: "a reference", expected: "an object")),
      (.dictionary([]), .missing),
      (.dictionary([.init("$class", .uid(1))]), .unexpected(found: "something else", expected: "a class")),
      (.dictionary([.init("$class", .uid(99))]), .noSuchObject(99)),
      (.dictionary([.init("$class", .uid(8))]), .missing),
      (
        .dictionary([.init("$class", .uid(8)), .init("NS.objects", .uid(7))]),
        .unexpected(found: "something else", expected: "an array")
      ),
      (.array([]), .unexpected(found: "an array", expected: "text")),
    ] as [(PropertyList, ArchiveError.Problem)])
  func objectsThatAreNoneAreRefused(value: PropertyList, expected: ArchiveError.Problem) {
    #expect(problem(value: value) == expected)
  }

  @Test func aRecordIDThatRefersToItselfIsRefused() {
    let cyclic = PropertyList.dictionary([.init("RecordName", .uid(1)), .init("ZoneID", .uid(2))])
    let bytes = archive(
      objects: [.string("reminders"), cyclic],
      top: [.init("RecordType", .uid(1)), .init("RecordID", .uid(2))])
    #expect(refusal(bytes)?.description == "RecordID.ZoneID.ZoneName: missing")
  }

  @Test func dictionariesWithMoreKeysThanObjectsAreRefused() {
    var uneven = objects(value: .string("x"))
    uneven[5] = .dictionary([
      .init("NS.keys", .array([.uid(1), .uid(4)])), .init("NS.objects", .array([.uid(7)])),
    ])
    #expect(refusal(archive(objects: uneven, top: top))?.problem == .unequalCounts(keys: 2, objects: 1))
  }

  @Test func otherArchiversAndVersionsAreRefused() {
    let objects = objects(value: .string("x"))
    #expect(
      refusal(archive(objects: objects, top: top, archiver: "NSArchiver"))?.problem
        == .notAKeyedArchive("$archiver is not NSKeyedArchiver"))
    #expect(
      refusal(archive(objects: objects, top: top, version: 1))?.problem
        == .notAKeyedArchive("$version is not 100000"))
    #expect(
      refusal(BinaryPropertyListWriter.bytes(of: .array([])))?.problem
        == .notAKeyedArchive("no dictionary at its root"))
  }

  @Test func arraysOfArraysOfThePropertyListAreNotFollowed() {
    // Every level holds the next one twice: a reader of the whole tree would never end.
    var bytes = Array("bplist00".utf8)
    let levels = 28
    for level in 0..<levels { bytes += [0xA2, UInt8(level + 1), UInt8(level + 1)] }
    bytes += [0x51, 0x78]
    let tableStart = bytes.count
    bytes += (0...levels).map { UInt8(8 + 3 * $0) } + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [levels + 1, 0, tableStart] {
      bytes += withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
    }
    #expect(refusal(bytes)?.problem == .notAKeyedArchive("no dictionary at its root"))
  }
}
