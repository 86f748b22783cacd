import Merging

extension FieldConflict {
  /// Whether the clock decides between two edits that a merge would keep both.
  var losesWhatAMergeKeeps: Bool { suggestion.certainty == .byClock && mergeOfBoth != nil }

  /// Both edits of a text, or of JSON, that do not overlap. nil where they do, or where nothing tells, and for what is longer than some
  /// pages: that is not looked at, as it is asked with every frame, and of many records.
  var mergeOfBoth: PartChoices? {
    guard change == .different, ancestor != nil, mayHaveParts, let client = client?.value,
      let server = server?.value, client.isOfSomePages, server.isOfSomePages,
      let parts = FieldParts(ancestor: ancestor?.value, client: client, server: server),
      parts.undecided(in: [:]).isEmpty,
      [Side.client, .server].allSatisfy({ side in parts.parts.contains { $0.onlySide == side } })
    else { return nil }
    return PartChoices([:], of: parts)
  }
}

extension Value {
  fileprivate var isOfSomePages: Bool {
    if case .text(let text) = self { text.utf8.count <= 16_384 } else { true }
  }
}
