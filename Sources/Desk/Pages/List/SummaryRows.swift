import StoreInterface

/// The summaries of a list, packed: a hundred thousand take 20 MB instead of 110. The texts of a row stand as bytes behind each
/// other in a block of rows, its times in a ``SummaryRow``, and once for all of them what rows near it have, too. A summary is made of
/// these when one is asked for.
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
    var whys = Repeated<ConflictSummary.Why>()
    var facts = Repeated<SummaryFacts>()

    /// Takes no more room than it needs.
    mutating func trim() {
      bytes = bytes.withUnsafeBufferPointer { Array($0) }
      rows = rows.withUnsafeBufferPointer { Array($0) }
      whys.trim()
      facts.trim()
    }
  }

  /// The last one is being filled.
  private var blocks: [Block] = []
  private var words = RepeatedWords()
  private(set) var count = 0

  subscript(index: Int) -> PackedSummary {
    let block = blocks[index / Self.rowsInBlock]
    return PackedSummary(
      row: block.rows[index % Self.rowsInBlock], bytes: block.bytes, words: words, whys: block.whys,
      allFacts: block.facts)
  }

  mutating func append(_ summary: ConflictSummary) {
    if count % Self.rowsInBlock == 0 { begin() }
    let last = blocks.count - 1
    let texts = PackedTexts(summary, &blocks[last].bytes)
    let why = blocks[last].whys.index(of: summary.why)
    let facts = blocks[last].facts.index(of: SummaryFacts(summary, &words))
    blocks[last].rows.append(SummaryRow(summary, texts: texts, why: why, facts: facts))
    count += 1
  }

  private mutating func begin() {
    if !blocks.isEmpty { blocks[blocks.count - 1].trim() }
    blocks.append(Block())
  }

  /// A decision changes mostly no text, and mostly makes of a row what others in its block are. Where it does not, the old ones are left
  /// behind.
  mutating func replace(_ index: Int, with summary: ConflictSummary) {
    let (block, place) = (index / Self.rowsInBlock, index % Self.rowsInBlock)
    let old = self[index]
    let texts = old.hasTexts(of: summary) ? old.row.texts : PackedTexts(summary, &blocks[block].bytes)
    let why = blocks[block].whys.index(of: summary.why, among: .max)
    let facts = blocks[block].facts.index(of: SummaryFacts(summary, &words), among: .max)
    blocks[block].rows[place] = SummaryRow(summary, texts: texts, why: why, facts: facts)
  }
}
