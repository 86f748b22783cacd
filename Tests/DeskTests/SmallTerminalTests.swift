import Merging
import Terminal
import Testing

@testable import Desk

/// A terminal that becomes too small while a page is open. Nothing of the page is shown then, but it hears of every size, and of what
/// happens meanwhile.
@Suite struct SmallTerminalTests {
  private static let reminders = TestDesk(
    Sample.all.map { conflict in
      var conflict = conflict
      conflict.details.alternatives = conflict.versionsAsAlternatives
      return conflict
    })

  private static let documents = TestDesk(
    [Bookshop.walden], findings: [], store: Bookshop.store, trees: [Bookshop.walden.id: Bookshop.waldenTree])

  private static let ways = [
    "", "/milk", "6<enter>", "6m", "?", "?/read", ":", "<enter>", "<enter><enter>", "<enter><enter>G",
    "<enter>ge",
    "<enter>o", "<enter>i", "<enter>gjm", "<enter>sH", "<enter>sD", "<enter>sDG<enter>", "jjjjjAw",
    "jjjjjAw<enter>",
    "jjjjjAwd", "jjjjjAwo", "jjjjjAwY", "L", "<enter>L", "B", "BY", "R", "Ri", "J", "H", "t", "tG",
  ]

  // Each is typed once, as that takes longer than what is seen of it.
  private static let desks: [(name: String, desk: TestDesk)] =
    ways.map { (name: $0, desk: reminders.typing($0)) }
    + [(name: "family", desk: TestDesk(FamilyTests.records, findings: []).typing("f"))]
    + ["<enter>", "<enter><enter>", "<enter>o", "L", "L<enter>", "<enter>L"].map {
      (name: "documents \($0)", desk: documents.typing($0))
    }

  private static let sizes = [(1, 1), (1, 24), (2, 3), (3, 8), (5, 5), (12, 8), (39, 10), (80, 1)]

  /// So that the law cannot hold because there is nothing to see.
  @Test func allPagesAreThere() {
    let topics = Set(Self.desks.map { $0.desk.state.topic })
    #expect(topics == Set(Topic.allCases), "\(Set(Topic.allCases).subtracting(topics))")
    #expect(Self.desks.count { $0.desk.state.topic == .text } > 3)
  }

  @Test func everyPageOutlivesIt() {
    for (name, desk) in Self.desks {
      let once = desk.resized(40, 10).resized(80, 24).screen
      var small = desk
      for (columns, rows) in Self.sizes {
        small = small.resized(columns, rows)
        #expect(small.screen.size == Size(columns: columns, rows: rows), "\(name)")
        _ = small.taking(.storeChanged).screen
      }
      #expect(small.resized(80, 24).screen == once, "\(name)")
    }
  }
}

extension TestDesk {
  fileprivate func resized(_ columns: Int, _ rows: Int) -> TestDesk {
    taking(.terminal(.resized(Size(columns: columns, rows: rows))))
  }
}
