import Foundation
import Testing

@testable import Terminal

@Suite struct ThemeTests {
  @Test func everyBuiltInThemeIsNamedOnce() {
    #expect(Theme.builtInNames.sorted() == Theme.builtIn.keys.sorted())
    for (name, theme) in Theme.builtIn { #expect(theme.name == name) }
  }

  @Test(arguments: Theme.builtInNames)
  func everyBuiltInThemeHasEveryInk(name: String) throws {
    let theme = try #require(Theme.builtIn[name])
    for role in Theme.Role.allCases where role != .ground { #expect(theme.names(role), "\(role)") }
  }

  /// Those that have a ground of their own; what the others have behind them is the terminal's.
  private static let grounded = Theme.builtInNames.filter { Theme.builtIn[$0]?.ground != .standard }

  @Test(arguments: grounded)
  func everyInkCanBeReadOnItsGroundAndOnTheSelectedLine(name: String) throws {
    let theme = try #require(Theme.builtIn[name])
    for ink in Ink.Role.allCases.map(Ink.init).flatMap({ [$0, $0.selected()] }) {
      let style = theme.style(for: ink)
      #expect(!style.isDim, "nobody knows how far a terminal dims")
      #expect(style.colour != .standard)
      // Reversed they change places, and the contrast stays.
      let ratio = style.colour.contrast(with: theme.ground)
      #expect(ratio >= 4.5, "\(ink) \(ratio)")
    }
  }

  /// How far client and server are apart to the eyes to which they are nearest, on whatever is behind them.
  private func distanceOfSides(_ theme: Theme) -> Double {
    let auto = { [nil, .black, .white].map { Theme.auto(on: $0, colours: 1 << 24) } }
    let shown = theme.name == "auto" ? auto() : [theme]
    return shown.flatMap { theme in
      ColourVision.allCases.map { $0.distance(theme[.client].colour, theme[.server].colour) }
    }.min() ?? 0
  }

  @Test(arguments: Theme.builtInNames)
  func theSidesAreApartToEverybodysEyes(name: String) throws {
    let theme = try #require(Theme.builtIn[name])
    if theme.isColourless { return }
    #expect(distanceOfSides(theme) >= 40)
    for vision in ColourVision.allCases {
      let nearest = try [theme[.client], theme[.server]].map { try #require($0.colour.nearest(of: 256)) }
      #expect(vision.distance(.palette(nearest[0]), .palette(nearest[1])) >= 40, "\(vision)")
    }
  }

  @Test func theTextTellsHowFarTheSidesAreApart() throws {
    let file = URL(fileURLWithPath: #filePath).appending(path: "../../../Themes/README.md").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    for (name, theme) in Theme.builtIn {
      let words = theme.isColourless ? "no colours" : "\(Int(distanceOfSides(theme)))"
      #expect(text.contains("\n| `\(name)` | \(words) |\n"), "\(name) \(words)")
    }
  }

  @Test func whoSeesNoRedTakesRedAndGreenForOne() throws {
    let (red, green) = (try #require(Colour("#A05000")), try #require(Colour("#5F7000")))
    #expect(ColourVision.usual.distance(red, green) > 40)
    #expect(ColourVision.protanopia.distance(red, green) < 20)
    #expect(abs(ColourVision.usual.distance(.black, .white) - 100) < 0.01)
    #expect(ColourVision.allCases.allSatisfy { abs($0.distance(.black, .white) - 100) < 0.1 })
  }

  @Test(arguments: Theme.builtInNames, [8, 16, 88, 256, 1 << 24])
  func everyInkOfEveryThemeCanBeReadHoweverFewColoursThereAre(name: String, count: Int) throws {
    let theme = name == "auto" ? Theme.auto(on: nil, colours: count) : try #require(Theme.builtIn[name])
    let fitted = theme.fitted(colours: count)
    #expect(fitted.name == name)
    let grounds = try shown(fitted[.ground], count).prefix(1)
    for ink in Ink.Role.allCases.map(Ink.init).flatMap({ [$0, $0.bold, $0.selected(), $0.bold.selected()] }) {
      for shown in try shown(fitted.style(for: ink), count) {
        for behind in grounds.isEmpty ? [.black, .white] : Array(grounds) {
          #expect(shown.contrast(with: behind) >= 4.5, "\(ink) \(shown) on \(behind)")
        }
      }
    }
  }

  @Test func withFewColoursAThemeKeepsTheGroundItCanBeReadOn() throws {
    let night = try #require(Theme.builtIn["night"]).fitted(colours: 8)
    #expect(night.ground != .standard && night[.server].colour != night[.text].colour)
    // Black on white is grey on white in bold.
    #expect(try #require(Theme.builtIn["paper"]).fitted(colours: 8).ground == .standard)
    let own = try theme("client: blue\nserver: yellow")
    #expect(own.fitted(colours: 8) == own)
  }

  /// Of the terminal, and what it is known to be: nothing, black, white, Solarized, Gruvbox, grey.
  @Test(
    arguments: [nil, "#000000", "#FFFFFF", "#002B36", "#FDF6E3", "#282828", "#808080"] as [String?],
    [8, 16, 256, 1 << 24])
  func everyInkOfAutoCanBeReadOnWhatIsBehindIt(ground: String?, count: Int) throws {
    let known = try ground.map { try #require(Colour($0)) }
    let theme = Theme.auto(on: known, colours: count)
    #expect(theme.ground == .standard && theme.name == "auto")
    #expect(theme.behind == (count < 256 ? .standard : known ?? .standard))
    #expect(theme.inked { _ in Style() }.behind == theme.behind)
    for role in Ink.Role.allCases {
      for ink in [Ink(role), Ink(role).bold, Ink(role).selected(), Ink(role).bold.selected()] {
        let style = theme.style(for: ink)
        #expect(!style.isDim, "nobody knows how far a terminal dims")
        for shown in try shown(style, count) {
          for behind in known.map({ [$0] }) ?? [.black, .white] {
            #expect(shown.contrast(with: behind) >= 4.5, "\(role) \(shown) on \(behind)")
          }
        }
      }
    }
  }

  /// The colours that a terminal may show for a look: none for its own, and for the first eight in bold their brighter ones too.
  private func shown(_ style: Style, _ count: Int) throws -> [Colour] {
    guard style.colour != .standard else { return [] }
    guard count <= 256 else { return [style.colour] }
    let index = try #require(style.colour.nearest(of: count))
    return index < 8 ? [.palette(index), .palette(index + 8)] : [.palette(index)]
  }

  @Test func theSidesAreToldApartByColourWhereThereAreEnough() {
    for ground in [nil, Colour.black, .white] {
      let theme = Theme.auto(on: ground, colours: 256)
      #expect(theme[.client].colour != theme[.server].colour && theme[.client].colour != theme[.text].colour)
    }
  }

  @Test func contrastIsThatOfWCAG() throws {
    #expect(Colour.black.contrast(with: .white) == 21)
    let grey = try #require(Colour("#777777"))
    #expect(abs(grey.contrast(with: .white) - 4.478) < 0.001)
  }

  @Test(arguments: [
    ("rgb:1616/1818/1d1d", "#16181D"), ("rgb:ff/80/00", "#FF8000"), ("rgb:f/8/0", "#FF8800"),
    ("rgba:0000/0000/0000/ffff", "#000000"), ("#fdf6e3", "#FDF6E3"), ("rgb:12/34", nil),
    ("rgb:gg/00/00", nil),
    ("", nil), ("rgb:", nil), ("rgb:00000/0/0", nil),
  ])
  func theAnswerOfATerminalIsRead(answer: String, colour: String?) {
    #expect(Colour(answer: answer[...]) == colour.flatMap { Colour($0) })
  }

  @Test(
    arguments: [("15;0", 0), ("0;default;15", 15), ("0;default", nil), ("", nil), ("1;300", nil)]
      as [(String, UInt8?)])
  func theVariableOfOtherTerminalsIsRead(text: String, index: UInt8?) {
    #expect(Colour(colorFGBG: text) == index.map { .palette($0) })
  }

  @Test func monoNamesNoColour() throws {
    #expect(try #require(Theme.builtIn["mono"]).isColourless)
    #expect(Theme(name: "plain", styles: [.text: Style(), .client: Style()]).isColourless)
    #expect(!Theme.auto.isColourless)
  }

  @Test func aRoleLeftOutLooksLikeText() throws {
    let theme = try theme("text: green bold")
    #expect(theme.style(for: .failed) == theme.style(for: .text))
    #expect(theme.style(for: .failed).colour == .palette(2))
    #expect(theme.style(for: Ink.text.selected()).isReversed)
    #expect(try self.theme("").style(for: .client) == Style())
  }

  @Test func looksAreRead() throws {
    let theme = try theme(
      "client: \"bold #6cB6ff underline\"\nserver: bright-red\nneeds: 208 reverse\ndim: dim\nground: black")
    #expect(theme[.client].colour == .rgb(red: 0x6C, green: 0xB6, blue: 0xFF))
    #expect(theme[.client].isBold && theme[.client].isUnderlined && !theme[.client].isReversed)
    #expect(theme[.server].colour == .palette(9))
    #expect(theme[.needs].colour == .palette(208) && theme[.needs].isReversed)
    #expect(
      theme[.dim]
        == {
          var style = Style()
          style.isDim = true
          return style
        }())
    #expect(theme.ground == .palette(0))
  }

  @Test func theCursorLiesOverTheInk() throws {
    let theme = try theme("client: cyan\ncursor: bold reverse")
    let style = theme.style(for: Ink.client.underlined.selected())
    #expect(style.colour == .palette(6) && style.isBold && style.isReversed && style.isUnderlined)
    #expect(
      try self.theme("client: cyan\ncursor: red").style(for: Ink.client.selected()).colour == .palette(1))
  }

  @Test(arguments: [
    ("# fine\nclient: purpel", 2, ThemeError.Problem.unknownWord("purpel")),
    ("text: default\nbase: red", 2, .unknownRole("base")),
    ("client: red\nserver: blue\nclient: green", 3, .yaml(.duplicate("client"))),
    ("client: red blue", 1, .secondColour("blue")),
    ("text: red\n\nclient: #6CB6FF", 3, .noLook("client")),
    ("client:", 1, .noLook("client")),
    ("client: [red, bold]", 1, .notALook("client")),
    ("client: {colour: red}", 1, .notALook("client")),
    ("- client", 1, .notLinesOfRoles),
    ("client", 1, .notLinesOfRoles),
    ("? [client]\n: red", 1, .notLinesOfRoles),
    ("client: 256", 1, .unknownWord("256")),
    ("client: -1", 1, .unknownWord("-1")),
    ("client: \"#12345\"", 1, .unknownWord("#12345")),
    ("client: \"#GG0000\"", 1, .unknownWord("#GG0000")),
    ("client: \"#+12345\"", 1, .unknownWord("#+12345")),
    ("ground: bold", 1, .unknownWord("bold")),
  ])
  func wrongFilesSayWhereAndWhat(yaml: String, line: Int, problem: ThemeError.Problem) {
    #expect(throws: ThemeError(file: "mine.yaml", line: line, problem: problem)) { try theme(yaml) }
  }

  @Test(arguments: [
    ("text: red\nclient: \"red", 3), ("text: red\n\tclient: red", 2), ("text: red\nclient: {red", 2),
  ])
  func whatIsNoYAMLSaysWhere(yaml: String, line: Int) throws {
    let error = try #require(throws: ThemeError.self) { try theme(yaml) }
    guard case .yaml(.unreadable) = error.problem else {
      Issue.record("\(error)")
      return
    }
    #expect(abs(error.line - line) <= 1)
  }

  /// A few lines of aliases stand for billions of nodes, and as the key of a mapping the parser compares them all.
  @Test func aBombOfAliasesIsRefusedBeforeItIsRead() {
    let bomb =
      "a0: &a0 x\n"
      + (1...11).map {
        "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ","))]\n"
      }.joined()
    #expect(throws: ThemeError(file: "t.yaml", line: 1, problem: .yaml(.alias))) {
      try Theme(name: "t", yaml: bomb + "? *a11\n: 1\n", file: "t.yaml")
    }
  }

  @Test(arguments: [
    ("a: *b", 1), ("a:\n- *b", 2), ("? *b", 1), ("a: [x,*b]", 1), ("a: {*b : 1}", 1),
    ("a: \"\n\"\nb: &c d", 3),
    ("a: x\r*b", 1), ("a: b*c & d", nil), ("a: \"*b\"", nil), ("a: '*b'", nil), ("a: b # *c", nil),
    ("# &a\nb: c", nil), ("a: \"x\\\" *b\"", nil), ("R&D: x", nil),
  ])
  func anAliasIsOneWhereAValueBegins(yaml: String, line: Int?) {
    #expect(YAMLText.lineOfAlias(in: yaml) == line)
  }

  @Test func errorsTellWhatIsAllowed() {
    func words(_ problem: ThemeError.Problem) -> String {
      ThemeError(file: "mine.yaml", line: 4, problem: problem).description
    }
    #expect(
      words(.unknownRole("base")).hasPrefix(
        "mine.yaml:4: there is no role “base”. Roles are text, dim, ancestor"))
    #expect(words(.unknownWord("purpel")).contains("“purpel” is neither"))
    #expect(words(.unknownWord("purpel")).contains("cyan"))
    #expect(words(.noLook("client")).contains("client: \"#6CB6FF\""))
    #expect(words(.yaml(.unreadable("odd"))).contains("odd"))
  }

  @Test(arguments: [
    (ColourChoice.auto, [:], ColourDepth.terminal), (.auto, ["NO_COLOR": "1"], .none),
    (.auto, ["NO_COLOR": ""], .terminal),
    (.always, ["NO_COLOR": "1"], .terminal), (.never, [:], .none),
    (.never, ["COLORTERM": "truecolor"], .none),
    (.auto, ["COLORTERM": "24bit"], .exact), (.auto, ["COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
    (.always, ["COLORTERM": "truecolor", "NO_COLOR": "1"], .exact), (.auto, ["COLORTERM": "yes"], .terminal),
  ])
  func colourIsChosenByOptionThenEnvironment(
    choice: ColourChoice, environment: [String: String], depth: ColourDepth
  ) {
    #expect(choice.depth(environment: environment) == depth)
  }

  @Test(
    arguments: [
      (Colour.standard, 256, nil), (.palette(208), 256, 208), (.palette(6), 8, 6), (.palette(14), 8, 6),
      (.rgb(red: 255, green: 255, blue: 255), 256, 231), (.rgb(red: 0, green: 0, blue: 0), 256, 16),
      (.rgb(red: 255, green: 180, blue: 84), 256, 215), (.rgb(red: 250, green: 2, blue: 1), 16, 9),
      (.rgb(red: 0x16, green: 0x18, blue: 0x1D), 256, 234), (.rgb(red: 9, green: 9, blue: 9), 8, 0),
      (.rgb(red: 0x9A, green: 0xA0, blue: 0xAA), 8, 7), (.rgb(red: 0x5F, green: 0x66, blue: 0x70), 8, 0),
      (.palette(243), 16, 8), (.rgb(red: 0xB8, green: 0xBE, blue: 0xC8), 8, 7),
    ] as [(Colour, Int, UInt8?)])
  func theNearestColourIsTaken(colour: Colour, count: Int, index: UInt8?) {
    #expect(colour.nearest(of: count) == index)
  }

  private func theme(_ yaml: String) throws -> Theme {
    try Theme(name: "mine", yaml: yaml, file: "mine.yaml")
  }
}
