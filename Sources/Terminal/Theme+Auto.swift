extension Theme {
  /// `auto` as a terminal shows it: with the inks of `night` or `paper` where its background is known, else with those of its own
  /// file, which can be read on black and on white.
  ///
  /// - Parameter count: how many colours the terminal has.
  package static func auto(on ground: Colour?, colours count: Int) -> Theme {
    guard let ground else { return auto.readable(on: [.black, .white], colours: count) }
    let isDark = ground.contrast(with: .white) > ground.contrast(with: .black)
    let inks = builtIn[isDark ? "night" : "paper"] ?? auto
    return inks.onOwnGround(as: auto.name).readable(on: [ground], colours: count)
  }

  /// The theme as a terminal with `count` colours shows it so that it can be read. With few of them inks that were apart come
  /// to look alike, or too much like the ground: those look like the text. A ground on which not even the text can be read, as
  /// black is grey in bold on many terminals, is left out, and the inks with it.
  package func fitted(colours count: Int) -> Theme {
    guard (8..<256).contains(count), let index = ground.nearest(of: count) else { return self }
    let behind = Colour.palette(index)
    guard self[.text].colour.isReadable(on: [behind], colours: count) else {
      return onOwnGround(as: name).readable(on: [.black, .white], colours: count)
    }
    return readable(on: [behind], colours: count)
  }

  /// The same where every ink that could not be read on one of `grounds` has the colour of the text.
  func readable(on grounds: [Colour], colours count: Int) -> Theme {
    let text = self[.text].colour
    return inked { style in
      if style.colour.isReadable(on: grounds, colours: count) { return style }
      var plain = style
      plain.colour = text
      return plain
    }
  }
}

extension Colour {
  fileprivate func isReadable(on grounds: [Colour], colours count: Int) -> Bool {
    guard let shown = shown(of: count) else { return true }
    return grounds.allSatisfy { ground in shown.allSatisfy { $0.contrast(with: ground) >= 4.5 } }
  }

  /// What a terminal with `count` colours may show for it; nil for the terminal's own. Many show the first eight brighter in
  /// bold.
  fileprivate func shown(of count: Int) -> [Colour]? {
    if self == .standard { return nil }
    if count > 256 { return [self] }
    return nearest(of: count).map { $0 < 8 ? [.palette($0), .palette($0 + 8)] : [.palette($0)] } ?? [self]
  }
}
