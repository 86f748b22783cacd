import Merging

/// A record as its screen shows it: with one of its leaves in the server's column. Whatever is decided, counted or suggested is
/// about the conflict as the store gave it, whichever leaf is shown.
struct ShownRecord {
  let record: OpenConflict
  /// What the columns show.
  let columns: RecordConflict
  private let live: [Leaf]

  /// - Parameter leaf: nil for the one that the store gave.
  init(_ record: OpenConflict, leaf: Leaf.ID? = nil) {
    self.record = record.spelledOut
    columns = leaf.flatMap { record.conflict.showing(leaf: $0) } ?? record.conflict
    live = record.conflict.liveLeaves
  }

  var conflict: RecordConflict { record.conflict }

  /// Whether its history is a tree.
  var hasTree: Bool { !conflict.details.leaves.isEmpty }
  var leafCount: Int { live.count }

  /// The number of the leaf in the server's column: the winner is 1.
  var leafNumber: Int { live.firstIndex { $0.id == columns.details.serverTag }.map { $0 + 1 } ?? 2 }

  /// "2 of 5", or as short as it gets: "31/756".
  var leafPlace: String { leafCount < 100 ? "\(leafNumber) of \(leafCount)" : "\(leafNumber)/\(leafCount)" }

  /// The numbers of the live leaves that have a field otherwise than the ancestor, and whether they all have it alike.
  func changes(of field: FieldConflict) -> (leaves: [Int], agree: Bool) {
    let values = live.map { $0.version.fields?[field.name]?.value }
    let leaves = values.indices.filter { values[$0] != nil && values[$0] != field.ancestor?.value }
    return (leaves.map { $0 + 1 }, leaves.allSatisfy { values[$0] == values[leaves[0]] })
  }

  /// The live leaves whose edit of a field is lost when it gets `value`.
  func leaves(changing field: String, otherwiseThan value: Value) -> [(number: Int, value: Value)] {
    let ancestor = conflict[field]?.ancestor?.value
    return live.enumerated().compactMap { index, leaf in
      guard let own = leaf.version.fields?[field]?.value, own != value, own != ancestor else { return nil }
      return (index + 1, own)
    }
  }

  /// Whether the server's column shows another leaf than the store gave.
  var isTurned: Bool { columns.details.serverTag != conflict.details.serverTag }

  func version(_ field: FieldConflict, _ side: Side) -> FieldVersion<Value>? {
    side == .server && isTurned ? columns[field.name]?.server : field.version(side)
  }

  /// The revision that a column shows; nil without a tree, or without a common ancestor.
  func revision(_ side: Side) -> String? {
    guard hasTree else { return nil }
    return switch side {
    case .ancestor: conflict.details.ancestorTag
    case .client: live.first?.id
    case .server: columns.details.serverTag
    }
  }

  /// The same as it is told where room is short: no two columns look alike.
  func shortRevision(_ side: Side) -> String? {
    let name = RevisionName(toTellApart: Side.allCases.compactMap(revision))
    return revision(side).map(name.short)
  }

  /// Which leaf the server's column shows.
  var leafWords: String {
    "The server's column shows \(shortRevision(.server) ?? ""), \(leafNumber) of \(leafCount)."
  }

  /// The number of the leaf that a value was taken from, or would be: the shown one before the others. nil if no leaf beside
  /// the winner has it.
  func leaf(having value: Value, in field: String) -> Int? {
    guard leafCount > 2 else { return nil }
    if columns[field]?.server?.value == value { return leafNumber }
    return live.dropFirst().firstIndex { $0.version.fields?[field]?.value == value }.map { $0 + 1 }
  }
}
