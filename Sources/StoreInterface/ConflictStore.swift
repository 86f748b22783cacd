import Merging

/// A store that syncs, as the desk needs it. Nobody above this protocol knows which store it is.
///
/// All methods may be called from any thread, and wait for a disk or a server: the desk calls them in the background. All but
/// ``traces()`` and the journal's can take seconds, and so look at ``StoreCall/current``; of the journal's, ``DecisionJournal/prepare()``.
package protocol ConflictStore: AnyObject, Sendable {
  var info: StoreInfo { get }

  /// The rules that make its suggestions.
  var ruleBook: RuleBook { get }

  /// Whether the store can be written now; asked again before every review.
  func access() -> StoreAccess

  /// The traces that every write leaves, such as the sizes and times of files: other numbers once anybody has written. Nothing is
  /// opened, locked or read for it, as it is asked every second; empty where nobody else can write.
  func traces() -> [Int64]

  /// Lets go of what is held only to read, until the next question: who has a store open is not in the way of others for it. Asked every
  /// second.
  func letGo()

  /// What ``access()`` says, once no other Parley is in the way: one that only looks lets go within a second (see ``letGo()``), and most
  /// writes have ended by then. Asked before a write, which would be refused for it.
  func patientAccess() -> StoreAccess

  /// Why what others change is not heard of now, as a clause; nil where ``traces()`` tell all. Nothing is asked for it either.
  func deafness() -> String?

  /// How many conflicts there are at most, cheaply; nil if only a walk can tell.
  func estimatedCount() throws -> Int?

  /// A walk over all conflicts, each once. Never loads all of them at once. What came in last comes first where a store
  /// knows that. What comes in after it began need not lie on its way.
  func conflicts() -> any ConflictWalk

  /// One whole conflict.
  ///
  /// - Throws: ``StoreError/noSuchRecord(id:)`` if there is none of this name, or no longer.
  func conflict(_ id: String) throws -> RecordConflict

  /// Those of these conflicts that are there still, in their order. A server is asked once for many.
  func conflicts(_ ids: [String]) throws -> [RecordConflict]

  /// The record's revision tree; nil if the record is not there. Of a store that can ``StoreInfo/Ability/tellTrees``.
  func tree(_ id: String) throws -> RevisionTreePicture?

  /// The bytes of an attachment, of which a conflict holds only what tells them from others; nil if they are not kept. Of a store
  /// that can ``StoreInfo/Ability/tellContent``.
  ///
  /// - Parameters:
  ///   - field: the attachment's field.
  ///   - value: what one of the versions has there.
  /// - Throws: ``StoreError/noSuchRecord(id:)``, ``Refusal`` if the bytes are not those that the value names.
  func content(of field: String, _ value: Value, in id: String) throws -> [UInt8]?

  /// Checks the drafts as the write would (types, NOT NULL, CHECK, foreign keys, whether anything moved), and changes
  /// nothing.
  func check(_ orders: [WriteOrder]) throws -> [CheckedWrite]

  /// The SQL that ``write(_:note:)`` would run for these drafts, each statement with its values. Changes
  /// nothing. Of a store that can ``StoreInfo/Ability/tellStatements``.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``
  func statements(_ orders: [WriteOrder]) throws -> WriteStatements

  /// The names of the records without whose drafts this one may not fit: what it points to where it stays, and what points to it where it
  /// goes. Not all of them are in conflict.
  func recordsNeeded(by write: PlannedWrite) throws -> [String]

  /// What the store says to the value that `write` has for a field, as far as reading alone can tell: asked while it is typed.
  func judge(_ field: String, in write: PlannedWrite) throws -> ValueVerdict

  /// Writes the drafts. A record that moved or is refused is left alone; what became of each is told for each, as a store need
  /// not have a transaction over all of them, or not even over one. One that is stopped leaves the rest
  /// ``CheckedWrite/Outcome/notReached(_:)``; if nothing is written by then, it throws.
  ///
  /// The intent is in the journal before the first byte of the store changes, the receipt after the last.
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/writeFailed(path:detail:)``; then nothing is written.
  ///   ``StoreError/writeUnknown(path:detail:)``, ``StoreError/receiptMissing(path:detail:)``
  func write(_ orders: [WriteOrder], note: String?) throws -> [CheckedWrite]

  /// The writes that were begun and of which nobody knows how they ended, oldest first: Parley was interrupted.
  func interruptedWrites() throws -> [InterruptedWrite]

  /// Whether there are any, without reading what they are about.
  func hasInterruptedWrites() throws -> Bool

  /// Completes them or takes them back, record by record, and tells what became of them. What cannot be written now stays as it is.
  @discardableResult func finishInterruptedWrites() throws -> [FinishedWrite]

  /// The newest write that was not taken back; nil if there is none.
  func lastWrite() throws -> LastWrite?

  /// Which one that is.
  func lastWriteNames() throws -> LastWrite.Names?

  /// The records of a write that were not taken back, whatever was written since; nil where that is not known.
  func standingNames(of write: LastWrite.ID) throws -> [String]?

  /// Takes back what was written, from its receipts, with the same checks. The outcomes tell all that was tried: what moved
  /// since is left alone, and stays to be taken back.
  ///
  /// - Throws: ``StoreError/nothingToUndo``
  func undo(_ extent: UndoExtent) throws -> [CheckedWrite]

  /// What ``undo(_:)`` would do, with the same checks and the same outcomes; changes nothing.
  ///
  /// - Throws: ``StoreError/nothingToUndo``
  func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo]

  /// A walk over everything that is wrong with the store and is not a conflict.
  func findings() -> any FindingWalk

  /// Does for each of these findings what ``Finding/canBeMended`` says, as ``write(_:note:)`` does:
  /// each is looked for again inside of it, and ``undo(_:)`` takes it back; but an interrupted write is finished by
  /// itself. The outcomes carry the findings' ids.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/writeFailed(path:detail:)``; then nothing is written.
  func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite]

  /// The same, where somebody had some of them before them: one that is not what was seen is left as it is.
  func mend(_ findings: [Finding.ID], seen: [Finding], note: String?) throws -> [CheckedWrite]

  /// What waits for upload, with at most `limit` of its changes. Of a store that can ``StoreInfo/Ability/tellUploads``.
  func uploadQueue(limit: Int) throws -> UploadQueue

  /// Puts the records of these files that differ from what is known into the inbox. What kind of file each is shows in its
  /// contents, never in its name. Of a store that can ``StoreInfo/Ability/importRecords``.
  ///
  /// - Parameters:
  ///   - isRehearsal: tells what would happen, and changes nothing.
  ///   - progress: called as each file is begun, and every few records of it, with how many were met.
  /// - Throws: ``StoreError`` if a file is not there or cannot be opened, or what is new cannot be kept; then nothing is.
  ///   A record that cannot be read is no error: ``ImportSummary/unreadable``.
  func importRecords(
    from paths: [String], isRehearsal: Bool, progress: (_ path: String, _ records: Int) throws -> Void
  ) throws -> ImportSummary

  /// The SQL for the tables that sync in this database, as they are now. Of a store that can ``StoreInfo/Ability/capture``.
  ///
  /// - Parameter isPrintable: whether a name can be printed exactly. SQL has no escapes for names: a table of which a name
  ///   cannot be printed is not captured.
  func capture(isPrintable: (String) -> Bool) throws -> Capture

  var journal: any DecisionJournal { get }
}

