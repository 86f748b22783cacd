import Merging
import Samples
import Simulation
import StoreInterface
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

  /// A law: on a small screen nothing ends without a mark that goes on on a large one.
  @Test(arguments: FileStory.all.map(\.id), ["", "<enter>"])
  func whatIsCutIsMarked(id: String, keys: String) throws {
    let count = try #require(FileStory.all.first { $0.id == id }?.timeline()).entries.count
    for step in 0..<count {
      let desk = try story(id, keys, step: step, columns: 60, rows: 20)
      let lines = desk.screen.description.split(separator: "\n").map(String.init)
      let why = try #require(try page(desk).files?.entries[step].why)
      let start = try #require(lines.firstIndex { $0.contains("Why?") })
      let end = try #require(lines.firstIndex { $0.contains("answer  ") })
      let told = lines[start..<end].joined().filter { $0 != " " }
      let isWhole = told.hasSuffix(why.filter { $0 != " " })
      #expect(isWhole || told.hasSuffix("›"), "\(id) \(step): \(desk.screen)")
      #expect(isWhole || keys.isEmpty, "all of it can be read: \(id) \(step)")
    }
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
    let desk = TestDesk().typing("L" + String(repeating: "<tab>", count: Scenario.all.count + 2))
    #expect(try page(desk).files?.story.id == FileStory.all.first?.id)
    let round = TestDesk().typing("L" + String(repeating: "<tab>", count: count + 1))
    #expect(try page(round) == page(TestDesk().typing("L")))
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
      for words in ["Sonia", "Fred", "server", "lock: ", "Why?", "answer", "Esc back"] {
        #expect(text.contains(words), "\(id): \(words)")
      }
    }
  }

  /// Each step of each story with each of its answers, down to the smallest screen that has a picture: nothing lies over another.
  @Test(arguments: [60, 64, 79, 80, 120]) func nothingInThePictureOverlaps(columns: Int) {
    for story in FileStory.all {
      for answer in story.answers.map(Optional.some) + [nil] {
        let timeline = story.timeline(answer)
        for entry in timeline.entries {
          let rows = "\(FilePicture(timeline.story, entry).draw(columns: columns))".split(
            separator: "\n", omittingEmptySubsequences: false)
          let words = rows[2].split(separator: " ").filter { $0.first == "[" }
          let server = entry.after.server.index[story.file]
          let devices = story.devices.map { entry.after.standing(of: story.file, on: $0) }
          let nodes = devices.map { "[\($0.isDeleted ? "-" : $0.versionWords)]" }
          let middle = "[\(server.map { $0.isDeleted ? "-" : "\($0.version)" } ?? " ")]"
          let comment: Comment = "\(story.id), step \(entry.label)\n\(rows.joined(separator: "\n"))"
          #expect(words.map(String.init) == [nodes[0], middle, nodes[1]], comment)
          if let server, server.isDeleted {
            #expect(rows[2].contains("[-] \(server.version) deleted "), comment)
          }
          #expect(rows[3].contains("lock: \(entry.after.server.lock ?? "free")"), comment)
        }
      }
    }
  }

  /// `L` on a file of a store tells its own story, from where it stands.
  @Test(arguments: NoteStore.files.map(\.id), sizes)
  func aFileTellsItsOwnStory(id: String, size: (Int, Int)) throws {
    let desk = NoteStore.desk(showing: id, columns: size.0, rows: size.1).typing("<enter>L")
    try expect(desk.screen, matches: "files-own-\(id)")
  }

  @Test func whatWasDecidedIsTheAnswer() throws {
    let answer = { (id: String, keys: String) in
      try page(NoteStore.desk(showing: id).typing("<enter>" + keys + "L")).files?.answer
    }
    #expect(try answer("shopping", "") == .keep)
    // While nothing is decided it is what is suggested: the side that still has a text.
    #expect(try answer("plan", "") == .accept && answer("invoice", "") == .keep)
    #expect(try answer("draft", "") == .acceptAll && answer("plan", "c") == .keep)
    #expect(try answer("shopping", "c") == .keep)
    #expect(try answer("shopping", "s") == .accept)
    #expect(try answer("plan", "s") == .accept)
    #expect(try answer("invoice", "s") == .accept)
    #expect(try answer("draft", "c") == .keepDeletion)
    #expect(try answer("draft", "s") == .acceptAll)
  }

  /// The shopping list is merged, the trip has overlaps, and of the menu both sides have the same text.
  @Test func whatIsSuggestedOfATextIsTheAnswer() throws {
    let desk = try ContainerDesk.desk(isIndexed: true, hasAncestors: true)
    let answer = { (number: Int, keys: String) throws -> FileAnswer? in
      let place = try #require(desk.state.list.position(of: ContainerDemoStore.uuid(number)))
      return try page(desk.typing("g" + String(repeating: "j", count: place) + keys + "L")).answer
    }
    #expect(try answer(1, "") == .merge && answer(5, "") == nil && answer(8, "") == .keep)
    #expect(try answer(1, "s") == .accept && answer(5, "s") == .accept)
    let told = desk.typing("L").screen.description
    #expect(told.contains("[3 merge]"), "\(told)")
  }

  @Test func theAlternativesOfAnEarlierUploadAreAnswersToo() throws {
    let conflict = try #require(NoteStore.files.first { $0.id == "draft" })
    let situation = try #require(conflict.details.file)
    let answer = { (choice: Choice) in
      FileAnswer(DecidedConflict(conflict, Resolution(choices: [.record: choice])), situation)
    }
    #expect(answer(.alternative("upload")) == .keepEdit && answer(.alternative("sendBoth")) == .keep)
    #expect(answer(.alternative("accept")) == .acceptAll && answer(.alternative("other")) == nil)
    let edited = try #require(NoteStore.files.first { $0.id == "shopping" })
    let draft = Resolution(choices: [.field("content"): .edit(.text("Milk, bread, eggs"))])
    #expect(FileAnswer(DecidedConflict(edited, draft), try #require(edited.details.file)) == .merge)
    let undeleted = try #require(NoteStore.files.first { $0.id == "invoice" })
    let text = Resolution(choices: [.record: .edit(.text("Paid in June"))])
    #expect(FileAnswer(DecidedConflict(undeleted, text), try #require(undeleted.details.file)) == .keep)
  }

  @Test func behindAFileTheStoriesOfFilesAreTold() throws {
    let desk = NoteStore.desk(showing: "plan")
    #expect(try page(desk.typing("L")).files?.story.id == page(desk.typing("<enter>L")).files?.story.id)
    let last = WalkthroughPage.stories.count - 1
    #expect(try page(desk.typing("L<backtab>")).story == .told(last))
    #expect(
      try page(NoteStore.desk(showing: "none").typing("/nothing<enter>L")).files?.story.id == "sonia-first")
  }

  @Test func theNameOfAFileIsHiddenAndThatOfAStoryIsNot() throws {
    let own = NoteStore.desk(showing: "shopping").typing("<enter>LP")
    #expect(!own.screen.description.contains("Shopping list"))
    #expect(try story("sonia-first", "P").screen.description.contains("Sonia is first"))
  }

  @Test func fromAFileTabGoesToTheStoriesAndBack() throws {
    let desk = NoteStore.desk(showing: "shopping").typing("<enter>L")
    #expect(try page(desk.typing("<tab>")) != page(desk))
    #expect(try page(desk.typing("<tab><backtab>")) == page(desk))
    #expect(desk.typing("<esc>").state.topic == .record)
  }

  /// Three lines have room for every reason, so that none is cut.
  @Test func noReasonIsCut() {
    let own = NoteStore.files.compactMap(\.details.file).map { FileStory($0, title: "note") }
    for story in FileStory.all + own {
      for entry in story.answers.flatMap({ story.timeline($0).entries }) {
        #expect([Run("Why?  "), Run(entry.why)].wrapped(78).count <= 3, "\(story.id) \(entry.why)")
      }
    }
  }
}
