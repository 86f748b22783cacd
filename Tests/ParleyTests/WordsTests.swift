import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

@Suite("Words of errors")
struct WordsTests {
  /// With its type, as the compiler else tries for minutes what all of it could be.
  static let words: [(StoreError, String)] = [
    (
      StoreError.notFound(path: "a.sqlite"),
      "There is no file a.sqlite. Check the path, or try the sample store: parley demo"
    ),
    (.fileMissing(path: "a.json"), "There is no file a.json. Check the path."),
    (
      .notADatabase(path: "a.sqlite", detail: "it is a folder"),
      "a.sqlite is not a database that can be read: it is a folder. Give the app's own SQLite file, not encrypted."
    ),
    (
      .metadataMissing(path: "a.sqlite", folder: "/x", others: []),
      "The folder /x holds no metadatabase of a.sqlite. Copy that file too, with its -wal; it is hidden: "
        + ".NAME.metadata-CONTAINER.sqlite. Or say where it is: --metadata FILE."
    ),
    (
      .metadataMissing(path: "a.sqlite", folder: "/x", others: [".b.metadata-c.sqlite"]),
      "The folder /x holds no metadatabase of a.sqlite. Its name would begin with the database's; found instead: "
        + ".b.metadata-c.sqlite. If the database was renamed, choose with --metadata FILE."
    ),
    (
      .metadataAmbiguous(path: "a.sqlite", candidates: ["x", "y"]),
      "a.sqlite has 2 metadatabases beside it: x, y. Choose the one the app uses: --metadata FILE."
    ),
    (
      .databaseAmbiguous(path: "d", candidates: ["d/a.db", "d/a.sqlite"]),
      "Of d nobody can tell which file is the app's database: 2 have the name that the metadatabase gives, "
        + "d/a.db, d/a.sqlite. Open the one that the app syncs by its path."
    ),
    (
      .severalStores(path: "http://h", names: []),
      "http://h holds no store yet. Look there again once an app has made one, or open another."
    ),
    (
      .severalStores(path: "http://h", names: ["http://h/a"]),
      "http://h holds 1 store: http://h/a. Open it by its path."
    ),
    (
      .notAStore(path: "a.sqlite", detail: "no recordTypes"),
      "a.sqlite is not a store that syncs: no recordTypes. Give the database that the app syncs."
    ),
    (
      .damaged(path: "a.sqlite", detail: "malformed"),
      "a.sqlite is damaged: malformed. Work on a fresh copy of all its files, with -wal and -shm."
    ),
    (
      .locked(path: "a.sqlite", holder: "Reminders (pid 7)"),
      "a.sqlite is locked by Reminders (pid 7). Try again once that is done or closed, or work on a copy of the files."
    ),
    (
      .locked(path: "a.sqlite", holder: nil),
      "a.sqlite is locked by another program. Try again once that is done or closed, or work on a copy of the files."
    ),
    (
      // It has no files.
      .locked(path: "https://host/shop", holder: "another Parley"),
      "https://host/shop is locked by another Parley. Try again once that is done or closed."
    ),
    (
      .journalTooNew(path: "j", version: 9),
      "The journal j was written by a newer Parley (journal version 9). Open the store with that one."
    ),
    (
      .outboxTooNew(path: "o", version: 2),
      "The outbox o was written by a newer Parley (outbox version 2). Open the container with that one."
    ),
    (
      .journalUnusable(path: "j", detail: "malformed"),
      "The journal j cannot be used: malformed. Copy it back from a backup; or move it away to begin a new one, which "
        + "takes its decisions and receipts away too."
    ),
    (
      .cannotRead(path: "a.sqlite", detail: "permission denied", isForbidden: true),
      "a.sqlite cannot be read: permission denied. Check its permissions, and those of its folder."
    ),
    (.cannotRead(path: "a.sqlite", detail: "disk I/O error"), "a.sqlite cannot be read: disk I/O error."),
    (
      .notAFile(path: "a.json", kind: "a pipe"),
      "a.json is a pipe, where a regular file belongs. Name a file, or move it away."
    ),
    (
      .tooLarge(path: "a.yaml", limit: 1 << 20),
      "a.yaml is larger than 1 MiB, the most that is read here. Name a smaller file."
    ),
    (.noSuchRecord(id: "1:t"), "No record in conflict is called 1:t. See them all: parley list PATH"),
    (
      .noSuchField(record: "1:t", field: "titel", known: ["id", "title"]),
      "1:t has no field titel. Its fields: id, title."
    ),
    (
      .noSuchField(record: "1:t", field: "titel", known: []), "1:t has no field titel. Its fields: none."
    ),
    (
      .refusedChoice(record: "1:t", field: "title", .required(field: "title")),
      "1:t, field title: title must have a value; the table does not allow NULL there. Give one, or take a side that has one."
    ),
    (
      .refusedChoice(record: "1:t", field: nil, .sideHasNoVersion(.server)),
      "1:t: The server has no version of it to take. Take another side."
    ),
    (
      .readOnly(path: "a.sqlite", reason: "Reminders (pid 7) has it open"),
      "a.sqlite can only be read now: Reminders (pid 7) has it open. Decisions are kept; write later, "
        + "or write a copy of the files: parley resolve PATH --export > FILE, then parley apply COPY FILE and parley write COPY --yes."
    ),
    (
      .readOnly(path: "https://h/db", reason: "the store was opened read-only"),
      "https://h/db can only be read now: the store was opened read-only. Decisions are kept; write later."
    ),
    (
      .tooNewToWrite(path: "a.touchdb", reason: "its schema 201 is newer than any that is known here"),
      "a.touchdb can only be read: its schema 201 is newer than any that is known here. "
        + "Nothing of it was changed; get a newer Parley."
    ),
    (
      .moved(record: "1:t", detail: "the row changed"),
      "1:t moved since you saw it: the row changed. Nothing of it was written; look at it again and decide what is new."
    ),
    (
      .refused(record: "1:t", field: "listID", detail: "no such list"),
      "1:t, field listID was refused: no such list. Nothing of it was written; decide it otherwise."
    ),
    (
      .refused(record: "1:t", field: nil, detail: "a trigger said no"),
      "1:t was refused: a trigger said no. Nothing of it was written; decide it otherwise."
    ),
    (
      .writeFailed(path: "a.sqlite", detail: "disk full"),
      "Nothing was written to a.sqlite: disk full. The decisions are kept; mend that, and write again."
    ),
    (
      .receiptMissing(path: "/c/a.sqlite", detail: "disk full"),
      "All was written to /c/a.sqlite, but its receipt is missing: disk full. Mend that, and parley write with this path and --yes "
        + "adds it; then parley undo takes the write back."
    ),
    (
      .writeUnknown(path: "/c/a.sqlite", detail: "disk full"),
      "It is not known how much was written to /c/a.sqlite: disk full. The journal holds all that was meant: mend that, and "
        + "parley write with this path and --yes finishes it or takes it back, before the app is started."
    ),
    (
      .noSuchAttachment(record: "sure", name: "nope", known: ["a.txt"]),
      "sure has no attachment nope. Its attachments: a.txt."
    ),
    (
      .copyIsThere(path: "a"),
      "a is a copy that Parley has made already, with its decisions. "
        + "For a new one delete the folder, or name another."
    ),
    (.nothingToUndo, "There is no write to undo. See what was done: parley log PATH"),
  ]

