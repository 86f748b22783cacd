import ArgumentParser
import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// `parley list PATH`: one line for each conflict.
struct ListCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", _superCommandName: Parley.name,
    abstract: "List the records in conflict.",
    discussion: """
      Never writes to the store. In a terminal lines are cut to its width and keys shortened to their end; elsewhere \
      they are whole. States: ! a person decides, or looks again as something that was decided holds no longer, ^ the clock suggests, ~ sure (or a policy decides), ✓ decided and \
      ready to write, ✗ the store refused the draft, ⇡ the draft waits for the app, or in an outbox to be sent.

      Of a folder with several stores each is listed, with the number of its conflicts.

      --find takes words as the desk's / does, all of which have to hold; capitals and accents make no difference:
        milk          in a title, a table, a reason, or in what any side has of a
                      field that changed
        id:5eed       a record whose name has that
        table:lists   a table, by a part of its name; table:=lists by all of it
        field:notes   a field that changed, by the beginning of its name
        kind:edit     edit, noAncestor, deletedOnClient, deletedOnServer,
                      onlyOnClient, onlyOnServer
        is:decide     decide (look again, too), clock, sure, ready, refused,
                      waiting: as the state says
        gave:client   decided so that an edit of the client is given up; or server
        age:2h        last edited at least two hours ago (s, m, h, d, w)
        age:<2h       last edited since then

      What has blanks in it goes between quotes, and a quote there is doubled: table:="a ""b"" c".

      So “parley list PATH --find 'is:decide table:reminders milk'” lists what is to decide among the reminders that have milk in \
      them. What is stuck, or has only to be sent, is no conflict: parley doctor.

      Exits with 0 if there is no conflict (with --find: none of that kind), 1 if there are.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @Option(
    help: ArgumentHelp(
      "List the conflicts that the desk's / would find: words of a title or value, id:x table:x field:x kind:x is:decide|clock|sure|ready|refused|waiting gave:client|server age:2h age:<2h.",
      valueName: "words"))
  var find = ""
  @Flag(help: "Print no titles and no keys: hashes in their place, by which parley apply finds the records.")
  var redact = false
  @OptionGroup var print: OutputOptions

  func check() throws { try FoundWords(words: find).check(in: store) }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store: any ConflictStore
    do {
      store = try surroundings.open(self.store.request(.reading, suggesting))
    } catch StoreError.severalStores(_, let paths) {
      return try listStores(paths, surroundings)
    }
    let (count, all) = print.json ? try printJSON(store, surroundings) : try printLines(store, surroundings)
    // In a terminal it stands below the list.
    let isTold = !print.json && surroundings.width != nil && find.isEmpty
    if all == 0, !isTold { try surroundings.tellUnseen(in: store.info) }
    if count == 0, let words = FoundWords(words: find).wordsOfNothing(in: self.store) {
      try surroundings.errors.print("parley: \(words)")
      try surroundings.errors.flush()
    }
    return count == 0 ? .nothingLeft : .left
  }

  private func printJSON(
    _ store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> (found: Int, all: Int) {
    let query = ListQuery(find, now: surroundings.now())
    let privacy = try surroundings.privacy(isRedacted: redact)
    var (count, all) = (0, 0)
    try forEachPage(of: store, surroundings) { summaries, line in
      let found = try summaries.filter { try query.finds($0, in: store) }
      count += found.count
      all += summaries.count
      try line.end()
      for summary in found { try surroundings.output.print(JSON(privacy.told(summary), privacy)) }
    }
    return (count, all)
  }

  /// Calls `body` page by page, so that the first lines of a large store come at once. Before it prints it has to end the line of how far
  /// that is: both may go to one terminal.
  private func forEachPage(
    of store: any ConflictStore, _ surroundings: Surroundings,
    _ body: (_ summaries: [ConflictSummary], _ line: RecordCount) throws -> Void
  ) throws {
    try surroundings.reading("Listing", atMost: store.estimatedCount) { line in
      var seen = 0
      let walk = store.conflicts()
      while let page = try walk.next(limit: RecordCount.step) {
        try StoreCall.current.check(store.info.path)
        try body(page.summaries, line)
        try surroundings.output.flush()
        try line.add(page.seen - seen)
        seen = page.seen
      }
    }
  }

  private func printLines(
    _ store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> (found: Int, all: Int) {
    let isTerminal = surroundings.width != nil
    var (count, ready, all) = (0, 0, 0)
    let privacy = try surroundings.privacy(isRedacted: redact)
    let text = ListText(
      width: surroundings.width, privacy: privacy, now: surroundings.now(),
      cutSign: surroundings.output.cutSign)
    var layout = ColumnLayout(
      columns: text.heading.count, limit: surroundings.width, shrinking: text.shrinking,
      widest: isTerminal ? .max : ListText.widest)
    let query = ListQuery(find, now: surroundings.now())
    try forEachPage(of: store, surroundings) { summaries, line in
      let found = try summaries.filter { try query.finds($0, in: store) }
      let rows = found.map { text.row(privacy.told($0)) }
      let heading = isTerminal && count == 0 && !rows.isEmpty ? [text.heading] : []
      try line.end()
      for line in layout.lines(heading + rows) { try surroundings.output.print(line) }
      count += found.count
      ready += found.count(where: \.isReady)
      all += summaries.count
    }
    if isTerminal { try tellCount(count, of: all, ready: ready, in: store, surroundings) }
    return (count, all)
  }

  private func tellCount(
    _ count: Int, of all: Int, ready: Int, in store: any ConflictStore, _ surroundings: Surroundings
  ) throws {
    let words = ListText.nothing(found: find, of: all)
    try surroundings.output.print(count == 0 ? words : ListText.count(count, ready: ready))
    if !find.isEmpty { return }
    // How many are stuck only a walk over all of the store tells.
    let unseen = count == 0 ? store.info.unseen : nil
    try surroundings.output.print(unseen ?? "What is stuck is told by parley doctor.")
  }
}

/// `parley list FOLDER` where the folder holds several stores: one line for each, with how many conflicts it has.
extension ListCommand {
  /// With `--json` also one object for each: `{"path":"…","conflicts":2}`.
  ///
  /// A store that cannot be opened is told with the reason, and the others are listed all the same.
  func listStores(_ paths: [String], _ surroundings: Surroundings) throws -> ExitStatus {
    // What goes wrong with one of them may name a record.
    _ = try surroundings.privacy(isRedacted: redact)
    var layout = ColumnLayout(columns: 2, limit: surroundings.width)
    var status = ExitStatus.nothingLeft
    for path in paths {
      do {
        let (count, all, store) = try conflicts(in: path, surroundings)
        if count > 0 && status == .nothingLeft { status = .left }
        try tell(path, count, of: all, &layout, surroundings)
        if all == 0 { try surroundings.tellUnseen(in: store) }
      } catch let error as StoreError {
        try surroundings.errors.print(DisplayText.safe("parley: \(surroundings.opened.told(error))"))
        try surroundings.errors.flush()
        status = ExitStatus(error)
      }
    }
    return status
  }

  private func conflicts(
    in path: String, _ surroundings: Surroundings
  ) throws -> (found: Int, all: Int, store: StoreInfo) {
    var request = store.request(.reading)
    request.path = path
    let (query, opened) = (ListQuery(find, now: surroundings.now()), try surroundings.open(request))
    var (count, all) = (0, 0)
    try forEachPage(of: opened, surroundings) { summaries, _ in
      count += try summaries.count { try query.finds($0, in: opened) }
      all += summaries.count
    }
    return (count, all, opened.info)
  }

  private func tell(
    _ path: String, _ conflicts: Int, of all: Int, _ layout: inout ColumnLayout, _ surroundings: Surroundings
  ) throws {
    if print.json {
      let line = JSON(members: ["path": .string(path), "conflicts": JSON(conflicts)])
      return try surroundings.output.print(line)
    }
    let words =
      conflicts == 0 ? ListText.nothing(found: find, of: all) : ListText.count(conflicts, ready: 0)
    for line in layout.lines([[path, words]]) {
      try surroundings.output.print(line)
    }
    try surroundings.output.flush()
  }
}

extension String {
  fileprivate func paddedBefore(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

struct ListText {
  /// Of a terminal; nil elsewhere, where all is whole.
  let width: Int?
  let privacy: Privacy
  let now: Int64
  /// See ``LineWriter/cutSign``.
  let cutSign: String

  /// From here on all columns have room in most stores.
  private static let wide = 160
  /// Below this a table has no room beside the end of a long key.
  private static let medium = 110

  /// Where lines are whole: one id of 700 characters would make a thousand lines as long.
  static let widest = 60

  private var isNarrow: Bool { width.map { $0 < ListText.wide } ?? false }

  /// How many are open is told by the state, too, where something has to go.
  var heading: [String] {
    isNarrow
      ? ["STATE", "RECORD", "TITLE", "WHY", "LAST EDIT"]
      : ["STATE", "OPEN", "RECORD", "TITLE", "WHY", "LAST EDIT"]
  }

  /// The columns that give way, so that the last one is seen.
  var shrinking: [Int] { isNarrow ? [2, 3] : [] }

  func row(_ summary: ConflictSummary) -> [String] {
    [summary.stateWords] + (isNarrow ? [] : [undecided(summary)])
      + [name(summary), summary.title, why(summary), lastEdit(summary)]
  }

  /// Where there is no heading the number says itself what it counts.
  private func undecided(_ summary: ConflictSummary) -> String {
    width == nil ? "\(summary.undecided) undecided" : "\(summary.undecided)"
  }

  /// Keys are shortened to their end, which names them still: UUIDs that are made one after another often begin alike.
  static func end(ofKey key: String, _ cutSign: String) -> String {
    key.count > 12 ? cutSign + key.suffix(8) : key
  }

  private func name(_ summary: ConflictSummary) -> String {
    guard let width else { return summary.id }
    let end = ListText.end(ofKey: summary.primaryKey, cutSign)
    let name = "\(summary.table)/\(end)"
    return width < ListText.medium && name.count > 18 ? end : name
  }

  /// What is said where none is listed. None that has the words is not the same as none at all.
  static func nothing(found words: String, of all: Int) -> String {
    all == 0 ? count(0, ready: 0) : DisplayText.safe("No conflict matches “\(words)”; \(all) in all.")
  }

  /// "2 conflicts, 1 of them ready to write."
  static func count(_ conflicts: Int, ready: Int) -> String {
    switch (conflicts, ready) {
    case (0, _): "No conflicts."
    case (1, 0): "1 conflict."
    case (1, _): "1 conflict, ready to write."
    case (_, 0): "\(conflicts) conflicts."
    default: "\(conflicts) conflicts, \(ready) of them ready to write."
    }
  }

  private func why(_ summary: ConflictSummary) -> String {
    let reason = privacy.why(summary)
    let why =
      summary.notWritable.flatMap { $0 == summary.refusal?.reason ? nil : $0 }.map {
        "\(reason) (cannot be written: \($0))"
      } ?? reason
    return summary.isMoved ? "\(summary.movedWords); \(why)" : why
  }

  private func lastEdit(_ summary: ConflictSummary) -> String {
    guard let time = summary.lastEditTime else { return "-" }
    let word = summary.lastEdit?.rawValue ?? "both"
    // In a terminal the times stand below each other.
    let side = width == nil ? word : word.padding(to: Side.server.rawValue.count)
    if isNarrow { return "\(side) \(TimeText(now: now).ago(time).paddedBefore(to: 3))" }
    let device = summary.lastEditDevice.map { " " + privacy.shown($0) } ?? ""
    return "\(side) \(TimeText.seconds(time))\(device)"
  }
}
