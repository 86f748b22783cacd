import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// What was laid out of a review is taken again as long as it says what would be said now.
@Suite struct ReviewMemoryTests {
  private static let sizes = [(80, 24), (60, 14), (40, 12), (120, 40), (200, 50)]

  private struct Step: CustomTestStringConvertible {
    let testDescription: String
    let take: @Sendable (inout TestDesk) -> Void

    init(_ name: String, _ take: @escaping @Sendable (inout TestDesk) -> Void) {
      (testDescription, self.take) = (name, take)
    }
  }

  /// One of three is refused, one is left out, and one is written, or moves meanwhile.
  private static let steps = [
    Step("refused") { $0.outcomes["42:reminders"] = .refused(field: "title", "there is a CHECK") },
    Step("read") { $0.type("cjcjcw") },
    Step("down") { $0.type("jj") },
    Step("left out") { $0.type(" ") },
    Step("taken in") { $0.type(" ") },
    Step("left out again") { $0.type(" ") },
    Step("unchanged fields") { $0.type("=") },
    Step("hidden") { $0.type("P") },
    Step("shown") { $0.type("P") },
    Step("begun") {
      $0.answersWait = true
      $0.type("Y")
    },
    Step("ended") { desk in
      desk.answersWait = false
      let ids = desk.state.top(ReviewPage.self)?.drafts.map(\.id) ?? []
      desk.take(.wrote(ids.dropLast().map { CheckedWrite(id: $0, title: $0, outcome: .fine) }))
    },
    Step("another write") {
      $0.take(.newestWrite(LastWrite.Names(id: 7, records: ["1:others"]), standing: nil))
    },
    Step("down again") { $0.type("j") },
  ]

  @Test(arguments: sizes) func whatIsTakenAgainIsWhatWouldBeMadeNow(columns: Int, rows: Int) throws {
    var desk = TestDesk(columns: columns, rows: rows)
    for step in Self.steps {
      step.take(&desk)
      for (columns, rows) in Self.sizes + [(columns, rows)] {
        desk.take(.terminal(.resized(Size(columns: columns, rows: rows))))
        let shown = desk.screen.description
        #expect(shown == Self.withoutMemory(desk).screen.description, "\(step) \(columns)x\(rows)")
      }
    }
    #expect(desk.state.top(ReviewPage.self)?.stage == .done)
  }

  private static func withoutMemory(_ desk: TestDesk) -> TestDesk {
    var desk = desk
    for index in desk.state.pages.indices {
      guard case .review(let page) = desk.state.pages[index] else { continue }
      desk.state.pages[index] = .review(copy(of: page))
    }
    return desk
  }

  private static func copy(of page: ReviewPage) -> ReviewPage {
    var copy = ReviewPage(page.action, stage: page.stage)
    (copy.drafts, copy.checks, copy.results) = (page.drafts, page.checks, page.results)
    (copy.standing, copy.kept, copy.asked) = (page.standing, page.kept, page.asked)
    (copy.cursor, copy.scroll, copy.time) = (page.cursor, page.scroll, page.time)
    (copy.progress, copy.isOrdered) = (page.progress, page.isOrdered)
    return copy
  }

  /// Of ten thousand drafts it would be half a second in which no key is answered.
  @Test func whoBeginsToWriteWaitsForNoNewLayout() throws {
    var desk = TestDesk(columns: 120, rows: 40).typing("cjcw")
    _ = desk.screen
    let before = try rows(desk)
    desk.answersWait = true
    desk.type("Y")
    _ = desk.screen
    let page = try #require(desk.state.top(ReviewPage.self))
    #expect(try page.stage == .writing && isSame(rows(desk), before))
    desk.take(.wrote(page.drafts.map { CheckedWrite(id: $0.id, title: $0.id, outcome: .fine) }))
    _ = desk.screen
    let after = try rows(desk)
    desk.take(.newestWrite(LastWrite.Names(id: 7, records: page.drafts.map(\.id)), standing: nil))
    _ = desk.screen
    let done = try #require(desk.state.top(ReviewPage.self))
    #expect(try done.stage == .done && isSame(rows(desk), after) && !isSame(after, before))
  }

  /// Of the review on the screen, as its memory has them.
  private func rows(_ desk: TestDesk) throws -> [ReviewRow] {
    let page = try #require(desk.state.top(ReviewPage.self))
    return ReviewRows(desk.state, page, ReviewLayout(desk.state, page)).all
  }

  /// Whether they were made once: of others the array lies elsewhere, as long as both are there.
  private func isSame(_ rows: [ReviewRow], _ others: [ReviewRow]) -> Bool {
    rows.withUnsafeBufferPointer { rows in
      others.withUnsafeBufferPointer { rows.baseAddress == $0.baseAddress }
    }
  }
}
