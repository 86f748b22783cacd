import Merging
import StoreInterface
import Testing

@testable import Desk

/// A text that reads like a number, in a field of numbers.
@Suite struct QuotedTextTests {
  /// The sample's record, with a column without a type in the place of its priority.
  private func editing(_ ancestor: Value, _ client: Value, _ server: Value) -> TestDesk {
    func version(_ value: Value, at time: Int64) -> RecordVersion {
      var fields = Sample.ancestorRow.mapValues { FieldVersion($0, time: 1) }
      fields["priority"] = FieldVersion(value, time: time)
      return .present(fields)
    }
    let conflict = RecordConflict(
      id: "42:reminders", table: "reminders", primaryKey: "42", title: "Call dentist",
      fields: Sample.fields.map { $0.name == "priority" ? Field("priority", kind: .any) : $0 },
      versions: ThreeWay(
        ancestor: version(ancestor, at: 1), client: version(client, at: 2), server: version(server, at: 2)))
    return TestDesk([conflict]).typing("<enter>gje")
  }

  /// Only the editor told that it is a text, and nothing did once that was left.
  @Test func whatWasTypedIsToldAsTheTextThatIsWritten() {
    let desk = editing(.integer(1), .real(3.5), .integer(2)).typing("<c-u>1e400<enter>")
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
    let screen = editing(.integer(1), .integer(2), .text("5")).typing("<esc>").screen.description
    #expect(screen.contains(#""5""#), "\(screen)")
  }

  /// In what they differ is told in words, and where all are texts there is nothing to take one for.
  @Test(arguments: [
    (Value.integer(1), Value.text("5"), Value.integer(5)), (.text("4"), .text("5"), .text("6")),
  ])
  func noQuotesStandWhereNoneAreNeeded(ancestor: Value, client: Value, server: Value) {
    let screen = editing(ancestor, client, server).typing("<esc>").screen.description
    #expect(!screen.contains(#""5""#), "\(screen)")
  }
}
