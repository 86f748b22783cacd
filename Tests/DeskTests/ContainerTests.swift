import Merging
import Samples
import StoreInterface
import Testing

@testable import Desk

/// Files that sync whole, of the demo's container: what waits, what each answer loses, and what is typed.
@Suite("Desk of a container") struct ContainerTests {
  @Test(arguments: [(80, 24), (120, 40)]) func list(columns: Int, rows: Int) throws {
    try expect(ContainerDesk.desk(columns: columns, rows: rows).screen, matches: "list-files")
  }

  /// K1, K2, K3, and an upload with a deletion after it.
  @Test(arguments: [
    ("shopping", ""), ("recipes", "j"), ("diary", "jj"), ("letter", "jjj"),
  ])
  func record(name: String, keys: String) throws {
    let desk = try ContainerDesk.desk().typing(keys + "<enter>")
    try expect(desk.screen, matches: "record-file-\(name)")
  }

  @Test func aPictureIsToldByItsKindAndSize() throws {
    try expect(ContainerDesk.desk().typing("jjjjj<enter>").screen, matches: "record-file-map")
  }

  @Test func aWideRecord() throws {
    try expect(
      ContainerDesk.desk(columns: 120, rows: 40).typing("jj<enter>").screen, matches: "record-file-diary")
  }

