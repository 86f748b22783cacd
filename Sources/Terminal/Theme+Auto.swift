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

  /// The same where every ink that could not be read on one of `grounds` has the terminal's own colour.
  func readable(on grounds: [Colour], colours count: Int) -> Theme {
    restyled { style in
      guard let shown = style.colour.shown(of: count) else { return style }
      let isReadable = grounds.allSatisfy { ground in shown.allSatisfy { $0.contrast(with: ground) >= 4.5 } }
      if isReadable { return style }
      var plain = style
      plain.colour = .standard
      return plain
    }
  }
}

extension Colour {
  /// What a terminal with `count` colours may show for it; nil for the terminal's own. Many show the first eight brighter in
  /// bold.
  fileprivate func shown(of count: Int) -> [Colour]? {
    if self == .standard { return nil }
    if count > 256 { return [self] }
    return nearest(of: count).map { $0 < 8 ? [.palette($0), .palette($0 + 8)] : [.palette($0)] } ?? [self]
  }
}
