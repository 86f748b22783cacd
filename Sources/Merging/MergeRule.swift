import Foundation

/// A policy by name, as a configuration chooses it for a table and field.
public enum MergeRule: String, Sendable, CaseIterable {
  case latest, client, server, ancestor, counter, set, maximum, minimum

  /// The rule as a policy over stored values.
  public func policy(tie: TieRule) -> MergePolicy<Value> {
    switch self {
    case .latest: .latest(tie: tie)
    case .client: .client
    case .server: .server
    case .ancestor: .ancestor
    case .counter: .computed("counter", ValueArithmetic.counter)
    case .set: .computed("set", ValueArithmetic.set)
    case .maximum: .computed("maximum") { _, client, server in ValueArithmetic.larger(client, server) }
    case .minimum: .computed("minimum") { _, client, server in ValueArithmetic.smaller(client, server) }
    }
  }
}

/// What the computing policies do with values whose type is known only now. nil where a policy does not fit the values.
enum ValueArithmetic {
  static func counter(ancestor: Value?, client: Value, server: Value) -> Value? {
    switch (ancestor, client, server) {
    case (.integer(let ancestor), .integer(let client), .integer(let server)):
      let (change, overflows) = server.subtractingReportingOverflow(ancestor)
      let (sum, sumOverflows) = client.addingReportingOverflow(change)
      return overflows || sumOverflows ? nil : .integer(sum)
    case (.real(let ancestor), .real(let client), .real(let server)):
      let sum = client + (server - ancestor)
      return sum.isFinite ? .real(sum) : nil
    default: return nil
    }
  }

  static func larger(_ left: Value, _ right: Value) -> Value? {
    isLess(left, right).map { $0 ? right : left }
  }

  static func smaller(_ left: Value, _ right: Value) -> Value? {
    isLess(left, right).map { $0 ? left : right }
  }

  /// Numbers by size, texts by their bytes (as SQLite's BINARY does); nil for anything that has no order here.
  private static func isLess(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left.isNaN || right.isNaN ? nil : left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: nil
    }
  }

  /// A set in a field is a JSON array of texts or numbers: `["red","blue"]`. The client's order is kept, and what only
  /// the server added follows.
  static func set(ancestor: Value?, client: Value, server: Value) -> Value? {
    guard let client = elements(client), let server = elements(server) else { return nil }
    guard let ancestor else { return array(client + server.filter { !client.contains($0) }) }
    guard let ancestor = elements(ancestor) else { return nil }
    let kept = client.filter { !ancestor.contains($0) || server.contains($0) }
    let added = server.filter { !ancestor.contains($0) && !client.contains($0) }
    return array(kept + added)
  }

  /// Each element as its own JSON text, so that 1 and "1" stay two elements.
  private static func elements(_ value: Value) -> [String]? {
    guard case .text(let text) = value,
      let array = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
    else { return nil }
    var elements: [String] = []
    for element in array {
      guard element is String || element is NSNumber,
        let data = try? JSONSerialization.data(withJSONObject: element, options: .fragmentsAllowed)
      else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      if !elements.contains(text) { elements.append(text) }
    }
    return elements
  }

  private static func array(_ elements: [String]) -> Value {
    .text("[" + elements.joined(separator: ",") + "]")
  }
}

/// Which rule decides which field. The most specific entry wins: `table.field`, then `table`, then the default.
public struct MergeRules: Sendable, Equatable {
  public var tie: TieRule
  public var rules: [String: MergeRule]

  public init(tie: TieRule = .client, rules: [String: MergeRule] = [:]) {
    self.tie = tie
    self.rules = rules
  }

  public func rule(table: String, field: String) -> MergeRule {
    rules["\(table).\(field)"] ?? rules[table] ?? .latest
  }
}
