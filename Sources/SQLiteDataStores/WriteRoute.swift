/// How a draft gets into the store.
package enum WriteRoute: String, Sendable, CaseIterable {
  /// Row, metadata, ancestor and pending change are written here, while the app is closed.
  case direct
  /// The app applies it, from its table `parley_outbox`.
  case outbox
}

extension WriteRoute {
  var words: String {
    switch self {
    case .direct:
      """
      The row, its metadata and the ancestor are written in one transaction over both databases, and one pending change where \
      the server is to get something: the app uploads that at its next launch.
      """
    case .outbox:
      """
      The draft goes into the app's parley_outbox, also while the app runs. The app applies it if the row is still what was \
      seen here, and uploads it; until then the record waits, and undo takes the draft back.
      """
    }
  }

  /// No finding is mended through the outbox.
  static let mending = """
    Only this changes, in one transaction over both databases. Where it adds a pending change, that follows the format of real \
    ones, but was never read by CloudKit itself.
    """

  var notVerified: String {
    switch self {
    case .direct:
      """
      Never read by CloudKit itself: what is written for it, the pending change and the advanced ancestor, follows the format \
      of real archives.
      """
    case .outbox:
      """
      The app's own code that applies an outbox cannot be seen from here; the one in FOR-APPS.md was run beside \
      the published schema of SQLiteData, not inside of an app.
      """
    }
  }
}
