import Merging
import Simulation

/// What a step changed in each of the three places.
extension StepPanel {
  /// In the field that is shown, or as a whole.
  func isChanged(_ place: Place) -> Bool {
    guard field != nil, entry.changes.contains(place) else { return entry.changes.contains(place) }
    let (before, after) = (entry.before, entry.after)
    return switch place {
    case .row: value(before.row) != value(after.row) || (before.row == nil) != (after.row == nil)
    case .lastKnown: isChanged(before.lastKnown, after.lastKnown)
    case .server: isChanged(before.server, after.server)
    }
  }

  private func isChanged(_ before: ServerRecord?, _ after: ServerRecord?) -> Bool {
    value(before) != value(after) || (before == nil) != (after == nil)
  }

  /// Of a place that changed, and in another field alone, what it was.
  func mark(_ place: Place, _ isChanged: Bool) -> String? {
    guard entry.changes.contains(place) else { return nil }
    if isChanged { return "changed" }
    switch place {
    case .row: return markOfRow
    case .lastKnown: return was(entry.before.lastKnown)
    case .server: return was(entry.before.server)
    }
  }

  /// The tag that it has stands with its value.
  private func was(_ before: ServerRecord?) -> String {
    before?.tag.map { "was @ \($0)" } ?? "elsewhere"
  }

  private var markOfRow: String {
    let mark = changedFields.map { "\($0) changed" }
    return mark.count == 1 && mark[0].count < 14 ? mark[0] : "elsewhere"
  }

  private var changedFields: [String] {
    guard let before = entry.before.row, let after = entry.after.row else { return [] }
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}
