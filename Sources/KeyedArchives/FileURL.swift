/// `file:///tmp/a%20b` and `/tmp/a b`, in both directions.
package enum FileURL {
  private static let scheme = "file://"
  private static let unescaped = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

  /// The path of a file URL; any other text as it is.
  package static func path(_ url: String) -> String {
    guard url.hasPrefix(scheme + "/") else { return url }
    var rest = url.utf8.dropFirst(scheme.utf8.count)
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = UInt8(escape: rest.prefix(2)) {
        path.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        path.append(byte)
      }
    }
    return String(validating: path, as: UTF8.self) ?? url
  }

  package static func url(_ path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    return path.utf8.reduce(into: scheme) { url, byte in
      if unescaped.contains(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        url += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

extension UInt8 {
  /// Two hexadecimal digits.
  fileprivate init?(escape digits: Substring.UTF8View) {
    guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    self.init(Substring(digits), radix: 16)
  }
}
