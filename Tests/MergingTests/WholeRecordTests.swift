import Merging
import StoreInterface
import Telling
import Testing

/// Every combination of what a side can know of a record: it is there, edited, deleted, was never there, is not readable.
@Suite struct WholeRecordTests {
  static let edited = present(milk.merging(["title": .text("Buy oat milk")]) { $1 }, time: 100)
  static let sides: [RecordVersion] = [
    present(milk), edited, .deleted(time: 50), .deleted(time: nil), .absent, .unknown(reason: "no archive"),
  ]
  static let conflicts: [RecordConflict] = (sides.map(Optional.some) + [nil]).flatMap { ancestor in
    sides.flatMap { client in
      sides.map { server in reminder(ancestor: ancestor, client: client, server: server) }
    }
  }

  @Test func itIsDecidedFieldByFieldOnlyIfBothSidesHaveIt() {
    for conflict in Self.conflicts {
      let areThere = conflict.versions.client.isPresent && conflict.versions.server.isPresent
      #expect(conflict.isWhole == !areThere)
      #expect((conflict.wholeReason == nil) == areThere)
    }
  }

  @Test func theKindSaysWhichSideLostIt() {
    for conflict in Self.conflicts {
      let (client, server) = (conflict.versions.client, conflict.versions.server)
      switch conflict.kind {
      case .deletedOnServer: #expect(server.isGone && (server.isDeleted || client.isGone))
      case .deletedOnClient: #expect(client.isDeleted && !server.isGone)
      case .onlyOnServer: #expect(client == .absent && !server.isGone)
      case .onlyOnClient: #expect(server == .absent && !client.isGone)
      case .edit: #expect(!client.isGone && !server.isGone && conflict.versions.ancestor?.isPresent == true)
      case .noAncestor:
        #expect(!client.isGone && !server.isGone && conflict.versions.ancestor?.isPresent != true)
      }
    }
  }

  @Test func itIsOneDecisionUnlessNeitherSideHasIt() {
    for conflict in Self.conflicts where conflict.isWhole {
      let isGone = conflict.versions.client.isGone && conflict.versions.server.isGone
      #expect(conflict.subjects == (isGone ? [] : [.record]))
      #expect(conflict.certainty == (isGone ? .sure : .yours))
    }
  }

  @Test func theSuggestionNeverLosesAnEdit() {
    for conflict in Self.conflicts {
      let (client, server) = (conflict.versions.client, conflict.versions.server)
      let expected: Choice? =
        client.isPresent && server.isGone
        ? .take(.client) : client.isGone && server.isPresent ? .take(.server) : nil
      #expect(conflict.wholeSuggestion == expected)
    }
  }

  /// Of a file that was edited here and then deleted: to take the other side loses the edit.
  @Test func nothingIsSuggestedThatLosesAnotherEdit() {
    for var conflict in Self.conflicts {
      guard let side = conflict.wholeSuggestion?.side else { continue }
      let loss = Alternative.Loss.values(of: "the earlier upload", fields: ["title"])
      for losses in [[], [loss]] {
        conflict.details.alternatives = [
          Alternative(id: side.rawValue, words: "take it", outcome: .delete, ownLosses: losses)
        ]
        #expect(conflict.wholeSuggestion == (losses.isEmpty ? .take(side) : nil))
      }
      #expect(conflict.accepting(.yours, in: Resolution()).isEmpty)
    }
  }

  @Test func noFieldIsDecidedAlone() {
    for conflict in Self.conflicts where conflict.isWhole {
      for side in Side.allCases {
        #expect(conflict.refusal(of: .take(side), for: .field("title")) == .decidedAsAWhole(known: []))
      }
      #expect(conflict.fields.allSatisfy { $0.suggestion.certainty == nil && $0.suggestion.source == nil })
    }
  }

