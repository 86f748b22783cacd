import ArgumentParser
import ExactJSON
import Foundation
import SQLiteFiles
import StoreInterface

/// `parley import PATH FILE…`: server records into the inbox.
struct ImportCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: Parley.name,
    abstract: "Bring server records into the inbox.",
    discussion: """
      Takes, told apart by their contents: archived CKRecords (binary or XML property lists), records as CloudKit Web \
      Services, CloudKit JS and cktool print them (JSON, or one a line), and another device's database, whose \
      last-known server records count. Only what differs from the ancestor and the inbox enters; what was imported \
      once is not taken twice. A database whose metadatabase has another container in its name is another app's, and refused.

      Records go into the app's own inbox, if it has one and is closed, otherwise into the journal. A record from JSON \
      has no archive, for which that inbox has no place, so it always goes into the journal, unless it is a deletion: it can be decided \
      and written, but its write cannot advance the ancestor.

      Exits with 0 if everything that was given was taken, or is known already or older than what is here, 3 if a file cannot be opened, 5 if \
      something could not be read or taken, as of a table that is unknown here, 130 if Ctrl-C stopped it: then nothing of it is taken.
      """)

  @OptionGroup var store: StoreOptions
  @Argument(
    help: ArgumentHelp(
      "Archives, JSON, or databases of other devices; - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Flag(name: .customLong("dry-run"), help: "Tell what would be taken, and change nothing.")
  var isDryRun = false
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.writing))
    guard store.info.can.contains(.importRecords) else {
      throw CommandError.cannotImport(kind: store.info.kind)
    }
    // What one before left open would be taken in a second time beside it, and then be somebody else's. A wrong name finishes nothing.
    if !isDryRun, files.allSatisfy({ $0 == Self.input || FileStatus(path: $0) != nil }) {
      try store.finishInterrupted(telling: surroundings)
    }
    let summary = try withInput(surroundings) { try self.summary(of: store, from: $0, surroundings) }
    try print.tell(
      JSON(imported: summary, isDryRun: isDryRun),
      or: ImportText.lines(summary, store: self.store.quoted, isDryRun: isDryRun), surroundings.output)
    return summary.isComplete ? .nothingLeft : .refused
  }

  private static let input = "-"

  /// What is in a file is read by its parts, and more than once, so standard input is laid by in one.
  private func withInput(
    _ surroundings: Surroundings, _ body: (_ files: [String]) throws -> ImportSummary
  ) throws -> ImportSummary {
    guard files.contains(Self.input) else { return try body(files) }
    let bytes = try surroundings.input.all(limit: FileLimit.value)
    let folder = try SampleFolder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = "standard input"
    let file = folder + "/" + name
    try Data(bytes).write(to: URL(filePath: file))
    return try body(files.map { $0 == Self.input ? file : $0 }).calling(file, name)
  }

  private func summary(
    of store: any ConflictStore, from files: [String], _ surroundings: Surroundings
  ) throws -> ImportSummary {
    let line = ProgressLine(surroundings)
    func importRecords() throws -> ImportSummary {
      try store.importRecords(from: files, isRehearsal: isDryRun) { path, records in
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try line.show("reading \(name)" + (records == 0 ? "" : ": \(records) records"))
      }
    }
    if !isDryRun {
      return try surroundings.changing(
        "Importing", on: line, interrupted: Interruption.unimported, during: importRecords)
    }
    let summary = Result { try Interruption.reading(Interruption.unchanged, during: importRecords) }
    try line.end()
    return try summary.get()
  }
}

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
    self = JSON(members: [
      "file": .string(entry.file), "place": JSON(entry.place), "reason": .string(entry.reason),
    ])
    if let record = entry.record { self = adding(JSON(members: ["record": .string(record)])) }
    if let title = entry.title { self = adding(JSON(members: ["title": .string(title)])) }
  }
}

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
        + "is for you to decide."
    ]
  }

  private static func unreadable(_ entry: ImportSummary.Unreadable) -> String {
    let place = [entry.file, entry.place, entry.record].compactMap(\.self).joined(separator: ", ")
    return "Unreadable: \(place)" + (entry.title.map { " (\($0))" } ?? "") + ": \(entry.reason)"
  }

  private static func moreUnreadable(_ summary: ImportSummary) -> [String] {
    summary.moreUnreadable == 0 ? [] : ["Unreadable: \(summary.moreUnreadable) more."]
  }

  private static func way(_ summary: ImportSummary, _ store: String, _ isDryRun: Bool) -> [String] {
    if isDryRun { return ["Nothing was changed."] }
    return summary.taken == 0 ? [] : ["See them: parley list \(store)"]
  }
}
