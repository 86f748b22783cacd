import ExactJSON
import GRDB
import StoreInterface

/// What a store gives so that its writes are made, finished after a crash, and taken back in one way.
///
///     while writing ─► at a place ─► what changes of each record ─► intent durable ─► made durable ─► receipts
///
/// - A store with transactions changes its rows as it finds out what changes, and the commit makes that durable.
/// - One without only looks again, and tells what it is about to do. ``transaction(_:_:)`` does it, in as many steps as it
///   takes, once `body` has said so: the intent is durable by then, and ``state(of:at:)`` tells after a crash how far it came.
/// - One whose server has a lock holds it in ``whileWriting(_:)``.
package protocol WriteSteps {
  /// What is open while the store is written.
  associatedtype Room
  /// Where records are looked at and changed, such as the inside of a transaction.
  associatedtype Place
  /// What a write changes of one record, as its payload tells.
  associatedtype Changes

  var log: Journal { get }
  /// The store, in the words of an error.
  var path: String { get }
  /// How many records of a write are written together: each for itself, a group that one question holds, or all.
  var batch: Int { get }
  /// What else is to be said of each record that is written.
  var detail: JournalEntry.OwnDetail? { get }

  func access() -> StoreAccess
  /// Whether anybody could write it now, however it was opened.
  func accessToFinish() -> StoreAccess

  /// Runs `body` while nobody else reads or writes the store, as far as the store can have that.
  func whileWriting(_ body: (Room) throws -> Void) throws
  /// The same where nothing will be written: nobody is kept from the store that need not be.
  func whileChecking(_ body: (Room) throws -> Void) throws
  /// Runs `body`, and makes durable what was changed at the place, or is to be, if `body` says so.
  func transaction(_ room: Room, _ body: (Place) throws -> Bool) throws
  /// The same about these records. What became of those that were not written as they were meant, although their intent was
  /// durable: a server says that of each only when it is asked to write it.
  func transaction(
    _ room: Room, about ids: some Collection<String>, _ body: (Place) throws -> Bool
  ) throws -> [JSONText: CheckedWrite.Outcome]
  func reading<Result: Sendable>(_ body: (Place) throws -> Result) throws -> Result
  /// Where interrupted writes are completed or taken back.
  func mending(_ body: (Place) throws -> Void) throws

  func task(_ order: WriteOrder, note: String?) -> WriteTask<Place>
  func task(undoing record: Intent.Record, of intent: Int64) -> WriteTask<Place>

  /// - Throws: ``Refusal`` if the journal does not hold what was written there.
  func changes(of record: Intent.Record, in intent: Int64) throws -> Changes
  /// Gets ready to tell the ``state(of:at:)`` of each of these: a server is asked once for many.
  func prepare(_ changes: [Changes], at place: Place)
  /// What the store shows of an interrupted write; nil if it does not answer: then it is looked at again later.
  func state(of changes: Changes, at place: Place) throws -> InterruptedWrite.State?
  /// Completes what was written in part, or takes it back where the store's rules refuse it; nil if it does not answer.
  func complete(_ changes: Changes, of record: String, at place: Place) throws -> Receipt?
  /// Takes away what an interrupted write has left beside the store, and nothing names. It is given up only with the crash.
  func tidy(_ changes: Changes, _ state: InterruptedWrite.State, at place: Place)
  /// Whether what ended with this error may yet be done: then nobody knows, however untouched the store looks now.
  func mayStillHappen(after error: any Error) -> Bool
  /// How long after it was asked for something may yet be done, in nanoseconds.
  var lateness: Int64 { get }
  /// Whether the store would do now what was asked for and is not done.
  func wouldTake(_ changes: Changes, at place: Place) throws -> Bool
}

extension WriteSteps {
  package var detail: JournalEntry.OwnDetail? { nil }

  /// Of a store that changes its rows to see what changes, and takes that back.
  package func whileChecking(_ body: (Room) throws -> Void) throws { try whileWriting(body) }

  /// Of a store that writes what it was told, or throws.
  package func transaction(
    _ room: Room, about ids: some Collection<String>, _ body: (Place) throws -> Bool
  ) throws -> [JSONText: CheckedWrite.Outcome] {
    try transaction(room, body)
    return [:]
  }

  /// Of a store in which nothing is ever done by half.
  package func mending(_ body: (Place) throws -> Void) throws { try reading(body) }

  package func prepare(_ changes: [Changes], at place: Place) {}

  package func complete(_ changes: Changes, of record: String, at place: Place) throws -> Receipt? {
    Receipt(record, .completed)
  }

  package func tidy(_ changes: Changes, _ state: InterruptedWrite.State, at place: Place) {}

  package func mayStillHappen(after error: any Error) -> Bool { false }

  /// Of a store that does at once what it is asked for, or never.
  package var lateness: Int64 { 0 }

  package func wouldTake(_ changes: Changes, at place: Place) throws -> Bool { true }
}

/// The inside of a transaction of SQLite.
package protocol DatabasePlace {
  var db: Database { get }

  /// What is done from here on somebody will run as SQL: what more is needed than rows, such as a file, has to be refused.
  func isOfSQLAlone()
}

extension DatabasePlace {
  /// To most stores a record is its rows.
  package func isOfSQLAlone() {}
}

/// What is to be done for one record; it finds out what to change only when its turn comes.
package struct WriteTask<Place> {
  package let label: RecordLabel
  /// What a person calls it, where only the store can tell.
  private let titled: ((Place) throws -> String)?
  /// - Throws: ``Moved``, ``Refusal``
  let perform: (Place) throws -> RecordIntent

  package init(
    _ label: RecordLabel, titled: ((Place) throws -> String)? = nil,
    perform: @escaping (Place) throws -> RecordIntent
  ) {
    (self.label, self.titled, self.perform) = (label, titled, perform)
  }

  func checked(_ outcome: CheckedWrite.Outcome, at place: Place) throws -> CheckedWrite {
    CheckedWrite(try titled.map { label.titled(try $0(place)) } ?? label, outcome: outcome)
  }
}

/// What is to be done, in order. Each is made when its turn comes, and again for another try: of many, what they hold is more than
/// fits into memory.
package typealias WriteTasks<Place> = RandomAccessCollection<WriteTask<Place>>
