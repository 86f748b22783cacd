import CNcurses
import Terminal

/// The looks of a theme in ncurses' terms: attributes and pairs of colours.
@MainActor
final class Palette {
  struct Look {
    var attributes: attr_t
    var pair: Int32
  }

  private let theme: Theme
  /// nil where not one colour code may be sent.
  private let colours: Colours?
  private let canStrike: Bool
  private var looks: [Ink: Look] = [:]
  /// Where the last look is kept, since a screen is mostly one ink after itself.
  private var last: (ink: Ink, look: Look)?

  init(theme: Theme, colours: Colours?, canStrike: Bool) {
    (self.theme, self.colours, self.canStrike) = (theme, colours, canStrike)
  }

  func look(_ ink: Ink) -> Look {
    if let last, last.ink == ink { return last.look }
    let look = looks[ink] ?? look(theme.style(for: ink))
    looks[ink] = look
    last = (ink, look)
    return look
  }

  /// What is behind everything, as the blanks of a frame are: cleared with another look the first of them would change the colours again.
  var ground: Look { Look(attributes: 0, pair: look(Ink.text).pair) }

  /// Reversed are two colours that are known by each other's name: of such blanks a terminal fills a whole run by one short
  /// sequence, and each blank that has an attribute is sent by itself.
  private func look(_ style: Style) -> Look {
    guard style.isReversed else { return Look(attributes: attributes(style), pair: pair(style.colour)) }
    var plain = style
    guard let pair = colours?.pair(theme.behind, reversedOn: style.colour) else {
      // Other inks would be other grounds then: the row is of one piece, and its words tell what they did.
      plain.isDim = false
      return Look(attributes: attributes(plain), pair: self.pair(.standard))
    }
    plain.isReversed = false
    return Look(attributes: attributes(plain), pair: pair)
  }

  private func pair(_ colour: Colour) -> Int32 { colours?.pair(colour, on: theme.ground) ?? 0 }

  private func attributes(_ style: Style) -> attr_t {
    var attributes: attr_t = 0
    if style.isBold { attributes |= nc_bold }
    if style.isDim { attributes |= nc_dim }
    if style.isReversed { attributes |= nc_reverse }
    if style.isUnderlined || (style.isStruck && !canStrike) { attributes |= nc_underline }
    if style.isStruck && canStrike { attributes |= nc_italic }
    return attributes
  }
}

/// The colours of a terminal as ncurses counts them.
@MainActor
struct Colours {
  private let count: Int
  /// With numbers of 0xRRGGBB, those below this are the user's palette.
  private let paletteColours: Int

  /// Turns colours on. nil where there are none, or where none are wanted: then ncurses sends not one colour code.
  ///
  /// - Parameter paletteColours: from ``TerminalEntry/paletteColours``.
  init?(_ depth: ColourDepth, paletteColours: Int) {
    self.paletteColours = paletteColours
    // start_color alone makes ncurses send codes, so it is not called before it is needed.
    guard depth != .none, has_colors(), start_color() == OK, use_default_colors() == OK else { return nil }
    count = Int(nc_colours())
  }

  func pair(_ colour: Colour, on ground: Colour) -> Int32 {
    let (front, back) = (number(colour), number(ground))
    return front == -1 && back == -1 ? 0 : max(0, alloc_pair(front, back))
  }

  /// nil where one of both is the terminal's own, which has no name on the other side, or where no pair is left.
  func pair(_ colour: Colour, reversedOn ground: Colour) -> Int32? {
    guard number(colour) != -1, number(ground) != -1 else { return nil }
    let pair = pair(colour, on: ground)
    return pair == 0 ? nil : pair
  }

  /// -1 is the terminal's own.
  private func number(_ colour: Colour) -> Int32 {
    count > 256 ? direct(colour) : colour.nearest(of: count).map(Int32.init) ?? -1
  }

  /// A number is 0xRRGGBB.
  private func direct(_ colour: Colour) -> Int32 {
    switch colour {
    case .standard: return -1
    case .palette(let index) where index < paletteColours: return Int32(index)
    case .palette, .rgb:
      let (red, green, blue) = colour.components
      // The lowest numbers mean the palette: these blacks are lightened by what no eye sees.
      return max(Int32(paletteColours), Int32(red << 16 | green << 8 | blue))
    }
  }
}
