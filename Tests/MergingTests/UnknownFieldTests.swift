import Merging
import Testing

/// A field that one side does not know: an older app's record, a column added since.
@Suite struct UnknownFieldTests {
  /// What the three sides have of one field; nil where the record has no such field.
  private func field(_ ancestor: Value?, _ client: Value?, _ server: Value?, hasAncestor: Bool = true)
    -> FieldConflict?
  {
    func side(_ value: Value?) -> RecordVersion { present(value.map { ["notes": $0] } ?? [:], time: 1) }
    return reminder(ancestor: hasAncestor ? side(ancestor) : nil, client: side(client), server: side(server))[
      "notes"]
  }

  private static let values: [Value?] = [nil, .null, .text("a"), .text("b")]

  @Test func aSideThatDoesNotKnowAFieldDidNotChangeIt() {
    for ancestor in Self.values {
      for known in Self.values {
        let server = field(ancestor, nil, known)
        let client = field(ancestor, known, nil)
        let isUnchanged = known == nil || ancestor == nil || known == ancestor
        #expect(server?.change == (isUnchanged ? .unchanged : .onlyServer))
        #expect(client?.change == (isUnchanged ? .unchanged : .onlyClient))
        let expected = known ?? ancestor ?? .null
        #expect(server?.suggestion.value == expected && client?.suggestion.value == expected)
      }
    }
  }

  @Test func aFieldTheAncestorDoesNotKnowHasNoAncestor() {
    #expect(field(nil, .text("a"), .text("b"))?.suggestion.reason == .noAncestor(newer: nil))
    #expect(field(nil, .text("a"), .text("a"))?.change == .same)
  }

  @Test func whatOnlyOneSideHasIsKeptWithoutAsking() {
    let conflict = field(nil, nil, .text("a"), hasAncestor: false)
    #expect(conflict?.change == .unchanged)
    #expect(conflict?.draft(nil).value == .text("a"))
  }

  @Test func removingAFieldIsNULLAndNotTheSameAsNotKnowingIt() {
    #expect(field(.text("a"), .null, .text("a"))?.change == .onlyClient)
    #expect(field(.text("a"), nil, .text("a"))?.change == .unchanged)
  }

  /// A column that was added since has its default in every row, mostly NULL, and nobody has set it so: an edit of it is another value.
  @Test(arguments: values, [Value.null, .text("b")])
  func nobodySetTheDefaultOfAColumnOfLater(client: Value?, initial: Value) throws {
    var notes = Field("notes")
    notes.initial = initial
    let sides = present(client.map { ["notes": $0] } ?? [:], time: 1)
    for server in [present([:], time: 1), .deleted(time: 2)] {
      for ancestor in [present([:], time: 1), nil] {
        let conflict = reminder(ancestor: ancestor, client: sides, server: server, fields: [notes])
        let isEdit = client.map { ancestor == nil || $0 != initial } ?? false
        let delete = Alternative(id: "gone", words: "delete it", outcome: .delete)
        let lost = Losses(conflict).givenUp(by: delete).filter { $0.side == .client }
        #expect(lost == (isEdit ? [GivenUp(.client, .edit(field: "notes", client))] : []), "\(conflict)")
        if case .deleted = server {
          #expect(conflict["notes"].map { $0.change == .onlyClient } == isEdit)
          #expect(conflict.fields.contains { $0.change == .onlyClient } == isEdit)
        }
      }
    }
  }
}
