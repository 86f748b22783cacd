import Testing

@testable import Merging

/// Deciding a record as a whole, by name.
@Suite struct AlternativeTests {
  private static let fields = [Field("title", kind: .text), Field("notes", kind: .text)]

  private static func version(_ title: String, _ notes: String) -> RecordVersion {
    .present([
      "title": FieldVersion(.text(title), time: nil), "notes": FieldVersion(.text(notes), time: nil),
    ])
  }

  private static func conflict(
    client: RecordVersion = version("C", "n"), server: RecordVersion = version("S", "m"), leaves: [Leaf] = []
  ) -> RecordConflict {
    var conflict = RecordConflict(
      id: "1", table: "docs", primaryKey: "1", title: "One", fields: fields,
      versions: ThreeWay(ancestor: version("A", "n"), client: client, server: server),
      details: .init(serverTag: leaves.dropFirst().first?.id, leaves: leaves))
    conflict.details.alternatives = conflict.versionsAsAlternatives
    return conflict
  }

  private static var threeLeaves: RecordConflict {
    let versions = [version("C", "n"), version("S", "m"), version("T", "k")]
    let leaves = versions.enumerated().map { Leaf(id: "2-\($0)", isDeleted: false, version: $1) }
    return conflict(leaves: leaves)
  }

  /// Whoever takes the one version gives up whatever the other is.
  @Test func whatIsNotKnownIsLostByWhoeverTakesAnother() {
    let conflict = Self.conflict(client: .unknown(reason: "no table has it"))
    let loss = Alternative.Loss.other("what the client has, which is not known")
    for way in conflict.versionsAsAlternatives {
      let isLost = way.id != "client"
      #expect(Losses(conflict).of(way).contains(loss) == isLost, "\(way.id)")
      #expect(Losses(conflict).givenUp(by: way).contains(GivenUp(.client, .unknown)) == isLost, "\(way.id)")
    }
  }

