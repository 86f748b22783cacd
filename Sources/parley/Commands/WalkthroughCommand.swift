import ArgumentParser
import Desk
import ExactJSON
import Foundation
import MemoryStores
import Merging
import Simulation
import StoreInterface
import Terminal

/// `parley walkthrough`: the life of a record, step by step.
struct WalkthroughCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "walkthrough", _superCommandName: Parley.name,
    abstract: "Walk through a record's life between client and server.",
    discussion: """
      Eleven steps (the ninth in two parts) in three phases, with what-ifs, under the rules of the three-way \
      merge and those of SQLiteData as it is today. Then stories of files that sync whole, under one lock, with \
      the answers that can be given. Everything is really played by a simulation; no store is opened and \
      nothing is written.

      STORIES
      \(listOfStories)
      """)

  private static let listOfStories = HangingLine.lines(
    "  ", WalkthroughPage.stories.joined(separator: ", "), width: HangingLine.widthOfHelp
  ).joined(separator: "\n")

  @Option(
    help: ArgumentHelp("The story to begin with.", valueName: "name"),
    completion: .list(WalkthroughPage.stories))
  var story = "lifecycle"

  @Option(help: ArgumentHelp("The step to begin with, as the picture numbers it.", valueName: "step"))
  var step: String?

  @Option(help: "serverNewer, clientNewer, sameTime, clientDeletes or serverDeletes.")
  var whatIf: Lifecycle.WhatIf = .serverNewer

  @Option(help: "The rules: model, or today.")
  var rules: Rules = .model

  @Option(
    help: ArgumentHelp(
      "What is answered in a story of files, as far as it has that: keep, accept, merge, acceptAll, keepEdit "
        + "or keepDeletion.",
      valueName: "answer"))
  var answer: FileAnswer?

  @Flag(help: "Play by itself, from the first step on.")
  var play = false

  @Option(help: ArgumentHelp("The seconds each step stays while it plays.", valueName: "seconds"))
  var pace = 2.0

  @Option(
    help: ArgumentHelp(
      "Write the played story as an asciinema recording (version 2) into a new file, whose path is printed; "
        + "- for standard output.",
      valueName: "file"))
  var record: String?

  @OptionGroup var print: OutputOptions
  @OptionGroup var desk: DeskOptions

  enum Rules: String, CaseIterable, ExpressibleByArgument {
    case model, today
  }

  func check() throws {
    guard WalkthroughPage.stories.contains(story) else {
      throw ValidationError(
        "There is no story “\(story)”. Stories are \(WalkthroughPage.stories.joined(separator: ", ")).")
    }
    guard (0.1...60).contains(pace) else { throw ValidationError("--pace takes 0.1 to 60 seconds.") }
    if print.json, record != nil {
      throw ValidationError("--json prints the steps, and --record the played story; use one of them.")
    }
    let page = page
    if let answer { try check(answer, among: page.files?.story.answers ?? []) }
    if let step, !page.labels.contains(step) {
      throw ValidationError(
        "There is no step “\(step)” in this story. Its steps are \(page.labels.joined(separator: ", ")).")
    }
  }

  private func check(_ answer: FileAnswer, among answers: [FileAnswer]) throws {
    if answers.contains(answer) { return }
    let there =
      answers.isEmpty
      ? "Nothing is answered in it; in these something is: \(FileStory.all.map(\.id).joined(separator: ", "))."
      : "Its answers are \(answers.map(\.rawValue).joined(separator: ", "))."
    throw ValidationError("There is no answer “\(answer.rawValue)” in this story. \(there)")
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    var page = page
    page.step = step.flatMap(page.labels.firstIndex) ?? 0
    if print.json {
      for line in page.lines.dropFirst(page.step) { try surroundings.output.print(line) }
      return .nothingLeft
    }
    if let record {
      let recording = WalkthroughRecording(page: page, pace: pace, now: surroundings.now())
      try tell(recording, in: record, surroundings)
      return .nothingLeft
    }
    // There is no store behind it, of which something could be left.
    _ = try openDesk(
      store: MemoryStore(name: "demo data", conflicts: []), path: "demo data", options: desk,
      keepingNoRules: .sample, beginningWith: page,
      otherwise: "parley walkthrough --json", in: surroundings)
    return .nothingLeft
  }

  /// Itself on standard output, else the path of its file there.
  private func tell(
    _ recording: WalkthroughRecording, in file: String, _ surroundings: Surroundings
  ) throws {
    if file == "-" {
      for line in recording.lines { try surroundings.output.print(line) }
    } else {
      try recording.write(to: file)
      try surroundings.output.print(file)
    }
  }

  /// The page to begin with, at its first step.
  private var page: WalkthroughPage {
    var page = WalkthroughPage(.told(WalkthroughPage.stories.firstIndex(of: story) ?? 0))
    page.whatIf = whatIf
    page.answer = answer
    page.isToday = rules == .today
    page.pace = play || record != nil ? Int(pace * 1000) : nil
    return page
  }
}

