import KeyedArchives
import Merging
import SQLiteDataStores
import SQLiteFiles
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
    return .text(DateText.text(nanoseconds: midnight + days * DemoSamples.day))
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
      ],
      time: agreed)
  }

  func reminder(_ number: Int, _ title: String, list: String = inbox, _ more: RowImage = [:]) -> Sample {
    let key = DemoSamples.key(number)
    let row: RowImage = [
      "id": .text(key), "title": .text(title), "notes": .null, "dueDate": .null, "isCompleted": .integer(0),
      "priority": .null, "estimate": .null, "cover": .null, "remindersListID": .text(list),
    ]
    return Sample(
      table: "reminders", key: key, row: row.merging(more) { _, given in given }, time: agreed)
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
  func editedHere(_ edits: RowImage, _ time: Int64) -> Sample {
    var copy = self
    copy.client = edits
    copy.clientTime = time
    return copy
  }

  func deletedHere(_ time: Int64) -> Sample {
    var copy = self
    copy.client = nil
    copy.clientTime = time
    copy.pending = .delete
    return copy
  }

  /// The server's record with these edits came in.
  func receiving(_ edits: [String: Edit], _ time: Int64, path: String = "fetch") -> Sample {
    receiving(.edits(edits), time, path: path)
  }

  func receiving(_ incoming: Incoming, _ time: Int64, path: String = "fetch") -> Sample {
    var copy = self
    copy.server = incoming
    copy.receivedAt = time
    copy.path = path
    return copy
  }

  func withAncestor(_ ancestor: Archive) -> Sample {
    var copy = self
    copy.ancestor = ancestor
    return copy
  }

  func queued(_ kind: PendingZoneChange.Kind) -> Sample {
    var copy = self
    copy.pending = kind
    return copy
  }

  func withoutRow() -> Sample {
    var copy = self
    copy.isWithoutRow = true
    return copy
  }
}
