import Desk
import Merging
import Terminal

/// What a field has and what it will have, as a line of a terminal: "  notes: …insurance card. → …both cards.  (client)".
///
/// Each has a share of the line and is cut so that it is seen where they differ: the beginning that both have would tell nothing.
struct ChangeLine {
  /// "  notes: "
  let head: String
  let values: (old: Value?, new: Value?)
  let texts: (old: String, new: String)
  /// The same, each with what tells it from the other where that does not show.
  let told: (old: String, new: String)
  var arrow = "→"
  /// "  (client)"
  var end = ""
  var isASCII = false

  /// Of one that has less nothing is read.
  static let leastShare = 12

  /// - Parameter width: of a terminal; nil leaves it whole.
  func lines(width: Int?) -> [String] {
    let between = " \(arrow) "
    let whole = head + told.old + between + told.new + end
    guard let width, DisplayText.width(whole, upTo: width) > width else { return [cut(whole, to: width)] }
    let room = width - [head, between, end].reduce(0) { $0 + DisplayText.width($1) }
    guard room >= 2 * ChangeLine.leastShare else { return linesBelowEachOther(width) }
    let texts = cutTexts(in: shares(of: room))
    return [cut(head + texts.old + between + texts.new + end, to: width)]
  }

  /// Half of it for each, or what the other one leaves.
  private func shares(of room: Int) -> (old: Int, new: Int) {
    let half = room / 2
    let widths = (
      old: DisplayText.width(told.old, upTo: half), new: DisplayText.width(told.new, upTo: half)
    )
    if widths.old <= half { return (widths.old, room - widths.old) }
    return widths.new <= half ? (room - widths.new, widths.new) : (half, room - half)
  }

  private func linesBelowEachOther(_ width: Int) -> [String] {
    let isBeside = width - DisplayText.width(head) >= ChangeLine.leastShare
    let (first, second) = (isBeside ? head : "      ", "    \(arrow) ")
    let (below, room) = (width - DisplayText.width(second), width - DisplayText.width(second + end))
    let hasRoomForEnd =
      end.isEmpty || room >= min(ChangeLine.leastShare, DisplayText.width(told.new, upTo: below))
    let texts = cutTexts(in: (width - DisplayText.width(first), hasRoomForEnd ? room : below))
    let lines = [first + texts.old, second + texts.new + (hasRoomForEnd ? end : "")]
    return (isBeside ? [] : HangingLine.lines(of: head, width: width)) + lines.map { cut($0, to: width) }
      + (hasRoomForEnd ? [] : HangingLine.lines(of: "    " + end, width: width))
  }

  private func cutTexts(in widths: (old: Int, new: Int)) -> (old: String, new: String) {
    UnseenDifference.telling(texts, of: values.old, values.new, in: widths, isASCII: isASCII)
  }
}