  @Test(
    "What is taken back is not said to be written",
    arguments: [
      (
        CheckedWrite.Outcome.moved("the row changed"),
        "a moved since: the row changed. Nothing of it was taken back."
      ),
      (.refused(field: "f", "no."), "a, field f was refused: no. Nothing of it was taken back."),
      (
        .partly(written: "the title", "full"),
        "a is taken back in part: the title. The rest is not: full. Look at it again."
      ),
      (.notKnown("silence"), "It is not known whether a is taken back: silence. Look at it again."),
      (.notReached("full"), "a was not reached: full. Nothing of it was taken back; do it again."),
    ])
  func undo(_ outcome: CheckedWrite.Outcome, _ words: String) {
    let checked = CheckedWrite(RecordLabel(id: "a", title: "A"), outcome: outcome)
    #expect(checked.words(.undo, fine: "undone") == words)
    #expect(checked.words(fine: "written")?.contains("taken back") == false)
    let rehearsed = words.replacing("Nothing of it was", with: "Nothing of it would be")
    #expect(checked.words(.undo, fine: nil, isRehearsal: true) == rehearsed)
    let isLeft = words.contains("Nothing of it was")
    let lines = UndoText.lines(CheckedUndo(checked, changes: WrittenChanges()), StoreInfo.Words(), width: nil)
    #expect(lines.joined().contains("would be taken back") == isLeft, "\(lines)")
  }

