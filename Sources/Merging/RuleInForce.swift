/// The entry of the rules that decides a field.
public struct RuleInForce: Sendable, Hashable {
  /// What it was given for.
  public enum Level: String, Sendable, CaseIterable {
    case store, table, field
  }

  /// The rule that counts: in a store that knows no times of edits, what stands for `latest` there.
  public let rule: MergeRule
  /// How far the entry reaches: the most specific one counts.
  public let level: Level
  /// As a configuration names it: `default`, `posts` or `posts.likes`.
  public let entry: String
}

extension MergeRules {
  /// How a configuration names what counts where no table or field is named.
  public static let defaultEntry = "default"

  /// The most specific entry.
  public func ruleInForce(table: String, field: String) -> RuleInForce {
    let own = "\(table).\(field)"
    if let rule = rules[own] { return RuleInForce(rule: rule, level: .field, entry: own) }
    if let rule = rules[table] { return RuleInForce(rule: rule, level: .table, entry: table) }
    return RuleInForce(rule: ofEveryTable, level: .store, entry: MergeRules.defaultEntry)
  }

  /// The rule of an entry; nil if there is none.
  public subscript(entry: String) -> MergeRule? {
    get { entry == MergeRules.defaultEntry ? defaultRule : rules[entry] }
    set {
      if entry == MergeRules.defaultEntry {
        defaultRule = newValue ?? .latest
      } else {
        rules[entry] = newValue
      }
    }
  }
}

extension FieldConflict {
  /// Whether a rule was asked: both sides changed the field, or nobody knows who did.
  public var isContested: Bool {
    change == .different && !isOneSided || change == .same && ancestor != nil
  }

  /// Whether the suggestion is a rule's. That both sides agree needs none, nor that all leaves do that changed it; and none decides what a
  /// leaf that cannot be read may have changed, or whether a record comes back.
  public var isByRule: Bool {
    isContested && !reason.isAgreement && reason != .leafNotKnown && reason != .goneSince
  }

  /// Whether one side, or one of many leaves, changed the field alone.
  package var isOneSided: Bool {
    switch change {
    case .onlyClient, .onlyServer: true
    case .different: ownReason == .folded(leaves: 1, .changed)
    case .unchanged, .same: false
    }
  }
}

extension Reason {
  fileprivate var isAgreement: Bool {
    if case .folded(_, .agree) = self { true } else { self == .agree }
  }
}

extension RecordConflict {
  /// The same record by other rules. What its store knows of times stays.
  public func merged(by rules: MergeRules) -> RecordConflict {
    var rules = rules
    (rules.latestTime, rules.withoutTimes) = (self.rules.latestTime, self.rules.withoutTimes)
    rules.leavesTies = self.rules.leavesTies
    return RecordConflict(
      id: id, table: table, primaryKey: primaryKey, title: title, fields: fields.declared,
      versions: versions, rules: rules, details: details)
  }

  /// What another rule would suggest for a field.
  ///
  /// - Parameter rule: nil for the one that counts where no table or field is named and none was asked for.
  package func suggestion(of field: FieldConflict, by rule: MergeRule?) -> Suggestion<Value> {
    merging(field, by: rule ?? rules.withoutTimes).suggestion
  }
}
