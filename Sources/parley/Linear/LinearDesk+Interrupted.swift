import StoreInterface
import Telling

/// What is told of a write that was interrupted where somebody answers in lines, in which `r` only asks again.
extension LinearDesk {
  static func lines(_ writes: [InterruptedWrite]) -> [String] {
    writes.isEmpty ? [] : writes.map(\.words) + [way(writes)]
  }

  private static func way(_ writes: [InterruptedWrite]) -> String {
    let way = """
      u, and then yes, finishes it or takes it back, record by record, unless something is decided here before; so does w, and \
      then yes, where a draft can be written.
      """
    if let hindrance = writes.hindrance {
      return "It cannot be finished now: \(hindrance). As soon as that is over \(way)"
    }
    return way + (writes.hindranceOfSome.map { " Not all of it can be finished yet: \($0)." } ?? "")
  }
}
