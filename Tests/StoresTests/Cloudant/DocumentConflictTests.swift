import Merging
import Telling
import Testing

@testable import CloudantStores
@testable import Samples
@testable import StoreInterface

@Suite struct DocumentConflictTests {
  private func conflict(_ revisions: [SampleRevision]) throws -> RecordConflict {
    try Datastore([("milk", revisions)]).open(.reading).conflict("milk")
  }

  @Test func theWinnerIsTheClientAndTheNextLeafTheServer() throws {
    let conflict = try conflict([
      SampleRevision("1-x", #"{"title":"Milk"}"#), SampleRevision("2-x", on: "1-x", #"{"title":"Oat"}"#),
      SampleRevision("3-x", on: "2-x", #"{"title":"Oat milk"}"#),
      SampleRevision("2-y", on: "1-x", #"{"title":"Soy"}"#),
    ])
    #expect(conflict.liveLeaves.map(\.id) == ["3-x", "2-y"])
    #expect((conflict.details.ancestorTag, conflict.details.serverTag) == ("1-x", "2-y"))
    let title = try #require(conflict["title"])
    #expect(
      Side.allCases.map { title.version($0)?.value } == [.text("Milk"), .text("Oat milk"), .text("Soy")])
    #expect(
      (title.suggestion.certainty, title.suggestion.reason) == (.yours, .sameTime(nil, tieRule: .client)))
    #expect((conflict.title, conflict.table, conflict.kind) == ("Oat milk", "docs", .edit))
  }

  @Test func removingAKeyIsAnEdit() throws {
    let conflict = try conflict([
      SampleRevision("1-x", #"{"a":1,"b":1}"#), SampleRevision("2-x", on: "1-x", #"{"a":2,"b":1}"#),
      SampleRevision("2-y", on: "1-x", #"{"a":1,"c":1}"#),
    ])
    #expect(conflict["b"]?.change == .onlyClient && conflict["b"]?.suggestion.value == .missing)
    #expect(conflict["c"]?.suggestion.value == .integer(1))
    #expect(conflict["a"]?.field.kind == .integer)
    #expect(conflict.fields.map(\.name) == ["a", "b", "c"])
  }

  @Test func anAncestorThatIsNotKeptIsToldWithTheNearestOneThatIs() throws {
    let conflict = try conflict([
      SampleRevision("1-x", #"{"a":1}"#), SampleRevision("2-x", on: "1-x", nil),
      SampleRevision("3-x", on: "2-x", #"{"a":2}"#), SampleRevision("3-y", on: "2-x", #"{"a":3}"#),
    ])
    #expect(conflict.versions.ancestor == .unknown(reason: "not kept (compacted, or never replicated here)"))
    #expect((conflict.kind, conflict.certainty) == (.noAncestor, .yours))
    #expect(conflict["a"]?.ancestor == nil)
    #expect(
      conflict.details.notes == [
        "The common ancestor 2-x is not kept (compacted, or never replicated here). "
          + "The nearest older one that is kept is 1-x; it is a hint only."
      ])
    // A report to strangers tells no revision, of which all that a document holds may be guessed.
    let told = Privacy.redacted(by: RedactionKey()).notes(of: conflict).joined()
    #expect(told.hasPrefix("The common ancestor #") && !told.contains("2-x") && !told.contains("1-x"))
    #expect(Privacy.open.notes(of: conflict) == conflict.details.notes)
  }

  /// As the tags and leaves of the same report are called.
  @Test func aNoteCallsARevisionInAReportByAllOfItsId() throws {
    let (first, second) = ("1-0123456789abcdef", "2-fedcba9876543210")
    let conflict = try conflict([
      SampleRevision(first, #"{"a":1}"#), SampleRevision(second, on: first, nil),
      SampleRevision("3-x", on: second, #"{"a":2}"#), SampleRevision("3-y", on: second, #"{"a":3}"#),
    ])
    let privacy = Privacy.redacted(by: RedactionKey())
    let told = privacy.notes(of: conflict).joined()
    for id in [first, second] { #expect(told.contains(" \(privacy.shown(id))"), "\(told)") }
    let shown = Privacy.hidden.notes(of: conflict)
    #expect(shown == conflict.details.notes && !shown.joined().contains(second))
  }

  @Test func aLeafThatCannotBeReadIsNotDeletedUnseen() throws {
    let conflict = try conflict([
      SampleRevision("1-x", #"{"a":1}"#), SampleRevision("2-x", on: "1-x", #"{"a":2}"#),
      SampleRevision("2-w", on: "1-x", "{oops"),
    ])
    #expect(conflict.details.notWritable != nil)
    #expect(conflict.versions.server.isUnknown)
  }

  @Test func anEmptyBodyIsADocumentWithoutKeys() throws {
    let conflict = try conflict([
      SampleRevision("1-x", ""), SampleRevision("2-x", on: "1-x", #"{"a":1}"#),
      SampleRevision("2-w", on: "1-x", "{}"),
    ])
    #expect(conflict["a"]?.change == .onlyClient)
    #expect(conflict["a"]?.server?.value == .missing)
  }

  @Test func attachmentsAreFieldsOfTheirOwn() throws {
    let conflict = try conflict([
      SampleRevision("1-x", "{}"),
      SampleRevision("2-x", on: "1-x", "{}", attachments: [SampleAttachment("cover", "new cover")]),
      SampleRevision("2-w", on: "1-x", #"{"a":1}"#),
    ])
    let cover = try #require(conflict["_attachments/cover"])
    #expect((cover.change, cover.server?.value, cover.ancestor?.value) == (.onlyClient, .missing, .missing))
    let told = try #require(cover.client?.value.jsonText)
    #expect(
      told.hasPrefix(#"{"content_type":"text/plain","digest":"sha1-"#) && told.hasSuffix(#"","length":9}"#))
    #expect(conflict.fields.last?.name == "_attachments/cover")
  }

  static let composed = "\u{e9}"
  static let decomposed = "e\u{301}"
  static let renaming = "its leaves spell a name in two Unicode normal forms, of which a write would keep one"

  /// To a String both are one name. Which of them counted was drawn anew at each start, and a write renamed the other.
  @Test func aKeyInTwoNormalFormsIsShownAsTheWinnerSpellsItAndRenamedByNobody() throws {
    let datastore = try Datastore([
      (
        "milk",
        [
          SampleRevision("1-x", "{\"\(Self.composed)\":1,\"t\":1}"),
          SampleRevision("2-b", on: "1-x", "{\"\(Self.composed)\":1,\"t\":2}"),
          SampleRevision("2-c", on: "1-x", "{\"\(Self.decomposed)\":1,\"t\":1}"),
        ]
      )
    ])
    let store = try datastore.open()
    let conflict = try store.conflict("milk")
    #expect(conflict.fields.map { Array($0.name.utf8) } == [Array(Self.decomposed.utf8), Array("t".utf8)])
    #expect(conflict.details.notWritable == Self.renaming)
    #expect(conflict.details.notes.contains { $0.hasSuffix("has it: “\(Self.decomposed)”.") })
    let before = try datastore.rows("milk")
    for action in [Draft.Action.delete, .save([])] {
      let planned = PlannedWrite(seen: conflict, draft: Draft(id: "milk", action: action))
      #expect(try store.write([planned], note: nil).map(\.outcome) == [.refused(field: nil, Self.renaming)])
    }
    #expect(try datastore.rows("milk") == before)
  }

  @Test func anAttachmentInTwoNormalFormsIsRenamedByNobody() throws {
    let conflict = try conflict([
      SampleRevision("1-x", "{}"),
      SampleRevision("2-b", on: "1-x", "{}", attachments: [SampleAttachment(Self.composed, "one")]),
      SampleRevision("2-c", on: "1-x", "{}", attachments: [SampleAttachment(Self.decomposed, "two")]),
    ])
    #expect(conflict.details.notWritable == Self.renaming)
    // The name of a file is somebody's.
    let told = Privacy.redacted(by: RedactionKey()).notes(of: conflict).joined()
    #expect(told.contains("Unicode normal forms") && !told.contains(Self.decomposed))
  }

  /// What the leaves agree on is theirs, however it was spelled before.
  @Test func howTheAncestorSpelledANameKeepsNobodyFromWriting() throws {
    let datastore = try Datastore([
      (
        "milk",
        [
          SampleRevision("1-x", "{\"\(Self.composed)\":1,\"t\":1}"),
          SampleRevision("2-b", on: "1-x", "{\"\(Self.decomposed)\":1,\"t\":2}"),
          SampleRevision("2-c", on: "1-x", "{\"\(Self.decomposed)\":2,\"t\":1}"),
        ]
      )
    ])
    #expect(try datastore.open().resolve("milk") == .fine)
    let written = Array(" current {\"\(Self.decomposed)\":2,\"t\":2}".utf8)
    #expect(try datastore.rows("milk").contains { Array($0.utf8.suffix(written.count)) == written })
  }

  @Test func rowsOfOneRevisionAreNoConflict() throws {
    let datastore = try Datastore([("milk", [SampleRevision("1-x", #"{"a":1}"#)])], platform: .android)
    try datastore.repeatRows()
    let store = try datastore.open(.reading)
    #expect(try summaries(of: store).isEmpty)
    #expect(try findings(of: store).map(\.id) == ["repeated:milk"])
    #expect(throws: StoreError.noSuchRecord(id: "milk")) { try store.conflict("milk") }
  }

  @Test func hundredsOfLeavesAreListedAndDrawn() throws {
    let leaves = (1...840).map { SampleRevision("7-root\($0)", on: "6-root", #"{"a":\#($0)}"#) }
    let store = try Datastore([("big", [SampleRevision("6-root", #"{"a":0}"#)] + leaves)]).open()
    #expect(try store.conflict("big").liveLeaves.count == 840)
    #expect(try store.tree("big")?.lines().count == 7)
    #expect(try store.resolve("big", [.field("a"): .edit(.integer(-1))]) == .fine)
    #expect(try summaries(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict("big").liveLeaves.count == 840)
  }

  @Test func theFirstPageIsReadFromTheIndexAlone() throws {
    let store = try Datastore(OpenDatastoreTests.inConflict).open(.reading)
    let plan = try store.readDocuments { reader in
      var lines: [String] = []
      try reader.db.forEachRow(
        "EXPLAIN QUERY PLAN " + CandidateQuery.sql(reader.schema), [.integer(.max), .integer(10)]
      ) { lines.append($0.text(3)) }
      return lines
    }
    #expect(plan == ["SEARCH revs USING COVERING INDEX revs_current (doc_id<?)"])
  }
}
