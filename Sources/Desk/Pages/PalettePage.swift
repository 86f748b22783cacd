import Merging
import Telling
import Terminal

/// All that can be done on the page beneath, found by words, each with its key; and the themes, shown as the cursor comes to them.
package struct PalettePage: DeskPage, Equatable {
  let beneath: Topic
  /// What keys were about there.
  private let shown: Shown?
  /// The one that was chosen when this was opened.
  private let theme: String?
  private var words = InputLine("")
  private var cursor = 0

  init(over beneath: Topic, about shown: Shown? = nil, theme: String?) {
    (self.beneath, self.shown, self.theme) = (beneath, shown, theme)
  }

  var page: Page? { .palette(self) }
  var topic: Topic { .palette }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    if case .character = key { return look(on: &desk) { $0.take(key) } }
    if words.isEmpty, key == .home || key == .end { return go(to: key == .home ? 0 : .max, on: &desk) }
    if let command = Keymap.command(for: key, on: .palette) { return run(command, on: &desk) ?? [] }
    return look(on: &desk) { $0.take(key) }
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    look(on: &desk) { $0.paste(text) }
  }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .quit: desk.quit()
    case .back: leave(on: &desk)
    case .open: perform(on: &desk)
    case .move(let movement): go(to: cursor + movement.lines(page: room(desk, entries(desk)) / 2), on: &desk)
    case .line(.clear), .line(.eraseBefore), .line(.eraseWord): look(on: &desk) { $0.run(command) }
    case .left, .right, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside, .accept,
      .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold, .story,
      .nextTopic, .reload, .line:
      nil
    }
  }

  private mutating func look(
    on desk: inout DeskState, _ change: (inout InputLine) -> InputLine.Answer
  ) -> [DeskEffect] {
    change(&words) == .changed ? go(to: 0, on: &desk) : []
  }

  /// What is chosen is seen at once, and what was there before comes back when the cursor goes on.
  private mutating func go(to place: Int, on desk: inout DeskState) -> [DeskEffect] {
    let entries = entries(desk)
    cursor = max(0, min(place, entries.count - 1))
    guard entries.indices.contains(cursor), case .theme(let name) = entries[cursor] else {
      return show(theme, on: &desk)
    }
    return show(name, on: &desk)
  }

  private func show(_ name: String?, on desk: inout DeskState) -> [DeskEffect] {
    guard let name, name != desk.theme else { return [] }
    desk.theme = name
    return [.showTheme(name)]
  }

  private func leave(on desk: inout DeskState) -> [DeskEffect] {
    show(theme, on: &desk) + desk.goBack()
  }

  private func perform(on desk: inout DeskState) -> [DeskEffect] {
    let entries = entries(desk)
    guard entries.indices.contains(cursor) else { return desk.tell("Nothing has that in its words.") }
    switch entries[cursor] {
    // It is what writes, and nothing does by a key that is pressed for anything else.
    case .command(let binding, _) where binding.command == .drafts(.confirm):
      return desk.tell(
        "\(binding.keys[0].name) alone does that, on the screen beneath: \(desk.key(.back)), then \(binding.keys[0].name)."
      )
    case .command(let binding, _): return leave(on: &desk) + perform(binding.command, on: &desk)
    case .rule(let rule, _): return leave(on: &desk) + desk.startRules(choosing: rule)
    case .theme(let name) where name != desk.theme:
      return desk.tell(failed: "Theme \(name) cannot be read: parley themes \(name) tells why.")
    case .theme(let name):
      let effects = desk.goBack()
      let isKept = name == desk.keptTheme
      let way = desk.rules.file.map { " \(desk.key(.anywhere(.palette))) keep writes it into \($0)." } ?? ""
      return effects + desk.tell(isKept ? "Theme \(name)." : "Theme \(name), until you quit." + way)
    case .keep(let name, nil): return leave(on: &desk) + desk.tell("Theme \(name) is kept already.")
    case .keep(let name, _): return leave(on: &desk) + [.keepTheme(name)]
    case .elsewhere(let binding, let topic, _):
      return desk.tell("\(binding.keys[0].name) does that on the screen \(topic.rawValue).")
    }
  }
}

extension PalettePage {
  /// A row of the list, or the record of the page beneath.
  struct Shown: Equatable {
    let id: String
    /// As it was to be seen; nil where it was not read yet.
    let seen: RecordConflict?

    init?(_ desk: DeskState) {
      guard let id = desk.pages.isEmpty ? desk.list.selected?.id : desk.top.record else { return nil }
      (self.id, seen) = (id, desk.open[id]?.conflict)
    }
  }

  /// Somebody else may have settled what lay beneath, and the cursor is on a row then that nobody saw under this page; or it has changed,
  /// and it or its parts are others than the ones that were to be seen.
  private func perform(_ command: Command, on desk: inout DeskState) -> [DeskEffect] {
    guard command.mayDecide(on: beneath), let why = hindrance(on: desk) else { return desk.run(command) }
    return desk.tell("“\(command.name)” is not done: what it was chosen for \(why).")
  }

