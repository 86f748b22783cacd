import Desk
import Merging
import StoreInterface
import Testing

/// A hundred thousand conflicts are kept packed; what is asked for is what was put in.
@Suite struct SummaryRowsTests {
  /// Conflicts of every kind, with all that a summary can have, some with names that do not begin with their key.
  private static let summaries: [ConflictSummary] = Sample.all.enumerated().flatMap { number, conflict in
    var full = ConflictSummary(conflict, resolution: Resolution())
    full.id = "\(number) of a store with long names, é and \u{0}: \(full.id)"
    (full.lastEditDevice, full.notWritable) = (number % 2 == 0 ? "Blob's Mac" : nil, "a view")
    (full.receivedAt, full.waitingSince, full.lastEdit) = (-1, Int64.max, number % 2 == 0 ? .server : nil)
    (full.outdated, full.isMoved, full.isByPolicy) = (number, true, number % 2 == 1)
    full.readWith = number % 2 == 0 ? .ancestors : .indexAndAncestors
    (full.givenUp, full.leafCount) = ([.client, .server], 840)
    full.counts.byPolicy = 1_015
    if number % 3 == 0 {
      full.refusal = DraftRefusal(field: number % 2 == 0 ? "due" : nil, reason: "no room")
    }
    return [ConflictSummary(conflict, resolution: Resolution()), full]
  }

  private static func rows(_ summaries: [ConflictSummary]) -> SummaryRows {
    summaries.reduce(into: SummaryRows()) { $0.append($1) }
  }

  /// So many that there are several blocks, the last of which is not full.
  private static func many(_ count: Int) -> [ConflictSummary] {
    (0..<count).map { number in
      var summary = summaries[number % summaries.count]
      (summary.id, summary.title) = ("\(number):reminders", "Reminder \(number)")
      return summary
    }
  }

  @Test func eachComesOutAsItWentIn() {
    let rows = Self.rows(Self.summaries)
    #expect(Array(rows) == Self.summaries)
    for (place, summary) in Self.summaries.enumerated() { #expect(rows.index(of: summary.id) == place) }
    #expect(rows.index(of: "nobody") == nil)
  }

  @Test func ofManyEachIsFoundByItsName() {
    let many = Self.many(1_300)
    let rows = Self.rows(many)
    #expect(Array(rows) == many)
    #expect(many.indices.allSatisfy { rows.index(of: many[$0].id) == $0 })
  }

  @Test func whatIsReplacedLeavesTheOthers() {
    var many = Self.many(1_300)
    var rows = Self.rows(many)
    for place in stride(from: 0, to: many.count, by: 7) {
      many[place].undecided += 1
      if place % 2 == 0 { many[place].title += ", and more than there was" }
      if place % 3 == 0 { many[place].searchText = "" }
      rows.replace(place, with: many[place])
    }
    #expect(Array(rows) == many)
    #expect(many.indices.allSatisfy { rows.index(of: many[$0].id) == $0 })
  }

  /// As in the stores.
  @Test func aNameInAnotherNormalFormIsAnother() {
    let twins = ["e\u{301}", "\u{E9}"].map { name in
      var summary = Self.summaries[0]
      summary.id = name
      return summary
    }
    let rows = Self.rows(twins)
    #expect(twins.map { rows.index(of: $0.id) } == [0, 1])
    #expect(Self.rows([twins[0]]).index(of: twins[1].id) == nil)
  }
}
