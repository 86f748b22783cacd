/// What follows an escape at once: Alt and a key, or a sequence nobody has told ncurses about. It is swallowed whole, or
/// its letters would run as commands.
///
/// `ESC [ … final`, `ESC O x`, `ESC ] … BEL` (also ended by `ESC \`, as are `ESC P`, `^` and `_`), or `ESC x`.
struct EscapeTail {
  private enum Kind { case start, sequence, one, string, stringEnd, done }
  private var kind = Kind.start

  /// Takes the next code point; false once the sequence has ended with it.
  mutating func swallow(_ scalar: UInt32) -> Bool {
    kind = next(scalar)
    return kind != .done
  }

  private func next(_ scalar: UInt32) -> Kind {
    switch (kind, scalar) {
    case (.start, 0x5B): .sequence
    case (.start, 0x4F): .one
    case (.start, 0x5D), (.start, 0x50), (.start, 0x5E), (.start, 0x5F): .string
    case (.start, 0x1B): .start
    case (.sequence, 0x40...0x7E): .done
    case (.sequence, _): .sequence
    case (.string, 0x07): .done
    case (.string, 0x1B): .stringEnd
    case (.string, _): .string
    case (.start, _), (.one, _), (.stringEnd, _), (.done, _): .done
    }
  }
}
