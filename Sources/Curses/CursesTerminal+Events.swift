import CNcurses
import Foundation
import Terminal

/// Why ``CursesTerminal/nextEvent(wake:timeout:)`` came back.
package enum Awaited: Sendable, Equatable {
  case event(TerminalEvent)
  /// Somebody rang ``Wake``.
  case woken
  case timedOut
  /// The terminal has gone away: nothing will come any more.
  case hungUp
}

extension CursesTerminal {
  /// Sleeps until something happens. A `timeout` is only for who wants to do something else meanwhile.
  package func nextEvent(wake: Wake? = nil, timeout: Duration? = nil) -> Awaited {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      // ncurses may hold keys it has read already, so it is asked before poll is.
      if let event = pendingEvent() { return .event(event) }
      if wake?.silence() == true { return .woken }
      let descriptors = [input, signals] + (wake.map { [$0.fileDescriptor] } ?? [])
      let states = FileDescriptor.wait(descriptors, until: deadline)
      if states[0].isReadable || states[0].isHungUp, isAtEnd { return .hungUp }
      if !states.contains(where: \.isReadable), let deadline, deadline <= .now { return .timedOut }
    }
  }

  func pendingEvent() -> TerminalEvent? {
    hearSignals()
    if !pending.isEmpty { return pending.removeFirst() }
    if let rest = restOfPaste() { return pasted(rest) }
    // ncurses would make keys of it.
    if let openPaste, openPaste.isOpen(at: .now, pauses) { return nil }
    while let code = nextCode() {
      if !isRestOfSequence(code), let event = event(code) { return event }
      if !pending.isEmpty { return pending.removeFirst() }
    }
    return nil
  }

  /// Takes what was typed and not asked for yet; what the terminal itself tells comes as ever.
  package func typedMeanwhile() -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    while let event = pendingEvent() { events.append(event) }
    pending = events.filter { !$0.isTyped }
    return events.filter(\.isTyped)
  }

  /// Readable, and yet there is nothing to read.
  var isAtEnd: Bool {
    var count: Int32 = 0
    return ioctl(input, UInt(FIONREAD), &count) != 0 || count == 0
  }

  private enum Code {
    case function(Int32)
    case scalar(UInt32)
  }

  /// By bytes, as ncurses forgets those of a character whose others have not come yet.
  private func nextCode() -> Code? {
    while true {
      let code = wgetch(window)
      guard code != ERR else { return nil }
      let byte = UInt8(exactly: code)
      if typing.isBegun, byte.map(TypedCharacter.isInside) != true {
        ungetch(code)
        return .scalar(typing.giveUp().value)
      }
      guard let byte else { return .function(code) }
      if let scalar = typing.take(byte) { return .scalar(scalar.value) }
    }
  }

  /// nil for what means nothing to us.
  private func event(_ code: Code) -> TerminalEvent? {
    switch code {
    case .function(KeyCodes.mouse): mouse(MouseReport.read(from: input))
    case .function(KeyCodes.oldMouse): mouse(MouseReport.readOld(from: input))
    case .function(KeyCodes.pasteStart): pasted(readPaste(Paste(at: .now), within: pauses.inPaste))
    case .function(let code): KeyCodes.key(code).map(TerminalEvent.key)
    case .scalar(27): escape()
    case .scalar(let value): Unicode.Scalar(value).flatMap(typed)
    }
  }

  /// Ctrl-Z is ours: ncurses' own way of stopping comes back without the arrow keys.
  private func typed(_ scalar: Unicode.Scalar) -> TerminalEvent? {
    guard scalar.value != 26 else {
      stop()
      return nil
    }
    return Key(typed: scalar).map(TerminalEvent.key)
  }

  /// Escape alone, if nothing follows at once. Before what begins no sequence it is a key as well, and so is that: over a slow line both
  /// come at once, and tmux sends as one what is pressed within half a second. Lost, it would leave the screen to the keys behind it.
  private func escape() -> TerminalEvent? {
    var before: [TerminalEvent] = []
    var next = codeBehindEscape()
    // Somebody who presses it twice is as fast as a terminal; but a sequence may begin with the last.
    while case .scalar(27)? = next {
      before.append(.key(.escape))
      next = codeOfSequence()
    }
    guard let code = next else {
      leaveUnfinished(EscapeSequence(), isTold: true)
      return first(of: before + [.key(.escape)])
    }
    return first(of: events(of: code, behind: before))
  }

  /// What follows an Escape at once, with that one; others came before it.
  private func events(of code: Code, behind escapes: [TerminalEvent]) -> [TerminalEvent] {
    if let key = CursesTerminal.alt(code) { return escapes + [.key(key)] }
    guard beginsSequence(code) else { return escapes + escape(before: event(code)) }
    let sequence = swallow(code, after: EscapeSequence())
    if sequence.isEnded { return events(of: sequence, behind: escapes) }
    let isKey = mayBeKey(sequence)
    leaveUnfinished(sequence, isTold: isKey)
    return isKey ? escapes + escape(before: event(code)) : escapes
  }

  /// Where nothing came behind its first, that is a key like any other, and so is what nothing behind it has made a string.
  private func mayBeKey(_ sequence: EscapeSequence) -> Bool {
    sequence.mayBeString || sequence.text.unicodeScalars.count == 1 && !mayBeAnswered
  }

  /// Of several Escapes the last is one with what its sequence is.
  private func events(of sequence: EscapeSequence, behind escapes: [TerminalEvent]) -> [TerminalEvent] {
    let meant = event(of: sequence)
    guard !escapes.isEmpty else { return meant.map { [$0] } ?? [] }
    return Array(escapes.dropLast()) + escape(before: meant)
  }

  /// What a sequence is whose end has come: ncurses knows those, too, that came too slowly for it.
  private func event(of sequence: EscapeSequence) -> TerminalEvent? {
    guard let code = KeyCodes.code(of: sequence.text) else {
      hear(sequence.text)
      return nil
    }
    guard sequence.isTold else { return event(.function(code)) }
    // Its Escape was a key for everybody, and nobody knows what that has brought in sight: a paste is text, all else is dropped.
    clicks = Clicks()
    return code == KeyCodes.pasteStart ? event(.function(code)) : nil
  }

  /// Both as one event, where the second would be about what only this Esc brings in sight.
  private func escape(before event: TerminalEvent?) -> [TerminalEvent] {
    guard let event else { return [.key(.escape)] }
    switch event {
    case .key(let key): return [.keyBehindEscape(key)]
    case .click(let point), .doubleClick(let point):
      // Nor is it the first of two.
      clicks = Clicks()
      return [.clickBehindEscape(point)]
    case .keyBehindEscape, .clickBehindEscape, .paste, .wheel, .resized, .resumed:
      return [.key(.escape), event]
    }
  }

  /// The others come next; nil where there is none.
  private func first(of events: [TerminalEvent]) -> TerminalEvent? {
    pending += events.dropFirst()
    return events.first
  }

  private func beginsSequence(_ code: Code) -> Bool {
    if case .scalar(let value) = code { EscapeTail.begins(with: value) } else { false }
  }

  /// A key that Escape comes before, which is what Alt sends; nil for one that has no name of its own with it. Where such a key does
  /// nothing the desk takes it for both.
  private static func alt(_ code: Code) -> Key? {
    // No sequence begins with a small letter.
    if case .scalar(let value) = code, let letter = Unicode.Scalar(value), ("a"..."z").contains(letter) {
      return .alt(Character(letter))
    }
    switch code {
    case .scalar(13): return .altEnter
    // As terminals send the key, whatever their entry says of it.
    case .scalar(127), .scalar(8), .function(KEY_BACKSPACE): return .altBackspace
    case .scalar, .function: return nil
    }
  }

  /// Takes a sequence as far as it has come.
  private func swallow(_ first: Code, after begun: EscapeSequence) -> EscapeSequence {
    var (code, sequence) = (first, begun)
    while case .scalar(let value) = code, isOf(sequence, value) {
      guard sequence.swallow(value, at: .now),
        let next = nextCode(within: pause(in: sequence, behind: begun))
      else { return sequence }
      code = next
    }
    // Another key, or a paste, which this has no end before.
    putBack(code)
    return sequence
  }

  /// What somebody may have typed is answered at once.
  private func pause(in sequence: EscapeSequence, behind begun: EscapeSequence) -> Duration {
    sequence.mayBeString || sequence.isTyped(behind: begun) ? pauses.inBurst : pauses.inSequence
  }

  /// A key that somebody types fast behind `[`, `]` or P is none of it. Strings are answers: where nothing is asked, there are none.
  private func isOf(_ sequence: EscapeSequence, _ scalar: UInt32) -> Bool {
    if sequence.mayBeString { return isAsking && sequence.isString(with: scalar) }
    guard sequence.isOfKey else { return true }
    return scalar != 27 && (!sequence.isTold || sequence.mayGoOn(with: scalar, at: .now, pauses))
  }

  private func putBack(_ code: Code) {
    switch code {
    case .function(let code): ungetch(code)
    case .scalar(let value):
      guard let scalar = Unicode.Scalar(value) else { return }
      for byte in String(scalar).utf8.reversed() { ungetch(Int32(byte)) }
    }
  }

  /// The end may come later.
  ///
  /// - Parameter isTold: whether what has come of it was given out as keys.
  private func leaveUnfinished(_ sequence: EscapeSequence, isTold: Bool) {
    unfinished = sequence
    if isTold { unfinished?.tell() }
    unfinished?.mayBeAnswer = mayBeAnswered
  }

  /// Whether what the terminal was asked may still be answered.
  private var mayBeAnswered: Bool { isAsking && ContinuousClock.now < asked + Self.patience }

  /// How long an answer may be on its way. A terminal that never answers loses no key after that.
  private static let patience = Duration.seconds(10)

  /// Whether it is no key, but goes on with a sequence that had begun.
  private func isRestOfSequence(_ code: Code) -> Bool {
    guard let begun = unfinished else { return false }
    unfinished = nil
    guard case .scalar(let value) = code, begun.mayGoOn(with: value, at: .now, pauses) else { return false }
    let sequence = swallow(code, after: begun)
    guard !sequence.isTyped(behind: begun) else {
      // More may come behind the first.
      if begun.text.isEmpty { leaveUnfinished(sequence, isTold: true) }
      return false
    }
    if sequence.isEnded {
      if let meant = event(of: sequence) { pending.append(meant) }
      return true
    }
    leaveUnfinished(sequence, isTold: begun.isTold)
    return true
  }

  /// ncurses has waited for what follows at once. More is waited for only where something has begun.
  private func codeBehindEscape() -> Code? {
    if let code = nextCode() { return code }
    return mayBeAnswered || typing.isBegun ? codeOfSequence() : nil
  }

  /// The next code of a sequence that has begun: over a slow line it may come in pieces, and so may a letter.
  private func codeOfSequence() -> Code? { nextCode(within: pauses.inSequence) }

  private func nextCode(within pause: Duration) -> Code? {
    if let code = nextCode() { return code }
    repeat {
      let pause = typing.isBegun ? pauses.inLetter : pause
      willWait(pause)
      guard FileDescriptor.wait([input], until: .now + pause)[0].isReadable, !isAtEnd else { return nil }
      if let code = nextCode() { return code }
    } while typing.isBegun
    return nil
  }

  /// Reads a paste to its end, or as far as it comes without such a pause.
  private func readPaste(_ begun: Paste, within pause: Duration) -> String {
    var paste = begun
    while !paste.isEnded, read(&paste, within: pause) {}
    let text = paste.takeText()
    openPaste = paste.isEnded ? nil : paste
    return text
  }

  private func pasted(_ text: String) -> TerminalEvent {
    .paste(text, isOpen: openPaste?.isOpen(at: .now, pauses) == true)
  }

  /// Reads one byte; false where none comes.
  private func read(_ paste: inout Paste, within pause: Duration) -> Bool {
    if let byte = FileDescriptor.byte(input, within: pauses.inBurst) {
      paste.take(byte, at: .now)
      return true
    }
    guard let byte = FileDescriptor.byte(input, within: paste.patience(pause, pauses)) else { return false }
    paste.goOn(with: byte, at: .now)
    return true
  }

  /// What is to be given out of a paste that had stopped; nobody waits for more of it than there is.
  private func restOfPaste() -> String? {
    guard var paste = openPaste, paste.isOpen(at: .now, pauses),
      let byte = FileDescriptor.byte(input, within: .zero)
    else { return nil }
    paste.goOn(with: byte, at: .now)
    let text = readPaste(paste, within: pauses.inSequence)
    return text.isEmpty ? nil : text
  }

  private func mouse(_ report: MouseReport?) -> TerminalEvent? {
    switch report?.meaning {
    case .press(let point): clicks.press(at: point, .now)
    case .wheel(let lines): .wheel(lines)
    case nil: nil
    }
  }
}

