import Merging

/// What a person would call a record: the first text under a name that titles usually have.
package enum RecordTitle {
  /// Names of fields that hold a title in most stores, the most telling first.
  package static let usual = ["title", "name", "subject", "label", "text"]

  /// nil if there is no such field with a text to be seen. The client's text counts first, then the server's, then the ancestor's.
  package static func title(of versions: ThreeWay<RecordVersion>, in fields: [String] = usual) -> String? {
    for field in fields {
      let found =
        text(of: field, in: versions.client) ?? text(of: field, in: versions.server)
        ?? versions.ancestor.flatMap { text(of: field, in: $0) }
      if let found { return found }
    }
    return nil
  }

  private static func text(of field: String, in version: RecordVersion) -> String? {
    guard case .present(let fields) = version, case .text(let text)? = fields[field]?.value, isSeen(text)
    else { return nil }
    return text
  }

  /// A row of a list that is called by blanks alone seems to have no name.
  private static func isSeen(_ text: String) -> Bool { text.contains { !$0.isWhitespace } }

  /// What a record is called that has no title: by its id, in quotes where nothing would be seen of that.
  package static func title(ofID id: String) -> String { isSeen(id) ? id : "\"\(id)\"" }

  package static func first(
    of fields: [String], _ values: (String) -> some Sequence<Value?>
  ) -> String? {
    for field in fields {
      for case .text(let text)? in values(field) where isSeen(text) { return text }
    }
    return nil
  }
}
