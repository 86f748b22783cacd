/// A base and at most ``Glyph/marksAtMost`` marks, as numbers: a frame has ten thousand of them, which are copied and compared with every
/// key, and a text each would be counted each time.
package struct CodePoints: Sendable {
  /// 0 for none.
  private var base: UInt32 = 0
  private var marks: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)

  /// A base and its marks.
  package static let most = 1 + Glyph.marksAtMost
  package static let blank = CodePoints(" ")

  init() {}
  init(_ base: Unicode.Scalar) { self.base = base.value }
  init(byte: UInt8) { base = UInt32(byte) }

  package var isEmpty: Bool { base == 0 }

  /// One mark more than there is room for is left out.
  mutating func append(_ mark: Unicode.Scalar) {
    switch (marks.0, marks.1, marks.2, marks.3) {
    case (0, _, _, _): marks.0 = mark.value
    case (_, 0, _, _): marks.1 = mark.value
    case (_, _, 0, _): marks.2 = mark.value
    case (_, _, _, 0): marks.3 = mark.value
    default: break
    }
  }

  /// Calls `body` with the base, and then with each of the marks.
  package func each(_ body: (UInt32) -> Void) {
    if base == 0 { return }
    body(base)
    if marks.0 == 0 { return }
    for mark in [marks.0, marks.1, marks.2, marks.3] where mark != 0 { body(mark) }
  }

  package var text: String {
    if base < 0x80, marks.0 == 0 { return base == 0 ? "" : String(Unicode.Scalar(UInt8(base))) }
    var text = String.UnicodeScalarView()
    each { if let scalar = Unicode.Scalar($0) { text.append(scalar) } }
    return String(text)
  }
}

extension CodePoints: Equatable {
  package static func == (left: CodePoints, right: CodePoints) -> Bool {
    left.base == right.base && left.marks == right.marks
  }
}
