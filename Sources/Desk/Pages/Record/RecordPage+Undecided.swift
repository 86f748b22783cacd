import Merging
import StoreInterface

/// Which field is to decide next.
extension RecordPage {
  /// The next undecided field; past the last one, the first. What only a person can decide comes before all else.
  func nextToDecide(_ record: DecidedConflict, step: Int, on desk: DeskState) -> FieldConflict? {
    let fields = fields(of: record, on: desk)
    let here = selected(in: record, on: desk)
    let around = Round(fields.count).places(from: here + step, by: step)
    return firstToDecide(record, of: around.map { fields[$0] })
  }

  func firstToDecide(_ record: DecidedConflict, of fields: [FieldConflict]) -> FieldConflict? {
    let undecided = Set(record.undecided + record.dropped)
    let open = fields.lazy.filter { undecided.contains(.field($0.name)) }
    return open.first { $0.suggestion.certainty == .yours } ?? open.first
  }

  /// Whether something else is to decide than what is under the cursor, which a record that is decided as a whole never has. Where all is
  /// decided the same key leads on to another record.
  func leadsToAnotherField(_ record: DecidedConflict, _ desk: DeskState) -> Bool {
    if record.undecided.isEmpty { return true }
    guard let next = nextToDecide(record, step: 1, on: desk) else { return false }
    return next.name != selectedField(in: record, on: desk)?.name
  }
}