  @Test("Every error of a store says what happened and the way out", arguments: words)
  func store(_ error: StoreError, _ words: String) {
    #expect(error.words == words)
    #expect("\(error)" == words)
  }

  @Test(
    "Every refused choice says why, and which can be made",
    arguments: [
      (
        ChoiceRefusal.notWritable("id"),
        "id is a key or a generated column and is never written. Decide the other fields."
      ),
      (.sideHasNoVersion(.client), "The client has no version of it to take. Take another side."),
      (
        .notAtHand(.server),
        "The server's bytes are not here, only their hash. Take another side, or give a file."
      ),
      (
        .ancestorNotChoosable("the server's archive is missing"),
        "The ancestor's value cannot be taken, whoever has it: the server's archive is missing. Take a side that has "
          + "another, or give one."
      ),
      (
        .decidedAsAWhole(known: []),
        "The record is decided as a whole, not field by field. Take the client's record or the server's."
      ),
      (
        .decidedAsAWhole(known: ["client", "both"]),
        "The record is decided as a whole, not field by field. It can: client, both."
      ),
      (.nothingToDecide, "There is nothing to decide here: it is not in conflict."),
      (
        .inOutbox,
        "It is decided, and waits in the outbox. Take that back first, by undo; where undo has no such write, as its "
          + "journal is gone, move the file that ends in .parley-outbox.json away."
      ),
      (
        .wrongType(field: "priority", expected: .integer),
        "priority takes a whole number. Give such a value, or take a side."
      ),
      (
        .wrongType(field: "weight", expected: .real),
        "weight takes a number. Give such a value, or take a side."
      ),
      (.wrongType(field: "title", expected: .text), "title takes text. Give such a value, or take a side."),
      (.wrongType(field: "cover", expected: .blob), "cover takes bytes. Give such a value, or take a side."),
      (
        .realToSQLite(field: "priority", 1e19),
        "priority takes a whole number, and to SQLite this one is the real 1e+19. Give one in digits, from "
          + "-9223372036854775808 to 9223372036854775807, or take a side."
      ),
      (
        .noInteger(field: "weight"),
        "weight is given by integer:, and what follows that is read as no integer of 64 bits. Give one in digits, or "
          + "say what it is by another word in front, such as real: or text:."
      ),
      (
        .beyondDoubles(field: "weight"),
        "weight takes a number, and this one is beyond all Doubles. Give another value, or take a side."
      ),
      (
        .rounded(field: "weight", to: 9_007_199_254_740_992),
        "weight takes a number, and this one would be rounded to 9007199254740992. Give one that a Double is, or take a side."
      ),
      (
        .toGiveInDigits(field: "priority", 9_007_199_254_740_993),
        "priority keeps this whole number only if it is given in digits alone. Give 9007199254740993, or take a side."
      ),
      (
        .notReadable(field: "tags", expected: "a list"),
        "tags is a list so far, and this is none. Say another type in front: text:… or json:…."
      ),
      (
        .readableTwice(field: "stock", expected: "text or a number"),
        "stock is text or a number so far, and this could be text or not. Say which in front: text:… or json:…."
      ),
      (.notJSON(field: "stock"), "stock takes JSON. Give such a value, or take a side."),
      (
        .notJSON(field: "stock", reason: "the object has this name twice"),
        "stock takes JSON, and this is none: the object has this name twice. Give such a value, or take a side."
      ),
      (
        .unreadJSON(field: "stock"),
        "stock would have half of a surrogate pair, or a number beyond all Doubles, which apps do not read. "
          + "Give another value, or take a side."
      ),
      (
        .notANumber(field: "weight"),
        "weight keeps NULL for what is not a number. Give a number, or take a side."
      ),
      (
        .noColumnValue(field: "extra"),
        "extra is a column, and takes text, a number or bytes. Give such a value, or take a side."
      ),
      (
        .readableTwice(field: "stock", expected: ""),
        "stock is of no type so far, and this could be text or not. Say which in front: text:… or json:…."
      ),
      (
        .required(field: "title"),
        "title must have a value; the table does not allow NULL there. Give one, or take a side that has one."
      ),
    ] as [(ChoiceRefusal, String)])
  func choice(_ refusal: ChoiceRefusal, _ words: String) {
    #expect(refusal.words == words)
  }

