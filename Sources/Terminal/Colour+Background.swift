// How a terminal tells what is behind its text.
//
//   ESC ] 11 ; rgb:RRRR/GGGG/BBBB ESC \     the answer to OSC 11, of xterm and those that learnt from it; one to four digits each,
//                                           rgba: with a fourth channel, or #RRGGBB
//   COLORFGBG=15;0   COLORFGBG=0;default;15 text and background by number, of rxvt, Konsole and others

extension Colour {
  /// The background in the answer to OSC 11, without what stands around it: `rgb:1616/1818/1d1d`.
  package init?(answer: Substring) {
    if answer.hasPrefix("#") {
      self.init(String(answer))
      return
    }
    let parts = answer.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["rgb", "rgba"].contains(parts[0]) else { return nil }
    let channels = parts[1].split(separator: "/", omittingEmptySubsequences: false).map(Colour.channel)
    guard channels.count >= 3, let red = channels[0], let green = channels[1], let blue = channels[2] else {
      return nil
    }
    self = .rgb(red: red, green: green, blue: blue)
  }

  /// The background that `COLORFGBG` tells; nil where it is the terminal's own.
  package init?(colorFGBG: String) {
    guard let number = colorFGBG.split(separator: ";").last.flatMap({ UInt8($0) }), number < 16 else {
      return nil
    }
    self = .palette(number)
  }

  /// Of one to four digits, brought to eight bits.
  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let number = Int(digits, radix: 16)
    else { return nil }
    return UInt8(number * 255 / ((1 << (4 * digits.utf8.count)) - 1))
  }
}
