import Merging
import StoreInterface
import Terminal

/// What happened. Effects come back as these too.
package enum DeskEvent: Sendable {
  case terminal(TerminalEvent)
  case counted(Int)
  case found(ConflictPage)
  case walkEnded
  case foundFindings([Finding])
  case findingsEnded
  case walkFailed(String)
  case opened(RecordConflict, [Decision])
  /// The record is no longer in conflict.
  case settled(id: String)
  case openFailed(id: String, String)
  /// What could not be read may be read by now.
  case unreadIsReadAgain
  /// Who may write the store is another now.
  case accessChanged(StoreAccess)
  /// Somebody else has written to the store.
  case storeChanged
  /// Why what others change is not heard of; nil if it is again.
  case deafnessChanged(String?)
  /// The writes that were interrupted, or none any more.
  case interrupted([InterruptedWrite])
  case journalFailed(String)
  /// What another Parley on the same store decided, and what is in force now for its records.
  case othersDecided([Decision], inForce: [Decision])
  /// Somebody has appended to the journal: this desk, or another.
  case journalChanged
  /// The journal was asked what others decided, without a key.
  case heard
  /// The journal could not be asked what others decided, before the key that was just pressed.
  case notHeard(String)
  /// nil for a record that is not there, or has no tree.
  case tree(id: String, DrawnTree?)
  case treeFailed(id: String, String)
  case content(AttachmentQuestion, [Side: AttachmentContent])
  /// What the store says to a value of a field that is being typed.
  case judged(Judgement)
  /// What the store says to a draft that was finished by a decision.
  case rehearsed(Planned, CheckedWrite.Outcome)
  /// Drafts that the store takes beside what was decided, though it may have refused them before.
  case fitNow([String])
  case drafts([DecidedConflict])
  /// How far the check or the write is that was asked for last.
  case progressed(StoreCall.Progress)
  /// How long the server is waited for in this errand; nil once it answers.
  case waits(StoreCall.Wait?, for: Errand)
  case checked([CheckedWrite], StoreAccess)
  case wrote([CheckedWrite])
  /// What became of writes that had been interrupted, as the store can be written now.
  case finished([FinishedWrite])
  /// A text that was asked for in the review, or in the preview of a bulk act.
  case exported(TextPage)
  /// What `u` would take back; nil if there is nothing. `alone` is the record of which alone it is to be taken back; nil for all of it.
  case lastWrite(LastWrite?, alone: NamedRecord? = nil)
  /// The same, of which nobody asked to take it back; and what stands of the write that a page tells of, where that is known.
  case newestWrite(LastWrite.Names?, standing: LastWrite.Names?)
  case undid([CheckedWrite])
  case mended([CheckedWrite])
  /// What a review waits for ended with this error: its drafts read, its check, its write, its undo.
  case reviewFailed(String)
  /// Something else could not be done, for which no page waits.
  case notDone(String)
  /// What a person should know before anything else, and reads until there is a key.
  case notice(String)
  /// The time that ``DeskState/patience`` gave is over, and nothing happened.
  case ticked
  /// How a copy ended, in words.
  case copied(Status)
  /// What came back from $EDITOR; nil if nothing was changed in it.
  case editedOutside(String?)
  /// Why $EDITOR brought nothing back.
  case editorFailed(String)
  case readFile(path: String, bytes: [UInt8])
  case fileNotRead(String)
  case bulk(BulkAnswer)
  /// What there is to take back could not be read.
  case pastNotHeard(String)
  /// What the journal has, newest first, as far as it can be taken back.
  case earlier(EarlierActs.Found)
  /// All that the journal has about a record, newest first.
  case log(id: String, [JournalEntry])
  /// All that has given something up, newest first.
  case givenUp([JournalEntry])
  case logOfStore([JournalEntry])
  case logOfStoreFailed(String)
  /// The newest write of each record that may be half written, or what took one back.
  case halves([JournalEntry])
  /// What other rules would do to the records that were asked for.
  case tallied(RuleTally, act: Int)
  /// The rules that are in force from now on, and how that is told.
  case rulesKept(RuleShelf, String)
  /// A theme is in the settings, and what there is to say about that.
  case themeKept(String, String)
  /// A theme that cannot be read: the one that is shown still, and why.
  case themeFailed(String, shown: String?, String)
  /// A record and all that belong to it, as they are decided now.
  case family(id: String, [FamilyMember])
  case familyFailed(id: String, String)
  /// What of it stands in the values of these records, by record.
  case searched(ValueQuestion, ByRecord<Set<String>>)
  case searchFailed(ValueQuestion, String)
}

