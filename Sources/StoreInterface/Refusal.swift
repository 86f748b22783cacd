/// Why the store's own rules do not allow a draft.
package struct Refusal: Error, Equatable {
  package let field: String?
  package let reason: String
  /// Whether the app itself could do it: only what it gives its own connection, such as a function, is missing here.
  package let isForTheApp: Bool
  /// The record that has to be written before; nil where nobody can tell, or that is more than one.
  package let awaited: String?

  package init(
    _ field: String?, _ reason: String, isForTheApp: Bool = false, awaiting awaited: String? = nil
  ) {
    (self.field, self.reason, self.isForTheApp, self.awaited) = (field, reason, isForTheApp, awaited)
  }
}
