extension Colour {
  /// Red, green and blue, 0 to 255; of the 256 what xterm takes for them by default, of the terminal's own a guess: black.
  package var components: (red: Int, green: Int, blue: Int) {
    switch self {
    case .standard: (0, 0, 0)
    case .palette(let index): Self.xterm(index)
    case .rgb(let red, let green, let blue): (Int(red), Int(green), Int(blue))
    }
  }

  /// The red, green and blue that xterm gives number `index` of the 256 by default.
  private static func xterm(_ index: UInt8) -> (red: Int, green: Int, blue: Int) {
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

  private static func nearest(to wanted: (red: Int, green: Int, blue: Int), in range: ClosedRange<UInt8>)
    -> UInt8?
  {
    range.min { distance(xterm($0), wanted) < distance(xterm($1), wanted) }
  }

  /// Squares of the differences, weighted as the eye weighs them (green most).
  private static func distance(
    _ one: (red: Int, green: Int, blue: Int), _ other: (red: Int, green: Int, blue: Int)
  ) -> Int {
    let (red, green, blue) = (one.red - other.red, one.green - other.green, one.blue - other.blue)
    return 3 * red * red + 6 * green * green + blue * blue
  }

  private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }

  private static let firstSixteen: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]
}
