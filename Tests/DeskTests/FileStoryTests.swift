import Merging
import Simulation
import Terminal
import Testing

@testable import Desk

/// Stories of files that sync whole, in the walkthrough.
@Suite struct FileStoryTests {
  private static let sizes = [(80, 24), (120, 40)]

  private func story(
    _ id: String, _ keys: String = "", step: Int = 0, columns: Int = 80, rows: Int = 24
  ) throws -> TestDesk {
    let number = try #require(WalkthroughPage.stories.firstIndex(of: id))
    var desk = TestDesk(columns: columns, rows: rows)
    desk.state.pages = [.walkthrough(WalkthroughPage(.told(number), step: step))]
    return desk.typing(keys)
  }

  private func page(_ desk: TestDesk) throws -> WalkthroughPage {
    try #require(desk.state.top(WalkthroughPage.self))
  }

  @Test(arguments: FileStory.all.map(\.id), sizes)
  func theQuestion(id: String, size: (Int, Int)) throws {
    let told = try #require(FileStory.all.first { $0.id == id }?.timeline())
    let asked = try #require(
      told.entries.firstIndex { $0.after.devices[told.story.asked]?.isAsking == true })
    let question = try story(id, step: asked, columns: size.0, rows: size.1).screen
    try expect(question, matches: "files-\(id)-asked")
  }

  @Test(arguments: FileStory.all.map(\.id)) func theEnd(id: String) throws {
    try expect(story(id, "G").screen, matches: "files-\(id)-end")
  }

  @Test func whatChangedIsBold() throws {
    try expectInks(story("fred-first", step: 5).screen, matches: "files-fred-first-asked")
    try expectInks(story("sonia-first", step: 8).screen, matches: "files-sonia-first-end")
  }

  @Test func theTableTakesTheRoomOfThePictureWhereItIsSmall() throws {
    try expect(story("asked-again", "<enter>G").screen, matches: "files-all")
    #expect(try story("asked-again").screen.description.contains("Enter all steps"))
    #expect(try story("asked-again", "<enter>").screen.description.contains("Enter one step"))
    #expect(try !story("asked-again", columns: 120, rows: 40).screen.description.contains("Enter"))
  }

  @Test func anotherAnswerTellsAnotherEnd() throws {
    let keys = ["1", "2", "3", "4", "5"]
    let ends = try keys.map { key in
      try page(story("edit-then-deletion", key)).files?.entries.last?.after.server.indexWords("note")
    }
    #expect(ends == ["5", "5 gone", "4", "5", "4 gone"])
    try expect(story("edit-then-deletion", "1G").screen, matches: "files-forgotten")
    let other = try story("sonia-first", "5")
    #expect(try page(other).answer == nil)
  }

  /// A story that ends earlier with another answer stays at one of its steps.
  @Test func theStepStaysWithinTheStory() throws {
    for id in FileStory.all.map(\.id) {
      for key in ["1", "2", "3", "4", "5"] {
        let desk = try story(id, "G" + key)
        let page = try page(desk)
        #expect(page.step < page.labels.count && desk.screen.description.contains("Why?"), "\(id) \(key)")
      }
    }
  }

  @Test func tabGoesThroughAllStoriesAndComesBack() throws {
    let count = WalkthroughPage.stories.count
    let desk = TestDesk().typing("L" + String(repeating: "<tab>", count: Scenario.all.count + 1))
    #expect(try page(desk).files?.story.id == FileStory.all.first?.id)
    let round = TestDesk().typing("L" + String(repeating: "<tab>", count: count))
    #expect(try page(round).story == .told(0))
  }

  @Test func keysOfTheOtherStoriesSayWhyTheyDoNothing() throws {
    let rules = try story("sonia-first", "m")
    #expect(rules.state.status?.text == "There is one set of rules for files: those of the system itself.")
    #expect(try !page(rules).isToday && !story("sonia-first").screen.description.contains("m rules"))
    #expect(
      try story("sonia-first", "t").state.status?.text == "The answers of this story are the keys 1 to 2.")
  }

  @Test func itPlaysToItsEnd() throws {
    var desk = try story("fred-first", " ")
    for _ in 0..<20 { desk.take(.ticked) }
    #expect(try page(desk).step == 7 && desk.state.patience == nil)
  }

  /// A picture never loses what it tells to a narrow screen.
  @Test(arguments: [(60, 20), (80, 24), (116, 40), (200, 50)]) func allIsThereInEverySize(size: (Int, Int))
    throws
  {
    for id in FileStory.all.map(\.id) {
      let text = try story(id, "lll", columns: size.0, rows: size.1).screen.description
      for words in ["Sonia", "Fred", "Server", "lock: ", "Why?", "answer", "Esc back"] {
        #expect(text.contains(words), "\(id): \(words)")
      }
    }
  }
}
