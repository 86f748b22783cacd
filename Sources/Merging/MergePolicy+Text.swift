extension MergePolicy where Value == String {
  /// Three-way by words, see ``TextMerge``. Where the edits overlap the newer is suggested and a person decides; without
  /// an ancestor too.
  public static var text: MergePolicy { text(tie: .client) }

  /// - Parameter tie: the side that is suggested where a person decides between edits of one time.
  public static func text(tie: TieRule) -> MergePolicy { text(tie: tie, read: { $0 }, write: { $0 }) }
}

extension MergePolicy {
  /// - Parameter read: nil for a value that is no text.
  static func text(
    tie: TieRule, read: @escaping @Sendable (Value) -> String?, write: @escaping @Sendable (String) -> Value
  ) -> MergePolicy {
    MergePolicy(.text) { ancestor, client, server in
      guard let merge = merge(read(ancestor.value), read(client.value), read(server.value)) else {
        return undecided(client, server, tie: tie, because: .policyNotApplicable("text"))
      }
      return suggestion(merge.text.map(write), "text", client, server)
        ?? undecided(client, server, tie: tie, because: .overlap(places: merge.overlaps))
    } reconcile: { client, server in
      newerWithoutAncestor(client, server, tie: tie)
    }
  }

  private static func merge(_ ancestor: String?, _ client: String?, _ server: String?) -> TextMerge? {
    guard let ancestor, let client, let server else { return nil }
    return TextMerge(ancestor: ancestor, client: client, server: server)
  }
}