  private func hindrance(on desk: DeskState) -> String? {
    let now = Shown(desk)
    guard desk.topic == beneath, (now?.id).isName(shown?.id) else { return "is not here any more" }
    guard let seen = shown?.seen, let conflict = now?.seen else { return nil }
    return seen == conflict ? nil : "has changed meanwhile"
  }
}

extension PalettePage {
  enum Entry {
    /// What can be done here; whether another command of its screen has the same words in the help, where their keys stand together.
    case command(Binding, isShared: Bool)
    case theme(String)
    /// Writes the theme that was taken into the settings, in this file; nil where they have it already.
    case keep(theme: String, file: String?)
    /// Begins to choose a rule for what lies under the cursor beneath: a field, or every table.
    case rule(MergeRule, for: String)
    /// What a key does on another screen.
    case elsewhere(Binding, Topic, isShared: Bool)

    var key: String {
      switch self {
      case .command(let binding, _), .elsewhere(let binding, _, _): binding.keys[0].name
      case .theme, .keep: ""
      case .rule: Keymap.bindings(on: .list).first { $0.command == .anywhere(.rules) }?.keys[0].name ?? ""
      }
    }

    /// All of them, as they are typed.
    private var keys: [String] {
      switch self {
      case .command(let binding, _), .elsewhere(let binding, _, _): binding.keys.map(\.name)
      case .theme, .keep, .rule: [key]
      }
    }

    var text: String {
      switch self {
      case .command(let binding, let isShared), .elsewhere(let binding, _, let isShared):
        isShared ? binding.command.name : binding.textAmongOthers
      case .theme(let name): "theme \(name)"
      case .keep(let name, _): "keep theme \(name)"
      case .rule(let rule, _): "rule \(rule.rawValue)"
      }
    }

    var place: String {
      switch self {
      case .command(let binding, _): binding.group
      case .theme: "Up and Down show it, Enter takes it until you quit"
      case .keep(_, let file): file.map { "writes theme: into \($0)" } ?? "it is kept already"
      case .rule(_, let entry): "chosen for \(entry), not kept yet"
      case .elsewhere(_, let topic, _): "on \(topic.rawValue)"
      }
    }

    /// From the longest.
    var places: [String] {
      switch self {
      case .theme: [place, "Enter takes it until you quit", "until you quit"]
      case .keep(_, let file): [place, file == nil ? "kept" : "into the settings"]
      case .rule(_, let entry): [place, "for \(entry)"]
      case .command, .elsewhere: [place]
      }
    }

    private var label: String {
      switch self {
      case .command(let binding, _), .elsewhere(let binding, _, _): binding.label
      case .theme, .keep, .rule: ""
      }
    }

    /// What other programs call it.
    private var otherWords: String {
      switch self {
      case .command(let binding, _), .elsewhere(let binding, _, _): binding.command.otherWords
      case .theme: "colours"
      case .keep: ""
      case .rule(let rule, _): "policy \(rule.words)"
      }
    }

    /// Whether all of these words are in what it says.
    func has(_ words: [Substring]) -> Bool {
      if words.isEmpty { return true }
      let told = "\(text) \(label) \(otherWords) \(keys.joined(separator: " ")) \(place)".lowercased()
      return words.allSatisfy { told.contains($0) }
    }

    /// What comes first of what is found: what has this very key, then what has a word that begins so, here before elsewhere.
    func rank(_ typed: String) -> Int {
      if case .elsewhere = self { return 3 }
      if keys.contains(typed) { return 0 }
      let word = typed.lowercased()
      let begins = text.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(word) }
      return begins ? 1 : 2
    }
  }

  /// What can be done here, then the themes, then what other screens can.
  func entries(_ desk: DeskState) -> [Entry] {
    let here = desk.bindings(on: beneath).filter(\.isInPalette)
    let known = Set(here.map(\.label))
    let others = Keymap.screens.subtracting([beneath]).sorted { $0.rawValue < $1.rawValue }.flatMap { topic in
      let own = desk.keys.bindings(on: topic).filter { $0.isInPalette && !known.contains($0.label) }
      let shared = own.sharedLabels
      return own.map { Entry.elsewhere($0, topic, isShared: shared.contains($0.label)) }
    }
    let typed = words.text.split(separator: " ").joined(separator: " ")
    let words = typed.lowercased().split(separator: " ")
    let shared = here.sharedLabels
    let own = here.map { Entry.command($0, isShared: shared.contains($0.label)) }
    let found = (own + rules(desk) + themes(desk) + others).filter { $0.has(words) }
    if typed.isEmpty { return found }
    return (0...3).flatMap { rank in found.filter { $0.rank(typed) == rank } }
  }

  /// Each rule, where there is something that it could be for.
  private func rules(_ desk: DeskState) -> [Entry] {
    guard let entry = desk.entryForRules(beneath) else { return [] }
    return MergeRule.allCases.map { .rule($0, for: desk.privacy.name(entry)) }
  }
}

