import Terminal

// What is asked, and how it is answered:
//
//   ESC ] 11 ; ? ESC \\     the background; answered by ESC ] 11 ; rgb:RRRR/GGGG/BBBB ESC \\ , or not at all
//   ESC [ c                what the terminal is; answered by ESC [ ? … c , by every terminal, and in the order asked: with it
//                          nothing more is to come, and nobody has to wait for what will never be there
extension CursesTerminal {
  /// Takes the theme that fits the terminal's background, and asks the terminal for it.
  ///
  /// Waits no longer than `patience`. An answer that comes later, over a slow line, is still taken for what it is and never for
  /// keys; the screen is drawn again then. Keys that were typed meanwhile are kept.
  ///
  /// - Parameter theme: by the background, nil as long as it is not known, and the number of colours.
  package func fitTheme(within patience: Duration, _ theme: @escaping (Colour?, Int) -> Theme) {
    fitting = theme
    self.theme = theme(nil, screen.colours)
    isAsking = true
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
