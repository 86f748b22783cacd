import Foundation

/// A colour as a theme names it; what the terminal makes of it is the terminal's matter.
package enum Colour: Sendable, Hashable {
  /// The terminal's own: whatever the user has chosen.
  case standard
  /// One of the 256: 0 to 15 are the user's palette, 16 to 255 the fixed cube and greys.
  case palette(UInt8)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  /// The names of the first 16, in their order.
  package static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow",
    "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// Reads `default`, a name, 0 to 255, or `#RRGGBB`; nil for anything else.
  package init?(_ word: String) {
    if word == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: word) {
      self = .palette(UInt8(index))
    } else if word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt8(word) {
      self = .palette(number)
    } else {
      self.init(hex: word)
    }
  }

  private init?(hex word: String) {
    let digits = word.dropFirst()
    guard word.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    self = .rgb(red: UInt8(number >> 16), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
  }
}

extension Colour {
  package typealias Components = (red: Int, green: Int, blue: Int)

  /// Red, green and blue, 0 to 255; of the 256 what xterm takes for them by default, of the terminal's own a guess: black.
  package var components: Components {
    switch self {
    case .standard: (0, 0, 0)
    case .palette(let index): Self.xterm(index)
    case .rgb(let red, let green, let blue): (Int(red), Int(green), Int(blue))
    }
  }

  /// The red, green and blue that xterm gives number `index` of the 256 by default.
  private static func xterm(_ index: UInt8) -> Components {
    switch index {
    case 0..<16: return firstSixteen[Int(index)]
    case 16..<232:
      let cube = Int(index) - 16
      return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    default:
      let grey = 8 + (Int(index) - 232) * 10
      return (grey, grey, grey)
    }
  }

  /// The number of the colour that comes nearest, on a terminal with `count` colours; nil for its own colour.
  ///
  /// With 256 the first 16 are never an answer for `#RRGGBB`: nobody knows what a user has made of them.
  package func nearest(of count: Int) -> UInt8? {
    switch self {
    case .standard: nil
    case .palette(let index) where index < count: index
    case .palette, .rgb: Self.nearest(to: components, in: Self.candidates(count))
    }
  }

  private static func candidates(_ count: Int) -> ClosedRange<UInt8> {
    count >= 256 ? 16...255 : 0...UInt8(clamping: min(count, 16) - 1)
  }

  /// Of so few colours yellow is nearer to a grey than white is, and would say what yellow means: a grey stays one.
  private static func nearest(to wanted: Components, in range: ClosedRange<UInt8>) -> UInt8? {
    let isGreyOfFew = range.upperBound < 16 && isGrey(wanted)
    return range.filter { !isGreyOfFew || isGrey(xterm($0)) }
      .min { distance(xterm($0), wanted) < distance(xterm($1), wanted) }
  }

  private static func isGrey(_ colour: Components) -> Bool {
    let channels = [colour.red, colour.green, colour.blue]
    return (channels.max() ?? 0) - (channels.min() ?? 0) < 32
  }

  /// Squares of the differences, weighted as the eye weighs them (green most).
  private static func distance(_ one: Components, _ other: Components) -> Int {
    let (red, green, blue) = (one.red - other.red, one.green - other.green, one.blue - other.blue)
    return 3 * red * red + 6 * green * green + blue * blue
  }

  private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }

  private static let firstSixteen: [Components] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  package static let black = Colour.rgb(red: 0, green: 0, blue: 0)
  package static let white = Colour.rgb(red: 255, green: 255, blue: 255)

  /// The contrast ratio of WCAG 2, 1 to 21: text of usual size can be read from 4.5 on.
  package func contrast(with other: Colour) -> Double {
    let (one, other) = (luminance, other.luminance)
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  private var luminance: Double {
    func linear(_ channel: Int) -> Double {
      let part = Double(channel) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    let (red, green, blue) = components
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}

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

/// `--color`: whether colours may be sent.
package enum ColourChoice: String, Sendable, CaseIterable {
  case always, never, auto

  /// What may be sent, in this environment.
  ///
  /// `NO_COLOR`, set and not empty, forbids colours unless ``always`` asks for them (https://no-color.org). `COLORTERM`
  /// of `truecolor` or `24bit` promises that `#RRGGBB` is understood as it is.
  package func depth(environment: [String: String]) -> ColourDepth {
    let isForbidden = !(environment["NO_COLOR"] ?? "").isEmpty
    if self == .never || (self == .auto && isForbidden) { return .none }
    return ["truecolor", "24bit"].contains(environment["COLORTERM"]) ? .exact : .terminal
  }
}

/// How many colours a terminal may be sent.
package enum ColourDepth: Sendable, Equatable {
  /// Not one: bold, underline and reverse remain.
  case none
  /// As many as its description in terminfo tells; `#RRGGBB` becomes the nearest.
  case terminal
  /// `#RRGGBB` as it is written.
  case exact
}
