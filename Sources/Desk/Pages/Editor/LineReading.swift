import ExactJSON
import Merging

/// How what stands in the line of an editor is read.
struct LineReading: Equatable {
  /// A value that stood there as it is, of the kind that it has: what the editor began with, a version that was copied, NULL.
  struct Held: Equatable {
    let value: Value
    /// The version that it is a copy of.
    let side: Side?
    /// How it stands in the line.
    let text: String
  }

  /// The last of them.
  let last: Held
  /// Whether it stands there still; otherwise something was typed, which is of its kind.
  var isHeld = true
  /// Whether what is typed is a text, or what it reads as otherwise, where both could be and somebody said so.
  var readsText: Bool?
}

extension LineReading {
  init(_ value: Value, of side: Side? = nil) {
    last = Held(value: value, side: side, text: Self.text(value))
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null, .blob: ""
    case .opaque: value.jsonText ?? ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    }
  }

  /// Whether a line has the text of the last value again. A key costs no more for a long one.
  func isLast(in line: InputLine) -> Bool {
    last.isText && line.size == last.text.utf8.count && line.text.hasSameBytes(as: last.text)
  }
}

extension LineReading.Held {
  /// Whether the input line tells all of it, as it does not of bytes, NULL, and a key that is not there.
  var isText: Bool {
    switch value {
    case .integer, .real, .text: true
    case .opaque: value.jsonText != nil
    case .null, .blob: false
    }
  }
}
