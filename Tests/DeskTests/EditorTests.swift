import Merging
import StoreInterface
import Telling
import Terminal
import Testing

@testable import Desk

@Suite struct EditorTests {
  /// From anywhere, though what is typed goes by a second key alone.
  @Test func f10QuitsFromAnEditor() {
    let desk = TestDesk().typing("<enter>e")
    #expect(desk.typing("<f10>").hasQuit)
    let typed = desk.typing("!<f10>")
    #expect(!typed.hasQuit && typed.state.status?.text.contains("F10 once more") == true)
    #expect(typed.typing("<f10>").hasQuit && !typed.typing("!<f10>").hasQuit)
    #expect(typed.typing("<enter>").journal.count == 1)
  }

  private func edited(_ keys: String, field: Int) -> Choice? {
    TestDesk().typing("<enter>g" + String(repeating: "j", count: field) + "e" + keys).journal.last?.choice
  }

  @Test func keepsWhatWasTypedInTheColumnsType() {
    #expect(edited("<c-u>Dr. Who<enter>", field: 0) == .edit(.text("Dr. Who")))
    #expect(edited("<c-u>-7<enter>", field: 4) == .edit(.integer(-7)))
    #expect(edited("<c-n><enter>", field: 1) == .edit(.null))
  }

  @Test func refusesWhatTheColumnCannotHold() {
    #expect(edited("x<enter>", field: 4) == nil)
    #expect(edited("<c-u>9223372036854775808<enter>", field: 4) == nil)
    // title is NOT NULL.
    #expect(edited("<c-n><enter>", field: 0) == nil)
  }

  @Test func aWholeNumberOfMoreThan64BitsIsToldAsWhatSQLiteMakesOfIt() {
    let screen = TestDesk().typing("<enter>jjjje<c-u>99999999999999999999").screen.description
    #expect(screen.contains("takes a whole number, and to SQLite this one is"), "\(screen)")
    #expect(TestDesk().typing("<enter>jjjje<c-u>9x").screen.description.contains("takes a whole number. "))
  }

  @Test(arguments: ["1e3", "1000.0", " 1000 "])
  func aWholeNumberIsOneHoweverItIsWritten(typed: String) {
    let desk = TestDesk().typing("<enter>gjjjje<c-u>" + typed)
    #expect(desk.screen.description.contains("Stored as  INTEGER 1000"), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal.last?.choice == .edit(.integer(1000)))
  }

  /// The record of the sample, with a column of another kind in the place of its priority.
  private func editing(_ kind: Field.Kind, client: Value, server: Value) -> TestDesk {
    let versions: [Side: Value] = [.ancestor: .integer(0), .client: client, .server: server]
    let made = { (side: Side) in
      var fields = Sample.ancestorRow.mapValues { FieldVersion($0, time: 1) }
      fields["priority"] = FieldVersion(versions[side] ?? .null, time: side == .ancestor ? 1 : 2)
      return RecordVersion.present(fields)
    }
    let fields = Sample.fields.map {
      $0.name == "priority" ? Field("priority", kind: kind, declaredType: kind == .any ? "" : "NUMERIC") : $0
    }
    let conflict = RecordConflict(
      id: "42:reminders", table: "reminders", primaryKey: "42", title: "Call dentist", fields: fields,
      versions: ThreeWay(ancestor: made(.ancestor), client: made(.client), server: made(.server)))
    return TestDesk([conflict]).typing("<enter>gje")
  }

  @Test(
    arguments: [
      ("9007199254740995", Value.integer(9_007_199_254_740_995), "INTEGER 9007199254740995"),
      ("07", .integer(7), "INTEGER 7"), ("3.0", .integer(3), "INTEGER 3"), (" 7 ", .integer(7), "INTEGER 7"),
      ("7.25", .real(7.25), "REAL 7.25"), ("seven", .text("seven"), "TEXT seven"),
    ], [Value.real(3.5), .integer(1), .null, .text("a")])
  func aNumericColumnKeepsWhatSQLiteKeeps(given: (typed: String, value: Value, told: String), client: Value) {
    let (typed, value, told) = given
    let desk = editing(.numeric, client: client, server: .integer(2)).typing("<c-u>" + typed)
    #expect(desk.screen.description.contains("Stored as  " + told), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal.last?.choice == .edit(value))
  }

