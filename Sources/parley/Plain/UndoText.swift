import Merging
import StoreInterface
import Telling

/// The lines that tell what an undo of one record would do, as ``DraftText`` tells a draft: what is there, and what comes back.
enum UndoText {
  static func lines(_ undo: CheckedUndo, width: Int?) -> [String] {
    if let refusal = undo.checked.words(fine: nil) { return [refusal] }
    let fields = undo.fields.map {
      "  \($0.name): \(Privacy.open.line($0.after)) → \(Privacy.open.line($0.before))"
    }
    return (["\(undo.checked.id)  \(undo.checked.title)"] + fields).map { cut($0, to: width) }
  }
}
