import Merging
import StoreInterface
import Telling

/// A record as its screen shows it: with one of its leaves in the server's column. Whatever is decided, counted or suggested is
/// about the conflict as the store gave it, whichever leaf is shown.
struct ShownRecord {
  let record: DecidedConflict
  /// What the columns show.
  let columns: RecordConflict
  private let live: [Leaf]

  /// - Parameter leaf: nil for the one that the store gave.
  init(_ record: DecidedConflict, leaf: Leaf.ID? = nil) {
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

/// An edit that a draft does not hold: writing the draft gives it up.
struct LostEdit: Equatable {
  var field: String
  var side: Side
  /// The number of the leaf that made it, in a record with more leaves than two.
  var leaf: Int?
  var value: Value
  /// Whether nobody else changed the field: nobody would expect to lose it.
  var isUncontested: Bool

  /// "of the server", "of leaf 3".
  var origin: String { leaf.map { "of leaf \($0)" } ?? "of the \(side.rawValue)" }
}

extension ShownRecord {
  /// The edits of one field that are given up when it gets what `draft` holds. What was computed from several edits has all
  /// of them in it.
  func edits(lostBy draft: FieldDraft) -> [LostEdit] {
    guard let field = conflict[draft.name], !conflict.isWhole else { return [] }
    let edits =
      leafCount > 2 ? leafEdits(of: field, but: draft.value) : sideEdits(of: field, but: draft.value)
    let isComputed = draft.source == .merged && !isOfOneSide(draft.value, field)
    return isComputed ? [] : edits
  }

  private func sideEdits(of field: FieldConflict, but value: Value) -> [LostEdit] {
    let isAlone = field.change == .onlyClient || field.change == .onlyServer
    return [Side.client, .server].compactMap { side in
      guard let own = field.version(side)?.value, own != value, own != field.ancestor?.value else {
        return nil
      }
      return LostEdit(field: field.name, side: side, value: own, isUncontested: isAlone)
    }
  }

  private func leafEdits(of field: FieldConflict, but value: Value) -> [LostEdit] {
    let isAlone = changes(of: field).leaves.count == 1
    return leaves(changing: field.name, otherwiseThan: value).map {
      LostEdit(
        field: field.name, side: $0.number == 1 ? .client : .server, leaf: $0.number, value: $0.value,
        isUncontested: isAlone)
    }
  }

  private func isOfOneSide(_ value: Value, _ field: FieldConflict) -> Bool {
    field.client?.value == value || field.server?.value == value || leaf(having: value, in: field.name) != nil
  }
}

extension DecidedConflict {
  /// The edits that are given up by what was decided so far.
  var lostEdits: [LostEdit] {
    let shown = ShownRecord(self)
    let decided = conflict.fields.compactMap { field in
      resolution[.field(field.name)].map { field.draft($0) }
    }
    return decided.flatMap(shown.edits)
  }
}

extension RecordConflict {
  /// What is given up when a record is taken whole from `side`: "the server's deletion". nil for nothing.
  func lost(takingWholeFrom side: Side, _ privacy: Privacy) -> String? {
    let other: Side = side == .client ? .server : .client
    switch version(other) {
    case .deleted, .absent: return version(side).isPresent ? "the \(other.rawValue)'s deletion" : nil
    case .unknown: return "what the \(other.rawValue) has, which is not known"
    case .present:
      let names = fields.filter { $0.change != .unchanged && $0.field.isWritable }.map(\.name)
      let edit = names.isEmpty ? "record" : "edit of \(privacy.words(names))"
      return "the \(other.rawValue)'s \(edit)"
    }
  }
}

extension [LostEdit] {
  /// "1 edit that only the client made (due); 3 of what both changed (title, notes, list)".
  func words(_ privacy: Privacy) -> String {
    let (alone, contested) = (filter(\.isUncontested), filter { !$0.isUncontested })
    let sides = Set(alone.map(\.side))
    let areOfLeaves = contains { $0.leaf != nil }
    let side = sides.count == 1 ? "the \(sides.first?.rawValue ?? "")" : "one side"
    let (who, all) = areOfLeaves ? ("one leaf", "several leaves") : (side, "both")
    return [
      alone.words("\(alone.count == 1 ? "edit" : "edits") that only \(who) made", privacy),
      contested.words("\(contested.count == 1 ? "edit" : "edits") of what \(all) changed", privacy),
    ].compactMap(\.self).joined(separator: "; ")
  }

  private func words(_ what: String, _ privacy: Privacy) -> String? {
    isEmpty ? nil : "\(count) \(what) (\(privacy.words(map(\.field).unique)))"
  }
}