  @Test func zeroHasNoSignInAColumnOfReals() {
    let desk = editing(.real, client: .real(3.5), server: .real(2)).typing("<c-u>-0.0")
    #expect(desk.screen.description.contains("Stored as  REAL 0.0"), "\(desk.screen)")
    #expect(desk.typing("<enter>").journal.last?.choice == .edit(.real(0)))
  }

  @Test(arguments: ["9007199254740993", "12345678901234567890", " 9007199254740993 "])
  func aWholeNumberIsNotRoundedUnseen(typed: String) {
    let desk = editing(.real, client: .real(3.5), server: .real(2)).typing("<c-u>\(typed)<enter>")
    #expect(desk.journal.isEmpty && desk.screen.description.contains("rounded to"), "\(desk.screen)")
  }

  @Test(arguments: [Field.Kind.numeric, .real]) func infinityIsNotKept(kind: Field.Kind) {
    let desk = editing(kind, client: .real(3.5), server: .real(2)).typing("<c-u>1e400<enter>")
    #expect(desk.journal.isEmpty && desk.screen.description.contains("beyond all Doubles"), "\(desk.screen)")
  }

  @Test func whatAVersionHasIsToldExactly() {
    let desk = editing(.numeric, client: .real(3.5), server: .integer(9_007_199_254_740_993))
    let copied = desk.typing("<up>")
    #expect(copied.screen.description.contains("Stored as  INTEGER 9007199254740993"), "\(copied.screen)")
    #expect(copied.typing("<enter>").journal.last?.choice == .take(.server))
  }

  /// A column without a type keeps the client's class, where the number stays the same in it.
  @Test(arguments: [
    (Value.real(3.5), "7", Value.real(7)), (.real(3.5), "9007199254740995", .integer(9_007_199_254_740_995)),
    (.real(3.5), "nan", .text("nan")), (.real(3.5), "1e400", .text("1e400")), (.integer(1), "7", .integer(7)),
    (.real(3.5), "12345678901234567890", .text("12345678901234567890")),
    (.real(3.5), "100000000000000000000", .real(1e20)),
    (.integer(1), "7.5", .text("7.5")), (.text("a"), "7", .text("7")),
  ])
  func aColumnWithoutATypeChangesNoNumber(client: Value, typed: String, value: Value) {
    let desk = editing(.any, client: client, server: .integer(2)).typing("<c-u>\(typed)<enter>")
    #expect(desk.journal.last?.choice == .edit(value))
  }

  @Test func anEmptyTextIsToldAsThat() {
    let screen = TestDesk().typing("<enter>e<c-u>").screen.description
    #expect(screen.contains("Stored as  TEXT empty text"), "\(screen)")
    let words = TestDesk().typing("<enter>e<c-u>empty text").screen.description
    #expect(words.contains("Stored as  TEXT \"empty text\""), "\(words)")
  }

  /// What would be refused is not offered.
  @Test func offersNoNULLWhereNoneIsTakenAndNoEditorForBytes() {
    #expect(!TestDesk().typing("<enter>ge").screen.description.contains("Ctrl-N"), "title is NOT NULL")
    #expect(TestDesk().typing("<enter>gje").screen.description.contains("Ctrl-N"))
    let editor = TestDesk([Sample.cover]).typing("<enter>ge")
    let bytes = editor.screen.description
    #expect(bytes.contains("Edit cover") && !bytes.contains("Ctrl-X"), "\(bytes)")
    // The server's bytes are not here, and those of the client are.
    let held: Value? = if case .editor(let page)? = editor.state.pages.last { page.held } else { nil }
    #expect(held == .blob(Blob(bytes: [1, 2, 3])), "\(bytes)")
    let key = TestDesk().typing("<enter>gjje").screen.description
    #expect(key.contains("9  Health") && key.contains("12  Family"), "\(key)")
  }

  @Test func refusesWhatTheWriteWouldRefuse() {
    var desk = TestDesk()
    desk.verdicts[.text("Nobody")] = .refused("there is no record Nobody in lists")
    desk.type("<enter>e<c-u>Nobody")
    #expect(desk.screen.description.contains("✗ there is no record Nobody in lists"))
    #expect(!desk.screen.description.contains("✓ fits"))
    desk.type("<enter>")
    #expect(desk.journal.isEmpty && desk.state.topic == .editor)
    #expect(desk.state.status?.text == "The store refuses this value: there is no record Nobody in lists.")
    #expect(desk.typing("<c-u>Dr. Who<enter>").journal.last?.choice == .edit(.text("Dr. Who")))
  }

