import Merging
import StoreInterface
import Testing

@Suite struct ChoiceRefusalTests {
  private let conflict = reminder(
    client: ["title": .text("Oat milk"), "priority": .integer(2)],
    server: ["title": .null, "priority": .text("high"), "notes": .text("2 litres")])

  @Test(arguments: [
    (Subject.field("id"), Choice.take(.client), ChoiceRefusal.notWritable("id")),
    (.field("id"), .edit(.text("43")), .notWritable("id")),
    (.field("titleLength"), .edit(.integer(1)), .notWritable("titleLength")),
    (.field("title"), .edit(.null), .required(field: "title")),
    (.field("title"), .take(.server), .required(field: "title")),
    (.field("title"), .edit(.integer(1)), .wrongType(field: "title", expected: .text)),
    (.field("priority"), .edit(.text("2")), .wrongType(field: "priority", expected: .integer)),
    (.field("priority"), .merged(.real(2)), .wrongType(field: "priority", expected: .integer)),
    (.field("cover"), .edit(.text("x")), .wrongType(field: "cover", expected: .blob)),
    (.field("colour"), .take(.client), .nothingToDecide),
    (.record, .take(.client), .nothingToDecide),
  ])
  func aChoiceThatCannotBeWrittenIsRefused(subject: Subject, choice: Choice, expected: ChoiceRefusal) {
    #expect(conflict.refusal(of: choice, for: subject) == expected)
  }

  @Test(arguments: [
    (Subject.field("title"), Choice.take(.client)), (.field("title"), .edit(.text(""))),
    (.field("notes"), .edit(.null)), (.field("priority"), .edit(.integer(.min))),
    (.field("cover"), .edit(.null)),
    // A value of another type than the column's is in the store already, so the store takes it.
    (.field("priority"), .take(.server)),
  ])
  func aChoiceThatCanBeWrittenIsNot(subject: Subject, choice: Choice) {
    #expect(conflict.refusal(of: choice, for: subject) == nil)
  }

  /// What nobody can take is not suggested, however sure it would be.
  @Test func aNullThatTheFieldCannotHoldIsNotSuggested() {
    for client in [["title": Value.text("Oat milk")], [:]] {
      let conflict = reminder(client: client, server: ["title": .null])
      let suggestion = conflict["title"]?.suggestion
      #expect(suggestion?.certainty == .yours && suggestion?.source == nil && suggestion?.reason == .required)
      #expect(conflict.undecided(in: conflict.accepting(.yours, in: Resolution())) == [.field("title")])
    }
    let allowed = reminder(client: [:], server: ["priority": .null])["priority"]?.suggestion
    #expect(allowed?.certainty == .sure && allowed?.source == .server)
  }

