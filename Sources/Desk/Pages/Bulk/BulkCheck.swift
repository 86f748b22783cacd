import StoreInterface

/// What the store says to the drafts that the rules come to, before they are made: a draft that would be refused is not promised.
struct BulkCheck: Sendable {
  /// How many drafts are asked about. They are checked together, as they are written, while whoever opens a record waits.
  static let most = BulkRequest.most

  private enum State { case needed, asked, answered, failed }

  /// Told by the answer, so that one to other rules is passed over.
  private(set) var number = 0
  private var state = State.needed
  /// By the record's name.
  private(set) var refused: ByRecord<CheckedWrite.Outcome> = [:]

  var isNeeded: Bool { state == .needed }
  var isAnswered: Bool { state == .answered }

  mutating func ask() -> Int {
    number += 1
    state = .asked
    return number
  }

  /// The rules are others, or the records.
  mutating func forget() { (state, refused) = (.needed, [:]) }

  /// - Parameter outcomes: nil where the store could not say.
  /// - Returns: whether that is news.
  mutating func take(_ outcomes: [CheckedWrite]?, _ number: Int) -> Bool {
    guard state == .asked, number == self.number else { return false }
    state = outcomes == nil ? .failed : .answered
    for checked in outcomes ?? [] {
      if case .refused = checked.outcome { refused[checked.id] = checked.outcome }
    }
    return !refused.isEmpty
  }
}
