import ExactJSON
import Merging
import Telling

/// A text that would be taken for a number, or for true and false, stands in quotes where another version is one.
extension Privacy {
  /// nil for whatever is told as it is, also for a version beside another one that looks the same: in what these differ is told in words,
  /// see ``UnseenVersions``.
  func quoted(_ value: Value?, of field: FieldConflict, in conflict: RecordConflict) -> String? {
    guard title(of: value, in: field.name, of: conflict) == nil,
      let told = quoted(value, kind: field.field.kind), isApart(value, of: field)
    else { return nil }
    return told
  }

  /// Whether another version is no text, and none of those beside it looks the same if it is one itself.
  private func isApart(_ value: Value?, of field: FieldConflict) -> Bool {
    let versions = Side.allCases.compactMap { field.version($0)?.value }
    let others = versions.filter(\.canBeTakenForText)
    guard !others.isEmpty else { return false }
    guard let value, versions.contains(value) else { return true }
    let told = line(value)
    return !others.contains { line($0).hasSameBytes(as: told) }
  }

  /// nil for whatever is told as it is.
  ///
  /// - Parameter kind: of its field, or what values beside it tell of that.
  func quoted(_ value: Value?, kind: Field.Kind) -> String? {
    guard !hides, kind != .text, case .text? = value else { return nil }
    let told = line(value, kind: kind)
    return told.hasSameBytes(as: line(value)) ? nil : told
  }

  /// The value of a field, so that no text is taken for what other versions of it are.
  func line(_ value: Value?, of field: FieldConflict, in conflict: RecordConflict) -> String {
    quoted(value, of: field, in: conflict) ?? line(value, of: field.name, in: conflict)
  }

  /// The same with all there is of it, and without what it points to is called.
  func whole(_ value: Value?, of field: FieldConflict, in conflict: RecordConflict) -> String {
    quoted(value, of: field, in: conflict) ?? line(value)
  }

  /// The same in a list of ways, each with what it makes of the field: nothing there tells in what two differ that look the same, and what
  /// a third leaf has is one of them.
  func lineOfWay(_ value: Value?, of field: FieldConflict, in conflict: RecordConflict) -> String {
    quotedAmongAll(value, of: field, in: conflict) ?? line(value, of: field.name, in: conflict)
  }

  /// Where what a third leaf has stands beside the others; nil for whatever is told as it is.
  ///
  /// - Parameter taken: what takes the place of them all, where that is told, too.
  func quotedAmongAll(
    _ value: Value?, of field: FieldConflict, in conflict: RecordConflict, beside taken: Value? = nil
  ) -> String? {
    guard title(of: value, in: field.name, of: conflict) == nil,
      let told = quoted(value, kind: field.kind(beside: taken))
    else { return nil }
    let others =
      Side.allCases.compactMap { field.version($0)?.value }
      + conflict.furtherValues(of: field).map(\.value) + [taken].compactMap(\.self)
    return others.contains(where: \.canBeTakenForText) ? told : nil
  }

  /// What is there and what will be, each in quotes if it has them, unless it is told already in what they differ.
  func quoting(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?, isASCII: Bool,
    _ quoted: (Value?) -> String?
  ) -> (old: String, new: String) {
    let (before, after) = (quoted(old), quoted(new))
    if before == nil, after == nil { return texts }
    guard UnseenDifference(old, new, isASCII: isASCII) == nil else { return texts }
    return (before ?? texts.old, after ?? texts.new)
  }
}
