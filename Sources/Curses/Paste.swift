#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a bracketed paste after its opening `ESC [200~`, which ncurses has taken.
///
/// ncurses reads byte for byte and no further than a sequence, so the rest can be read past it. That keeps escape
/// sequences inside a paste from being taken for keys.
enum Paste {
  private static let end = Array("\u{1B}[201~".utf8)
  /// A terminal that has begun a paste sends all of it. One that stops for this long has lost the end.
  private static let patience = Duration.seconds(2)

  /// The text, with the line ends of a terminal (CR) as newlines.
  static func read(from input: Int32) -> String {
    var bytes: [UInt8] = []
    while !bytes.hasSuffix(end), let byte = FileDescriptor.byte(input, within: patience) {
      bytes.append(byte)
    }
    if bytes.hasSuffix(end) { bytes.removeLast(end.count) }
    return text(bytes)
  }

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" }
      .joined(separator: "\n")
  }
}

extension Array where Element: Equatable {
  fileprivate func hasSuffix(_ other: Self) -> Bool {
    count >= other.count && suffix(other.count) == other[...]
  }
}
