/// What becomes of a record on the server once its draft is written, as far as the store can tell.
package enum Upload: Sendable, Equatable {
  /// The app sends it the next time it syncs.
  case atNextSync
  /// The app applies the draft first.
  case byTheApp
  /// There is nothing to send: the server has it so.
  case notNeeded
}
