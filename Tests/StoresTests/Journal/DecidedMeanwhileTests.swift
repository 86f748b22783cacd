import Merging
import StoreInterface
import Testing

@testable import Journals

/// What of a write that is prepared is decided otherwise meanwhile: see ``DecidedMeanwhile``.
struct DecidedMeanwhileTests {
  private let folder: TestFolder
  private let journal: Journal
  private var other: Journal { Journal(path: journal.path, clock: { Demo.now }) }

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.path("store.parley.sqlite"), clock: { Demo.now })
    for id in ["a", "b"] { try decide(id, .take(.client)) }
  }

  private func decide(_ id: String, _ choice: Choice?) throws {
    let decision = Decision(id: id, subject: .record, choice: choice, fingerprint: "00ff", decidedAt: 1)
    try other.append([decision])
  }

  private func begun() throws -> IntentWriter {
    journal.intent(undoes: nil, note: nil, lastDecision: try journal.lastDecision())
  }

  private func record(_ id: String, length: Int = 0) -> RecordIntent {
    let bytes = Array(repeating: UInt8(1), count: length)
    return RecordIntent(id: id, title: id, payload: Payload(kind: "name", bytes: bytes))
  }

  /// Of many, those that were looked at first are in the journal long before the last.
  @Test(arguments: [[], ["b"]])
  func whatWasKeptAWhileAgoIsLookedAtToo(further: [String]) throws {
    var intent = try begun()
    try intent.append(record("a", length: IntentWriter.limit + 1))
    #expect(intent.id != nil, "it is there already")
    try decide("a", nil)
    for id in further { try intent.append(record(id)) }
    #expect(throws: DecidedMeanwhile.self) { try intent.flush() }
  }

  /// It is written by then.
  @Test func whatAnEarlierTransactionWroteIsDecidedAsAnybodyLikes() throws {
    var intent = try begun()
    try intent.append(record("a"))
    try intent.flush()
    try decide("a", nil)
    try intent.append(record("b"))
    #expect(try intent.flush() == intent.id)
  }

  @Test func whatWasDecidedBeforeAnybodyAskedIsWhatIsWritten() throws {
    try decide("a", nil)
    try decide("a", .take(.server))
    var intent = try begun()
    try intent.append(record("a"))
    try intent.flush()
    #expect(try journal.openIntents().flatMap(\.records).map(\.id) == ["a"])
  }
}
