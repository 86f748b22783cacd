import StoreInterface
import Terminal

/// The keys of one screen, from the keymap, in two columns.
package struct HelpPage: ScrolledPage, Equatable {
  package private(set) var shown: Topic
  /// Typing searches.
  private var words = InputLine("")
  /// Whether every letter is looked for: after `/`, and while there are words.
  private var isSearching = false
  var scroll = 0

  init(of topic: Topic) { shown = topic }

  var page: Page? { .help(self) }
  var topic: Topic { .help }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    binding.command == .back && isSearching ? "clear" : binding.hint
  }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    // Letters are keys only until something is looked for.
    if case .character = key, isSearching { return search { $0.take(key) } }
    // As in every line of text: it gives up what is typed, and no more.
    if key == .control("c"), isSearching { return endSearch() }
    if let command = Keymap.command(for: key, on: .help) { return run(command, on: &desk) ?? [] }
    return search { $0.take(key) }
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    search { $0.paste(text) }
  }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    if command == .quit { return desk.quit() }
    // Of the screen beneath: there is nothing to be done in a help.
    if command == .anywhere(.palette) { return desk.goBack() + (desk.runAnywhere(command) ?? []) }
    if command == .search {
      isSearching = true
      return []
    }
    if command == .back, isSearching { return endSearch() }
    if [.line(.eraseBefore), .line(.eraseWord), .line(.clear)].contains(command) {
      return search { $0.run(command) }
    }
    guard command == .nextTopic else { return read(command, on: &desk) }
    (shown, scroll) = (shown.next, 0)
    return []
  }

  private mutating func search(_ change: (inout InputLine) -> InputLine.Answer) -> [DeskEffect] {
    if change(&words) == .changed { (scroll, isSearching) = (0, true) }
    return []
  }

  private mutating func endSearch() -> [DeskEffect] {
    (words, scroll, isSearching) = (InputLine(""), 0, false)
    return []
  }
}

extension Topic {
  fileprivate var next: Topic {
    let topics = Topic.allCases
    return topics[Round(topics.count)[(topics.firstIndex(of: self) ?? 0) + 1]]
  }

  /// What a double click does; nil where it does no more than a click.
  fileprivate var doubleClick: String? {
    switch self {
    case .record: "decides: takes the cell"
    case .value, .merge: "decides: takes a side"
    case .alternatives: "decides it so"
    case .list, .review, .bulk, .family, .givenUp: "opens the row"
    case .rules: "chooses a rule"
    case .tree: "shows the leaf"
    case .editor, .walkthrough, .finding, .help, .palette, .input, .text: nil
    }
  }
}

extension HelpPage {
  func lastScroll(_ desk: DeskState) -> Int {
    max(0, Columns(entries(desk), desk.size).height - Columns.room(desk, shown))
  }

  /// How the entries stand beside each other.
  private struct Columns {
    let columns: [ArraySlice<[Run]>]
    var height: Int { columns.map(\.count).max() ?? 0 }

    init(_ entries: [[Run]], _ size: Size) {
      guard size.columns >= 80 else {
        columns = [entries[...]]
        return
      }
      // Two of one height, as nearly as can be: a group stays together, and nothing stands above the first of a column.
      let breaks = entries.indices.filter { entries[$0].isEmpty }
      let middle = breaks.min { Self.height(entries, at: $0) < Self.height(entries, at: $1) }
      columns = middle.map { [entries[..<$0], entries[($0 + 1)...]] } ?? [entries[...]]
    }

    private static func height(_ entries: [[Run]], at place: Int) -> Int {
      max(place, entries.count - place - 1)
    }

