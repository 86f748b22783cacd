import ExactJSON
import Merging
import StoreInterface
import Synchronization
import Telling

/// What was decided about each record of a write, as it is asked for once more when it is written.
final class DecidedAgain: Sendable {
  private struct State {
    /// The record that was found ready last. Of hundreds of leaves all are hashed to see whether a decision holds; whoever writes one
    /// record need not do so twice, if nothing of it is another when it is written.
    var last: DecidedConflict?
    /// Those that were read before of which nothing was asked for yet, in the order in which they are written.
    var rest: ArraySlice<RecordLabel> = []
    var decisions: [JSONText: [Decision]] = [:]
    /// How many of those that were not read before were asked for, and what is known of the last of these.
    var asked = 0
    var unread: [JSONText: [Decision]] = [:]
    var found = FoundInside()
  }

  private let journal: any DecisionJournal
  private let state = Mutex(State())
  /// So many are asked for at once, which is a fifth of a second before the last of them is written.
  private static let page = 200

  init(_ journal: any DecisionJournal) { self.journal = journal }

  /// One that is ready is written after all that were remembered before. By its label: an order has the way to its draft, which has this,
  /// and neither would ever go.
  func remember(_ decided: DecidedConflict, _ order: WriteOrder) {
    state.withLock { state in
      state.last = decided
      state.rest.append(order.label)
    }
  }

  /// What somebody has before them, one that is written after the other.
  func orders(_ writes: [PlannedWrite]) -> [WriteOrder] {
    let drafting = drafting
    let orders = writes.map { WriteOrder($0, decided: drafting) }
    state.withLock { $0.rest = ArraySlice(orders.map(\.label)) }
    return orders
  }

  var drafting: WriteOrder.Drafting { WriteOrder.Drafting { try self.draft(of: $0) } }

  /// For those that nobody reads before they are written.
  func unread() -> UnreadRecords {
    UnreadRecords { records, number, now in
      try self.draft(of: now, number, of: records)
    } gone: { id in
      self.state.withLock { $0.found.pass(over: id) }
    }
  }

  var foundInside: FoundInside { state.withLock(\.found) }

  /// - Throws: ``Moved`` where it is not decided any more.
  private func draft(of now: RecordConflict) throws -> Draft {
    let (last, known) = try state.withLock { ($0.last, try decisions(about: now.id, &$0)) }
    let decided =
      last.flatMap { $0.isMade(of: now, known) ? $0 : nil } ?? DecidedConflict(now, decisions: known)
    guard !decided.isMoved, let draft = decided.draft else { throw Moved(decided.movedWords(since: known)) }
    return draft
  }

  /// - Throws: ``Moved`` where it is not ready; ``foundInside`` tells what it is.
  private func draft(of now: RecordConflict, _ number: Int, of records: UnreadRecords) throws -> Draft {
    let known = try state.withLock { try decisions(about: now.id, number, of: records, &$0) }
    let decided = DecidedConflict(now, decisions: known)
    let isReady = state.withLock { $0.found.isReady(decided, number) }
    guard isReady, let draft = decided.draft else { throw Moved(decided.movedWords(since: known)) }
    return draft
  }

  /// One that is tried once more, as others had to be written first, is asked for alone.
  private func decisions(about id: String, _ state: inout State) throws -> [Decision] {
    if let known = state.decisions.removeValue(forKey: JSONText(id)) { return known }
    guard let first = state.rest.prefix(Self.page).firstIndex(where: { $0.id.hasSameBytes(as: id) }) else {
      return try journal.decisions(for: [id])
    }
    let names = state.rest[first...].prefix(Self.page).map(\.id)
    state.rest = state.rest[first...].dropFirst(names.count)
    state.decisions.merge(try decisions(about: names)) { _, new in new }
    return state.decisions.removeValue(forKey: JSONText(id)) ?? []
  }

  private func decisions(
    about id: String, _ number: Int, of records: UnreadRecords, _ state: inout State
  ) throws -> [Decision] {
    if let known = state.unread.removeValue(forKey: JSONText(id)) { return known }
    guard number >= state.asked else { return try journal.decisions(for: [id]) }
    let names = records.names(from: number, atMost: Self.page)
    (state.asked, state.unread) = (number + names.count, try decisions(about: names))
    return state.unread.removeValue(forKey: JSONText(id)) ?? []
  }

  private func decisions(about names: [String]) throws -> [JSONText: [Decision]] {
    let found = ByRecord(grouping: try journal.decisions(for: names), by: \.id)
    return Dictionary(names.map { (JSONText($0), found[$0] ?? []) }) { first, _ in first }
  }
}

/// What was found out inside of a write about records that were not read before.
struct FoundInside {
  private(set) var left = LeftToDo()
  /// Those that are not ready, or are not in conflict at all: the write is not about them.
  private(set) var passedOver = RecordNames()
  /// Why some of those that are ready cannot be written.
  private(set) var notWritable: [JSONText: String] = [:]

  var isEmpty: Bool { passedOver.isEmpty && notWritable.isEmpty && !left.isAnythingLeft }

  mutating func pass(over id: String) { passedOver.insert(id) }

  /// - Parameter number: its own among those that were not read before.
  mutating func isReady(_ decided: DecidedConflict, _ number: Int) -> Bool {
    let conflict = decided.conflict
    guard left.isReady(decided, after: number) else {
      pass(over: conflict.id)
      return false
    }
    guard let reason = conflict.details.notWritable else { return true }
    notWritable[JSONText(conflict.id)] = reason
    return false
  }

  /// What became of a record of the write. One that cannot be written is told with its reason, as if it had never been tried.
  func told(_ checked: CheckedWrite) -> CheckedWrite {
    guard let reason = notWritable[JSONText(checked.id)] else { return checked }
    return CheckedWrite(checked.label, outcome: .refused(field: nil, reason))
  }
}

extension DecidedConflict {
  /// To what is undecided the way is known.
  private var way: String {
    if dropped.isEmpty { return "" }
    return withoutField(dropped).isEmpty
      ? ": resolve --set decides it anew, --forget takes it back" : ": resolve --forget \(Self.wayOfNoField)"
  }

  /// What `--forget` does then: no decision of a record is taken back alone.
  static let wayOfNoField = "takes back what was decided, and the fields that are there are decided anew"

  /// Why what was decided about it is not written.
  var movedWords: String { whyItMoved + way }

  /// Why what was ready is not written.
  ///
  /// - Parameter known: all that the journal has of it now.
  fileprivate func movedWords(since known: [Decision]) -> String { whyNotReady(since: known).words + way }
}
