import Merging
import StoreInterface

/// What filters, orders and queries of the list ask of a summary, packed or not.
protocol ListedSummary {
  var id: String { get }
  var table: String { get }
  var title: String { get }
  var kind: ConflictKind { get }
  var certainty: Certainty { get }
  var isReady: Bool { get }
  var isWaiting: Bool { get }
  /// Whether something that was decided holds no longer, and nothing else is to be decided.
  var holdsNoLonger: Bool { get }
  /// Whether the store refused its draft.
  var isRefused: Bool { get }
  /// Nanoseconds since 1970.
  var lastEditTime: Int64? { get }
  var givenUp: Set<Side> { get }
  /// Whether what it is found by has the words, which are folded: see ``SearchText``.
  func has(_ words: String) -> Bool
}

extension ConflictSummary: ListedSummary {
  var isWaiting: Bool { waitingSince != nil }
  var isRefused: Bool { refusal != nil }

  func has(_ words: String) -> Bool { SearchText.isFound(words, in: searchText) }
}

extension ConflictSummary.Why {
  /// Whether a key points to nothing here, as far as that is what matters most.
  var pointsNowhere: Bool {
    switch self {
    case .record(let reason), .field(_, let reason): reason == .pointsNowhere
    case .fields(let reasons, _, byPolicy: _): reasons.contains(.pointsNowhere)
    case .waiting, .inOutbox, .tagOnly, .decided: false
    }
  }
}

extension ListFilter {
  /// Under which number of the list it is counted.
  package init(counting summary: ConflictSummary) { self.init(summary) }

  /// The one filter, beside all, that shows this conflict.
  init(_ summary: some ListedSummary) {
    if summary.isWaiting {
      self = .waiting
    } else if summary.isReady {
      self = .ready
    } else if summary.isRefused || summary.holdsNoLonger {
      // A person's to decide again, however sure it was.
      self = .toDecide
    } else {
      switch summary.certainty {
      case .yours: self = .toDecide
      case .byClock: self = .clock
      case .sure: self = .sure
      }
    }
  }
}
