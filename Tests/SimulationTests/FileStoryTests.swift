import Merging
import Testing

@testable import Simulation

/// The stories of files that are shipped.
struct FileStoryTests {
  private static let tellings = FileStory.all.flatMap { story in story.answers.map { story.timeline($0) } }

  /// In one round another version of the file comes in, and the list goes up: what moved in the index is not said not to have.
  @Test func aRoundThatBringsAndSendsTellsBoth() {
    let told = FileStory.lockedOut.timeline(.keep).entries.last
    #expect(
      told?.why == "The file comes in, and still counts as deleted here, for good: the framework never takes "
        + "that back. The list has not moved in the index, and goes up as 1, over what was there.")
  }

  @Test func everyStoryHasANameOfItsOwn() {
    let ids = FileStory.all.map(\.id) + Scenario.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(FileStory.all.allSatisfy { !$0.id.contains(" ") && !$0.about.isEmpty })
  }

  @Test(arguments: tellings) func howeverItIsAnsweredNothingWaitsAtTheEnd(told: FileTimeline) throws {
    let end = try #require(told.entries.last?.after)
    #expect(end.server.lock == nil)
    for name in told.story.devices {
      let device = try #require(end.devices[name])
      #expect(device.queues.isEmpty && device.downloads.isEmpty && device.failure == nil, "\(name)")
    }
    let file = end.server.index[told.story.file]
    let asked = end.standing(of: told.story.file, on: told.story.asked)
    #expect(asked.version == file?.version)
    // The gap: what was accepted as deleted and is undeleted elsewhere comes in, and counts as deleted for
    // good.
    let isGap = told.story.id == "undeleted-elsewhere" && told.answer == .accept
    #expect((asked.isDeleted == file?.isDeleted) != isGap)
  }

  @Test(arguments: tellings) func everyStepSaysWhatAndWhy(told: FileTimeline) {
    #expect(told.entries.map(\.number) == Array(0..<told.entries.count))
    for entry in told.entries { #expect(!entry.why.isEmpty && (1...26).contains(entry.title.count)) }
    #expect(told.entries.first?.after == told.story.start)
  }

  @Test(arguments: FileStory.all) func oneDeviceIsAskedAboutTheFile(story: FileStory) {
    let told = story.timeline()
    let asked = told.entries.filter { entry in
      entry.device == story.asked && entry.events.contains { $0.asks }
    }
    #expect(asked.count == (["asked-again", "undeleted-elsewhere"].contains(story.id) ? 2 : 1))
    #expect(told.answer == story.answers.first)
  }

  /// Only the round that brings nothing but deletions keeps the others out.
  @Test func whileSoniaThinksFredIsLockedOut() {
    let told = FileStory.lockedOut.timeline()
    let index = told.entries.firstIndex { $0.events == [.lockHeld(by: "Sonia")] }
    #expect(index.map { told.entries[$0].before.devices["Sonia"]?.isAsking } == true)
    #expect(told.entries.last?.after.server.index["list"]?.version == 1)
    for story in [FileStory.soniaFirst, .askedAgain, .undeletedElsewhere, .bothEdit] {
      let thinking = story.timeline().entries.filter { $0.after.devices[story.asked]?.isAsking == true }
      #expect(!thinking.isEmpty && thinking.allSatisfy { $0.after.server.lock == nil }, "\(story.id)")
    }
  }

  @Test func whoIsTurnedAwayDoesNotTryAgainByItself() {
    var story = FileStory.lockedOut
    story.steps = [.save("Sonia", "note"), .delete("Fred", "note"), .sync("Fred"), .rounds("Sonia")]
    story.steps += [.save("Tom", "note"), .rounds("Tom")]
    #expect(story.timeline().entries.last?.events == [.lockHeld(by: "Sonia")])
  }

  @Test func whatTheFrameworkForgetsGoesOverWhatWasAccepted() throws {
    let told = FileStory.editThenDeletion.timeline(.accept)
    let accepted = try #require(told.entries.first { $0.events.contains(.decided(.deletedHere, .accept)) })
    #expect(accepted.after.standing(of: "note", on: "Fred").pendingWords == "upload")
    #expect(told.entries.last?.after.server.index["note"]?.version == 5)
    let all = FileStory.editThenDeletion.timeline(.acceptAll)
    #expect(all.entries.last?.after.server.index["note"]?.version == 4)
  }

  @Test(arguments: tables) func theStoryAsATable(id: String, answer: FileAnswer, table: String) throws {
    let story = try #require(FileStory.all.first { $0.id == id })
    #expect(story.timeline(answer).description == table)
  }
}

extension FileEvent {
  fileprivate var asks: Bool {
    switch self {
    case .downloaded(let asks), .toldDeletions(let asks, _): !asks.isEmpty
    case .edited, .deleted, .alreadyDeleted, .lockHeld, .nothingToDo, .droppedDeletions, .found,
      .transferredIn,
      .decided, .nothingAsked, .sent, .stopped:
      false
    }
  }
}

extension FileTimeline: CustomTestStringConvertible {
  public var testDescription: String { "\(story.id) \(answer)" }
}

extension FileStory: CustomTestStringConvertible {
  public var testDescription: String { id }
}
