import CNcurses
import Terminal
import TerminalTestSupport
import Testing

@testable import Curses

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// ncurses in this process, on a pseudo-terminal. One at a time: ncurses has one screen.
@MainActor
@Suite(.serialized) struct CursesTerminalTests {
  let pty: PseudoTerminal

  init() throws { pty = try PseudoTerminal(columns: 60, rows: 10) }

  func screen(
    _ theme: Theme = .auto, colours: ColourDepth = .terminal, name: String = "xterm-256color"
  ) throws -> CursesTerminal {
    try CursesTerminal(
      theme: theme, colours: colours, mouse: true, input: pty.programSide, output: pty.programSide, name: name
    )
  }

  func with<T>(_ terminal: CursesTerminal, _ body: (CursesTerminal) throws -> T) rethrows -> T {
    defer { terminal.close() }
    return try body(terminal)
  }

  /// The events of what is typed, up to a final `.`.
  func events(_ typed: String, name: String = "xterm-256color") throws -> [TerminalEvent] {
    try with(screen(name: name)) { terminal in
      pty.type(typed + ".")
      var events: [TerminalEvent] = []
      while case .event(let event) = terminal.nextEvent(timeout: .seconds(10)), event != .key(.character("."))
      {
        events.append(event)
      }
      return events
    }
  }

  func keys(_ typed: String, name: String = "xterm-256color") throws -> [Key] {
    try events(typed, name: name).flatMap { event in
      switch event {
      case .key(let key): [key]
      case .keyBehindEscape(let key): [.escape, key]
      default: throw Unexpected(event: event)
      }
    }
  }