extension ConflictStore {
  /// The conflict of this very name; nil if there is none.
  package func conflictIfAny(_ id: String) throws -> RecordConflict? {
    do { return try conflict(id) } catch StoreError.noSuchRecord { return nil }
  }

  package func conflicts(_ ids: [String]) throws -> [RecordConflict] { try ids.compactMap(conflictIfAny) }

  package func lastWriteNames() throws -> LastWrite.Names? { try lastWrite()?.names }

  package func standingNames(of write: LastWrite.ID) throws -> [String]? {
    try lastWriteNames().flatMap { $0.id == write ? $0.records : nil }
  }

  package func importRecords(from paths: [String], isRehearsal: Bool) throws -> ImportSummary {
    try importRecords(from: paths, isRehearsal: isRehearsal) { _, _ in }
  }

  /// Of a store that refuses no record because of another one.
  package func recordsNeeded(by write: PlannedWrite) throws -> [String] { [] }

  /// Of a store whose fields take any value of their type.
  package func judge(_ field: String, in write: PlannedWrite) throws -> ValueVerdict {
    write.verdictByType(of: field)
  }

  /// Of a store that nobody else can write.
  package func traces() -> [Int64] { [] }
  package func letGo() {}
  package func patientAccess() -> StoreAccess { access() }

  package func deafness() -> String? { nil }

  package func interruptedWrites() throws -> [InterruptedWrite] { [] }

  package func hasInterruptedWrites() throws -> Bool { try !interruptedWrites().isEmpty }

  package func finishInterruptedWrites() throws -> [FinishedWrite] { [] }
}

/// What a store that says it cannot is never asked: to ask it is a mistake of ours.
extension ConflictStore {
  package func tree(_ id: String) throws -> RevisionTreePicture? { cannot(.tellTrees) }

  package func content(of field: String, _ value: Value, in id: String) throws -> [UInt8]? {
    cannot(.tellContent)
  }

  /// Of a store whose findings nobody else changes.
  package func mend(_ findings: [Finding.ID], seen: [Finding], note: String?) throws -> [CheckedWrite] {
    try mend(findings, note: note)
  }

