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
