import Merging
import Testing

@testable import Simulation

/// The story of a real file, from wherever it stands.
struct FileSituationTests {
  /// Every place a file with a conflict can stand in, and those of files that both sides deleted.
  private static let situations = FileSituation.Pending.allCases.flatMap { pending in
    [false, true].flatMap { isDeletedThere in
      FileSituation.Stage.allCases.flatMap { stage in
        [false, true].map {
          FileSituation(
            pending: pending,
            ancestorVersion: stage == .asked && !isDeletedThere ? nil : isDeletedThere ? 4 : 3,
            serverVersion: 4, isDeletedThere: isDeletedThere, stage: stage, bringsDeletionsOnly: $0)
        }
      }
    }
  }.filter(\.isReachable)

  private static let asked = situations.filter { $0.question != nil }

  @Test func whoIsAskedIsAskedThatQuestion() throws {
    #expect(Self.asked.count == 18)
    for situation in Self.asked {
      let told = FileStory(situation, title: "note").timeline()
      let questions = told.entries.compactMap { $0.after.devices["client"]?.asked("file") }
      #expect(Set(questions) == [try #require(situation.question)], "\(situation)")
      #expect(told.answer == told.story.answers.first && told.story.answers.count > 1)
    }
  }

  /// The story starts where the file stands, so a lock that is held now is held in its first line.
  @Test func itStartsWithTheLockAndTheVersionsAsTheyAre() {
    for situation in Self.asked {
      let start = FileStory(situation, title: "note").start
      #expect(start.server.lock == (situation.holdsLock ? "client" : nil), "\(situation)")
      #expect(start.server.index["file"]?.version == 4)
      #expect(start.server.index["file"]?.isDeleted == situation.isDeletedThere)
      let known = start.standing(of: "file", on: "client")
      let isRaised = situation.stage == .asked && !situation.isDeletedThere
      #expect(known.version == (isRaised || situation.isDeletedThere ? 4 : 3), "\(situation)")
      #expect(known.isDeleted == (situation.stage == .asked && situation.isDeletedThere), "\(situation)")
    }
  }

  /// Wherever it stands, an answer comes to the same.
  @Test func theEndDependsOnTheAnswerAlone() {
    let groups = Dictionary(grouping: Self.asked) { "\($0.pending) \($0.isDeletedThere)" }
    #expect(groups.count == 4)
    for situations in groups.values {
      for answer in FileStory(situations[0], title: "note").answers {
        let ends = situations.map { FileStory($0, title: "note").timeline(answer).entries.last?.after }
        let words = ends.map { world in
          let client = world?.standing(of: "file", on: "client")
          return "\(world?.server.indexWords("file") ?? "") \(world?.server.lock ?? "-") "
            + "\(client?.cells.joined(separator: " ") ?? "")"
        }
        #expect(Set(words).count == 1, "\(situations[0]) \(answer): \(Set(words))")
        #expect(words[0].contains(" - "))
        #expect(ends.allSatisfy { $0?.devices["client"]?.queues.isEmpty == true })
      }
    }
  }

  /// Two deletions are dropped, and an upload before a deletion stops the framework for good.
  @Test func aFileThatBothDeletedIsNotAskedAbout() {
    for situation in Self.situations where situation.question == nil {
      let told = FileStory(situation, title: "note").timeline()
      #expect(told.story.answers.isEmpty)
      let end = told.entries.last?.after
      let isStuck = end?.devices["client"]?.failure == .deletedWithoutUndeletion("file")
      #expect(isStuck == (situation.pending == .uploadThenDeletion))
      #expect(told.entries.last?.why.contains(isStuck ? "stops with an internal error" : "dropped") == true)
    }
  }

  /// What the index tells beyond what the device has met is on the server from the beginning: whoever keeps is asked about it, too,
  /// and whoever gives up what waits gets it without a word.
  @Test(arguments: [(6, false), (6, true), (4, true)])
  func whatTheServerHasSinceIsAskedAboutNext(version: Int, isDeleted: Bool) throws {
    for situation in Self.asked where !situation.isDeletedThere {
      var overtaken = situation
      overtaken.overtaking = .init(version: version, isDeleted: isDeleted)
      let story = FileStory(overtaken, title: "note")
      let index = "\(version)\(isDeleted ? " gone" : "")"
      #expect(story.start.server.indexWords("file") == index && story.start.server.lock == nil)
      for answer in story.answers {
        let told = story.timeline(answer)
        let questions = told.entries.compactMap { $0.after.devices["client"]?.asked("file") }
        let last = try #require(told.entries.last?.after.devices["client"])
        #expect(last.queues.isEmpty || last.failure != nil, "\(overtaken) \(answer)\n\(told)")
        if situation.stage == .asked, situation.pending == .upload, answer != .accept {
          #expect(questions.last == (isDeleted ? .deletedThere : .editedOnBoth), "\(told)")
        }
        if answer == .accept, situation.pending != .uploadThenDeletion {
          #expect(told.entries.last?.after.server.indexWords("file") == index, "\(told)")
        }
      }
    }
  }

  /// A store may be damaged: then the versions are anything, and the story still ends.
  @Test func whateverTheVersionsAreTheStoryEnds() {
    for version in [Int.min, -1, 0, Int.max] {
      for ancestor in [nil, Int.min, 3, Int.max] {
        for situation in Self.situations {
          var odd = situation
          (odd.serverVersion, odd.ancestorVersion) = (version, ancestor)
          for answer in FileAnswer.allCases {
            let told = FileStory(odd, title: "note").timeline(answer)
            #expect((1...9).contains(told.entries.count), "\(odd) \(answer)")
          }
        }
      }
    }
  }

  @Test func theFirstLineTellsHowItStands() {
    let why = { (situation: FileSituation) in
      FileStory(situation, title: "note").timeline().entries[0].why
    }
    let deletion = FileSituation(
      pending: .upload, ancestorVersion: 4, serverVersion: 4, isDeletedThere: true, stage: .asked,
      bringsDeletionsOnly: true)
    #expect(
      why(deletion) == "An upload waits here. The server has deleted it, and the app waits for an answer. "
        + "The client holds the lock: every other device is turned away until it goes on.")
    let both = FileSituation(
      pending: .uploadThenDeletion, ancestorVersion: 3, serverVersion: 5, isDeletedThere: false,
      stage: .unmet,
      bringsDeletionsOnly: false)
    #expect(
      why(both) == "An upload waits here, and a deletion after it: of the upload nobody is told. "
        + "The server has version 5, which the app has not met yet. "
        + "The lock is free: the server may move on, and you may be asked again.")
  }
}

extension FileSituation {
  /// A file that comes in is what makes a round bring more than deletions, and what nobody is asked about is
  /// never kept.
  fileprivate var isReachable: Bool {
    if question == nil { return stage == .unmet && !bringsDeletionsOnly }
    if isDeletedThere { return stage != .fetched }
    return !bringsDeletionsOnly
  }
}
