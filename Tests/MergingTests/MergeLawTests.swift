import Merging
import Testing

/// What holds for every field under every policy, walked over all small inputs: each of three values on each of three
/// sides, the ancestor also missing, with every order of the two times, unknown ones too.
@Suite struct MergeLawTests {
  @Test(arguments: policies)
  func anUnchangedFieldHasNothingToDecide(policy: NamedPolicy) {
    for versions in all where versions.isUnchanged {
      let suggestion = policy.suggestion(versions)
      #expect(
        suggestion == Suggestion(versions.client.value, source: nil, certainty: nil, reason: .unchanged),
        "\(versions)")
    }
  }

  @Test func aOneSidedChangeNeverAsksAPolicy() {
    let answer = Suggestion(Value.text("asked"), source: .edited, certainty: .yours, reason: .policy("asked"))
    let policy = MergePolicy<Value>(
      name: "asked", merge: { _, _, _ in answer }, reconcile: { _, _ in answer })
    for versions in all {
      let isAsked = policy.suggestion(for: versions) == answer
      let differ = versions.client.value != versions.server.value
      let bothChanged = versions.ancestor.map {
        $0.value != versions.client.value && $0.value != versions.server.value
      }
      #expect(isAsked == (bothChanged ?? differ), "\(versions)")
    }
  }

  @Test(arguments: policies)
  func aOneSidedChangeIsSure(policy: NamedPolicy) {
    for versions in all {
      guard let side = versions.onlyChangedSide else { continue }
      let value = side == .client ? versions.client.value : versions.server.value
      let expected = Suggestion(
        value, source: side == .client ? .client : .server, certainty: .sure, reason: .onlyChanged(side))
      #expect(policy.suggestion(versions) == expected, "\(versions)")
    }
  }

  @Test(arguments: policies.filter(\.choosesASide))
  func aChoosingPolicyInventsNoValue(policy: NamedPolicy) {
    for versions in all {
      let sides = [versions.ancestor?.value, versions.client.value, versions.server.value]
      #expect(sides.contains(policy.suggestion(versions).value), "\(versions)")
    }
  }

  @Test(arguments: TieRule.allCases)
  func latestNeverGoesBackToTheAncestor(tie: TieRule) {
    for versions in all where versions.isDifferent {
      let suggestion = MergePolicy<Value>.latest(tie: tie).suggestion(for: versions)
      #expect([versions.client.value, versions.server.value].contains(suggestion.value), "\(versions)")
      #expect([.client, .server].contains(suggestion.source), "\(versions)")
    }
  }

  @Test(arguments: policies)
  func aSourceIsTheTruth(policy: NamedPolicy) {
    for versions in all {
      let suggestion = policy.suggestion(versions)
      let (isClients, isServers) = (
        suggestion.value == versions.client.value, suggestion.value == versions.server.value
      )
      switch suggestion.source {
      case .client?: #expect(isClients && !isServers, "\(versions)")
      case .server?: #expect(isServers && !isClients, "\(versions)")
      case .both?: #expect(isClients && isServers, "\(versions)")
      case .ancestor?: #expect(suggestion.value == versions.ancestor?.value, "\(versions)")
      case .merged?: #expect(!isClients && !isServers, "\(versions)")
      case .edited?: Issue.record("nobody typed anything in \(versions)")
      case nil: #expect(versions.isUnchanged, "\(versions)")
      }
    }
  }

  @Test(arguments: policies)
  func swappingTheSidesSwapsTheSourcesAndNothingElse(policy: NamedPolicy) {
    let opposite = policy.swapped
    for versions in all {
      let swapped = ThreeWay(ancestor: versions.ancestor, client: versions.server, server: versions.client)
      #expect(
        SwappedSuggestion(policy.suggestion(versions).swapped)
          == SwappedSuggestion(opposite.suggestion(swapped)),
        "\(versions)")
    }
  }

  @Test(arguments: policies)
  func certaintyAndSourceComeTogether(policy: NamedPolicy) {
    for versions in all {
      let suggestion = policy.suggestion(versions)
      #expect((suggestion.certainty == nil) == versions.isUnchanged, "\(versions)")
      #expect((suggestion.source == nil) == versions.isUnchanged, "\(versions)")
    }
  }

  @Test(arguments: policies.filter { !$0.decidesWithoutAncestor })
  func withoutAnAncestorNothingIsSureUnlessBothAreEqual(policy: NamedPolicy) {
    for versions in all where versions.ancestor == nil {
      let isEqual = versions.client.value == versions.server.value
      #expect(policy.suggestion(versions).certainty == (isEqual ? .sure : .yours), "\(versions)")
    }
  }

  @Test(arguments: policies)
  func withoutAnAncestorEqualSidesAgreeUnderEveryPolicy(policy: NamedPolicy) {
    for versions in all where versions.ancestor == nil && versions.client.value == versions.server.value {
      #expect(
        policy.suggestion(versions)
          == .init(versions.client.value, source: .both, certainty: .sure, reason: .agree))
    }
  }

  @Test(arguments: policies)
  func theClockDecidesOnlyBetweenTwoKnownTimesThatDiffer(policy: NamedPolicy) {
    for versions in all {
      let suggestion = policy.suggestion(versions)
      guard case .newer(let side, let difference) = suggestion.reason else {
        #expect(suggestion.certainty != .byClock, "\(versions)")
        continue
      }
      #expect(suggestion.certainty == .byClock)
      guard let client = versions.client.time, let server = versions.server.time else {
        Issue.record("an unknown time decided \(versions)")
        continue
      }
      #expect(difference == abs(client - server) && difference > 0, "\(versions)")
      #expect(side == (client > server ? .client : .server), "\(versions)")
    }
  }

  @Test(arguments: policies)
  func onlyTheOrderOfTimesCounts(policy: NamedPolicy) {
    for versions in all {
      let later = versions.map { FieldVersion($0.value, time: $0.time.map { $0 + 1_000_000 }) }
      let (now, then) = (policy.suggestion(versions), policy.suggestion(later))
      #expect(
        (now.value, now.source, now.certainty) == (then.value, then.source, then.certainty), "\(versions)")
    }
  }

  @Test(arguments: policies)
  func theAncestorsTimeNeverCounts(policy: NamedPolicy) {
    for versions in all {
      var other = versions
      other.ancestor?.time = 5_000
      #expect(policy.suggestion(versions) == policy.suggestion(other), "\(versions)")
    }
  }

  @Test(arguments: policies)
  func aDraftMergedAgainStaysTheDraft(policy: NamedPolicy) {
    for versions in all {
      let draft = FieldVersion(policy.suggestion(versions).value, time: 300)
      let written = ThreeWay(ancestor: versions.server, client: draft, server: versions.server)
      #expect(policy.suggestion(written).value == draft.value, "\(versions)")
    }
  }

  @Test(arguments: policies)
  func noTimesTrap(policy: NamedPolicy) {
    let times: [Int64?] = [nil, .min, -1, 0, 1, .max]
    for client in times {
      for server in times {
        let versions = fieldVersions(
          Value.integer(1), .integer(2), .integer(3), clientTime: client, serverTime: server)
        let suggestion = policy.suggestion(versions)
        #expect(suggestion.certainty != nil)
        #expect(!suggestion.reason.description.isEmpty)
      }
    }
  }

  @Test func timesFurthestApartDifferByTheLargestNumber() {
    let versions = fieldVersions("a", "b", "c", clientTime: .min, serverTime: .max)
    #expect(MergePolicy.latest().suggestion(for: versions).reason == .newer(.server, by: .max))
  }

  @Test func anUnknownTimeIsNotTheEarliestTime() {
    let versions = fieldVersions("a", "b", "c", clientTime: .min, serverTime: nil)
    #expect(
      MergePolicy.latest(tie: .server).suggestion(for: versions)
        == Suggestion("b", source: .client, certainty: .yours, reason: .onlyTimeKnown(.client)))
  }

  /// Nobody knows then which is the newer, with an ancestor or without.
  @Test(arguments: [(Int64(3), nil, Side.client), (nil, Int64(3), .server)] as [(Int64?, Int64?, Side)])
  func soItIsWithoutAnAncestor(client: Int64?, server: Int64?, known: Side) {
    let versions = fieldVersions(nil, "b", "c", clientTime: client, serverTime: server)
    for tie in [TieRule.client, .server] {
      let suggestion = MergePolicy<String>.latest(tie: tie).suggestion(for: versions)
      #expect(suggestion.certainty == .yours && suggestion.value == (known == .client ? "b" : "c"))
      #expect(suggestion.reason == .noAncestorTimeOf(known))
    }
  }

  @Test func aPolicyIsAskedAboutTheSameEditToo() {
    let versions = fieldVersions(10, 15, 15)
    #expect(versions.map(\.value).change == .same)
    #expect(MergePolicy.counter.suggestion(for: versions).value == 20)
    #expect(MergePolicy<Int>.ancestor.suggestion(for: versions).value == 10)
  }
}

extension ThreeWay<FieldVersion<Value>> {
  fileprivate var isUnchanged: Bool { ancestor?.value == client.value && ancestor?.value == server.value }

  fileprivate var isDifferent: Bool { map(\.value).change == .different }

  fileprivate var onlyChangedSide: Side? {
    guard let ancestor, client.value != server.value else { return nil }
    return ancestor.value == server.value ? .client : ancestor.value == client.value ? .server : nil
  }
}
