#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Colour {
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
