import Merging
import StoreInterface

/// What a footer says: the keys that do something here, in the order of the table.
extension DeskState {
  /// As many as fit; the help is always among them.
  func hints(width: Int, isLonger: Bool = false, of isWanted: (Command) -> Bool = { _ in true }) -> String {
    let told = told(width: width, isLonger: isLonger).filter { isWanted($0.command) }
    let help = told.first { $0.command == .anywhere(.help) }?.text ?? ""
    var line = ""
    for hint in told where hint.command != .anywhere(.help) {
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
      guard let words = top.hint(of: binding, width: width, on: self) else { return }
      let key = binding.keys[0].name
      if let index = hints.firstIndex(where: { $0.words == words }) {
        hints[index].keys.append(key)
      } else {
        hints.append(Hint(command: binding.command, keys: [key], words: words))
      }
    }
  }

  private func isToldHere(_ binding: Binding, isLonger: Bool) -> Bool {
    if top.isReading(on: self), ![.back, .quit, .anywhere(.help)].contains(binding.command) { return false }
    return (isLonger || !binding.audience.isOfLonger) && binding.audience.isHere(self)
  }

  /// The finding that keys are about.
  var finding: Finding? {
    if let page = top(FindingPage.self) { return page.finding }
    if pages.isEmpty, case .finding(let finding)? = list.selected { return finding }
    return nil
  }
}

extension String {
  /// Without the blanks at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
