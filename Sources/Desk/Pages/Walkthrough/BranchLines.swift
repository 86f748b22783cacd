import Simulation
import Terminal

/// The picture of a record's branches in three lines. Each kind of node has its own brackets, so it reads without colour.
///
/// ```
///          ╭─ <*> ─╮
/// (a)─[b] ─┤       ├─ {*'}
///          ╰─ <c> ─╯
/// ```
struct BranchLines {
  let picture: BranchPicture
  /// How many strokes a branch has on each side of its node.
  var strokes = 1

  var lines: [[Run]] {
    let dash = String(repeating: "─", count: strokes)
    let stem = (picture.past.map { [run($0), Run("─", .dim)] } ?? []) + [run(picture.stem)]
    let indent = String(repeating: " ", count: stem.width + 2)
    let width = max(nodeWidth(picture.client), nodeWidth(picture.server))
    return [
      [Run(indent + "╭\(dash) ", .dim), run(picture.client)] + end(picture.client, width, "╮", dash),
      stem + [Run(" ─┤", .dim)] + middle(width),
      [Run(indent + "╰\(dash) ", .dim), run(picture.server)] + end(picture.server, width, "╯", dash),
    ]
  }

  private func end(_ node: BranchPicture.Node, _ width: Int, _ corner: String, _ dash: String) -> [Run] {
    guard picture.merged != nil else { return [] }
    let gap = String(repeating: " ", count: width - nodeWidth(node))
    return [Run(" \(gap)\(dash)\(corner)", .dim)]
  }

  private func middle(_ width: Int) -> [Run] {
    guard let merged = picture.merged else { return [] }
    return [
      Run(
        String(repeating: " ", count: width + 2 * strokes + 2)
          + "├\(String(repeating: "─", count: strokes)) ", .dim), run(merged),
    ]
  }

  private func nodeWidth(_ node: BranchPicture.Node) -> Int { DisplayText.width(node.description) }

  private func run(_ node: BranchPicture.Node) -> Run { Run(node.description, node.ink) }
}

extension BranchPicture.Node {
  /// Client side in the client's hue, server side in the server's; the draft is bold.
  var ink: Ink {
    switch kind {
    case .empty: .dim
    case .past, .lastKnown: .ancestor
    case .pending, .inFlight: .client.bold
    case .merged: .result.bold
    case .unseen: .server.bold
    }
  }
}
