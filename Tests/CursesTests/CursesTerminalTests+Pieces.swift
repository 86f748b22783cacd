import CNcurses
import Terminal
import TerminalTestSupport
import Testing

@testable import Curses

/// What comes in pieces, as over a slow line.
extension CursesTerminalTests {
  /// Nobody waits long for the next piece, and whenever that comes it is in time.
  private var patient: Pauses {
    Pauses(inSequence: .milliseconds(10), behindEscape: .seconds(10), behindPiece: .seconds(10))
  }

  /// Gives ncurses the bytes one by one, as it has them where they came too slowly to be put together.
  private func give(_ pieces: String) {
    for byte in pieces.utf8.reversed() { ungetch(Int32(byte)) }
  }

  /// What comes of one that ncurses has in pieces, and of what the terminal sends behind it, up to a final `.`.
  private func events(inPieces pieces: String, then rest: String) throws -> [TerminalEvent] {
    try with(screen()) { terminal in
      give(pieces)
      return events(of: terminal, typing: rest + ".")
    }
  }

  func events(of terminal: CursesTerminal, typing text: String) -> [TerminalEvent] {
    pty.type(text)
    var events: [TerminalEvent] = []
    while case .event(let event) = terminal.nextEvent(timeout: .seconds(10)), event != .key(.character(".")) {
      events.append(event)
    }
    return events
  }

  /// Until the terminal has taken what is typed, of which nothing comes yet.
  func wait(for terminal: CursesTerminal, toTake typed: String) {
    pty.type(typed)
    #expect(FileDescriptor.wait([pty.programSide], until: .now + .seconds(10))[0].isReadable)
    #expect(terminal.nextEvent(timeout: .zero) == .timedOut)
  }

  @Test func whatIsPutTogetherOfPiecesIsWhatItIs() throws {
    let x = TerminalEvent.key(.character("x"))
    #expect(try events(inPieces: "\u{1B}[200~", then: "qY\u{1B}[201~x") == [.paste("qY"), x])
    #expect(try events(inPieces: "\u{1B}[<", then: "0;5;3M") == [.click(Point(column: 4, row: 2))])
    #expect(try events(inPieces: "\u{1B}[M", then: " %#") == [.click(Point(column: 4, row: 2))])
    let keys = "\u{1B}[1;2A\u{1B}[A\u{1B}OB"
    #expect(try events(inPieces: keys, then: "") == [Key.shiftUp, .up, .down].map(TerminalEvent.key))
    #expect(try events(inPieces: "\u{1B}[1;9Z", then: "x") == [x])
  }

  /// Behind an Escape it is what it is where it comes in one piece.
  @Test func whatIsPutTogetherBehindAnEscapeIsBoth() throws {
    #expect(try events(inPieces: "\u{1B}\u{1B}[200~", then: "Y\u{1B}[201~") == [.key(.escape), .paste("Y")])
    #expect(try events(inPieces: "\u{1B}\u{1B}[A", then: "") == [.keyBehindEscape(.up)])
    #expect(try events(inPieces: "\u{1B}\u{1B}[1;9Z", then: "") == [.key(.escape)])
  }

  /// The rest comes after everybody has stopped to wait for it.
  @Test(arguments: [3, 4, 5]) func aPasteWhoseOpeningStopsIsOneEvent(place: Int) throws {
    let opening = "\u{1B}[200~"
    try with(screen()) { terminal in
      terminal.pauses = patient
      wait(for: terminal, toTake: "\(opening.prefix(place))")
      #expect(events(of: terminal, typing: "\(opening.dropFirst(place))qY\u{1B}[201~.") == [.paste("qY")])
    }
  }

  @Test func aKeyThatStopsIsThatKeyOnceItIsWhole() throws {
    try with(screen()) { terminal in
      terminal.pauses = patient
      wait(for: terminal, toTake: "\u{1B}[1;2")
      #expect(events(of: terminal, typing: "Ax.") == [.key(.shiftUp), .key(.character("x"))])
    }
  }

  @Test func whatComesLongBehindAKeyThatStopsIsTypedByHand() throws {
    try with(screen()) { terminal in
      terminal.pauses = patient
      wait(for: terminal, toTake: "\u{1B}[1;2")
      terminal.pauses.behindPiece = .zero
      #expect(events(of: terminal, typing: "A.") == [.key(.character("A"))])
    }
  }

