import ExactJSON
import Merging
import Simulation

extension JSON {
  /// A line of `parley walkthrough --json`, for one step:
  ///
  ///     {"step":"9a","title":"merge","phase":"Concurrent edits","device":"phone",
  ///      "before":{"row":{…},"lastKnown":{"tag":"b","values":{…}},"server":{…}},"after":{…},
  ///      "changed":["row"],"picture":"(a)-[b] : <*> / <c> : {*'}","why":"…"}
  init(_ entry: Timeline.Entry) {
    self = JSON(members: [
      "step": .string(entry.chapter.label), "title": .string(entry.chapter.title),
      "phase": .string(entry.chapter.phase.rawValue), "device": .string(entry.device),
      "before": JSON(entry.before), "after": JSON(entry.after),
      "changed": .array(Place.allCases.filter(entry.changes.contains).map { .string($0.rawValue) }),
      "picture": .string(entry.picture.description), "why": .string(entry.why),
    ])
  }

  private init(_ standing: Standing) {
    self = JSON(members: [
      "row": standing.row.map { JSON(values: $0) } ?? .null, "lastKnown": JSON(standing.lastKnown),
      "server": JSON(standing.server),
    ])
  }

  private init(_ record: ServerRecord?) {
    guard let record else {
      self = .null
      return
    }
    self = JSON(members: [
      "tag": JSON(record.tag?.description), "values": JSON(values: record.fields.mapValues(\.value)),
    ])
  }

  private init(values: [String: Value]) {
    self = .object(values.keys.sorted().map { ($0, values[$0].map { JSON($0) } ?? .null) })
  }
}