  @Test(arguments: ["", "<c-u>", "<c-n>", "<c-u>x"], [10, 11, 12, 13, 14, 15])
  func nothingIsDrawnOverTheFrame(keys: String, rows: Int) {
    var desk = TestDesk(columns: 40, rows: rows)
    desk.verdicts[.text("x")] = .refused("there is no record x in lists, which is a long way to say no")
    desk.type("<enter>ge" + keys)
    let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == rows)
    #expect(lines.first?.hasPrefix("┌─ Edit title") == true && lines.last?.hasPrefix("└─ Enter take") == true)
    for line in lines.dropFirst().dropLast() {
      #expect(line.hasPrefix("│") && line.hasSuffix("│"), "\(desk.screen)")
    }
  }

  /// The column takes any text.
  @Test func nothingThatIsNoDateIsMarkedAsFittingAmongDates() {
    let desk = TestDesk().typing("<enter>gjjje<c-u>2026-13-45 00:00:00.000")
    let screen = desk.screen.description
    #expect(screen.contains("! the others are dates: yyyy-MM-dd HH:mm:ss.SSS"), "\(screen)")
    #expect(!screen.contains("✓ fits"), "\(screen)")
  }

  @Test func marksWhatTheAppCanLikelyNotRead() {
    var desk = TestDesk()
    desk.verdicts[.text("")] = .odd("in every other row it looks like 2026-11-20 00:00:00.000")
    desk.type("<enter>e<c-u>")
    #expect(desk.screen.description.contains("! the app may not be able to read it: in every other row"))
    #expect(desk.typing("<enter>").journal.last?.choice == .edit(.text("")))
  }

  @Test func nothingIsMarkedAsFittingBeforeTheStoreHasAnswered() {
    var state = TestDesk().typing("<enter>g").state
    let asked = state.update(.terminal(.key("e")), now: Sample.now)
    guard case .judge(let planned, "title")? = asked.first else {
      Issue.record("\(asked)")
      return
    }
    #expect(state.draw().description.contains("asking the store..."))
    // One question at a time, and Enter waits for the answer to the last.
    #expect(state.update(.terminal(.key("x")), now: Sample.now).isEmpty)
    #expect(state.update(.terminal(.key(.enter)), now: Sample.now).isEmpty)
    let old = planned.draft["title"] ?? .null
    let next = state.update(.judged(answer(old, .refused("too old"))), now: Sample.now)
    #expect(next.count == 1 && !state.draw().description.contains("too old"))
    let typed = Value.text("Call Dr. Wux")
    let kept = state.update(.judged(answer(typed, .fits)), now: Sample.now)
    guard case .journal(let decisions)? = kept.first else {
      Issue.record("\(kept)")
      return
    }
    #expect(decisions.map(\.choice) == [.edit(typed)] && state.topic == .record)
  }

  /// Enter was pressed beside other versions than there are when the store has answered.
  @Test func whatChangesWhileTheStoreIsAskedIsNotDecidedUnseen() {
    var state = TestDesk().typing("<enter>g").state
    for key: Key in ["e", "x", .enter] { _ = state.update(.terminal(.key(key)), now: Sample.now) }
    _ = state.update(.storeChanged, now: Sample.now)
    let changed = Sample.edit(
      "42:reminders", client: ["title": .text("Call dentist today")], at: Sample.now,
      server: ["title": (.text("Call the vet"), Sample.now)])
    _ = state.update(.opened(changed, []), now: Sample.now)
    let typed = Value.text("Call Dr. Wux")
    for value in [.text("Call Dr. Wu"), typed] {
      #expect(state.update(.judged(answer(value, .fits)), now: Sample.now).allSatisfy { $0.isQuestion })
    }
    #expect(
      state.status
        == .failed("title has changed in the store meanwhile, so this is not kept yet: Enter takes it."))
    #expect(state.topic == .editor)
    _ = state.update(.terminal(.key(.enter)), now: Sample.now)
    #expect(state.open["42:reminders"]?.resolution[.field("title")] == .edit(typed))
  }

  private func answer(_ value: Value, _ verdict: ValueVerdict) -> Judgement {
    Judgement(id: "42:reminders", field: "title", value: value, verdict: verdict)
  }

  @Test func upAndDownWalkThroughTheVersionsAndBackToWhatWasTyped() {
    for (down, up) in [("<down>", "<up>"), ("<pagedown>", "<pageup>")] {
      #expect(edited("<c-u>new\(down)!<enter>", field: 0) == .edit(.text("Call dentist!")))
      #expect(edited("<c-u>new\(down)\(down)!<enter>", field: 0) == .edit(.text("Call dentist today!")))
      #expect(edited("<c-u>new\(up)!<enter>", field: 0) == .edit(.text("Call Dr. Wu!")))
      #expect(edited("<c-u>new\(down)\(up)<enter>", field: 0) == .edit(.text("new")))
    }
  }

  /// It keeps the time that it has there, which an edit would not.
  @Test func whatAVersionHasIsTakenFromIt() {
    #expect(edited("<c-u>new<down><enter>", field: 0) == .take(.ancestor))
    #expect(edited("<c-u>new<down><down><enter>", field: 0) == .take(.client))
    #expect(edited("<c-u>Call Dr. Wu<enter>", field: 0) == .take(.server))
    let desk = TestDesk().typing("<enter>ge<c-u>Call Dr. Wu<enter>")
    #expect(
      desk.state.status?.text == "title: this is what S has, so it is taken. u takes it back.",
      "\(desk.screen)")
  }

  @Test func whoChangesNothingOfWhatIsDecidedDecidesNothing() {
    for keys in ["s", "e!<enter>"] {
      let decided = TestDesk().typing("<enter>g" + keys + "g")
      let same = decided.typing("e<enter>")
      #expect(same.journal == decided.journal && same.state.topic == .record)
      #expect(same.state.status?.text == "title: nothing was changed.", "\(same.screen)")
    }
  }

  @Test func aTextHasItsLines() throws {
    let desk = TestDesk().typing("<enter>gje<c-u>First line<a-enter>second")
    #expect(desk.typing("<enter>").journal.map(\.choice) == [.edit(.text("First line\nsecond"))])
    // As Ctrl-J, which is Enter everywhere else.
    var other = TestDesk().typing("<enter>gje<c-u>a")
    other.take(.terminal(.key(.control("j"))))
    #expect(other.typing("b<enter>").journal.map(\.choice) == [.edit(.text("a\nb"))])
    other = TestDesk()
    other.take(.terminal(.key(.control("j"))))
    #expect(other.state.topic == .record)
    try expect(desk.typing("<up><end>, longer<a-enter>").screen, matches: "editor-lines")
    // A number has none.
    let number = TestDesk().typing("<enter>gjjjje<a-enter>")
    #expect(number.state.status?.text == "priority takes no line breaks.", "\(number.screen)")
    #expect(!number.screen.description.contains("Alt-Enter breaks"), "\(number.screen)")
  }

  /// Nobody who goes too far gets another text for it.
  @Test func upAndDownGoThroughTheLines() {
    let typed = "<c-u>one<a-enter>two"
    #expect(edited(typed + "<up>!<enter>", field: 0) == .edit(.text("one!\ntwo")))
    #expect(edited(typed + "<up><down>!<enter>", field: 0) == .edit(.text("one\ntwo!")))
    #expect(edited(typed + "<up><up><up>!<enter>", field: 0) == .edit(.text("!one\ntwo")))
    #expect(edited(typed + "<up><down><down>!<enter>", field: 0) == .edit(.text("one\ntwo!")))
    let desk = TestDesk().typing("<enter>ge" + typed)
    #expect(desk.screen.description.contains("PgUp PgDn copy A C S"), "\(desk.screen)")
    #expect(!desk.screen.description.contains("Up Down copy"))
  }

  /// Who began to walk with the arrows goes on, whatever text comes; another key ends it.
  @Test func arrowsThatCopyGoOnCopying() {
    let typed = "<c-u>one<a-enter>two"
    #expect(edited(typed + "<pagedown><down>!<enter>", field: 0) == .edit(.text("Call dentist today!")))
    #expect(edited(typed + "<pagedown><up><down>!<enter>", field: 0) == .edit(.text("Call dentist!")))
    #expect(edited(typed + "<pagedown><up><up><up>!<enter>", field: 0) == .edit(.text("Call dentist today!")))
    #expect(edited(typed + "<pagedown><up><left><up>!<enter>", field: 0) == .edit(.text("on!e\ntwo")))
  }

  /// On the smallest screen, too, there is more than one row of it.
  @Test(arguments: [(40, 10, 3), (60, 15, 6), (80, 24, 10)])
  func aTextOfSeveralLinesHasRows(columns: Int, rows: Int, shown: Int) {
    let lines = (0..<20).map { "line\($0)" }.joined(separator: "<a-enter>")
    let desk = TestDesk(columns: columns, rows: rows).typing("<enter>ge<c-u>" + lines + "<up>")
    let count = desk.screen.description.split(separator: "\n").count { $0.contains(" line1") }
    #expect(count >= shown && desk.screen.description.contains("↑"), "\(desk.screen)")
  }

  /// A copied version, or NULL, takes the place of what was typed: that is never gone for good.
  @Test func whatWasTypedBeforeACopyComesBackByUndo() {
    #expect(edited("<c-u>mine<c-n><c-_><enter>", field: 1) == .edit(.text("mine")))
    #expect(edited("<c-u>mine<c-n><enter>", field: 1) == .edit(.null))
    #expect(edited("<c-u>mine<down><c-_><enter>", field: 0) == .edit(.text("mine")))
    #expect(edited("<c-u>mine<down>x<c-_><c-_><enter>", field: 0) == .edit(.text("mine")))
    #expect(edited("<c-u>one<a-enter>two<pageup>x<c-_><c-_><enter>", field: 0) == .edit(.text("one\ntwo")))
  }

  /// Who scrolled with them elsewhere did not mean to lose it; of a version that was copied, or of nothing typed, nothing is said.
  @Test func thatACopyTookThePlaceOfWhatWasTypedIsTold() {
    let editor = TestDesk().typing("<enter>ge")
    for (key, side) in [("<pagedown>", "ancestor"), ("<pageup>", "server"), ("<down>", "ancestor")] {
      let copied = editor.typing("QRS" + key)
      let words = "The \(side)'s is copied; Ctrl-_ brings back what was typed."
      #expect(copied.state.status == .told(words), "\(copied.screen)")
      #expect(copied.screen.description.contains(words), "\(copied.screen)")
      #expect(copied.typing("<c-_><enter>").journal.map(\.choice) == [.edit(.text("Call Dr. WuQRS"))])
      #expect(editor.typing(key).state.status == nil && copied.typing(key).state.status == nil)
    }
  }

  @Test func aClickIntoTheTextPutsTheCursorThere() throws {
    var desk = TestDesk().typing("<enter>ge<c-u>one<a-enter>two")
    let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("  two ") })
    desk.take(.terminal(.click(Point(column: 4, row: row - 1))))
    #expect(desk.typing("X<enter>").journal.map(\.choice) == [.edit(.text("oXne\ntwo"))])
    desk.take(.terminal(.click(Point(column: 60, row: row))))
    #expect(desk.typing("X<enter>").journal.map(\.choice) == [.edit(.text("one\ntwoX"))])
  }

  @Test func whatIsTypedGoesByASecondEscAlone() {
    let once = TestDesk().typing("<enter>gex<esc>")
    let words = "What is typed here is not kept yet: Enter takes it, Esc once more drops it."
    #expect(once.state.topic == .editor && once.state.status == .told(words), "\(once.screen)")
    let left = once.typing("<esc>")
    #expect(left.state.topic == .record && left.journal.isEmpty)
    #expect(once.typing("<enter>").journal.last?.choice == .edit(.text("Call Dr. Wux")))
    // What was typed since was not asked about, and neither key is the other one's second.
    var pasted = once
    pasted.take(.terminal(.paste("y")))
    #expect(pasted.typing("<esc>").state.topic == .editor && once.typing("y<esc>").state.topic == .editor)
    #expect(!once.typing("<f10>").hasQuit && once.typing("<f10><esc>").state.topic == .editor)
    #expect(TestDesk().typing("<enter>gje<c-n><esc>").state.topic == .editor)
    #expect(TestDesk().typing("<enter>gje<up><c-n><esc>").state.topic == .editor)
  }

  @Test(arguments: ["", "x<backspace>", "<left>", "<up>", "<down><down>"])
  func whereNothingWasTypedEscLeavesAtOnce(keys: String) {
    let desk = TestDesk().typing("<enter>ge" + keys + "<esc>")
    #expect(desk.state.topic == .record && desk.journal.isEmpty, "\(desk.screen)")
  }

  @Test func pastedTextGoesIntoTheFieldAndNowhereElse() {
    var desk = TestDesk().typing("<enter>e<c-u>")
    desk.take(.terminal(.paste("sc\nY")))
    desk.type("<enter>")
    #expect(desk.journal.map(\.choice) == [.edit(.text("sc\nY"))])
    desk.take(.terminal(.paste("sc")))
    #expect(desk.journal.count == 1)
    #expect(desk.state.status?.text == "Pasted text is ignored here.")
  }

  /// Who has pasted all of it, and presses Esc, leaves the page.
  @Test func howAPasteIsEndedIsToldAsLongAsItIsOpen() {
    let desk = TestDesk().taking(.terminal(.paste("sc", isOpen: true)))
    let way = "Esc ends a paste that does not end."
    #expect(desk.state.status?.text == "Pasted text is ignored here. \(way)")
    #expect(desk.taking(.terminal(.paste("sc"))).state.status?.text == "Pasted text is ignored here.")
  }

  @Test func theOutsideEditorGetsTheTextAndTheVersionsAndGivesBackOnlyTheText() {
    var desk = TestDesk().typing("<enter>j<down>e<esc>kE")
    guard case .editOutside(let text)? = desk.effects.last else {
      Issue.record("no editor was opened")
      return
    }
    #expect(text.contains("Call dentist today") == false || text.contains("\n# "))
    desk.take(.editedOutside("two\nlines\n" + text.drop { $0 != "\n" }.dropFirst()))
    desk.type("<enter>")
    #expect(desk.journal.last?.choice == .edit(.text("two\nlines")))
  }

  /// The next keys are for the record then: nobody asked for a line to type in.
  @Test(arguments: [
    (DeskEvent.editedOutside(nil), "Nothing was changed in the editor."),
    (.editorFailed("There is no program vy."), "There is no program vy."),
  ])
  func theRecordStaysWhereTheOutsideEditorChangesNothing(event: DeskEvent, words: String) {
    var desk = TestDesk().typing("<enter>gE")
    desk.take(event)
    #expect(desk.state.topic == .record && desk.state.status?.text == words)
    #expect(desk.journal.isEmpty)
    var typed = TestDesk().typing("<enter>gex<c-x>")
    typed.take(event)
    #expect(typed.state.topic == .editor && typed.state.status?.text == words)
    #expect(typed.screen.description.contains("Call Dr. Wux"))
  }

  @Test func bytesOpenNoEditor() {
    let desk = TestDesk().typing("jjjjjjj<enter>E")
    #expect(desk.state.topic == .record && desk.state.status?.isFailure == true)
    #expect(desk.state.status?.text.contains("@path") == true)
    #expect(!desk.effects.contains { if case .editOutside = $0 { true } else { false } })
  }

  /// What an editor may leave: our own lines or none of them, and a carriage return before them.
  @Test(arguments: [
    ("milk\n# c", "milk\n# c"), ("milk\n", "milk"), ("", ""), ("milk\r\nCUT\n# A", "milk\r"),
    ("CUT\n# A", ""),
    ("\nCUT\n", ""), ("a\n\nCUT\n", "a\n"),
  ])
  func theEditorsFileIsCutAtOurLineAndNowhereElse(left: String, value: String) {
    let cut = "# ---- Parley: this line and everything below it is dropped ----"
    #expect(
      OutsideText.strip(left.split(separator: "CUT", omittingEmptySubsequences: false).joined(separator: cut))
        == value)
  }

  @Test func aBlobComesFromAFile() {
    var desk = TestDesk().typing("jjjjjjj<enter>e@/tmp/p.png<enter>")
    #expect(desk.effects.last == .readFile("/tmp/p.png"))
    desk.take(.readFile(path: "/tmp/p.png", bytes: [9, 9]))
    #expect(desk.journal.map(\.choice) == [.edit(.blob(Blob(bytes: [9, 9])))])
  }

  /// Up and Down walk through the versions of bytes as through those of a text.
  @Test func theBytesOfAVersionAreCopied() {
    var desk = TestDesk().typing("jjjjjjj<enter>e")
    let client = Value.blob(Blob(bytes: [1, 2, 3]))
    desk.type("<down><down>")
    #expect(desk.screen.description.contains("│  \(Privacy.open.line(client)) "))
    desk.type("<enter>")
    #expect(desk.journal.map(\.choice) == [.take(.client)])
  }

  @Test func aLetterTakesThePlaceOfBytes() {
    let desk = TestDesk().typing("jjjjjjj<enter>ex")
    #expect(desk.screen.description.contains("type @ and its path"))
  }

  @Test func theCursorMovesInTheLine() {
    #expect(edited("<c-u>ac<left>b<home>x<end>z<backspace><enter>", field: 0) == .edit(.text("xabc")))
  }
}

extension DeskEffect {
  /// Whether the store is asked what it says to a value.
  fileprivate var isQuestion: Bool { if case .judge = self { true } else { false } }
}
