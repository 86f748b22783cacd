import StoreInterface
import Testing

/// Name and title in one piece come out as they went in.
@Suite struct RecordLabelTests {
  private static let texts = [
    "", "1:reminders", "Milk 2%", "é", "e\u{301}", "a\u{0}b", String(repeating: "ü", count: 70_000),
  ]

  @Test(arguments: texts, texts) func comesOutAsItWentIn(id: String, title: String) {
    let label = RecordLabel(id: id, title: title)
    #expect(Array(label.id.utf8) == Array(id.utf8) && Array(label.title.utf8) == Array(title.utf8))
  }

  @Test(arguments: texts) func anotherTitleLeavesTheName(title: String) {
    let label = RecordLabel(id: "1:reminders", title: "Milk").titled(title)
    #expect(label == RecordLabel(id: "1:reminders", title: title))
  }

  /// As in a journal: a name is its bytes.
  @Test func anotherNormalFormIsAnother() {
    #expect(RecordLabel(id: "é", title: "") != RecordLabel(id: "e\u{301}", title: ""))
    #expect(RecordLabel(id: "ab", title: "c") != RecordLabel(id: "a", title: "bc"))
  }

  /// Of a hundred thousand each is there to the end of a write.
  @Test func whatAWriteHoldsOfARecordIsSmall() {
    #expect(MemoryLayout<WriteOrder>.stride == 16 && MemoryLayout<CheckedWrite>.stride == 16)
  }

  @Test func aNoteStaysWithAnotherOutcome() {
    var checked = CheckedWrite(id: "1", title: "Milk", outcome: .fine, note: "it is large")
    checked.outcome = .moved("elsewhere")
    #expect(
      checked == CheckedWrite(id: "1", title: "Milk", outcome: .moved("elsewhere"), note: "it is large"))
    checked.outcome = .fine
    #expect(checked.note == "it is large")
  }
}
