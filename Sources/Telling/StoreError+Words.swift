import Merging
import StoreInterface

// What happened, with its file or record, and the way out. Words end in a full stop, so that they can follow "parley: " or stand
// in a status line.

extension StoreError: CustomStringConvertible {
  package var description: String { words }

  /// One to three sentences for a person: what happened, and what to do.
  package var words: String {
    switch self {
    case .notFound(let path):
      "There is no file \(path). Check the path, or try the sample store: parley demo"
    case .fileMissing(let path): "There is no file \(path). Check the path."
    case .notADatabase(let path, let detail):
      "\(path) is not a database that can be read: \(detail). Give the app's own SQLite file, not encrypted."
    case .metadataMissing(let path, let folder, let others):
      "The folder \(folder) holds no metadatabase of \(path). " + StoreError.wayToMetadata(others)
    case .metadataAmbiguous(let path, let candidates):
      "\(path) has \(candidates.count) metadatabases beside it: \(StoreError.list(candidates)). "
        + "Choose the one the app uses: --metadata FILE."
    case .databaseAmbiguous(let path, let candidates):
      "Of \(path) nobody can tell which file is the app's database: \(candidates.count) have the name that the metadatabase gives, "
        + "\(StoreError.list(candidates)). Open the one that the app syncs by its path."
    case .metadataIsDatabase(let path):
      "\(path) is the database itself, and its metadatabase is another file. Leave --metadata out, or name the hidden file: "
        + ".NAME.metadata-CONTAINER.sqlite."
    case .notAStore(let path, let detail):
      "\(path) is not a store that syncs: \(detail). Give the database that the app syncs."
    case .severalStores(let path, let names) where names.isEmpty:
      "\(path) holds no store yet. Look there again once an app has made one, or open another."
    case .severalStores(let path, let names) where names.count == 1:
      "\(path) holds 1 store: \(names[0]). Open it by its path."
    case .severalStores(let path, let names):
      "\(path) holds \(names.count) stores: \(StoreError.list(names)). Open one of them by its path."
    case .storeTooNew(let path, let version):
      "\(path) was written by a newer version of its app (schema \(version)) than this program knows, so it is left alone. "
        + "Get a newer Parley."
    case .damaged(let path, let detail):
      "\(path) is damaged: \(detail). Work on a fresh copy of all its files, with -wal and -shm."
    case .locked(let path, let holder):
      "\(path) is locked by \(holder ?? "another program"). Try again once that is done or closed"
        + (path.isURL ? "." : ", or work on a copy of the files.")
    case .journalTooNew(let path, let version):
      "The journal \(path) was written by a newer Parley (journal version \(version)). Open the store with that one."
    case .journalUnusable(let path, let detail):
      "The journal \(path) cannot be used: \(detail). Copy it back from a backup; or move it away to begin a new one, "
        + "which takes its decisions and receipts away too."
    case .journalFull(let path):
      "The journal \(path) could not be written: the disk is full. Free some space, and do it again; "
        + "what it held before is unharmed."
    case .journalOfAnother(let path, let store):
      "The journal \(path) belongs to \(store), so nothing was read from it or written to it. Open this store again: "
        + "it gets a journal of its own."
    case .journalForbidden(let path, let detail):
      "The journal \(path) cannot be used: \(detail). Check the permissions of it and its folder; where nothing can "
        + "be written beside the store, name a folder for it: XDG_STATE_HOME=FOLDER."
    case .journalGone(let path):
      "The journal \(path) is gone or another one, so nothing was kept or written. Put it back; or open the store "
        + "again for a new one, without its decisions and receipts."
    case .cannotRead(let path, let detail, isForbidden: true):
      "\(path) cannot be read: \(detail). Check its permissions, and those of its folder."
    case .cannotRead(let path, let detail, isForbidden: false): "\(path) cannot be read: \(detail)."
    case .bytesNotHad(let record, let attachment, let detail):
      "The bytes of the attachment \(attachment) of \(record) cannot be had: \(detail). "
        + "Another version of it may have them: --of names a side or a revision."
    case .beingWritten(let path):
      "\(path) is being written to right now, so what was read of it does not fit together. Do it again in a moment, or "
        + "work on a copy of the files."
    case .stopped(let path): "What was asked of \(path) was stopped before its end, and changed nothing."
    case .server(let path, .redirected(let other)) where other == path:
      "\(path) sends the call on to itself, and answers nothing. Look at the proxy before it, if there is one, or ask whoever runs "
        + "the database."
    case .server(let path, let trouble): "\(path) \(trouble.words)"
    case .noAnswer(let path): "\(path) gave no answer in time. Ask again, or look whether it can be reached."
    case .notAFile(let path, let kind):
      "\(path) is \(kind), where a regular file belongs. Name a file, or move it away."
    case .tooLarge(let path, let limit):
      "\(path) is larger than \(limit >> 20) MiB, the most that is read here. Name a smaller file."
    case .noSuchRecord(let id): "No record in conflict is called \(id). See them all: parley list PATH"
    case .noSuchAttachment(let record, let name, let known):
      "\(record) has no attachment \(name). Its attachments: \(StoreError.list(known))."
    case .noSuchField(let record, let field, let known):
      "\(record) has no field \(field.wholeName). Its fields: \(StoreError.list(known.map(\.wholeName)))."
    case .refusedChoice(let record, let field, let refusal):
      "\(StoreError.place(record, field)): \(refusal.words)"
    case .readOnly(let path, let reason):
      "\(path) can only be read now: \(reason). Decisions are kept; write later\(path.isURL ? "." : StoreError.wayToCopy)"
    case .tooNewToWrite(let path, let reason):
      "\(path) can only be read: \(reason). Nothing of it was changed; get a newer Parley."
    case .moved(let record, let detail):
      "\(record) moved since you saw it: \(detail.asClause). Nothing of it was written; look at it again and decide what is new."
    case .refused(let record, let field, let detail):
      StoreError.refusal(record: record, field: field, detail: detail)
        + "; decide it otherwise."
    case .decidedMeanwhile(let path, let record):
      "Nothing was written to \(path): what was decided about \(record) changed while the write was prepared. Write again."
    case .writeFailed(let path, let detail):
      "Nothing was written to \(path): \(detail). The decisions are kept; mend that, and write again."
    case .writeUnknown(let path, let detail):
      "It is not known how much was written to \(path): \(detail). The journal holds all that was meant: mend that, and "
        + "parley write with this path and --yes finishes it or takes it back\(path.isURL ? "." : ", before the app is started.")"
    case .receiptMissing(let path, let detail):
      "All was written to \(path), but its receipt is missing: \(detail). Mend that, and parley write with this path "
        + "and --yes adds it; then parley undo takes the write back."
    case .nothingToUndo: "There is no write to undo. See what was done: parley log PATH"
    case .indexUnusable(let path, let detail):
      "\(path) is no server's index: \(detail). Give the server's answer to GetFileIndex, "
        + #"{"ServerResult":0,"ServerFileIndex":[…]}, or the lines of mongoexport -c FileIndex."#
    case .outboxUnusable(let path, let detail):
      "The outbox \(path) cannot be used: \(detail). Put a sound one back; or move it away, and all that waited in it is "
        + "in the list again."
    case .outboxTooNew(let path, let version):
      "The outbox \(path) was written by a newer Parley (outbox version \(version)). Open the container with that one."
    case .outboxOfOtherJournal(let path):
      "There is no write to undo: the journal by which the outbox \(path) was written is gone, or another one. Put it "
        + "back; or move the outbox away, and all that waits in it is to be decided again."
    case .copyIsThere(let path):
      "\(path) is a copy that Parley has made already, with its decisions. For a new one delete the folder, or name another."
    }
  }

