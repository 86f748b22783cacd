import ExactJSON
import Merging
import Telling
import Terminal

/// What two values differ in that stand beside each other and look the same: their kinds, as of 1 and "1", normal forms, joiners, and on a
/// terminal of ASCII alone all letters that have one stand-in.
package struct UnseenDifference {
  /// What each has of it: "INTEGER" and "TEXT", "U+00E9" and "U+0065 U+0301".
  package let old: String
  package let new: String

  /// nil where they are the same, or where it can be seen that they are not. Of long values what differs is looked at, and nothing is
  /// said of what differs in too much.
  ///
  /// - Parameter isASCII: whether letters with marks are shown as those without.
  package init?(_ old: Value?, _ new: Value?, kind: Field.Kind = .text, isASCII: Bool) {
    self.init(old, new, kind: kind, shown: Self.shown(isASCII))
  }

  /// The same where they may be read out, see ``UnseenVersions/spoken(isASCII:further:_:)``.
  package init?(spoken old: Value?, _ new: Value?, kind: Field.Kind, isASCII: Bool) {
    self.init(old, new, kind: kind, shown: Self.spoken(isASCII))
  }

  fileprivate init?(_ old: Value?, _ new: Value?, kind: Field.Kind, shown: Showing) {
    guard let old, let new, old != new else { return nil }
    let (left, right) = (Privacy.open.line(old, kind: kind), Privacy.open.line(new, kind: kind))
    let told: (String, String)? =
      left.hasSameBytes(as: right)
      ? (Value.typeName(old), Value.typeName(new)) : Self.codePoints(left, right, shown: shown)
    guard let told else { return nil }
    (self.old, self.new) = told
  }

  /// The first letter in which they differ, by what differs of it; nil where that is seen.
  private static func codePoints(
    _ old: String, _ new: String, shown: Showing
  ) -> (String, String)? {
    guard let (left, right) = alike(old, new, shown: shown) else { return nil }
    let letters = firstLetters(left, right, shown: shown)
    let (first, second) = apart(Array(letters.old.unicodeScalars), Array(letters.new.unicodeScalars))
    let isMore = letters.isMore
    return (
      first.names(isMore) ?? (new.utf8.starts(with: old.utf8) ? "ends" : "nothing"),
      second.names(isMore) ?? (old.utf8.starts(with: new.utf8) ? "ends" : "nothing")
    )
  }

  private typealias Letters = (old: String, new: String, isMore: Bool)

  /// The first that differ of two texts that look the same, and whether others do.
  private static func firstLetters(_ old: String, _ new: String, shown: Showing) -> Letters {
    guard old.count == new.count else { return firstPlace(old, new, shown: shown) ?? (old, new, false) }
    let differing = zip(old, new).filter { !String($0).hasSameBytes(as: String($1)) }
    guard let (left, right) = differing.first else { return (old, new, false) }
    return (String(left), String(right), differing.count > 1)
  }

  /// The same where one letter looks like two others, or like none; nil where more than that differs.
  private static func firstPlace(_ old: String, _ new: String, shown: Showing) -> Letters? {
    let start = zip(old, new).prefix { String($0).hasSameBytes(as: String($1)) }.count
    let (left, right) = (old.dropFirst(start), new.dropFirst(start))
    for (first, second) in [(1, 1), (1, 2), (2, 1), (1, 0), (0, 1)] {
      let rest = (old: String(left.dropFirst(first)), new: String(right.dropFirst(second)))
      guard shown(rest.old) == shown(rest.new) else { continue }
      return (String(left.prefix(first)), String(right.prefix(second)), !rest.old.hasSameBytes(as: rest.new))
    }
    return nil
  }

  /// Without what both begin with, and end with.
  private static func apart(
    _ old: [Unicode.Scalar], _ new: [Unicode.Scalar]
  ) -> (old: ArraySlice<Unicode.Scalar>, new: ArraySlice<Unicode.Scalar>) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (left, right) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    return (left.dropLast(end), right.dropLast(end))
  }

  /// What two texts differ in, and little of what is around that; nil where it is seen that they do, or where it is too much to be
  /// looked at.
  private static func alike(
    _ old: String, _ new: String, shown: Showing
  ) -> (old: String, new: String)? {
    guard !isSeen(old, new) else { return nil }
    let excerpt = Excerpt(from: old, to: new, atMost: shown.most)
    let (old, new) = (String(excerpt.old), String(excerpt.new))
    return excerpt.more == 0 && shown(old) == shown(new) ? (old, new) : nil
  }

  /// Whether they begin to differ in two letters that anybody tells apart: of most texts no more is looked at. Where the one letter has a
  /// mark, and the other has none, both begin with the same byte.
  private static func isSeen(_ old: String, _ new: String) -> Bool {
    let start = commonStart(old, new)
    let letters = [old, new].map { $0.utf8.dropFirst(start).first ?? 0 }
    return letters[0] != letters[1] && letters.allSatisfy { 0x21...0x7E ~= $0 }
  }

  fileprivate static func shown(_ isASCII: Bool) -> Showing {
    Showing(most: 2_000) { isASCII ? ASCII.text($0) : SeenText.line($0) }
  }

  /// Of a text that is heard line by line nobody has seen that its lines end otherwise, however many they are.
  fileprivate static func spoken(_ isASCII: Bool) -> Showing {
    Showing(most: 100_000) { SpokenText.text($0, isASCII: isASCII) }
  }
}

