import Merging
import Testing

/// Two clocks are never quite the same. What is newer by less than the margin is not known to be newer.
@Suite struct ClockMarginTests {
  private static let margins: [Int64] = [0, 1, 9, 10, 11, .max]

  /// Over all small inputs, all rules and both ties: a margin changes what the clock decided by less, and nothing else.
  @Test(arguments: MergeRule.allCases, TieRule.allCases)
  func aMarginLeavesToAPersonWhatIsNewerByLess(rule: MergeRule, tie: TieRule) {
    for versions in all {
      let plain = rule.policy(tie: tie).suggestion(for: versions)
      for margin in Self.margins {
        let careful = rule.policy(tie: tie, margin: margin).suggestion(for: versions)
        guard case .newer(let side, let difference) = plain.reason, difference < margin else {
          #expect(careful == plain, "\(margin): \(versions)")
          continue
        }
        guard let client = versions.client.time, let server = versions.server.time else {
          Issue.record("an unknown time decided \(versions)")
          continue
        }
        let reason = Reason.withinMargin(side, client: client, server: server, margin: margin)
        #expect(
          careful == Suggestion(plain.value, source: plain.source, certainty: .yours, reason: reason),
          "\(margin): \(versions)")
      }
    }
  }

  @Test(arguments: MergeRule.allCases, TieRule.allCases)
  func aLargerMarginNeverDecidesMore(rule: MergeRule, tie: TieRule) {
    for versions in all {
      let certainties = Self.margins.map {
        rule.policy(tie: tie, margin: $0).suggestion(for: versions).certainty ?? .sure
      }
      #expect(certainties == certainties.sorted(by: >), "\(versions)")
    }
  }

  @Test func aMarginWithoutEndLeavesNothingToTheClock() {
    for versions in all {
      #expect(
        MergeRule.latest.policy(tie: .client, margin: .max).suggestion(for: versions).certainty != .byClock)
    }
  }

  /// Times as far apart as numbers reach.
  @Test func noDifferenceOverflows() {
    let versions = fieldVersions(
      Value.integer(0), .integer(1), .integer(2), clientTime: .min, serverTime: .max)
    let reason = MergeRule.latest.policy(tie: .client, margin: .max).suggestion(for: versions).reason
    #expect(reason == .newer(.server, by: .max))
  }

  /// It would be asked without an ancestor that there was.
  @Test(arguments: MergeRule.allCases) func whatNoPolicyCanKnowIsAPersons(rule: MergeRule) throws {
    let version = { (value: Int64, time: Int64) in
      RecordVersion.present(["price": FieldVersion(.integer(value), time: time)])
    }
    var details = RecordConflict.Details()
    details.withoutPolicy = ["price"]
    for ancestor in [RecordVersion.unknown(reason: "lost"), .present([:])] {
      let conflict = RecordConflict(
        id: "1:a", table: "a", primaryKey: "1", title: "", fields: [Field("price")],
        versions: ThreeWay(ancestor: ancestor, client: version(4, 1), server: version(9, 2)),
        rules: MergeRules(rules: ["a.price": rule]), details: details)
      let suggestion = try #require(conflict["price"]).suggestion
      #expect(suggestion.certainty == .yours && suggestion.reason == .noAncestor(newer: .server))
    }
  }

  private func record(_ rules: MergeRules, apart: Int64?) -> RecordConflict {
    let version = { (value: Int64, time: Int64) in
      RecordVersion.present(["price": FieldVersion(.integer(value), time: time)])
    }
    var details = RecordConflict.Details()
    details.clocksApart = apart
    return RecordConflict(
      id: "1", table: "books", primaryKey: "1", title: "One", fields: [Field("price", kind: .integer)],
      versions: ThreeWay(ancestor: version(1, 0), client: version(2, 100), server: version(3, 107)),
      rules: rules, details: details)
  }

  /// What is known of the clocks counts, and what somebody set, whichever is more.
  @Test(arguments: [
    (Int64(0), Int64?.none, false), (7, nil, false), (8, nil, true), (0, 7, false), (0, 8, true),
    (8, 1, true),
    (1, 8, true),
  ])
  func theLargerMarginOfARecordCounts(margin: Int64, apart: Int64?, isLeft: Bool) {
    let record = record(MergeRules(margin: margin), apart: apart)
    #expect(record.margin == max(margin, apart ?? 0))
    #expect(record["price"]?.suggestion.certainty == (isLeft ? .yours : .byClock))
    #expect(record["price"]?.suggestion.source == .server)
    #expect(record.accepting(.byClock, in: Resolution()).isEmpty == isLeft)
  }

  /// A rule that asks no clock needs no margin.
  @Test func aRuleThatAsksNoClockDecides() {
    let record = record(MergeRules(rules: ["books.price": .counter], margin: .max), apart: nil)
    #expect(record["price"]?.suggestion.value == .integer(4))
    #expect(record["price"]?.suggestion.certainty == .sure)
  }
}
