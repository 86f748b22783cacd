import Merging
import StoreInterface

/// What a footer says: the keys that do something here, in the order of the table.
extension DeskState {
  /// As many as fit; the help is always among them.
  func hints(width: Int, isLonger: Bool = false, of isWanted: (Command) -> Bool = { _ in true }) -> String {
    let told = told(width: width, isLonger: isLonger).filter { isWanted($0.command) }
    let help = told.first { $0.command == .help }?.text ?? ""
    var line = ""
    for hint in told where hint.command != .help {
      guard line.count + hint.text.count + 2 + help.count <= width else { break }
      line += hint.text + "  "
    }
    return (line + help).trimmed
  }

  /// All of them, in as many lines as they need.
  func hintLines(width: Int) -> [String] {
    told(width: width, isLonger: false).reduce(into: []) { lines, hint in
      guard let line = lines.last, line.count + 2 + hint.text.count <= width else {
        return lines.append(hint.text)
      }
      lines[lines.count - 1] = line + "  " + hint.text
    }
  }

  private struct Hint {
    var command: Command
    var keys: [String]
    var words: String

    var text: String { (keys + [words]).joined(separator: " ").trimmed }
  }

  /// Keys that do the same stand together.
  private func told(width: Int, isLonger: Bool) -> [Hint] {
    let bindings = Keymap.bindings(on: topic).filter { isToldHere($0, isLonger: isLonger) }
    return bindings.reduce(into: []) { hints, binding in
      guard let words = words(of: binding, width: width) else { return }
      let key = binding.keys[0].name
      if let index = hints.firstIndex(where: { $0.words == words }) {
        hints[index].keys.append(key)
      } else {
        hints.append(Hint(command: binding.command, keys: [key], words: words))
      }
    }
  }

  /// What the footer says of a key; nil if it says nothing.
  private func words(of binding: Binding, width: Int) -> String? {
    switch pages.last {
    case .review(let page)?: words(of: binding, in: page)
    case .walkthrough(let page)? where binding.command == .open: page.showsAll ? "one step" : binding.hint
    // A narrow record has these letters in front of its values.
    case .record? where width < 58 && binding.group == "Decide": binding.hint.map { _ in "" }
    default: binding.hint
    }
  }

  private func words(of binding: Binding, in page: ReviewPage) -> String? {
    // Where there is much to tell.
    if binding.command == .back, page.stage == .writing { return "stop" }
    if binding.command == .back, page.isOpen, !page.isTypingNote { return "" }
    guard binding.command == .confirm else { return binding.hint }
    return switch page.action {
    case .write: "write \(writable(page).count)"
    case .undo: "take back"
    case .mend: "mend"
    }
  }

  private func isToldHere(_ binding: Binding, isLonger: Bool) -> Bool {
    if isReading, ![.back, .quit, .help].contains(binding.command) { return false }
    return (isLonger || !binding.audience.isOfLonger) && binding.audience.isHere(self)
  }

  /// Whether what the screen is about is still on its way: then there is nothing to do but to wait or leave.
  private var isReading: Bool {
    switch pages.last {
    case .record(let page)?: open[page.id] == nil
    case .tree(let page)?: drawnTree?.id != page.id
    case nil, .value?, .editor?, .review?, .alternatives?, .walkthrough?, .finding?, .text?, .help?: false
    }
  }

  var drawnTree: DrawnTree? { if case .read(let tree) = tree { tree } else { nil } }
  var reviewOnTop: ReviewPage? { if case .review(let page)? = pages.last { page } else { nil } }
  var story: WalkthroughPage? { if case .walkthrough(let page)? = pages.last { page } else { nil } }
  var editor: EditorPage? { if case .editor(let page)? = pages.last { page } else { nil } }

  /// The finding that keys are about.
  var finding: Finding? {
    if case .finding(let page)? = pages.last { return page.finding }
    if pages.isEmpty, case .finding(let finding)? = list.selected { return finding }
    return nil
  }

  var liveLeaves: Int {
    guard case .record(let page)? = pages.last else { return 0 }
    return open[page.id]?.conflict.liveLeaves.count ?? 0
  }

  func hasProblem(_ page: ReviewPage) -> Bool {
    let fates = fates(page)
    return page.drafts.contains { fates[$0.id].isProblem }
  }
}

extension String {
  /// Without the blanks at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
