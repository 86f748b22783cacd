import CouchDBStores
import ExactJSON
import StoreInterface
import Telling
import Terminal

/// What can be wrong with a command beside its store. Facts; the words are below.
enum CommandError: Error, Equatable {
  case unknownCommand(String, meant: [String], known: [String])
  case misused(words: String)
  /// - Parameter isAlone: whether there is no other.
  case unknownRecord(String, nearest: [String], isAlone: Bool)
  case ambiguousRecord(String, candidates: [String])
  case recordNeeded
  /// - Parameter arguments: as they were given.
  case needsYes(drafts: Int, arguments: [String])
  /// By Ctrl-C, before anything was changed.
  case interrupted(words: String)
  /// What was to be mended, or taken back, and is no draft.
  ///
  /// - Parameter command: that does so.
  case withoutDraft(StoreError, command: String)
  case undoNeedsYes(records: Int, arguments: [String])
  /// What is to be taken back is known only once it is finished.
  case interruptedBefore(JournalEntry.Act, arguments: [String])
  case unknownFinding(String)
  /// It is of a write, an undo or an import that was interrupted, and could not be finished; with the reason, where there is one.
  case notFinished(String, JournalEntry.Act, String?)
  /// It was named as it was seen.
  case findingMoved(String)
  case noOtherSide(Finding.ID)
  case ambiguousFinding(String, candidates: [String])
  case emptyName
  case alreadyWritten(String, time: Int64, noUndo: String?)
  case notHexadecimal(field: String)
  /// - Parameter text: nil where the field takes none.
  case sideOrText(field: String, text: String?, side: String?)
  case nullOrText(field: String, text: String, takesNull: Bool, takesText: Bool)
  /// - Parameters:
  ///   - known: those that live, as they are told.
  ///   - text: what was typed for a field; nil for the record as a whole, which takes none.
  case unknownLeaf(String, known: [String], text: OfferedText?)
  case ambiguousLeaf(String, candidates: [String], text: OfferedText?)
  case leafNotRead(String)
  /// - Parameter leaf: nil for a deleted one, of which nothing can be taken.
  case leafOrText(field: String, text: String, leaf: String?)
  /// - Parameter known: as they are given behind `--set`.
  case unknownAlternative(String, known: [String])
  case fileExists(path: String)
  case configurationExists(path: String)
  case mendingNeedsYes(findings: Int, arguments: [String])
  case needsBytes(field: String)
  case notText(path: String)
  case settingsNotText(path: String)
  /// - Parameter isFile: whether a file of that name is there, which would be meant by a path with a slash.
  case unknownTheme(String, known: [String], isFile: Bool)
  case badTheme(words: String)
  case folderNotEmpty(path: String)
  case cannotMakeFolder(path: String, detail: String)
  case needsTerminal(otherwise: String)
  case noTerminal(words: String, otherwise: String)
  case cannotWrite(path: String, detail: String)
  case notALog(path: String, detail: String)
  case badConfiguration(words: String)
  case cannotPrint(detail: String)
  case tooFewFiles(allowed: Int, needed: Int)
  case cannotImport(kind: String)
  case cannotCapture(kind: String)
  case metadataOfDatastore(path: String)
  case outboxOfDatastore(path: String)
  case ancestorsOfFile(path: String)
  case authoritiesOfFile(path: String)
  case authoritiesOfOpenLine(path: String)
  case noAuthorities(file: String, String)
  case indexOfOther(path: String)
  case copyOfOther(path: String)
  /// - Parameter store: the copy, as a command names it.
  case copyIsThere(path: String, store: String)
  case directIntoContainer(path: String)
  case outboxOfCopy(path: String)
  case serverNotWritten
  case noOutbox(path: String)
  case neverWritten(String, nearest: [String], isAlone: Bool)
  /// Nor is one of that name in conflict.
  case notLogged(String, nearest: [String], isAlone: Bool)
  /// - Parameters:
  ///   - records: as they were named; none where any write would have done.
  ///   - takenBack: when the last write of theirs was, or of all; nil if there was none.
  case nothingToUndo(path: String, records: [String], takenBack: Int64?)
  case valueRefused(record: String, field: String, reason: String)
  case badDecision(line: Int, reason: String)
  /// - Parameter command: that takes decisions from standard input.
  case decisionsInNoFile(path: String, kind: String, command: String)
  case notWrittenBySQL(path: String)
  case noPlaceForConfiguration
  case noFamilies(record: String)
}

