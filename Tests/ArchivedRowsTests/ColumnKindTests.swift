import ArchivedRows
import Foundation
import KeyedArchives
import Merging
import Testing

/// A row with what SQLite keeps in more than one way.
private struct Event: Mergeable, Decodable {
  struct Meta: Codable, Equatable, Sendable { var due: Date }

  let id: UUID
  var meta: Meta?
  var price: Decimal?
  var scale: Float?
  var start: Date?
  var cover: AssetReference?
  var site: URL?

  var primaryKey: UUID { id }
  static let mergeFields: [MergeField<Event>] = [
    .field("meta", \.meta), .field("price", \.price), .field("scale", \.scale), .field("start", \.start),
    .field("cover", \.cover), .field("site", \.site),
  ]
}

private struct Picture: Mergeable, Decodable {
  let id: UUID
  var photo: AssetReference
  var thumb: AssetReference?

  var primaryKey: UUID { id }
  static let mergeFields: [MergeField<Picture>] = [
    .field("photo", \.photo, comparing: \.sha256, .latest(tie: .server)),
    .field("thumb", \.thumb, comparing: { $0?.sha256 }),
  ]
}

@Suite struct ColumnKindTests {
  private let id = "00a11ce0-0000-4000-8000-000000000412"

  private func record(_ values: [String: ArchivedValue], at time: Int64 = 10) -> [UInt8] {
    var all = values.merging(["id": .string(id)]) { old, _ in old }
    for column in values.keys { all[ArchivedRecord.modificationTimeKey(of: column)] = .integer(time) }
    return ArchivedRecord(recordType: "events", recordName: "\(id):events", zoneName: "zone", values: all)
      .encoded()
  }

  private func row(_ values: [String: ArchivedValue]) throws -> Event {
    try RowVersion<Event>(archivedRecord: record(values)).row
  }

  @Test func datesInJSONAreSQLiteDatasOrFoundations() throws {
    for date in [#""2026-05-09 14:13:20.000""#, #""2026-05-09 14:13:20""#, "800028800"] {
      #expect(
        try row(["meta": .string("{\"due\":\(date)}")]).meta?.due
          == Date(timeIntervalSinceReferenceDate: 800_028_800))
    }
    #expect(throws: DecodingError.self) { try row(["meta": .string(#"{"due":"tomorrow"}"#)]) }
  }

  @Test func aDecimalIsANumberAndAUUIDMayBeBytes() throws {
    #expect(try row(["price": .real(3.1)]).price == Decimal(string: "3.1"))
    #expect(try row(["price": .integer(3)]).price == 3)
    let bytes = [UInt8](repeating: 0xA1, count: 16)
    let read = try row(["id": .data(bytes)])
    #expect(read.id.uuidString == "A1A1A1A1-A1A1-A1A1-A1A1-A1A1A1A1A1A1")
    #expect(throws: DecodingError.self) { try row(["id": .data([1])]) }
  }

  @Test func whatAFloatCannotHoldIsAnErrorAndNoInfinity() throws {
    #expect(throws: DecodingError.self) { try row(["scale": .real(1e300)]) }
    #expect(try row(["scale": .real(.infinity)]).scale == .infinity)
    #expect(try row(["scale": .real(0.5)]).scale == 0.5)
  }

  /// The engine writes it into the row to the millisecond, and from there it is read again.
  @Test func aFinerDateOfARecordIsTheOneThatTheRowHas() throws {
    let read = try row(["start": .date(secondsSince2001: 800_028_800.123_456)])
    #expect(read.start == Date(timeIntervalSinceReferenceDate: 800_028_800.123))
  }

  @Test func anAssetWhoseHashIsNotToldIsToDecide() throws {
    func asset(_ bytes: Int64) -> ArchivedValue { .asset(.init(size: bytes, filePath: "/tmp/p")) }
    let row =
      #"{"id":"\#(id)","meta":null,"price":null,"scale":null,"start":null,"cover":{"blob":"0102"},"site":null}"#
    let conflict = try MergeConflict<Event>(
      ancestorRecord: record(["cover": asset(2)]), capturedRow: Array(row.utf8), modificationTime: 200,
      serverRecord: record(["cover": asset(3)], at: 150))
    #expect(conflict.columns(below: .byClock) == ["cover"])
    #expect(conflict.suggestion(for: \.cover).reason == .notKnown(.server))
  }

  /// As the pages teach for pictures: no hash on either side is no hash that is equal.
  @Test(arguments: [nil, UInt8(7)]) func anAssetThatIsComparedByItsHashHasToHaveOne(hash: UInt8?) throws {
    func asset(_ bytes: Int64) -> [UInt8] {
      let asset = ArchivedValue.asset(.init(size: bytes, filePath: "/tmp/p"))
      let hashes = hash.map { ["photo_hash": ArchivedValue.data([$0]), "thumb_hash": .data([$0])] }
      return record(["photo": asset, "thumb": asset].merging(hashes ?? [:]) { first, _ in first })
    }
    let ancestor = try RowVersion<Picture>(archivedRecord: asset(2))
    let conflict = MergeConflict(
      ancestor: ancestor, client: ancestor, server: try RowVersion(archivedRecord: asset(9)))
    #expect(conflict.isSure() == (hash != nil))
    #expect(conflict.columns(below: .byClock) == (hash == nil ? ["photo", "thumb"] : []))
  }

  @Test func anErrorNamesTheColumn() {
    for (column, value) in [
      ("site", ArchivedValue.string("")), ("price", .real(1e-300)), ("price", .string("dear")),
      ("meta", .string("?")), ("id", .string("no uuid")),
    ] {
      let context = #expect(throws: DecodingError.self) { try row([column: value]) }?.context
      #expect(context?.debugDescription.contains("'\(column)'") == true, "\(column)")
      #expect(context?.codingPath.map(\.stringValue) == [column])
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context): context
    case .dataCorrupted(let context): context
    @unknown default: nil
    }
  }
}
