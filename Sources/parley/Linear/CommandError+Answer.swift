import Merging
import Telling

/// What is told of a value that was typed where no command line is: its ways out are answers of that question.
extension CommandError {
  var wordsOfAnswer: String {
    switch self {
    case .leafOrText(_, let text, let leaf?):
      "Is what leaf \(leaf) has meant, or the text \(text)? For the leaf's: e leaf:\(leaf). For the text: e text:\(text)."
    case .leafOrText(_, let text, nil):
      "\(text) is the id of a deleted leaf, of which nothing can be taken. Is the text meant? Then say so: e text:\(text)."
    case .unknownLeaf(let name, let known, let typed?):
      Self.unknownLeaf(name, known: known, text: nil).words + " For the text: e text:\(typed.text)."
    case .ambiguousLeaf(let name, let candidates, let typed?):
      Self.ambiguousLeaf(name, candidates: candidates, text: nil).words
        + " For the text: e text:\(typed.text)."
    case .sideOrText(let field, let text, let side):
      "Is a side meant\(text.map { ", or the word \($0)" } ?? "")? For a side: \(Self.answers(side)). "
        + (text.map { "For the word: e text:\($0)." } ?? "\(LinearText.name(field)) takes no words.")
    case .nullOrText(_, let text, true, true):
      "Is NULL meant, or the word \(text)? For NULL: e null:. For the word: e text:\(text)."
    case .nullOrText(let field, _, true, false):
      "Is NULL meant? Then say so: e null:. \(LinearText.name(field)) takes no words."
    case .nullOrText(let field, let text, false, _):
      "\(LinearText.name(field)) must have a value. Is the word \(text) meant? Then say so: e text:\(text)."
    default: words
    }
  }

  /// What takes a side, or each where it is not known which is meant.
  private static func answers(_ side: String?) -> String { side.map { String($0.prefix(1)) } ?? "c, s or a" }
}
