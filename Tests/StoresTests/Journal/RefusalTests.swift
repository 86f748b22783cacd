import Merging
import Testing

@testable import StoreInterface

/// What a store refused is no draft that is ready, in whatever session.
@Suite struct RefusalTests {
  /// A record of which all is decided, and what the store says to its draft.
  private struct Decided {
    let bench: StoreBench
    var milk: String { bench.contents.milk }
    var refused: CheckedWrite {
      CheckedWrite(id: milk, title: "", outcome: .refused(field: "title", "there is a CHECK"))
    }

    init(_ kind: StoreKind) throws {
      bench = try kind.bench()
      try decide()
    }

    /// - Parameter isReversed: whether the other decision is taken than before.
    func decide(isReversed: Bool = false, at time: Int64 = 0) throws {
      let conflict = try bench.store.conflict(milk)
      try bench.store.journal.append(
        bench.contents.choices.enumerated().map { index, choice in
          Decision(
            id: milk, subject: choice.0, choice: isReversed && index == 0 ? nil : choice.1,
            fingerprint: conflict.fingerprint(of: choice.0), decidedAt: time + Int64(index))
        })
    }

    func summary() throws -> ConflictSummary? {
      try summaries(of: bench.reopened()).first { $0.id == milk }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aRefusalOutlivesTheStoreUntilSomethingElseIsDecided(kind: StoreKind) throws {
    let decided = try Decided(kind)
    let journal = decided.bench.store.journal
    #expect(try decided.summary()?.isReady == true)
    try journal.note([decided.refused])
    let kept = try #require(try decided.summary())
    #expect(kept.refusal == DraftRefusal(field: "title", reason: "there is a CHECK") && !kept.isReady)
    // The same once more makes the same draft.
    try decided.decide(at: 100)
    #expect(try decided.summary()?.refusal == kept.refusal)
    try decided.decide(isReversed: true, at: 200)
    #expect(try decided.summary()?.refusal == nil)
    try decided.decide(at: 300)
    #expect(try decided.summary()?.refusal == nil && decided.summary()?.isReady == true)
  }

  @Test(arguments: StoreKind.allCases)
  func theJournalTellsARefusalOnceWithWhatWasSaid(kind: StoreKind) throws {
    let decided = try Decided(kind)
    let journal = decided.bench.store.journal
    try journal.note([decided.refused])
    try journal.note([decided.refused])
    try decided.decide(at: 100)
    let refused = JournalEntry.Event.refused(DraftRefusal(field: "title", reason: "there is a CHECK"))
    for entries in try [journal.entries(limit: 100), journal.history(of: decided.milk)] {
      #expect(entries.filter { $0.kind == .refusal }.map(\.event) == [refused])
      #expect(entries.filter { $0.kind == .refusal }.map(\.record) == [decided.milk])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatTheStoreTakesAgainIsReadyAgain(kind: StoreKind) throws {
    let decided = try Decided(kind)
    let journal = decided.bench.store.journal
    try journal.note([decided.refused])
    // Nobody has asked the store.
    try journal.note([CheckedWrite(id: decided.milk, title: "", outcome: .notReached("it was stopped"))])
    #expect(try decided.summary()?.refusal != nil)
    try journal.note([CheckedWrite(id: decided.milk, title: "", outcome: .fine)])
    #expect(try decided.summary()?.refusal == nil && decided.summary()?.isReady == true)
  }

  /// As of somebody else, who may write it: the store has not refused that one.
  @Test(arguments: [CheckedWrite.Outcome.notKnown("silence"), .partly(written: "the draft", "no")])
  func whatWasSentSinceIsNotToldAsRefused(outcome: CheckedWrite.Outcome) throws {
    let decided = try Decided(.couchDB)
    let journal = decided.bench.store.journal
    try journal.note([decided.refused])
    try journal.note([CheckedWrite(id: decided.milk, title: "", outcome: outcome)])
    #expect(try decided.summary()?.refusal == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aWriteThatWasRefusedIsKeptAndOneThatWentWellTakesThatAway(kind: StoreKind) throws {
    let decided = try Decided(kind)
    let store = decided.bench.store
    let seen = try store.conflict(decided.milk)
    let wrong = Draft(id: decided.milk, action: .save([decided.bench.contents.wrong]))
    let written = try store.write([PlannedWrite(seen: seen, draft: wrong)], note: nil)
    #expect(try decided.summary()?.refusal?.outcome == written[0].outcome)
    _ = try store.write([try #require(try plan(decided.milk, in: store))], note: nil)
    _ = try store.undoLastWrite()
    #expect(try decided.summary()?.refusal == nil)
  }

  /// What nobody decided is not told as refused, and what is looked at by nobody who writes leaves nothing.
  @Test(arguments: StoreKind.allCases)
  func ofADraftThatNobodyDecidedNothingIsKept(kind: StoreKind) throws {
    let store = try kind.bench().store
    let journal = store.journal
    let before = journal.traces()
    try journal.note([CheckedWrite(id: "a:b", title: "", outcome: .refused(field: nil, "no"))])
    #expect(journal.traces() == before)
    #expect(try journal.decisions(for: ["a:b"]).isEmpty)
  }
}