  @Test func bothSidesAndTheDeletionAreOfferedWithWhatEachLoses() {
    let conflict = Self.conflict()
    let offered = conflict.alternatives
    #expect(offered.map(\.id) == ["client", "server", "delete"])
    #expect(offered.map(\.words) == ["take the client's record", "take the server's record", "delete it"])
    #expect(
      offered.map(Losses(conflict).of) == [
        [.edits(by: "the server", fields: ["title", "notes"])],
        [.edits(by: "the client", fields: ["title"])],
        [
          .edits(by: "the client", fields: ["title"]), .edits(by: "the server", fields: ["title", "notes"]),
        ],
      ])
  }

  @Test func whereOneSideDeletedTheEditIsKeptOrTheDeletion() {
    let conflict = Self.conflict(server: .deleted(time: nil))
    let offered = conflict.alternatives
    #expect(offered.map(\.id) == ["client", "server"])
    #expect(offered.map(\.words) == ["keep the edit", "delete it"])
    #expect(
      offered.map(Losses(conflict).of) == [
        [.deletion(by: "the server")], [.edits(by: "the client", fields: ["title"])],
      ])
    #expect(offered.map { conflict.choice(ofAlternative: $0.id) } == [.take(.client), .take(.server)])
  }

  /// Whoever reads the tree has the ids of all of them.
  @Test func eachLeafIsMeantByItsId() {
    let meant = ["2-0", "2-1", "2-2", "2-3"].map { Self.threeLeaves.choice(ofWhole: $0) }
    #expect(meant == [.alternative("client"), .alternative("server"), .alternative("2-2"), nil])
  }

  @Test func aThirdLeafIsTakenAsItIs() throws {
    let conflict = Self.threeLeaves
    #expect(conflict.alternatives.map(\.id) == ["client", "server", "2-2", "delete"])
    let choice = try #require(conflict.choice(of: "2-2", for: .record))
    let draft = try #require(conflict.draft(Resolution(choices: [.record: choice])))
    #expect(draft["title"] == .text("T") && draft["notes"] == .text("k"))
    #expect(
      try Losses(conflict).of(#require(conflict.alternative("2-2"))).contains(
        .edits(by: "leaf 2", fields: ["title", "notes"])))
  }

  /// For every alternative of every conflict: what it writes is what is shown of it, and nothing is left to decide.
  @Test(arguments: [conflict(), conflict(server: .deleted(time: nil)), threeLeaves])
  func whatIsShownIsWhatIsWritten(conflict: RecordConflict) throws {
    for alternative in conflict.alternatives {
      let choice = conflict.choice(ofAlternative: alternative.id)
      let resolution = Resolution(choices: [.record: choice])
      #expect(conflict.refusal(of: choice, for: .record) == nil)
      #expect(conflict.undecided(in: resolution).isEmpty)
      #expect(conflict.accepting(.yours, in: resolution) == resolution)
      let draft = try #require(conflict.draft(resolution))
      guard case .save(let version) = alternative.outcome else {
        #expect(draft.action == .delete)
        continue
      }
      let shown = conflict.spelledOut(resolution)
      for field in conflict.fields {
        #expect(draft[field.name] == version.fields?[field.name]?.value)
        if !conflict.isWhole { #expect(field.draft(shown[.field(field.name)]).value == draft[field.name]) }
      }
    }
  }

  @Test func whoDecidesAFieldDecidesFieldByFieldFromThenOn() {
    let conflict = Self.conflict()
    var resolution = Resolution(choices: [.field("notes"): .take(.server)])
    resolution.decide(.record, .alternative("delete"))
    #expect(conflict.isReady(resolution))
    resolution.decide(.field("title"), .take(.client))
    #expect(resolution[.record] == nil)
    #expect(conflict.draft(resolution)?["title"] == .text("C"))
    resolution.decide(.record, .alternative("delete"))
    resolution.decide(.field("title"), nil)
    #expect(conflict.draft(resolution)?.action == .delete)
  }

  @Test func beneathADecisionAboutTheRecordNoFieldCounts() {
    var resolution = Resolution(choices: [.field("notes"): .take(.server)])
    #expect(resolution.inForce == resolution)
    resolution.decide(.record, .alternative("delete"))
    #expect(resolution.inForce == Resolution(choices: [.record: .alternative("delete")]))
    resolution.decide(.field("title"), .take(.client))
    #expect(Set(resolution.inForce.choices.keys) == [.field("notes"), .field("title")])
  }

  @Test func whatIsNotOfferedIsRefusedWithWhatIs() {
    let conflict = Self.conflict()
    let refusal = conflict.refusal(of: .alternative("both"), for: .record)
    #expect(refusal == .noSuchAlternative("both", known: ["keep", "accept", "delete"]))
    #expect(refusal?.words.contains("keep, accept, delete") == true)
    #expect(conflict.refusal(of: .alternative("delete"), for: .field("title")) != nil)
    #expect(!conflict.isReady(Resolution(choices: [.record: .alternative("both")])))
  }

  @Test func whatOnlyItsStoreCanDoIsLeftToIt() {
    var conflict = Self.conflict()
    conflict.details.alternatives.append(
      Alternative(id: "both", words: "keep both", outcome: .own))
    let draft = conflict.draft(Resolution(choices: [.record: .alternative("both")]))
    #expect(draft?.action == .alternative("both"))
  }

  /// A value that is refused for a field is refused for the record, too.
  @Test func aVersionThatAFieldCannotTakeIsRefused() {
    let fields = [Field("title", kind: .text, isRequired: true)]
    let none = RecordVersion.present(["title": FieldVersion(.null, time: nil)])
    var conflict = RecordConflict(
      id: "1", table: "t", primaryKey: "1", title: "One", fields: fields,
      versions: ThreeWay(ancestor: nil, client: Self.version("C", "n"), server: none))
    conflict.details.alternatives = conflict.versionsAsAlternatives
    #expect(conflict.refusal(of: .alternative("server"), for: .record) == .required(field: "title"))
    #expect(conflict.refusal(of: .alternative("client"), for: .record) == nil)
  }

  /// A column that an app has added since: the other side's version does not know it, and nothing is done to it.
  @Test func whatAVersionDoesNotKnowIsNotLost() {
    let client = RecordVersion.present([
      "title": FieldVersion(.text("C"), time: nil), "notes": FieldVersion(.text("red"), time: nil),
    ])
    let server = RecordVersion.present(["title": FieldVersion(.text("S"), time: nil)])
    let ancestor = RecordVersion.present(["title": FieldVersion(.text("A"), time: nil)])
    var conflict = RecordConflict(
      id: "1", table: "t", primaryKey: "1", title: "One", fields: Self.fields,
      versions: ThreeWay(ancestor: ancestor, client: client, server: server))
    conflict.details.alternatives = conflict.versionsAsAlternatives
    #expect(
      conflict.alternative("server").map(Losses(conflict).of) == [
        .edits(by: "the client", fields: ["title"])
      ])
  }

  /// Nobody knows what a leaf without a value would make of it, and neither does the ancestor: it is left alone.
  @Test func whatALeafDoesNotKnowIsNotLostAmongManyEither() throws {
    let known = Self.version("C", "n")
    let bare = RecordVersion.present(["title": FieldVersion(.text("C"), time: nil)])
    let leaves = (0..<6).map { Leaf(id: "2-\($0)", isDeleted: false, version: $0 == 3 ? bare : known) }
    var conflict = RecordConflict(
      id: "1", table: "docs", primaryKey: "1", title: "One", fields: Self.fields,
      versions: ThreeWay(ancestor: nil, client: known, server: known), details: .init(leaves: leaves))
    conflict.details.alternatives = conflict.versionsAsAlternatives
    #expect(try Losses(conflict).of(#require(conflict.alternative("2-3"))).isEmpty)
  }

  @Test func whatManyLeavesLoseIsToldTogether() throws {
    let leaves = (0..<40).map {
      Leaf(id: "2-\($0)", isDeleted: false, version: Self.version("T\($0)", $0 == 7 ? "k" : "n"))
    }
    let conflict = Self.conflict(
      client: leaves[0].version, server: leaves[1].version, leaves: leaves)
    let losses = Losses(conflict)
    #expect(
      try losses.of(#require(conflict.alternative("2-7"))) == [
        .edits(by: "any other leaf", fields: ["title"])
      ])
    #expect(
      try losses.of(#require(conflict.alternative("client"))) == [
        .edits(by: "any other leaf", fields: ["title", "notes"])
      ])
    #expect(
      try losses.of(#require(conflict.alternative("delete"))) == [
        .edits(by: "any leaf", fields: ["title", "notes"])
      ])
  }
}
