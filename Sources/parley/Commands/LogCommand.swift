import ArgumentParser
import Desk
import ExactJSON
import Foundation
import Merging
import StoreInterface
import Telling

/// `parley log PATH`: the journal.
struct LogCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", _superCommandName: Parley.name,
    abstract: "Show what was decided, written and undone, newest first.",
    discussion: """
      Of the records that are named the whole history: decisions with their notes, and writes with what they changed, and \
      whether that was taken back. --since and --kind go with and without records.

      --given-up tells what was decided against a side: each decision that counts, and each write, by which an edit of it was \
      given up, with the values, also where nobody else has them any more. What was decided and written is told with the \
      write alone. Values of more than 64 kB were not kept, nor any by \
      a Parley before that option: such decisions are told, and that it is so.

      Where a write was rolled back for more than three records, as it was stopped, a line counts them; --json tells each, and so \
      does naming them.

      In a terminal lines are broken at its width, keys shortened to their end, and a value that is longer than some lines is \
      cut with ›; elsewhere all is whole, a line each.

      Never writes to the store. Exits with 0.
      """)

  @OptionGroup var store: StoreOptions
  @Argument(
    help: ArgumentHelp("The history of these records; without any, everything.", valueName: "record"),
    completion: RecordCompletion.ofWrites)
  var records: [String] = []
  @Option(
    help: ArgumentHelp(
      "What happened since then: 2026-11-20, 2026-11-20T13:00 (UTC), or 90m, 12h, 7d ago.", valueName: "when")
  )
  var since: NamedTime?
  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp("What was of this kind; can be repeated.", valueName: "kind"))
  var kinds: [JournalEntry.Kind] = []
  @Option(
    name: .customLong("given-up"),
    help: ArgumentHelp("By what an edit of this side was given up: client, server or any.", valueName: "side")
  )
  var givenUp: GivenUpSide?
  @Flag(help: "Print no values, titles, keys and notes: hashes in their place.")
  var redact = false
  @Option(parsing: .unconditional, help: ArgumentHelp("Show so many entries at most.", valueName: "count"))
  var limit = 1000
  @OptionGroup var print: OutputOptions

  func check() throws {
    if limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.reading))
    let privacy = try surroundings.privacy(isRedacted: redact)
    let found =
      try print.json ? tellJSON(store, privacy, surroundings) : tellLines(store, privacy, surroundings)
    return try tellOlder(than: found, surroundings)
  }

  /// - Returns: how many entries were found, which are more than the limit if there are more.
  private func tellJSON(
    _ store: any ConflictStore, _ privacy: Privacy, _ surroundings: Surroundings
  ) throws -> Int {
    let found = try found(in: store, surroundings, atMost: limit == .max ? .max : limit + 1)
    for entry in try told(Array(found.prefix(limit)), of: store, surroundings) {
      try surroundings.output.print(json(privacy.told(entry, in: store.info), privacy))
    }
    return found.count
  }

  /// - Returns: how many lines there are, of which one may count many entries; more than the limit if there are more.
  private func tellLines(
    _ store: any ConflictStore, _ privacy: Privacy, _ surroundings: Surroundings
  ) throws -> Int {
    let all = try folds(in: store, surroundings)
    let shown = all.prefix(limit)
    let entries = try told(shown.map(\.entry), of: store, surroundings)
    if entries.isEmpty { try surroundings.output.print(wordsOfNone) }
    var layout = ColumnLayout(columns: 4, limit: surroundings.width)
    for line in layout.brokenLines(rows(shown, entries, of: store, privacy, surroundings)) {
      try surroundings.output.print(line)
    }
    if store.info.notUndone == nil { try tellTakingUp(entries, surroundings) }
    return all.count
  }

  private func tellTakingUp(_ entries: [JournalEntry], _ surroundings: Surroundings) throws {
    guard entries.contains(where: \.mayBeTakenUp) else { return }
    try surroundings.output.print(
      "What was left alone may be taken back still, and is then in conflict as before; whether it can be, this tells: "
        + "parley undo \(store.quoted) RECORD")
  }

  /// Nobody should take what is shown for all that was ever done.
  private func tellOlder(than found: Int, _ surroundings: Surroundings) throws -> ExitStatus {
    if found > limit {
      try surroundings.output.flush()
      try surroundings.errors.print(
        "parley: There is more, and older, than \(limit == 1 ? "this" : "these \(limit)"): --limit takes more."
      )
      try surroundings.errors.flush()
    }
    return .nothingLeft
  }

  private func json(_ entry: JournalEntry, _ privacy: Privacy) -> JSON {
    let isOfHistory = !records.isEmpty
    return JSON(entry, isOfHistory: isOfHistory, givesUp: isOfHistory || givenUp != nil, privacy)
  }

  /// What is told where there is no entry.
  private var wordsOfNone: String {
    guard let givenUp else {
      return isAsked ? "The log has nothing of that." : "Nothing was decided so far, and nothing written."
    }
    let whose = givenUp.side.map { "the \($0)" } ?? "a side"
    return isAsked
      ? "Nothing that was asked for gave up an edit of \(whose)." : GivenUp.none(of: givenUp.side)
  }

  /// The entries as they are told: with what their store calls what was decided, and whether that still holds, for which their conflicts
  /// are read.
  private func told(
    _ entries: [JournalEntry], of store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> [JournalEntry] {
    let most: () -> Int? = { entries.count }
    return try surroundings.reading("Telling", of: "entries", atMost: most) { count in
      try stride(from: 0, to: entries.count, by: RecordCount.step).flatMap { start in
        try StoreCall.current.check(store.info.path)
        let page = Array(entries[start..<min(start + RecordCount.step, entries.count)])
        try count.add(page.count)
        return store.tellingOvertaken(try store.namingAnswers(page))
      }
    }
  }

  /// What the lines tell, and more than the limit if there is. It is of these, and one may count many entries: more are read until it is
  /// known where the last one ends.
  private func folds(in store: any ConflictStore, _ surroundings: Surroundings) throws -> [LogFold] {
    var asked = limit.addingReportingOverflow(LogFold.shown + 1)
    while true {
      let most = readsAll || asked.overflow ? Int.max : asked.partialValue
      let found = try found(in: store, surroundings, atMost: most)
      let folds = records.isEmpty ? LogFold.folds(of: found) : LogFold.each(of: found)
      if folds.count > limit || found.count < most { return folds }
      asked = most.multipliedReportingOverflow(by: 2)
    }
  }

  /// Whether some entries are asked for, by their records, time or kind.
  private var isAsked: Bool { !records.isEmpty || since != nil || !kinds.isEmpty }

  /// Whether what is asked for is found among all entries, and not among the newest.
  private var readsAll: Bool { isAsked || givenUp != nil }

  /// The limit is of what is asked for.
  private func found(
    in store: any ConflictStore, _ surroundings: Surroundings, atMost limit: Int
  ) throws -> [JournalEntry] {
    let start = since?.time(now: surroundings.now()) ?? .min
    let found = try entries(in: store, limit: readsAll ? .max : limit, surroundings.redaction).filter {
      $0.time >= start && (kinds.isEmpty || kinds.contains($0.kind))
    }
    return givenUp == nil ? found : found.withoutWritten
  }

  private func entries(in store: any ConflictStore, limit: Int, _ redaction: Redaction) throws
    -> [JournalEntry]
  {
    if records.isEmpty, let givenUp {
      return try store.journal.givenUp().compactMap { $0.givingUp(of: givenUp.side) }
    }
    if records.isEmpty { return try store.journal.entries(limit: limit) }
    let privacy = redact ? redaction.privacy : .open
    let ids = try store.loggedRecordIDs(named: records, redaction, telling: privacy)
    let all = try ids.flatMap { try store.journal.history(of: $0) }.sorted { $0.time > $1.time }
    guard let givenUp else { return all }
    return all.filter { $0.givenUp?.isEmpty != true }.compactMap { $0.givingUp(of: givenUp.side) }
  }

  /// - Parameter entries: the folds' own, as they are told.
  private func rows(
    _ folds: ArraySlice<LogFold>, _ entries: [JournalEntry], of store: any ConflictStore, _ privacy: Privacy,
    _ surroundings: Surroundings
  ) -> [[String]] {
    let (titles, info) = (store.titles(of: entries), store.info)
    // A hash is short.
    let cutSign = privacy.hides ? nil : surroundings.width.map { _ in surroundings.output.cutSign }
    return zip(folds, entries).flatMap { fold, entry in
      fold.count > 1
        ? [row(fold, privacy)]
        : rows(
          privacy.told(entry, in: info), title: titles[entry.record], cutSign: cutSign,
          isASCII: surroundings.output.isASCII, privacy)
    }
  }

  /// Those that say the same, counted.
  private func row(_ fold: LogFold, _ privacy: Privacy) -> [String] {
    let more = fold.end > limit ? " --limit \(fold.end)" : ""
    var row = row(fold.entry, title: nil, cutSign: nil, privacy)
    row[2] = "\(fold.count) records"
    row[3] += " (--json\(more) names each)"
    return row
  }

  /// An entry, and below it the values of what was left alone.
  private func rows(
    _ entry: JournalEntry, title: String?, cutSign: String?, isASCII: Bool, _ privacy: Privacy
  ) -> [[String]] {
    let fields = entry.left?.fields ?? entry.changes.fields
    let tellsLost = givenUp != nil || !records.isEmpty
    let lost = tellsLost ? entry.givenUpWords(privacy, ends: { $0.unseenEnds(isASCII: isASCII) }) : []
    return [row(entry, title: title, cutSign: cutSign, privacy)]
      + fields.map { field in
        let values = told(field, isASCII: isASCII, privacy)
        return ["", "", "", "  \(privacy.name(field.label)): \(values.old) → \(values.new)"]
      } + (entry.changes.done(privacy) + lost).map { ["", "", "", "  \($0)"] }
  }

  /// As an undo tells them.
  private func told(
    _ field: LastWrite.FieldChange, isASCII: Bool, _ privacy: Privacy
  ) -> (old: String, new: String) {
    let texts = privacy.told(field)
    if privacy.hides { return texts }
    return UnseenDifference.telling(texts, of: field.before, field.after, isASCII: isASCII)
  }

  private func row(
    _ entry: JournalEntry, title: String?, cutSign: String?, _ privacy: Privacy
  ) -> [String] {
    let note = entry.note.map { "  (\(privacy.shown($0)))" } ?? ""
    // One that tells its title itself is not told it twice.
    let called = (entry.title == nil ? title : nil).map { "\(privacy.shown($0)): " } ?? ""
    let text = called + entry.text(privacy) + entry.since + note
    // Of a finding the beginning tells what it is.
    let name = entry.isOfFinding ? entry.record : cutSign.map { Self.short(entry.record, $0) } ?? entry.record
    return [TimeText.seconds(entry.time), entry.kind.rawValue, name, text]
  }

  /// The end of a record's name, which names it still.
  private static func short(_ name: String, _ cutSign: String) -> String {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    let table = parts.count > 1 ? ":" + parts[parts.count - 1] : ""
    let key = name.dropLast(table.count)
    let isLong = key.count > (table.isEmpty ? 24 : 12)
    return isLong ? "\(cutSign)\(key.suffix(table.isEmpty ? 20 : 8))\(table)" : name
  }
}

