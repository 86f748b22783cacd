import Curses
import Desk
import Terminal

/// The themes of the desk, which it begins with, and its keys.
struct DeskLook {
  let environment: [String: String]
  let depth: ColourDepth
  let first: String
  let keys: OwnKeys
  /// Whether nothing beyond ASCII is sent.
  let isASCII: Bool

  init(_ options: DeskOptions, _ configuration: Configuration, _ environment: [String: String]) {
    self.environment = environment
    depth = (options.colour ?? configuration.colour ?? .auto).depth(environment: environment)
    keys = configuration.keys
    first = options.theme ?? (depth == .none ? "mono" : configuration.theme ?? "auto")
    isASCII = options.ascii || configuration.ascii ?? ASCII.isAllThatIsShown(in: environment)
  }

  /// Without colours none looks other than the next.
  var names: [String] { depth == .none ? [] : ThemeShelf(environment: environment).entries.map(\.name) }

  /// - Throws: ``CommandError/unknownTheme(_:known:)``, ``CommandError/badTheme(words:)``
  func theme(_ name: String) throws -> Theme { try ThemeShelf(environment: environment).theme(name) }

  @MainActor func show(_ name: String, on terminal: CursesTerminal) throws {
    show(try theme(name), on: terminal)
  }

  @MainActor func show(_ theme: Theme, on terminal: CursesTerminal) {
    // One of that name may be the person's own, and to see that it is not takes reading a theme.
    let isAuto = theme.name == "auto" && theme == .auto
    if isAuto, depth != .none { fit(terminal) } else { terminal.show(theme) }
  }

  /// A tenth of a second is not felt, and all but the slowest lines have brought the answer by then.
  @MainActor private func fit(_ terminal: CursesTerminal) {
    let named = environment["COLORFGBG"].flatMap(Colour.init(colorFGBG:))
    terminal.fitTheme(within: .milliseconds(100)) { Theme.auto(on: $0 ?? named, colours: $1) }
  }
}
