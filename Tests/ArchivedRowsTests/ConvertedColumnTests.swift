import ArchivedRows
import Foundation
import KeyedArchives
import Merging
import Testing

/// A row whose own decoding makes of what is stored another value of the same type.
private struct Score: Mergeable, Decodable {
  let id: String
  var rank: Int
  var photo: Data
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Score>] = [
    .field("rank", \.rank, .counter), .field("photo", \.photo),
  ]

  private enum CodingKeys: String, CodingKey { case id, rank, photo }

  init(from decoder: any Decoder) throws {
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    id = try columns.decode(String.self, forKey: .id)
    rank = try columns.decode(Int.self, forKey: .rank) / 100
    photo = try columns.decode(Data.self, forKey: .photo).dropFirst()
  }
}

/// Types that say themselves what NULL is.
private struct Labelled: Mergeable, Decodable, Equatable {
  enum Label: Decodable, Equatable {
    case none
    case named(String)

    init(from decoder: any Decoder) throws {
      let name = try decoder.singleValueContainer().decode(String?.self)
      self = name.map(Label.named) ?? .none
    }
  }

  @propertyWrapper struct OrZero: Decodable, Equatable {
    var wrappedValue: Int

    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      wrappedValue = value.decodeNil() ? 0 : try value.decode(Int.self)
    }
  }

  let id: String
  var label: Label
  @OrZero var count: Int
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Labelled>] = [.field("label", \.label), .field("count", \.count)]
}

/// A row that passes over errors.
private struct Lenient: Mergeable, Decodable {
  let id: String
  var photo: Data
  var rank: Int
  var title: String
  var primaryKey: String { id }
  static let mergeFields: [MergeField<Lenient>] = [.field("photo", \.photo), .field("rank", \.rank)]

  private enum CodingKeys: String, CodingKey { case id, photo, rank, title }

  init(from decoder: any Decoder) throws {
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    id = try columns.decode(String.self, forKey: .id)
    photo = (try? columns.decode(Data.self, forKey: .photo)) ?? Data()
    let number = try? columns.decode(Int.self, forKey: .rank)
    rank = number ?? Int((try? columns.decode(String.self, forKey: .rank)) ?? "") ?? 0
    title = (try? columns.decode(String.self, forKey: .title)) ?? "untitled"
  }
}

@Suite struct ConvertedColumnTests {
  private let photo = ArchivedValue.asset(.init(signature: [1], size: 3, filePath: "/tmp/p"))

  private func archive(_ values: [String: ArchivedValue], null: [String] = []) -> [UInt8] {
    var values = values.merging(["id": .string("1")]) { old, _ in old }
    for column in Array(values.keys) + null {
      values[ArchivedRecord.modificationTimeKey(of: column)] = .integer(10)
    }
    return ArchivedRecord(recordType: "scores", recordName: "1:scores", zoneName: "zone", values: values)
      .encoded()
  }

  private func conflict(
    _ ancestor: [UInt8]?, _ row: String, _ server: [UInt8]
  ) throws -> MergeConflict<Score> {
    try MergeConflict(
      ancestorRecord: ancestor, capturedRow: Array(row.utf8), modificationTime: 100, serverRecord: server
    ) { $0.filePath == "/tmp/p" ? Data([1, 2, 3]) : nil }
  }

  /// A column that a version lacks is read from what is stored of it elsewhere, and so converted once.
  @Test func whatTheServersRecordLacksIsConvertedOnce() throws {
    let row = #"{"id":"1","rank":40000,"photo":{"blob":"0409"}}"#
    let read = try conflict(archive(["rank": .integer(30000), "photo": photo]), row, archive([:]))
    #expect(read.versions.map(\.row.rank) == ThreeWay(ancestor: 300, client: 400, server: 300))
    #expect(read.versions.server.row.photo == Data([2, 3]) && read.versions.client.row.photo == Data([9]))
    #expect(read.resolved().rank == 400 && read.isSure())
  }

  @Test func whatTheAncestorLacksTooIsConvertedOnce() throws {
    let row = #"{"id":"1","rank":30000,"photo":{"blob":"0409"}}"#
    let read = try conflict(archive([:], null: ["x"]), row, archive([:]))
    #expect(read.versions.map(\.row.rank) == ThreeWay(ancestor: 300, client: 300, server: 300))
    #expect(read.versions.server.row.photo == Data([9]))
  }

  @Test func whatAnotherVersionIsKnownToHaveStaysSo() throws {
    let ancestor = try RowVersion<Score>(
      archivedRecord: archive(["rank": .integer(30000), "photo": .data([1, 2, 3])]))
    let server = try RowVersion<Score>(archivedRecord: archive([:]), known: ancestor)
    #expect(server.row.rank == 300 && server.row.photo == Data([2, 3]))
    #expect(server.modificationTime(for: \.rank) == 10)
  }

  @Test func aTypeMaySayItselfWhatNULLIs() throws {
    let expected = try RowVersion<Labelled>(archivedRecord: archive([:], null: ["label", "count"])).row
    #expect(expected.label == .none && expected.count == 0)
    let row = #"{"id":"1","label":null,"count":null}"#
    let client = try RowVersion<Labelled>(
      capturedRow: Array(row.utf8), modificationTime: 1, ancestor: nil)
    #expect(client.row == expected)
    let named = archive(["label": .string("red"), "count": .integer(2)])
    let read = try RowVersion<Labelled>(archivedRecord: named).row
    #expect(read.label == .named("red") && read.count == 2)
  }

  @Test func anErrorOfAFieldIsNotPassedOver() throws {
    func read(_ values: [String: ArchivedValue], null: [String] = []) throws -> Lenient {
      try RowVersion<Lenient>(archivedRecord: archive(values, null: null)).row
    }
    #expect(throws: ArchivedRowError.assetNotAtHand(column: "photo", sha256: nil)) {
      try read(["photo": photo, "rank": .integer(1)])
    }
    #expect(throws: DecodingError.self) { try read(["photo": .data([1]), "rank": .real(1.5)]) }
    #expect(throws: DecodingError.self) { try read(["photo": .data([1])]) }
    #expect(try read(["photo": .data([1]), "rank": .string("7"), "title": .integer(1)]).rank == 7)
    #expect(try read(["rank": .integer(1)], null: ["photo"]).photo == Data())
  }
}