extension UnseenDifference {
  /// Two texts of values that stand beside each other, each with what tells it from the other where that does not show: "1 (INTEGER)",
  /// "1 (TEXT)".
  package static func telling(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?, isASCII: Bool = false
  ) -> (old: String, new: String) {
    telling(texts, of: old, new, shown: shown(isASCII))
  }

  /// The same where they may be read out, see ``UnseenVersions/spoken(isASCII:further:_:)``.
  package static func tellingSpoken(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?, isASCII: Bool
  ) -> (old: String, new: String) {
    telling(texts, of: old, new, shown: spoken(isASCII))
  }

  /// The same in one line with less room than they need: both are cut so that it is seen where they differ.
  ///
  /// - Parameter widths: in columns.
  package static func telling(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?, in widths: (old: Int, new: Int),
    isASCII: Bool
  ) -> (old: String, new: String) {
    let endings = endings(beside: texts, of: old, new, shown: shown(isASCII))
    let room = (
      old: max(4, widths.old - DisplayText.width(endings.old)),
      new: max(4, widths.new - DisplayText.width(endings.new))
    )
    let part = ChangedPart(texts, widths: room)
    return (
      DisplayText.cut(part.old, to: room.old) + endings.old,
      DisplayText.cut(part.new, to: room.new) + endings.new
    )
  }

  private static func telling(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?, shown: Showing
  ) -> (old: String, new: String) {
    let endings = endings(beside: texts, of: old, new, shown: shown)
    return (texts.old + endings.old, texts.new + endings.new)
  }

  /// Nothing where it shows already.
  private static func endings(
    beside texts: (old: String, new: String), of old: Value?, _ new: Value?, shown: Showing
  ) -> (old: String, new: String) {
    guard let unseen = UnseenDifference(old, new, kind: .text, shown: shown),
      alike(texts.old, texts.new, shown: shown) != nil
    else { return ("", "") }
    return unseen.ends
  }

  /// What stands behind each; nothing where there are no words for it.
  var ends: (old: String, new: String) { old == new ? ("", "") : (" (\(old))", " (\(new))") }
}

