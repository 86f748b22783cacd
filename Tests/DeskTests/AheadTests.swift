import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// The values of the row that comes next, which are read while somebody looks at the one before.
struct AheadTests {
  private static let conflicts = (1...4).map { conflict("\($0):reminders", "Milk \($0)", "Tea \($0)") }
  private static let ids = conflicts.map(\.id)

  private static func conflict(_ id: String, _ client: String, _ server: String) -> RecordConflict {
    Sample.edit(
      id, client: ["title": .text(client)], at: Sample.now, server: ["title": (.text(server), Sample.now)])
  }

  private var state = DeskState(
    store: StoreInfo(name: "x", path: "x", kind: "x", writing: ""), access: .writable,
    size: Size(columns: 80, rows: 24), now: Sample.now, localIsUTC: true)

  init() {
    let summaries = Self.conflicts.map { ConflictSummary($0, resolution: Resolution()) }
    let found = state.update(.found(ConflictPage(summaries: summaries, seen: 4)), now: Sample.now)
    #expect(found == [.open(id: Self.ids[0])], "first what is looked at")
  }

  private mutating func open(_ place: Int) -> [DeskEffect] {
    state.update(.opened(Self.conflicts[place], []), now: Sample.now)
  }

  private mutating func press(_ key: Key) -> [DeskEffect] {
    state.update(.terminal(.key(key)), now: Sample.now)
  }

  @Test mutating func theNextRowIsThereWhenTheCursorComes() {
    #expect(open(0) == [.open(id: Self.ids[1])])
    #expect(open(1).isEmpty, "one row ahead, and no further")
    #expect(press("j") == [.open(id: Self.ids[2])])
    #expect(state.draw().description.contains("Milk 2") && !state.draw().description.contains("Reading"))
  }

  @Test mutating func whatIsBeingReadIsNotAskedForTwice() {
    _ = open(0)
    #expect(press("j").isEmpty)
    #expect(open(1) == [.open(id: Self.ids[2])])
  }

  @Test mutating func whoGoesUpIsReadAheadUpwards() {
    _ = press("G")
    _ = open(3)
    _ = press("k")
    #expect(open(2) == [.open(id: Self.ids[1])])
  }

  /// It is told once somebody wants it.
  @Test mutating func whatCannotBeReadAheadIsToldWhenTheCursorComes() {
    _ = open(0)
    #expect(state.update(.openFailed(id: Self.ids[1], "Gone."), now: Sample.now).isEmpty)
    #expect(state.status == nil)
    #expect(press("j") == [.open(id: Self.ids[1])])
    _ = state.update(.openFailed(id: Self.ids[1], "Gone."), now: Sample.now)
    #expect(state.status == .failed("Gone."))
  }

  /// What was read before a change is not what is there.
  @Test mutating func afterAChangeItIsReadAgain() {
    _ = open(0)
    let effects = state.update(.storeChanged, now: Sample.now)
    #expect(effects.filter { $0 == .open(id: Self.ids[1]) }.count == 1)
    let (old, new) = (Self.conflicts[1], Self.conflict(Self.ids[1], "Milk 2", "Coffee"))
    _ = state.update(.opened(old, []), now: Sample.now)
    #expect(state.update(.opened(new, []), now: Sample.now) == [.open(id: Self.ids[1])])
    _ = state.update(.opened(new, []), now: Sample.now)
    #expect(state.open[Self.ids[1]]?.conflict == new)
  }
}
