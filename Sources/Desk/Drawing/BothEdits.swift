import Merging

extension FieldConflict {
  /// Whether the clock decides between two edits of a text, or of JSON, that do not overlap: a merge would keep both. What is longer than
  /// some pages is not looked at, as it is asked with every frame.
  var losesWhatAMergeKeeps: Bool {
    guard change == .different, suggestion.certainty == .byClock, mayHaveParts, let client = client?.value,
      let server = server?.value, client.isOfSomePages, server.isOfSomePages,
      let parts = FieldParts(ancestor: ancestor?.value, client: client, server: server)
    else { return false }
    return ancestor != nil && parts.undecided(in: [:]).isEmpty
      && [Side.client, .server].allSatisfy { side in parts.parts.contains { $0.onlySide == side } }
  }
}

extension Value {
  fileprivate var isOfSomePages: Bool {
    if case .text(let text) = self { text.utf8.count <= 16_384 } else { true }
  }
}