extension WalkthroughPage {
  /// A line for each step.
  fileprivate var lines: [JSON] {
    if let files { return files.entries.map { JSON($0, of: files.story) } }
    return timeline(isToday: isToday)?.entries.map { JSON($0) } ?? []
  }
}

extension FileAnswer: ExpressibleByArgument {}

extension Lifecycle.WhatIf: ExpressibleByArgument {}

/// A played story as an asciinema recording, version 2: a header, then `[seconds, "o", "bytes"]` for each frame
/// (https://docs.asciinema.org/manual/asciicast/v2/).
struct WalkthroughRecording {
  let page: WalkthroughPage
  let pace: Double
  let now: Int64
  private static let size = Size(columns: 120, rows: 34)

  /// - Parameters:
  ///   - pace: seconds a step stays.
  ///   - now: nanoseconds since 1970, for the header.
  /// - Throws: ``CommandError/fileExists(path:)``, ``CommandError/cannotWrite(path:detail:)``
  func write(to path: String) throws {
    try NewFile.write(lines.map { $0.text + "\n" }.joined(), to: path)
  }

  var lines: [JSON] { [header] + frames }

  private var header: JSON {
    JSON(members: [
      "version": .integer(2), "width": JSON(Self.size.columns), "height": JSON(Self.size.rows),
      "timestamp": .integer(now / 1_000_000_000), "title": .string("Parley: the life of a record"),
      "env": JSON(members: ["TERM": .string("xterm-256color")]),
    ])
  }

  /// The frames are those of the desk itself, played by its own clock ticks.
  private var frames: [JSON] {
    let info = StoreInfo(name: "demo data", path: "", kind: "", writing: "")
    var state = DeskState(store: info, access: .writable, size: Self.size, now: now, localIsUTC: true)
    state.pages = [.walkthrough(page)]
    var frames = [frame(state, at: 0)]
    while state.patience != nil {
      _ = state.update(.ticked, now: now)
      frames.append(frame(state, at: Double(frames.count) * pace))
    }
    // The last frame stays as long as the others.
    return frames + [.array([.real(Double(frames.count) * pace), .string("o"), .string("")])]
  }

  private func frame(_ state: DeskState, at seconds: Double) -> JSON {
    let text = state.draw().ansi(theme: Theme.builtIn["night"] ?? .auto)
    return .array([.real(seconds), .string("o"), .string(text)])
  }
}

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

extension JSON {
  /// A line of `parley walkthrough --story sonia-first --json`, for one step:
  ///
  ///     {"step":"6","title":"Fred downloads, is asked","device":"Fred",
  ///      "server":{"version":4,"deleted":false,"lock":null},
  ///      "devices":{"Sonia":{…},"Fred":{"version":4,"deleted":false,"pending":["deletion"],
  ///      "download":{"version":4,"stage":"asked","conflict":"deletedHere"}}},"why":"…"}
  init(_ entry: FileTimeline.Entry, of story: FileStory) {
    let server = entry.after.server
    self = JSON(members: [
      "step": .string(entry.label), "title": .string(entry.title), "device": JSON(entry.device),
      "server": JSON(members: [
        "version": server.index[story.file].map { JSON($0.version) } ?? .null,
        "deleted": .bool(server.index[story.file]?.isDeleted ?? false), "lock": JSON(server.lock),
      ]),
      "devices": .object(
        story.devices.map { ($0, JSON(entry.after.standing(of: story.file, on: $0))) }),
      "why": .string(entry.why),
    ])
  }

  private init(_ standing: FileAtDevice) {
    self = JSON(members: [
      "version": standing.version.map { JSON($0) } ?? .null, "deleted": .bool(standing.isDeleted),
      "pending": .array(standing.pending.map { .string($0.isUpload ? "upload" : "deletion") }),
      "download": standing.download.map { JSON($0) } ?? .null,
    ])
  }

  private init(_ download: FileDevice.Download) {
    self = JSON(members: [
      "version": download.version.map { JSON($0) } ?? .null, "stage": .string(download.stageWords),
      "conflict": JSON(download.conflict?.rawValue),
    ])
  }
}
