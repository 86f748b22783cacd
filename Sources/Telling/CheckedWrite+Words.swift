import StoreInterface

extension CheckedWrite {
  /// What became of the record, and the way out.
  ///
  /// - Parameter fine: the word for success; nil if success needs none.
  package func words(fine: String?) -> String? {
    switch outcome {
    case .fine: fine.map { "\($0): \(id)  \(title)" }
    case .moved(let detail): StoreError.moved(record: id, detail: detail).words
    case .refused(let field, let detail): StoreError.refused(record: id, field: field, detail: detail).words
    case .partly(let part, let detail):
      "\(id) is written in part: \(part). The rest is not: \(detail). Look at it again."
    case .notKnown(let detail): "It is not known whether \(id) is written: \(detail). Look at it again."
    case .notReached(let detail):
      "\(id) was not reached: \(detail). Nothing of it was written; do it again."
    }
  }
}

extension CheckedWrite.Outcome {
  /// As OUTPUT.md lists them.
  package func word(fine: String) -> String {
    switch self {
    case .fine: fine
    case .moved: "moved"
    case .refused: "refused"
    case .partly: "partly"
    case .notKnown: "notKnown"
    case .notReached: "notReached"
    }
  }
}