// What is asked, and how it is answered:
//
//   ESC ] 11 ; ? ESC \\     the background; answered by ESC ] 11 ; rgb:RRRR/GGGG/BBBB ESC \\ , or not at all
//   ESC [ c                what the terminal is; answered by ESC [ ? … c , by every terminal, and in the order asked: with it
//                          nothing more is to come, and nobody has to wait for what will never be there
extension CursesTerminal {
  /// Takes a theme that a person chose, whatever the background.
  package func show(_ theme: Theme) {
    fitting = nil
    self.theme = theme
  }

  /// Takes the theme that fits the terminal's background, and asks the terminal for it.
  ///
  /// Waits no longer than `patience`. An answer that comes later, over a slow line, is still taken for what it is and never for
  /// keys; the screen is drawn again then. Keys that were typed meanwhile are kept.
  ///
  /// - Parameter theme: by the background, nil as long as it is not known, and the number of colours.
  package func fitTheme(within patience: Duration, _ theme: @escaping (Colour?, Int) -> Theme) {
    fitting = theme
    self.theme = theme(nil, screen.colours)
    (isAsking, asked) = (true, .now)
    screen.send("\u{1B}]11;?\u{1B}\\\u{1B}[c")
    awaitAnswers(within: patience)
    isLate = true
  }

