import Testing

@testable import Merging

/// A version's fields are what a dictionary of them would be, however they came to lie where they do.
@Suite struct VersionFieldsTests {
  private typealias Fields = RecordVersion.Fields

  private static let names = ["id", "title", "caf\u{E9}"]
  private static let values: [FieldVersion<Value>?] = [
    nil, FieldVersion(.integer(1), time: nil), FieldVersion(.integer(1), time: 0),
    FieldVersion(.text("a"), time: 5),
  ]

  /// All versions of three fields with these values.
  private static let all: [[String: FieldVersion<Value>]] = values.flatMap { first in
    values.flatMap { second in
      values.map { third in
        Dictionary(
          uniqueKeysWithValues: zip(names, [first, second, third]).compactMap { name, value in
            value.map { (name, $0) }
          })
      }
    }
  }

  /// The same in each way there is: of a dictionary, one after the other, by shared names, and after others were taken away.
  private static func ways(_ known: [String: FieldVersion<Value>]) -> [RecordVersion.Fields] {
    var added = RecordVersion.Fields()
    for name in names.reversed() { added[name] = known[name] }
    var left = RecordVersion.Fields(
      uniqueKeysWithValues: names.map { ($0, FieldVersion(.text("gone"), time: 1)) })
    for name in names { left[name] = known[name] }
    let shared = RecordVersion.Fields(FieldNames(names), names.map { known[$0] })
    return [RecordVersion.Fields(known), added, left, shared]
  }

  @Test func aFieldIsFoundByItsNameAndNoOther() {
    for known in Self.all {
      for fields in Self.ways(known) {
        #expect(Self.names.allSatisfy { fields[$0] == known[$0] } && fields["other"] == nil)
        #expect(fields["cafe\u{301}"] == known["caf\u{E9}"], "as a dictionary has it")
        #expect(fields.count == known.count && fields.isEmpty == known.isEmpty)
        #expect(Set(fields.keys) == Set(known.keys) && fields.keys.count == known.count)
        #expect(Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.value) }) == known)
        #expect(fields.values.count == known.count)
      }
    }
  }

  @Test func equalAreThoseWithTheSameFieldsInWhateverOrder() {
    for (left, known) in Self.all.enumerated() {
      for (right, other) in Self.all.enumerated() {
        for fields in Self.ways(known) {
          #expect(Self.ways(other).allSatisfy { ($0 == fields) == (left == right) })
        }
      }
    }
  }

  @Test func manyAreFoundAsFewAre() {
    var fields = RecordVersion.Fields()
    for number in 0..<100 { fields["field \(number)"] = FieldVersion(.integer(Int64(number)), time: nil) }
    #expect((0..<100).allSatisfy { fields["field \($0)"]?.value == .integer(Int64($0)) })
    #expect(fields["field 100"] == nil && fields.count == 100)
    #expect(fields.map(\.key) == (0..<100).map { "field \($0)" }, "in the order they came in")
  }

  @Test func whatIsChangedInACopyStaysInTheOther() {
    for known in Self.all {
      for fields in Self.ways(known) {
        var changed = fields
        changed["title"] = FieldVersion(.text("b"), time: 9)
        changed["added"] = FieldVersion(.text("c"), time: 9)
        changed["id"] = nil
        var emptied = fields
        for name in Self.names { emptied[name] = nil }
        #expect(fields.filter { $0.key != "title" }.keys == fields.keys.filter { $0 != "title" })
        #expect(Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.value) }) == known)
        #expect(changed["added"]?.value == .text("c") && changed["id"] == nil && emptied.isEmpty)
      }
    }
  }
}
