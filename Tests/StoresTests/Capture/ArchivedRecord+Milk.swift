@testable import KeyedArchives

extension ArchivedRecord {
  /// The note that most of what is played here is about, of which the server has title and body.
  ///
  /// - Parameters:
  ///   - time: when the server saved it.
  ///   - title: with when it was set.
  static func milk(
    _ tag: String, _ time: Int64, title: (String, Int64), body: (String?, Int64)
  ) -> ArchivedRecord {
    .sample(
      "1:notes", tag: tag, serverTime: time,
      [
        "id": (.string("1"), 10), "title": (.string(title.0), title.1),
        "body": (body.0.map { .string($0) }, body.1),
        "rank": (nil, 10), "size": (nil, 10), "picture": (nil, 10), "seenAt": (nil, 10),
      ])
  }
}
