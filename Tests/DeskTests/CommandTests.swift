import Merging
import Terminal
import Testing

@testable import Desk

/// A law: what a page takes is what its keys are for. Every command is tried on every page; so a command that is added without
/// a page that takes it, and a page that takes what no key of its says, are both noticed.
@Suite struct CommandTests {
  private static let store = {
    var desk = TestDesk([
      Sample.dentist, Sample.deletedOnServer, Sample.sure, Sample.cover, FamilyTests.inbox,
    ])
    desk.findings[0].canBeMended = "The row is queued."
    return desk
  }()

  private static let documents = TestDesk(
    [Bookshop.walden], findings: [], store: Bookshop.store, trees: [Bookshop.walden.id: Bookshop.waldenTree])

  private static let wholes = {
    var record = Sample.dentist
    record.details.alternatives = record.versionsAsAlternatives
    return TestDesk([record])
  }()

  private static let pages: [(topic: Topic, desk: TestDesk)] = [
    (.list, store), (.record, store.typing("<enter>")), (.value, store.typing("<enter>g<enter>")),
    (.text, store.typing("jjAwi")), (.merge, store.typing("<enter>gjm")),
    (.editor, store.typing("<enter>ge")),
    (.review, store.typing("jjAw")),
    (.alternatives, wholes.typing("<enter>o")), (.tree, documents.typing("<enter>L")),
    (.walkthrough, store.typing("L")), (.finding, store.typing("6<enter>")), (.help, store.typing("?")),
    (.palette, store.typing(":")),
    (.bulk, store.typing("B")), (.rules, store.typing("R")),
    (.family, store.typing("Gkf")), (.givenUp, store.typing("<enter>gs<esc>D")),
  ]

  private static let commands = Set(Keymap.bindings.map(\.command))

  @Test func everyPageIsTried() {
    #expect(Set(Self.pages.map(\.topic)) == Set(Topic.allCases).subtracting([.input]))
    for (topic, desk) in Self.pages { #expect(desk.state.topic == topic) }
  }

  @Test func everyKeyOfAPageIsTaken() {
    for (topic, desk) in Self.pages {
      for command in Self.bound(on: topic) {
        var state = desk.state
        #expect(state.runAnywhere(command) ?? state.runOnPage(command) != nil, "\(command) on \(topic)")
      }
    }
  }

  @Test func whatAPageTakesHasAKey() {
    for (topic, desk) in Self.pages {
      for command in Self.commands {
        var state = desk.state
        #expect(state.runOnPage(command) == nil || Self.hasKey(command, on: topic), "\(command) on \(topic)")
      }
    }
  }

  @Test func aLineOfTextTakesWhatItsKeysSay() {
    for command in Self.commands {
      var line = InputLine("milk")
      // These are for the desk, whatever the line is of.
      let bound = Self.bound(on: .input).subtracting([.quit, .anywhere(.redraw)])
      #expect((line.run(command) != .ignored) == bound.contains(command), "\(command)")
    }
  }

  private static func bound(on topic: Topic) -> Set<Command> {
    Set(Keymap.bindings(on: topic).map(\.command))
  }

  /// What scrolls takes every movement, for the wheel.
  private static func hasKey(_ command: Command, on topic: Topic) -> Bool {
    let bound = bound(on: topic)
    guard case .move = command else { return bound.contains(command) }
    return bound.contains { if case .move = $0 { true } else { false } }
  }
}