  package func mend(seen finding: Finding) throws -> [CheckedWrite] {
    try mend([finding.id], seen: [finding], note: nil)
  }

  package func statements(_ orders: [WriteOrder]) throws -> WriteStatements { cannot(.tellStatements) }

  package func uploadQueue(limit: Int) throws -> UploadQueue { cannot(.tellUploads) }

  package func importRecords(
    from paths: [String], isRehearsal: Bool, progress: (_ path: String, _ records: Int) throws -> Void
  ) throws -> ImportSummary { cannot(.importRecords) }

  package func capture(isPrintable: (String) -> Bool) throws -> Capture { cannot(.capture) }

  private func cannot(_ ability: StoreInfo.Ability) -> Never {
    preconditionFailure("\(info.kind) was asked to \(ability), because nobody looked at what it can")
  }
}

package enum UndoExtent: Sendable, Equatable {
  /// The newest write that was not taken back. What is left of one that was taken back in part, because the rest had moved, is
  /// tried again and passed over.
  case lastWrite
  /// The same; a write of which nothing can be taken back is passed over.
  case lastPossibleWrite
  /// The newest write of each of these records; what was written with them stays. Those of one write are taken back together. If one was
  /// interrupted and had to be left, what of it is still as it was written is taken back, and the record is in conflict again.
  case records([String])
  /// The write that ``ConflictStore/lastWrite()`` told, and no other: nothing is passed over.
  case write(LastWrite.ID)

  package static func record(_ id: String) -> UndoExtent { .records([id]) }
}

package protocol FindingWalk: AnyObject, Sendable {
  /// The next findings after looking at no more than `limit` records; nil when the walk is over.
  func next(limit: Int) throws -> [Finding]?
  /// How many records were looked at so far. One that changes meanwhile may count once more.
  var looked: Int { get }
}

/// What the list shows of a conflict, without its values.
package struct ConflictSummary: Sendable, Equatable, Identifiable {
  package var id: String
  package var table: String
  package var primaryKey: String
  package var title: String
  package var kind: ConflictKind
  /// The weakest of the undecided; the certainty of the whole if all is decided.
  package var certainty: Certainty
  /// Whether that is sure because a policy decides what both sides changed.
  package var isByPolicy = false
  package var counts: Counts
  package var why: Why
  /// Which side was edited last, and when (nanoseconds since 1970).
  package var lastEdit: Side?
  package var lastEditTime: Int64?
  /// On which device, where the store knows it: of an edit that came by the server.
  package var lastEditDevice: String?
  package var receivedAt: Int64?
  /// How many decisions a person has still to take.
  package var undecided: Int
  package var notWritable: String?
  /// Since when its draft waits for the app, or to be sent, in nanoseconds since 1970; nil if none does.
  package var waitingSince: Int64?
  /// How many live leaves its history has; 0 in a store whose records have one history.
  package var leafCount = 0
  /// How many decisions are no longer in force, because what they were about has changed since.
  package var outdated = 0
  /// Whether the record was decided, has changed since, and now has something undecided.
  package var isMoved = false
  /// What it may be read with that somebody gives.
  package var readWith = ReadWith.nothing
  /// Why the store refused its draft when it was to be written last; nil once anything else is decided, or of it has changed.
  package var refusal: DraftRefusal?
  /// Whose edits are given up by what was decided so far.
  package var givenUp: Set<Side> = []
  /// What it is found by beside title and table: see ``SearchText``.
  package var searchText: String

  /// The field and reason that matter most.
  package enum Why: Sendable, Equatable {
    /// Its draft waits for the app.
    case waiting
    /// It is decided and written, and waits to be sent.
    case inOutbox
    /// No field differs.
    case tagOnly
    case decided
    case record(Reason)
    case field(String, Reason)
    /// All of the weakest certainty there is; how many of them a policy decides.
    case fields([Reason], Certainty?, byPolicy: Int)
  }

  package struct Counts: Sendable, Equatable {
    package var sure = 0
    /// How many of the sure are so because a policy decides what both sides changed.
    package var byPolicy = 0
    package var byClock = 0
    package var yours = 0

    package init(sure: Int = 0, byClock: Int = 0, yours: Int = 0) {
      (self.sure, self.byClock, self.yours) = (sure, byClock, yours)
    }

    package var all: Int { sure + byClock + yours }
  }

  package init(
    id: String, table: String, primaryKey: String, title: String, kind: ConflictKind, certainty: Certainty,
    counts: Counts, why: Why, undecided: Int, searchText: String
  ) {
    (self.id, self.table, self.primaryKey, self.title) = (id, table, primaryKey, title)
    (self.kind, self.certainty, self.counts, self.why) = (kind, certainty, counts, why)
    (self.undecided, self.searchText) = (undecided, searchText)
  }

  /// Whether nothing of it is undecided, and something that was decided holds no longer: a person is to look at it again.
  package var holdsNoLonger: Bool { undecided == 0 && isMoved }
  /// Whether its draft can be written. What was refused is a person's to decide again.
  package var isReady: Bool { undecided == 0 && !isMoved && waitingSince == nil && refusal == nil }
}

