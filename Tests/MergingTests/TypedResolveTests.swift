import Merging
import Testing

/// A type that has a rule over several of its fields.
private struct Task: Mergeable {
  let id: Int
  var isDone: Bool
  var progress: Int
  var primaryKey: Int { id }

  static let mergeFields: [MergeField<Task>] = [
    .field("isDone", \.isDone, .either), .field("progress", \.progress, .maximum),
  ]

  static func resolve(_ conflict: MergeConflict<Task>) -> RowDraft<Task> {
    var draft = conflict.draft
    if draft.isDone { draft.progress = 100 }
    return draft
  }
}

/// A policy in three lines.
extension MergePolicy where Value == Bool {
  fileprivate static var either: MergePolicy { .custom("either") { _, client, server in client || server } }
}

/// A type with a draft type that was there before, as SQLiteData's `@Table` makes one.
private struct Place: Mergeable {
  let id: Int
  var name: String
  var primaryKey: Int { id }

  struct Draft: Sendable, Equatable {
    var id: Int?
    var name: String
    init(_ row: Place) { (id, name) = (row.id, row.name) }
  }

  static let mergeFields: [MergeField<Place>] = [.field("name", \.name)]

  static func adjust(_ draft: inout RowDraft<Place>, of conflict: MergeConflict<Place>) {
    if draft.name.isEmpty { draft.name = conflict.versions.ancestor?.row.name ?? "Somewhere" }
  }
}

extension Place.Draft: DraftOfRow {}

@Suite struct TypedResolveTests {
  private func conflict<Row: Mergeable>(_ ancestor: Row, _ client: Row, _ server: Row) -> MergeConflict<Row> {
    func version(_ row: Row, _ time: Int64) -> RowVersion<Row> {
      RowVersion(clientRow: row, modificationTime: time, ancestor: nil)
    }
    return MergeConflict(
      ancestor: version(ancestor, 0), client: version(client, 100), server: version(server, 200))
  }

  @Test func aTypesOwnRuleIsAskedAfterThePolicies() {
    let conflict = conflict(
      Task(id: 1, isDone: false, progress: 10), Task(id: 1, isDone: true, progress: 20),
      Task(id: 1, isDone: false, progress: 90))
    #expect(conflict.draft.progress == 90)
    #expect(conflict.resolved().progress == 100)
    #expect(conflict.resolved().changedColumns() == ["progress"])
    #expect(conflict.resolved().changedColumns(since: .server) == ["isDone", "progress"])
  }

  @Test func aPolicyOfThreeLinesSeesWhatBothSidesDid() {
    let conflict = conflict(
      Task(id: 1, isDone: false, progress: 1), Task(id: 1, isDone: true, progress: 1),
      Task(id: 1, isDone: true, progress: 1))
    #expect(
      conflict.suggestion(for: \.isDone, policy: .either)
        == Suggestion(true, source: .both, certainty: .sure, reason: .policy("either")))
  }

  @Test func aDraftTypeOfTheAppIsMadeOfTheMergedRow() {
    let conflict = conflict(
      Place(id: 7, name: "Hut"), Place(id: 7, name: "House"), Place(id: 7, name: "Home"))
    #expect(conflict.resolved() == Place.Draft(Place(id: 7, name: "Home")))
    #expect(conflict.draft.changedColumns() == ["name"])
  }

  @Test func aRuleOverFieldsIsInBothDraftsOfAType() {
    let conflict = conflict(Place(id: 7, name: "Hut"), Place(id: 7, name: "House"), Place(id: 7, name: ""))
    #expect(conflict.resolved() == Place.Draft(Place(id: 7, name: "Hut")))
    #expect(conflict.draft.name == "Hut" && conflict.draft.changedColumns(since: .ancestor).isEmpty)
  }

  @Test func theDesksRulesAreThoseOfTheType() {
    #expect(
      MergeRules(table: "tasks", of: Task.self, tie: .server)
        == MergeRules(tie: .server, rules: ["tasks.progress": .maximum]))
    #expect(MergeRules(table: "places", of: Place.self).rules == ["places.name": .latest])
  }

  /// The desk would order an enum by its text, count past the range of a type, and take a number for a set.
  @Test func whatOnlyTheAppsTypesKnowIsNoRuleOfTheDesk() {
    #expect(
      MergeRules(table: "rows", of: Typed.self).rules == [
        "rows.count": .counter, "rows.name": .maximum, "rows.tags": .set, "rows.state": .latest,
      ])
  }

  /// The desk refuses elements that have parts, and tells 1 from 1.0.
  @Test func aSetOfWhatTheDeskCannotCompareIsNoRuleOfTheDesk() {
    #expect(MergeRules(table: "bags", of: Bag.self).rules == ["bags.numbers": .set, "bags.words": .set])
  }

  /// It does something else under that name.
  @Test func aPolicyInCodeIsNoRuleOfTheDeskWhateverItsName() {
    #expect(MergeRules(table: "named", of: Named.self).rules == ["named.title": .text])
    #expect(Named.mergeFields.map(\.policy) == ["maximum", "latest", "text"])
  }

  /// A draft of an object would be made in the versions themselves.
  @Test func aFieldOfAnObjectIsRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = MergeField<Object>.field("count", \.count)
    }
    await #expect(processExitsWith: .failure) {
      _ = MergeField<Holder>.field("count", \.object.count)
    }
  }
}

private struct Bag: Mergeable {
  struct Point: Hashable, Sendable { var x: Int }

  let id = 1
  var numbers: Set<Int> = []
  var words: Set<String>?
  var points: Set<Point> = []
  var fractions: Set<Double>?
  var primaryKey: Int { id }

  static let mergeFields: [MergeField<Bag>] = [
    .field("numbers", \.numbers, .set), .field("words", \.words, .set), .field("points", \.points, .set),
    .field("fractions", \.fractions, .set),
  ]
}

private struct Named: Mergeable {
  let id = 1
  var count = 0
  var state = 0
  var title: String?
  var primaryKey: Int { id }

  private static func client(_ client: FieldVersion<Int>) -> Suggestion<Int> {
    Suggestion(client.value, source: .client, certainty: .sure, reason: .policy("latest"))
  }
  private static let mine = MergePolicy<Int>(
    name: "latest", merge: { _, here, _ in client(here) }, reconcile: { here, _ in client(here) })
  static let mergeFields: [MergeField<Named>] = [
    .field("count", \.count, .custom("maximum") { _, client, server in min(client, server) }),
    .field("state", \.state, mine), .field("title", \.title, .text),
  ]
}

private final class Object: @unchecked Sendable {
  var count = 0
}

private struct Holder: Sendable {
  var object = Object()
}

private struct Typed: Mergeable {
  enum Level: String, Comparable, Sendable {
    case low, high
    static func < (left: Level, right: Level) -> Bool { left == .low && right == .high }
  }
  struct Flags: OptionSet, Sendable { let rawValue: Int }

  let id = 1
  var count = 0
  var small: Int8 = 0
  var scale: Float?
  var name: String?
  var level = Level.low
  var state = Level.low
  var flags: Flags = []
  var tags: Set<String> = []
  var primaryKey: Int { id }

  static let mergeFields: [MergeField<Typed>] = [
    .field("count", \.count, .counter), .field("small", \.small, .counter),
    .field("scale", \.scale, .counter),
    .field("name", \.name, .maximum), .field("level", \.level, .maximum), .field("state", \.state),
    .field("flags", \.flags, .set), .field("tags", \.tags, .set),
  ]
}
