import Merging

/// A story of devices and the server that syncs whole files between them, about one file: who does what, and
/// who is asked.
///
/// A story is a value and says nothing of what comes out; ``timeline(_:)`` plays it.
package struct FileStory: Sendable, Equatable, Identifiable {
  package enum Step: Sendable, Equatable {
    case save(String, FileName)
    case delete(String, FileName)
    /// All of a round at once, as far as it goes.
    case sync(String)
    /// A round step by step, and the ones after it, as far as they go.
    case rounds(String)
    /// The person at this device answers, as is chosen if nil; nothing happens if nobody is asked.
    case answer(String, FileAnswer? = nil)
  }

  /// A short name without spaces, for a command line.
  package var id: String
  package var title: String
  /// What the story shows, in a sentence or two.
  package var about: String
  /// What the scene is called before anything happens.
  package var beginning = "the start"
  package var file: FileName
  /// The two devices that are drawn. There may be others.
  package var devices: [String]
  /// The device whose person is asked.
  package var asked: String
  package var start: FileWorld
  package var steps: [Step]
  /// What can be answered; first as it is told.
  package var answers: [FileAnswer]
}

extension FileStory {
  /// Plays the story.
  ///
  /// - Parameter answer: what is answered, as often as somebody is asked; as it is told if nil.
  package func timeline(_ answer: FileAnswer? = nil) -> FileTimeline {
    FileTimeline(self, answer ?? answers.first ?? .keep)
  }
}

/// A story as it went. Every value in it comes from playing it.
package struct FileTimeline: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// From 0 on.
    package var number: Int
    /// Who did it; nil for the scene before anything happened.
    package var device: String?
    package var title: String
    package var events: [FileEvent]
    package var before: FileWorld
    package var after: FileWorld
    /// What happened and why, in a sentence or a few.
    package var why: String

    package var label: String { String(number) }
  }

  package let story: FileStory
  package let answer: FileAnswer
  package private(set) var entries: [Entry] = []

  init(_ story: FileStory, _ answer: FileAnswer) {
    (self.story, self.answer) = (story, answer)
    entries = [
      Entry(
        number: 0, device: nil, title: story.beginning, events: [], before: story.start, after: story.start,
        why: story.about)
    ]
    for step in story.steps { play(step) }
  }

  private mutating func play(_ step: FileStory.Step) {
    switch step {
    case .save(let name, let file): act(name) { device, _ in [device.save(file, "\(name)'s")] }
    case .delete(let name, let file): act(name) { device, _ in [device.delete(file)] }
    case .sync(let name): act(name) { device, server in device.sync(&server) }
    case .answer(let name, let own):
      let (file, answer) = (story.file, own ?? answer)
      act(name) { device, _ in
        device.asked(file).map { question in
          [device.decide(file, answer.fitting(question, hasBoth: device.hasBoth(file)))]
        } ?? []
      }
    case .rounds(let name):
      while let device = world.devices[name], device.hasWork, !isLockedOut {
        act(name) { device, server in device.advance(&server).map { [$0] } ?? [] }
      }
    }
  }

  /// Whoever is turned away tries again at the next sync only.
  private var isLockedOut: Bool {
    if case .lockHeld? = entries.last?.events.last { true } else { false }
  }

  private var world: FileWorld { entries[entries.count - 1].after }

  /// Nothing is told where nothing happened.
  private mutating func act(
    _ name: String, _ act: (inout FileDevice, inout FileServer) -> [FileEvent]
  ) {
    var after = world
    guard let events = after.on(name, act), !events.isEmpty else { return }
    let scene = FileScene(device: name, file: story.file, before: world, after: after)
    entries.append(
      Entry(
        number: entries.count, device: name, title: scene.title(events), events: events, before: world,
        after: after, why: scene.why(events)))
  }
}

extension FileDevice {
  /// Whether the round goes on, or another one has something to send.
  fileprivate var hasWork: Bool { failure == nil && !isAsking && (isInRound || !queues.isEmpty) }
}

extension FileTimeline: CustomStringConvertible {
  /// The story as a table: a line for each step, with the server's index and lock, and where the file stands
  /// at the devices.
  package var description: String {
    let heads = story.devices.flatMap { [$0, "gone", "waits", "came in"] }
    let rows = [["t", "event", "index", "lock"] + heads] + entries.map(row)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(line.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private func row(_ entry: Entry) -> [String] {
    let server = entry.after.server
    return [entry.label, entry.title, server.indexWords(story.file), server.lock ?? "-"]
      + story.devices.flatMap { entry.after.standing(of: story.file, on: $0).cells }
  }
}

extension FileAtDevice {
  /// Version, whether it is deleted, what waits, what came in.
  package var cells: [String] { [versionWords, deletedWords, pendingWords, downloadWords] }
}
