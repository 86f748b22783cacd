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
    self.theme = theme
    self.colours = colours
    self.canStrike = canStrike
  }

  func look(_ ink: Ink) -> Look {
    if let last, last.ink == ink { return last.look }
    let look = looks[ink] ?? make(ink)
    looks[ink] = look
    last = (ink, look)
    return look
  }

  /// What is behind everything.
  var ground: Look { Look(attributes: 0, pair: pair(.standard)) }

  private func make(_ ink: Ink) -> Look {
    let style = theme.style(for: ink)
    return Look(attributes: attributes(style), pair: pair(style.colour))
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
