import Terminal

// What a terminal sends for the mouse, after mode 1000 (presses and releases) is on:
//
//   ESC [ < button ; column ; row M        a press; `m` a release. Mode 1006, "SGR"; columns and rows count from 1
//   ESC [ M b c r                          the old way: three bytes, each 32 more than its number
//
// Buttons: 0 left, 64 wheel up, 65 wheel down; 4, 8 and 16 are added for Shift, Alt and Ctrl, 32 for a motion.
// Source: "XTerm Control Sequences", section Mouse Tracking. ncurses reads these too, but makes clicks of presses that
// come fast, and asks for the old way wherever the terminal's entry (tmux-256color) does not know the other.

/// One report of the mouse.
struct MouseReport: Equatable {
  enum Meaning: Equatable {
    case press(Point)
    /// Lines; negative is up.
    case wheel(Int)
  }

  var button: Int
  /// From 1.
  var column: Int
  /// From 1.
  var row: Int
  var isRelease: Bool

  /// nil for what means nothing to us: releases, other buttons.
  var meaning: Meaning? {
    guard !isRelease else { return nil }
    return switch button & ~0b1_1100 {
    case 0: .press(Point(column: column - 1, row: row - 1))
    case 64: .wheel(-1)
    case 65: .wheel(1)
    default: nil
    }
  }

  /// Reads the rest of a report after `ESC [ <`.
  static func read(from input: Int32) -> MouseReport? {
    var text = ""
    while text.utf8.count < longest, let byte = FileDescriptor.byte(input, within: patience) {
      text.unicodeScalars.append(Unicode.Scalar(byte))
      if (0x40...0x7E).contains(byte) { break }
    }
    return MouseReport(text)
  }

  /// Reads the rest of a report after `ESC [ M`.
  static func readOld(from input: Int32) -> MouseReport? {
    let bytes = (0..<3).compactMap { _ in FileDescriptor.byte(input, within: patience).map { Int($0) - 32 } }
    guard bytes.count == 3 else { return nil }
    // The old way tells of a release without saying which button.
    return MouseReport(button: bytes[0], column: bytes[1], row: bytes[2], isRelease: bytes[0] & 3 == 3)
  }

  /// Terminals send a report in one piece, but a slow line may break it. Of one that is given up the rest would be keys.
  private static let patience = Duration.seconds(3)
  private static let longest = 24
}

extension MouseReport {
  /// `0;5;3M`.
  init?(_ text: String) {
    guard let last = text.last, last == "M" || last == "m" else { return nil }
    let numbers = text.dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2],
      column > 0, row > 0
    else { return nil }
    self.init(button: button, column: column, row: row, isRelease: last == "m")
  }
}

/// Tells a double click: ncurses would hold back every click until its time is over.
struct Clicks {
  static let patience = Duration.milliseconds(400)
  private var last: (point: Point, time: ContinuousClock.Instant)?

  mutating func press(at point: Point, _ time: ContinuousClock.Instant) -> TerminalEvent {
    if let last, last.point == point, time - last.time <= Self.patience {
      // The third press begins a new click.
      self.last = nil
      return .doubleClick(point)
    }
    last = (point, time)
    return .click(point)
  }
}
