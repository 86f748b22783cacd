import ArgumentParser
import Desk
import ExactJSON
import MemoryStores
import Merging
import SQLiteDataStores
import Simulation
import Terminal

/// `parley walkthrough`: the life of a record, step by step.
struct WalkthroughCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "walkthrough", abstract: "Walk through a record's life between client and server.",
    discussion: """
      Eleven steps (the ninth in two parts) in three phases, with what-ifs, under the rules of the three-way merge and those of SQLiteData as it is \
      today. Everything is really played by a simulation; no store is opened and nothing is written.

      STORIES
        \(WalkthroughPage.stories.joined(separator: ", "))
      """)

  @Option(help: ArgumentHelp("The story to begin with.", valueName: "name"))
  var story = "lifecycle"

  @Option(help: ArgumentHelp("The step to begin with, as the picture numbers it.", valueName: "step"))
  var step: String?

  @Option(help: "serverNewer, clientNewer, sameTime, clientDeletes or serverDeletes.")
  var whatIf: Lifecycle.WhatIf = .serverNewer

  @Option(help: "The rules: model, or today.")
  var rules: Rules = .model

  @Flag(help: "Play by itself, from the first step on.")
  var play = false

  @Option(help: ArgumentHelp("The seconds each step stays while it plays.", valueName: "seconds"))
  var pace = 2.0

  @Option(
    help: ArgumentHelp(
      "Write the played story as an asciinema recording (version 2) into a new file; - for standard output.",
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
    guard try page().timeline != nil else {
      throw ValidationError("There is no step “\(step ?? "")” in this story.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let (page, timeline) = try page()
    guard let timeline else { return .usage }
    if print.json {
      for entry in timeline.entries.dropFirst(page.step) { try surroundings.output.print(JSON(entry)) }
      return .nothingLeft
    }
    if let record {
      let recording = WalkthroughRecording(page, pace: pace, now: surroundings.now())
      if record != "-" { try recording.write(to: record) }
      for line in record == "-" ? recording.lines : [] { try surroundings.output.print(line) }
      return .nothingLeft
    }
    return try openDesk(
      store: MemoryStore(name: "demo data", conflicts: []), options: desk, beginningWith: page,
      otherwise: "parley walkthrough --json", in: surroundings)
  }

  /// The page to begin with and its timeline; no timeline if there is no such step.
  private func page() throws -> (page: WalkthroughPage, timeline: Timeline?) {
    var page = WalkthroughPage(.told(WalkthroughPage.stories.firstIndex(of: story) ?? 0))
    page.whatIf = whatIf
    page.isToday = rules == .today
    page.pace = play || record != nil ? Int(pace * 1000) : nil
    let timeline = page.timeline(isToday: page.isToday)
    guard let step else { return (page, timeline) }
    guard let position = timeline?.entries.firstIndex(where: { $0.chapter.label == step }) else {
      return (page, nil)
    }
    page.step = position
    return (page, timeline)
  }
}

extension Lifecycle.WhatIf: ExpressibleByArgument {}
