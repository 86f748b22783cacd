import StoreInterface

/// The summaries of a list, packed: a hundred thousand take 30 MB instead of 110. The texts of a row stand as bytes behind each
/// other in a block of rows, the rest in a ``SummaryRow``; a summary is made of both when one is asked for.
package struct SummaryRows: Sendable, Equatable, RandomAccessCollection {
  private var rows = SummaryBlocks()
  private var places = PlaceTable()

  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(index: Int) -> ConflictSummary { rows[index].summary }

  func packed(_ index: Int) -> PackedSummary { rows[index] }

  package init() {}

  package func index(of id: String) -> Int? { places.find(id) { rows[$0].id } }

  package mutating func append(_ summary: ConflictSummary) {
    rows.append(summary)
    places.add(rows.count - 1) { [rows] in rows[$0].id }
  }

  package mutating func replace(_ index: Int, with summary: ConflictSummary) {
    rows.replace(index, with: summary)
  }
}

private struct SummaryBlocks: Sendable, Equatable {
  private static let rowsInBlock = 512

  private struct Block: Sendable, Equatable {
    var bytes: [UInt8] = []
    var rows: [SummaryRow] = []

    /// Takes no more room than it needs.
    mutating func trim() {
      bytes = bytes.withUnsafeBufferPointer { Array($0) }
      rows = rows.withUnsafeBufferPointer { Array($0) }
    }
  }

  /// The last one is being filled.
  private var blocks: [Block] = []
  private var words = RepeatedWords()
  private(set) var count = 0

  subscript(index: Int) -> PackedSummary {
    let block = blocks[index / Self.rowsInBlock]
    return PackedSummary(row: block.rows[index % Self.rowsInBlock], bytes: block.bytes, words: words)
  }

  mutating func append(_ summary: ConflictSummary) {
    if count % Self.rowsInBlock == 0 { begin() }
    let last = blocks.count - 1
    let texts = PackedTexts(summary, &blocks[last].bytes)
    blocks[last].rows.append(SummaryRow(summary, &words, texts: texts))
    count += 1
  }

  private mutating func begin() {
    if !blocks.isEmpty { blocks[blocks.count - 1].trim() }
    blocks.append(Block())
  }

  /// A decision changes mostly no text. Where it does, the old ones are left behind.
  mutating func replace(_ index: Int, with summary: ConflictSummary) {
    let (block, place) = (index / Self.rowsInBlock, index % Self.rowsInBlock)
    let old = self[index]
    let texts = old.hasTexts(of: summary) ? old.row.texts : PackedTexts(summary, &blocks[block].bytes)
    blocks[block].rows[place] = SummaryRow(summary, &words, texts: texts)
  }
}
