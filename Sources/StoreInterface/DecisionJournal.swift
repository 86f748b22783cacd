import Merging

/// Where decisions are kept. Each is durable when the call returns.
package protocol DecisionJournal: AnyObject, Sendable {
  /// Makes it ready for what is asked of it, so that nothing else takes long: a journal of an older Parley is brought up, once,
  /// which can take a minute. How far it is goes to ``StoreCall/current``; ended in the middle, it leaves the journal as it was.
  ///
  /// - Throws: ``StoreError/locked(path:holder:)`` while another program does the same.
  func prepare() throws
  /// What a person should know before relying on what is decided here.
  var notices: [JournalNotice] { get }
  /// Keeps those that change something: who decides the same once more of what is as it was finds it decided.
  func append(_ decisions: [Decision]) throws
  /// Keeps which of these drafts the store refused, and which it takes, for as long as nothing else is decided about their records. Of
  /// a draft that nobody decided anything about nothing is kept.
  func note(_ checked: [CheckedWrite]) throws
  /// The records of which a draft was refused, those of the newest refusals first; also where it was decided otherwise since, or written.
  func refusedRecords(limit: Int) throws -> [String]
  /// What says which decisions were in force for these records when another was taken, oldest first: see ``Swift/Array/handedOut(_:isTakenBack:)``. By
  /// the order in which they came into the journal: clocks are set.
  ///
  /// - Parameter decision: of the journal; nil: those that are in force now.
  func decisions(for ids: [String], before decision: Decision?) throws -> [Decision]
  /// Takes these for decided for as long as this lives, and keeps nothing of it: who only tries something is told by the store what would
  /// follow of it.
  func suppose(_ decisions: [Decision])
  /// What is supposed so far.
  var supposals: Supposals { get }
  /// Supposes what is supposed there, also what comes to it later: who opens a store once more has not to be told all of it again.
  func share(_ supposals: Supposals)
  /// Those of these records about which anything was ever decided, be it taken back or written since.
  func everDecided(among ids: [String]) throws -> RecordNames
  /// What other programs have appended since the last call, oldest first. The first call only begins to listen.
  ///
  /// - Throws: also where what was appended can no longer be found, such as ``StoreError/journalGone(path:)``.
  func decisionsOfOthers() throws -> [Decision]
  /// The ``JournalEntry/place`` of the newest decision that was there when ``decisionsOfOthers()`` was called first, 0 if none was; nil
  /// before that.
  var placeAtStart: Int64? { get }
  /// The traces that whoever appends leaves, as ``ConflictStore/traces()``.
  func traces() -> [Int64]
  /// Others once something else is kept here for the store, such as a record that was brought in, or was settled.
  func tracesOfKept() -> [Int64]
  /// Everything, newest first, for `parley log`.
  func entries(limit: Int) throws -> [JournalEntry]
  /// Everything about one record, newest first, with what each write changed and whether that was taken back.
  func history(of record: String) throws -> [JournalEntry]
  /// All decisions and writes by which an edit of a side was given up, newest first, with what that was: see
  /// ``Swift/Array/givingUp``.
  func givenUp() throws -> [JournalEntry]
}

extension DecisionJournal {
  /// What says which are in force now.
  package func decisions(for ids: [String]) throws -> [Decision] { try decisions(for: ids, before: nil) }

  package func everDecided(among ids: [String]) throws -> RecordNames {
    RecordNames(try decisions(for: ids).lazy.map(\.id))
  }

  /// Of a store that tells of no record otherwise because of another one.
  package func suppose(_ decisions: [Decision]) {}
  package var supposals: Supposals { Supposals() }
  package func share(_ supposals: Supposals) {}

  /// Of a journal that came with this Parley.
  package func prepare() throws {}
  package var notices: [JournalNotice] { [] }

  /// Of a store that refuses no record because of another one: nobody asks about them again.
  package func refusedRecords(limit: Int) throws -> [String] { [] }

  /// Of a journal that keeps no values.
  package func history(of record: String) throws -> [JournalEntry] {
    try entries(limit: .max).filter { $0.record == record }.tellingGivenUp
  }

  /// Of a journal in which nothing is taken back.
  package func givenUp() throws -> [JournalEntry] { try entries(limit: .max).givingUp }

  /// None, for a journal that no other program has.
  package func decisionsOfOthers() throws -> [Decision] { [] }
  package var placeAtStart: Int64? { nil }
  package func traces() -> [Int64] { [] }
  package func tracesOfKept() -> [Int64] { [] }
}

package enum JournalNotice: Sendable, Equatable {
  /// One lies beside the store, which this user may not write: what is decided goes into another file, and what was decided
  /// there is not seen.
  case passedOver(path: String, instead: String)
  /// One lies under the state folder, from when none could be written beside the store, where one goes on that was begun before or
  /// since: what was decided and written meanwhile is not seen.
  case passedOverElsewhere(path: String, instead: String)
  /// One of this store's name lies beside it and is another's, of which it is a copy: what was decided there is not taken over.
  case ofAnother(path: String, store: String, instead: String)
  /// Whether one lies under the state folder cannot be seen, as this user may not enter that; nothing can be written beside the store.
  case outOfSight(path: String)
  /// It is an older Parley's, and could not be brought up: it can be read, and nothing can be decided.
  case staysOld(path: String, StoreError)
}

