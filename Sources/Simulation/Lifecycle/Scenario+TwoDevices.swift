import Merging

/// Stories of two devices that are both looked at.
extension Scenario {
  package static let noAncestor = twoDevices(
    id: "no-ancestor", title: "No ancestor",
    about: "Both devices create a row of the same name, so there is no version that both came from.",
    [
      Lifecycle.chapter("1", "no row yet", .create, nil),
      step("2", "phone creates", Lifecycle.phone(6, .create(record, Lifecycle.row("Water plants", 3)))),
      step("3", "tablet creates", Lifecycle.tablet(4, .create(record, Lifecycle.row("Water plants", 4)))),
    ] + tabletIsFirst + [
      step("6", "phone fetches", Lifecycle.phone(8, .fetch)),
      step("7", "phone decides", Lifecycle.phone(8, .resolve(record, Resolution()))),
      step("8", "phone sends", Lifecycle.phone(8, .send)),
      step("9", "confirmed", Lifecycle.phone(8, .receiveAnswer)),
      step("10", "tablet fetches", Lifecycle.tablet(9, .fetch)),
    ])

  /// Both devices keep their own row for good: each takes equal times for its own side, and neither has anything to send.
  package static let divergingByTie = twoDevices(
    id: "diverging", title: "Two devices diverging by a tie",
    about:
      "Both edit the same fields at the same time. Under the model the tie rule decides once, and both devices have "
      + "the same. SQLiteData lets both devices keep their own row, for good.",
    Lifecycle.creation + [
      step("5", "tablet fetches", Lifecycle.tablet(1, .fetch)),
      step("6", "phone edits", Lifecycle.phone(4, edit("Water all plants", 3))),
      step("7", "tablet edits", Lifecycle.tablet(4, edit("Water the garden", 4))),
      step("8", "tablet sends", Lifecycle.tablet(5, .send)),
      step("9", "confirmed", Lifecycle.tablet(5, .receiveAnswer)),
      step("10", "phone sends", Lifecycle.phone(6, .send)),
      step("11", "refused, merge", Lifecycle.phone(6, .receiveAnswer)),
      step("12", "phone decides", Lifecycle.phone(6, .resolve(record, Resolution()))),
      step("13", "phone sends again", Lifecycle.phone(6, .send)),
      step("14", "confirmed", Lifecycle.phone(6, .receiveAnswer)),
      step("15", "tablet fetches", Lifecycle.tablet(7, .fetch)),
    ])

  /// The newest edit loses. Found by a random history and shrunk to two edits by `HistoryTests`: the older edit only has to
  /// reach the server last.
  package static let lostEdit = twoDevices(
    id: "lost-edit", title: "The newest edit is lost",
    about:
      "The phone's edit is a minute newer and reaches the server first. The tablet never compares the times: its row "
      + "differs from the last-known record, so its older edit is kept, sent with a new time, and taken by the phone.",
    Lifecycle.creation + [
      step("5", "tablet fetches", Lifecycle.tablet(1, .fetch)),
      step("6", "tablet edits", Lifecycle.tablet(4, .edit(record, ["count": .integer(3)]))),
      step("7", "phone edits later", Lifecycle.phone(5, .edit(record, ["count": .integer(4)]))),
      step("8", "phone sends", Lifecycle.phone(6, .send)),
      step("9", "confirmed", Lifecycle.phone(6, .receiveAnswer)),
      step("10", "tablet fetches", Lifecycle.tablet(7, .fetch)),
      step("11", "tablet decides", Lifecycle.tablet(7, .resolve(record, Resolution()))),
      step("12", "tablet sends", Lifecycle.tablet(7, .send)),
      step("13", "confirmed", Lifecycle.tablet(7, .receiveAnswer)),
      step("14", "phone fetches", Lifecycle.phone(8, .fetch)),
    ])

  private static var record: RecordName { Lifecycle.record }

  private static var tabletIsFirst: [Chapter] {
    [
      step("4", "tablet sends", Lifecycle.tablet(5, .send)),
      step("5", "confirmed", Lifecycle.tablet(5, .receiveAnswer)),
    ]
  }

  private static func edit(_ title: String, _ count: Int64) -> DeviceAction {
    .edit(record, ["title": .text(title), "count": .integer(count)])
  }

  private static func step(_ label: String, _ title: String, _ moment: Moment) -> Chapter {
    Lifecycle.chapter(label, title, .conflict, moment)
  }

  private static func twoDevices(id: String, title: String, about: String, _ chapters: [Chapter]) -> Scenario
  {
    Scenario(
      id: id, title: title, about: about, table: Lifecycle.table, record: record,
      devices: ["phone", "tablet"],
      client: "phone", chapters: chapters)
  }
}
