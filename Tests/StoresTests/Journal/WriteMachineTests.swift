import Merging
import StoreInterface
import Synchronization
import Testing

@testable import Journals
@testable import SQLiteFiles

/// The machine with a server that has no transactions: what is written is told record by record, and what nobody answered for is
/// looked at again.
struct WriteMachineTests {
  let folder: TestFolder
  let steps: ServerSteps

  init() throws {
    folder = try TestFolder()
    steps = ServerSteps(log: Journal(path: folder.path("server.parley.sqlite"), clock: { Demo.now }))
  }

  private func write(_ ids: [String]) throws -> [CheckedWrite.Outcome] {
    try steps.commit(ids.map { steps.task($0) }, note: nil).map(\.outcome)
  }

  @Test func theIntentIsDurableBeforeTheServerIsAskedAndReceiptsFollow() throws {
    #expect(try write(["a", "b"]) == [.fine, .fine])
    #expect(steps.server.withLock { $0.heard } == ["a with 1 open", "b with 1 open"])
    // Who waits for the lock would take it for interrupted.
    #expect(steps.server.withLock { $0.openAtUnlocking } == 0)
    #expect(try steps.log.openIntents().isEmpty)
    #expect(try steps.log.entries(limit: 9).map(\.text) == ["written: a", "written: b"])
  }

  @Test func whatIsOnlyLookedAtIsNotToldAsWritten() throws {
    let steps = ServerSteps(log: steps.log, batch: 2)
    let heard = Mutex<[StoreCall.Progress]>([])
    let call = StoreCall(hear: { progress in heard.withLock { $0.append(progress) } })
    _ = try call.answered { try steps.commit(["a", "b", "c", "d", "e"].map { steps.task($0) }, note: nil) }
    #expect(heard.withLock(\.self) == [0, 0, 2, 2, 4].map { StoreCall.Progress(done: $0, all: 5) })
  }

  /// As four documents on a server: "writing, 3 of 4" stood there while the first request was on its way.
  @Test func ofTheOnlyGroupNoneIsToldAsWrittenEither() throws {
    let steps = ServerSteps(log: steps.log, batch: 9)
    let heard = Mutex<[StoreCall.Progress]>([])
    let call = StoreCall(hear: { progress in heard.withLock { $0.append(progress) } })
    _ = try call.answered { try steps.commit(["a", "b", "c"].map { steps.task($0) }, note: nil) }
    #expect(heard.withLock(\.self) == [0, 0, 0].map { StoreCall.Progress(done: $0, all: 3) })
  }

  /// Of a group as well as of all: nothing is done behind it.
  @Test func ofARehearsalEachIsToldThatIsLookedAt() throws {
    let steps = ServerSteps(log: steps.log, batch: 2)
    let heard = Mutex<[StoreCall.Progress]>([])
    let call = StoreCall(hear: { progress in heard.withLock { $0.append(progress) } })
    _ = try call.answered { try steps.rehearse(["a", "b", "c", "d", "e"].map { steps.task($0) }) }
    #expect(heard.withLock(\.self) == (0..<5).map { StoreCall.Progress(done: $0, all: 5) })
  }

  /// Of many, what they hold is more than fits into memory.
  @Test func noTaskOutlivesItsTurn() throws {
    let steps = ServerSteps(log: steps.log, batch: .max)
    let held = Held()
    let tasks = (0..<50).lazy.map { number in
      let one = Held.One(held)
      return WriteTask<ServerSteps.Place>(RecordLabel(id: "\(number)", title: "")) { _ in
        withExtendedLifetime(one) { RecordIntent(id: "\(number)", title: "", payload: nil) }
      }
    }
    #expect(try steps.commit(tasks, note: nil).count == 50)
    #expect(held.most <= 2)
  }

