import Desk
import ExactJSON
import Merging
import StoreInterface

/// What the drafts of a review, or of a preview, are for programs.
extension StoreWorker {
  func export(_ planned: [Planned], _ format: ExportFormat) {
    show { store in
      switch format {
      case .sql: return try self.sql(planned.map(\.write), store)
      case .json: return .exported(self.page(of: planned.count, try self.drafts(planned, store)))
      }
    }
  }

  /// What would be refused, or has moved, is none of it.
  private func sql(_ planned: [PlannedWrite], _ store: any ConflictStore) throws -> DeskEvent {
    guard store.info.can.contains(.tellStatements) else {
      return .notDone("This store is not written by SQL.")
    }
    let told = try store.statements(planned)
    if told.sql.isEmpty { return .notDone("None of it would be written.") }
    let statements = told.sql.map { $0 + ";" }
    return .exported(
      page(
        "SQL of \(told.outcomes.countOfDrafts)", SQLText.paragraphs(statements, filling: filling),
        copied: statements))
  }

  /// A text that is asked for while a review is looked at, which stays as it is where there is none.
  private func show(_ work: @escaping @Sendable (any ConflictStore) throws -> DeskEvent) {
    review(changing: false, work, orElse: { .notDone(self.words($0)) })
  }

  /// What is copied from it is for programs: whole, and without empty lines in between.
  private func page(_ title: String, _ paragraphs: [String], copied parts: [String]) -> TextPage {
    TextPage(
      title: title, paragraphs: paragraphs, holdsValues: true,
      copied: .text(parts.map { $0 + "\n" }.joined(), of: "the \(title)"))
  }

  /// Laid out to be read; what is copied is a line of JSON for each draft.
  private func page(of count: Int, _ drafts: [JSON]) -> TextPage {
    page(
      "JSON of \(count == 1 ? "1 draft" : "\(count) drafts")", drafts.map { $0.indented() },
      copied: drafts.map(\.text))
  }

  /// As `parley write --dry-run --json` prints them.
  private func drafts(_ planned: [Planned], _ store: any ConflictStore) throws -> [JSON] {
    try store.check(planned.map(\.write)).map { outcome in
      JSON(rehearsed: try store.decidedConflict(outcome.id), outcome)
    }
  }

  /// JSON as `parley resolve --dry-run --json` prints what it decides, or the SQL that would write it.
  func export(_ records: [BulkRecord], _ rules: BulkRules, _ format: ExportFormat) {
    show { store in
      let seen = ByRecord(records.map { ($0.id, $0) }) { first, _ in first }
      let taken = try self.decided(records.map(\.id), in: store).compactMap { record in
        seen[record.conflict.id].flatMap { rules.change(record, seen: $0) }.map { (record.taking($0), $0) }
      }
      if taken.isEmpty { return .notDone("All of them have changed. r reads them again.") }
      switch format {
      case .sql:
        let planned = taken.compactMap { record, _ in
          record.draft.map { PlannedWrite(seen: record.conflict, draft: $0) }
        }
        return try self.sql(planned, store)
      case .json:
        let drafts = taken.map { JSON(draftOf: $0, newly: $1.taken.map(\.subject)) }
        return .exported(self.page(of: taken.count, drafts))
      }
    }
  }
}
