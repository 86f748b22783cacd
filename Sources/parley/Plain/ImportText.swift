import Merging
import StoreInterface

/// What became of an import, for a person.
///
///     2 new, 1 deleted, 40 unchanged, 3 older, 2 of unknown tables, 1 unreadable
///     Unknown tables: boards 2. A newer version of the app may have them.
///     1 came as JSON, without the server's archive: it can be decided and written, but the ancestor is not advanced.
///     Unreadable: export.json, line 3, column 17: the object has this name twice
///     See them: parley list Reminders.sqlite
enum ImportText {
  /// - Parameter store: as a command names it.
  static func lines(_ summary: ImportSummary, store: String, isDryRun: Bool) -> [String] {
    let lines =
      [counts(summary)] + unknownTables(summary) + places(summary, isDryRun) + withoutArchive(summary)
      + timesAhead(summary)
      + summary.unreadable.map(unreadable) + moreUnreadable(summary) + way(summary, store, isDryRun)
    return lines.map { cut($0, to: nil) }
  }

  private static func counts(_ summary: ImportSummary) -> String {
    let unknown = summary.unknownTables.values.reduce(0, +)
    let counts = [
      (summary.new, "new"), (summary.deleted, "deleted"), (summary.unchanged, "unchanged"),
      (summary.older, "older than what is here"),
      (unknown, unknown == 1 ? "of an unknown table" : "of unknown tables"),
      (summary.unreadable.count + summary.moreUnreadable, "unreadable"),
    ]
    let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return told.isEmpty ? "The files hold no server records." : told.joined(separator: ", ")
  }

  private static func unknownTables(_ summary: ImportSummary) -> [String] {
    if summary.unknownTables.isEmpty { return [] }
    let tables = summary.unknownTables.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return ["Unknown tables: \(tables.joined(separator: ", ")). A newer version of the app may have them."]
  }

  private static func places(_ summary: ImportSummary, _ isDryRun: Bool) -> [String] {
    let verb = isDryRun ? "would go" : "went"
    return [(summary.inAppInbox, "the app's inbox"), (summary.inJournal, "the journal")]
      .filter { $0.0 > 0 }.map { "\($0.0) \(verb) into \($0.1)." }
  }

  private static func withoutArchive(_ summary: ImportSummary) -> [String] {
    let count = summary.withoutArchive
    if count == 0 { return [] }
    return [
      "\(count) came as JSON, without the server's archive: \(count == 1 ? "it" : "they") can be decided and written, "
        + "but the ancestor is not advanced."
    ]
  }

  private static func timesAhead(_ summary: ImportSummary) -> [String] {
    let count = summary.timesAhead
    if count == 0 { return [] }
    return [
      "\(count) \(count == 1 ? "has" : "have") a time that lies in the future: a clock was wrong, and what would be newer by it "
        + "is yours to decide."
    ]
  }

  private static func unreadable(_ entry: ImportSummary.Unreadable) -> String {
    "Unreadable: \(entry.file)" + (entry.place.map { ", \($0)" } ?? "") + ": \(entry.reason)"
  }

  private static func moreUnreadable(_ summary: ImportSummary) -> [String] {
    summary.moreUnreadable == 0 ? [] : ["Unreadable: \(summary.moreUnreadable) more."]
  }

  private static func way(_ summary: ImportSummary, _ store: String, _ isDryRun: Bool) -> [String] {
    if isDryRun { return ["Nothing was changed."] }
    return summary.taken == 0 ? [] : ["See them: parley list \(store)"]
  }
}