extension PalettePage {
  /// With the way to keep the one that was there when this was opened, as what the cursor shows is no choice yet: before them where it
  /// would write something.
  private func themes(_ desk: DeskState) -> [Entry] {
    let themes = desk.themes.map { Entry.theme($0) }
    guard let theme else { return themes }
    if theme == desk.keptTheme { return themes + [.keep(theme: theme, file: nil)] }
    return [.keep(theme: theme, file: desk.rules.file ?? "the settings")] + themes
  }
}

extension Binding {
  /// Where no other has its words.
  fileprivate var textAmongOthers: String {
    // Its label tells what it asks in a story of records, and then which answer it is in one of files.
    if case .story(.whatIf) = command { return "what if \(label.replacing("; ", with: ", or "))" }
    return label.contains(command.name) ? label : "\(command.name): \(label)"
  }

  /// What goes through lines is done with the hands.
  fileprivate var isInPalette: Bool {
    if case .move = command { return false }
    return command != .anywhere(.palette) && command != .back
  }
}

extension [Binding] {
  /// Those that several commands have: in the help their keys stand together.
  fileprivate var sharedLabels: Set<String> {
    Set(Dictionary(grouping: self, by: \.label).filter { Set($0.value.map(\.command)).count > 1 }.keys)
  }
}

extension PalettePage {
  private func room(_ desk: DeskState, _ entries: [Entry]) -> Int {
    max(1, desk.size.rows - 5 - sample(desk, entries).count)
  }

  /// The inks of the theme under the cursor, with what each is for: what lies beneath may have few of them. The row of the cursor shows
  /// how a row is selected.
  private func sample(_ desk: DeskState, _ entries: [Entry]) -> [[Run]] {
    guard entries.indices.contains(cursor), case .theme = entries[cursor] else { return [] }
    let inks: [(String, Ink)] = [
      ("ancestor", .ancestor), ("client", .client), ("server", .server), ("result", .result),
      ("! to decide", .needs.bold), ("^ by clock", Certainty.byClock.ink), ("~ sure", Certainty.sure.ink),
      ("✓ ready", .ready), ("✗ failed", .failed),
    ]
    let runs = inks.flatMap { [Run($0, $1), Run("  ")] }
    return Array(runs.wrapped(desk.size.columns - 2, most: max(1, (desk.size.rows - 5) / 2)))
  }

  /// The place of the first line shown.
  private func first(_ desk: DeskState, _ entries: [Entry]) -> Int {
    desk.first(showing: cursor, height: room(desk, entries), of: entries.count)
  }

  func firstLine(_ desk: DeskState) -> Int? { first(desk, entries(desk)) }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let entries = entries(desk)
    let (place, end) = (first(desk, entries) + point.row - 3, 3 + room(desk, entries))
    guard (3..<end).contains(point.row), entries.indices.contains(place) else { return [] }
    let effects = go(to: place, on: &desk)
    return opens ? effects + perform(on: &desk) : effects
  }

  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let entries = entries(desk)
    frame.header(
      [Run("Commands   ", .text.bold), Run(beneath.rawValue)],
      right: [Run(entries.isEmpty ? "nothing found" : "\(cursor + 1) of \(entries.count)", .dim)])
    let part = InputPart(words, width: frame.columns - 4)
    frame.grid.write([Run(": ", .text.bold), Run(part.before), Run("_", .dim), Run(part.after)], at: 1, 2)
    let first = first(desk, entries)
    for (line, entry) in entries.dropFirst(first).prefix(room(desk, entries)).enumerated() {
      frame.grid.write(PalettePage.line(entry, frame.columns - 4), at: 3, 3 + line)
      if first + line == cursor {
        frame.grid.write("▸", at: 1, 3 + line)
        frame.grid.select(row: 3 + line)
      }
    }
    let sample = sample(desk, entries)
    frame.grid.write(lines: sample, at: 1, frame.bottom - sample.count, width: frame.columns - 2)
    return frame.footer(desk)
  }

  /// Where there is no room for all of the place, what is done goes before where.
  private static func line(_ entry: Entry, _ width: Int) -> [Run] {
    let ink: Ink = if case .elsewhere = entry { .dim } else { .text }
    let room = max(0, width - 12)
    let text = DisplayText.width(entry.text)
    let place = entry.places.first { text + DisplayText.width($0) <= room } ?? ""
    return [
      Run(entry.key.padding(to: 10) + " ", .text.bold),
      Run(entry.text.padding(to: place.isEmpty ? room + 1 : min(42, room - DisplayText.width(place))), ink),
      Run(place.isEmpty ? "" : " " + place, .dim),
    ]
  }
}
