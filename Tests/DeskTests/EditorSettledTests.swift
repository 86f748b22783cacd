import Merging
import StoreInterface
import Telling
import Terminal
import Testing

@testable import Desk

/// A record that is settled elsewhere while Enter waits for something in its editor.
@Suite struct EditorSettledTests {
  private static let id = Sample.dentist.id
  private static let typed = Value.text("Call Dr. Wux")

  /// The title with a letter more, which the store has not judged yet.
  private static func waiting(_ behind: Key...) -> DeskState {
    var state = TestDesk().typing("<enter>g").state
    _ = state.update(.terminal(.key("e")), now: Sample.now)
    _ = state.update(.judged(fits(.text("Call Dr. Wu"))), now: Sample.now)
    let keys: [Key] = ["x", .enter]
    for key in keys + behind { _ = state.update(.terminal(.key(key)), now: Sample.now) }
    return state
  }

  private static func fits(_ value: Value) -> Judgement {
    Judgement(id: id, field: "title", value: value, verdict: .fits)
  }

  @Test func whatWaitedForTheStoreIsNotKept() {
    var state = Self.waiting("j")
    _ = state.update(.settled(id: Self.id), now: Sample.now)
    let words = state.status?.text ?? ""
    #expect(words.contains("What is typed here cannot be kept."), "\(words)")
    #expect(words.contains("was pressed before this screen was shown"), "\(words)")
    #expect(state.nextTyped(now: Sample.now) == nil)
    let effects = state.update(.judged(Self.fits(Self.typed)), now: Sample.now)
    #expect(!effects.contains(where: \.isDecision) && state.topic == .editor)
    #expect(state.open[Self.id]?.resolution == Resolution())
  }

  /// It is told that Enter takes what is typed: one that was pressed before that does not.
  @Test func anEarlierEnterTakesNothingOnceItIsInConflictAgain() {
    var state = Self.waiting()
    _ = state.update(.settled(id: Self.id), now: Sample.now)
    // What is known is read once more first.
    for _ in 0..<2 { _ = state.update(.opened(Sample.dentist, []), now: Sample.now) }
    #expect(state.status?.text.contains("is in conflict again: Enter takes what is typed.") == true)
    let effects = state.update(.judged(Self.fits(Self.typed)), now: Sample.now)
    #expect(!effects.contains(where: \.isDecision) && state.topic == .editor)
    _ = state.update(.terminal(.key(.enter)), now: Sample.now)
    #expect(state.open[Self.id]?.resolution[.field("title")] == .edit(Self.typed))
  }

  @Test func bytesOfAFileAreNotKeptEither() {
    var desk = TestDesk([Sample.cover]).typing("<enter>ge@/tmp/p.png<enter>")
    desk.take(.settled(id: Sample.cover.id))
    desk.take(.readFile(path: "/tmp/p.png", bytes: [9, 9]))
    #expect(desk.journal.isEmpty && desk.state.topic == .editor)
    #expect(desk.state.status?.text.contains("so this cannot be kept") == true, "\(desk.screen)")
  }
}

extension DeskEffect {
  fileprivate var isDecision: Bool { if case .journal = self { true } else { false } }
}
