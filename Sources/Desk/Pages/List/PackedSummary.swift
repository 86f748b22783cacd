import Foundation
import Merging
import StoreInterface

/// A summary as ``SummaryRows`` has it: its texts are made when they are asked for.
struct PackedSummary {
  let row: SummaryRow
  let bytes: [UInt8]
  let words: RepeatedWords

  var id: String { text(row.texts.id) }
  var title: String { text(row.texts.title) }

  var summary: ConflictSummary {
    var summary = ConflictSummary(
      id: id, table: table, primaryKey: text(row.texts.primaryKey), title: title, kind: row.kind,
      certainty: row.certainty,
      counts: row.counts, why: row.why, undecided: Int(row.undecided), searchText: text(row.texts.search))
    summary.isByPolicy = row.isByPolicy
    (summary.lastEdit, summary.lastEditTime) = (row.lastEdit, row.lastEditTime.known)
    summary.lastEditDevice = words[row.device]
    (summary.receivedAt, summary.waitingSince) = (row.receivedAt.known, row.waitingSince.known)
    summary.notWritable = words[row.notWritable]
    (summary.leafCount, summary.outdated) = (Int(row.leafCount), Int(row.outdated))
    (summary.isMoved, summary.isFile) = (row.isMoved, row.isFile)
    summary.refusal = words[row.refusedReason].map {
      DraftRefusal(field: words[row.refusedField], reason: $0)
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
  var table: String { words[row.table] ?? "" }
  var kind: ConflictKind { row.kind }
  var certainty: Certainty { row.certainty }
  var isReady: Bool { row.undecided == 0 && !isWaiting && !isRefused }
  var isRefused: Bool { words[row.refusedReason] != nil }
  var isWaiting: Bool { row.waitingSince.known != nil }
  var lastEditTime: Int64? { row.lastEditTime.known }
  var givenUp: Set<Side> { row.givenUp.sides }

  /// Behind the text stands a 0.
  func has(_ words: String) -> Bool {
    bytes.withUnsafeBytes { bytes in
      let text = bytes.baseAddress! + row.texts.search.lowerBound
      return strstr(text.assumingMemoryBound(to: CChar.self), words) != nil
    }
  }
}
