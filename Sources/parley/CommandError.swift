/// What can be wrong with a command beside its store. Facts; the words are below.
enum CommandError: Error, Equatable {
  case unknownCommand(String, meant: [String], known: [String])
  case unknownRecord(String, nearest: [String])
  case ambiguousRecord(String, candidates: [String])
  case recordNeeded
  case needsYes(drafts: Int, path: String)
  case unknownFinding(String)
  case mendingNeedsYes(findings: Int, path: String)
  case needsBytes(field: String)
  case notText(path: String)
  case unknownTheme(String, known: [String])
  case badTheme(words: String)
  case folderNotEmpty(path: String)
  case cannotMakeFolder(path: String, detail: String)
  case needsTerminal(otherwise: String)
  case noTerminal(words: String)
  case cannotWrite(path: String, detail: String)
  case badConfiguration(words: String)
  case cannotPrint(detail: String)
  case cannotImport(kind: String)
  case cannotCapture(kind: String)
  case metadataOfDatastore(path: String)
  case outboxOfDatastore(path: String)
  case neverWritten(String, nearest: [String])
}

extension CommandError {
  var status: ExitStatus {
    switch self {
    case .unknownCommand, .unknownRecord, .ambiguousRecord, .recordNeeded, .needsYes, .unknownFinding,
      .mendingNeedsYes,
      .needsBytes, .notText, .unknownTheme,
      .folderNotEmpty, .cannotImport, .cannotCapture, .metadataOfDatastore, .outboxOfDatastore, .neverWritten:
      .usage
    case .badTheme, .cannotMakeFolder, .needsTerminal, .noTerminal, .cannotWrite, .badConfiguration,
      .cannotPrint:
      .cannotOpen
    }
  }

  /// What happened, and the way out.
  var words: String {
    switch self {
    case .unknownCommand(let word, let meant, let known):
      "There is no command \(word). "
        + (meant.isEmpty
          ? "Commands: \(known.joined(separator: ", "))."
          : "Did you mean \(meant.joined(separator: " or "))?")
        + " A store is opened by its path: parley PATH."
    case .unknownRecord(let name, let nearest):
      "No record in conflict is called \(name). "
        + (nearest.isEmpty ? "There are no conflicts." : "Nearest: \(nearest.joined(separator: ", ")).")
    case .ambiguousRecord(let name, let candidates):
      "\(name) could be several records: \(candidates.joined(separator: ", ")). Write more of the name."
    case .recordNeeded:
      "--set needs the name of a record. Give one as parley list shows it."
    case .needsYes(let drafts, let path):
      "Nothing was written. To write \(drafts == 1 ? "this draft" : "these \(drafts) drafts"): "
        + "parley write \(shellQuoted(path)) --yes."
    case .unknownFinding(let id):
      "There is no finding \(id). See them all, with their ids: parley doctor PATH."
    case .mendingNeedsYes(let findings, let path):
      "Nothing was written. To mend \(findings == 1 ? "this finding" : "these \(findings) findings"): "
        + "parley doctor \(shellQuoted(path)) --mend --yes."
    case .needsBytes(let field):
      "\(field) holds bytes. Give a file or hexadecimal digits: --set '\(field)=file:PATH' or '\(field)=blob:00ff'."
    case .notText(let path):
      "\(path) is not UTF-8 text, and the field holds text. Convert the file first."
    case .unknownTheme(let name, let known):
      "There is no theme \(name). There are \(known.joined(separator: ", "))."
    case .badTheme(let words):
      words
    case .folderNotEmpty(let path):
      "\(path) is not an empty folder, and the sample store would mix with what is there. Name a new folder."
    case .cannotMakeFolder(let path, let detail):
      "The folder \(path) cannot be made: \(detail). Name another one."
    case .needsTerminal(let otherwise):
      "The desk needs a terminal for input and output. Without one: \(otherwise)."
    case .noTerminal(let words), .badConfiguration(let words): words
    case .cannotWrite(let path, let detail):
      "\(path) cannot be written: \(detail). Name another file."
    case .cannotImport(let kind):
      "A store of the kind \(kind) takes in no server records from files. Give a SQLiteData database."
    case .cannotCapture(let kind):
      "A store of the kind \(kind) keeps its conflicts itself: there is nothing to capture. See them: parley list PATH."
    case .metadataOfDatastore(let path):
      "\(path) is a Cloudant datastore, which has no metadatabase. Leave --metadata out."
    case .outboxOfDatastore(let path):
      "\(path) is a Cloudant datastore, which has no outbox. Leave --outbox out: drafts are written directly, with the app closed."
    case .neverWritten(let name, let nearest):
      "No record called \(name) was written. "
        + (nearest.isEmpty ? "Nothing was." : "Nearest: \(nearest.joined(separator: ", ")).")
    case .cannotPrint(let detail):
      "The output could not be printed: \(detail). What was decided or written before is kept; see parley log."
    }
  }
}

/// A path as a person can paste it into a shell.
func shellQuoted(_ path: String) -> String {
  let isPlain = path.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "._-/+@%,:=".utf8.contains(byte)
    }
  }
  return isPlain && !path.isEmpty
    ? path
    : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
