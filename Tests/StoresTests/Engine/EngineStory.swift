import Foundation
import Testing

/// A story of two devices that SQLiteData's own engine played: the stores along the way, and what Parley was told at each.
///
///     device b: app: send                              the app did something
///     device a: store as it is now: 1-a/               a stop: the files lie beside the story
///     device a: parley resolve r1:reminders --set …    what Parley was told there
///     must hold: …                                     for people; the laws of the tests say it for the files
struct EngineStory: Sendable, CustomTestStringConvertible {
  struct Stop: Sendable {
    let device: Substring
    /// The folder of the store: "1-a".
    let store: String
    /// Commands as they were typed, without "parley": "write --yes --direct".
    var told: [String] = []
  }

  let name: String
  private(set) var stops: [Stop] = []

  var testDescription: String { name }

  static let place = "fixtures/sqlitedata-engine"
  static var areHere: Bool { Shared.has(place) }
  static var folder: String { (Shared.folder ?? "") + "/" + place }

  /// None where they are not beside the project.
  static let all: [EngineStory] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { try? EngineStory($0) }
  }()

  /// Their first store was copied while the app wrote: what it did last cannot be read from that `-wal`.
  private static let torn = [
    "deletion-over-a-row", "five-minutes-ahead-direct", "five-minutes-ahead-outbox",
    "neither-list-nor-doctor",
  ]

  /// Those with a whole store that tell Parley something which `isMeant`.
  static func telling(_ isMeant: (String) -> Bool) -> [EngineStory] {
    all.filter { $0.stops.contains { $0.told.contains(where: isMeant) } && !torn.contains($0.name) }
  }

  static func isChange(_ command: String) -> Bool { command.hasPrefix("write") || command.contains("--mend") }

  init(_ name: String) throws {
    self.name = name
    let text = try String(contentsOfFile: "\(EngineStory.folder)/\(name)/story.txt", encoding: .utf8)
    for line in text.split(separator: "\n") { read(line) }
  }

  private mutating func read(_ line: Substring) {
    let parts = line.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("device ") else { return }
    let device = parts[0].dropFirst("device ".count)
    if let store = parts[1].after("store as it is now: ") {
      stops.append(Stop(device: device, store: store.replacing("/", with: "")))
    } else if let command = parts[1].after("parley ") {
      // It was told there even if a store of the other device was copied in between.
      if let last = stops.lastIndex(where: { $0.device == device }) { stops[last].told.append(command) }
    }
  }
}

extension Substring {
  fileprivate func after(_ start: String) -> String? {
    hasPrefix(start) ? String(dropFirst(start.count)) : nil
  }
}
