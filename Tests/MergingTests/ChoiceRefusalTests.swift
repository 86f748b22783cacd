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
      .integer(1), .real(1), .real(.infinity), .real(-.infinity), .text(""), .blob(Blob(bytes: [])),
    ]
    for value in values {
      #expect(Field("x").refusal(of: value) == nil)
      #expect(Field("x", isRequired: true).refusal(of: value) == nil)
    }
    #expect(Field("x").refusal(of: .null) == nil)
    #expect(Field("x", isRequired: true).refusal(of: .null) == .required(field: "x"))
  }

  private static func json(_ text: String) -> Value {
    .opaque(kind: Value.jsonKind, bytes: Array(text.utf8))
  }

  private static let parts: [Value] = [
    .opaque(kind: "CKLocation", bytes: [0]), .missing, json("[1]"),
    .opaque(kind: Value.attachmentKind, bytes: Array("{}".utf8)),
  ]

  /// SQLite keeps NULL for what is not a number, and parts of a document are none of its values.
  @Test(arguments: parts + [.real(.nan), .real(.signalingNaN), .real(-.nan)])
  func noColumnTakesWhatIsNotKeptThereAsItIs(value: Value) {
    for kind in [Field.Kind.any, .numeric, .real] {
      let field = Field("x", kind: kind)
      #expect(field.refusal(of: value) != nil)
      let conflict = record(field, .null, .integer(1))
      for choice in [Choice.edit(value), .merged(value)] {
        #expect(conflict.refusal(of: choice, for: .field("x")) != nil)
      }
      // What a side has its store took.
      let own = record(field, value, .integer(1))
      #expect(own.refusal(of: .take(.client), for: .field("x")) == nil)
    }
  }

  private func record(_ field: Field, _ client: Value, _ server: Value) -> RecordConflict {
    RecordConflict(
      id: "1:a", table: "a", primaryKey: "1", title: "", fields: [field],
      versions: ThreeWay(
        ancestor: .present([field.name: FieldVersion(.integer(0), time: 1)]),
        client: .present([field.name: FieldVersion(client, time: 2)]),
        server: .present([field.name: FieldVersion(server, time: 2)])))
  }

  private static let unread = ["1e400", "-1e999", #""\ud800""#, #"["\udc00",1]"#, #"{"a":[1,{"b":9E999}]}"#]

  /// Neither infinity nor bytes are JSON, and of JSON a person gives what apps can read.
  @Test(
    arguments: [
      Value.real(.nan), .real(.infinity), .real(-.infinity), .opaque(kind: "CKLocation", bytes: [0]),
      .opaque(kind: Value.attachmentKind, bytes: Array("{}".utf8)), .blob(Blob(bytes: [])),
    ] + unread.map(json))
  func aDocumentTakesJSONThatAppsRead(value: Value) {
    let field = Field("x", form: .json)
    let conflict = record(field, .integer(1), .integer(2))
    for choice in [Choice.edit(value), .merged(value)] {
      #expect(conflict.refusal(of: choice, for: .field("x")) != nil, "\(value)")
    }
    #expect(record(field, value, .integer(1)).refusal(of: .take(.client), for: .field("x")) == nil)
  }

  @Test(arguments: [
    Value.missing, .null, json("[1.10,true]"), json("12345678901234567890123"), json("1e-400"),
  ])
  func aDocumentTakesAllOtherJSON(value: Value) {
    let conflict = record(Field("x", form: .json), .integer(1), .integer(2))
    #expect(conflict.refusal(of: .edit(value), for: .field("x")) == nil)
  }

  /// Of a list that has such an element another one can be changed.
  @Test(arguments: unread)
  func whatASideHasOfItStaysAsItIs(text: String) {
    let conflict = record(Field("x", form: .json), Self.json("[1,\(text)]"), Self.json("[2]"))
    #expect(conflict.refusal(of: .edit(Self.json("[3,\(text)]")), for: .field("x")) == nil)
    #expect(conflict.refusal(of: .merged(Self.json(#"{"a":[\#(text)]}"#)), for: .field("x")) == nil)
    #expect(conflict.refusal(of: .edit(Self.json("[\(text),1E500]")), for: .field("x")) != nil)
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
