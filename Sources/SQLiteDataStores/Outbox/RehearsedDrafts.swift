import RowJournals
import StoreInterface

/// Of the drafts of one write that fit, in the order in which they go into the outbox, those that make or delete a row.
///
///     0  lists 1      fits alone
///     1  lists 2      fits alone
///     2  comment a    fits after 0, to which it points
///     3  comment b    fits after 2, and so after 0
///
/// To see whether one more fits, only those are made that it needs: of two hundred children of one list that come back with it, each was
/// tried after all before it.
struct RehearsedDrafts {
  private struct Draft {
    let change: StoredChange
    let needs: Needs
  }

  /// What has to be made before one.
  enum Needs {
    case these([Int])
    /// All before it, as nobody can tell which.
    case all

    static let none = Needs.these([])
  }

  private var drafts: [Draft] = []
  private var places = ByRecord<Int>()

  var isEmpty: Bool { drafts.isEmpty }

  mutating func add(_ change: StoredChange, of record: String, needing needs: Needs) {
    places[record] = drafts.count
    drafts.append(Draft(change: change, needs: needs))
  }

  /// nil where none of that record fits so far.
  func place(of record: String) -> Int? { places[record] }

  /// These, and what they need in turn.
  func changes(_ needs: Needs) -> [StoredChange] {
    guard case .these(var open) = needs else { return drafts.map(\.change) }
    // Before this one all are needed, whatever each of them needs itself.
    var first = 0
    var met = Set<Int>()
    while let place = open.popLast() {
      guard place >= first, met.insert(place).inserted else { continue }
      switch drafts[place].needs {
      case .these(let places): open += places
      case .all: first = max(first, place)
      }
    }
    let places = Array(0..<first) + met.filter { $0 >= first }.sorted()
    return places.map { drafts[$0].change }
  }
}