  /// The terminal's own news are no keys.
  @Test func whatWasTypedMeanwhileIsTakenAtOnce() throws {
    try with(screen()) { terminal in
      pty.type("sj")
      let states = FileDescriptor.wait([pty.programSide], until: .now + .seconds(10))
      #expect(states[0].isReadable)
      terminal.pending.append(.resumed)
      #expect(terminal.typedMeanwhile() == [.key(.character("s")), .key(.character("j"))])
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.resumed))
      #expect(terminal.nextEvent(timeout: .zero) == .timedOut)
    }
  }

  private struct Unexpected: Error {
    var event: TerminalEvent
  }

  /// The grounds for which a theme was asked, and the events that follow, up to a final `.`.
  private func fitted(_ before: String, then after: String, within patience: Duration) throws
    -> (grounds: [Colour?], events: [TerminalEvent])
  {
    try with(screen()) { terminal in
      var grounds: [Colour?] = []
      pty.type(before)
      terminal.fitTheme(within: patience) { ground, count in
        grounds.append(ground)
        return Theme.auto(on: ground, colours: count)
      }
      pty.type(after + ".")
      var events: [TerminalEvent] = []
      while case .event(let event) = terminal.nextEvent(timeout: .seconds(10)), event != .key(.character("."))
      {
        events.append(event)
      }
      #expect(terminal.theme == Theme.auto(on: grounds.last ?? nil, colours: 256))
      return (grounds, events)
    }
  }

  private let light = Colour.rgb(red: 0xFD, green: 0xF6, blue: 0xE3)
  private let answer = "\u{1B}]11;rgb:fdfd/f6f6/e3e3\u{1B}\\"
  private let end = "\u{1B}[?62;22c"

  @Test func theThemeFitsTheBackgroundThatTheTerminalTells() throws {
    // What is typed meanwhile is kept.
    let (grounds, events) = try fitted("j\(answer)k\(end)", then: "l", within: .seconds(10))
    #expect(grounds == [nil, light])
    #expect(events == ["j", "k", "l"].map { .key(.character($0)) })
    #expect(
      try fitted("\u{1B}]11;#fdf6e3\u{7}" + end, then: "", within: .seconds(10)).grounds == [nil, light])
  }

  @Test func anAnswerThatComesLateIsNoKey() throws {
    let (grounds, events) = try fitted("", then: "j\(answer)k\(end)l", within: .zero)
    #expect(grounds == [nil, light])
    #expect(
      events == [
        .key(.character("j")), .resumed, .key(.character("k")), .key(.character("l")),
      ])
  }

  /// Over a slow line, wherever it is parted: its digits and letters would run commands.
  @Test(arguments: [1, 2, 4, 12, 24, 26, 27, 29, 32])
  func anAnswerInPiecesIsNoKey(place: Int) throws {
    let bytes = Array(answer + end)
    try with(screen()) { terminal in
      terminal.fitTheme(within: .zero) { ground, count in Theme.auto(on: ground, colours: count) }
      terminal.pauses = Pauses(inSequence: .milliseconds(10), behindPiece: .seconds(10))
      pty.type(String(bytes[..<place]))
      #expect(FileDescriptor.wait([pty.programSide], until: .now + .seconds(10))[0].isReadable)
      var events: [Awaited] = []
      repeat { events.append(terminal.nextEvent(timeout: .zero)) } while events.last != .timedOut
      pty.type(String(bytes[place...]) + ".")
      repeat {
        events.append(terminal.nextEvent(timeout: .seconds(10)))
      } while events.last != .event(.key(.character("."))) && events.last != .timedOut
      let keys = events.filter { $0 != .timedOut && $0 != .event(.resumed) && $0 != .event(.key(.escape)) }
      // By itself that is a key.
      let told: [Awaited] = place == 2 ? [.event(.keyBehindEscape(.character("]")))] : []
      #expect(
        keys == told + [.event(.key(.character(".")))] && !terminal.isAsking, "\(place): \(events)")
      #expect(terminal.theme == Theme.auto(on: light, colours: 256))
    }
  }

  /// It leaves the page that the keys behind it would be for.
  @Test func escapeAsAnAnswerComesIsAKey() throws {
    let escape = TerminalEvent.key(.escape)
    let all = try fitted("\u{1B}" + end, then: "l", within: .seconds(10)).events
    #expect(all == [escape, .key(.character("l"))])
    try with(screen()) { terminal in
      terminal.fitTheme(within: .zero) { ground, count in Theme.auto(on: ground, colours: count) }
      pty.type("\u{1B}\u{1B}")
      for _ in 1...2 { #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(escape)) }
      pty.type("\(end.dropFirst())j")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character("j"))))
      #expect(!terminal.isAsking)
    }
  }

  @Test func aKeyAfterTheBeginningOfAnAnswerIsAKey() throws {
    try with(screen()) { terminal in
      terminal.fitTheme(within: .zero) { ground, count in Theme.auto(on: ground, colours: count) }
      terminal.pauses.inSequence = .milliseconds(10)
      wait(for: terminal, toTake: "\u{1B}]11;rgb:")
      pty.type("jc")
      for key in "jc" { #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character(key)))) }
    }
  }

  @Test func whereNoBackgroundIsToldKeysArriveAsTyped() throws {
    let (grounds, events) = try fitted(end, then: "j", within: .seconds(10))
    #expect(grounds == [nil] && events == [.key(.character("j"))])
    // Nobody asked for this one, or it is no answer.
    #expect(try fitted(end, then: answer + "j", within: .seconds(10)).grounds == [nil])
    #expect(try fitted("\u{1B}]11;red\u{7}" + end, then: "", within: .seconds(10)).grounds == [nil])
  }

  @Test func aTerminalThatNeverAnswersHoldsNobodyUp() throws {
    let (grounds, events) = try fitted("", then: "j", within: .milliseconds(1))
    #expect(grounds == [nil] && events == [.key(.character("j"))])
  }

  /// Once no answer is on its way any more, nobody waits behind an Esc for one.
  @Test func escapeIsAnsweredAtOnceWhereTheTerminalNeverAnswers() throws {
    try with(screen()) { terminal in
      terminal.fitTheme(within: .zero) { ground, count in Theme.auto(on: ground, colours: count) }
      terminal.asked = ContinuousClock.now - .seconds(60)
      var waits: [Duration] = []
      terminal.willWait = { waits.append($0) }
      pty.type("\u{1B}")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.escape)))
      #expect(waits.isEmpty)
    }
  }

  @Test func aPasteIsOneEventAndItsKeysAreText() throws {
    #expect(
      try events("\u{1B}[200~q日\u{1B}[A\rY\u{1B}[201~x") == [.paste("q日\u{1B}[A\nY"), .key(.character("x"))])
  }

  /// Somebody pressed Escape and pastes, or clicks, and a slow line brings both at once.
  @Test func aPasteAndAClickBehindAnEscapeAreNoKeys() throws {
    #expect(
      try events("\u{1B}\u{1B}[200~qY\u{1B}[201~x")
        == [.key(.escape), .paste("qY"), .key(.character("x"))])
    #expect(
      try events("\u{1B}\u{1B}\u{1B}[200~qY\u{1B}[201~x").suffix(2) == [.paste("qY"), .key(.character("x"))])
    #expect(
      try events("\u{1B}\u{1B}[<0;5;3Mx")
        == [.clickBehindEscape(Point(column: 4, row: 2)), .key(.character("x"))])
  }

  /// Nobody has seen what Esc shows, so that it is neither the second nor the first of two.
  @Test func aClickBehindAnEscapeIsNoneOfTwo() throws {
    let (press, point) = ("\u{1B}[<0;5;3M", Point(column: 4, row: 2))
    #expect(
      try events(press + "\u{1B}" + press + press + press)
        == [.click(point), .clickBehindEscape(point), .click(point), .doubleClick(point)])
    #expect(try events("\u{1B}\u{1B}" + press) == [.key(.escape), .clickBehindEscape(point)])
  }

  @Test func aLongPasteArrivesWhole() throws {
    // Less than the terminal's own buffer, since nobody reads while we type.
    let text = String(repeating: "Buy milk. ", count: 350)
    #expect(try events("\u{1B}[200~\(text)\u{1B}[201~") == [.paste(text)])
  }

  @Test func mouseButtonsAndWheelAreTold() throws {
    let (press, release) = ("\u{1B}[<0;5;3M", "\u{1B}[<0;5;3m")
    let point = Point(column: 4, row: 2)
    #expect(
      try events(press + release + press + release + "\u{1B}[<64;5;3M\u{1B}[<65;5;3M")
        == [.click(point), .doubleClick(point), .wheel(-1), .wheel(1)])
  }

  @Test func theOldMouseIsUnderstoodAndBrokenReportsRunNothing() throws {
    #expect(try events("\u{1B}[M %#\u{1B}[M#%#") == [.click(Point(column: 4, row: 2))])
    #expect(try events("\u{1B}[<0;1Mx\u{1B}[<2;1;1M") == [.key(.character("x"))])
  }

  @Test func aRingWakesFromAnotherThread() async throws {
    let wake = try Wake()
    let terminal = try screen()
    defer { terminal.close() }
    Task.detached { wake.ring() }
    #expect(terminal.nextEvent(wake: wake, timeout: .seconds(10)) == .woken)
    #expect(terminal.nextEvent(wake: wake, timeout: .zero) == .timedOut)
  }

  @Test func thirtyResizesEndInTheLast() throws {
    try with(screen()) { terminal in
      for columns in 31...60 {
        pty.resize(columns: columns + 20, rows: columns)
        kill(getpid(), SIGWINCH)
      }
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.resized(Size(columns: 80, rows: 60))))
      #expect(terminal.size == Size(columns: 80, rows: 60))
    }
  }

  @Test func wideAndCombiningCharactersStandWhereTheGridHasThem() throws {
    try with(screen()) { terminal in
      var grid = Grid(terminal.size)
      grid.write("日e\u{301}👩‍💻|", at: 0, 0)
      grid.write("cut日本", at: 55, 1)
      terminal.draw(grid)
      #expect(screenRow(0) == "日e\u{301}👩💻|")
      #expect(screenRow(1) == String(repeating: " ", count: 55) + "cut›")
      // ncurses has the bar in the column where the grid has it.
      #expect(grid[7, 0].text == "|" && mvwinch(terminal.window, 0, 7) & 0xFF == 0x7C)
    }
  }

  @Test func aGridLargerOrSmallerThanTheScreenIsDrawn() throws {
    try with(screen()) { terminal in
      for size in [Size(columns: 200, rows: 50), Size(columns: 5, rows: 2), Size(columns: 0, rows: 0)] {
        var grid = Grid(size)
        for row in 0..<size.rows { grid.fill("x", row: row) }
        terminal.draw(grid)
        #expect(screenRow(0)?.count { $0 == "x" } == min(60, size.columns))
      }
    }
  }

  /// Rows that did not change are left to ncurses; of those that did nothing stays that was there.
  @Test func nothingOfAnEarlierFrameIsLeft() throws {
    try with(screen()) { terminal in
      for words in [["one 日本", "same"], ["o", "same"], ["", "same"], ["日", "same"]] {
        var grid = Grid(terminal.size)
        for (row, text) in words.enumerated() { grid.write(text, at: 0, row) }
        terminal.draw(grid)
        #expect(screenRow(0) == words[0] && screenRow(1) == "same")
      }
    }
  }

  /// The terminal has lost what had no room in between, and one signal tells of both.
  @Test func aFrameIsSentAnewWhereTheSizeIsWhatItWasAgain() throws {
    try with(screen()) { terminal in
      let size = terminal.size
      var grid = Grid(size)
      grid.write("below", at: 0, size.rows - 1)
      terminal.draw(grid)
      pty.receiveAll()
      pty.forgetOutput()
      for new in [Size(columns: 20, rows: 3), size] { pty.resize(columns: new.columns, rows: new.rows) }
      kill(getpid(), SIGWINCH)
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.resized(size)))
      terminal.draw(grid)
      pty.receiveAll()
      #expect(String(decoding: pty.output, as: UTF8.self).contains("below"))
    }
  }

  /// What ncurses cut off when the terminal was small is drawn again, though the frame is that of before.
  @Test func aFrameIsWholeAfterTheTerminalWasSmaller() throws {
    try with(screen()) { terminal in
      let size = terminal.size
      var grid = Grid(size)
      grid.write("far", at: size.columns - 4, 0)
      grid.write("below", at: 0, size.rows - 1)
      terminal.draw(grid)
      for new in [Size(columns: 20, rows: 3), size] {
        pty.resize(columns: new.columns, rows: new.rows)
        kill(getpid(), SIGWINCH)
        #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.resized(new)))
      }
      terminal.draw(grid)
      #expect(screenRow(0)?.hasSuffix("far") == true)
      #expect(screenRow(Int32(size.rows - 1)) == "below")
    }
  }

  @Test func aWideCharacterHalfBeyondTheScreenIsNotSeen() throws {
    try with(screen()) { terminal in
      var grid = Grid(Size(columns: 80, rows: 10))
      grid.write("x日y", at: 58, 0)
      grid.write("next", at: 0, 1)
      terminal.draw(grid)
      #expect(screenRow(0) == String(repeating: " ", count: 58) + "x")
      #expect(screenRow(1) == "next")
    }
  }

  @Test func theCursorIsShownOnlyWhereTheGridHasIt() throws {
    try with(screen()) { terminal in
      var grid = Grid(terminal.size)
      terminal.draw(grid)
      pty.receiveAll()
      #expect(!pty.isCursorShown)
      grid.cursor = Point(column: 3, row: 2)
      terminal.draw(grid)
      pty.receiveAll()
      #expect(pty.isCursorShown)
    }
  }

  @Test(arguments: [
    ("mono", ColourDepth.exact, false), ("mono", .terminal, false), ("night", .none, false),
    ("auto", .none, false),
    ("auto", .terminal, true), ("night", .terminal, true), ("night", .exact, true),
  ])
  func colourCodesAreSentOnlyWhereColoursAreWanted(theme: String, depth: ColourDepth, hasColours: Bool) throws
  {
    try with(screen(try #require(Theme.builtIn[theme]), colours: depth)) { $0.draw(everyInk($0.size)) }
    pty.receiveAll()
    #expect((pty.colourCodes > 0) == hasColours, "\(pty.colourCodes)")
    // Weight is no colour: bold and reverse remain. Of night both colours are known, and change places.
    let reverses = String(decoding: pty.output, as: UTF8.self).contains(/\u{1B}\[([0-9;]*;)?7m/)
    #expect(reverses == !(theme == "night" && hasColours))
  }

  /// Then a terminal fills its blanks by itself.
  @Test(arguments: [(nil, true), (Colour.black, false)] as [(Colour?, Bool)])
  func whereTheGroundIsKnownTheSelectedRowHasNoAttribute(ground: Colour?, reverses: Bool) throws {
    try with(screen(Theme.auto(on: ground, colours: 256), colours: .terminal)) {
      var grid = Grid($0.size)
      grid.write("selected", at: 0, 0, .text.selected())
      $0.draw(grid)
    }
    pty.receiveAll()
    #expect(String(decoding: pty.output, as: UTF8.self).contains(/\u{1B}\[([0-9;]*;)?7m/) == reverses)
  }

  @Test func theBlanksOfASelectedRowAreFilledByTheTerminal() throws {
    try with(screen(try #require(Theme.builtIn["night"]))) { terminal in
      var grid = Grid(terminal.size)
      for row in 0..<2 { grid.write("title" + String(repeating: " ", count: 50) + "time", at: 0, row) }
      terminal.draw(grid)
      pty.receiveAll()
      pty.forgetOutput()
      grid.fill(" ", row: 1, Ink.text.selected())
      grid.write("title", at: 0, 1, Ink.text.selected())
      grid.write("time", at: 55, 1, Ink.text.selected())
      terminal.draw(grid)
      pty.receiveAll()
      let sent = String(decoding: pty.output, as: UTF8.self)
      #expect(
        sent.contains("title") && sent.contains("time") && !sent.contains("     "), "\(sent.debugDescription)"
      )
    }
  }

  @Test func exactColoursAreSentAsTheyAreWritten() throws {
    try with(screen(try #require(Theme.builtIn["night"]), colours: .exact)) { terminal in
      var grid = Grid(terminal.size)
      grid.write("client", at: 0, 0, .client)
      terminal.draw(grid)
    }
    pty.receiveAll()
    let output = String(decoding: pty.output, as: UTF8.self)
    #expect(output.contains("\u{1B}[38;2;108;182;255m"))
    #expect(output.contains("\u{1B}[48;2;22;24;29m"))
  }

  @Test func thePaletteStaysThePaletteAmongExactColours() throws {
    let theme = try Theme(
      name: "mine", yaml: "client: cyan\nserver: bright-red\nneeds: 208\nfailed: \"#000001\"", file: "")
    try with(screen(theme, colours: .exact)) { terminal in
      var grid = Grid(terminal.size)
      for (row, ink) in [Ink.client, .server, .needs, .failed].enumerated() {
        grid.write("x", at: 0, row, ink)
      }
      terminal.draw(grid)
    }
    pty.receiveAll()
    let output = String(decoding: pty.output, as: UTF8.self)
    for code in ["[36m", "[91m", "[38;2;255;135;0m", "[38;2;0;0;16m"] {
      #expect(output.contains("\u{1B}\(code)"), "\(code)")
    }
  }

  @Test(arguments: [("xterm-256color", true), ("vt220", false)])
  func whatIsRemovedIsStruckOutOrElseUnderlined(name: String, canStrike: Bool) throws {
    try with(screen(name: name)) { terminal in
      var grid = Grid(terminal.size)
      grid.write("gone", at: 0, 0, Ink.server.struck)
      terminal.draw(grid)
    }
    pty.receiveAll()
    let output = String(decoding: pty.output, as: UTF8.self)
    #expect(output.contains("\u{1B}[9m") == canStrike)
    #expect(output.contains(/\u{1B}\[[0-9;]*4m/) == !canStrike)
  }

  @Test func anotherThemeIsSeenAtTheNextFrame() throws {
    try with(screen(.auto, colours: .exact)) { terminal in
      terminal.draw(everyInk(terminal.size))
      terminal.theme = try #require(Theme.builtIn["paper"])
      terminal.draw(everyInk(terminal.size))
    }
    pty.receiveAll()
    #expect(String(decoding: pty.output, as: UTF8.self).contains("\u{1B}[38;2;5;80;174m"))
  }

  @Test func childrenFindTheTerminfoOfEverybody() throws {
    try with(screen(colours: .exact)) { _ in
      #expect(getenv("TERMINFO").map { String(cString: $0) }?.hasPrefix("hex:") != true)
    }
  }

  @Test func closingLeavesTheTerminalAsItWas() throws {
    try with(screen()) { $0.draw(everyInk($0.size)) }
    pty.receiveAll()
    #expect(pty.isRestored)
  }

  @Test func whatIsNoTerminalIsRefused() throws {
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    #expect(throws: TerminalError.notATerminal) {
      try CursesTerminal(theme: .auto, colours: .none, mouse: false, input: null, output: null, name: "xterm")
    }
  }

  @Test func terminalsThatCannotBeDrawnOnAreNamed() throws {
    #expect(throws: TerminalError.unknownTerminal(name: "vt9999")) { try screen(name: "vt9999") }
    #expect(throws: TerminalError.unknownTerminal(name: "")) { try screen(name: "") }
    #expect(throws: TerminalError.cannotMoveCursor(name: "dumb")) { try screen(name: "dumb") }
    pty.receiveAll()
    #expect(pty.areModesRestored)
  }

  /// What ncurses believes to be on the screen.
  private func screenRow(_ row: Int32) -> String? {
    var characters = [wchar_t](repeating: 0, count: 400)
    guard mvwinnwstr(nc_stdscr(), row, 0, &characters, 399) != ERR else { return nil }
    let scalars = characters.prefix { $0 != 0 }.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    return String(String(String.UnicodeScalarView(scalars)).reversed().drop { $0 == " " }.reversed())
  }

  private func everyInk(_ size: Size) -> Grid {
    var grid = Grid(size)
    for (row, role) in Ink.Role.allCases.enumerated() {
      grid.write(
        [Run("\(role) ", Ink(role)), Run("bold", Ink(role).bold), Run("cursor", Ink(role).selected())], at: 0,
        row)
    }
    return grid
  }
}
