import Merging

/// Short words for chapters of a story.
extension Lifecycle {
  static func chapter(
    _ label: String, _ title: String, _ phase: Scenario.Phase, _ moment: Moment?
  ) -> Scenario.Chapter {
    Scenario.Chapter(label: label, title: title, phase: phase, moment: moment)
  }

  static func phone(_ minute: Int64, _ action: DeviceAction) -> Moment {
    Moment(clock(minute), .device("phone", action))
  }

  static func tablet(_ minute: Int64, _ action: DeviceAction) -> Moment {
    Moment(clock(minute), .device("tablet", action))
  }

  static func server(_ minute: Int64, _ action: ServerAction) -> Moment {
    Moment(clock(minute), .server(action))
  }

  static func row(_ title: String, _ count: Int64) -> [String: Value] {
    ["id": .integer(42), "title": .text(title), "count": .integer(count)]
  }

  static func fields(count: Int64, at minute: Int64) -> RecordVersion.Fields {
    ["count": FieldVersion(.integer(count), time: clock(minute))]
  }

  /// Minutes after 20 November 2026, 12:00 UTC, in nanoseconds since 1970.
  static func clock(_ minute: Int64) -> Int64 { (1_795_176_000 + minute * 60) * 1_000_000_000 }
}
