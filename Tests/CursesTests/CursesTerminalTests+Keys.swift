import Terminal
import TerminalTestSupport
import Testing

@testable import Curses

/// Letters and keys, as terminals send them.
extension CursesTerminalTests {
  @Test func lettersOfAnyAlphabetArrive() throws {
    #expect(
      try keys("aé日👍 ") == [
        .character("a"), .character("é"), .character("日"), .character("👍"), .character(" "),
      ])
  }

  /// As over a slow line.
  @Test(arguments: ["é", "日", "👍"]) func aLetterWhoseBytesComeOneByOneArrives(letter: Character) throws {
    try with(screen()) { terminal in
      let bytes = Array(String(letter).utf8)
      for byte in bytes.dropLast() {
        pty.type([byte])
        #expect(FileDescriptor.wait([pty.programSide], until: .now + .seconds(10))[0].isReadable)
        #expect(terminal.nextEvent(timeout: .zero) == .timedOut)
      }
      pty.type(Array(bytes.suffix(1)))
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.character(letter))))
    }
  }

  @Test func bytesThatAreNoLetterAreSeenAndHideNoKeyBehindThem() throws {
    try with(screen()) { terminal in
      pty.type(
        [0xC3] + Array("b".utf8) + [0x80, 0xE6, 0x97] + Array("\u{1B}[A".utf8) + [0xFF] + Array("é".utf8))
      let unreadable = Key.character("\u{FFFD}")
      for key in [unreadable, .character("b"), unreadable, unreadable, .up, unreadable, .character("é")] {
        #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(key)))
      }
    }
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "linux", "vt220"])
  func keysAreToldUnderEveryName(name: String) throws {
    #expect(try keys("\u{1B}[A\u{1B}OB\u{1B}OC\u{1B}[D", name: name) == [.up, .down, .right, .left])
    #expect(try keys("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~", name: name) == [.home, .home, .home, .home])
    #expect(try keys("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~", name: name) == [.end, .end, .end, .end])
    #expect(
      try keys("\u{1B}[5~\u{1B}[6~\u{1B}[2~\u{1B}[3~", name: name) == [.pageUp, .pageDown, .insert, .delete])
    #expect(try keys("\u{1B}[1;2A\u{1B}[1;2B", name: name) == [.shiftUp, .shiftDown])
    #expect(try keys("\u{1B}[5;5~\u{1B}[6;5~", name: name) == [.controlPageUp, .controlPageDown])
    #expect(try keys("\u{1B}[1;5A\u{1B}[1;5B", name: name) == [.controlUp, .controlDown])
    #expect(
      try keys("\u{1B}[Z\t\r\u{7F}\u{8}", name: name) == [.backTab, .tab, .enter, .backspace, .backspace])
    #expect(
      try keys("\u{1B}OP\u{1B}OQ\u{1B}OR\u{1B}OS\u{1B}[15~\u{1B}[17~\u{1B}[24~", name: name)
        == [1, 2, 3, 4, 5, 6, 12].map(Key.function))
  }

  @Test func controlLettersArriveAsKeys() throws {
    #expect(try keys("\u{3}\u{C}\u{4}\u{15}\u{1C}") == ["c", "l", "d", "u"].map(Key.control))
  }

  /// What is typed while the terminal has not answered all, or once it has.
  private func events(_ typed: String, isAnswered: Bool) throws -> [TerminalEvent] {
    try with(screen()) { terminal in
      if isAnswered { pty.type("\u{1B}[?62;22c") }
      terminal.fitTheme(within: isAnswered ? .seconds(10) : .zero) { ground, count in
        Theme.auto(on: ground, colours: count)
      }
      #expect(terminal.isAsking != isAnswered)
      return events(of: terminal, typing: typed + ".").filter { $0 != .resumed }
    }
  }

  @Test func unknownSequencesRunNoCommands() throws {
    let typed = "\u{1B}P>|x\u{1B}\\a\u{1B}[1;9Zb\u{1B}]11;rgb:0/0/0\u{7}c"
    #expect(try events(typed, isAnswered: false) == ["a", "b", "c"].map { .key(.character($0)) })
  }

  /// With a modifier, as terminals send them now and sent them once: B, C and D are commands.
  @Test(arguments: ["xterm-256color", "tmux-256color", "linux", "vt220"])
  func arrowsThatHaveNoNameRunNoCommands(name: String) throws {
    let arrows = ["[1;3B", "[1;5C", "[1;9D", "[1;16A", "[3B", "O3B", "O5C", "O1;9D", "[27;5;9~"]
    let typed = arrows.map { "\u{1B}\($0)a" }.joined()
    #expect(try keys(typed, name: name) == arrows.map { _ in .character("a") })
  }

  @Test func altAndASmallLetterIsAKey() throws {
    #expect(try keys("\u{1B}b\u{1B}fa") == [.alt("b"), .alt("f"), .character("a")])
    // Where Alt is held with Enter, and where Ctrl-J is typed.
    #expect(try keys("\u{1B}\r\n\r") == [.altEnter, .control("j"), .enter])
    #expect(try keys("\u{1B}\u{7F}\u{1B}d") == [.altBackspace, .alt("d")])
  }

  /// As tmux sends what is pressed within half a second, and a slow line what comes with it.
  @Test(arguments: [
    ("/", Key.character("/")), ("?", .character("?")), (":", .character(":")), ("2", .character("2")),
    ("A", .character("A")), ("Y", .character("Y")), ("X", .character("X")), (" ", .character(" ")),
    ("é", .character("é")), ("\t", .tab), ("\n", .control("j")), ("\u{3}", .control("c")),
    ("\u{1B}[A", .up), ("\u{1B}OQ", .function(2)),
  ])
  func escapeAndAKeyAtOnceAreBoth(typed: String, key: Key) throws {
    #expect(try keys("\u{1B}\(typed)ca") == [.escape, key, .character("c"), .character("a")])
    #expect(try events("\u{1B}\(typed)") == [.keyBehindEscape(key)], "nobody has seen what Esc shows")
    #expect(try keys("\u{1B}\u{1B}\(typed)ca").suffix(4) == [.escape, key, .character("c"), .character("a")])
  }

  /// As tmux sends what is typed within half a second: an answer of the terminal goes on otherwise.
  @Test(arguments: ["P", "]", "_", "^"] as [Character])
  func escapeAndWhatBeginsNoAnswerAreKeysAndSoIsWhatFollows(key: Character) throws {
    for rest in ["c", "jj", "é", "\u{1B}[A"] {
      let both = TerminalEvent.keyBehindEscape(.character(key))
      let (told, plain) = (try events("\u{1B}\(key)\(rest)"), try events(rest))
      #expect(told == [both] + plain, "\(key)\(rest)")
    }
  }

  @Test(arguments: ["]11;rgb:0/0/0\u{7}", "P>|tmux 3.4\u{1B}\\", "P1$r0m\u{1B}\\", "P1+r\u{1B}\\"])
  func whatTerminalsAnswerIsNoKey(answer: String) throws {
    #expect(try events("\u{1B}\(answer)c", isAnswered: false) == [.key(.character("c"))])
  }

  /// Nothing is on its way that could be a string.
  @Test(arguments: ["P4jjs", "]4jjs", "P>j", "P1\u{1B}[A"])
  func onceTheTerminalHasAnsweredWhatBeginsAnAnswerIsKeysAsWell(typed: String) throws {
    let both = TerminalEvent.keyBehindEscape(.character(typed.first == "P" ? "P" : "]"))
    let (told, plain) = (try events("\u{1B}" + typed, isAnswered: true), try events("\(typed.dropFirst())"))
    #expect(told == [both] + plain)
  }

  @Test func escapeTwiceAndAKeyAtOnceAreThree() throws {
    #expect(try keys("\u{1B}\u{1B}/") == [.escape, .escape, .character("/")])
    #expect(try keys("\u{1B}\u{1B}j") == [.escape, .alt("j")])
  }

  /// With which sequences begin, and nothing follows.
  @Test(arguments: ["[", "O", "P", "]", "_", "^"] as [Character])
  func escapeAndAKeyAtOnceAreBothWhereNoSequenceFollows(key: Character) throws {
    try with(screen()) { terminal in
      pty.type("\u{1B}\(key)")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.keyBehindEscape(.character(key))))
    }
  }

  @Test func escapeAloneIsAKey() throws {
    try with(screen()) { terminal in
      pty.type("\u{1B}")
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.escape)))
    }
  }

  @Test func escapeTwiceAtOnceIsTwoKeysAndBeforeASequenceOne() throws {
    try with(screen()) { terminal in
      pty.type("\u{1B}\u{1B}")
      for _ in 1...2 { #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.key(.escape))) }
    }
    #expect(try keys("\u{1B}\u{1B}[1;9Za") == [.escape, .character("a")])
    #expect(try keys("\u{1B}\u{1B}\u{1B}[1;9Za") == [.escape, .escape, .character("a")])
  }
}