  @Test func aJournalThatIsWholeIsNeverMovedAway() {
    let full = StoreError.journalFull(path: "j").words
    #expect(full.hasPrefix("The journal j could not be written: the disk is full. Free some space"))
    let forbidden = StoreError.journalForbidden(path: "j", detail: "its folder cannot be made").words
    #expect(forbidden.hasSuffix("name a folder for it: XDG_STATE_HOME=FOLDER."))
    #expect(!full.contains("away") && !forbidden.contains("away"))
  }

  @Test(
    arguments: [
      ("http:/ann:secret@h/db", "…@h/db is no store"), ("ann:secret@h/db", "…@h/db is no store"),
      ("ann:secret@h:5984", "…@h:5984 is no store"), ("couchdb://ann:secret@h/db", "…@h/db is no store"),
      ("ann:secret@localhost", "…@localhost is no store"),
    ])
  func whatLooksLikeALoginIsHiddenInAnAddressAlone(argument: String, words: String) {
    #expect(ServerOpening.withoutPasswords("\(argument) is no store", [argument]) == words)
  }

  @Test(arguments: [
    StoreError.writeUnknown(path: "/c/a", detail: "disk full"),
    .receiptMissing(path: "/c/a", detail: "disk full"),
  ])
  func whoTakesBackIsNotSentToAWrite(error: StoreError) {
    let words = CommandError.withoutDraft(error, command: "undo").words
    #expect(words.contains("disk full") && words.contains("parley undo with this path and --yes"))
    #expect(!words.contains("parley write"))
  }

  /// It may be a number of a document, of which a file gives the text.
  @Test func ofAFileThatIsNoTextItIsNotSaidWhatTheFieldHolds() {
    let words = CommandError.notText(path: "a.bin").words
    #expect(
      words == "a.bin is not UTF-8 text, and of a file this field takes its text. Convert it first.")
  }

  @Test func whatARecordIsCalledIsNoLogin() {
    let name = "user:zoe@example.com"
    let arguments = ["show", "http://h/db", "--json", name, "--ancestors", "ann:secret@h"]
    #expect(ServerOpening.withoutPasswords("No \(name)", arguments) == "No \(name)")
    #expect(ServerOpening.withoutPasswords("No ann:secret@h", arguments) == "No …@h")
  }

  @Test func aLoginInAnAddressThatNobodyTypedIsHidden() {
    let words = "Proxy http://ann:secret@h:1 refuses org.couchdb.user:bob@x.org."
    #expect(
      ServerOpening.withoutPasswords(words, [])
        == "Proxy http://…@h:1 refuses org.couchdb.user:bob@x.org.")
  }
}
