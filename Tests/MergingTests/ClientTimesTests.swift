import Merging
import Testing

@Suite struct ClientTimesTests {
  private let ancestor = RecordVersion.present([
    "title": FieldVersion(.text("Milk"), time: 30), "notes": FieldVersion(.null, time: 40),
    "done": FieldVersion(.integer(0), time: nil),
  ])

  private func times(_ version: RecordVersion) -> [String: Int64?] {
    (version.fields ?? [:]).mapValues(\.time)
  }

  @Test func aChangedFieldGetsTheRowsTime() {
    let client = RecordVersion.client(
      row: ["title": .text("Oat milk"), "notes": .null, "done": .integer(1)], modificationTime: 60,
      ancestor: ancestor)
    #expect(times(client) == ["title": 60, "notes": 40, "done": 60])
    #expect(client.fields?["title"]?.value == .text("Oat milk"))
  }

  @Test func anUnchangedFieldKeepsTheAncestorsTimeEvenAnUnknownOne() {
    let client = RecordVersion.client(
      row: ["title": .text("Milk"), "notes": .null, "done": .integer(0)], modificationTime: 60,
      ancestor: ancestor)
    #expect(times(client) == ["title": 30, "notes": 40, "done": nil])
  }

  @Test func aFieldTheAncestorDoesNotKnowGetsTheRowsTime() {
    let client = RecordVersion.client(row: ["colour": .null], modificationTime: 60, ancestor: ancestor)
    #expect(times(client) == ["colour": 60])
  }

  @Test func anUnknownTimeOfTheRowStaysUnknown() {
    let client = RecordVersion.client(
      row: ["title": .text("x"), "notes": .null], modificationTime: nil, ancestor: ancestor)
    #expect(times(client) == ["title": nil, "notes": 40])
  }

  @Test(arguments: [RecordVersion.absent, .deleted(time: 10), .unknown(reason: "damaged")])
  func withoutAnAncestorEveryFieldGetsTheRowsTime(ancestor: RecordVersion) {
    let client = RecordVersion.client(
      row: ["title": .text("Milk"), "notes": .null], modificationTime: 60, ancestor: ancestor)
    #expect(times(client) == ["title": 60, "notes": 60])
  }

  @Test func anotherNormalFormIsAnEdit() {
    let cafe = RecordVersion.present(["title": FieldVersion(.text("caf\u{E9}"), time: 30)])
    let client = RecordVersion.client(
      row: ["title": .text("cafe\u{301}")], modificationTime: 60, ancestor: cafe)
    #expect(times(client) == ["title": 60])
  }
}
