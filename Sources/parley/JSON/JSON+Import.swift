import ExactJSON
import Merging
import StoreInterface

extension JSON {
  /// The line of `parley import --json`. OUTPUT.md tells of every member.
  init(imported summary: ImportSummary, isDryRun: Bool) {
    self.init(members: [
      "new": JSON(summary.new), "deleted": JSON(summary.deleted), "unchanged": JSON(summary.unchanged),
      "older": JSON(summary.older), "unknownTables": JSON(tables: summary.unknownTables),
      "withoutArchive": JSON(summary.withoutArchive),
      "timesAhead": JSON(summary.timesAhead), "appInbox": JSON(summary.inAppInbox),
      "journal": JSON(summary.inJournal), "dryRun": .bool(isDryRun),
      "unreadable": .array(summary.unreadable.map { JSON(unreadable: $0) }),
      "moreUnreadable": JSON(summary.moreUnreadable),
    ])
  }

  private init(tables: [String: Int]) {
    self = .object(tables.sorted { $0.key < $1.key }.map { (name: $0.key, value: JSON($0.value)) })
  }

  private init(unreadable entry: ImportSummary.Unreadable) {
    self.init(members: [
      "file": .string(entry.file), "place": JSON(entry.place), "reason": .string(entry.reason),
    ])
  }
}
