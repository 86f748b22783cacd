extension String {
  /// A field's name as a person reads it: a document may have a key without a letter.
  public var shownName: String { isEmpty ? "(empty)" : self }
}
