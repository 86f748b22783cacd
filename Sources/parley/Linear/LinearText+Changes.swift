import Desk
import Merging
import StoreInterface
import Telling

/// What changed in a text, so that nobody has to hear all of it to find that.
extension LinearText {
  /// As many characters are heard in a breath or two.
  private static let short = 160

  /// Whether a text of several sentences was changed: then the changes are said, and `v` says the whole.
  func isLong(_ field: FieldConflict) -> Bool {
    !differences(field).isEmpty
      && Side.allCases.contains { side in
        if case .text(let text)? = field.version(side)?.value { text.count > Self.short } else { false }
      }
  }

  /// - Parameter ancestor: what it may be the same as.
  func length(_ value: Value?, _ ancestor: Value?) -> String {
    if value == ancestor { return "unchanged" }
    guard case .text(let text)? = value, text.count > Self.short else { return self.value(value) }
    let lines = Self.lines(of: text).count
    return lines > 1 ? "a text of \(lines) lines" : "a text of \(text.count) characters"
  }

  /// What was decided of a field, with its value where that is no long text that a side has.
  func decided(
    _ choice: Choice, of field: FieldConflict, in conflict: RecordConflict, before colon: String
  ) -> String {
    let words = conflict.words(choice, of: field)
    if choice.side != nil, isLong(field) { return words }
    return words + colon + value(field.draft(choice).value, of: field.name, in: conflict)
  }

  /// Of a draft: what a key points to by its title.
  func drafted(_ value: Value?, of field: FieldConflict, in conflict: RecordConflict) -> String {
    Privacy.open.title(of: value, in: field.name, of: conflict).map { LinearText.told($0) }
      ?? self.value(value, kind: field.field.kind)
  }

  /// Of a text of more than a few words what each side changed in it.
  func differences(_ field: FieldConflict) -> [String] {
    guard case .text(let ancestor)? = field.ancestor?.value, ancestor.count > 40 else { return [] }
    return [Side.client, .server].compactMap { side in
      guard let (old, new) = Privacy.open.texts(field.ancestor?.value, field.version(side)?.value) else {
        return nil
      }
      let pieces = WordDiff.pieces(from: old, to: new).compactMap { piece -> String? in
        switch piece {
        case .kept: nil
        case .removed(let text): "took out: " + spoken(text)
        case .added(let text): "put in: " + spoken(text)
        }
      }
      return pieces.isEmpty ? nil : "The \(side.rawValue) \(pieces.prefix(12).joined(separator: "; "))".ended
    }
  }

  /// - Parameter further: what is said of further leaves beside.
  func unseenDifferences(_ field: FieldConflict, _ further: [FurtherValue] = []) -> [String] {
    let unseen = UnseenVersions.spoken(isASCII: isASCII, further: further) { field.version($0)?.value }
    return unseen.map { $0.named.capitalizedFirst.ended } + capitals { field.version($0)?.value }
  }

  /// What a voice says alike, too.
  private func capitals(_ version: (Side) -> Value?) -> [String] {
    let pairs: [(Side, Side)] = [(.client, .server), (.ancestor, .client), (.ancestor, .server)]
    let alike = pairs.filter { areTwoByCapitals(version($0), version($1)) }
    // What two of three pairs say holds of the third.
    return alike.prefix(2).map { one, other in
      "\(one.rawValue.capitalizedFirst) and \(other.rawValue) differ in capitals alone."
    }
  }

  /// Of a long text it is said anyway what was changed.
  private func areTwoByCapitals(_ one: Value?, _ other: Value?) -> Bool {
    guard case .text(let one)? = one, case .text(let other)? = other, one != other else { return false }
    let isShort = one.utf8.count < 1_000 && other.utf8.count < 1_000
    return isShort && one.lowercased() == other.lowercased()
  }

  /// The same of one change of a text.
  func unseenDifferences(_ part: FieldPart) -> [String] {
    let version = { (side: Side) in part.text(side).map { Value.text($0) } }
    let unseen = UnseenVersions.spoken(isASCII: isASCII, version)
    return unseen.map { $0.named.capitalizedFirst.ended } + capitals(version)
  }

  /// Two texts of what a value becomes, each with what tells it from the other where that is not heard: as of the sides of a field.
  func telling(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?
  ) -> (old: String, new: String) {
    UnseenDifference.tellingSpoken(texts, of: old, new, isASCII: isASCII)
  }

  /// Of what is given up, where nobody has kept what was taken in its place.
  func unseenEnds(_ lost: GivenUp) -> GivenUp.Ends { lost.unseenEnds(isASCII: isASCII, isSpoken: true) }

  private func spoken(_ text: String) -> String {
    String(LinearMerge.spoken(text).prefix(LinearText.longest))
  }
}
