import StoreInterface

extension StoreError {
  /// Whether what was asked may be carried out after this: it was sent, and what came is no word of the server's own on it.
  ///
  /// A server goes on with a request whose connection is gone. A gateway that waits no longer answers in its place, and the request may
  /// lie in its queue; by the number of an answer nobody can tell that from an error of the server's.
  var leavesRequestOpen: Bool {
    guard case .server(_, let trouble) = self else { return false }
    return switch trouble {
    case .cut, .astray, .silent, .slow, .notJSON: true
    // 408, Request Timeout: by a gateway whose patience ended, as CouchDB has none of its own.
    case .refused(let status, _): status >= 500 || status == 408
    case .notReached, .insecure, .nameADatabase, .tooLong, .tooMany, .unreadable, .notLoggedIn, .redirected,
      .busy:
      false
    }
  }
}