/// Two versions of a field that look the same and are not.
package struct UnseenVersions {
  private let owners: (first: Owner, second: Owner)
  private let difference: UnseenDifference

  /// Of the versions that stand beside each other. Where one side has what the ancestor has, the other one differs from both in the same.
  ///
  /// - Parameters:
  ///   - kind: of their field, where values are told by it.
  ///   - isASCII: whether letters with marks are shown as those without.
  ///   - further: what is shown of further leaves below them.
  package static func all(
    kind: Field.Kind = .text, isASCII: Bool, further: [FurtherValue] = [], _ version: (Side) -> Value?
  ) -> [Self] {
    all(kind, shown: UnseenDifference.shown(isASCII), further, version)
  }

  /// The same where they may be read out: letters with marks and without may be said alike, and so are those that look alike, and lines
  /// whatever they end by.
  package static func spoken(
    isASCII: Bool, further: [FurtherValue] = [], _ version: (Side) -> Value?
  ) -> [Self] {
    all(.text, shown: UnseenDifference.spoken(isASCII), further, version)
  }

  private static func all(
    _ kind: Field.Kind, shown: Showing, _ further: [FurtherValue], _ version: (Side) -> Value?
  ) -> [Self] {
    let (ancestor, client, server) = (version(.ancestor), version(.client), version(.server))
    func told(_ old: Value?, _ new: Value?) -> UnseenDifference? {
      UnseenDifference(old, new, kind: kind, shown: shown)
    }
    let isOwn = ancestor != client && client != server
    let all = [
      Self(.client, .server, told(client, server)),
      Self(.ancestor, .client, ancestor == server ? nil : told(ancestor, client)),
      Self(.ancestor, .server, isOwn ? told(ancestor, server) : nil),
    ]
    // What two of three pairs say holds of the third.
    return all.compactMap(\.self).prefix(2) + of(further, beside: version, told)
  }

  /// What stands in no column, each with the first before it that looks the same: of one that a side has all is said.
  private static func of(
    _ further: [FurtherValue], beside version: (Side) -> Value?,
    _ told: (Value?, Value?) -> UnseenDifference?
  ) -> [Self] {
    var known = [Side.client, .server, .ancestor].map { (owner: Owner($0), value: version($0)) }
    var all: [Self] = []
    for further in further where !known.contains(where: { $0.value == further.value }) {
      let owner = Owner(leaf: further.leaves[0].number)
      all += known.compactMap { Self($0.owner, owner, told($0.value, further.value)) }.prefix(1)
      known.append((owner, further.value))
    }
    return all
  }

  private init?(_ first: Side, _ second: Side, _ difference: UnseenDifference?) {
    self.init(Owner(first), Owner(second), difference)
  }

  private init?(_ first: Owner, _ second: Owner, _ difference: UnseenDifference?) {
    guard let difference else { return nil }
    owners = (first, second)
    self.difference = difference
  }

  /// "they differ in what does not show: C U+00E9, S U+0065 U+0301"
  package var words: String { sentence(about: "they") }

  /// "ancestor and client differ in what does not show: A INTEGER, C TEXT"
  package var named: String {
    sentence(about: "\(owners.first.name) and \(owners.second.name)")
  }

  private func sentence(about who: String) -> String {
    let (old, new) = (difference.old, difference.new)
    let told = old == new ? "" : ": \(owners.first.letter) \(old), \(owners.second.letter) \(new)"
    return "\(who) differ in what does not show\(told)"
  }
}

/// Whose a version is.
private struct Owner {
  let name: String
  /// By which it stands in a list.
  let letter: String

  init(_ side: Side) { (name, letter) = (side.rawValue, side.letter) }

  init(leaf number: Int) { (name, letter) = ("leaf \(number)", "S\(number)") }
}

extension ArraySlice<Unicode.Scalar> {
  /// "U+0065 U+0301 …", also where others follow; nil where there is none.
  fileprivate func names(_ isMore: Bool) -> String? {
    let names = prefix(2).map { $0.number + ($0 == "\r" ? " CR" : $0 == "\n" ? " LF" : "") }
    return names.isEmpty ? nil : names.joined(separator: " ") + (isMore || count > 2 ? " …" : "")
  }
}

/// As what a text is taken.
private struct Showing {
  /// So many bytes are looked at.
  let most: Int
  private let text: (String) -> String

  init(most: Int, _ text: @escaping (String) -> String) { (self.most, self.text) = (most, text) }

  func callAsFunction(_ text: String) -> String { self.text(text) }
}
