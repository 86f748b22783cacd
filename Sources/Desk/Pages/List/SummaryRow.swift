import Merging
import StoreInterface

/// What a row has of its own beside its texts.
struct SummaryRow: Sendable, Equatable {
  let texts: PackedTexts
  let lastEditTime: PackedTime
  let receivedAt: PackedTime
  let waitingSince: PackedTime
  let why: Repeated<ConflictSummary.Why>.Index
  let facts: Repeated<SummaryFacts>.Index

  init(
    _ summary: ConflictSummary, texts: PackedTexts, why: Repeated<ConflictSummary.Why>.Index,
    facts: Repeated<SummaryFacts>.Index
  ) {
    (self.texts, self.why, self.facts) = (texts, why, facts)
    lastEditTime = PackedTime(summary.lastEditTime)
    receivedAt = PackedTime(summary.receivedAt)
    waitingSince = PackedTime(summary.waitingSince)
  }
}

/// What many rows have alike: in which table they are, and how it stands with them.
struct SummaryFacts: Sendable, Equatable {
  let table: RepeatedWords.Index
  let device: RepeatedWords.Index
  let notWritable: RepeatedWords.Index
  let refusedField: RepeatedWords.Index
  /// None where nothing was refused.
  let refusedReason: RepeatedWords.Index
  private let sure: Int32
  private let byPolicy: Int32
  private let byClock: Int32
  private let yours: Int32
  let undecided: Int32
  let leafCount: Int32
  let outdated: Int32
  let kind: ConflictKind
  let certainty: Certainty
  let lastEdit: Side?
  let givenUp: PackedSides
  let isByPolicy: Bool
  let isMoved: Bool
  let readWith: ConflictSummary.ReadWith

  init(_ summary: ConflictSummary, _ words: inout RepeatedWords) {
    (kind, certainty) = (summary.kind, summary.certainty)
    table = words.index(of: summary.table)
    device = words.index(of: summary.lastEditDevice)
    notWritable = words.index(of: summary.notWritable)
    refusedField = words.index(of: summary.refusal?.field)
    refusedReason = words.index(of: summary.refusal?.reason)
    (sure, byPolicy) = (Int32(clamping: summary.counts.sure), Int32(clamping: summary.counts.byPolicy))
    (byClock, yours) = (Int32(clamping: summary.counts.byClock), Int32(clamping: summary.counts.yours))
    undecided = Int32(clamping: summary.undecided)
    (leafCount, outdated) = (Int32(clamping: summary.leafCount), Int32(clamping: summary.outdated))
    (lastEdit, givenUp) = (summary.lastEdit, PackedSides(summary.givenUp))
    (isByPolicy, isMoved, readWith) = (summary.isByPolicy, summary.isMoved, summary.readWith)
  }

  var counts: ConflictSummary.Counts {
    var counts = ConflictSummary.Counts(sure: Int(sure), byClock: Int(byClock), yours: Int(yours))
    counts.byPolicy = Int(byPolicy)
    return counts
  }
}
