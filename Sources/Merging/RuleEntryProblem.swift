/// Why an entry of the rules decides nothing in a store.
package enum RuleEntryProblem: Sendable, Equatable {
  case noTable
  case noField(table: String)
  /// It is there, called so but for the case of its letters. That counts: a document can have two such keys.
  case spelled(String)
  /// The field is there, and holds nothing that the rule could be used on: it would leave each conflict to a person.
  case cannotFit(MergeRule, Field.Kind)

  /// nil for a rule that fits some value of such a field.
  package init?(_ rule: MergeRule, on kind: Field.Kind) {
    let unfit: [Field.Kind] =
      switch rule {
      case .latest, .client, .server, .ancestor: []
      case .counter: [.text, .blob]
      case .set, .text, .keys: [.integer, .real, .blob]
      // Bytes have no order here.
      case .maximum, .minimum: [.blob]
      }
    guard unfit.contains(kind) else { return nil }
    self = .cannotFit(rule, kind)
  }

  /// nil for an entry that decides something, or may.
  ///
  /// - Parameters:
  ///   - entry: `table.field`, `table` or `default`. A dot may be part of either name.
  ///   - tables: with their fields; nil where each record may have others.
  ///   - areAll: whether there are no other tables; else nothing can be said of an entry that names one.
  package init?(_ entry: String, in tables: [String: Set<String>?], areAll: Bool) {
    if entry == MergeRules.defaultEntry || tables[entry] != nil { return nil }
    let meant = tables.keys.filter { Self.mayMean(entry, table: $0) }.sorted { $0.count > $1.count }
    let problems = meant.map { Self.problem(of: entry, table: $0, fields: tables[$0] ?? nil) }
    if problems.contains(nil) { return nil }
    // That something is called otherwise helps more than that something else is not there.
    let found = problems.compactMap(\.self)
    let spelled = found.first { if case .spelled = $0 { true } else { false } }
    guard let problem = spelled ?? found.first ?? (areAll ? .noTable : nil) else { return nil }
    self = problem
  }

  /// Whether it names the table or a field of it, whatever the case of its letters.
  package static func mayMean(_ entry: String, table: String) -> Bool {
    let (entry, table) = (entry.lowercased(), table.lowercased())
    return entry == table || entry.hasPrefix(table + ".")
  }

  private static func problem(of entry: String, table: String, fields: Set<String>?) -> RuleEntryProblem? {
    guard entry.count > table.count else { return .spelled(table) }
    let field = String(entry.dropFirst(table.count + 1))
    let isExact = entry.hasPrefix(table + ".")
    guard let fields else { return isExact ? nil : .spelled("\(table).\(field)") }
    if fields.contains(field) { return isExact ? nil : .spelled("\(table).\(field)") }
    let other = fields.first { $0.lowercased() == field.lowercased() }
    return other.map { .spelled("\(table).\($0)") } ?? .noField(table: table)
  }
}

extension MergeRules {
  /// The entries that decide nothing in a store which has these tables and no others, and in them whatever fields a record may have; in the
  /// order of their names.
  package func idleEntries(in tables: [String]) -> [(entry: String, problem: RuleEntryProblem)] {
    let tables = Dictionary(uniqueKeysWithValues: tables.map { ($0, Set<String>?.none) })
    return rules.keys.sorted().compactMap { entry in
      RuleEntryProblem(entry, in: tables, areAll: true).map { (entry, $0) }
    }
  }
}
