import KeyedArchives
import Merging
import StoreInterface

/// The contents of the demo store.
package struct DemoSamples {
  let now: Int64

  static let minute: Int64 = 60_000_000_000
  static let day = 24 * 60 * minute

  /// Everything was agreed on two days ago, if nothing else is told.
  var agreed: Int64 { now - 2 * DemoSamples.day }

  func ago(minutes: Int64) -> Int64 { now - minutes * DemoSamples.minute }

  func date(inDays days: Int64) -> Value {
    let midnight = now - now % DemoSamples.day
    return .text(StoredDate.text(nanoseconds: midnight + days * DemoSamples.day))
  }

  package static func key(_ number: Int) -> String {
    let digits = String(number)
    return "5eed0000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
  }

  static let inbox = key(1)
  static let health = key(2)
  static let family = key(3)
  static let groceries = key(4)
  static let garden = key(5)

  func list(_ key: String, _ title: String, color: Int64, position: Int64) -> Sample {
    Sample(
      table: "remindersLists", key: key,
      row: [
        "id": .text(key), "title": .text(title), "color": .integer(color), "position": .integer(position),
      ], time: agreed)
  }

  func reminder(_ number: Int, _ title: String, list: String = inbox, _ more: RowImage = [:]) -> Sample {
    let key = DemoSamples.key(number)
    let row: RowImage = [
      "id": .text(key), "title": .text(title), "notes": .null, "dueDate": .null, "isCompleted": .integer(0),
      "priority": .null, "estimate": .null, "cover": .null, "remindersListID": .text(list),
    ]
    return Sample(table: "reminders", key: key, row: row.merging(more) { _, given in given }, time: agreed)
  }

  /// A record whose parent never came.
  var orphan: String { DemoSamples.key(299) + ":reminders" }

  /// Records that are in order. The last one came in again with a new tag only: no conflict.
  var settled: [Sample] {
    [
      list(DemoSamples.inbox, "Inbox", color: 4_889_071, position: 0),
      list(DemoSamples.health, "Health", color: 15_688_764, position: 1),
      list(DemoSamples.family, "Family", color: 6_995_546, position: 2),
      list(DemoSamples.garden, "Garden", color: 3_909_731, position: 4),
      reminder(101, "Feed the cat").receiving([:], ago(minutes: 90)),
    ]
  }
}

extension Sample {
  private func with(_ change: (inout Sample) -> Void) -> Sample {
    var copy = self
    change(&copy)
    return copy
  }

  func editedHere(_ edits: RowImage, _ time: Int64) -> Sample {
    with { ($0.client, $0.clientTime) = (edits, time) }
  }

  func deletedHere(_ time: Int64) -> Sample {
    with { ($0.client, $0.clientTime, $0.pending) = (nil, time, .delete) }
  }

  /// The server's record with these edits came in.
  func receiving(_ edits: [String: Edit], _ time: Int64, path: String = "fetch") -> Sample {
    receiving(.edits(edits), time, path: path)
  }

  func receiving(_ incoming: Incoming, _ time: Int64, path: String = "fetch") -> Sample {
    with { ($0.server, $0.receivedAt, $0.path) = (incoming, time, path) }
  }

  func withAncestor(_ ancestor: Archive) -> Sample { with { $0.ancestor = ancestor } }

  func queued(_ kind: PendingZoneChange.Kind) -> Sample { with { $0.pending = kind } }

  func withoutRow() -> Sample { with { $0.isWithoutRow = true } }
}

extension DemoSamples {
  /// Records that are stuck, each in its own way.
  var stuck: [Sample] {
    [
      reminder(201, "Invoice March").withAncestor(.none),
      reminder(202, "Book the campsite").editedHere(
        ["notes": .text("Pitch 14, by the lake")], ago(minutes: 300)),
      reminder(203, "Renew library card").editedHere(["isCompleted": .integer(1)], ago(minutes: 30)).queued(
        .save),
      reminder(204, "Broken lamp").deletedHere(ago(minutes: 35)),
      reminder(205, "Season tickets").withAncestor(.damaged),
      reminder(206, "Thank-you cards").withAncestor(.systemFields),
      reminder(207, "Lost umbrella").withoutRow(),
      Sample(
        table: "boards", key: DemoSamples.key(208),
        row: ["id": .text(DemoSamples.key(208)), "title": .text("Kitchen board")], time: agreed
      ).withoutRow(),
    ]
  }
}