  /// Each waits for the one before it, and the first for nothing, or for the last.
  @Test(arguments: [nil, 29] as [Int?])
  func whatWaitsForAnotherIsTriedOnceMoreWhenThatWentThrough(first: Int?) throws {
    let steps = ServerSteps(log: steps.log, batch: .max)
    var (written, tries): (Set<Int>, Int) = ([], 0)
    let tasks = (0..<30).reversed().map { number in
      WriteTask<ServerSteps.Place>(RecordLabel(id: "\(number)", title: "")) { _ in
        tries += 1
        if let before = number == 0 ? first : number - 1, !written.contains(before) {
          throw Refusal(nil, "it comes after another", awaiting: "\(before)")
        }
        written.insert(number)
        return RecordIntent(id: "\(number)", title: "", payload: nil)
      }
    }
    let fine = try steps.rehearse(tasks).count { $0.outcome == .fine }
    #expect(fine == (first == nil ? 30 : 0) && tries == (first == nil ? 59 : 30))
  }

  @Test func aRehearsalAsksTheServerForNothing() throws {
    #expect(try steps.rehearse([steps.task("a")]).map(\.outcome) == [.fine])
    #expect(steps.server.withLock { $0.heard }.isEmpty)
  }

  @Test func whereNoAnswerCameTheRecordIsNotKnownAndIsLookedAtAgain() throws {
    steps.server.withLock { $0.dumb = ["b"] }
    let outcomes = try write(["a", "b", "c"])
    #expect(outcomes[0] == .fine)
    guard case .notKnown = outcomes[1], case .notReached = outcomes[2] else {
      Issue.record("\(outcomes)")
      return
    }
    let open = try #require(try steps.log.openIntents().first)
    #expect(open.records.map(\.id) == ["b"], "a is known, and c was never begun")
    #expect(try steps.mended(open.records, of: open).isEmpty)
    steps.server.withLock { $0.dumb = [] }
    #expect(try steps.mended(open.records, of: open).map(\.outcome) == [.completed])
  }

  @Test func whatIsStoppedSaysOfTheRestThatItWasNotReached() throws {
    let heard = Mutex(0)
    let call = StoreCall(
      isWanted: { heard.withLock { $0 < 2 } }, hear: { _ in heard.withLock { $0 += 1 } })
    let outcomes = try call.answered { try write(["a", "b", "c"]) }
    #expect(outcomes == [.fine, .fine, .notReached("it was stopped")])
  }

  /// Another Parley took it back after it was read, and told so before anything was begun. Of a group nothing is written then, and of the
  /// next ones nothing more.
  @Test(arguments: [1, .max])
  func whatIsTakenBackWhileAWriteIsPreparedIsNotWritten(batch: Int) throws {
    let steps = ServerSteps(log: steps.log, batch: batch)
    func decide(_ choice: Choice?) throws {
      let other = Journal(path: steps.log.path, clock: { Demo.now })
      let decision = Decision(id: "b", subject: .record, choice: choice, fingerprint: "00ff", decidedAt: 1)
      try other.append([decision])
    }
    try decide(.take(.client))
    let tasks = ["a", "b", "c"].map { name in
      steps.task(name) { if name == "b" { try decide(nil) } }
    }
    let last = try steps.log.lastDecision()
    let written = Result { try steps.commit(tasks, lastDecision: last, note: nil).map(\.outcome) }
    #expect(steps.server.withLock { $0.names } == (batch == 1 ? ["a"] : []))
    if batch == 1 {
      let why = CheckedWrite.Outcome.notReached("what was decided about b changed meanwhile")
      #expect(try written.get() == [.fine, why, why])
    } else {
      #expect(throws: StoreError.decidedMeanwhile(path: "server", record: "b")) { try written.get() }
    }
    #expect(try steps.log.openIntents().isEmpty)
  }

  /// Another Parley came to its end while the lock was waited for.
  @Test func whatHasReceiptsByThenIsNotMended() throws {
    steps.server.withLock { $0.dumb = ["a"] }
    _ = try write(["a"])
    let open = try #require(try steps.log.openIntents().first)
    steps.server.withLock { $0.dumb = [] }
    try steps.log.finish(open.id)
    #expect(try steps.mended(open.records, of: open).isEmpty)
    #expect(try steps.log.receipts(of: open.id).map(\.outcome) == [.written])
  }

