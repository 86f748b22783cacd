/// A key as a person names it, whatever bytes the terminal sent.
package enum Key: Sendable, Hashable {
  case character(Character)
  /// Ctrl with a letter, in lower case: `.control("c")`.
  case control(Character)
  /// Alt with a letter, in lower case: `.alt("b")`.
  case alt(Character)
  case enter, altEnter, escape, tab, backTab, backspace, altBackspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case shiftUp, shiftDown, controlUp, controlDown, controlPageUp, controlPageDown
  /// F1 to F12.
  case function(Int)
}

package struct Size: Sendable, Hashable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

package struct Point: Sendable, Hashable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) { (self.column, self.row) = (column, row) }
}

/// What comes from a terminal.
package enum TerminalEvent: Sendable, Equatable {
  case key(Key)
  /// Esc and a key that came at once, which is what a terminal sends of a key with Alt, and tmux of what is pressed within half a second
  /// behind an Esc: nobody has seen what that Esc brings in sight. With Alt and a small letter it may be a key of its own, see ``Key/alt(_:)``.
  case keyBehindEscape(Key)
  /// The same with a press of the mouse: it is about what stood at its place before.
  case clickBehindEscape(Point)
  /// A bracketed paste, as one piece, or as several where it comes with long pauses: pasted text never runs keys. As long as its end has
  /// not come it is open.
  case paste(String, isOpen: Bool = false)
  case click(Point)
  case doubleClick(Point)
  /// Lines; negative is up.
  case wheel(Int)
  case resized(Size)
  /// The program was stopped and goes on: draw everything again.
  case resumed
}