    static func room(_ desk: DeskState, _ topic: Topic) -> Int {
      max(1, desk.size.rows - 4 - HelpPage.legendBelow(desk, topic).count)
    }
  }

  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let part = InputPart(words, width: desk.size.columns / 3)
    let search =
      !isSearching ? "type to search" : "/ \(part.before)\(part.after.isEmpty ? "" : "_")\(part.after)"
    // No key of the table tells it, and it may decide.
    let mouse = Self.hasRoom(desk) ? shown.doubleClick.map { "   double click \($0)" } ?? "" : ""
    frame.header(
      [Run("Help   ", .text.bold), Run(shown.rawValue), Run(mouse, .dim)], right: [Run(search, .dim)])
    let (entries, room) = (entries(desk), Columns.room(desk, shown))
    if entries.isEmpty { frame.grid.write("No key of this screen has that in its words.", at: 2, 2, .dim) }
    let keys = Columns(entries, desk.size)
    let width = desk.size.columns / keys.columns.count
    for (index, lines) in keys.columns.enumerated() {
      frame.grid.write(
        lines: lines.dropFirst(scroll).prefix(room), at: 2 + index * width, 2, width: width - 3)
    }
    let legend = Self.legendBelow(desk, shown)
    frame.grid.write(lines: legend, at: 1, frame.bottom - legend.count, width: desk.size.columns - 2)
    return frame.footer(desk, isLonger: keys.height > room)
  }

  /// Where it would take most of a low screen it stands behind the keys, and is scrolled with them.
  fileprivate static func legendBelow(_ desk: DeskState, _ topic: Topic) -> [[Run]] {
    hasRoomForLegend(desk.size) ? legend(desk, topic) : []
  }

  private static func hasRoomForLegend(_ size: Size) -> Bool { size.rows >= 20 }

  /// In as many lines as it takes; a sign and its word are not parted.
  fileprivate static func legend(_ desk: DeskState, _ topic: Topic) -> [[Run]] {
    let signs =
      [
        "! to decide", "^ clock", "~ sure", "✓ decided", "✗ refused, stuck", "⇡ waiting", "∅ NULL", "› cut",
        "● to write", "E edited", "M merged",
      ] + Self.signs(of: topic, desk)
    return signs.reduce(into: [[Run]]()) { lines, sign in
      let isFull = (lines.last?.width ?? .max) > desk.size.columns - 4 - sign.count
      if isFull { lines.append([]) }
      lines[lines.count - 1].append(Run((isFull ? "" : "  ") + sign, .dim))
    }
  }

  private static func signs(of topic: Topic, _ desk: DeskState) -> [String] {
    switch topic {
    case .list: ["* marked", "+1 decided, still shown", "~ policy, by a rule"]
    case .record: ["/ has the words"] + (desk.store.can.contains(.tellTrees) ? signsOfLeaves : [])
    case .review: ["↻ moved", "↶ taken back", "– left out", "½ in part", "? not known"]
    case .bulk: ["– left out", "bold: also what a person should decide"]
    default: []
    }
  }

  /// Of a value that is not the shown leaf's.
  private static let signsOfLeaves = ["S3 leaf 3", "S3+ leaf 3 and others"]

  private func entries(_ desk: DeskState) -> [[Run]] {
    keyLines(desk) + lostLines(desk) + mouseLines(desk) + signLines(desk)
  }

  private func keyLines(_ desk: DeskState) -> [[Run]] {
    let bindings = desk.bindings(on: shown).filter(matches)
    let groups = bindings.map(\.group).unique.map { group in
      [[Run(group, .text.bold)]] + lines(of: bindings.filter { $0.group == group }, desk)
    }
    let gap: [[Run]] = [[]]
    return Array(groups.joined(separator: gap))
  }

  /// Those that say the same stand in one line: up and down, next and previous.
  private func lines(of bindings: [Binding], _ desk: DeskState) -> [[Run]] {
    bindings.map(\.label).unique.flatMap { label in
      lines(label, bindings.filter { $0.label == label }, desk.size.columns)
    }
  }

  /// Where the heading has no room for it.
  private func mouseLines(_ desk: DeskState) -> [[Run]] {
    if Self.hasRoom(desk) || !words.isEmpty { return [] }
    return shown.doubleClick.map { [[], [Run("double click \($0)", .dim)]] } ?? []
  }

  private func signLines(_ desk: DeskState) -> [[Run]] {
    if !words.isEmpty || Self.hasRoomForLegend(desk.size) { return [] }
    return [[], [Run("Signs", .text.bold)]] + Self.legend(desk, shown)
  }

  /// By what the palette calls it, too.
  private func matches(_ binding: Binding) -> Bool {
    words.isEmpty
      || matches([binding.label, binding.group, keys(binding), binding.command.name].joined(separator: " "))
  }

  private func matches(_ text: String) -> Bool {
    words.isEmpty || text.lowercased().contains(words.text.lowercased())
  }

  /// The keys that the settings have given to another command here.
  private func lostLines(_ desk: DeskState) -> [[Run]] {
    let lost = desk.keys.lost(on: shown).filter { matches($0.key.name + " " + $0.shortWords) }
    guard !lost.isEmpty else { return [] }
    return [[], [Run("By your settings", .text.bold)]]
      + lost.map { [Run($0.key.name.padding(to: 15) + " "), Run($0.shortWords, .dim)] }
  }

  /// For what a double click does, in the heading.
  private static func hasRoom(_ desk: DeskState) -> Bool { desk.size.columns >= 76 }

  private func keys(_ binding: Binding) -> String { binding.keys.map(\.name).joined(separator: "  ") }

  /// All keys, and all that is said of them: what has no room goes on below.
  private func lines(_ label: String, _ bindings: [Binding], _ columns: Int) -> [[Run]] {
    let width = columns < 100 ? 15 : 24
    let keys = keys(label, bindings).inLines(of: width)
    let words = [Run(label, .dim)].wrapped((columns < 80 ? columns : columns / 2) - 4 - width)
    return (0..<max(keys.count, words.count)).map { line in
      let key = keys.indices.contains(line) ? keys[line] : ""
      return [Run(key.padding(to: width) + " ")] + (words.indices.contains(line) ? words[line] : [])
    }
  }

  private func keys(_ label: String, _ bindings: [Binding]) -> [String] {
    let names = bindings.map { $0.keys.map(\.name) }
    let hasWordForEach = label.replacing(" or ", with: ", ").split(separator: ", ").count == bindings.count
    if bindings.count == 1 { return names[0] }
    return hasWordForEach ? Self.inTurn(names) : names.flatMap(\.self).sortedByLength
  }

  /// The first key of each, then the second of each: so the words, which stand in the same order, tell which is which.
  private static func inTurn(_ keys: [[String]]) -> [String] {
    (0..<(keys.map(\.count).max() ?? 0)).flatMap { place in
      keys.compactMap { $0.indices.contains(place) ? $0[place] : nil }
    }
  }
}

extension [String] {
  /// Whole names, as many in a line as it has room for.
  fileprivate func inLines(of width: Int) -> [String] {
    reduce(into: []) { lines, name in
      if let last = lines.last, last.count + 1 + name.count <= width {
        lines[lines.count - 1] = last + " " + name
      } else {
        lines.append(name)
      }
    }
  }

  /// Letters before words.
  fileprivate var sortedByLength: [String] {
    enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }.map(\.element)
  }
}