extension CommandError {
  /// Where something is mended or taken back, of which no decision tells: other ways lead out than from a write.
  ///
  /// - Parameter command: that does so.
  static func ofNoDraft<Result>(by command: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      switch error {
      case .readOnly, .writeFailed, .writeUnknown, .receiptMissing:
        throw CommandError.withoutDraft(error, command: command)
      default: throw error
      }
    }
  }

  var status: ExitStatus {
    switch self {
    case .unknownCommand, .misused, .unknownRecord, .ambiguousRecord, .recordNeeded, .needsYes, .undoNeedsYes,
      .interruptedBefore, .unknownFinding, .noOtherSide, .ambiguousFinding, .emptyName, .alreadyWritten,
      .notHexadecimal,
      .sideOrText, .nullOrText, .unknownLeaf, .ambiguousLeaf, .leafNotRead, .leafOrText, .unknownAlternative,
      .fileExists, .configurationExists, .mendingNeedsYes,
      .needsBytes, .notText, .unknownTheme,
      .folderNotEmpty, .cannotImport, .cannotCapture, .metadataOfDatastore, .outboxOfDatastore,
      .ancestorsOfFile, .authoritiesOfFile, .authoritiesOfOpenLine, .indexOfOther, .copyOfOther,
      .directIntoContainer, .outboxOfCopy,
      .serverNotWritten,
      .noOutbox,
      .neverWritten, .notLogged, .notALog, .notWrittenBySQL, .noPlaceForConfiguration, .noFamilies:
      .usage
    case .findingMoved: .moved
    case .notFinished: .unfinished
    case .copyIsThere, .nothingToUndo, .valueRefused: .refused
    case .interrupted: .interrupted
    case .withoutDraft(let error, _): ExitStatus(error)
    case .badTheme, .settingsNotText, .cannotMakeFolder, .needsTerminal, .noTerminal, .cannotWrite,
      .badConfiguration, .badDecision, .decisionsInNoFile, .noAuthorities,
      .cannotPrint, .tooFewFiles:
      .cannotOpen
    }
  }

  /// A name that is none of a conflict may be of a finding; a line of its own, as each command ends one.
  private static let wayToStuck = "What is stuck is no conflict, and may be called so: parley doctor PATH"

  /// What happened, and the way out. A command at its end has no full stop: it would be copied with it.
  var words: String { words(typedAs: .option) }

  /// - Parameter place: where the value was typed that is wrong: what is offered in its place is typed there, too.
  func words(typedAs place: TypedPlace) -> String {
    switch self {
    case .unknownCommand(let word, let meant, let known):
      "There is no command \(word). "
        + (meant.isEmpty
          ? "Commands: \(known.joined(separator: ", "))."
          : "Did you mean \(meant.joined(separator: " or "))?")
        + " A store is opened by its path: parley PATH"
    case .unknownRecord(let name, let nearest, let isAlone):
      "No record in conflict is called \(name). "
        + (nearest.isEmpty
          ? (isAlone ? "There are no conflicts." : "See them all: parley list PATH") + "\n" + Self.wayToStuck
          : "Nearest: \(nearest.joined(separator: ", ")).")
    case .ambiguousRecord(let name, let candidates):
      "\(name) could be several records: \(candidates.joined(separator: ", ")). Write more of the name."
    case .recordNeeded:
      "--set needs the name of a record, as parley list shows it, or --find WORDS for all that parley list --find would list."
    case .needsYes(let drafts, let arguments):
      "Nothing was written. To write \(drafts == 1 ? "this draft" : "these \(drafts) drafts"): "
        + "\(confirming(arguments))"
    case .interrupted(let words): words
    case .withoutDraft(let error, let command): DisplayText.safe(error.wordsOfNoDraft(by: command))
    case .undoNeedsYes(let records, let arguments):
      "Nothing was taken back. To take back \(records == 1 ? "this record" : "these \(records) records"): "
        + "\(confirming(arguments))"
    case .interruptedBefore(.undo, let arguments):
      "Nothing was taken back, as an undo was interrupted. To finish that one, and take back no other: \(confirming(arguments))"
    case .interruptedBefore(let act, let arguments):
      "Nothing was taken back, as \(act.withArticle) was interrupted, and what it did is known only once it is finished. "
        + "To finish it, and take back what was written last: \(confirming(arguments))"
    case .unknownFinding(let id):
      "There is no finding \(id). See them all, with their ids: parley doctor PATH"
    case .notFinished(let name, let act, let reason):
      "\(name) is of \(act.withArticle) that was interrupted, and is not finished\(reason.map { ": \($0.asClause)" } ?? ""). "
        + "The next write, undo or mending with --yes tries it again."
    case .findingMoved(let name):
      "\(name) is not what was shown any more. See what is there now: parley doctor PATH"
    case .noOtherSide(let id):
      "Of \(id) no server's side can be taken. --mend without --take does what mends it, if anything does: parley doctor PATH \(id)"
    case .ambiguousFinding(let name, let candidates):
      "\(name) could be several findings: \(candidates.joined(separator: ", ")). Write more of the id."
    case .emptyName: "The name of a record is empty. Give one as parley list shows it."
    case .alreadyWritten(let record, let time, let noUndo):
      "\(record) was written at \(TimeText.seconds(time)), and is no longer in conflict. "
        + (noUndo ?? "To take that back: parley undo PATH \(offered(records: [record]))")
    case .notHexadecimal(let field):
      "blob: takes pairs of hexadecimal digits: \(place.openWay(field, "blob:00ff")). "
        + "For the bytes of a file: \(place.openWay(field, "file:PATH"))."
    case .sideOrText(let field, let text, let side):
      "Is a side meant\(text.map { ", or the word \($0)" } ?? "")? For a side: \(place.way(field, side: side)). "
        + (text.map { "For the word: \(place.openWay(field, "text:\($0)"))." }
          ?? "\(place.name(field)) takes no words.")
    case .nullOrText(let field, let text, true, true):
      "Is NULL meant, or the word \(text)? For NULL: \(place.way(field, "null:")). "
        + "For the word: \(place.openWay(field, "text:\(text)"))."
    case .nullOrText(let field, _, true, false):
      "Is NULL meant? Then say so: \(place.way(field, "null:")). \(place.name(field)) takes no words."
    case .nullOrText(let field, let text, false, _):
      "\(place.name(field)) must have a value. Is the word \(text) meant? Then say so: "
        + "\(place.openWay(field, "text:\(text)"))."
    case .unknownLeaf(let name, let known, let text):
      (name.isEmpty ? "No leaf is named." : "No live leaf of the document is called \(name).")
        + " Live leaves: \(told(known)). \(place.wayToLeaves)" + (text?.words(place) ?? "")
    case .ambiguousLeaf(let name, let candidates, let text):
      "\(name) could be several leaves: \(told(candidates)). Write more of the id."
        + (text?.words(place) ?? "")
    case .leafNotRead(let leaf):
      "What leaf \(leaf) has cannot be read, so nothing can be taken of it. Take another, or give a value."
    case .leafOrText(let field, let text, let leaf?):
      "Is what leaf \(leaf) has meant, or the text \(text)? For the leaf's: \(place.way(field, "leaf:\(leaf)")). "
        + "For the text: \(place.openWay(field, "text:\(text)"))."
    case .leafOrText(let field, let text, nil):
      "\(text) is the id of a deleted leaf, of which nothing can be taken. Is the text meant? Then say so: "
        + "\(place.openWay(field, "text:\(text)"))."
    case .unknownAlternative(let value, let known):
      "The record as a whole cannot be decided by \(value.isEmpty ? "nothing" : value), only by \(listed(known)). What each loses: parley show"
    case .configurationExists(let path):
      "\(path) is there already, and is not overwritten: change it there. parley config prints what can stand in it."
    case .fileExists(let path):
      "\(path) is there already, and is not overwritten. Name another file, or - for standard output."
    case .mendingNeedsYes(let findings, let arguments):
      "Nothing was written. To mend \(findings == 1 ? "this finding" : "these \(findings) findings"): "
        + "\(confirming(arguments))"
    case .needsBytes(let field):
      "\(place.name(field)) holds bytes. Give a file or hexadecimal digits: "
        + "\(place.openWay(field, "file:PATH")) or \(place.openWay(field, "blob:00ff"))."
    case .notText(let path):
      "\(path) is not UTF-8 text, and of a file this field takes its text. Convert it first."
    case .settingsNotText(let path): "\(path) is not UTF-8 text. Save it as UTF-8."
    case .unknownTheme(let name, let known, let isFile):
      "There is no theme \(name). Themes: \(known.joined(separator: ", "))."
        + (isFile ? " The file of that name is meant by ./\(name)." : "")
    case .badTheme(let words): words
    case .decisionsInNoFile(let path, let kind, let command):
      "\(path) is \(kind), where a regular file belongs. Name a file, or give the decisions on standard input: \(command)"
    case .folderNotEmpty(let path):
      "\(path) is not an empty folder, and the sample store would mix with what is there. Name a new folder."
    case .cannotMakeFolder(let path, let detail):
      "The folder \(path) cannot be made: \(detail). Name another one."
    case .needsTerminal(let otherwise):
      "The desk needs a terminal for input and output. Without one: \(otherwise)"
    case .misused(let words), .badConfiguration(let words): words
    case .noTerminal(let words, let otherwise): "\(words) Without a screen: \(otherwise)"
    case .cannotWrite(let path, let detail): "\(path) cannot be written: \(detail). Name another file."
    case .cannotImport(let kind):
      "A store of the kind \(kind) takes in no server records from files. Give a SQLiteData database."
    case .notALog(let path, let detail):
      "\(path) is no place for a log: \(detail). Nothing was written to it, and nothing was done. Name a new file, or a log to go on "
        + "with, by --log FILE or by log: in the configuration."
    case .noFamilies(let record):
      "The \(record)s of this store do not point to each other, so none has a family. Leave out --family."
    case .cannotCapture(let kind):
      "A store of the kind \(kind) keeps its conflicts itself: there is nothing to capture. See them: parley list PATH"
    case .metadataOfDatastore(let path):
      "\(path) is no database of SQLiteData, so it has no metadatabase. Leave --metadata out."
    case .outboxOfDatastore(let path):
      "\(path) is no database of SQLiteData, so it has no outbox. Leave --outbox out: drafts are written directly."
    case .ancestorsOfFile(let path):
      "\(path) is no database on a server, and keeps the ancestors that it has itself. Leave --ancestors out."
    case .authoritiesOfFile(let path):
      "\(path) is no database on a server, and needs no certificates. Leave --ca out."
    case .authoritiesOfOpenLine(let path):
      "\(path) is asked over http, which knows no certificates and hides nothing on its way. Name it by https, or leave --ca out."
    case .noAuthorities(let file, let reason):
      "\(file) names no certificate to trust: \(reason). Give --ca a file with certificates in PEM, as openssl and browsers save them."
    case .indexOfOther(let path):
      "\(path) is no container of SMSyncServer, and knows of no other index. Leave --index out."
    case .copyOfOther(let path):
      "\(path) is no container of SMSyncServer, and is written where it is. Leave --copy out; to be careful, "
        + (ServerAddress.isMeant(by: path)
          ? "look first at what parley write prints without --yes" : "copy its files yourself.")
    case .copyIsThere(let path, let store):
      StoreError.copyIsThere(path: path).words + " To write into it: parley write \(store) --yes"
    case .directIntoContainer(let path):
      "\(path) is an app's container, which is never written. Leave --direct out: the decisions go into the outbox; or write a copy "
        + "of it: --copy DIR."
    case .outboxOfCopy(let path):
      "\(path) is a copy, whose store is written itself. Leave --outbox out; the outbox is the original's."
    case .serverNotWritten:
      "The sample of CouchDB is a server that ends with the desk, and no file. Leave --write out."
    case .noOutbox(let path):
      "The app of \(path) has no table parley_outbox. Leave --outbox out: drafts are written directly, with the app closed. "
        + "The SQL that makes the table: parley capture PATH"
    case .neverWritten(let name, let nearest, let isAlone):
      "No record called \(name) was written. "
        + (isAlone
          ? "Nothing was."
          : nearest.isEmpty
            ? "See them all: parley log PATH" : "Nearest: \(nearest.joined(separator: ", ")).")
    case .notLogged(let name, let nearest, let isAlone):
      "The log tells of no record called \(name), and none in conflict is called so. "
        + (isAlone
          ? "It is empty."
          : nearest.isEmpty
            ? "See what it tells: parley log PATH" : "Nearest: \(nearest.joined(separator: ", ")).")
    case .nothingToUndo(let path, let records, let takenBack):
      "There is no write\(ofThem(records)) to undo"
        + (takenBack.map { " any more: the last was taken back at \(TimeText.seconds($0))" } ?? "")
        + ". See what was done: parley log \(shellQuotedPath(path))"
    case .notWrittenBySQL(let path):
      "\(path) is not written by SQL. The drafts as JSON: parley write PATH --dry-run --json"
    case .noPlaceForConfiguration:
      "There is no place for a configuration: neither HOME nor XDG_CONFIG_HOME is set. Print it, and put it where you like."
    case .valueRefused(let record, let field, let reason):
      "\(record), field \(field.wholeName): The write would refuse this value: \(reason.asClause). Nothing was decided; give another one, "
        + "or take another side."
    case .badDecision(let line, let reason):
      "Line \(line) of the decisions cannot be read: \(reason). None was taken; mend the line and apply the file again."
    case .cannotPrint(let detail):
      "The output could not be printed: \(detail). What was decided or written before is kept; see parley log."
    case .tooFewFiles(let allowed, let needed):
      "A process may have only \(allowed) files open here, and Parley needs up to \(needed). Nothing was done. Allow it more: "
        + "ulimit -n \(needed)"
    }
  }
}

