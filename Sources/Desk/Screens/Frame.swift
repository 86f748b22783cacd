import Merging
import StoreInterface
import Terminal

/// What every screen has: a header, a rule under it, a rule over the footer, and the footer made from the keymap.
struct Frame {
  var grid: Grid

  init(_ size: Size) { grid = Grid(size) }

  var columns: Int { grid.size.columns }
  /// The row of the lower rule.
  var bottom: Int { grid.size.rows - 2 }

  mutating func header(_ left: [Run], right: [Run]) {
    let width = right.reduce(0) { $0 + DisplayText.width($1.text) }
    grid.write(left, at: 1, 0, width: max(0, columns - width - 4))
    grid.write(right, at: max(1, columns - width - 1), 0)
  }

  mutating func rule(_ row: Int) { grid.fill("─", row: row, .dim) }

  /// The keys; in their place a status, until the next key.
  ///
  /// - Parameter keepsHints: shows the keys under the status, where a screen would say nothing else of what to do.
  mutating func footer(_ state: DeskState, _ hints: String? = nil, keepsHints: Bool = false) {
    rule(bottom)
    if let status = state.status { grid.write(status, above: keepsHints ? bottom + 1 : bottom + 2) }
    if state.status == nil || keepsHints {
      grid.write(hints ?? state.hints(width: columns - 2), at: 1, bottom + 1, .dim)
    }
  }
}

extension Grid {
  /// Writes a status in the lines before `row`: in as many as it needs, so that none is cut on a narrow screen.
  mutating func write(_ status: Status, above row: Int) {
    let ink: Ink = status.isFailure ? .failed.bold : .text
    let lines = [Run(status.text, ink)].wrapped(size.columns - 2, most: 4)
    for (index, line) in lines.enumerated() {
      let row = row - lines.count + index
      fill(" ", row: row)
      write(line, at: 1, row, width: size.columns - 2)
    }
  }
}

extension DeskState {
  /// The keys of a screen in the order of the table, as many as fit; the help is always among them.
  fileprivate func hints(width: Int) -> String {
    let all = Keymap.bindings(on: topic).filter(isToldHere).compactMap { binding in
      hint(of: binding).map {
        (binding.command, $0.isEmpty ? binding.keys[0].name : "\(binding.keys[0].name) \($0)")
      }
    }
    let help = all.first { $0.0 == .help }?.1 ?? ""
    var line = ""
    for (command, hint) in all where command != .help {
      guard line.count + hint.count + 2 + help.count <= width else { break }
      line += hint + "  "
    }
    return line + help
  }

  /// What the footer says of a key.
  private func hint(of binding: Binding) -> String? {
    guard let review = topReview else { return binding.hint }
    switch (binding.command, review.action) {
    case (.confirm, .write): return "write \(writable(review).count)"
    case (.confirm, .undo): return "take back"
    case (.confirm, .mend): return "mend"
    // Where there is much to tell.
    case (.back, .write) where review.isOpen: return ""
    default: return binding.hint
    }
  }

  private var topReview: ReviewPage? { if case .review(let page)? = pages.last { page } else { nil } }

  private func hasProblem(_ page: ReviewPage) -> Bool {
    let fates = fates(page)
    return page.drafts.contains { fates[$0.id].isProblem }
  }

  /// The finding that keys are about.
  private var finding: Finding? {
    if case .finding(let page)? = pages.last { return page.finding }
    if pages.isEmpty, case .finding(let finding)? = list.selected { return finding }
    return nil
  }

  private func isToldHere(_ binding: Binding) -> Bool {
    switch binding.audience {
    case .everybody: return true
    case .trees: return store.can.contains(.tellTrees)
    case .findings: return finding?.canBeMended != nil
    case .conflicts: return finding == nil
    case .confirmable: return topReview.map(canConfirm) ?? false
    case .drafts: return topReview?.isOpen ?? false
    case .reviewed: return topReview?.action == .write
    case .problems: return topReview.map { $0.stage == .done && hasProblem($0) } ?? false
    case .written: return topReview?.hasWritten ?? false
    case .leaves:
      guard case .record(let page)? = pages.last else { return false }
      return (open[page.id]?.conflict.liveLeaves.count ?? 0) > 2
    }
  }
}

extension Array where Element == Run {
  var width: Int { reduce(0) { $0 + DisplayText.width($1.text) } }
}

extension Ink {
  static func side(_ side: Side) -> Ink {
    switch side {
    case .ancestor: .ancestor
    case .client: .client
    case .server: .server
    }
  }
}

extension Certainty {
  /// The sign that stands for it everywhere.
  package var sign: String {
    switch self {
    case .yours: "!"
    case .byClock: "^"
    case .sure: "~"
    }
  }

  var ink: Ink { self == .yours ? .needs.bold : self == .byClock ? .text : .dim }
}
