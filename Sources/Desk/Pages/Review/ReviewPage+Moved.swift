import ExactJSON
import StoreInterface

/// What was ready when the review was asked for, and is no draft as it is read: another program changed its record, and nobody had told
/// that yet. `parley write` names it with its reason, and so does the review.
extension ReviewPage {
  /// The records of which something stands here, in the order of the screen.
  var recordsShown: [String] { moved.map(\.conflict.id) + ids }
  /// The first of them; nil where nothing stands here. Each frame asks for it, and there may be thousands.
  var firstShown: String? { moved.first?.conflict.id ?? drafts.first?.id }

  func isMoved(_ id: String) -> Bool { moved.contains { $0.conflict.id.hasSameBytes(as: id) } }

  /// What is not ready, by the list, is asked for where it may have become so: it need not be named if it has not, unless it was named.
  mutating func ask(for ids: [String], on desk: DeskState) {
    let named = RecordNames(moved.map(\.conflict.id))
    asked = ids
    expected = RecordNames(
      ids.filter { id in
        desk.list.summary(id).map { $0.isReady || $0.isMoved && named.contains(id) } == true
      })
  }

  mutating func take(read records: [DecidedConflict]) {
    drafts = records.compactMap(ReviewedDraft.init)
    isOrdered = false
    let ready = RecordNames(drafts.map(\.id))
    moved = records.filter { !ready.contains($0.conflict.id) && expected.contains($0.conflict.id) }
  }

  /// The list takes them for ready still, and who has one open for what it was.
  func readMovedAgain(on desk: inout DeskState) -> [DeskEffect] {
    let unheard = moved.map(\.conflict.id).filter { desk.list.summary($0)?.isMoved == false }
    return unheard.count > 20 ? desk.readAgain() : unheard.flatMap { desk.openAgain($0) }
  }
}

extension DeskState {
  /// What the review names beside its drafts, as far as it is still so.
  var movedInReview: [String] {
    page(ReviewPage.self)?.moved.map(\.conflict.id).filter { list.summary($0)?.isMoved == true } ?? []
  }
}