/// A document may have hundreds of leaves, and the first and the last tell what such a name looks like.
private func listed(_ choices: [String]) -> String { "--set " + told(choices) }

private func told(_ names: [String]) -> String {
  let more = names.count - 12
  let told = more > 0 ? names.prefix(11) + ["\(more) more"] + names.suffix(1) : names[...]
  return told.joined(separator: ", ")
}

/// The command that was given, with --yes: whoever confirms gets what was shown, and nothing beside it. Behind `--` it would
/// be the name of a record.
private func confirming(_ arguments: [String]) -> String {
  var arguments = arguments
  arguments.insert("--yes", at: arguments.firstIndex(of: "--") ?? arguments.endIndex)
  return (["parley"] + arguments).map(shellQuoted).joined(separator: " ")
}

/// A path as a person can paste it into a shell: one that begins with a dash would be taken for an option.
func shellQuotedPath(_ path: String) -> String { shellQuoted(path.hasPrefix("-") ? "./" + path : path) }

/// " of Coffee", and of none nothing.
private func ofThem(_ records: [String]) -> String {
  records.count > 1 ? " of these records" : records.first.map { " of \($0)" } ?? ""
}

/// What names records in a command that is offered, after its options: one that begins with a dash would be taken for an option.
func offered(records: [String]) -> String {
  let names = records.map { shellQuoted($0) }.joined(separator: " ")
  return records.contains { $0.hasPrefix("-") } ? "-- \(names)" : names
}

