import Desk
import StoreInterface

/// Tells from one glance at a store after another what others did to it.
///
/// A file's time moves in steps, and two writes within one step can leave the same traces. So what was seen to change is told
/// once it has stood still for a glance: by then the step is over, and what is read afterwards is all there is. A lock that
/// somebody held for a moment is passed over by this, too. A store that never stands still is told of every few glances.
struct StoreWatch {
  struct Glance: Equatable {
    var access: StoreAccess
    var traces: [Int64]
    var deafness: String?
  }

  /// How many glances in a row may differ before the store is told of all the same.
  private static let patience = 5
  /// Who may write is asked with every third glance, and whenever anything moves: it can take a look at all processes.
  private static let rarity = 3

  private var told: Glance
  private var last: Glance
  private var restless = 0
  private var count = 0

  /// - Parameter known: what the desk knows.
  init(_ known: Glance) { (told, last) = (known, known) }

  /// Takes the next glance; what it is time to tell.
  mutating func look(traces: [Int64], deafness: String?, access: () -> StoreAccess) -> [DeskEvent] {
    count += 1
    let isAsked = restless > 0 || traces != last.traces || count.isMultiple(of: StoreWatch.rarity)
    return see(Glance(access: isAsked ? access() : last.access, traces: traces, deafness: deafness))
  }

  private mutating func see(_ glance: Glance) -> [DeskEvent] {
    restless = glance == last ? 0 : restless + 1
    last = glance
    guard restless == 0 || restless >= StoreWatch.patience else { return [] }
    restless = 0
    defer { told = glance }
    return (glance.access == told.access ? [] : [.accessChanged(glance.access)])
      + (glance.deafness == told.deafness ? [] : [.deafnessChanged(glance.deafness)])
      + (glance.traces == told.traces ? [] : [.storeChanged])
  }
}

/// Tells from one glance at a journal after another whether there is something to hear.
///
/// It is told at once, as nothing is half in a journal, and once more with the next glance: what came within the same step of the file's
/// time may have left the same traces.
struct JournalWatch {
  private var last: [Int64]
  private var hasMoved = false

  /// - Parameter traces: of what the desk knows.
  init(traces: [Int64]) { last = traces }

  mutating func look(traces: [Int64]) -> Bool {
    let (hadMoved, moves) = (hasMoved, traces != last)
    (last, hasMoved) = (traces, moves)
    return moves || hadMoved
  }
}
