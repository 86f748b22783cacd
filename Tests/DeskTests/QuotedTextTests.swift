import Merging
import StoreInterface
import Testing

@testable import Desk

/// A text that reads like a number, in a field of numbers.
@Suite struct QuotedTextTests {
  /// Only the editor told that it is a text, and nothing did once that was left.
  @Test func whatWasTypedIsToldAsTheTextThatIsWritten() {
    let desk = TestDesk.editingColumn(.integer(1), .real(3.5), .integer(2)).typing("<c-u>1e400<enter>")
    #expect(desk.journal.last?.choice == .edit(.text("1e400")))
    #expect(desk.screen.description.contains(#"R  "1e400""#), "\(desk.screen)")
    for keys in ["w", "wYu"] {
      let screen = desk.typing(keys).screen.description
      #expect(screen.contains(#""1e400""#), "\(keys): \(screen)")
    }
    for keys in ["P", "wP"] {
      let screen = desk.typing(keys).screen.description
      #expect(!screen.contains("1e400"), "\(keys): \(screen)")
    }
  }

  @Test func soIsAVersion() {
    let record = TestDesk.editingColumn(.integer(1), .integer(2), .text("5")).typing("<esc>")
    let screen = record.screen.description
    #expect(screen.contains(#""5""#), "\(screen)")
  }

  /// In what they differ is told in words, and where all are texts there is nothing to take one for.
  @Test(arguments: [
    (Value.integer(1), Value.text("5"), Value.integer(5)), (.text("4"), .text("5"), .text("6")),
  ])
  func noQuotesStandWhereNoneAreNeeded(ancestor: Value, client: Value, server: Value) {
    let screen = TestDesk.editingColumn(ancestor, client, server).typing("<esc>").screen.description
    #expect(!screen.contains(#""5""#), "\(screen)")
  }
}
