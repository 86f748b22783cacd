import Merging
import Terminal

/// A record with its parents in conflict and all of their children: how each is decided, and where two decisions contradict each
/// other. One key decides all that is open by the same rules; what is decided already stays.
package struct FamilyPage: DeskPage, Equatable {
  let id: String
  private(set) var cursor = 0

  init(id: String) { self.id = id }

  var page: Page? { .family(self) }
  var topic: Topic { .family }

  func isReading(on desk: DeskState) -> Bool { desk.family?.isReading != false }
}

extension FamilyPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return leave(on: &desk)
    case .move(let movement): cursor = desk.scrolled(cursor, by: movement, last: last(desk))
    case .open: return open(on: &desk)
    case .take(.client): return decide(by: [.restToClient, .wholeToClient], on: &desk)
    case .take(.server): return decide(by: [.restToServer, .wholeToServer], on: &desk)
    case .accept: return decide(by: [.onlyChanged, .agree, .policy, .newer], on: &desk)
    case .list(.bulk): return decide(by: [.onlyChanged, .agree, .policy], on: &desk)
    case .undo: return desk.undo()
    case .redo: return desk.redo()
    case .review: return desk.review()
    case .reload: return desk.findFamily(of: id)
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold, .story, .nextTopic, .line:
      return nil
    }
    return []
  }

  private func last(_ desk: DeskState) -> Int { max(0, (desk.family?.members.count ?? 0) - 1) }

  /// Nobody waits for the walk any more.
  private func leave(on desk: inout DeskState) -> [DeskEffect] {
    let stop: [DeskEffect] = isReading(on: desk) ? [.stopFamily] : []
    desk.family = nil
    return stop + desk.goBack()
  }

  func selected(_ desk: DeskState) -> FamilyMember? {
    guard let members = desk.family?.members, !members.isEmpty else { return nil }
    return members[min(cursor, members.count - 1)]
  }

  private func open(on desk: inout DeskState) -> [DeskEffect] {
    guard let member = selected(desk) else { return desk.tell(.familyIsRead) }
    return desk.open(desk.recordPage(member.id))
  }

  /// By the preview that many are decided by: it tells what is given up, and what is left as it is, before anything is a draft.
  private func decide(by rules: [BulkRule], on desk: inout DeskState) -> [DeskEffect] {
    guard let family = desk.family, !family.members.isEmpty else { return desk.tell(.familyIsRead) }
    if family.undecided.isEmpty {
      return desk.tell(
        "All of them are decided, and that stays. \(desk.key(.open)) opens one, and "
          + "\(desk.key(.record(.forget), on: .record)) there takes it back.")
    }
    // Where nothing is decided as a whole, its rules are only in the way.
    let hasWholes = family.undecided.contains(where: \.isWhole)
    let rules = BulkRules(rules.filter { hasWholes || !$0.isOfFamilies })
    return desk.startBulk(ofFamily: family.members.map(\.id), rules)
  }

  func firstLine(_ desk: DeskState) -> Int? { FamilyLayout(desk, self).range.lowerBound }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = FamilyLayout(desk, self).place(at: point.row) else { return [] }
    cursor = place
    return opens ? open(on: &desk) : []
  }

  func draw(_ desk: DeskState) -> Grid { FamilyScreen(desk, self).draw() }
}
