#if Macros
  import MergeableMacro
  import Testing

  /// What the macro has to make of `Listed`.
  private struct ByHand {
    let id: Int
    var title: String
    var visits: Int
    var notes: String?
    var tags: Set<String>
    var isDone: Bool
    var cover: Picture
    var rank: Int?
    var titleLength: Int
  }

  extension ByHand: Mergeable {
    var primaryKey: Int { id }

    static let mergeFields: [MergeField<ByHand>] = [
      .field("title", \.title),
      .field("visits", \.visits, .counter),
      .field("body", \.notes, .text(tie: .server)),
      .field("tags", \.tags, .set),
      .field("is_done", \.isDone, .either),
      .field("cover", \.cover, comparing: \.sha256, .server),
      .field("rank", \.rank, .latest(tie: .server, margin: 60)),
    ]
  }

  @Mergeable
  private struct Listed {
    let id: Int
    var title: String
    @Policy(.counter) var visits: Int
    @Policy(.text(tie: .server), column: "body") var notes: String?
    @Policy(.set) var tags: Set<String>
    @Policy(.either, column: "is_done") var isDone: Bool
    @Policy(.server, comparing: \Picture.sha256) var cover: Picture
    @Policy(.latest(tie: .server, margin: 60)) var rank: Int?
    @NotMerged var titleLength: Int
    var isLong: Bool { titleLength > 20 }
    static let table = "listed"
  }

  /// No Equatable.
  private struct Picture: Sendable {
    var sha256: [UInt8]
    var file: String?
  }

  extension MergePolicy where Value == Bool {
    fileprivate static var either: MergePolicy { .custom("either") { _, client, server in client || server } }
  }

  extension ByHand {
    init(_ row: Listed) {
      self.init(
        id: row.id, title: row.title, visits: row.visits, notes: row.notes, tags: row.tags,
        isDone: row.isDone,
        cover: row.cover, rank: row.rank, titleLength: row.titleLength)
    }
  }

  @Suite struct MergeableMacroTests {
    private static let rows = [
      Listed(
        id: 1, title: "Milk", visits: 1, notes: "one litre", tags: ["shop"], isDone: false,
        cover: Picture(sha256: [1]), rank: nil, titleLength: 4),
      Listed(
        id: 1, title: "Oat milk", visits: 2, notes: "two litre", tags: ["shop", "soon"], isDone: true,
        cover: Picture(sha256: [1], file: "here"), rank: 7, titleLength: 8),
      Listed(
        id: 1, title: "Soy milk", visits: 5, notes: "one litre, cold", tags: [], isDone: false,
        cover: Picture(sha256: [2]), rank: 3, titleLength: 8),
    ]

    @Test func theFieldsAreThoseThatWereListedByHand() {
      #expect(Listed.mergeFields.map(\.column) == ByHand.mergeFields.map(\.column))
      #expect(Listed.mergeFields.map(\.policy) == ByHand.mergeFields.map(\.policy))
      #expect(Self.rows[0].primaryKey == 1)
    }

    @Test func aTypeIsMergedAsIfItsFieldsWereListedByHand() {
      for ancestor in Self.rows.map(Optional.some) + [nil] {
        for client in Self.rows {
          for server in Self.rows {
            for times: (Int64, Int64) in [(10, 20), (20, 10), (10, 10), (10, 50), (10, 90)] {
              compare(ancestor, client, server, times)
            }
          }
        }
      }
    }

    private func compare(_ ancestor: Listed?, _ client: Listed, _ server: Listed, _ times: (Int64, Int64)) {
      func conflict<Row: Mergeable>(_ row: (Listed) -> Row) -> MergeConflict<Row> {
        let ancestor = ancestor.map { RowVersion(clientRow: row($0), modificationTime: 0, ancestor: nil) }
        return MergeConflict(
          ancestor: ancestor,
          client: RowVersion(clientRow: row(client), modificationTime: times.0, ancestor: ancestor),
          server: RowVersion(clientRow: row(server), modificationTime: times.1, ancestor: ancestor))
      }
      let (listed, byHand) = (conflict(\.self), conflict(ByHand.init))
      #expect(ByHand(listed.resolved().applied(to: Self.rows[0])).isEqual(to: byHand.resolved()))
      #expect(listed.resolved().changedColumns() == byHand.resolved().changedColumns())
      for certainty in [Certainty.sure, .byClock] {
        #expect(listed.columns(below: certainty) == byHand.columns(below: certainty))
      }
    }
  }

  extension ByHand {
    fileprivate func isEqual(to draft: RowDraft<ByHand>) -> Bool { draft.changedColumns(from: self).isEmpty }
  }
#endif