  /// The decisions do not lie where the files do, when nothing can be written there.
  private static let wayToCopy =
    ", or write a copy of the files: parley resolve PATH --export > FILE, then parley apply COPY FILE and parley write COPY --yes."

  /// The same where no draft was to be written, but something mended or taken back, and no decision says what.
  ///
  /// - Parameter command: that which does it once more: `parley write` would write what is taken back by then.
  package func wordsOfNoDraft(by command: String) -> String {
    switch self {
    case .readOnly(let path, let reason):
      "\(path) can only be read now: \(reason). Nothing of it was changed; do it again later."
    case .writeFailed(let path, let detail):
      "Nothing was written to \(path): \(detail). Mend that, and do it again."
    case .writeUnknown(let path, let detail):
      "It is not known how much of it was done at \(path): \(detail). The journal holds all that was meant: mend that, and "
        + "parley \(command) with this path and --yes finishes it or takes it back\(path.isURL ? "." : ", before the app is started.")"
    case .receiptMissing(let path, let detail):
      "All of it was done at \(path), but its receipt is missing: \(detail). Mend that, and parley \(command) with this path "
        + "and --yes adds it."
    default: words
    }
  }

  private static func wayToMetadata(_ others: [String]) -> String {
    others.isEmpty
      ? "Copy that file too, with its -wal; it is hidden: .NAME.metadata-CONTAINER.sqlite. "
        + "Or say where it is: --metadata FILE."
      : "Its name would begin with the database's; found instead: \(list(others)). "
        + "If the database was renamed, choose with --metadata FILE."
  }

  private static func place(_ record: String, _ field: String?) -> String {
    field.map { "\(record), field \($0.wholeName)" } ?? record
  }

