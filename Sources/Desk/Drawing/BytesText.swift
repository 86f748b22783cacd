import Terminal

/// Bytes as somebody reads them: text where they are some, else sixteen to a line beside their letters.
enum BytesText {
  /// In bytes: many screens full. The command line gives all of them.
  static let most = 16_384

  static func paragraph(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(most)
    let kind = BytesKind(bytes).map { $0.words + "\n" } ?? ""
    let text = kind + (text(Array(shown), isWhole: shown.count == bytes.count) ?? dump(shown))
    let rest = bytes.count - shown.count
    return rest == 0 ? text : text + "\n… and \(rest) bytes more"
  }

  /// nil if it is none. The last character may be cut.
  private static func text(_ bytes: [UInt8], isWhole: Bool) -> String? {
    let ends = isWhole ? 0...0 : 0...3
    guard
      let text = ends.lazy.compactMap({ String(validating: bytes.dropLast($0), as: UTF8.self) }).first,
      !text.unicodeScalars.contains(where: { $0.value < 32 && !"\n\r\t".unicodeScalars.contains($0) })
    else { return nil }
    return text
  }

  private static func dump(_ bytes: ArraySlice<UInt8>) -> String {
    stride(from: 0, to: bytes.count, by: 16).map { line(bytes.dropFirst($0).prefix(16), at: $0) }
      .joined(separator: "\n")
  }

  private static func line(_ bytes: ArraySlice<UInt8>, at place: Int) -> String {
    let digits = bytes.map { hexadecimal(Int($0), 2) }.joined(separator: " ")
    return hexadecimal(place, 6) + "  " + digits.padding(to: 47) + "  " + bytes.map(letter).joined()
  }

  private static func letter(_ byte: UInt8) -> String {
    (33..<127).contains(byte) ? String(UnicodeScalar(byte)) : "."
  }

  /// As many bytes as a line of this width holds, with their place and letters: 16, 8 or 4.
  static func bytesOfLine(width: Int) -> Int { [16, 8].first { 9 + 4 * $0 <= width } ?? 4 }

  /// One line, in which some bytes are marked.
  static func line(
    _ bytes: ArraySlice<UInt8>, at place: Int, of count: Int, differs: [Bool], _ ink: Ink
  ) -> [Run] {
    let inks = differs.map { $0 ? ink.underlined : ink }
    let digits = zip(bytes, inks).flatMap { [Run(hexadecimal(Int($0), 2), $1), Run(" ", ink)] }
    let gap = String(repeating: " ", count: (count - bytes.count) * 3 + 1)
    return [Run(hexadecimal(place, 6) + "  ", .dim)] + digits + [Run(gap, ink)]
      + zip(bytes, inks).map { Run(letter($0), $1) }
  }

  private static func hexadecimal(_ number: Int, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
