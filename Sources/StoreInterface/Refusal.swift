/// Why the store's own rules do not allow a draft.
package struct Refusal: Error, Equatable {
  package let field: String?
  package let reason: String
  /// Whether the app itself could do it: only what it gives its own connection, such as a function, is missing here.
  package let isForTheApp: Bool

  package init(_ field: String?, _ reason: String, isForTheApp: Bool = false) {
    (self.field, self.reason, self.isForTheApp) = (field, reason, isForTheApp)
  }
}
