import Merging

/// What can go wrong with a store. Facts; the words, with the way out, are in `StoreError+Words.swift`.
package enum StoreError: Error, Sendable, Equatable {
  // Opening
  case notFound(path: String)
  /// A file that was named beside the store: a metadatabase, something to import.
  case fileMissing(path: String)
  case notADatabase(path: String, detail: String)
  case metadataMissing(path: String, folder: String, others: [String])
  case metadataAmbiguous(path: String, candidates: [String])
  /// Several files have the name that the metadatabase gives.
  case databaseAmbiguous(path: String, candidates: [String])
  /// Both were given, and are one file.
  case metadataIsDatabase(path: String)
  case notAStore(path: String, detail: String)
  /// A folder that holds several stores.
  case severalStores(path: String, names: [String])
  /// Written by a newer version of the app's library than is known.
  case storeTooNew(path: String, version: Int)
  case damaged(path: String, detail: String)
  case locked(path: String, holder: String?)
  case journalTooNew(path: String, version: Int)
  /// It is damaged, or something else.
  case journalUnusable(path: String, detail: String)
  case journalFull(path: String)
  /// It belongs to another store, whose name is like this one's.
  case journalOfAnother(path: String, store: String)
  case journalForbidden(path: String, detail: String)
  /// It is not the file any more that was opened: somebody deleted, moved or replaced it.
  case journalGone(path: String)
  /// - Parameter isForbidden: whether permissions are the matter.
  case cannotRead(path: String, detail: String, isForbidden: Bool = false)
  /// The store was read, and does not give the bytes of an attachment, or gives others.
  case bytesNotHad(record: String, attachment: String, detail: String)
  /// Each time it was read it had changed by the end.
  case beingWritten(path: String)
  /// Nobody wanted the answer any more.
  case stopped(path: String)
  /// None came as long as it was waited for.
  case noAnswer(path: String)
  /// A server did not do what it was asked.
  case server(path: String, ServerTrouble)
  /// A pipe, a device, a folder: "a pipe".
  case notAFile(path: String, kind: String)
  /// In bytes.
  case tooLarge(path: String, limit: Int)
  // Records
  case noSuchRecord(id: String)
  case noSuchField(record: String, field: String, known: [String])
  case noSuchAttachment(record: String, name: String, known: [String])
  case refusedChoice(record: String, field: String?, ChoiceRefusal)
  // Writing
  case readOnly(path: String, reason: String)
  /// The same, whenever and wherever it is tried again.
  case tooNewToWrite(path: String, reason: String)
  case moved(record: String, detail: String)
  case refused(record: String, field: String?, detail: String)
  /// Somebody decided about the record again, or took that back, after the write had read it: nothing of its transaction was written.
  case decidedMeanwhile(path: String, record: String)
  /// Nothing was written.
  case writeFailed(path: String, detail: String)
  /// The commit failed, and nobody could look since.
  case writeUnknown(path: String, detail: String)
  /// All was written, only the journal does not say so yet.
  case receiptMissing(path: String, detail: String)
  case nothingToUndo
  // The outbox of a store that is not written itself
  /// It is damaged, or something else.
  case outboxUnusable(path: String, detail: String)
  case outboxTooNew(path: String, version: Int)
  /// What was given as the index of its server is none.
  case indexUnusable(path: String, detail: String)
  /// Something waits in it of which the journal knows no write.
  case outboxOfOtherJournal(path: String)
  /// One that Parley has made lies where the next one was to go.
  case copyIsThere(path: String)
}

/// What can go wrong between here and a server.
package enum ServerTrouble: Sendable, Equatable {
  /// No connection was made, so nothing was asked.
  case notReached(String)
  /// Its certificate is not one to trust, so nothing was asked.
  case insecure(String)
  /// The connection ended before the answer did.
  case cut(String)
  /// It gives an answer to another question, such as about another document: what was asked may be done all the same.
  case astray(String)
  /// It said nothing for long: what was asked may be done yet.
  case silent(String)
  /// Bytes kept coming, and its answer did not end: what was asked may be done yet.
  case slow(seconds: Int)
  /// It tells its databases to administrators alone.
  case nameADatabase
  /// It sends more bytes than any answer has.
  case tooLong(limit: Int)
  /// Its JSON has more values than any answer has: each takes more memory than bytes.
  case tooMany(values: Int)
  /// It wants to know who asks, and does not take what it was told.
  case notLoggedIn(String)
  /// It said no, in its own words.
  case refused(status: Int, String)
  /// Somebody between here and it answers, such as a proxy: what came, without its text.
  case notJSON(status: Int, String)
  /// An answer of its own that cannot be read, and why.
  case unreadable(String)
  /// It is another one that should be asked: where credentials would have gone, too.
  case redirected(to: String)
  /// It wants to be asked less: again and again (nil), or for longer than anybody waits.
  case busy(seconds: Int?)
}
