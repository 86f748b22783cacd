import Merging
import Testing

@testable import StoreInterface

/// Who decides the same once more of what is as it was finds it decided.
@Suite struct RepeatedDecisionTests {
  /// Other versions, other words for why, and what was decided of the whole meanwhile make it another decision.
  @Test(arguments: StoreKind.allCases)
  func aDecisionThatChangesNothingIsKeptOnce(kind: StoreKind) throws {
    let journal = try kind.bench().store.journal
    func decide(_ subject: Subject, _ choice: Choice?, _ print: Fingerprint = "f", note: String? = nil) throws
      -> Int
    {
      let time = Int64(try journal.entries(limit: 99).count)
      try journal.append([
        Decision(id: "a:b", subject: subject, choice: choice, fingerprint: print, decidedAt: time, note: note)
      ])
      return try journal.entries(limit: 99).count
    }
    let (title, client) = (Subject.field("title"), Choice.take(.client))
    let counts = try [
      decide(title, client), decide(title, client), decide(.field("notes"), client), decide(title, client),
      decide(title, client, note: "why"), decide(title, client), decide(title, client, "g"),
      decide(title, client, "g"), decide(title, nil, "g"), decide(title, client, "g"),
      decide(.record, client), decide(title, client, "g"),
      decide(title, .edit(.integer(1)), "g"), decide(title, .edit(.real(1)), "g"),
    ]
    #expect(counts == [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10])
  }

  /// Also in one piece. What lasts as long as the program does not tell whether it was written.
  @Test(arguments: StoreKind.allCases.filter { $0 != .memory })
  func whatWasWrittenIsDecidedAnew(kind: StoreKind) throws {
    let bench = try kind.bench()
    let planned = try #require(try plan(bench.contents.milk, in: bench.store))
    func decide() throws {
      let decision = Decision(
        id: planned.seen.id, subject: .record, choice: nil, fingerprint: "f", decidedAt: 1)
      try bench.store.journal.append([decision, decision])
    }
    func count() throws -> Int {
      try bench.store.journal.entries(limit: 99).count { $0.kind == .decision }
    }
    try decide()
    #expect(try count() == 1)
    #expect(try bench.store.write([planned], note: nil).map(\.outcome) == [.fine])
    try decide()
    #expect(try count() == 2)
  }
}
