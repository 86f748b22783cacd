import Merging
import StoreInterface

/// A summary as ``SummaryRows`` has it: its texts are made when they are asked for.
struct PackedSummary {
  let row: SummaryRow
  let bytes: [UInt8]
  let words: RepeatedWords
  /// Of all rows of its block.
  let whys: Repeated<ConflictSummary.Why>
  let allFacts: Repeated<SummaryFacts>

  private var facts: SummaryFacts { allFacts[row.facts] }

  var id: String { text(row.texts.id) }
  var title: String { text(row.texts.title) }
  var titleBytes: ArraySlice<UInt8> { bytes[row.texts.title] }
  var why: ConflictSummary.Why { whys[row.why] }

  var summary: ConflictSummary {
    var summary = ConflictSummary(
      id: id, table: table, primaryKey: text(row.texts.primaryKey), title: title, kind: facts.kind,
      certainty: facts.certainty,
      counts: facts.counts, why: why, undecided: Int(facts.undecided),
      searchText: text(row.texts.search))
    summary.isByPolicy = facts.isByPolicy
    (summary.lastEdit, summary.lastEditTime) = (facts.lastEdit, row.lastEditTime.known)
    summary.lastEditDevice = words[facts.device]
    (summary.receivedAt, summary.waitingSince) = (row.receivedAt.known, row.waitingSince.known)
    summary.notWritable = words[facts.notWritable]
    (summary.leafCount, summary.outdated) = (Int(facts.leafCount), Int(facts.outdated))
    (summary.isMoved, summary.readWith) = (facts.isMoved, facts.readWith)
    summary.refusal = words[facts.refusedReason].map {
      DraftRefusal(field: words[facts.refusedField], reason: $0)
    }
    summary.givenUp = givenUp
    return summary
  }

  func hasTexts(of summary: ConflictSummary) -> Bool {
    id == summary.id && title == summary.title && text(row.texts.primaryKey) == summary.primaryKey
      && text(row.texts.search) == summary.searchText
  }

  private func text(_ place: Range<Int>) -> String { String(decoding: bytes[place], as: UTF8.self) }
}

extension PackedSummary: ListedSummary {
  var table: String { words[facts.table] ?? "" }
  var kind: ConflictKind { facts.kind }
  var certainty: Certainty { facts.certainty }
  var holdsNoLonger: Bool { facts.undecided == 0 && facts.isMoved }
  var isReady: Bool { facts.undecided == 0 && !facts.isMoved && !isWaiting && !isRefused }
  var isRefused: Bool { words[facts.refusedReason] != nil }
  var isWaiting: Bool { row.waitingSince.known != nil }
  var lastEditTime: Int64? { row.lastEditTime.known }
  var givenUp: Set<Side> { facts.givenUp.sides }

  /// Behind the text stands a 0.
  func has(_ words: String) -> Bool {
    bytes.withUnsafeBytes { bytes in
      // It is there, because the 0 behind the text is at least one byte.
      let text = bytes.baseAddress! + row.texts.search.lowerBound
      return SearchText.isFound(words, in: text.assumingMemoryBound(to: CChar.self))
    }
  }
}
