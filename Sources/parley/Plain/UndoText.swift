import Merging
import StoreInterface

/// The lines that tell what an undo of one record would do, as ``DraftText`` tells a draft: what is there, and what comes back.
enum UndoText {
  static func lines(_ undo: CheckedUndo, width: Int?) -> [String] {
    let refusal = OutcomeText.lines(undo.checked, fine: nil)
    guard refusal.isEmpty else { return refusal }
    let fields = undo.fields.map { "  \($0.name): \(text($0.after, $0.name)) → \(text($0.before, $0.name))" }
    return (["\(undo.checked.id)  \(undo.checked.title)"] + fields).map { cut($0, to: width) }
  }

  /// A record that is not there has no value at all.
  private static func text(_ value: Value?, _ name: String) -> String {
    value.map { ValueText.plain($0, in: Field(name, kind: $0.isText ? .text : .any)) } ?? "-"
  }
}

extension Value {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
