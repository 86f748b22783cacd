import ExactJSON
import Merging
import StoreInterface

extension JSON {
  /// The line of `parley import --json`:
  ///
  ///     {"new":2,"deleted":1,"unchanged":40,"older":3,"unknownTables":{"boards":2},"withoutArchive":1,
  ///      "timesAhead":0,"appInbox":2,"journal":1,"dryRun":false,
  ///      "unreadable":[{"file":"export.json","place":"line 3, column 17","reason":"…"}],"moreUnreadable":0}
  ///
  /// `new` and `deleted` wait in the inbox now, `appInbox` of them in the app's, `journal` in the journal. `place` is null
  /// where the file as a whole cannot be read.
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
