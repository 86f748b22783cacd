/// A policy by name, as a configuration chooses it for a table and field.
public enum MergeRule: String, Sendable, CaseIterable {
  case latest, client, server, ancestor, counter, set, maximum, minimum, text
  /// JSON objects and arrays by their keys, in a document or as text in a column; everything else by the latest edit.
  case keys

  /// The rule as a policy over stored values. Where it leaves the decision to a person, the newer edit is suggested;
  /// where no edit is newer, the side that `tie` names.
  ///
  /// - Parameter field: what is merged: a column holds JSON as text, a document as what it is.
  public func policy(tie: TieRule, of field: Field? = nil) -> MergePolicy<Value> {
    switch self {
    case .latest: .latest(tie: tie)
    case .client: .client
    case .server: .server
    case .ancestor: .ancestor(tie: tie)
    case .counter: .computed(rawValue, tie: tie, ValueArithmetic.counter)
    case .set: .computed(rawValue, tie: tie, ValueArithmetic.set)
    case .maximum:
      .computed(rawValue, tie: tie) { _, client, server in ValueArithmetic.larger(client, server) }
    case .minimum:
      .computed(rawValue, tie: tie) { _, client, server in ValueArithmetic.smaller(client, server) }
    case .text: .text(tie: tie, read: \.text, write: Value.text)
    case .keys: field?.declaredType.isEmpty == false ? .keysOfText(tie: tie) : .keys(tie: tie)
    }
  }
}

extension Value {
  fileprivate var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

/// Which rule decides which field. The most specific entry wins: `table.field`, then `table`, then the default.
public struct MergeRules: Sendable, Equatable {
  public var tie: TieRule
  /// By `table.field` or `table`.
  public var rules: [String: MergeRule]
  /// For every field that no entry names.
  public var defaultRule: MergeRule
  /// A time after this one proves no edit to be the newer: some clock was wrong. Nanoseconds since 1970; nil: all do.
  public var latestTime: Int64?

  public init(
    tie: TieRule = .client, rules: [String: MergeRule] = [:], defaultRule: MergeRule = .latest,
    latestTime: Int64? = nil
  ) {
    (self.tie, self.rules, self.defaultRule, self.latestTime) = (tie, rules, defaultRule, latestTime)
  }

  /// The same rules at a moment: clocks may differ by a day.
  ///
  /// - Parameter now: nanoseconds since 1970.
  public func at(_ now: Int64) -> MergeRules {
    var rules = self
    let (time, overflow) = now.addingReportingOverflow(86_400_000_000_000)
    rules.latestTime = overflow ? .max : time
    return rules
  }

  public func rule(table: String, field: String) -> MergeRule {
    if rules.isEmpty { return defaultRule }
    return rules["\(table).\(field)"] ?? rules[table] ?? defaultRule
  }
}