/// What is to be done outside. The program does it and answers with an event.
package enum DeskEffect: Sendable, Equatable {
  /// Done before the next frame is drawn: a decision is durable before it is shown.
  case journal([Decision])
  case walk
  /// Asks the journal what others decided.
  case hear
  case open(id: String)
  case readTree(id: String)
  case readContent(AttachmentQuestion)
  /// Asks the store what it says to the draft's value of a field.
  case judge(Planned, field: String)
  /// Asks the store what it says to a draft of which nothing is left to decide.
  case rehearse(Planned)
  /// Reads these records again, for a review.
  case readDrafts([String])
  case check([Planned])
  case write([Planned], note: String?)
  /// Nobody waits for the check any more, or for the rest of the write.
  case stop
  /// Nobody waits for a family any more.
  case stopFamily
  /// Nobody waits for the server any more, whatever it was asked.
  case stopWaiting
  /// Shows what writing them would run, or what `parley write --dry-run --json` prints of them.
  case export([Planned], ExportFormat)
  /// - Parameter record: of which the newest write is read, if it is not in the last one; nil: none.
  case readLastWrite(of: NamedRecord? = nil)
  /// Asks the same for a page that tells of a write, by its number; nil while that is not known.
  case readNewestWrite(beside: LastWrite.ID?)
  /// Asks the journal what was done last before this session, or in this one as well; older than a place of it.
  case readEarlier(withOwn: Bool, olderThan: Int64?)
  /// Finishes what was interrupted, as far as the store can be written; told only if there was something.
  case finishInterrupted
  /// Checks what taking back this write would do, if it still is the newest.
  case checkUndo(LastWrite)
  /// Takes back this write, if it still is the newest; of these records alone, nil for all of it.
  case undoWrite(LastWrite, of: [String]?)
  case mend(Finding)
  case editOutside(String)
  case readFile(String)
  /// Puts it into the clipboard, as far as the terminal lets that be.
  case copy(Copied)
  case showTheme(String)
  /// Writes it into the settings.
  case keepTheme(String)
  case redraw
  case quit
  case bulk(BulkRequest)
  /// Shows what writing these would run, decided by rules, or what `parley resolve --dry-run --json` would print of them.
  case exportBulk([BulkRecord], BulkRules, ExportFormat)
  case readLog(id: String)
  /// Asks the journal for the newest of everything.
  case readLogOfStore(limit: Int)
  /// Asks the journal by what edits of a side were given up.
  case readGivenUp
  /// Asks the journal what was written last of these, or taken back.
  case readHalves([String])
  /// Counts what each rule would suggest for these records.
  case tally([String], act: Int)
  /// Has the store merge by these, by entry; `inFile` writes them into the settings too.
  case keepRules([String: MergeRule?], inFile: Bool)
  /// Asks the store who belongs to a record, unless that is known, and how each of them is decided.
  case readFamily(id: String, known: [Relative]?)
  /// Looks for words in the values of these records.
  case search(ValueQuestion)
}

/// A record that may be no longer in conflict.
package struct NamedRecord: Sendable, Equatable {
  package let id: String
  let title: String

  package init(id: String, title: String) { (self.id, self.title) = (id, title) }
}

/// What the store is asked at the same time as something else.
package enum Errand: Sendable, Hashable {
  case walk
  /// What a page asks.
  case page
  case family
}

package struct Judgement: Sendable, Equatable {
  package var id: String
  package var field: String
  package var value: Value
  package var verdict: ValueVerdict

  package init(id: String, field: String, value: Value, verdict: ValueVerdict) {
    (self.id, self.field, self.value, self.verdict) = (id, field, value, verdict)
  }
}

/// What goes into the clipboard.
package enum Copied: Sendable, Equatable {
  /// A text, and what it is.
  case text(String, of: String)
  /// All of a record, as `parley show --json` prints it.
  case record(DecidedConflict)
}

/// What somebody wants to see of an attachment: what its values only name.
package struct AttachmentQuestion: Sendable, Equatable {
  package var id: String
  package var field: String
  package var values: [Side: Value]
}

package enum AttachmentContent: Sendable, Equatable {
  case bytes([UInt8])
  /// Why they cannot be had.
  case none(String)
}

/// `PlannedWrite` with equality, so that effects can be compared in tests.
package struct Planned: Sendable, Equatable {
  package var seen: RecordConflict
  package var draft: Draft

  package var write: PlannedWrite { PlannedWrite(seen: seen, draft: draft) }
}

/// The forms in which a review can be read by others than its person.
package enum ExportFormat: String, Sendable {
  case sql = "SQL"
  case json = "JSON"
}
