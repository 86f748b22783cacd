import Merging
import StoreInterface
import Telling
import Terminal

/// Phrases that several screens share.
enum RecordWords {
  /// "2 yours  1 by clock  3 sure", without what there is none of.
  static func counts(_ conflict: RecordConflict) -> String {
    let counts = ConflictSummary.Counts(conflict)
    let parts = [
      (counts.yours, "yours"), (counts.byClock, "by clock"), (counts.byPolicy, "by policy"),
      (counts.sure - counts.byPolicy, "sure"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: "   ")
  }

  /// The sign of a field: its certainty, or that it is decided.
  static func sign(_ field: FieldConflict, _ shown: ShownRecord) -> Run {
    let record = shown.record
    if record.resolution[.field(field.name)] != nil { return Run("✓", .ready) }
    guard !record.conflict.isWhole, !record.isGoneOrOwn, field.field.isWritable,
      let certainty = field.suggestion.certainty
    else {
      return Run(" ")
    }
    return Run(certainty.sign, certainty.ink)
  }

  /// Sign and reason: "^ server newer by 5m 02s", "✓ client taken".
  static func state(_ field: FieldConflict, _ shown: ShownRecord) -> Run {
    if let choice = shown.record.resolution[.field(field.name)] {
      return Run("✓ \(words(choice, field, shown))", .ready)
    }
    guard let certainty = field.suggestion.certainty else { return Run("") }
    return Run("\(certainty.sign) \(reason(field, shown))", certainty.ink)
  }

  static func words(_ choice: Choice, _ field: FieldConflict, _ shown: ShownRecord) -> String {
    switch choice {
    case .take(let side) where side != .ancestor && field.change == .same: "both, confirmed"
    case .take(.server) where shown.leafCount > 2: "leaf 2 taken"
    case .take(let side): "\(side.rawValue) taken"
    case .edit: "edited"
    case .alternative(let id): id
    case .merged(let value): shown.leaf(having: value, in: field.name).map { "leaf \($0) taken" } ?? "merged"
    }
  }

  /// Why this is suggested. What is said of the server is about the leaf that the store gave, whichever is shown.
  static func reason(_ field: FieldConflict, _ shown: ShownRecord) -> String {
    switch field.suggestion.reason {
    case .folded where field.ancestor != nil: foldedReason(field, shown)
    case .onlyChanged(.server) where shown.isTurned: "only leaf 2 changed"
    case .agree where shown.isTurned: "client and leaf 2 agree"
    default: "\(field.suggestion.reason)"
    }
  }

  /// Which of many leaves changed a field, by their numbers.
  private static func foldedReason(_ field: FieldConflict, _ shown: ShownRecord) -> String {
    let (leaves, agree) = shown.changes(of: field)
    switch leaves.count {
    case 0: return "\(field.suggestion.reason)"
    case 1: return leaves == [1] ? "only client changed" : "only leaf \(leaves[0]) changed"
    case 2: return "leaves \(leaves[0]), \(leaves[1]) \(agree ? "agree" : "changed")"
    default: return "\(field.suggestion.reason)"
    }
  }

  /// The letters of the result column: C, S, A, C=S, E, M; S3 for the third leaf where another is shown; `?` where a person
  /// has to choose.
  static func letters(_ field: FieldConflict, _ shown: ShownRecord) -> String {
    let choice = shown.record.resolution[.field(field.name)]
    if choice == nil, field.suggestion.certainty == .yours { return "?" }
    let draft = field.draft(choice)
    let server = shown.isTurned && !isChosen(.server, field, shown) ? "S2" : "S"
    return switch draft.source {
    case .client?: "C"
    case .server?: server
    case .ancestor?: "A"
    case .both?: "C=\(server)"
    case .edited?: "E"
    case .merged?: leafLetters(draft.value, field, shown)
    case nil: ""
    }
  }

  private static func leafLetters(_ value: Value, _ field: FieldConflict, _ shown: ShownRecord) -> String {
    guard let number = shown.leaf(having: value, in: field.name) else { return "M" }
    return number == shown.leafNumber ? "S" : "S\(number)"
  }

  /// Whether the value of `side` is what the draft would hold.
  static func isChosen(_ side: Side, _ field: FieldConflict, _ shown: ShownRecord) -> Bool {
    let choice = shown.record.resolution[.field(field.name)]
    if choice == nil, field.suggestion.certainty == .yours { return false }
    let draft = field.draft(choice)
    return switch (draft.source, side) {
    case (.client?, .client), (.both?, .client), (.ancestor?, .ancestor): true
    case (.server?, .server), (.both?, .server):
      !shown.isTurned || draft.value == shown.version(field, side)?.value
    case (.merged?, .server): shown.leaf(having: draft.value, in: field.name) == shown.leafNumber
    default: false
    }
  }

  /// What a version is where it is not present.
  static func absence(_ side: Side, _ shown: ShownRecord, _ time: TimeText) -> String? {
    let version = shown.columns.version(side)
    if shown.hasTree, side == .ancestor, version == .absent { return "no common ancestor" }
    return version.absence(time.short)
  }

  /// The text that differs, from the ancestor's to a side's, in git's word notation. Without an ancestor, and for
  /// anything but text, the value itself.
  ///
  /// - Parameter limit: in bytes; of longer texts the part is told that differs, or the beginning.
  static func difference(
    _ field: FieldConflict, _ side: Side, _ shown: ShownRecord, _ privacy: Privacy, atMost limit: Int
  ) -> [Run] {
    let value = shown.version(field, side)?.value
    let ink = Ink.side(side)
    guard side != .ancestor, let (old, new) = privacy.texts(field.ancestor?.value, value) else {
      return beginning(privacy.line(value), ink, limit)
    }
    guard max(old.utf8.count, new.utf8.count) > limit else { return pieces(old, new, ink) }
    let excerpt = Excerpt(from: old, to: new, atMost: limit)
    return same(excerpt.sameBefore) + pieces(String(excerpt.old), String(excerpt.new), ink)
      + same(excerpt.sameAfter) + more(excerpt.more)
  }

  private static func pieces(_ old: String, _ new: String, _ ink: Ink) -> [Run] {
    WordDiff.pieces(from: old, to: new).map { piece in
      switch piece {
      case .kept(let text): Run(text, ink)
      case .removed(let text): Run("[-\(text)-]", ink.struck)
      case .added(let text): Run("{+\(text)+}", ink.underlined)
      }
    }
  }

  private static func beginning(_ text: String, _ ink: Ink, _ limit: Int) -> [Run] {
    let excerpt = Excerpt(of: text, atMost: limit)
    return [Run(String(excerpt.new), ink)] + more(excerpt.more)
  }

  private static func same(_ bytes: Int) -> [Run] {
    bytes > 0 ? [Run(" (\(bytesInWords(bytes)) the same) ", .dim)] : []
  }

  private static func more(_ bytes: Int) -> [Run] {
    bytes > 0 ? [Run(" (\(bytesInWords(bytes)) more: on the record E opens all)", .dim)] : []
  }
}