/// One decision as the journal keeps it. Never updated: taking it back is another decision, with no choice.
package struct Decision: Sendable, Equatable {
  package var id: String
  package var subject: Subject
  /// nil takes back what was decided before.
  package var choice: Choice?
  /// What the person saw; a decision on something that has changed since is not in force.
  package var fingerprint: Fingerprint
  /// Nanoseconds since 1970.
  package var decidedAt: Int64
  /// Why, in the person's own words; shown by `parley log`.
  package var note: String?
  package var written: Written
  /// What it gives up; nil where who decided kept nothing of that.
  package var givenUp: KeptGivenUp?
  /// What its store called the choice then, as ``Merging/Alternative/words``; nil where it has no name for it.
  package var answer: String?
  /// Why the store refused the draft, if this is the newest decision about its record; nil where it did not, or takes it again.
  package var refusal: DraftRefusal?

  /// Whether a write has written it that was not taken back.
  package enum Written: Int64, Sendable {
    /// Not, as far as the journal knows.
    case no = 0
    /// A write of it was interrupted: it is not finished yet, or was left alone since, as somebody else had changed the record. Nobody knows
    /// how much of it was written.
    case perhaps
    case yes
  }

  package var isWritten: Bool { written == .yes }
  package var mayBeWritten: Bool { written != .no }

  package init(
    id: String, subject: Subject, choice: Choice?, fingerprint: Fingerprint, decidedAt: Int64,
    note: String? = nil, written: Written = .no, givenUp: KeptGivenUp? = nil, answer: String? = nil,
    refusal: DraftRefusal? = nil
  ) {
    (self.id, self.subject, self.choice, self.fingerprint) = (id, subject, choice, fingerprint)
    (self.givenUp, self.answer, self.refusal) = (givenUp, answer, refusal)
    (self.decidedAt, self.note, self.written) = (decidedAt, note, written)
  }
}

/// One line of `parley log`.
package struct JournalEntry: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case decision, refusal, write, undo, interrupted, notDone
    /// A server record came into the inbox.
    case `import`
  }

  package enum Act: String, Sendable {
    case write, undo, `import`
  }

  package enum Event: Sendable, Equatable {
    case decided(Decision)
    /// The store refused the draft, when it was to be written or was looked at before that.
    case refused(DraftRefusal)
    /// How an interrupted one was finished, and what else is to be said of it.
    case ended(Act, interrupted: FinishedWrite.Outcome? = nil, detail: String? = nil)
    /// The store said no when it was asked, or was never asked. Nothing was changed.
    case notDone(Act, detail: String?)
  }

  /// What an interrupted write could neither finish nor take back, as somebody else had changed the record meanwhile.
  package struct Left: Sendable, Equatable {
    /// What it was about to change, and may have changed in part.
    package var fields: [LastWrite.FieldChange]
    /// Whether it was taken up again, by ``UndoExtent/record(_:)``.
    package var isTakenUp: Bool

    package init(fields: [LastWrite.FieldChange], isTakenUp: Bool) {
      (self.fields, self.isTakenUp) = (fields, isTakenUp)
    }
  }

  /// What Parley itself says of what became of a record: it quotes nobody. What a store says beside these may hold values.
  package enum OwnDetail: String, Sendable, CaseIterable {
    /// Of the write of a mend, whose records are findings.
    case mended = "what was found is mended"
    case inOutbox = "into the outbox"
    case inOutboxOfApp = "into the app's outbox"
    case nothingWritten = "nothing was written"
    case writtenLater = "a later write of it is the one that counts"
    case changedSince = "somebody else changed it since"
    case notKnown = "it cannot be known what was written"
  }

  /// Nanoseconds since 1970.
  package var time: Int64
  package var record: String
  /// What the record was called then; nil where the journal does not say.
  package var title: String?
  package var event: Event
  package var note: String?
  /// nil unless something was left.
  package var left: Left?
  /// What a write of a history changed; empty where its receipt does not say. Of what was left the damage of that is here in a log, too.
  package var changes = WrittenChanges()
  /// Whether a write was taken back since.
  package var isUndone = false
  /// Whether it took a mend back.
  package var undoesMend = false
  /// Whether a decision that nobody took back is known not to hold any more, as the store has changed.
  package var isOvertaken = false
  /// What its store calls a decision: see ``Decision/answer``.
  package var answer: String?
  /// The greater came into the journal later, whatever the clocks said. nil of what is no decision; told by
  /// ``DecisionJournal/entries(limit:)`` alone.
  package var place: Int64?
  /// What a decision that counts, or a write that was not taken back, gives up; nil where the journal has nothing of that.
  package var givenUp: [GivenUp]? = []

  package init(
    time: Int64, record: String, title: String? = nil, event: Event, note: String? = nil, left: Left? = nil
  ) {
    (self.time, self.record, self.title, self.event, self.note) = (time, record, title, event, note)
    self.left = left
  }

  package init(_ decision: Decision) {
    self.init(time: decision.decidedAt, record: decision.id, event: .decided(decision), note: decision.note)
    answer = decision.answer
  }

  /// Whether a finding was mended by it.
  package var isMend: Bool {
    guard case .ended(.write, _, let detail?) = event else { return false }
    return detail.contains(OwnDetail.mended.rawValue)
  }

  /// Whether it was left, and an undo may take that up. Of what is damaged in the journal each undo is refused; what the store says to it is
  /// known when it is asked.
  package var mayBeTakenUp: Bool { left?.isTakenUp == false && changes.damage == nil }

  /// Whether its record is the id of a finding, by which a mend is kept.
  package var isOfFinding: Bool { isMend || undoesMend }

  package var kind: Kind {
    switch event {
    case .decided: .decision
    case .refused: .refusal
    case .notDone: .notDone
    case .ended(_, .some, _): .interrupted
    case .ended(.write, nil, _): .write
    case .ended(.undo, nil, _): .undo
    case .ended(.import, nil, _): .import
    }
  }
}
