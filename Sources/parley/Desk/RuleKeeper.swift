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
  /// What only this session says, by entry; nil for what it takes away of the settings.
  private var session: [String: MergeRule?] = [:]

  enum Obstacle: String {
    case readOnly = "With --read-only no file is written."
    case sample = "The settings are yours, and this is a sample that is thrown away."
  }

  /// - Parameter path: of the store, as it was typed.
  init(_ settings: SettingsFile, ofStore path: String, _ obstacle: Obstacle?) {
    self.settings = settings
    store = StoreNames(opening: path).name(in: settings.configuration.stores)
    self.obstacle = obstacle
  }

  func shelf(of rules: MergeRules) -> RuleShelf {
    var shelf = RuleShelf(
      rules: rules, places: places(rules), margin: placeOfMargin, file: settings.shownPath, refusal: refusal)
    shelf.ofStore = settings.configuration.stores[store]?.policies ?? [:]
    shelf.ofEveryStore = settings.configuration.rules.policies
    return shelf
  }

  private var placeOfMargin: RuleShelf.Place? {
    settings.configuration.lineOfMargin(inStore: store).map { .line($0.number, isOfStore: $0.isOfStore) }
  }

  private var refusal: String? {
    if settings.path == nil {
      return "There is no place for settings here. t keeps the rules for this session."
    }
    return obstacle.map { "\($0.rawValue) t keeps the rules for this session." }
  }

  private func places(_ rules: MergeRules) -> [String: RuleShelf.Place] {
    let entries = Set([MergeRules.defaultEntry] + rules.rules.keys + session.keys)
    return entries.reduce(into: [:]) { places, entry in places[entry] = place(of: entry) }
  }

  private func place(of entry: String) -> RuleShelf.Place? {
    if let own = session[entry] { return own == nil ? .away : .session }
    return settings.configuration.line(of: entry, inStore: store)
      .map { .line($0.number, isOfStore: $0.isOfStore) }
  }

  /// - Parameter changes: by entry; nil takes away what this store says itself.
  /// - Returns: what was done, in words.
  /// - Throws: ``CommandError`` if the file cannot be written; then the rules are as they were.
  mutating func keep(_ changes: [String: MergeRule?], inFile: Bool, in book: RuleBook) throws -> String {
    let lines = inFile ? changes.filter { $0.value != nil || ofStore[$0.key] != nil } : [:]
    if !lines.isEmpty { try settings.write(lines.mapValues { $0?.rawValue }, ofStore: store) }
    // Whatever the settings say is theirs, and nothing of this session.
    for (entry, rule) in changes {
      if rule == ofStore[entry] {
        session.removeValue(forKey: entry)
      } else {
        session.updateValue(rule, forKey: entry)
      }
    }
    book.use(shelf(of: book.rules).rules(with: changes))
    return "\(words(changes, lines, inFile: inFile)). What was decided stays as it is."
  }

  /// What the desk looks like where nobody chose anything else.
  var keptTheme: String { settings.configuration.theme ?? "auto" }

  /// Of no store: a person who tried it on a sample may keep it, too.
  ///
  /// - Returns: what was done, in words.
  /// - Throws: ``CommandError`` if the file cannot be written; then it is as it was.
  mutating func keep(theme name: String) throws -> String {
    if obstacle == .readOnly { throw CommandError.badConfiguration(words: Obstacle.readOnly.rawValue) }
    try settings.write(theme: name)
    return "Theme \(name) is kept: \"theme: \(name)\" was written into \(settings.shownPath ?? "")."
  }

  private var ofStore: [String: MergeRule] { settings.configuration.stores[store]?.policies ?? [:] }

  private func words(_ changes: [String: MergeRule?], _ lines: [String: MergeRule?], inFile: Bool) -> String {
    if !inFile {
      return RuleKeeper.words([
        (changes.count { $0.value != nil }, "kept"), (changes.count { $0.value == nil }, "taken away"),
      ]) + " until you quit"
    }
    if lines.isEmpty { return "\(RuleKeeper.count(changes.count)) as the settings say" }
    let parts = RuleKeeper.words([
      (lines.count { $0.value != nil }, "written into"), (lines.count { $0.value == nil }, "taken out of"),
    ])
    return parts + " \(settings.shownPath ?? ""), for every store named \(store)"
  }

  private static func words(_ parts: [(count: Int, did: String)]) -> String {
    parts.filter { $0.count > 0 }.map { "\(count($0.count)) \($0.did)" }.joined(separator: " and ")
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 rule" : "\(count) rules" }
}