  /// Nor is a key that points to nothing here, be it one side's, the newer or what both agree on; whoever gives it decides so.
  @Test func aKeyThatPointsNowhereIsNotSuggested() {
    var details = RecordConflict.Details()
    details.unreferenced = ["title": [.text("gone")]]
    for client in [["title": Value.text("mine")], [:], ["title": .text("gone")]] {
      let merged = reminder(client: client, server: ["title": .text("gone")])
      let conflict = RecordConflict(
        id: merged.id, table: merged.table, primaryKey: merged.primaryKey, title: merged.title,
        fields: merged.fields.map(\.field), versions: merged.versions, rules: merged.rules, details: details)
      let suggestion = conflict["title"]?.suggestion
      #expect(suggestion?.certainty == .yours && suggestion?.reason == .pointsNowhere, "\(client)")
      #expect(suggestion?.source == nil)
      #expect(conflict.undecided(in: conflict.accepting(.yours, in: Resolution())) == [.field("title")])
      #expect(conflict.refusal(of: .take(.server), for: .field("title")) == nil)
      #expect(
        conflict.merged(by: MergeRules(rules: [MergeRules.defaultEntry: .server]))["title"]?.suggestion.reason
          == .pointsNowhere)
    }
    let there = reminder(client: [:], server: ["title": .text("there")])
    #expect(there["title"]?.suggestion.certainty == .sure)
  }

  @Test func anyColumnTakesEveryTypeExceptNULLWhereItIsRequired() {
    let values: [Value] = [
      .integer(1), .real(1), .text(""), .blob(Blob(bytes: [])), .opaque(kind: "x", bytes: []),
    ]
    for value in values {
      #expect(Field("x").refusal(of: value) == nil)
      #expect(Field("x", isRequired: true).refusal(of: value) == nil)
    }
    #expect(Field("x").refusal(of: .null) == nil)
    #expect(Field("x", isRequired: true).refusal(of: .null) == .required(field: "x"))
  }

  @Test func aFieldASideDoesNotKnowCannotBeTakenFromIt() {
    let conflict = reminder(
      ancestor: nil, client: present(["notes": .null]),
      server: present(["notes": .text("x"), "priority": .null]))
    #expect(conflict.refusal(of: .take(.client), for: .field("priority")) == .sideHasNoVersion(.client))
    #expect(conflict.refusal(of: .take(.ancestor), for: .field("notes")) == .sideHasNoVersion(.ancestor))
  }

  @Test func aRefusedSuggestionStaysOpen() {
    let resolution = conflict.accepting(.yours, in: Resolution())
    #expect(conflict.undecided(in: resolution) == [.field("title")])
  }

  @Test func aChoiceThatIsRefusedByNowIsOpenAgain() {
    var resolution = conflict.accepting(.yours, in: Resolution())
    resolution.decide(.field("title"), .edit(.null))
    #expect(conflict.undecided(in: resolution) == [.field("title")])
    #expect(conflict.draft(resolution) == nil)
    resolution.decide(.field("title"), .edit(.text("Oat milk")))
    resolution.decide(.field("cover"), .edit(.integer(1)))
    #expect(conflict.undecided(in: resolution) == [.field("cover")], "an edit of an unchanged field")
  }

  @Suite struct WithoutTheServersArchive {
    private let conflict = reminder(
      client: ["title": .text("Oat milk"), "priority": .integer(2), "notes": .text("2 litres")],
      server: ["title": .text("Soy milk"), "notes": .text("1 litre")],
      details: .init(ancestorNotChoosable: "no archive"))
    private let refusal = ChoiceRefusal.ancestorNotChoosable("no archive")

    @Test func theAncestorsValueCannotComeBack() {
      #expect(conflict.refusal(of: .take(.ancestor), for: .field("title")) == refusal)
      #expect(conflict.refusal(of: .take(.client), for: .field("title")) == nil)
    }

    @Test func typingTheAncestorsValueIsTheSame() {
      #expect(conflict.refusal(of: .edit(.text("Buy milk")), for: .field("title")) == refusal)
      #expect(conflict.refusal(of: .merged(.null), for: .field("notes")) == refusal)
      #expect(conflict.refusal(of: .edit(.text("Rice milk")), for: .field("title")) == nil)
    }

    /// The client never changed its title, so for the engine there is nothing to keep.
    @Test func theClientsValueIsTheAncestorsWhereItMadeNoEdit() {
      let conflict = reminder(
        client: [:], server: ["title": .text("Soy milk")], details: .init(ancestorNotChoosable: "no archive"))
      #expect(conflict.refusal(of: .take(.client), for: .field("title")) == refusal)
      #expect(conflict.refusal(of: .take(.server), for: .field("title")) == nil)
    }

    @Test func aValueThatTheServerStillHasCanBeTaken() {
      #expect(conflict.refusal(of: .take(.ancestor), for: .field("priority")) == nil)
      #expect(conflict.refusal(of: .take(.server), for: .field("priority")) == nil)
      #expect(conflict.refusal(of: .take(.ancestor), for: .field("cover")) == nil)
    }

    @Test func takingTheAncestorLeavesTheRestOpen() {
      let resolution = conflict.taking(.ancestor, in: Resolution())
      #expect(conflict.undecided(in: resolution) == [.field("title"), .field("notes")])
    }
  }
}
