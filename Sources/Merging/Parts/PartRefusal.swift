/// Why a change of a value cannot be decided so.
package enum PartRefusal: Error, Sendable, Equatable {
  case noAncestor
  /// The value of a key is one side's, or another one.
  case keyHasOneValue
  /// There are no two texts that could both stay.
  case oneText
  /// What was typed for a key.
  case noJSON
}

extension FieldConflict {
  /// nil where it can be decided so.
  ///
  /// - Parameter parts: those of this field.
  package func refusal(of choice: PartChoice, for part: FieldPart, in parts: FieldParts) -> PartRefusal? {
    switch choice {
    case .take(.ancestor) where ancestor == nil: .noAncestor
    case .both where parts.form == .keys: .keyHasOneValue
    case .both where part.change != .different: .oneText
    case .edit(let text) where !parts.takes(text): .noJSON
    case .take, .both, .edit: nil
    }
  }
}