  /// - Parameter done: what nothing of it was, or would be.
  static func refusal(
    record: String, field: String?, detail: String, _ done: String = "was written"
  ) -> String {
    "\(place(record, field)) was refused: \(detail.asClause). Nothing of it \(done)"
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

extension ServerTrouble {
  /// What follows the server's name.
  fileprivate var words: String {
    switch self {
    case .notReached(let detail):
      "cannot be reached: \(detail.asClause). Check the address, and whether the server runs."
    case .insecure(let detail):
      // As curl tells that it is for another name.
      "shows a certificate that is not to be trusted, so nothing was sent: \(detail.asClause). "
        + (detail.contains("subject name")
          ? "Ask it by the name that the certificate is for."
          : "If it is your own server, name the certificate of who signed it: --ca FILE.")
    case .cut(let detail): "was cut off before its answer ended: \(detail.asClause). Ask again."
    case .astray(let detail):
      "gives an answer to another question: \(detail.asClause). Look at the proxy before it, if there is one, or ask whoever runs the "
        + "database."
    case .silent(let detail):
      "said nothing for long: \(detail.asClause). Ask again, or look whether it can be reached."
    case .slow(let seconds):
      "had not ended its answer after \(seconds / 60) minutes, though bytes kept coming. Ask again, or look at what lies between."
    case .nameADatabase:
      "tells its databases to administrators alone. Name the one you mean: its address, a slash, and its name."
    case .tooLong(let limit):
      "sends more than \(limit >> 20) MB in one answer, which no database does. Check the address."
    case .tooMany(let values):
      "sends more than \(values / 1_000_000) million values in one answer, which no database does. Check the address."
    case .notLoggedIn(let reason):
      "does not let this user in: \(reason.asClause). Give PARLEY_USER and PARLEY_PASSWORD, PARLEY_TOKEN, PARLEY_IAM_KEY, or "
        + "a line in ~/.netrc."
    case .refused(404, _):
      "is not there, or not for this user. Check the name of the database; parley list with the server's address tells them to an administrator."
    case .refused(let status, let reason):
      "refused it\(reason.isEmpty ? "" : ": \(reason.asClause)") (HTTP \(status)). "
        + (status >= 500 ? "Ask again later, or whoever runs the server." : "Ask whoever runs the database.")
    case .notJSON(let status, let detail):
      "is answered by something that is not CouchDB (HTTP \(status), \(detail.asClause)). Check the address, and what lies between."
    case .unreadable(let reason):
      "answers with JSON that cannot be read here: \(reason.asClause). Look for it with another program, or ask whoever runs the database."
    case .redirected(let other):
      "sends on to \(other), where nothing was sent. Open that address, if it is the right one."
    case .busy(nil): "wants to be asked less often. Wait, and do it again."
    case .busy(let seconds?):
      "wants to be asked less often, and again in \(seconds) seconds; Parley waits no longer than a minute. Do it again then."
    }
  }
}

extension String {
  /// Without the full stop of a sentence.
  package var asClause: String { hasSuffix(".") ? String(dropLast()) : self }

  /// As a sentence begins.
  package var capitalizedFirst: String { prefix(1).uppercased() + String(dropFirst()) }

  /// Whether it names a store on a server, beside which no app is started.
  package var isURL: Bool { hasPrefix("http://") || hasPrefix("https://") }
}

extension JournalNotice {
  package var words: String {
    switch self {
    case .passedOver(let path, let instead):
      "The journal \(path) is passed over, as this user may not write it: what was decided there is not seen, and what is "
        + "decided now is kept in \(instead). To go on with it, make it and its folder writable."
    case .passedOverElsewhere(let path, let instead):
      "The journal \(path) is passed over, as one can be written beside the store again: what was decided and written meanwhile is "
        + "neither seen nor undone. To go on with it, move \(instead) away; if nobody needs it, move that one away."
    case .ofAnother(let path, let store, let instead):
      "The journal \(path) belongs to \(store), which lies beside it, so what was decided there is not taken over: what is "
        + "decided now is kept in \(instead). To take it up, put this store and that journal alone into another folder."
    case .outOfSight(let path):
      "Whether there is a journal \(path) cannot be seen, as this user may not enter its folder, and none can be written beside the "
        + "store: what was decided before is not seen, and nothing can be decided. To go on, make that folder readable and writable."
    case .staysOld(_, let error):
      "Nothing can be decided now, as the journal is an older Parley's and has to be brought up first. \(error.words)"
    }
  }
}

extension StoreCall.Progress {
  /// What is done with each where that is not what was asked for any more, but what is needed to tell of it.
  package var words: String? { isTelling ? "reading what comes back" : nil }
}

extension StoreCall.Wait {
  /// "waiting for the server for 12 s, of 60"
  package var words: String { "waiting for the server for \(seconds) s, of \(most)" }
}
