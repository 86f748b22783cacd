import Merging

/// The rules of the store that is open, and where each of them comes from.
package struct RuleShelf: Sendable, Equatable {
  /// Where an entry stands.
  package enum Place: Sendable, Equatable {
    /// In the settings; `isOfStore` if for this store alone.
    case line(Int, isOfStore: Bool)
    /// Chosen in this desk, and kept nowhere.
    case session
    /// In the settings, and taken away in this desk alone.
    case away
  }

  package var rules: MergeRules
  /// By entry; what is not here stands nowhere.
  package var places: [String: Place]
  /// What the settings say for this store alone.
  package var ofStore: [String: MergeRule] = [:]
  /// What they say for every store, which counts where this one has no rule of its own.
  package var ofEveryStore: [String: MergeRule] = [:]
  /// Where it is said how far clocks may be apart.
  package var margin: Place?
  /// The file of the settings, as a person would write it; nil if it has no place.
  package var file: String?
  /// Why nothing can be written there; nil if it can.
  package var refusal: String?

  package init(
    rules: MergeRules = MergeRules(), places: [String: Place] = [:], margin: Place? = nil,
    file: String? = nil, refusal: String? = nil
  ) {
    (self.rules, self.places, self.margin) = (rules, places, margin)
    (self.file, self.refusal) = (file, refusal)
  }
}

extension RuleShelf {
  /// The rules with these changes; an entry that is taken away comes to what counts for every store.
  package func rules(with changes: [String: MergeRule?]) -> MergeRules {
    var changed = rules
    for (entry, rule) in changes { changed[entry] = rule ?? ofEveryStore[entry] }
    return changed
  }

  /// "~/.config/parley/config.yaml:12, for every store".
  func words(of entry: String) -> String {
    words(of: entry, file ?? "")
  }

  /// The same where there is less room: the folder is left out.
  func shortWords(of entry: String) -> String {
    words(of: entry, file?.split(separator: "/").last.map(String.init) ?? "")
  }

  private func words(of entry: String, _ file: String) -> String {
    places[entry].map { words($0, file) } ?? "the default"
  }

  /// What the margin does to a rule that goes by time; nil where it does nothing.
  func marginWords(of rule: MergeRule) -> String? {
    guard rules.margin > 0, rule == .latest || rule == .keys else { return nil }
    let place = margin.map { " (\(words($0, file ?? "")))" } ?? ""
    return "The margin is \(Reason.duration(rules.margin)): edits closer to each other are to decide\(place)"
  }

  private func words(_ place: Place, _ file: String) -> String {
    switch place {
    case .line(let line, let isOfStore): "\(file):\(line)\(isOfStore ? "" : ", every store")"
    case .session: "this session"
    case .away: "taken away for this session"
    }
  }

  /// The entries that would count for a field if more specific ones were not there, the next first.
  func entries(under force: RuleInForce, table: String) -> [String] {
    let less: [String] =
      switch force.level {
      case .field: [table, MergeRules.defaultEntry]
      case .table: [MergeRules.defaultEntry]
      case .store: []
      }
    return less.filter { places[$0] != nil }
  }
}

extension RuleInForce {
  /// "counter, field reminders.likes".
  ///
  /// - Parameter table: what the store calls one.
  func words(table: String) -> String {
    switch level {
    case .field: "\(rule.rawValue), field \(entry)"
    case .table: "\(rule.rawValue), \(table) \(entry)"
    case .store: "\(rule.rawValue), every \(table)"
    }
  }
}

extension MergeRule {
  /// What it suggests, in a few words.
  var words: String {
    switch self {
    case .latest: "the newer edit"
    case .client: "the client's value"
    case .server: "the server's value"
    case .ancestor: "the value before both edits"
    case .counter: "both differences, added"
    case .set: "what either side added or took out"
    case .maximum: "the larger value"
    case .minimum: "the smaller value"
    case .text: "both edits of a text, by words"
    case .keys: "JSON by its keys"
    }
  }
}