/// A word as a person can paste it into a shell. One with characters that cannot be printed, or are not where the locale is not UTF-8,
/// is written byte by byte: what stands for them would name another file. Of one that begins with = zsh takes the rest for a command.
func shellQuoted(_ word: String) -> String {
  let isShown = DisplayText.isSafe(word) && LineWriter.Letters.sent.allSatisfy { $0.keep(word) }
  if !isShown { return shellPrinted(word) }
  let isPlain = word.utf8.allSatisfy { isPlainForShell($0) }
  return isPlain && !word.isEmpty && !word.hasPrefix("=")
    ? word
    : "'" + word.replacingEach("'", with: "'\\''") + "'"
}

/// Printed by the shell itself, as any can: `"$(printf '\303\251')"`. That takes line breaks at the end away, so what has them there is
/// as bash, zsh and ksh read it: `$'\303\251\012'`.
private func shellPrinted(_ word: String) -> String {
  let bytes = word.utf8.map(escapedForShell).joined()
  if word.utf8.last == UInt8(ascii: "\n") { return "$'\(bytes)'" }
  let endOfOptions = word.utf8.first == UInt8(ascii: "-") ? "-- " : ""
  return "\"$(printf \(endOfOptions)'" + bytes.replacingEach("%", with: "%%") + "')\""
}

private func escapedForShell(_ byte: UInt8) -> String {
  if isPlainForShell(byte) || byte == UInt8(ascii: " ") { return String(Unicode.Scalar(byte)) }
  let digits = String(byte, radix: 8)
  return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
}

private func isPlainForShell(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "._-/+@%,:=".utf8.contains(byte)
  }
}
