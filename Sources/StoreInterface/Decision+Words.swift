import Merging

extension Decision {
  /// "title: take server"
  package var words: String {
    let subject =
      switch subject {
      case .record: "record"
      case .field(let name): name
      }
    return "\(subject): \(choice?.words ?? "taken back")"
  }
}

extension Choice {
  fileprivate var words: String {
    switch self {
    case .alternative(let id): "as a whole: \(id)"
    case .take(let side): "take \(side.rawValue)"
    case .edit(let value): "edited to \(RowJSON.encode(value))"
    case .merged(let value): "merged to \(RowJSON.encode(value))"
    }
  }
}
