import ExactJSON
import Merging
import StoreInterface

extension JSONValue {
  /// Whether servers pack an attachment of this type before they store it, so that its digest is no digest of its bytes.
  var isPacked: Bool {
    let type = (self["content_type"]?.string ?? "").lowercased()
    return type.hasPrefix("text/") || ["json", "xml", "javascript"].contains { type.contains($0) }
  }

  /// Whether the server may show this value as `other`: 1.10 as 1.1, -0.0 as 0.0.
  func isStored(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.literal(let left), .literal(let right)):
      left == right || JSONValue.isStored(left, as: right)
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isStored(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.isStored(as: $0) } ?? false }
    case (.literal, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}

extension JSONValue {
  /// Whole numbers stay as they are, of any size, but for the sign of nought; others are Doubles, of which the smallest end as zero.
  private static func isStored(_ left: String, as right: String) -> Bool {
    guard left.contains(where: { ".eE".contains($0) }) else { return left == "-0" && right == "0" }
    guard let sent = Double(left), let kept = Double(right) else { return false }
    if sent == kept || kept == 0 && sent.magnitude < Double.leastNormalMagnitude { return true }
    // A whole number with an exponent is multiplied out there, each step rounded.
    return !left.contains(".") && kept.isFinite && (sent - kept).magnitude <= 4 * sent.ulp
  }
}

extension PlannedWrite {
  /// Refused is a number of which the server would keep another one; nil where there is none.
  func verdictByNumber(of field: String) -> ValueVerdict? {
    guard let value = draft[field], let number = seen[field]?.roundedNumber(in: value) else { return nil }
    let words = "the server would keep \(number.kept) in place of \(number.text)"
    return .refused(
      number.isWhole ? words + "; a whole number is kept if it is given in digits alone" : words)
  }
}

extension JSONValue {
  /// How many levels it has: 1 for what holds nothing.
  var depth: Int {
    switch self {
    case .literal, .string: 1
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
    }
  }

  var members: [JSONText: JSONValue] { if case .object(let members) = self { members } else { [:] } }
}