extension ConflictStore {
  /// What the records are called now, or were when they were written.
  func titles(of entries: [JournalEntry]) -> ByRecord<String> {
    var titles = ByRecord(entries.compactMap { entry in entry.title.map { (entry.record, $0) } }) { $1 }
    for conflict in (try? conflicts(RecordNames(entries.map(\.record)).sorted())) ?? [] {
      titles[conflict.id] = conflict.title
    }
    return titles
  }
}

/// Whose edits were given up.
enum GivenUpSide: String, CaseIterable, ExpressibleByArgument {
  case client, server, any

  /// nil for either.
  var side: Side? {
    switch self {
    case .client: .client
    case .server: .server
    case .any: nil
    }
  }
}

extension JournalEntry.Kind: ExpressibleByArgument {}

/// A time that somebody names: a day, a minute or a second in UTC, or so long ago.
struct NamedTime: ExpressibleByArgument, Equatable {
  private enum Meaning: Equatable {
    case at(Int64)
    case ago(Int64)
  }

  private let meaning: Meaning

  init?(argument: String) {
    if let match = argument.wholeMatch(of: /(?<count>[0-9]{1,5})(?<unit>[smhd])/),
      let count = Int64(match.count)
    {
      let seconds: [Substring: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
      meaning = .ago(count * seconds[match.unit, default: 1] * 1_000_000_000)
    } else if let time = NamedTime.nanoseconds(argument) {
      meaning = .at(time)
    } else {
      return nil
    }
  }

  func time(now: Int64) -> Int64 {
    switch meaning {
    case .at(let time): time
    case .ago(let nanoseconds): now - nanoseconds
    }
  }

  private static func nanoseconds(_ text: String) -> Int64? {
    let forms = ["": "T00:00:00Z", "T00:00": ":00Z", "T00:00:00": "Z", "T00:00:00Z": ""]
    let date = text.prefix(10)
    let clock = String(text.dropFirst(10))
    let end = forms.first { $0.key.count == clock.count }?.value
    guard let end, let found = try? Date(date + clock + end, strategy: .iso8601) else { return nil }
    // A 30th of February is read as the 2nd of March.
    guard found.formatted(.iso8601) == String(date) + clock + end else { return nil }
    // Nanoseconds end in the year 2262, as they begin in 1677.
    let (time, overflows) = Int64(found.timeIntervalSince1970).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? (found.timeIntervalSince1970 > 0 ? .max : .min) : time
  }
}
