import Merging
import StoreInterface

extension Decision {
  /// "title: take server", for the log, which holds values.
  package var words: String { "\(subject.name): \(choice?.wholeWords ?? "taken back")" }
}

extension Choice {
  fileprivate var wholeWords: String {
    switch self {
    case .alternative(let id): "as a whole: \(id)"
    case .take(let side): "take \(side.rawValue)"
    case .edit(let value), .merged(let value): "\(words) to \(RowJSON.encode(value))"
    }
  }
}
