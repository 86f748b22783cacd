import Merging

extension PartRefusal {
  /// Without what else can be done, which is by keys in the desk, and by letters in lines.
  package var words: String {
    switch self {
    case .noAncestor: "No ancestor is known to take."
    case .keyHasOneValue: "A key has one value."
    case .oneText: "Both sides have the same here, or one left it alone: there is one text to take."
    case .noJSON: "This is no JSON: a text stands in quotes."
    }
  }
}
