import Merging

/// What a store says to a value that somebody types for a field.
package enum ValueVerdict: Sendable, Equatable {
  /// The write would take it.
  case fits
  /// The write would take it, and the app can likely not read it.
  case odd(String)
  /// The write would refuse it.
  case refused(String)
  /// Only the write can tell.
  case notKnown(String)
}

extension RecordConflict {
  /// The draft as it stands with `value` in a field, whatever is undecided: then what is suggested.
  package func draft(typing value: Value, for field: String, in resolution: Resolution) -> Draft {
    var resolution = resolution
    resolution.decide(.field(field), .edit(value))
    let fields = fields.filter(\.field.isWritable).map { $0.draft(resolution[.field($0.name)]) }
    return Draft(id: id, action: .save(fields))
  }
}
