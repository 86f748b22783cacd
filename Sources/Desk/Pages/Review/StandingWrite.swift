import StoreInterface

/// What the store would take back of a write that has ended, as far as it was heard of. Others may write, or take it back, while its page
/// is looked at.
struct StandingWrite: Sendable, Equatable {
  /// Of what is surely in the store.
  private let records: RecordNames
  /// Its number in the journal, once the store has told it: a later write may be of the same records.
  private(set) var number: LastWrite.ID?
  /// Those of its records that somebody has taken back since.
  private(set) var takenBack: RecordNames = []
  /// Whether another write would be taken back before it.
  private(set) var isOvertaken = false

  /// nil where nothing is surely in the store, so that nothing is said of it.
  init?(_ results: [CheckedWrite]) {
    let whole = results.filter { $0.outcome == .fine }
    records = RecordNames((whole.isEmpty ? results.filter(\.outcome.isWritten) : whole).map(\.id))
    if records.isEmpty { return nil }
  }

  /// How many of its records would be taken back first.
  var count: Int { isOvertaken ? 0 : records.count - takenBack.count }

  /// Whether another write came before it was known which number it has: it may be taken back, or not.
  var isUnknown: Bool { number == nil && isOvertaken }

  /// - Parameters:
  ///   - newest: what would be taken back first. The numbers of writes grow.
  ///   - standing: what stands of a write that was asked about, which may be this one.
  mutating func hear(_ newest: LastWrite.Names?, _ standing: LastWrite.Names? = nil) {
    let found = RecordNames(newest?.records ?? []).intersection(records)
    if number == nil, !found.isEmpty { number = newest?.id }
    let last = newest?.id ?? 0
    isOvertaken = number.map { last > $0 } ?? true
    if let standing, standing.id == number {
      takenBack = records.subtracting(RecordNames(standing.records))
    } else if !isOvertaken {
      takenBack = last == number ? records.subtracting(found) : records
    }
  }
}

extension DeskState {
  /// Somebody may have written, or taken back, what the page of a write says can be taken back.
  var readNewestWrite: [DeskEffect] {
    pages.first { $0.isOfAStandingWrite }.map { [.readNewestWrite(beside: $0.standing?.number)] } ?? []
  }

  mutating func hearNewestWrite(_ newest: LastWrite.Names?, _ standing: LastWrite.Names? = nil)
    -> [DeskEffect]
  {
    for index in pages.indices where pages[index].isOfAStandingWrite {
      guard case .review(var page) = pages[index] else { continue }
      page.standing?.hear(newest, standing)
      pages[index] = .review(page)
    }
    return []
  }

  /// `u` on the page of a write takes back what is said there, and nothing else: whether `newest` is that.
  mutating func isAsTold(_ newest: LastWrite?) -> Bool {
    let told = top(ReviewPage.self)?.standing
    _ = hearNewestWrite(newest?.names)
    return told?.count == top(ReviewPage.self)?.standing?.count
  }
}

extension Page {
  fileprivate var isOfAStandingWrite: Bool {
    if case .review(let page) = self { page.mayBeTakenBack && page.standing != nil } else { false }
  }

  fileprivate var standing: StandingWrite? { if case .review(let page) = self { page.standing } else { nil } }
}
