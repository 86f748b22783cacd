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

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    // Letters are keys only until something is looked for.
    if case .character = key, isSearching { return search { $0.take(key) } }
    if let command = Keymap.command(for: key, on: .help) { return run(command, on: &desk) ?? [] }
    return search { $0.take(key) }
  }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    if command == .quit { return [.quit] }
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
    return topics[((topics.firstIndex(of: self) ?? 0) + 1) % topics.count]
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
    max(0, Columns(entries(desk), desk.size).height - Columns.room(desk.size))
  }

  /// How the entries stand beside each other.
  private struct Columns {
    let count: Int
    /// The lines of each.
    let height: Int

    init(_ entries: [[Run]], _ size: Size) {
      count = size.columns >= 80 ? 2 : 1
      height = count == 1 ? entries.count : max((entries.count + 1) / 2, min(entries.count, Self.room(size)))
    }

    static func room(_ size: Size) -> Int { max(1, size.rows - 5) }
  }

  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let search = !isSearching ? "type to search" : "/ \(words.text)"
    // No key of the table tells it, and it may decide.
    let mouse = Self.hasRoom(desk) ? shown.doubleClick.map { "   double click \($0)" } ?? "" : ""
    frame.header(
      [Run("Help   ", .text.bold), Run(shown.rawValue), Run(mouse, .dim)], right: [Run(search, .dim)])
    let (entries, room) = (entries(desk), Columns.room(desk.size))
    if entries.isEmpty { frame.grid.write("No key of this screen has that in its words.", at: 2, 2, .dim) }
    let columns = Columns(entries, desk.size)
    let width = desk.size.columns / columns.count
    for (index, line) in entries.enumerated() {
      let row = index % columns.height - scroll
      guard (0..<room).contains(row) else { continue }
      frame.grid.write(line, at: 2 + index / columns.height * width, 2 + row, width: width - 3)
    }
    frame.grid.write(Self.legend(desk.size.columns), at: 1, frame.bottom - 1, .dim)
    return frame.footer(desk)
  }

  private static func legend(_ columns: Int) -> String {
    let signs = [
      "! to decide", "^ clock", "~ sure", "✓ decided", "∅ NULL", "› cut", "● to write", "E edited",
      "M merged",
    ]
    return signs.joined(separator: columns < 90 ? " " : "  ")
  }

  /// Bindings that say the same stand in one line: up and down, next and previous.
  private func entries(_ desk: DeskState) -> [[Run]] {
    let bindings = desk.keys.bindings(on: shown).filter(matches)
    var lines: [[Run]] = []
    for group in bindings.map(\.group).unique {
      if !lines.isEmpty { lines.append([]) }
      lines.append([Run(group, .text.bold)])
      let members = bindings.filter { $0.group == group }
      for label in members.map(\.label).unique {
        let width = desk.size.columns < 100 ? 15 : 24
        lines.append(line(label, members.filter { $0.label == label }, width))
      }
    }
    let mouse = Self.hasRoom(desk) || !words.isEmpty ? nil : shown.doubleClick
    return lines + (mouse.map { [[], [Run("double click \($0)", .dim)]] } ?? [])
  }

  private func matches(_ binding: Binding) -> Bool {
    let text = (binding.label + binding.group + keys(binding)).lowercased()
    return words.isEmpty || text.contains(words.text.lowercased())
  }

  /// For what a double click does, in the heading.
  private static func hasRoom(_ desk: DeskState) -> Bool { desk.size.columns >= 76 }

  private func keys(_ binding: Binding) -> String { binding.keys.map(\.name).joined(separator: "  ") }

  private func line(_ label: String, _ bindings: [Binding], _ width: Int) -> [Run] {
    let names = bindings.map { $0.keys.map(\.name) }
    let hasWordForEach = label.replacing(" or ", with: ", ").split(separator: ", ").count == bindings.count
    let keys =
      bindings.count == 1
      ? bindings.map(keys) : hasWordForEach ? Self.inTurn(names) : names.flatMap(\.self).sortedByLength
    return [Run(keys.joined(in: width).padding(to: width) + " "), Run(label, .dim)]
  }

  /// The first key of each, then the second of each: so the words, which stand in the same order, tell which is which.
  private static func inTurn(_ keys: [[String]]) -> [String] {
    (0..<(keys.map(\.count).max() ?? 0)).flatMap { place in
      keys.compactMap { $0.indices.contains(place) ? $0[place] : nil }
    }
  }
}

extension [String] {
  /// Whole names, and a mark where there are more.
  fileprivate func joined(in width: Int) -> String {
    let all = joined(separator: " ")
    if all.count <= width { return all }
    var (shown, room) = ([String](), width - 2)
    for name in self where name.count <= room {
      shown.append(name)
      room -= name.count + 1
    }
    return shown.isEmpty ? all : shown.joined(separator: " ") + " …"
  }

  /// As many short names as fit beside a label: letters before words.
  fileprivate var sortedByLength: [String] {
    enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }.map(\.element)
  }
}