/// A draft, and the conflict as the person saw it.
package struct PlannedWrite: Sendable {
  package var seen: RecordConflict
  package var draft: Draft

  package init(seen: RecordConflict, draft: Draft) { (self.seen, self.draft) = (seen, draft) }
}

/// What became, or would become, of a planned write.
package struct CheckedWrite: Sendable, Equatable {
  /// Of many nearly all are fine: the words of the others lie elsewhere.
  package indirect enum Outcome: Sendable, Equatable {
    /// Written, or fit to be.
    case fine
    /// Something moved since the person saw it.
    case moved(String)
    /// The store's own rules refuse it: type, NOT NULL, CHECK, foreign key.
    case refused(field: String?, String)
    /// A part of it is written: which, in words, and why the rest is not.
    case partly(written: String, String)
    /// No answer came. It may be written or not, so it must be looked at again.
    case notKnown(String)
    /// The write ended before its turn, for a reason that is not its own; nothing of it is written.
    case notReached(String)

    /// Whether something of it may be in the store now.
    package var mayBeWritten: Bool {
      switch self {
      case .fine, .partly, .notKnown: true
      case .moved, .refused, .notReached: false
      }
    }

    /// Whether something of it surely is, which an undo can take back.
    package var isWritten: Bool {
      switch self {
      case .fine, .partly: true
      case .notKnown, .moved, .refused, .notReached: false
      }
    }

    /// Whether it may be in the store by a part.
    package var isHalf: Bool { mayBeWritten && self != .fine }

    /// Whether the store has answered that this record cannot be written as it stands: another try would end the same.
    package var isLeftAlone: Bool {
      switch self {
      case .moved, .refused: true
      case .fine, .partly, .notKnown, .notReached: false
      }
    }
  }

  /// In as few bytes as it takes, for there may be a hundred thousand.
  private enum Told: Sendable, Equatable {
    case alone(Outcome)
    case atNextLaunch(Outcome)
    case byTheApp(Outcome)
    case notNeeded(Outcome)
    indirect case noting(Outcome, String, UploadForecast?, NotBack)

    init(_ outcome: Outcome, _ note: String?, _ upload: UploadForecast?, _ notBack: NotBack) {
      self =
        switch (note, upload) {
        case (let note?, _): .noting(outcome, note, upload, notBack)
        case (nil, .atNextLaunch?): .atNextLaunch(outcome)
        case (nil, .byTheApp?): .byTheApp(outcome)
        case (nil, .notNeeded?): .notNeeded(outcome)
        case (nil, nil): .alone(outcome)
        }
    }

    var upload: UploadForecast? {
      switch self {
      case .alone: nil
      case .atNextLaunch: .atNextLaunch
      case .byTheApp: .byTheApp
      case .notNeeded: .notNeeded
      case .noting(_, _, let upload, _): upload
      }
    }
  }

  package let label: RecordLabel
  private var told: Told

  package init(
    _ label: RecordLabel, outcome: Outcome, note: String? = nil, upload: UploadForecast? = nil,
    notBack: NotBack = NotBack()
  ) {
    (self.label, told) = (label, Told(outcome, note, upload, notBack))
  }

  package init(id: String, title: String, outcome: Outcome, note: String? = nil) {
    self.init(RecordLabel(id: id, title: title), outcome: outcome, note: note)
  }

  package var id: String { label.id }
  package var title: String { label.title }

  package var outcome: Outcome {
    get {
      switch told {
      case .alone(let outcome), .atNextLaunch(let outcome), .byTheApp(let outcome), .notNeeded(let outcome),
        .noting(let outcome, _, _, _):
        outcome
      }
    }
    set { told = Told(newValue, note, upload, notBack) }
  }

  /// nil where nobody can tell, and where the write itself is what brings it to the server.
  package var upload: UploadForecast? {
    get { told.upload }
    set { told = Told(outcome, note, newValue, notBack) }
  }

  /// What else is to be known before it is written and after, though nothing hinders it; a sentence without its full stop.
  package var note: String? { if case .noting(_, let note, _, _) = told { note } else { nil } }

  /// What an undo does not bring back, as its note says, too.
  package var notBack: NotBack { if case .noting(_, _, _, let left) = told { left } else { NotBack() } }
}

extension Array {
  /// Without a copy where there was nothing before.
  package mutating func append(sharing others: [Element]) {
    if isEmpty { self = others } else { self += others }
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of first appearance.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
