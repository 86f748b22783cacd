import Merging
import Testing

/// A row with a column of each kind that an edit can put back to what a side had.
private struct Item: Mergeable, Equatable {
  let id: Int
  var title = "Milk"
  var rank = 3
  var isDone = false
  var bytes: [UInt8]? = [1]

  var primaryKey: Int { id }
  static let mergeFields: [MergeField<Item>] = [
    .field("title", \.title), .field("rank", \.rank, .counter), .field("isDone", \.isDone),
    .field("bytes", \.bytes),
  ]
}

@Suite struct ColumnsToUpdateTests {
  private static let columns = Item.mergeFields.map(\.column)

  private func conflict(
    _ ancestor: Item? = Item(id: 1), client: Item, at time: Int64 = 100, server: Item,
    serverTime: Int64? = 200
  ) -> MergeConflict<Item> {
    func times(_ time: Int64) -> [String: Int64] {
      Dictionary(uniqueKeysWithValues: Self.columns.map { ($0, time) })
    }
    let ancestor = ancestor.map { RowVersion(row: $0, columnTimes: times(10)) }
    return MergeConflict(
      ancestor: ancestor, client: RowVersion(clientRow: client, modificationTime: time, ancestor: ancestor),
      server: RowVersion(row: server, columnTimes: serverTime.map(times) ?? [:]))
  }

  /// Whatever the sides have, and whatever the row has by now: an edit that was made since is not taken away, be it to what a side
  /// has.
  @Test func anEditSinceIsNotTakenAway() {
    let rows = (0...4).map { Item(id: 1, rank: $0) }
    for (old, client) in rows.prefix(3).flatMap({ old in rows.prefix(3).map { (old, $0) } }) {
      for (server, row) in rows.prefix(3).flatMap({ server in rows.map { (server, $0) } }) {
        let draft = conflict(old, client: client, server: server).resolved()
        let isOfTheConflict = client != server || client.rank != draft.rank
        let left = client == old ? server : client
        let expected: [String]? =
          !isOfTheConflict || row.rank == draft.rank ? [] : row == left ? ["rank"] : nil
        #expect(draft.columnsToUpdate(in: row) == expected, "\(old) \(client) \(server) \(row)")
        #expect(draft.columnsToUpdate(in: row, leftByEngine: left) == expected)
      }
    }
  }

  @Test func aTitleThatWasPutBackStays() {
    let draft = conflict(
      client: Item(id: 1, rank: 4), server: Item(id: 1, title: "Soy", rank: 5)
    ).resolved()
    #expect(draft.columnsToUpdate(in: Item(id: 1, title: "Soy", rank: 4)) == ["rank"])
    #expect(draft.columnsToUpdate(in: Item(id: 1, title: "Milk", rank: 4)) == nil)
  }

  @Test func theOtherSidesValueThatWasTypedStays() {
    let draft = conflict(client: Item(id: 1, rank: 4), at: 250, server: Item(id: 1, rank: 5)).resolved()
    #expect(draft.columnsToUpdate(in: Item(id: 1, rank: 4)) == ["rank"])
    #expect(draft.columnsToUpdate(in: Item(id: 1, rank: 5)) == nil)
  }

  @Test func whatWasTickedElsewhereAndUntickedHereStays() {
    let draft = conflict(
      client: Item(id: 1, rank: 4), server: Item(id: 1, rank: 5, isDone: true)
    ).resolved()
    #expect(draft.columnsToUpdate(in: Item(id: 1, rank: 4, isDone: true)) == ["rank"])
    #expect(draft.columnsToUpdate(in: Item(id: 1, rank: 4)) == nil)
  }

  @Test func whatNobodyCanTellIsLeftToAPerson() {
    let (client, server) = (Item(id: 1, rank: 4), Item(id: 1, rank: 5))
    #expect(conflict(client: Item(id: 1), server: server).sideLeft(in: "rank") == .server)
    #expect(conflict(client: Item(id: 1), server: server, serverTime: 10).sideLeft(in: "rank") == nil)
    #expect(conflict(client: Item(id: 1), server: server, serverTime: nil).sideLeft(in: "rank") == nil)
    #expect(conflict(nil, client: client, server: server).sideLeft(in: "rank") == .server)
    #expect(conflict(nil, client: client, at: 300, server: server).sideLeft(in: "rank") == nil)
    #expect(conflict(client: client, server: server).sideLeft(in: "length") == nil)
    let cleared = Item(id: 1, bytes: nil)
    #expect(conflict(client: cleared, server: Item(id: 1, bytes: [2])).sideLeft(in: "bytes") == nil)
  }

  @Test func versionsOfTwoRecordsAreNeverSure() {
    #expect(!conflict(client: Item(id: 1), server: Item(id: 2)).isSure())
    #expect(conflict(client: Item(id: 1), server: Item(id: 1)).isSure())
  }

  /// As of a column that was added since: neither side's value is known to be the older one.
  @Test func ofAFieldThatTheAncestorDidNotKnowNobodyKnowsWhoChangedIt() {
    var ancestor = RowVersion(row: Item(id: 1), columnTimes: [:])
    ancestor.unknown = [\.title]
    let client = RowVersion(clientRow: Item(id: 1), modificationTime: 100, ancestor: ancestor)
    let server = RowVersion(row: Item(id: 1, title: "Soy"), columnTimes: ["title": 200])
    let conflict = MergeConflict(ancestor: ancestor, client: client, server: server)
    #expect(conflict.columns(below: .byClock) == ["title"] && client.columnTimes["title"] == 100)
    #expect(conflict.versions(for: \.title).ancestor == nil && conflict.sideLeft(in: "title") == nil)
    #expect(conflict.resolved().changedColumns(since: .ancestor).contains("title"))
  }
}
