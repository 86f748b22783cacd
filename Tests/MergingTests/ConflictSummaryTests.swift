import Merging
import StoreInterface
import Telling
import Testing

@Suite struct ConflictSummaryTests {
  private func summary(_ conflict: RecordConflict, _ resolution: Resolution = Resolution()) -> ConflictSummary
  {
    ConflictSummary(conflict, resolution: resolution)
  }

  @Test func itCountsTheFieldsByCertainty() {
    let conflict = reminder(
      client: ["title": .text("Oat milk"), "priority": .integer(2)], at: 200,
      server: ["title": .text("Soy milk"), "notes": .text("x")], at: 100)
    #expect(summary(conflict).counts == .init(sure: 2, byClock: 1, yours: 0))
    #expect(summary(conflict).counts.all == 3)
    #expect(summary(conflict).certainty == .byClock)
    #expect(summary(conflict).undecided == 3)
    #expect(Privacy.open.why(summary(conflict).why) == "title: client newer by 100ns")
  }

  @Test func whatIsDecidedNoLongerCounts() {
    let conflict = reminder(
      client: ["title": .text("Oat milk"), "priority": .integer(2)], server: ["title": .text("Soy milk")])
    let sure = conflict.accepting(.sure, in: Resolution())
    #expect(summary(conflict, sure).undecided == 1)
    let all = conflict.accepting(.yours, in: Resolution())
    #expect(summary(conflict, all).isReady)
    #expect(Privacy.open.why(summary(conflict, all).why) == "decided")
    #expect(summary(conflict, all).certainty == .byClock, "the certainty of the whole")
  }

  @Test func aRecordWithoutAChangedFieldDiffersOnlyInItsTag() {
    #expect(Privacy.open.why(summary(reminder()).why) == "tag only")
    #expect(summary(reminder()).isReady)
    #expect(summary(reminder()).certainty == .sure)
  }

  @Test func severalFieldsShareTheirReasonOrWhatTheyHaveInCommon() {
    let newer = reminder(
      client: ["title": .text("a"), "notes": .text("a")], server: ["title": .text("b"), "notes": .text("b")])
    #expect(Privacy.open.why(summary(newer).why) == "2 fields, server newer")
    let mixed = mixedTimes(title: 300, notes: 100)
    #expect(Privacy.open.why(summary(mixed).why) == "2 fields, newer wins")
    let sure = reminder(client: ["title": .text("a")], server: ["notes": .text("b")])
    #expect(Privacy.open.why(summary(sure).why) == "2 fields, no clash")
    #expect(
      Privacy.open.why(summary(mixedTimes(title: nil, notes: 200)).why) == "2 fields, for you to decide")
  }

  /// The server's edits at 200, the client's at these times.
  private func mixedTimes(title: Int64?, notes: Int64?) -> RecordConflict {
    reminder(
      ancestor: present(milk),
      client: .present([
        "title": FieldVersion(.text("a"), time: title), "notes": FieldVersion(.text("a"), time: notes),
      ]),
      server: present(["title": .text("b"), "notes": .text("b")], time: 200))
  }

  @Test func aRecordDecidedAsAWholeIsOneDecision() {
    let conflict = reminder(ancestor: present(milk), client: present(milk), server: .deleted(time: 500))
    #expect(summary(conflict).counts == .init(yours: 1))
    #expect(summary(conflict).undecided == 1)
    #expect(summary(conflict).kind == .deletedOnServer)
    #expect(Privacy.open.why(summary(conflict).why) == "deleted on the server, edited on the client")
    #expect(summary(conflict).lastEditTime == 500)
    #expect(summary(conflict).lastEdit == .server)
    let gone = reminder(ancestor: present(milk), client: .absent, server: .deleted(time: nil))
    #expect(summary(gone).counts.all == 0)
  }

  @Test(arguments: [
    (Int64?.some(100), Int64?.some(200), Side?.some(.server), Int64?.some(200)), (300, 200, .client, 300),
    (200, 200, nil, 200), (nil, 200, .server, 200), (100, nil, .client, 100), (nil, nil, nil, nil),
    (.min, nil, .client, .min),
  ])
  func theLastEditIsTheNewestOfAChangedField(client: Int64?, server: Int64?, side: Side?, time: Int64?) {
    let conflict = reminder(
      client: ["title": .text("a")], at: client, server: ["title": .text("b")], at: server)
    #expect(summary(conflict).lastEdit == side)
    #expect(summary(conflict).lastEditTime == time)
  }

  /// Of the client's edits the store tells no device: they were made here, or came here without their author.
  @Test(arguments: [(Int64(100), Int64(200), String?.some("iPad")), (300, 200, nil), (200, 200, nil)])
  func theDeviceOfTheLastEditIsTold(client: Int64, server: Int64, device: String?) {
    let conflict = reminder(
      client: ["title": .text("a")], at: client, server: ["title": .text("b")], at: server,
      details: .init(serverDevice: "iPad"))
    #expect(summary(conflict).lastEditDevice == device)
  }

  @Test func itCarriesWhatTheStoreSays() {
    let conflict = reminder(details: .init(receivedAt: 7, notWritable: "read-only share"))
    #expect(summary(conflict).receivedAt == 7)
    #expect(summary(conflict).notWritable == "read-only share")
    #expect(summary(conflict).id == "42:reminders")
    #expect(summary(conflict).title == "Buy milk")
  }

  @Test(arguments: [MergeRule.server, .client]) func aClashThatAPolicyDecidesIsNotCalledNone(rule: MergeRule)
  {
    let conflict = reminder(
      client: ["title": .text("a"), "notes": .text("a")],
      server: ["title": .text("b"), "priority": .integer(2)],
      rules: MergeRules(defaultRule: rule))
    #expect(Privacy.open.why(summary(conflict).why) == "3 fields, 1 by policy")
    #expect(summary(conflict).isByPolicy && summary(conflict).counts.byPolicy == 1)
    let decided = Resolution(choices: [.field("title"): .take(.client)])
    #expect(
      Privacy.open.why(summary(conflict, decided).why) == "2 fields, no clash"
        && !summary(conflict, decided).isByPolicy)
  }
}
