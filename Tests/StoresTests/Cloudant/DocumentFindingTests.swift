import Foundation
import Merging
import Telling
import Testing

@testable import CloudantStores
@testable import RevisionTrees
@testable import Samples
@testable import StoreInterface

/// What is wrong with documents beside their conflicts, and what mends it.
@Suite struct DocumentFindingTests {
  static let lost = [
    SampleRevision("1-x", #"{"a":1}"#), SampleRevision("2-live", on: "1-x", #"{"a":2}"#),
    SampleRevision.tombstone("2-del", on: "1-x"),
  ]
  static let old = [
    SampleRevision("8-a", #"{"a":8}"#), SampleRevision("9-a", on: "8-a", #"{"a":9}"#),
    SampleRevision("3-a", #"{"a":3}"#),
  ]
  static let twice = [SampleRevision("1-a", #"{"a":1}"#), SampleRevision("1-b", #"{"a":2}"#)]

  private func finding(_ revisions: [SampleRevision], _ sql: String = "") throws -> [Finding] {
    let datastore = try Datastore([("milk", revisions)])
    if !sql.isEmpty { try datastore.sql(sql) }
    return try findings(of: try datastore.open(.reading))
  }

  @Test func everyKindHasItsEvidence() throws {
    let bare = [SampleRevision("1-x", nil)]
    let circle =
      "UPDATE revs SET parent = 2 WHERE sequence = 1; UPDATE revs SET current = 0 WHERE sequence = 3"
    let found = try [
      finding(Self.lost), finding(Self.old), finding(Self.twice), finding(bare),
      finding(Self.milk, "UPDATE revs SET current = 0 WHERE revid = '2-q' COLLATE BINARY"),
      finding([SampleRevision("1-x", "{}"), SampleRevision("2-x", on: "1-x", "{}")], circle),
    ].joined()
    #expect(
      found.map { "\($0.id): \($0.evidence)" } == [
        "deletion-lost:milk: 2-del deleted what the winner 2-live was made from.",
        "spurious:milk: 3-a shares no ancestor with the winner, and is older.",
        "two-roots:milk: 1-a and the winner 1-b have no revision in common.",
        "leaf-without-body:milk: There is no body of 1-x, which is a live leaf.",
        "flags-disagree:milk: Marked as current: 2-p; by their parents it would be 2-p, 2-q. "
          + "By its parents it is in conflict, which the list shows once the flags are right.",
        "circle:milk: By their parents 1-x, 2-x descend from themselves.",
        "flags-disagree:milk: Marked as current: 2-x; by their parents it would be none.",
      ])
  }

  @Test func whatAMendDoesTellsNotHowItIsAskedFor() throws {
    for revisions in [Self.lost, Self.old] {
      let found = try #require(try finding(revisions).first)
      let words = try #require(found.canBeMended)
      #expect(found.takesSide && words.contains(". Undo brings ") && !words.contains("named"), "\(words)")
    }
  }

  /// Whoever names it has seen what is not there any more then.
  @Test func whatATombstoneEndsIsInTheFinding() throws {
    for (revisions, value) in [(Self.lost, "2"), (Self.old, "3")] {
      let found = try #require(try finding(revisions).first)
      #expect(found.differences.map(\.name) == ["a"] && found.differences.allSatisfy { $0.after == nil })
      #expect(found.differences.first.map { Privacy.open.line($0.before) } == value)
    }
    #expect(try finding(Self.twice).allSatisfy(\.differences.isEmpty))
  }

  /// Of several branches it spoke as of one, and said that the conflict is decided though two others are left in one.
  @Test(arguments: [
    ([SampleRevision("2-z", "{}")], "3-a, 2-z share", "and their conflict is decided by that"),
    (
      [SampleRevision("9-b", on: "8-a", "{}")], "3-a shares",
      "the old branch, and the others stay in conflict"
    ),
  ])
  func whatATombstoneLeavesIsTold(others: [SampleRevision], evidence: String, words: String) throws {
    let found = try #require(try finding(Self.old + others).first { $0.id == "spurious:milk" })
    #expect(found.evidence.hasPrefix(evidence + " no ancestor with the winner"), "\(found.evidence)")
    #expect(found.canBeMended?.contains(words) == true, "\(found.canBeMended ?? "")")
  }

  static let milk = DocumentWriteTests.milk

  @Test(arguments: [DatastoreSchema.Platform.ios, .android])
  func aDeletionThatLostCanBeAcceptedAfterAll(platform: DatastoreSchema.Platform) throws {
    let datastore = try Datastore([("milk", Self.lost)], platform: platform)
    let store = try datastore.open()
    let before = try findings(of: store)
    #expect(before.map(\.takesSide) == [true])
    #expect(try store.mend(["deletion-lost:milk"], note: nil).map(\.outcome) == [.fine])
    let rows = try datastore.rows("milk")
    #expect(rows.count == 4 && rows[3].contains(" on 2 ") && rows[3].contains("deleted"))
    #expect(try findings(of: store).isEmpty)
    #expect(
      try store.mend(["deletion-lost:milk"], note: nil).map(\.outcome) == [.moved("it is no longer found")])
    #expect(try store.undoLastWrite().map(\.id) == ["deletion-lost:milk"])
    let after = try datastore.rows("milk")
    #expect(after.count == 5 && after[4].hasSuffix(#" on 4 current {"a":2}"#))
    #expect(try findings(of: store).map(\.id) == before.map(\.id))
    #expect(try datastore.integrity() == "ok")
  }

  /// Between what somebody saw and what they confirmed the app may have gone on.
  @Test(arguments: [("deletion-lost:milk", lost), ("spurious:milk", old)])
  func whatIsNotAsItWasSeenIsLeftAlone(id: Finding.ID, revisions: [SampleRevision]) throws {
    let datastore = try Datastore([("milk", revisions)])
    let (store, before) = (try datastore.open(), try datastore.rows("milk"))
    let found = try #require(try findings(of: store).first { $0.id == id })
    var seen = found
    seen.shown = "Other revisions."
    #expect(try store.mend(seen: seen).map(\.outcome) == [.moved("it is not what was shown any more")])
    #expect(try datastore.rows("milk") == before)
    #expect(try store.mend(seen: found).map(\.outcome) == [.fine])
  }

  /// An undo was promised that was refused when it was asked for.
  @Test func whatNoUndoCouldBringBackIsToldBeforeItIsMended() throws {
    let revisions = [
      SampleRevision("1-x", "{}"),
      SampleRevision("2-live", on: "1-x", #"{"a":2}"#, attachments: [SampleAttachment("cover", "a cover")]),
      SampleRevision.tombstone("2-del", on: "1-x"),
    ]
    let store = try Datastore([("book", revisions)]).open()
    let words = try #require(try findings(of: store).first?.canBeMended)
    #expect(words.hasSuffix(" Undo brings the edit back."))
    try FileManager.default.removeItem(atPath: store.files.attachments)
    let note = " But its undo is refused as long as 1 of its attachments has no file."
    #expect(try findings(of: store).map(\.canBeMended) == [words + note])
    #expect(try store.mend(["deletion-lost:book"], note: nil).map(\.outcome) == [.fine])
    guard case .refused("_attachments/cover", let why)? = try store.undoLastWrite().first?.outcome else {
      Issue.record("it came back without its file")
      return
    }
    #expect(why.hasPrefix("its file is not in shop attachments; put there, "), "\(why)")
  }

  /// No mend reads a body; to the app it is one all the same.
  @Test func aTextThatIsNotUTF8ComesBackWithItsBytes() throws {
    let datastore = try Datastore([("milk", Self.lost)])
    try datastore.sql(
      "UPDATE revs SET json = CAST(x'7b2261223a22ff227d' AS TEXT) WHERE revid = '2-live' COLLATE BINARY")
    let store = try datastore.open()
    #expect(try store.mend(["deletion-lost:milk"], note: nil).map(\.outcome) == [.fine])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try datastore.rows("milk")[4].hasSuffix(" on 4 current {\"a\":\"\u{FFFD}\"}"))
  }

  @Test func aTombstoneIsTheSameOnEveryDevice() throws {
    let datastore = try Datastore([("milk", Self.lost)])
    _ = try datastore.open().mend(["deletion-lost:milk"], note: nil)
    let id = try #require(RevisionID.cloudant(parent: "2-live", isDeleted: true, body: []))
    #expect(try datastore.rows("milk")[3] == "4: \(id) on 2 current deleted")
  }

  /// Two desks kept another leaf each, and the conflict between these was decided: nobody deleted the document.
  @Test func aBranchThatAResolutionEndedIsNoDeletionThatLost() throws {
    let bothWays = [
      SampleRevision("1-x", #"{"a":1}"#), SampleRevision("2-b", on: "1-x", #"{"a":2}"#),
      SampleRevision("2-c", on: "1-x", #"{"a":3}"#), SampleRevision("3-b", on: "2-b", #"{"a":2}"#),
      SampleRevision.tombstone("3-d", on: "2-c"), SampleRevision("3-c", on: "2-c", #"{"a":3}"#),
      SampleRevision.tombstone("3-e", on: "2-b"), SampleRevision("4-c", on: "3-c", #"{"a":3}"#),
      SampleRevision.tombstone("4-e", on: "3-b"),
    ]
    #expect(try finding(bothWays).isEmpty)
  }

  /// What another replica deleted may have been the document, or the branch that it gave up.
  @Test func whereTheTreeCannotTellNoDeletionIsOffered() throws {
    let other = [SampleRevision("2-b", on: "1-x", #"{"a":3}"#), SampleRevision.tombstone("3-e", on: "2-b")]
    let winner = [
      SampleRevision("2-c", on: "1-x", #"{"a":2}"#), SampleRevision.tombstone("3-d", on: "2-c"),
      SampleRevision("3-c", on: "2-c", #"{"a":4}"#),
    ]
    let found = try finding([SampleRevision("1-x", #"{"a":1}"#)] + other + winner)
    #expect(found.map(\.id) == ["deletion-lost:milk"])
    #expect(found.first?.what == "an edit may have won over a deletion")
    #expect(found.first?.cause.contains("or a conflict was resolved otherwise on another replica") == true)
    #expect(found.first?.remedy.contains("mend") == false)
    #expect(found.first?.canBeMended == nil)
  }

  /// With another live leaf, a tombstone on the winner would only bring that one up.
  @Test func aDeletionAmongConflictsIsNotAcceptedHere() throws {
    let datastore = try Datastore([("milk", Self.lost + [SampleRevision("2-b", on: "1-x", #"{"a":3}"#)])])
    let store = try datastore.open()
    #expect(try findings(of: store).map(\.canBeMended) == [nil])
    #expect(
      try store.mend(["deletion-lost:milk"], note: nil).map(\.outcome) == [
        .refused(field: nil, "Parley cannot mend it; see what does")
      ])
  }

  @Test func anOldBranchGetsATombstoneAndComesBackWithUndo() throws {
    let datastore = try Datastore([("milk", Self.old)])
    let store = try datastore.open()
    // What the branch has is given up by it, and it is in the list of conflicts.
    #expect(try findings(of: store).map(\.takesSide) == [true])
    #expect(try store.mend(["spurious:milk"], note: nil).map(\.outcome) == [.fine])
    #expect(try summaries(of: store).isEmpty && findings(of: store).isEmpty)
    #expect(try datastore.rows("milk").count == 4)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let conflict = try store.conflict("milk")
    #expect(conflict["a"]?.client?.value == .integer(9) && conflict["a"]?.server?.value == .integer(3))
  }

  /// The revived branch is two generations higher, which would make it the winner here.
  @Test func undoKeepsTheWinnerThatWasNotTouched() throws {
    let datastore = try Datastore([
      ("milk", [SampleRevision("9-a", #"{"a":9}"#), SampleRevision("8-z", #"{"a":8}"#)])
    ])
    let store = try datastore.open()
    #expect(try store.mend(["spurious:milk"], note: nil).map(\.outcome) == [.fine])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let conflict = try store.conflict("milk")
    #expect(conflict["a"]?.client?.value == .integer(9) && conflict["a"]?.server?.value == .integer(8))
  }

  /// On another replica somebody went on from the winner: what is revived would win over that, too.
  @Test func undoKeepsWhatGoesOnFromTheWinnerThatWasNotTouched() throws {
    let replica = try Replica()
    try replica.insert("milk", ["9-a"], #"{"a":9}"#)
    try replica.insert("milk", ["8-z"], #"{"a":8}"#)
    let store = try replica.datastore.open()
    #expect(try store.mend(["spurious:milk"], note: nil).map(\.outcome) == [.fine])
    try replica.insert("milk", ["9-a", "10-0"], #"{"a":10}"#)
    let words = """
      a version that came in since stays beside what comes back, with one more revision, so that it still wins
      """
    #expect(try store.checkUndo(.lastWrite).map(\.checked.note) == [words])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let conflict = try store.conflict("milk")
    #expect(conflict["a"]?.client?.value == .integer(10) && conflict["a"]?.server?.value == .integer(8))
  }

  @Test(arguments: [DatastoreSchema.Platform.ios, .android])
  func flagsAreSetAsTheParentsSayAndSetBackByUndo(platform: DatastoreSchema.Platform) throws {
    let datastore = try Datastore([("milk", Self.milk)], platform: platform)
    let right = try datastore.rows("milk")
    try datastore.sql("UPDATE revs SET current = 1 - current WHERE sequence < 3")
    let wrong = try datastore.rows("milk")
    let store = try datastore.open()
    #expect(try findings(of: store).map(\.id) == ["flags-disagree:milk"])
    #expect(try store.mend(["flags-disagree:milk"], note: "purged").map(\.outcome) == [.fine])
    #expect(try datastore.rows("milk") == right)
    #expect(try findings(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try datastore.rows("milk") == wrong)
  }

  @Test func flagsThatWentOnAreNotSetBack() throws {
    let datastore = try Datastore([("milk", Self.milk)])
    try datastore.sql("UPDATE revs SET current = 0 WHERE sequence = 3")
    let store = try datastore.open()
    _ = try store.mend(["flags-disagree:milk"], note: nil)
    #expect(try store.resolve("milk") == .fine)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let rows = try datastore.rows("milk")
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("it went on since it was written")])
    #expect(try datastore.rows("milk") == rows)
  }

  @Test func twoFindingsOfOneDocumentAreMendedAndTakenBack() throws {
    let datastore = try Datastore([("milk", Self.lost)])
    try datastore.sql("UPDATE revs SET current = 0 WHERE sequence = 3")
    let store = try datastore.open()
    let ids = ["flags-disagree:milk", "deletion-lost:milk"]
    #expect(try findings(of: store).map(\.id) == ids)
    #expect(try store.mend(ids, note: nil).map(\.outcome) == [.fine, .fine])
    #expect(try findings(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.id) == ids)
    #expect(try findings(of: store).map(\.id) == ids)
  }

  @Test func rowsOfOneRevisionAreLeftAsTheyAre() throws {
    let datastore = try Datastore([("milk", Self.old)], platform: .android)
    try datastore.repeatRows()
    let store = try datastore.open()
    let found = try findings(of: store)
    #expect(found.map(\.id) == ["repeated:milk", "spurious:milk"])
    #expect(found.allSatisfy { $0.canBeMended == nil })
    #expect(found.first?.remedy.contains("Parley leaves them") == true)
  }

  /// A leaf whose body is not here could not be brought back.
  @Test func aLeafWithoutABodyIsNotDeleted() throws {
    let found = try finding([
      SampleRevision("8-a", #"{"a":8}"#), SampleRevision("3-a", nil),
    ])
    #expect(found.map(\.id) == ["leaf-without-body:milk", "spurious:milk"])
    #expect(found.allSatisfy { $0.canBeMended == nil })
  }

  @Test(arguments: [true, false])
  func anInterruptedMendingOfFlagsIsTold(isWritten: Bool) throws {
    let datastore = try Datastore([("milk", Self.milk)])
    try datastore.sql("UPDATE revs SET current = 0 WHERE sequence = 3")
    let store = try datastore.open()
    _ = try store.mend(["flags-disagree:milk"], note: nil)
    try store.log.write { try $0.run("DELETE FROM receipts") }
    if !isWritten { try datastore.sql("UPDATE revs SET current = 0 WHERE sequence = 3") }
    store.log.close()
    let words = try datastore.open().journal.entries(limit: 1).map(\.text)
    #expect(
      words.first?.hasPrefix(isWritten ? "interrupted write, completed" : "interrupted write, rolled back")
        == true)
  }

  /// The app reads the document as deleted then, and mending brings the other version back: told before, and only if named.
  @Test func flagsThatTheAppsOwnDeletionLeftAreToldWithThatCause() throws {
    let revisions = Self.milk + [SampleRevision.tombstone("3-del", on: "2-q")]
    let datastore = try Datastore([("milk", revisions)], platform: .android)
    try datastore.sql("UPDATE revs SET current = (sequence = 4)")
    let found = try findings(of: try datastore.open(.reading))
    #expect(found.map(\.id) == ["flags-disagree:milk"] && found.map(\.takesSide) == [true])
    #expect(found.first?.evidence == "Marked as current: 3-del; by their parents it would be 2-p.")
    #expect(found.first?.cause.hasPrefix("The app deleted a version of the document") == true)
    let words = "reads the winner, which is live, in place of a version that is deleted."
    #expect(found.first?.canBeMended?.hasSuffix(words) == true)
  }

  /// It is found there by its parents, whatever is marked.
  @Test func aConflictThatTheListOfAnAndroidStoreShowsIsToldSo() throws {
    let revisions =
      Self.milk + [SampleRevision("2-r", on: "1-x", "{}"), SampleRevision.tombstone("3-del", on: "2-r")]
    let datastore = try Datastore([("milk", revisions)], platform: .android)
    try datastore.sql("UPDATE revs SET current = (sequence = 5)")
    let store = try datastore.open(.reading)
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    let evidence = try findings(of: store).first?.evidence
    #expect(evidence?.hasSuffix("By its parents it is in conflict, which the list shows.") == true)
  }

  /// An undo appends, and so cannot mark a tombstone again that has no child: the document was deleted to the app, and is not any more.
  @Test func anUndoTellsThatTheAppReadsADocumentAgainThatItHadDeleted() throws {
    let revisions =
      Self.milk + [SampleRevision("2-r", on: "1-x", "{}"), SampleRevision.tombstone("3-del", on: "2-r")]
    let datastore = try Datastore([("milk", revisions)], platform: .android)
    try datastore.sql("UPDATE revs SET current = (sequence = 5)")
    let store = try datastore.open()
    let planned = try #require(try plan("milk", in: store))
    let words =
      "the app then reads a version that is live; before the write it read one that is deleted"
    #expect(try store.write([planned], note: nil).map(\.note) == [nil])
    #expect(try store.checkUndo(.lastWrite).map(\.checked.note) == [words])
    #expect(try store.undoLastWrite().map(\.note) == [words])
    // What is marked as it should be comes back as it was.
    let again = try #require(try plan("milk", in: store))
    _ = try store.write([again], note: nil)
    #expect(try store.undoLastWrite().map(\.note) == [nil])
  }

  @Test func anUndoOfFlagsTellsThatTheAppReadsADeletionAgain() throws {
    let revisions = Self.milk + [SampleRevision.tombstone("3-del", on: "2-q")]
    let datastore = try Datastore([("milk", revisions)], platform: .android)
    try datastore.sql("UPDATE revs SET current = (sequence = 4)")
    let store = try datastore.open()
    _ = try store.mend(["flags-disagree:milk"], note: nil)
    let words =
      "the app then reads a version that is deleted, as before the flags were set, in place of one that is live"
    #expect(try store.checkUndo(.lastWrite).map(\.checked.note) == [words])
    #expect(try store.undoLastWrite().map(\.note) == [words])
  }

  @Test(arguments: [
    ("2-q", "but the app then reads the winner, which is live, in place of a version that is live."),
    ("2-p", "and the app reads the same one as before."),
  ])
  func whatTheAppReadsAfterAPurgeIsMendedIsTold(unmarked: String, words: String) throws {
    let found = try finding(
      Self.milk, "UPDATE revs SET current = 0 WHERE revid = '\(unmarked)' COLLATE BINARY")
    #expect(found.map(\.cause) == ["Revisions were purged, and their parents not marked again."])
    #expect(found.map(\.takesSide) == [false])
    #expect(found.first?.canBeMended?.hasSuffix(words) == true)
  }

  /// Of duplicates no purge is the cause, and setting the flags would be no cure.
  @Test func flagsOfARevisionThatIsStoredTwiceAreToldWithThatCause() throws {
    let datastore = try Datastore([("milk", [SampleRevision("1-x", "{}")])])
    try datastore.repeatRows()
    try datastore.sql("UPDATE revs SET current = 0")
    let found = try findings(of: try datastore.open(.reading))
    #expect(found.map(\.what) == ["a revision stored twice", "leaf flags disagree"])
    #expect(found.last?.cause.contains("is stored twice") == true)
    #expect(found.last?.remedy.contains("sync-android 2") == true)
    #expect(found.last?.canBeMended == nil)
  }
}
