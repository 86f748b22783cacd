/// What every ink looks like. Ten roles, and optionally the ground they stand on.
package struct Theme: Sendable, Equatable {
  /// What a line of a theme file may begin with.
  package enum Role: String, Sendable, CaseIterable {
    case text, dim, ancestor, client, server, result, needs, ready, failed
    /// The selected line, on top of whatever its text is.
    case cursor
    /// The background of the whole screen. Not a role of text: without it the terminal's own stays.
    case ground
  }

  /// The name a user chooses it by: that of its file, without `.yaml`.
  package let name: String
  /// What is behind everything; ``Colour/standard`` leaves the terminal's own.
  package let ground: Colour
  /// The same, or where the terminal's own stays what it is known to be: text in this colour looks as if it were cut out.
  package let behind: Colour
  private let styles: [Role: Style]

  init(name: String, styles: [Role: Style], behind: Colour = .standard) {
    (self.name, self.styles) = (name, styles)
    ground = styles[.ground]?.colour ?? .standard
    self.behind = ground == .standard ? behind : ground
  }

  /// A role the theme leaves out looks like `text`; `cursor` left out is reversed, or nobody could see it.
  package subscript(role: Role) -> Style { styles[role] ?? fallback(role) }

  /// Whether the theme itself gives this role a look.
  package func names(_ role: Role) -> Bool { styles[role] != nil }

  /// Whether no colour is named at all, so that none need be sent.
  package var isColourless: Bool { styles.values.allSatisfy { $0.colour == .standard } }

  /// The look of one cell.
  package func style(for ink: Ink) -> Style {
    var style = self[ink.role.themeRole]
    style.isBold = style.isBold || ink.isBold
    style.isUnderlined = style.isUnderlined || ink.isUnderlined
    style.isStruck = ink.isStruck
    return ink.isSelected ? underCursor(style) : style
  }

  /// The same on the same ground, with every other look changed by `body`.
  func inked(_ body: (Style) -> Style) -> Theme {
    var styles = styles.mapValues(body)
    styles[.ground] = self.styles[.ground]
    return Theme(name: name, styles: styles, behind: behind)
  }

  /// The inks alone, on what the terminal has behind them; its text stays the terminal's own.
  func onOwnGround(as name: String, knownAs behind: Colour = .standard) -> Theme {
    var inks = styles
    inks[.ground] = nil
    inks[.text] = Style()
    return Theme(name: name, styles: inks, behind: behind)
  }

  private func underCursor(_ style: Style) -> Style {
    var style = style
    let cursor = self[.cursor]
    if cursor.colour != .standard { style.colour = cursor.colour }
    for attribute in Style.Attribute.allCases where cursor.has(attribute) { style.add(attribute) }
    return style
  }

  private func fallback(_ role: Role) -> Style {
    var style = role == .ground || role == .cursor ? Style() : styles[.text] ?? Style()
    if role == .cursor { style.isReversed = true }
    return style
  }
}

extension Ink.Role {
  fileprivate var themeRole: Theme.Role {
    switch self {
    case .text: .text
    case .dim: .dim
    case .ancestor: .ancestor
    case .client: .client
    case .server: .server
    case .result: .result
    case .needs: .needs
    case .ready: .ready
    case .failed: .failed
    }
  }
}

/// How something looks: a colour and attributes. Screens never see one; they speak in inks.
package struct Style: Sendable, Hashable {
  package var colour: Colour
  package var isBold = false
  package var isDim = false
  package var isUnderlined = false
  package var isReversed = false
  /// Shown underlined where the terminal cannot strike out.
  package var isStruck = false

  package init(_ colour: Colour = .standard) { self.colour = colour }

  /// The attributes a theme may name, in the words it uses.
  package enum Attribute: String, Sendable, CaseIterable {
    case bold, dim, underline, reverse
  }

  package mutating func add(_ attribute: Attribute) { self[keyPath: attribute.flag] = true }

  package func has(_ attribute: Attribute) -> Bool { self[keyPath: attribute.flag] }
}

extension Style.Attribute {
  fileprivate var flag: WritableKeyPath<Style, Bool> {
    switch self {
    case .bold: \.isBold
    case .dim: \.isDim
    case .underline: \.isUnderlined
    case .reverse: \.isReversed
    }
  }
}

extension Theme {
  /// The files in `Themes/`, in the order in which they are offered. They are built into the program.
  private static let files: KeyValuePairs = [
    "auto": PackageResources.auto_yaml, "night": PackageResources.night_yaml,
    "paper": PackageResources.paper_yaml, "contrast": PackageResources.contrast_yaml,
    "mono": PackageResources.mono_yaml, "solarized-dark": PackageResources.solarized_dark_yaml,
    "solarized-light": PackageResources.solarized_light_yaml, "gruvbox": PackageResources.gruvbox_yaml,
    "nord": PackageResources.nord_yaml, "dracula": PackageResources.dracula_yaml,
    "tokyo-night": PackageResources.tokyo_night_yaml, "catppuccin": PackageResources.catppuccin_yaml,
  ]

  package static let builtInNames = files.map(\.key)

  package static let builtIn = Dictionary(uniqueKeysWithValues: files.map { ($0, read($0, $1)) })

  /// The text of a built-in theme's file, comments and all, for somebody who wants to begin with it.
  package static func source(ofBuiltIn name: String) -> String? {
    files.first { $0.key == name }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// Its file, which nothing is known of the background for: see ``auto(on:colours:)``.
  package static let auto = read("auto", PackageResources.auto_yaml)

  private static func read(_ name: String, _ bytes: [UInt8]) -> Theme {
    do {
      return try Theme(name: name, yaml: String(decoding: bytes, as: UTF8.self), file: "Themes/\(name).yaml")
    } catch {
      // because these files are part of the program and a test reads every one of them
      preconditionFailure("\(error)")
    }
  }

  /// `auto` as a terminal shows it: with the inks of `night` or `paper` where its background is known, else with those of its own
  /// file, which can be read on black and on white.
  ///
  /// - Parameter count: how many colours the terminal has.
  package static func auto(on ground: Colour?, colours count: Int) -> Theme {
    guard let ground else { return auto.readable(on: [.black, .white], colours: count) }
    let isDark = ground.contrast(with: .white) > ground.contrast(with: .black)
    let inks = builtIn[isDark ? "night" : "paper"] ?? auto
    // Of few colours the nearest one may be far from it.
    let known = count < 256 ? .standard : ground
    return inks.onOwnGround(as: auto.name, knownAs: known).readable(on: [ground], colours: count)
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
