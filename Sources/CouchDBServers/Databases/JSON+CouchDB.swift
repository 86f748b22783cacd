import ExactJSON
import Foundation

/// How CouchDB reads JSON: of two equal names the last counts, at the last one's place; numbers lose their spelling, and some
/// of their digits.
extension JSON {
  private static let rules = {
    var rules = JSONReader.Rules()
    (rules.depth, rules.values, rules.numeral) = (3000, .max, nil)
    (rules.passesByteOrderMark, rules.takesLastOfTwins) = (false, true)
    return rules
  }()

  init(couchDB bytes: [UInt8]) throws {
    var reader = JSONReader(bytes, rules: JSON.rules)
    guard let node = try? reader.single() else { throw ServerRefusal.noJSON }
    try self.init(couchDB: node)
  }

  private init(couchDB node: JSONNode) throws {
    switch node.content {
    case .string(let text): self = .string(text.text)
    case .array(let elements): self = .array(try elements.map { try JSON(couchDB: $0) })
    case .object(let members):
      let inOrder = members.sorted { $0.value.extent.lowerBound < $1.value.extent.lowerBound }
      self = .object(try inOrder.map { (name: $0.key.text, value: try JSON(couchDB: $0.value)) })
    case .literal:
      self = .literal(
        try node.numeral.map { try JSON.numeral($0) } ?? (node.isNull ? "null" : "\(node.bool == true)"))
    }
  }

  private static func numeral(_ token: String) throws -> String {
    guard var double = Double(token) else { throw ServerRefusal.noJSON }
    if token.contains(where: { ".eE".contains($0) }) {
      double = product(token) ?? double
      guard double.isFinite else { throw ServerRefusal.noJSON }
      return shortest(double.magnitude == .leastNonzeroMagnitude ? 0 : double)
    }
    guard double.isFinite else { throw ServerRefusal(500, "unknown_error", "badarith") }
    return token == "-0" ? "0" : token
  }

  /// A whole number with an exponent is multiplied out, and rounded more than once. nil for any other.
  private static func product(_ token: String) -> Double? {
    let parts = token.lowercased().split(separator: "e")
    guard parts.count == 2, !parts[0].contains("."), let whole = Double(parts[0]),
      let exponent = Double(parts[1])
    else { return nil }
    return whole * pow(10, exponent)
  }

  /// The fewest digits that read back to the same bits: plain up to 21 digits before the point and 6 noughts behind it, as
  /// JavaScript does, but always with a fraction or an exponent.
  static func shortest(_ double: Double) -> String {
    let sign = double.sign == .minus ? "-" : ""
    guard double != 0 else { return sign + "0.0" }
    let (digits, point) = digits(of: double.magnitude)
    return sign + written(digits, point)
  }

  /// `point`: how many of the digits stand before the decimal point.
  private static func digits(of double: Double) -> (digits: String, point: Int) {
    let parts = "\(double)".split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let halves = parts[0].split(separator: ".")
    let all = halves.joined()
    let digits = all.drop { $0 == "0" }
    let kept = String(digits.reversed().drop { $0 == "0" }.reversed())
    return (kept, halves[0].count + exponent - (all.count - digits.count))
  }

  private static func written(_ digits: String, _ point: Int) -> String {
    switch point {
    case digits.count...max(21, digits.count) where point <= 21:
      return digits + String(repeating: "0", count: point - digits.count) + ".0"
    case 1...21: return digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: return "0." + String(repeating: "0", count: -point) + digits
    default:
      let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
      return "\(digits.prefix(1))\(fraction)e\(point > 0 ? "+" : "")\(point - 1)"
    }
  }
}

extension JSON {
  /// The last member of this name: CouchDB's objects have no other.
  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name.hasSameBytes(as: name) }?.value
  }

  var members: [(name: String, value: JSON)]? { if case .object(let members) = self { members } else { nil } }
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int? { if case .literal(let token) = self { Int(token) } else { nil } }
  var isTrue: Bool { if case .literal("true") = self { true } else { false } }

  /// As CouchDB shows what it stored: no minus before nought.
  var shown: JSON {
    switch self {
    case .literal("-0.0"): .literal("0.0")
    case .array(let elements): .array(elements.map(\.shown))
    case .object(let members): .object(members.map { ($0.name, $0.value.shown) })
    case .literal, .string, .digits: self
    }
  }
}
