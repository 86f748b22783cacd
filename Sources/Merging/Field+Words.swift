extension String {
  /// A field's name as a person reads it: a document may have a key without a letter, and of attachments the names count.
  public var shownName: String {
    if isEmpty { return "(empty)" }
    return hasPrefix(Field.attachmentPrefix) ? "…/" + dropFirst(Field.attachmentPrefix.count) : self
  }
}