  /// Somebody else had the terminal in between.
  @Test func aKeyThatStopsIsGivenUpWhereTheTerminalIsGivenAway() throws {
    try with(screen()) { terminal in
      terminal.pauses = patient
      wait(for: terminal, toTake: "\u{1B}[1;2")
      terminal.suspended {}
      #expect(events(of: terminal, typing: "A.") == [.resumed, .key(.character("A"))])
    }
  }

  /// Of an arrow with a modifier, which has no name: B, C and D are commands.
  @Test(arguments: ["[1;3B", "[1;9D", "[27;5;9~", "[15;2~", "O1;5C"])
  func theEndOfSuchAnArrowThatComesLaterIsNoKey(sequence: String) throws {
    let end = sequence.suffix(1)
    for (rest, keys) in [("\(end)", ""), ("6\(end)", ""), ("j\(end)", "j\(end)")] {
      try with(screen()) { terminal in
        terminal.pauses = patient
        wait(for: terminal, toTake: "\u{1B}\(sequence.dropLast())")
        let told = events(of: terminal, typing: rest + "q.")
        #expect(told == (keys + "q").map { TerminalEvent.key(.character($0)) })
      }
    }
  }

  /// What has come of a paste is given out as open, and its end is still to come.
  private func withPaste(
    _ bytes: [UInt8], givenOutAs text: String, _ body: (CursesTerminal) throws -> Void
  ) throws {
    try with(screen()) { terminal in
      let (short, long) = (Duration.milliseconds(10), Duration.seconds(10))
      terminal.pauses = Pauses(inSequence: short, behindEscape: long, inPaste: short)
      pty.type(Array("\u{1B}[200~".utf8) + bytes)
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.paste(text, isOpen: true)))
      try body(terminal)
    }
  }

  @Test func whatComesLaterOfAPasteIsPasted() throws {
    try withPaste(Array("abc".utf8), givenOutAs: "abc") { terminal in
      let rest = events(of: terminal, typing: "Y\u{1B}[A \u{1B}[201~x.")
      #expect(rest == [.paste("Y\u{1B}[A "), .key(.character("x"))])
    }
  }

  /// At the end of a text a field takes it for none, and CR and LF are one.
  @Test(arguments: [
    ("\rdentist", 1), ("\r\ndentist", 1), ("\r\ndentist", 2), ("\n\ndentist", 2), ("\ré", 2),
    ("\r\u{1B}[31m", 3),
  ])
  func aPasteKeepsALineEndWhereItStops(rest: String, place: Int) throws {
    let bytes = Array(rest.utf8)
    try withPaste(Array("call".utf8) + bytes[..<place], givenOutAs: "call") { terminal in
      pty.type(Array(bytes[place...]) + Array("\u{1B}[201~.".utf8))
      #expect(events(of: terminal, typing: "") == [.paste(Paste.text(bytes))])
    }
  }

  /// Inside of a letter, or of its end.
  @Test(arguments: 1...6) func aPasteMayStopAnywhere(place: Int) throws {
    let bytes = Array("é\u{1B}[201~x".utf8)
    let pasted: [TerminalEvent] = place == 1 ? [.paste("é")] : []
    try withPaste([UInt8](bytes[..<place]), givenOutAs: place == 1 ? "" : "é") { terminal in
      pty.type([UInt8](bytes[place...]))
      #expect(events(of: terminal, typing: ".") == pasted + [.key(.character("x"))])
    }
  }

  /// Where its end was lost.
  @Test(arguments: ["\u{1B}", "\u{3}", "\u{1B}\u{1B}"]) func aPasteIsEndedByHand(keys: String) throws {
    try withPaste(Array("abc".utf8), givenOutAs: "abc") { terminal in
      pty.type("j")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.paste("j", isOpen: true)))
      wait(for: terminal, toTake: keys)
      wait(for: terminal, toTake: keys)
      terminal.pauses.behindEscape = .zero
      #expect(events(of: terminal, typing: "j.") == [.key(.character("j"))])
    }
  }

  /// As of coloured text, where the line stops behind it once more.
  @Test(arguments: ["\u{1B}", "\u{3}"]) func whatEndsAPasteByHandMayBeInIt(byte: String) throws {
    try withPaste(Array("abc".utf8), givenOutAs: "abc") { terminal in
      wait(for: terminal, toTake: byte)
      let rest = events(of: terminal, typing: "[31m7\u{1B}[201~x.")
      #expect(rest == [.paste(byte + "[31m7"), .key(.character("x"))])
    }
  }

  @Test func theEndOfAPasteThatComesInPiecesIsNoKey() throws {
    try withPaste(Array("abc".utf8), givenOutAs: "abc") { terminal in
      wait(for: terminal, toTake: "\u{1B}")
      #expect(events(of: terminal, typing: "[201~x.") == [.key(.character("x"))])
    }
  }

  /// Esc is answered at once, so that a slow line may bring the rest when it was a key already.
  private func withEscapeTold(_ body: (CursesTerminal) throws -> Void) throws {
    try with(screen()) { terminal in
      terminal.pauses = patient
      pty.type("\u{1B}")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.escape)))
      try body(terminal)
    }
  }

  @Test(arguments: ["[A", "OA", "[1;2B", "[5~", "O3B", "[1;9Z", "[<0;5;3M", "[M %#"])
  func whatComesBehindAnEscapeThatWasAKeyRunsNoCommand(rest: String) throws {
    try withEscapeTold { terminal in
      #expect(events(of: terminal, typing: rest + "x.") == [.key(.character("x"))])
    }
  }

  /// A report of the mouse, which may stop once more, and for which nobody waits.
  @Test(arguments: [("[<", "0;5;3M"), ("[<0;5", ";3m"), ("[M", " %#"), ("[M %", "#")])
  func whatComesLaterOfAReportBehindSuchAnEscapeRunsNoCommand(piece: String, rest: String) throws {
    try withEscapeTold { terminal in
      wait(for: terminal, toTake: piece)
      #expect(events(of: terminal, typing: rest + "x.") == [.key(.character("x"))])
    }
  }

  @Test func aPasteBehindAnEscapeThatWasAKeyIsAPaste() throws {
    try withEscapeTold { terminal in
      #expect(events(of: terminal, typing: "[200~qY\u{1B}[201~.") == [.paste("qY")])
    }
  }

  /// An answer of the terminal goes on at once.
  @Test func aBracketBehindAnEscapeIsAKeyWhereAnAnswerMayCome() throws {
    try with(screen()) { terminal in
      terminal.fitTheme(within: .zero) { ground, count in Theme.auto(on: ground, colours: count) }
      terminal.pauses = patient
      for bracket in "[]" {
        let keys: [Key] = [.escape, .character(bracket), .character("c")]
        for (typed, key) in zip("\u{1B}\(bracket)c", keys) {
          pty.type("\(typed)")
          #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(key)))
        }
      }
    }
  }

  /// When half a second is long over.
  @Test(arguments: [["[20"], ["[2", "0", "0"]])
  func aPasteWhoseOpeningStopsAgainBehindSuchAnEscapeIsAPaste(pieces: [String]) throws {
    try withEscapeTold { terminal in
      for piece in pieces {
        wait(for: terminal, toTake: piece)
        terminal.pauses.behindEscape = .zero
      }
      let rest = "[200~qY\u{1B}[201~.".dropFirst(pieces.joined().count)
      #expect(events(of: terminal, typing: "\(rest)") == [.paste("qY")])
    }
  }

  /// As the last one, when `[` or O was a key as well.
  @Test(arguments: ["[", "O"] as [Character]) func whatComesBehindSuchAKeyRunsNoCommand(key: Character) throws
  {
    for rest in ["A", "3~", "1;2B"] {
      try with(screen()) { terminal in
        terminal.pauses = patient
        pty.type("\u{1B}\(key)")
        #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.keyBehindEscape(.character(key))))
        #expect(events(of: terminal, typing: rest + "x.") == [.key(.character("x"))])
      }
    }
    for rest in ["3~", "1;2B"] {
      try withEscapeTold { terminal in
        pty.type("\(key)")
        #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character(key))))
        #expect(events(of: terminal, typing: rest + "x.") == [.key(.character("x"))])
      }
    }
  }

  @Test(arguments: 0...3) func aPasteBehindABracketThatWasAKeyIsAPaste(place: Int) throws {
    let bytes = Array("200~qY\u{1B}[201~.".utf8)
    try with(screen()) { terminal in
      terminal.pauses = patient
      pty.type("\u{1B}[")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.keyBehindEscape(.character("["))))
      if place > 0 {
        wait(for: terminal, toTake: String(decoding: bytes[..<place], as: UTF8.self))
        terminal.pauses.behindEscape = .zero
      }
      let rest = String(decoding: bytes[place...], as: UTF8.self)
      #expect(events(of: terminal, typing: rest) == [.paste("qY")])
    }
  }

  /// `[` is a key of the desk, and what is typed fast behind it ends no sequence.
  @Test func whatIsTypedByHandBehindAnEscapeArrives() throws {
    for typed in ["[", "O", "[[", "[j", "Oé", "O\u{3}"] {
      let keys = typed.unicodeScalars.compactMap { Key(typed: $0).map(TerminalEvent.key) }
      try withEscapeTold { terminal in
        #expect(events(of: terminal, typing: typed + ".") == keys, "\(typed)")
      }
    }
  }

  /// A terminal sends more than one at once.
  @Test(arguments: ["[c", "[A", "OA", "[12]", "O3B", "[<0", "[M "])
  func whatIsTypedOneByOneBehindAnEscapeArrives(typed: String) throws {
    try withEscapeTold { terminal in
      for key in typed {
        pty.type("\(key)")
        #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character(key))), "\(typed)")
      }
    }
  }

  @Test(arguments: ["[", "O"] as [Character]) func whatIsTypedBehindAnEscapeIsAnsweredAtOnce(key: Character)
    throws
  {
    try withEscapeTold { terminal in
      var waits: [Duration] = []
      terminal.willWait = { waits.append($0) }
      // Nobody waits for it.
      terminal.pauses.inSequence = .seconds(4)
      pty.type("\(key)")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character(key))))
      #expect(waits == [terminal.pauses.inBurst])
    }
  }

  /// As of the mouse, and of a paste.
  @Test func whatComesInABurstBehindABracketThatWasTypedIsNoKey() throws {
    let x = TerminalEvent.key(.character("x"))
    let bursts: [(String, [TerminalEvent])] = [
      ("<0;5;3M", []), ("1;5C", []), ("M %#", []), ("200~Y\u{1B}[201~", [.paste("Y")]),
    ]
    for (rest, told) in bursts {
      try withEscapeTold { terminal in
        pty.type("[")
        #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character("["))))
        #expect(events(of: terminal, typing: rest + "x.") == told + [x], "\(rest)")
      }
    }
  }

  @Test func whatComesLaterBehindAnEscapeIsTypedByHand() throws {
    try withEscapeTold { terminal in
      terminal.pauses.behindEscape = .zero
      #expect(events(of: terminal, typing: "[A.") == [.key(.character("[")), .key(.character("A"))])
    }
  }

  /// As of a sequence of which the line has lost the end.
  @Test func whatBeginsBehindASequenceThatHasNoEndIsWhole() throws {
    #expect(try events(inPieces: "\u{1B}[2", then: "\u{1B}[200~Y\u{1B}[201~") == [.paste("Y")])
    #expect(try events(inPieces: "\u{1B}[2\u{1B}[A", then: "") == [.key(.up)])
  }

  /// Н as a Russian keyboard has it, where others have Y. Each byte comes when the terminal waits for it.
  @Test(arguments: ["Н", "日", "👍"] as [Character])
  func aLetterBehindAnEscapeWhoseBytesComeOneByOneIsOneWithIt(letter: Character) throws {
    let bytes = Array(String(letter).utf8)
    try with(screen()) { terminal in
      var rest = bytes.dropFirst()
      terminal.pauses = Pauses(inSequence: .zero, inLetter: .seconds(10))
      terminal.willWait = { _ in if let byte = rest.popFirst() { pty.type([byte]) } }
      pty.type([0x1B, bytes[0]])
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.keyBehindEscape(.character(letter))))
    }
  }

  /// Longer than for a sequence, which somebody may have typed.
  @Test func theRestOfALetterBehindAnEscapeIsWaitedForAsLongAsItMayTake() throws {
    try with(screen()) { terminal in
      terminal.pauses = Pauses(inSequence: .zero, inLetter: .milliseconds(1))
      var waits: [Duration] = []
      terminal.willWait = { waits.append($0) }
      pty.type([0x1B, 0xD0])
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.escape)))
      #expect(waits == [terminal.pauses.inLetter])
    }
  }
}
