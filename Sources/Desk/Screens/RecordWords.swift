import Merging
import Terminal

/// Phrases that several screens share.
enum RecordWords {
  /// "2 yours  1 by clock  3 sure", without what there is none of.
  static func counts(_ conflict: RecordConflict) -> String {
    let counts = ConflictSummary.Counts(conflict)
    let parts = [(counts.yours, "yours"), (counts.byClock, "by clock"), (counts.sure, "sure")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: "   ")
  }

  /// The sign of a field: its certainty, or that it is decided.
  static func sign(_ field: FieldConflict, _ record: OpenConflict) -> Run {
    if record.resolution[.field(field.name)] != nil { return Run("✓", .ready) }
    guard !record.conflict.isWhole, field.field.isWritable, let certainty = field.suggestion.certainty else {
      return Run(" ")
    }
    return Run(certainty.sign, certainty.ink)
  }

  /// Sign and reason: "^ server newer by 5m 02s", "✓ client taken".
  static func state(_ field: FieldConflict, _ record: OpenConflict) -> Run {
    if let choice = record.resolution[.field(field.name)] { return Run("✓ \(words(choice, field))", .ready) }
    guard let certainty = field.suggestion.certainty else { return Run("") }
    return Run("\(certainty.sign) \(field.suggestion.reason)", certainty.ink)
  }

  static func words(_ choice: Choice, _ field: FieldConflict) -> String {
    switch choice {
    case .take(let side) where side != .ancestor && field.change == .same: "both, confirmed"
    case .take(let side): "\(side.rawValue) taken"
    case .edit: "edited"
    case .merged: "merged"
    }
  }

  /// The letters of the result column: C, S, A, C=S, E, M; `?` where a person has to choose.
  static func letters(_ field: FieldConflict, _ record: OpenConflict) -> String {
    let choice = record.resolution[.field(field.name)]
    if choice == nil, field.suggestion.certainty == .yours { return "?" }
    return switch field.draft(choice).source {
    case .client?: "C"
    case .server?: "S"
    case .ancestor?: "A"
    case .both?: "C=S"
    case .edited?: "E"
    case .merged?: "M"
    case nil: ""
    }
  }

  /// Whether the value of `side` is what the draft would hold.
  static func isChosen(_ side: Side, _ field: FieldConflict, _ record: OpenConflict) -> Bool {
    switch letters(field, record) {
    case "C": side == .client
    case "S": side == .server
    case "A": side == .ancestor
    case "C=S": side != .ancestor
    default: false
    }
  }

  /// What a version is where it is not present.
  static func absence(_ version: RecordVersion, _ time: TimeText) -> String? {
    switch version {
    case .present: nil
    case .deleted(let when): ("deleted " + time.short(when)).trimmed
    case .absent: "never was"
    case .unknown: "not known"
    }
  }

  /// The text that differs, from the ancestor's to a side's, in git's word notation. Without an ancestor, and for
  /// anything but text, the value itself.
  static func difference(_ field: FieldConflict, _ side: Side, isPrivate: Bool) -> [Run] {
    let value = field.version(side)?.value
    let ink = Ink.side(side)
    guard side != .ancestor, !isPrivate, case .text(let new)? = value,
      case .text(let old)? = field.ancestor?.value,
      new != old, !old.isEmpty, !new.isEmpty
    else { return [Run(ValueText.line(value, isPrivate: isPrivate), ink)] }
    return WordDiff.pieces(from: old, to: new).map { piece in
      switch piece {
      case .kept(let text): Run(text, ink)
      case .removed(let text): Run("[-\(text)-]", ink.struck)
      case .added(let text): Run("{+\(text)+}", ink.underlined)
      }
    }
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
