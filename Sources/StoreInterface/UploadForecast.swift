/// What becomes of a record on the server once its draft is written, as far as the store can tell.
package enum UploadForecast: String, Sendable, Equatable {
  /// The app sends it when it is started the next time.
  case atNextLaunch
  /// The app applies the draft first.
  case byTheApp
  /// There is nothing to send: the server has it so.
  case notNeeded
}
