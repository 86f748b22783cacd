import Merging
import StoreInterface

/// The lines that tell what became of one record.
enum OutcomeText {
  /// - Parameter fine: the word for success; nil if success needs none.
  static func lines(_ write: CheckedWrite, fine: String?) -> [String] {
    switch write.outcome {
    case .fine: fine.map { [cut("\($0): \(write.id)  \(write.title)", to: nil)] } ?? []
    case .moved(let detail): [cut(StoreError.moved(record: write.id, detail: detail).words, to: nil)]
    case .refused(let field, let detail):
      [cut(StoreError.refused(record: write.id, field: field, detail: detail).words, to: nil)]
    case .partly(let part, let detail):
      [cut("\(write.id) is written in part: \(part). The rest is not: \(detail). Look at it again.", to: nil)]
    case .notKnown(let detail):
      [cut("It is not known whether \(write.id) is written: \(detail). Look at it again.", to: nil)]
    case .notReached(let detail):
      [cut("\(write.id) was not reached: \(detail). Nothing of it was written; do it again.", to: nil)]
    }
  }
}
