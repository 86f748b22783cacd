import StoreInterface

/// What a footer says: the keys that do something here, in the order of the table.
extension DeskState {
  /// As many as fit; the help and the way back are always among them.
  ///
  /// - Parameter isLonger: whether the page has more than its screen; the page is asked, which may take it long, if that is not known.
  func hints(
    width: Int, isLonger: Bool? = nil, of isWanted: (Command) -> Bool = { _ in true }
  ) -> String {
    fitting(width, isLonger: isLonger, isWanted).map(\.text).joined(separator: "  ")
  }

  private func fitting(_ width: Int, isLonger: Bool? = nil, _ isWanted: (Command) -> Bool) -> [Hint] {
    let told = told(width: width, isLonger: isLonger).filter { isWanted($0.command) }
    let help = told.filter { $0.command == .anywhere(.help) }.prefix(1)
    let others = told.filter { $0.command != .anywhere(.help) }
    var room = width - help.reduce(0) { $0 + $1.text.count }
    // Who does not know how to get out of a screen needs that before all else.
    let byRank = others.indices.sorted {
      (others[$0].isBack ? 0 : 1, others[$0].rank, $0) < (others[$1].isBack ? 0 : 1, others[$1].rank, $1)
    }
    let chosen = byRank.prefix { index in
      room -= others[index].text.count + 2
      return room >= 0
    }
    return others.indices.filter(chosen.contains).map { others[$0] } + help
  }

  /// What a click on the footer asks for: the command of the hint, or of the key in it.
  ///
  /// - Parameter column: counted from where the footer's text begins.
  func command(inFooterAt column: Int) -> Command? {
    var start = 0
    for hint in fitting(size.columns - 2, { _ in true }) {
      if (start..<start + hint.text.count).contains(column) { return hint.command(at: column - start) }
      start += hint.text.count + 2
    }
    return nil
  }

  /// All of them, in as many lines as they need.
  func hintLines(width: Int) -> [String] {
    told(width: width).reduce(into: []) { lines, hint in
      guard let line = lines.last, line.count + 2 + hint.text.count <= width else {
        return lines.append(hint.text)
      }
      lines[lines.count - 1] = line + "  " + hint.text
    }
  }

  private struct Hint {
    /// Those of its keys.
    var commands: [Command]
    var keys: [String]
    var words: String
    var rank: Binding.Rank

    var command: Command { commands[0] }
    var isBack: Bool { commands.contains(.back) }
    /// Made once, as it is measured for every frame.
    private(set) var text = ""

    init(_ binding: Binding, _ words: String) {
      (commands, keys, self.words, rank) = ([binding.command], [binding.keys[0].name], words, binding.rank)
      text = told
    }

    mutating func add(_ binding: Binding) {
      keys.append(binding.keys[0].name)
      commands.append(binding.command)
      rank = min(rank, binding.rank)
      text = told
    }

    private var told: String {
      words.isEmpty ? keys.joined(separator: " ") : keys.joined(separator: " ") + " " + words
    }

    /// On the words that of the first key.
    func command(at column: Int) -> Command {
      var start = 0
      for (key, command) in zip(keys, commands) {
        start += key.count + 1
        if column < start { return command }
      }
      return command
    }
  }

  /// Keys that do the same stand together.
  private func told(width: Int, isLonger: Bool? = nil) -> [Hint] {
    // To take it costs a copy of the page.
    let top = top
    let (isLonger, isReading) = (isLonger ?? top.isLonger(on: self), top.isReading(on: self))
    return bindings(on: topic).reduce(into: []) { hints, binding in
      guard let words = hint(of: binding, on: top, width: width),
        isToldHere(binding, isLonger: isLonger, isReading: isReading)
      else { return }
      if let index = hints.firstIndex(where: { $0.words == words }) {
        hints[index].add(binding)
      } else {
        hints.append(Hint(binding, words))
      }
    }
  }

  /// Those of what the store can, and the page, whatever lies over it.
  func bindings(on topic: Topic) -> [Binding] {
    let page = pages.last(where: { $0.content.topic == topic })?.content
    return keys.told(on: topic).filter { binding in
      binding.audience.isOfStore(store) && page?.tells(of: binding.command, on: self) != false
    }
  }

  /// What cannot be finished now is only looked at again by the same key.
  private func hint(of binding: Binding, on top: any DeskPage, width: Int) -> String? {
    // In a line of text keys are those of every line, whatever they do on its page.
    if topic == .input { return binding.hint }
    guard let hint = top.hint(of: binding, width: width, on: self) else { return nil }
    return binding.command == .reload && hindrance != nil ? "look again" : hint
  }

  private func isToldHere(_ binding: Binding, isLonger: Bool, isReading: Bool) -> Bool {
    if isReading, ![.back, .quit, .anywhere(.help)].contains(binding.command) { return false }
    return (isLonger || !binding.audience.isOfLonger) && binding.audience.isHere(self)
  }

  /// The key of a command, for a sentence; where the screen has none, the list's.
  func key(_ command: Command, on topic: Topic? = nil) -> String {
    keys.key(command, on: topic ?? self.topic) ?? keys.key(command, on: .list) ?? ""
  }

  /// The finding that keys are about.
  var finding: Finding? {
    if let page = top(FindingPage.self) { return page.finding }
    if pages.isEmpty, case .finding(let finding)? = list.selected { return finding }
    return nil
  }
}
