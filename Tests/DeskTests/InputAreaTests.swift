import Terminal
import Testing

@testable import Desk

/// A text that is typed, in rows.
@Suite struct InputAreaTests {
  private static func line(_ before: String, _ after: String = "") -> InputLine {
    var line = InputLine(before + after)
    line.go(by: -after.count)
    return line
  }

  private static func rows(_ text: String, width: Int) -> [String] {
    InputArea(line(text), width: width).rows.map(\.text)
  }

  @Test func isBrokenAtLineBreaksAndBetweenWords() {
    #expect(Self.rows("", width: 10) == [""])
    #expect(Self.rows("one\n\ntwo\n", width: 10) == ["one", "", "two", ""])
    #expect(Self.rows("Bring both cards", width: 11) == ["Bring both ", "cards"])
    #expect(Self.rows("abcdefgh", width: 4) == ["abc", "def", "gh"])
    #expect(Self.rows("日本語", width: 5) == ["日本", "語"])
  }

  /// Wherever the cursor is it stands inside of the rows, and nothing is lost or shown twice.
  @Test(arguments: 1...9, ["", "a", "one two  three", "\n\n", "one\ntwo words", "日本 語\nx", "e\u{301}👩‍👧 tail"])
  func everyPlaceOfTheCursorIsInSight(width: Int, text: String) {
    for place in 0...text.count {
      let area = InputArea(Self.line(String(text.prefix(place)), String(text.dropFirst(place))), width: width)
      #expect(area.rows.map(\.count).reduce(0, +) == text.count)
      #expect(area.rows.indices.contains(area.cursorRow))
      // What is wider than all the room has a row of its own.
      #expect((0..<max(width, 3)).contains(area.cursorColumn), "\(text) \(width) \(place)")
      let row = area.rows[area.cursorRow]
      #expect(row.start + row.count >= place && row.start <= place)
      for next in area.rows.indices {
        let steps = area.steps(toRow: next, column: area.cursorColumn)
        let there = place + (steps ?? .min / 2)
        let moved = InputArea(
          Self.line(String(text.prefix(there)), String(text.dropFirst(there))), width: width)
        #expect(moved.cursorRow == next, "\(text) \(width) \(place) \(next)")
      }
      #expect(area.steps(toRow: area.rows.count, column: 0) == nil && area.steps(toRow: -1, column: 0) == nil)
    }
  }

  /// Of a long text only what is around the cursor is laid out, and typing does not move it.
  @Test func aLongTextStaysWhereItIsWhileItIsTyped() {
    let text = String(repeating: "a line of a long text\n", count: 2000)
    let area = InputArea(Self.line(text + "end", text), width: 40)
    #expect(area.isCut.above && area.isCut.below && area.rows.count < 2000)
    #expect(area.rows[area.cursorRow].text.hasPrefix("end"))
    let typed = InputArea(Self.line(text + "end.", text), width: 40)
    #expect(typed.cursorRow == area.cursorRow)
    // Not inside of a character.
    let wide = String(repeating: "👩‍👧", count: 3000)
    #expect(InputArea(Self.line(wide), width: 40).rows.allSatisfy { $0.text.allSatisfy { $0 == "👩‍👧" } })
  }

  @Test func theKeysOfALineAreAboutTheLineOfTheCursor() {
    var line = Self.line("one\ntwo ", "three\nfour")
    _ = line.run(.move(.first))
    #expect(line.before == "one\n")
    _ = line.run(.move(.first))
    #expect(line.before.isEmpty)
    line = Self.line("one\ntwo ", "three\nfour")
    _ = line.run(.line(.eraseToEnd))
    #expect(line.text == "one\ntwo \nfour")
    _ = line.run(.move(.last))
    #expect(line.after.isEmpty)
    line = Self.line("one\ntwo ", "three\nfour")
    _ = line.run(.move(.last))
    #expect(line.after == "\nfour")
  }
}
