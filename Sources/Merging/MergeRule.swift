/// A policy by name, as a configuration chooses it for a table and field.
public enum MergeRule: String, Sendable, CaseIterable {
  case latest, client, server, ancestor, counter, set, maximum, minimum, text
  /// JSON objects and arrays by their keys, in a document or as text in a column; everything else by the latest edit.
  case keys

  /// The rule as a policy over stored values. Where it leaves the decision to a person, the newer edit is suggested;
  /// where no edit is newer, the side that `tie` names.
  ///
  /// - Parameters:
  ///   - tie: the side that is suggested where a person decides between edits of one time.
  ///   - margin: how far apart the clocks may be, in nanoseconds, where the newer edit is asked for.
  ///   - field: what is merged: a column holds JSON as text, and a real as an integer where its type says so; a document holds
  ///     each as what it is.
  public func policy(tie: TieRule, margin: Int64 = 0, of field: Field? = nil) -> MergePolicy<Value> {
    let isColumn = field?.form == .column
    let arithmetic = ValueArithmetic(mixesNumbers: isColumn)
    return switch self {
    case .latest: .latest(tie: tie, margin: margin)
    case .client: .client
    case .server: .server
    case .ancestor: .ancestor(tie: tie)
    case .counter: .computed(self, tie: tie, arithmetic.counter)
    case .set: .computed(self, tie: tie, ValueArithmetic.set)
    case .maximum:
      .computed(self, tie: tie) { _, client, server in arithmetic.larger(client, server) }
    case .minimum:
      .computed(self, tie: tie) { _, client, server in arithmetic.smaller(client, server) }
    case .text: .text(tie: tie, read: \.text, write: Value.text)
    case .keys:
      isColumn ? .keysOfText(tie: tie, margin: margin) : .keys(tie: tie, margin: margin)
    }
  }
}

extension MergeRule {
  /// Whether what it is sure of has all edits in it, and does not take one before another.
  var putsTogether: Bool {
    switch self {
    case .counter, .set, .text, .keys: true
    case .latest, .client, .server, .ancestor, .maximum, .minimum: false
    }
  }
}

/// Which rule decides which field. The most specific entry wins: `table.field`, then `table`, then the default.
public struct MergeRules: Sendable, Equatable {
  /// The side that is suggested where a person decides between edits of one time.
  public var tie: TieRule
  /// By `table.field` or `table`.
  public var rules: [String: MergeRule]
  /// For every field that no entry names.
  public var defaultRule: MergeRule
  /// What `latest` stands for where nothing was asked, in a store that knows no times of edits.
  public var withoutTimes = MergeRule.latest
  /// Whether nothing is suggested where ``tie`` alone would name a side, in a store that knows no times of edits.
  package var leavesTies = false
  /// How far apart the clocks may be, in nanoseconds: an edit that is newer by less is not known to be newer. 0: it always is.
  public var margin: Int64
  /// A time after this one proves no edit to be the newer: some clock was wrong. Nanoseconds since 1970; nil: all do.
  public var latestTime: Int64?

  /// Without an argument: the latest edit decides every field, the client's is suggested of equal times, and the clocks are believed.
  public init(
    tie: TieRule = .client, rules: [String: MergeRule] = [:], defaultRule: MergeRule = .latest,
    margin: Int64 = 0, latestTime: Int64? = nil
  ) {
    (self.tie, self.rules, self.defaultRule) = (tie, rules, defaultRule)
    (self.margin, self.latestTime) = (margin, latestTime)
  }

  /// The same rules at a moment: clocks may differ by a day.
  ///
  /// - Parameter now: nanoseconds since 1970.
  public func at(_ now: Int64) -> MergeRules {
    var rules = self
    rules.latestTime = MergeRules.latestTime(at: now)
    return rules
  }

  static func latestTime(at now: Int64) -> Int64 {
    let (time, overflow) = now.addingReportingOverflow(86_400_000_000_000)
    return overflow ? .max : time
  }

  /// The rule of a field: its own entry's, else its table's, else the default, for which ``withoutTimes`` stands where it is `latest`.
  public func rule(table: String, field: String) -> MergeRule {
    if rules.isEmpty { return ofEveryTable }
    return rules["\(table).\(field)"] ?? rules[table] ?? ofEveryTable
  }

  /// What decides where no table or field is named.
  var ofEveryTable: MergeRule { defaultRule == .latest ? withoutTimes : defaultRule }
}
