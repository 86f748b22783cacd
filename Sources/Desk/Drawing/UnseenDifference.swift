import Merging
import Telling
import Terminal

/// What client and server differ in where they look the same: normal forms, joiners, 1 against "1", and on a terminal of ASCII
/// alone all letters that have one stand-in.
package struct UnseenDifference {
  private let codePoints: [String]

  /// nil where they are the same, or where it can be seen that they are not.
  ///
  /// - Parameter isASCII: whether letters with marks are shown as those without.
  package init?(_ client: String, _ server: String, isASCII: Bool) {
    let shown = { isASCII ? ASCII.text($0) : DisplayText.safe($0) }
    guard shown(client) == shown(server) else { return nil }
    let start = zip(client.unicodeScalars, server.unicodeScalars).prefix { $0 == $1 }.count
    codePoints = [client, server].map { $0.codePoints(from: start) }
  }

  /// Of long values what differs is looked at, and nothing is said of what differs in too much.
  package init?(_ field: FieldConflict, isASCII: Bool) {
    guard let client = field.client?.value, let server = field.server?.value, client != server else {
      return nil
    }
    let excerpt = Excerpt(from: Privacy.open.line(client), to: Privacy.open.line(server), atMost: 2_000)
    guard excerpt.more == 0 else { return nil }
    self.init(String(excerpt.old), String(excerpt.new), isASCII: isASCII)
  }

  /// "they differ in what does not show: C U+00E9, S U+0065 U+0301"
  package func words(_ who: String = "they") -> String {
    let isTold = codePoints[0] != codePoints[1]
    let points = isTold ? ": C \(codePoints[0]), S \(codePoints[1])" : ", as in their kinds"
    return "\(who) differ in what does not show\(points)"
  }
}

extension String {
  /// "U+0065 U+0301 …"
  fileprivate func codePoints(from start: Int) -> String {
    let rest = unicodeScalars.dropFirst(start)
    let names = rest.prefix(2).map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return names.isEmpty ? "ends" : names.joined(separator: " ") + (rest.count > 2 ? " …" : "")
  }
}
