import Merging
import StoreInterface
import Testing

@testable import Desk

/// The note for the log, which the review takes.
@Suite struct LogNoteTests {
  private static let kept = "Note for the log: call her first"

  /// As what is left out does.
  @Test(arguments: ["", "<esc>w", "<enter>w", "n not<esc><esc>w"]) func aNoteStaysUntilItIsWritten(
    way: String
  ) {
    let desk = TestDesk().typing("cwncall her first<enter>" + way)
    #expect(desk.screen.description.contains(Self.kept), "\(desk.screen)")
    let written = desk.typing("Y")
    #expect(written.notes == ["call her first"])
    let next = written.typing("<esc>cw")
    #expect(next.screen.description.contains("Note for the log: n writes one"), "\(next.screen)")
    #expect(next.typing("Y").notes == ["call her first", nil])
  }

  /// Somebody else decided meanwhile, and the drafts are read again.
  @Test func aNoteIsKeptThatIsTypedWhileTheDraftsAreRead() {
    var desk = TestDesk().typing("cwncall her first")
    desk.draftsWait = true
    let decision = Decision(
      id: "42:reminders", subject: .field("title"), choice: .take(.server),
      fingerprint: Fingerprint(subject: "x"), decidedAt: Sample.now + 1)
    desk.take(.othersDecided([decision], inForce: [decision]))
    #expect(desk.state.page(ReviewPage.self)?.stage == .reading)
    desk.type("<enter>")
    #expect(desk.screen.description.contains(Self.kept), "\(desk.screen)")
  }

  /// It is in no log then.
  @Test func aNoteStaysWhereNothingIsWritten() {
    var desk = TestDesk().typing("cwncall her first<enter>")
    desk.outcomes["42:reminders"] = .moved("the row has changed")
    desk.type("Y<esc>")
    desk.outcomes = [:]
    #expect(desk.typing("jcw").screen.description.contains(Self.kept), "\(desk.typing("jcw").screen)")
  }

  /// As in every other line of text.
  @Test(arguments: [("<c-p>", "first"), ("<c-p><c-p>", "dent"), ("<c-p><c-n>", "second")])
  func whatWasTypedBeforeComesBack(keys: String, words: String) {
    let desk = TestDesk().typing("/dent<enter><esc>cwnfirst<enter>n<c-u>second<enter>n" + keys)
    #expect(desk.screen.description.contains("Note for the log: \(words)\n"), "\(desk.screen)")
    #expect(desk.typing("<enter><esc>/<c-p>").state.list.typing?.text == words)
  }

  private static let none = "Note for the log: n writes one"

  /// It is of the drafts that were reviewed when it was typed, be they decided otherwise or with others; none of them is written with it
  /// once none of them is reviewed.
  @Test func aNoteBelongsToItsDrafts() {
    let noted = TestDesk().typing("cwncall her first<enter><esc>")
    let more = noted.typing("jcw")
    #expect(more.screen.description.contains(Self.kept) && more.typing("Y").notes == ["call her first"])
    let others = noted.typing("ujcw")
    #expect(others.screen.description.contains(Self.none), "\(others.screen)")
    #expect(others.typing("Y").notes == [nil])
    // As what was typed before, it is not lost.
    #expect(others.typing("n<c-p>").screen.description.contains(Self.kept))
  }

  @Test func whatIsWrittenWithoutItsDraftsIsNotNoted() {
    let noted = TestDesk().typing("cwncall her first<enter><esc>jcw")
    // The first is left out, and the other written alone.
    let others = noted.typing(" Y")
    #expect(others.notes == [nil], "\(others.screen)")
    let own = others.typing("<esc>w Y")
    #expect(own.notes == [nil, "call her first"], "\(own.screen)")
  }

  /// Who may see no value may see no note either.
  @Test(arguments: [(80, 24), (60, 15), (40, 10)]) func aNoteIsHiddenAsValuesAre(columns: Int, rows: Int) {
    let desk = TestDesk(columns: columns, rows: rows).typing("cwnsecret<enter>P")
    for keys in ["", "n", "n<c-p>", "n<c-p><c-p>", "n<c-_>", "<esc>/<c-p>"] {
      #expect(
        !desk.typing(keys).screen.description.contains("secret"), "\(keys): \(desk.typing(keys).screen)")
    }
    // On a low screen it has a line only where one is free.
    #expect(rows < 16 || desk.typing("P").screen.description.contains("secret"))
    #expect(desk.typing("Y").notes == ["secret"])
  }

  @Test(arguments: [
    ("n<enter>", nil), ("nother<enter>", "other"), ("n<esc>", "secret"), ("nother<esc>", "secret"),
  ])
  func aHiddenNoteCanBeReplacedAndEmptied(keys: String, note: String?) {
    let desk = TestDesk().typing("cwnsecret<enter>P")
    #expect(desk.screen.description.contains("Note for the log: ***   n replaces it"), "\(desk.screen)")
    let typing = desk.typing("n").screen.description
    #expect(typing.contains("Note for the log:   Enter empties it, Esc keeps it"), "\(typing)")
    #expect(desk.typing(keys + "Y").notes == [note])
    #expect(TestDesk().typing("cwP").screen.description.contains(Self.none))
  }
}