  /// Where there is room, each answer stands with its key and what it gives up; a decided record has its own alone.
  @Test func theAnswersAreNamedWhereThereIsRoom() throws {
    let desk = try ContainerDesk.desk(columns: 120, rows: 40).typing("jjj<enter>")
    let keys = ["s  accept the", "c  keep the deletion", "o  keep the upload, as", "o  send both: the"]
    #expect(keys.allSatisfy { "\(desk.screen)".contains("      " + $0) }, "\(desk.screen)")
    #expect("\(desk.screen)".contains("gives up the deletion on the client"))
    let typed = "\(try ContainerDesk.desk(columns: 120, rows: 40).typing("jj<enter>").screen)"
    #expect(
      typed.contains("      e  send an edited text, which undeletes the file as version 3; gives up what"))
    #expect(!"\(desk.typing("c").screen)".contains("send both"))
  }

  /// On a small screen as well: with what it gives up while there is room, then without the lines between, then by its name.
  @Test(arguments: [
    (
      "",
      [
        "s  accept the server's version 4; gives up what the client has",
        "c  keep the client's text, as version 5; gives up",
      ]
    ),
    (
      "j",
      [
        "s  accept the server's version 7; gives up the deletion",
        "c  keep the deletion of version 7; gives up what",
      ]
    ),
    (
      "jj",
      [
        "c  keep the client's text, which undeletes the file as version 3; gives",
        "s  accept the deletion; gives up",
        "e  send an edited text, which undeletes the file as version 3; gives",
      ]
    ),
    (
      "jjj",
      [
        "s  accept the server's version 6", "c  keep the deletion of version 6, and drop",
        "o  keep the upload, as version 7, and drop", "o  send both: the upload as version 7",
      ]
    ),
  ]) func eachAnswerIsNamedOnASmallScreen(keys: String, answers: [String]) throws {
    let screen = "\(try ContainerDesk.desk().typing(keys + "<enter>").screen)"
    for answer in answers { #expect(screen.contains("      " + answer), "\(answer)\n\(screen)") }
    #expect(screen.components(separatedBy: "not known: ").count == 2, "said once\n\(screen)")
    #expect(screen.contains("you may be asked again."), "\(screen)")
  }

  @Test func theFourWaysToDecideAnUploadAndADeletion() throws {
    try expect(ContainerDesk.desk().typing("jjj<enter>o").screen, matches: "alternatives-file-letter")
  }

  @Test func anAnswerThatIsNeitherSideIsNamed() throws {
    let desk = try ContainerDesk.desk().typing("jjj<enter>ojj<enter>")
    try expect(desk.screen, matches: "record-file-letter-decided")
    #expect("\(desk.screen)".contains("keep the upload, as version 7, and drop the deletion"))
    let review = "\(desk.typing("<esc>w").screen)"
    #expect(!"\(desk.screen)".contains("M ✓") && !review.contains("merged"), "\(review)")
    #expect(review.contains("  upload\n"), "\(review)")
  }

  @Test func aTextThatIsTypedDecidesAFileThatOneSideHasDeleted() throws {
    let typed = try ContainerDesk.desk().typing("jj<enter>e And Wednesday: fog.<enter>")
    let decision = try #require(typed.journal.last)
    #expect(decision.subject == .record)
    #expect(decision.choice == .edit(.text("Monday: rain.\nTuesday: sun.\n And Wednesday: fog.")))
    try expect(typed.screen, matches: "record-file-diary-edited")
    let screen = "\(typed.screen)"
    #expect(screen.contains("send an edited text, which undeletes the file as version 3"), "\(screen)")
    #expect(
      screen.contains("given up: what the client has: content; the deletion on the server"), "\(screen)")
    let review = "\(typed.typing("<esc>w").screen)"
    #expect(review.contains("send an edited text") && review.contains("given up"), "\(review)")
    #expect(typed.typing("u").state.open.values.allSatisfy { $0.resolution[.record] == nil })
    #expect(typed.typing("x").state.open.values.allSatisfy { $0.resolution[.record] == nil })
    let again = try #require(typed.typing("e").state.top(EditorPage.self))
    #expect(again.input.text.hasSuffix("fog."), "what was typed is there to go on with")
  }

  /// Both wait here: whichever side is kept, the review tells of the earlier upload that goes.
  @Test(arguments: ["s", "c"]) func theReviewTellsAllThatAnAnswerGivesUp(side: String) throws {
    let desk = try ContainerDesk.desk(columns: 120, rows: 40)
    let review = "\(desk.typing("jjj<enter>" + side + "<esc>w").screen)"
    #expect(review.contains("what the earlier upload has: content"), "\(review)")
  }

  /// What the footer tells of can be done.
  @Test func theFooterTellsOfNoKeyThatDoesNothing() throws {
    let footers = try ["", "j", "jj", "jjj"].map { keys -> String in
      let screen = "\(try ContainerDesk.desk(columns: 120, rows: 40).typing(keys + "<enter>").screen)"
      return String(screen.split(separator: "\n").last ?? "")
    }
    #expect(footers.allSatisfy { !$0.contains("a ancestor") }, "\(footers)")
    #expect(footers.map { $0.contains("e edit") } == [true, false, true, false], "\(footers)")
    #expect(footers.map { $0.contains("o whole") } == [false, false, false, true], "\(footers)")
  }

  /// Nobody has downloaded the poem yet: o has the answer that accepts it unseen.
  @Test func whatTheServerHasAndNobodyHereIsTakenByItsNameAlone() throws {
    let desk = try ContainerDesk.desk(isIndexed: true, columns: 120, rows: 40)
    let poem = try #require(desk.state.list.position(of: ContainerDemoStore.uuid(26)))
    let screen = "\(desk.typing(String(repeating: "j", count: poem) + "<enter>").screen)"
    let footer = try #require(screen.split(separator: "\n").last)
    #expect(screen.contains("poem.txt") && footer.contains("c client") && footer.contains("o whole"))
    #expect(!footer.contains("s server"), "\(footer)")
  }

  @Test(arguments: ["", "jj", "jjj"]) func whatWaitsIsNotEditedOrMerged(keys: String) throws {
    let desk = try ContainerDesk.desk(waits: true).typing(keys + "<enter>")
    let footer = try #require("\(desk.screen)".split(separator: "\n").last)
    let keys = ["c client", "s server", "e edit", "A accept", "a ancestor", "m merge"]
    #expect(!keys.contains { footer.contains($0) } && footer.contains("w write"), "\(footer)")
    for key in ["e", "E", "m", "c", "s", "A", "x"] {
      let told = desk.typing(key)
      #expect(told.state.top(EditorPage.self) == nil && told.journal.isEmpty)
      #expect("\(told.screen)".contains("It is decided, and waits in the outbox."), "\(key) \(told.screen)")
    }
  }

  @Test func whereAMergeIsNoneTheKeysThatDecideAreNamed() throws {
    let refused = "\(try ContainerDesk.desk().typing("jj<enter>m").screen)"
    #expect(refused.contains("decided as a whole: c, s or e."), "\(refused)")
    let value = "\(try ContainerDesk.desk().typing("jj<enter><enter>").screen)"
    #expect(value.contains("decided as a whole: c, s or e."), "\(value)")
    #expect(value.contains("e edit") && !value.contains("a ancestor"), "\(value)")
  }

  /// One answer gives up two things: the deletion or the server's text, and the upload before it.
  @Test func whatIsGivenUpIsCountedByName() throws {
    let desk = try ContainerDesk.desk()
    let letter = try #require(desk.records.first { $0.title == "letter.txt" })
    #expect(letter.givenUp(by: .take(.server), for: .record).count == 2)
    #expect(letter.givenUp(by: .take(.client), for: .record).count == 2)
    #expect(letter.lost(takingWholeFrom: .server, .open)?.contains("the earlier upload") == true)
    let diary = try #require(desk.records.first { $0.title == "diary.txt" })
    for side in [Side.client, .server] {
      #expect(diary.givenUp(by: .take(side), for: .record).count == 1)
    }
    let taken = "\(try ContainerDesk.desk(columns: 120).typing("jjjs").screen)"
    #expect(taken.contains("the earlier upload has: content"), "\(taken)")
  }

  @Test func whatWentIntoTheOutboxIsNotSaidToBeWritten() throws {
    let told = "\(try ContainerDesk.desk().typing("jjcgwY<enter>").screen)"
    #expect(told.contains("It waits in the outbox. u takes the write back."), "\(told)")
  }

  @Test func whereADeletionWaitsTheKeysSayWhatCanBeDone() throws {
    let both = "\(try ContainerDesk.desk().typing("jjj<enter>e").screen)"
    #expect(both.contains("decided as a whole: c, s or o."), "\(both)")
    let deleted = "\(try ContainerDesk.desk().typing("j<enter>e").screen)"
    #expect(deleted.contains("decided as a whole: c or s."), "\(deleted)")
  }
}
