import Desk
import ExactJSON
import Merging
import StoreInterface

/// What the drafts of a review, or of a preview, are for programs.
extension StoreWorker {
  func export(_ planned: [Planned], _ format: ExportFormat) {
    show { store in
      let parts: [String] =
        switch format {
        case .sql where !store.info.can.contains(.tellStatements): []
        case .sql: try store.statements(planned.map(\.write)).map { $0 + ";" }
        case .json: try self.lines(planned, store)
        }
      if parts.isEmpty { return .notDone("This store is not written by \(format.rawValue).") }
      return .exported(self.page(format.rawValue, of: planned.count, parts, isSQL: format == .sql))
    }
  }

  /// A text that is asked for while a review is looked at, which stays as it is where there is none.
  private func show(_ work: @escaping @Sendable (any ConflictStore) throws -> DeskEvent) {
    review(changing: false, work, orElse: { .notDone(words($0)) })
  }

  /// What is copied from it is for programs: whole, and without empty lines in between.
  private func page(_ format: String, of count: Int, _ parts: [String], isSQL: Bool) -> TextPage {
    let title = "\(format) of \(count == 1 ? "1 draft" : "\(count) drafts")"
    return TextPage(
      title: title, paragraphs: isSQL ? SQLText.paragraphs(parts) : parts, holdsValues: true,
      copied: .text(parts.map { $0 + "\n" }.joined(), of: "the \(title)"))
  }

  /// As `parley write --dry-run --json` prints them.
  private func lines(_ planned: [Planned], _ store: any ConflictStore) throws -> [String] {
    try store.check(planned.map(\.write)).map { outcome in
      JSON(rehearsed: try store.decidedConflict(outcome.id), outcome).text
    }
  }

  /// JSON as `parley resolve --dry-run --json` prints what it decides, or the SQL that would write it.
  func export(_ records: [BulkRecord], _ rules: BulkRules, _ format: ExportFormat) {
    show { store in
      if format == .sql, !store.info.can.contains(.tellStatements) {
        return .notDone("This store is not written by SQL.")
      }
      let seen = ByRecord(records.map { ($0.id, $0) }) { first, _ in first }
      let taken = try self.decided(records.map(\.id), in: store).compactMap { record in
        seen[record.conflict.id].flatMap { rules.change(record, seen: $0) }.map { (record.taking($0), $0) }
      }
      if taken.isEmpty { return .notDone("All of them have changed. r reads them again.") }
      let parts =
        switch format {
        case .json: taken.map { JSON(draftOf: $0, newly: $1.taken.map(\.subject)).text }
        case .sql: try self.statements(taken.map(\.0), store)
        }
      return .exported(self.page(format.rawValue, of: taken.count, parts, isSQL: format == .sql))
    }
  }

  private func statements(_ decided: [DecidedConflict], _ store: any ConflictStore) throws -> [String] {
    let planned = decided.compactMap { record in
      record.draft.map { PlannedWrite(seen: record.conflict, draft: $0) }
    }
    return try store.statements(planned).map { $0 + ";" }
  }
}