  @Test func anAnswerThatWasLostIsFoundInTheStore() throws {
    steps.server.withLock { $0.loses = ["a"] }
    #expect(try write(["a"]) == [.fine])
    steps.server.withLock { $0.refusesAll = true }
    #expect(throws: StoreError.self) { try write(["b"]) }
    #expect(try steps.log.entries(limit: 9).map(\.kind) == [.interrupted, .interrupted])
  }
}

/// Writes names to a server that is a set.
struct ServerSteps: WriteSteps {
  struct Server {
    var names: Set<String> = []
    /// What it was asked for, and how many intents were open then.
    var heard: [String] = []
    /// Those it writes, and says nothing of any more.
    var dumb: Set<String> = []
    /// Those it writes without an answer.
    var loses: Set<String> = []
    var refusesAll = false
    /// How many intents were open when the lock was given back.
    var openAtUnlocking: Int?
  }

  final class Place {
    var name = ""
  }

  let log: Journal
  var batch = 1
  let server = Shared(Server())
  var path: String { "server" }

  final class Shared: Sendable {
    private let state: Mutex<Server>
    init(_ server: Server) { state = Mutex(server) }
    func withLock<Result>(_ body: (inout sending Server) throws -> sending Result) rethrows -> Result {
      try state.withLock(body)
    }
  }

  var lateness: Int64 { 60_000_000_000 }
  func access() -> StoreAccess { .writable }
  func accessToFinish() -> StoreAccess { .writable }
  func whileWriting(_ body: (Server.Type) throws -> Void) throws {
    try body(Server.self)
    let open = try log.openIntents().count
    server.withLock { $0.openAtUnlocking = open }
  }
  func reading<Result: Sendable>(_ body: (Place) throws -> Result) throws -> Result { try body(Place()) }

  func transaction(_ room: Server.Type, _ body: (Place) throws -> Bool) throws {
    let place = Place()
    guard try body(place) else { return }
    let (name, open) = (place.name, try log.openIntents().count)
    let isSilent = server.withLock { server in
      server.heard.append("\(name) with \(open) open")
      if !server.refusesAll { server.names.insert(name) }
      return server.refusesAll || server.dumb.contains(name) || server.loses.contains(name)
    }
    if isSilent { throw StoreError.writeFailed(path: path, detail: "the connection was lost") }
  }

  /// - Parameter first: what happens before it is known what it changes.
  func task(_ name: String, after first: @escaping () throws -> Void = {}) -> WriteTask<Place> {
    WriteTask(RecordLabel(id: name, title: name)) { place in
      try first()
      place.name = name
      return RecordIntent(id: name, title: name, payload: Payload(kind: "name", bytes: Array(name.utf8)))
    }
  }

  func task(_ order: WriteOrder, note: String?) -> WriteTask<Place> { task(order.id) }
  func task(undoing record: Intent.Record, of intent: Int64) -> WriteTask<Place> { task(record.id) }

  func changes(of record: Intent.Record, in intent: Int64) throws -> String {
    try log.read(record, of: intent, or: "") { String(decoding: $0.payload?.bytes ?? [], as: UTF8.self) }
  }

  func state(of name: String, at place: Place) throws -> InterruptedWrite.State? {
    server.withLock { $0.dumb.contains(name) ? nil : $0.names.contains(name) ? .complete : .untouched }
  }
}

/// Counts what is held at once.
private final class Held: Sendable {
  private let counts = Mutex((now: 0, most: 0))
  var most: Int { counts.withLock { $0.most } }

  private func add(_ count: Int) {
    counts.withLock { $0 = ($0.now + count, max($0.most, $0.now + count)) }
  }

  final class One: Sendable {
    private let held: Held
    init(_ held: Held) {
      self.held = held
      held.add(1)
    }
    deinit { held.add(-1) }
  }
}