  /// Takes what comes until all is answered.
  func awaitAnswers(within patience: Duration) {
    let deadline = ContinuousClock.now + patience
    var typed: [TerminalEvent] = []
    while isAsking, ContinuousClock.now < deadline {
      if let event = pendingEvent() {
        typed.append(event)
      } else if isAsking {
        let state = FileDescriptor.wait([input, signals], until: deadline)[0]
        if state.isHungUp || (state.isReadable && isAtEnd) { break }
      }
    }
    pending = typed + pending
  }

  /// An escape sequence that is no key: perhaps an answer. Without its ESC.
  func hear(_ sequence: String) {
    guard isAsking else { return }
    if sequence.hasPrefix("[?"), sequence.hasSuffix("c") {
      isAsking = false
    } else if sequence.hasPrefix("]11;") {
      let answer = sequence.dropFirst(4).prefix { $0 != "\u{7}" && $0 != "\u{1B}" }
      Colour(answer: answer).map(fit)
    }
  }

  private func fit(_ ground: Colour) {
    guard let fitting else { return }
    theme = fitting(ground, screen.colours)
    if isLate { pending.append(.resumed) }
  }
}

extension TerminalEvent {
  /// Whether a person did it, by a key or the mouse.
  fileprivate var isTyped: Bool {
    switch self {
    case .key, .keyBehindEscape, .paste, .click, .doubleClick, .clickBehindEscape, .wheel: true
    case .resized, .resumed: false
    }
  }
}
