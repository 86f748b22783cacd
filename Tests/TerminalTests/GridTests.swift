import Testing

@testable import Terminal

@Suite struct GridTests {
  private func row(_ columns: Int, _ draw: (inout Grid) -> Void) -> Grid {
    var grid = Grid(Size(columns: columns, rows: 1))
    draw(&grid)
    return grid
  }

  private func texts(_ grid: Grid) -> [String] { grid.cells.map(\.text) }

  @Test func aWideCharacterTakesTwoCells() {
    let grid = row(5) { $0.write("a日b", at: 0, 0) }
    #expect(texts(grid) == ["a", "日", "", "b", " "])
  }

  @Test func aClusterOfSeveralPlacesTakesSeveralCells() {
    let grid = row(6) { $0.write("👩‍💻x", at: 0, 0) }
    #expect(texts(grid) == ["👩", "", "💻", "", "x", " "])
  }

  @Test func marksStayWithTheirBase() {
    let grid = row(3) { $0.write("e\u{301}x", at: 0, 0) }
    #expect(texts(grid) == ["e\u{301}", "x", " "])
  }

  @Test func controlCharactersAreShownAsPictures() {
    #expect(row(6) { $0.write("a\t\u{1B}[H", at: 0, 0) }.description == "a␉␛[H")
  }

  @Test(arguments: [
    (0, ["x", " ", "本", "", " "]), (1, [" ", "x", "本", "", " "]), (2, ["日", "", "x", " ", " "]),
    (3, ["日", "", " ", "x", " "]),
  ])
  func overwritingHalfOfAWideCharacterBlanksTheOther(column: Int, cells: [String]) {
    let grid = row(5) {
      $0.write("日本", at: 0, 0)
      $0.write("x", at: column, 0)
    }
    #expect(texts(grid) == cells)
  }

  @Test func aWideCharacterOverTwoHalvesBlanksBothOthers() {
    let grid = row(4) {
      $0.write("日本", at: 0, 0)
      $0.write("語", at: 1, 0)
    }
    #expect(texts(grid) == [" ", "語", "", " "])
  }

  @Test func settingACellKeepsTheNeighboursWhole() {
    let grid = row(4) {
      $0.write("日本", at: 0, 0)
      $0.put("x", at: 1, 0)
      $0.put("語", at: 3, 0)
    }
    #expect(texts(grid) == [" ", "x", " ", " "])
  }

  /// A line of letters is written at once, and leaves what each of them by itself would leave.
  @Test(arguments: -2...7, 0...5) func aLineIsAsItsLetters(column: Int, count: Int) {
    let text = String("a b\u{E9}c".prefix(count))
    let whole = row(6) {
      $0.write("日本語", at: 0, 0, .client)
      $0.write(text, at: column, 0, .server)
    }
    let letters = row(6) {
      $0.write("日本語", at: 0, 0, .client)
      for (place, letter) in text.enumerated()
      where column + place >= 0 && (column + count <= 6 || column + place < 5) {
        $0.write(String(letter), at: column + place, 0, .server)
      }
      if column + count > 6, column < 6 { $0.write("›", at: 5, 0, .server) }
    }
    #expect(whole == letters, "\(whole)|\(letters)")
  }

  @Test(arguments: [
    (0, 6, "Buy m›", 6), (3, 9, "   Buy milk", 11), (9, 3, "         Bu›", 12), (11, 9, "           ›", 12),
    (12, 9, "", 12),
    (40, 9, "", 40),
  ])
  func textEndsAtItsWidthAndAtTheEdge(column: Int, width: Int, shown: String, end: Int) {
    var grid = Grid(Size(columns: 12, rows: 1))
    #expect(grid.write("Buy milk", at: column, 0, width: width) == end)
    #expect(grid.description == shown)
  }

  @Test func aWideCharacterAtTheEdgeIsCut() {
    #expect(row(3) { $0.write("日本", at: 0, 0) }.description == "日›")
    #expect(texts(row(2) { $0.write("日", at: 1, 0) }) == [" ", "›"])
  }

  @Test func whatLiesOutsideIsNotSeen() {
    let grid = row(4) {
      $0.write("日b", at: -1, 0)
      $0.write("above", at: 0, -1)
      $0.write("below", at: 0, 1)
      $0.fill("-", row: 7)
      $0.select(row: -1)
    }
    #expect(grid.description == " b")
  }