  /// A file of which one side has only the deletion can go on with a third text.
  @Test func whereItsStoreTakesOneAValueOfAPersonsOwnDecidesIt() throws {
    let typed = Choice.edit(.text("Buy both"))
    let resolution = Resolution(choices: [.record: typed])
    for var conflict in Self.conflicts where conflict.subjects == [.record] {
      #expect(conflict.refusal(of: typed, for: .record) != nil)
      conflict.details.ownValue = OwnValue(field: "title", words: "save it")
      #expect(conflict.refusal(of: typed, for: .record) == nil && conflict.isReady(resolution))
      #expect(conflict.refusal(of: .edit(.integer(1)), for: .record) != nil)
      #expect(conflict.accepting(.yours, in: resolution) == resolution)
      let draft = try #require(conflict.draft(resolution))
      guard case .save(let fields) = draft.action else {
        Issue.record("\(draft)")
        continue
      }
      #expect(fields.first { $0.name == "title" }?.source == .edited && draft["title"] == .text("Buy both"))
      #expect(conflict.spelledOut(resolution)[.field("title")] == typed)
      let losses = Losses(conflict).of(try #require(conflict.alternative(in: resolution)))
      for side in [Side.client, .server] where conflict.version(side).isDeleted {
        #expect(losses.contains(.deletion(by: "the \(side.rawValue)")))
      }
    }
  }

  @Test func onlyASideThatIsKnownCanBeTaken() {
    for conflict in Self.conflicts {
      for side in [Side.client, .server] {
        let refusal = conflict.refusal(of: .take(side), for: .record)
        let expected: ChoiceRefusal? =
          conflict.subjects != [.record]
          ? .nothingToDecide
          : conflict.version(side).isUnknown || conflict.version(side) == .absent
            ? .sideHasNoVersion(side) : nil
        #expect(refusal == expected)
      }
    }
  }

  @Test func aWholeRecordIsNeitherTakenFromTheAncestorNorTyped() {
    for conflict in Self.conflicts where conflict.subjects == [.record] {
      #expect(conflict.refusal(of: .take(.ancestor), for: .record) == .ancestorIsNoWay)
      #expect(conflict.refusal(of: .edit(.null), for: .record) == .decidedAsAWhole(known: []))
    }
  }

  @Test func theDraftIsWhatTheTakenSideHas() {
    for conflict in Self.conflicts where conflict.subjects == [.record] {
      for side in [Side.client, .server] {
        let draft = conflict.draft(conflict.taking(side, in: Resolution()))
        switch conflict.version(side) {
        case .present(let fields):
          #expect(draft?["title"] == fields["title"]?.value)
          #expect(draft?.names == ["title", "notes", "priority", "cover"])
        case .deleted: #expect(draft == Draft(id: "42:reminders", action: .delete))
        case .absent, .unknown: #expect(draft == nil)
        }
      }
    }
  }

  @Test func aChoiceOfAnUnknownSideNeverBecomesADeletion() {
    for conflict in Self.conflicts where conflict.versions.server.isUnknown {
      let resolution = Resolution(choices: [.record: .take(.server)])
      #expect(!conflict.isReady(resolution) || !conflict.isWhole)
      #expect(conflict.draft(resolution)?.action != .delete)
    }
  }

  @Test func whatNeitherSideHasIsDeletedWithoutAsking() {
    for conflict in Self.conflicts where conflict.versions.client.isGone && conflict.versions.server.isGone {
      #expect(conflict.draft(Resolution()) == Draft(id: "42:reminders", action: .delete))
      #expect(
        Privacy.open.why(ConflictSummary(conflict, resolution: Resolution()).why) == "client and server agree"
      )
    }
  }

  @Test func acceptingEverythingKeepsTheEditAndNothingLessDecides() {
    for conflict in Self.conflicts where conflict.isWhole {
      #expect(conflict.accepting(.byClock, in: Resolution()).isEmpty)
      #expect(conflict.accepting(.yours, in: Resolution())[.record] == conflict.wholeSuggestion)
    }
  }

  @Test func theFieldsTellWhatThePresentSideChanged() {
    let conflict = reminder(ancestor: present(milk), client: .deleted(time: 9), server: Self.edited)
    #expect(conflict["title"]?.change == .onlyServer)
    #expect(conflict["notes"]?.change == .unchanged)
    #expect(conflict.wholeReason == .deletedAgainstEdit(deleted: .client))
  }

  /// Where nobody knows that it was deleted nobody takes it for that.
  @Test func whatOneSideHasNoRecordOfIsNoDeletion() {
    for (client, server) in [(RecordVersion.absent, Self.edited), (Self.edited, .absent)] {
      let conflict = reminder(ancestor: nil, client: client, server: server)
      let there: Side = client == .absent ? .server : .client
      #expect(conflict.wholeReason == .onlyOn(there) && conflict.wholeSuggestion == .take(there))
      #expect(conflict.kind == (there == .server ? .onlyOnServer : .onlyOnClient))
      #expect(conflict.givenUp(by: .take(there), for: .record).isEmpty)
      #expect(conflict.versionsAsAlternatives.map(\.id) == [there.rawValue, "delete"])
      let summary = ConflictSummary(conflict, resolution: Resolution())
      #expect(summary.stateWords == (there == .server ? "! not here" : "! not there"))
    }
  }

  @Test func aFieldTheTakenSideDoesNotKnowKeepsTheAncestorsValue() throws {
    var older = milk
    older["priority"] = nil
    let conflict = reminder(ancestor: present(milk), client: .deleted(time: nil), server: present(older))
    let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
    #expect(draft["priority"] == .integer(1))
  }

  @Test func aFieldNobodyKnowsIsLeftToTheStoresDefault() throws {
    var older = milk
    older["priority"] = nil
    let conflict = reminder(ancestor: nil, client: .deleted(time: nil), server: present(older))
    let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
    #expect(draft.names == ["title", "notes", "cover"])
  }

  @Test func aRecordWhoseBytesAreNotHereCannotBeTakenWhole() {
    let elsewhere = milk.merging(["cover": .blob(Blob(sha256: [9]))]) { $1 }
    let conflict = reminder(ancestor: present(milk), client: .deleted(time: nil), server: present(elsewhere))
    #expect(conflict.refusal(of: .take(.server), for: .record) == .notAtHand(.server))
    #expect(conflict.refusal(of: .take(.client), for: .record) == nil)
    #expect(conflict.accepting(.yours, in: Resolution()).isEmpty)
  }
}

extension Draft {
  var names: [String]? {
    if case .save(let fields) = action { fields.map(\.name) } else { nil }
  }
}
