import Desk
import Foundation
import Merging
import StoreInterface

/// Where the rules of the store that is open come from, and where a person's changes go.
struct RuleKeeper {
  private var settings: SettingsFile
  /// As the settings call it.
  private let store: String
  /// Why none of them is written into the settings; nil if they may be.
  private let obstacle: Obstacle?
  private var session: Set<String> = []

  enum Obstacle: String {
    case readOnly = "With --read-only no file is written."
    case sample = "The settings are yours, and this is a sample that is thrown away."
  }

  /// - Parameter path: of the store, as it was typed.
  init(_ settings: SettingsFile, ofStore path: String, _ obstacle: Obstacle?) {
    self.settings = settings
    store = Configuration.storeName(path)
    self.obstacle = obstacle
  }

  func shelf(of rules: MergeRules) -> RuleShelf {
    RuleShelf(
      rules: rules, places: places(rules), margin: placeOfMargin, file: settings.shownPath,
      refusal: refusal)
  }

  private var placeOfMargin: RuleShelf.Place? {
    settings.configuration.lineOfMargin(inStore: store).map { .line($0.number, isOfStore: $0.isOfStore) }
  }

  private var refusal: String? {
    if settings.path == nil {
      return "There is no place for settings here. A keeps the rules for this session."
    }
    return obstacle.map { "\($0.rawValue) A keeps the rules for this session." }
  }

  private func places(_ rules: MergeRules) -> [String: RuleShelf.Place] {
    var places: [String: RuleShelf.Place] = [:]
    for entry in [MergeRules.defaultEntry] + rules.rules.keys {
      let line = settings.configuration.line(of: entry, inStore: store)
      places[entry] =
        session.contains(entry) ? .session : line.map { .line($0.number, isOfStore: $0.isOfStore) }
    }
    return places
  }

  /// - Returns: what was done, in words.
  /// - Throws: ``CommandError`` if the file cannot be written; then the rules are as they were.
  mutating func keep(_ changes: [String: MergeRule], inFile: Bool, in book: RuleBook) throws -> String {
    if inFile {
      try settings.write(changes.mapValues(\.rawValue), ofStore: store)
      session.subtract(changes.keys)
    } else {
      session.formUnion(changes.keys)
    }
    var rules = book.rules
    for (entry, rule) in changes { rules[entry] = rule }
    book.use(rules)
    let count = changes.count == 1 ? "1 rule" : "\(changes.count) rules"
    let place = inFile ? "written into \(settings.shownPath ?? "")" : "kept until you quit"
    return "\(count) \(place). What was decided stays as it is."
  }
}