  @Test func runsAreCutAsOneText() {
    let runs = [Run("Call ", .text), Run("Dr. Wu", .server)]
    #expect(row(20) { $0.write(runs, at: 0, 0, width: 11) }.description == "Call Dr. Wu")
    #expect(row(20) { $0.write(runs, at: 0, 0, width: 9) }.description == "Call Dr.›")
    #expect(row(20) { $0.write(runs, at: 0, 0, width: 5) }.description == "Call›")
    #expect(row(20) { $0.write(runs + [Run("")], at: 0, 0, width: 11) }.description == "Call Dr. Wu")
    #expect(row(8) { $0.write(runs, at: 4, 0, width: .max) }.description == "    Cal›")
  }

  /// A wide character that has no room leaves a column, and what follows puts no mark of its own there.
  @Test func runsOfWideCharactersAreMarkedOnceWhereTheyAreCut() {
    let runs = [Run("日本語", .text.bold), Run("日本", .text), Run("   1/2", .dim)]
    for width in 1..<16 {
      let line = row(20) { $0.write(runs, at: 0, 0, width: width) }.description
      #expect(line.count { $0 == "›" } == 1 && line.hasSuffix("›"), "\(width): \(line)")
    }
    #expect(row(20) { $0.write(runs, at: 0, 0, width: 6) }.description == "日本›")
    #expect(row(20) { $0.write(runs, at: 0, 0, width: 16) }.description == "日本語日本   1/2")
  }

  @Test func textEndsBeforeAColumn() {
    #expect(row(12) { $0.write("12:04", endingAt: 10, 0) }.description == "     12:04")
    #expect(row(12) { $0.write("Mon 12:04", endingAt: 5, 0) }.description == "Mon ›")
  }

  @Test func fillingGoesByWholeCharacters() {
    #expect(texts(row(5) { $0.fill("日", row: 0) }) == ["日", "", "日", "", " "])
    #expect(row(5) { $0.fill("─", row: 0, from: 1, to: 4) }.description == " ───")
    #expect(row(3) { $0.fill("\u{1B}", row: 0) }.description == "␛␛␛")
  }

  @Test func selectingChangesOnlyTheInk() {
    let grid = row(4) {
      $0.write("日b", at: 0, 0, .client)
      $0.select(row: 0, from: 0, to: 2)
    }
    #expect(grid.description == "日b")
    #expect(grid.cells.map(\.ink.isSelected) == [true, true, false, false])
  }

  @Test(arguments: [(0, "日本"), (-1, " 本"), (2, "  日"), (3, "   "), (-3, " "), (9, ""), (-9, "")])
  func aGridDrawnIntoAnotherIsClipped(column: Int, shown: String) {
    let inner = row(4) { $0.write("日本", at: 0, 0) }
    let outer = row(4) { $0.draw(inner, at: column, 0) }
    #expect(outer.description == String(shown.reversed().drop { $0 == " " }.reversed()))
    #expect(outer.cells.count == 4)
  }

  @Test func aGridDrawnAboveAndBelowIsClipped() {
    var inner = Grid(Size(columns: 1, rows: 3))
    for (row, letter) in ["a", "b", "c"].enumerated() { inner.write(letter, at: 0, row) }
    inner.cursor = Point(column: 0, row: 2)
    var outer = Grid(Size(columns: 1, rows: 2))
    outer.draw(inner, at: 0, -1)
    #expect(outer.description == "b\nc")
    #expect(outer.cursor == Point(column: 0, row: 1))
  }

  @Test func aGridWithoutRoomTakesEverything() {
    var grid = Grid(Size(columns: -1, rows: 4))
    grid.write("Buy milk", at: 0, 0)
    grid.fill("-", row: 2)
    #expect(grid.description == "\n\n\n")
  }

  /// Any order of writes of narrow and wide pieces leaves a row in which every wide cell has its second half and no
  /// second half stands alone.
  @Test func noHalfIsEverLeftAlone() {
    let pieces = ["x", "日", "e\u{301}", "👩‍💻", "ab日"]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          for (one, other) in [(0, 1), (1, 0), (1, 2), (2, 1), (3, 2), (4, 3), (-1, 4)] {
            var grid = row(5) { $0.write(first, at: one, 0) }
            grid.write(second, at: other, 0)
            grid.draw(row(3) { $0.write(third, at: 0, 0) }, at: one, 0)
            expectWhole(grid)
          }
        }
      }
    }
  }

  private func expectWhole(_ grid: Grid) {
    for (column, cell) in grid.cells.enumerated() {
      let isWide = DisplayText.width(cell.text) == 2
      let followed = column + 1 < grid.cells.count && grid.cells[column + 1].text.isEmpty
      #expect(isWide == followed, "\(texts(grid))")
    }
    #expect(grid.cells.first?.text.isEmpty == false)
  }
}
