import Merging
import Telling

/// The scratch file for $EDITOR: the text, and below a line that is cut off again, the three versions to look at.
enum OutsideText {
  private static let cut = "# ---- Parley: this line and everything below it is dropped ----"

  static func scratch(_ text: String, _ conflict: FieldConflict) -> String {
    let versions = Side.allCases.map { side in
      "# \(side.letter) \(side.rawValue)\n" + Privacy.open.line(conflict.version(side)?.value)
    }
    return "\(text)\n\(cut)\n" + versions.joined(separator: "\n") + "\n"
  }

  /// An editor ends the last line; that newline was never part of the value. Where the cut line was deleted too, all of
  /// the file is the value. By bytes, as a value that ends in a carriage return makes one character with our newline.
  static func strip(_ text: String) -> String {
    let bytes = Array(text.utf8)
    if text.hasPrefix(cut) { return "" }
    if let end = bytes.firstRange(of: Array("\n\(cut)".utf8))?.lowerBound {
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
    return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}
