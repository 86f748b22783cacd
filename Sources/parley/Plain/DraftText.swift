import Merging
import StoreInterface
import Telling

/// The lines that tell one record's draft, or what is missing to it.
enum DraftText {
  static func lines(_ decided: DecidedConflict, width: Int?) -> [String] {
    let conflict = decided.conflict
    let lines =
      ["\(conflict.id)  \(conflict.title)"] + (decided.draft.map { draft($0, conflict) } ?? open(decided))
    return lines.map { cut($0, to: width) }
  }

  private static func open(_ decided: DecidedConflict) -> [String] {
    // Not the subjects: what nobody changed can be given a value, too.
    let fields = decided.conflict.fields.map { Subject.field($0.name) }
    let taken = ([.record] + fields).compactMap { subject in
      decided.resolution[subject].map { "  \(subject.name): \(words($0, subject, decided.conflict))" }
    }
    return taken + ["  undecided: \(decided.undecided.map(\.name).joined(separator: ", "))"]
  }

  private static func words(_ choice: Choice, _ subject: Subject, _ conflict: RecordConflict) -> String {
    guard case .field(let name) = subject, let field = conflict[name] else {
      if case .alternative(let id) = choice { return conflict.alternative(id)?.words ?? id }
      return "take the \(choice.side?.rawValue ?? "")"
    }
    let draft = field.draft(choice)
    return
      "\(Privacy.open.line(draft.value, kind: field.field.kind))  (\(draft.source?.words ?? "unchanged"))"
  }

  private static func draft(_ draft: Draft, _ conflict: RecordConflict) -> [String] {
    guard case .save(let fields) = draft.action else { return ["  " + deleting(conflict)] }
    if conflict.details.rowIsBack { return ["  keep the row, which the app has put back"] }
    let changes = fields.compactMap { line($0, conflict) }
    if !conflict.hasRow { return ["  insert the row again"] + changes }
    return changes.isEmpty ? [unchanged(conflict)] : changes
  }

  private static func deleting(_ conflict: RecordConflict) -> String {
    if conflict.details.rowIsBack { return "delete the row, which the app has put back" }
    return conflict.hasRow ? "delete the row" : "stays deleted"
  }

  /// Of a document a revision is written all the same.
  private static func unchanged(_ conflict: RecordConflict) -> String {
    conflict.details.leaves.isEmpty
      ? "  the row stays as it is" : "  nothing changes in the winner; the other leaves end"
  }

  /// What the row has now, and will have; nil where nothing changes.
  private static func line(_ draft: FieldDraft, _ conflict: RecordConflict) -> String? {
    guard let field = conflict[draft.name], (field.client?.value ?? .null) != draft.value else { return nil }
    let before = Privacy.open.line(field.client?.value, kind: field.field.kind)
    let after = Privacy.open.line(draft.value, kind: field.field.kind)
    return "  \(draft.name): \(before) → \(after)  (\(draft.source?.words ?? "unchanged"))"
  }
}
