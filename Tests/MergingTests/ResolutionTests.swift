import Merging
import StoreInterface
import Testing

@Suite struct ResolutionTests {
  /// One field of each certainty: title sure, notes by clock, priority the person's.
  private let conflict = RecordConflict(
    id: "42:reminders", table: "reminders", primaryKey: "42", title: "Buy milk", fields: reminderFields,
    versions: ThreeWay(
      ancestor: present(milk),
      client: .present([
        "id": FieldVersion(.text("42"), time: 0), "title": FieldVersion(.text("Buy milk"), time: 0),
        "notes": FieldVersion(.text("2 litres"), time: 100), "priority": FieldVersion(.integer(2), time: 100),
        "cover": FieldVersion(.blob(Blob(bytes: [1, 2, 3])), time: 0),
        "titleLength": FieldVersion(.integer(8), time: 0),
      ]),
      server: .present([
        "id": FieldVersion(.text("42"), time: 0), "title": FieldVersion(.text("Buy oat milk"), time: 200),
        "notes": FieldVersion(.text("1 litre"), time: 200), "priority": FieldVersion(.integer(3), time: 100),
        "cover": FieldVersion(.blob(Blob(bytes: [1, 2, 3])), time: 0),
        "titleLength": FieldVersion(.integer(12), time: 0),
      ])))

  private let title = Subject.field("title")
  private let notes = Subject.field("notes")
  private let priority = Subject.field("priority")

  @Test func onlyChangedFieldsThatCanBeWrittenAreSubjects() {
    #expect(conflict.subjects == [title, notes, priority])
    #expect(conflict["titleLength"]?.change == .onlyServer)
  }

  @Test(arguments: [
    (Certainty.sure, [Subject.field("title"): Choice.take(.server)]),
    (.byClock, [.field("title"): .take(.server), .field("notes"): .take(.server)]),
    (
      .yours,
      [.field("title"): .take(.server), .field("notes"): .take(.server), .field("priority"): .take(.client)]
    ),
  ])
  func acceptingTakesWhatIsAtLeastThisCertain(least: Certainty, expected: [Subject: Choice]) {
    #expect(conflict.accepting(least, in: Resolution()).choices == expected)
  }

  @Test(arguments: Certainty.allCases)
  func acceptingTwiceIsAcceptingOnce(least: Certainty) {
    let once = conflict.accepting(least, in: Resolution())
    #expect(conflict.accepting(least, in: once) == once)
  }

  @Test func acceptingKeepsWhatAPersonDecided() {
    let decided = Resolution(choices: [title: .take(.client), notes: .edit(.null)])
    let accepted = conflict.accepting(.yours, in: decided)
    #expect(accepted.difference(from: decided) == [priority])
  }

  @Test func decidingTwiceIsDecidingOnce() {
    var once = Resolution()
    once.decide(title, .take(.client))
    var twice = once
    twice.decide(title, .take(.client))
    #expect(once == twice)
    #expect(once[title] == .take(.client))
  }

  @Test func takingADecisionBackLeavesNothing() {
    var resolution = Resolution(choices: [title: .take(.client)])
    resolution.decide(title, nil)
    #expect(resolution == Resolution())
    #expect(resolution.isEmpty)
  }

  @Test func theDifferenceNamesWhatWasDecidedOtherwise() {
    let before = Resolution(choices: [title: .take(.client), notes: .take(.server)])
    let after = Resolution(choices: [notes: .take(.client), priority: .edit(.integer(5))])
    #expect(after.difference(from: before) == [title, notes, priority])
    #expect(before.difference(from: after) == [title, notes, priority])
    #expect(before.difference(from: before).isEmpty)
  }

  @Test(arguments: Side.allCases)
  func takingASideTakesItForEverything(side: Side) {
    let resolution = conflict.taking(side, in: Resolution(choices: [title: .edit(.text("x"))]))
    #expect(resolution.choices == [title: .take(side), notes: .take(side), priority: .take(side)])
    #expect(conflict.isReady(resolution))
  }

  @Test func takingOverwritesOnlyWhereTheSideCanBeTaken() {
    let elsewhere = reminder(server: ["cover": .blob(Blob(sha256: [9]))])
    let decided = Resolution(choices: [.field("cover"): .take(.client)])
    #expect(elsewhere.taking(.server, in: decided) == decided)
  }

  @Test func theDraftFollowsTheChoices() throws {
    let resolution = Resolution(choices: [
      title: .edit(.text("Buy soy milk")), notes: .take(.ancestor), priority: .merged(.integer(4)),
    ])
    let draft = try #require(conflict.draft(resolution))
    #expect(
      draft.action
        == .save([
          FieldDraft(name: "title", value: .text("Buy soy milk"), source: .edited),
          FieldDraft(name: "notes", value: .null, source: .ancestor),
          FieldDraft(name: "priority", value: .integer(4), source: .merged),
          FieldDraft(name: "cover", value: .blob(Blob(bytes: [1, 2, 3])), source: nil),
        ]))
  }

  @Test func thereIsNoDraftWhileSomethingIsOpen() {
    #expect(conflict.draft(conflict.accepting(.byClock, in: Resolution())) == nil)
    #expect(conflict.undecided(in: conflict.accepting(.byClock, in: Resolution())) == [priority])
  }

  @Test func noDraftHoldsThePrimaryKeyOrAGeneratedColumn() throws {
    for side in Side.allCases {
      let draft = try #require(conflict.draft(conflict.taking(side, in: Resolution())))
      #expect(draft.names == ["title", "notes", "priority", "cover"])
    }
  }

  @Test func anEditOfAnUnchangedFieldIsDraftedToo() throws {
    var resolution = conflict.accepting(.yours, in: Resolution())
    resolution.decide(.field("cover"), .edit(.null))
    let draft = try #require(conflict.draft(resolution))
    #expect(draft["cover"] == .null)
    #expect(conflict["cover"]?.draft(.edit(.null)).source == .edited)
  }

  @Test func takingASideOfAnUnchangedFieldHasNoSource() {
    #expect(conflict["cover"]?.draft(.take(.server)).source == nil)
  }

  @Test func takingOneOfTwoEqualSidesTakesBoth() {
    let same = reminder(client: ["notes": .text("2")], server: ["notes": .text("2")])
    #expect(same["notes"]?.draft(.take(.server)).source == .both)
    #expect(same["notes"]?.draft(.take(.ancestor)).source == .ancestor)
  }
}
