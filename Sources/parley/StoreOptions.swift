import ArgumentParser
import ExactJSON
import Merging
import SQLiteDataStores
import Terminal

/// Which store a command works on. Shared by all that open one.
struct StoreOptions: ParsableArguments {
  @Argument(
    help:
      "The app database; of Cloudant Sync also a datastore's folder; of CouchDB the URL of a database; of SMSyncServer the app's container.",
    completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp(
      "Use this metadatabase instead of the one beside the database.", valueName: "file"),
    completion: .file())
  var metadata: String?

  @Option(
    help: ArgumentHelp(
      "Certificates to trust, in PEM, instead of the system's; for a database on a server.", valueName: "file"
    ), completion: .file())
  var ca: String?

  @Option(
    name: [.long, .customLong("ancestor")],
    help: ArgumentHelp(
      "Another replica that may still have the ancestors a server has compacted: a local datastore, or a URL; of SMSyncServer a folder with texts of earlier versions.",
      valueName: "path"), completion: .file())
  var ancestors: String?

  @Option(
    help: ArgumentHelp(
      "What an SMSyncServer has of each file: its answer to GetFileIndex, or lines of mongoexport.",
      valueName: "file"), completion: .file())
  var index: String?

  @Option(
    help: ArgumentHelp(
      "Note every call and how it ended at the end of this file, for a bug report: no value, title, key or path.",
      valueName: "file"), completion: .file())
  var log: String?

  func validate() throws {
    if ancestors?.isEmpty == true {
      throw ValidationError("The path of --ancestors is empty. Give that of another replica.")
    }
    if index?.isEmpty == true {
      throw ValidationError("The path of --index is empty. Give that of the server's index.")
    }
    if path.isEmpty {
      throw ValidationError("The path of the store is empty. Give that of the app's database.")
    }
  }

  /// Those that name what is read, made or decided, each with all its names.
  private static let givenOnce = [
    ["--ancestors", "--ancestor"], ["--index"], ["--copy"], ["--metadata"], ["--ca"], ["--find"],
  ]

  /// The parser takes the last of several, and of two nobody would see which counted.
  ///
  /// - Throws: `ValidationError`
  static func checkGivenOnce(in arguments: [String]) throws {
    let options = arguments.prefix { $0 != "--" }.map { $0.prefix { $0 != "=" } }
    for names in givenOnce where options.count(where: { names.contains(String($0)) }) > 1 {
      let name = ([names[0]] + names.dropFirst().map { "(or \($0))" }).joined(separator: " ")
      throw ValidationError("\(name) can be given once: leave out all but one.")
    }
  }

  /// For a command that is offered.
  var quoted: String { request(.reading).quoted }

  func request(
    _ access: StoreRequest.Access, _ suggesting: SuggestionOptions? = nil, _ writing: RouteOptions? = nil
  ) -> StoreRequest {
    StoreRequest(
      path: path, metadatabase: metadata, tie: suggesting?.tie, access: access, authorities: ca,
      ancestors: ancestors, index: index, log: log,
      route: writing?.route?.route)
  }
}

/// What the commands that suggest something have beside it.
struct SuggestionOptions: ParsableArguments {
  @Option(help: "Which side is suggested where both edits carry the same time: client or server.")
  var tie: TieRule?
}

/// What the commands that write drafts have beside it.
struct RouteOptions: ParsableArguments {
  @Flag(help: "How drafts are written: into the app's outbox (the default where it has one), or directly.")
  var route: RouteOption?
}

/// `--outbox` or `--direct`.
enum RouteOption: String, EnumerableFlag {
  case outbox, direct

  var route: WriteRoute { self == .outbox ? .outbox : .direct }
}

/// `--json` of the commands that print data.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object a line.")
  var json = false

  /// One object, or what a person reads of the same.
  func tell(_ json: @autoclosure () -> JSON, or lines: @autoclosure () -> [String], _ output: LineWriter)
    throws
  {
    if self.json { return try output.print(json()) }
    for line in lines() { try output.print(line) }
  }
}

struct DeskOptions: ParsableArguments {
  @Option(name: .customLong("color"), help: "Colours: always, never, or as the terminal and NO_COLOR say.")
  var colour: ColourChoice?

  @Option(
    help: ArgumentHelp(
      "A theme by its name; parley themes lists them. With a / the path of a file.", valueName: "name"),
    completion: .list(Theme.builtInNames))
  var theme: String?

  @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
  var noMouse = false

  @Flag(help: "Send ASCII alone, as is done where the locale is not UTF-8.")
  var ascii = false
}

/// `--read-only` of the desk.
struct AccessOptions: ParsableArguments {
  @Flag(name: .customLong("read-only"), help: "Look and decide, and never write to the store.")
  var isReadOnly = false

  var access: StoreRequest.Access { isReadOnly ? .reading : .writing }
}

/// `--plain` of the commands that open the desk on a store.
struct LinearOptions: ParsableArguments {
  @Flag(help: "Ask line by line, for screen readers, dumb terminals and pipes: nothing is drawn.")
  var plain = false
}

extension TieRule: ExpressibleByArgument {}
extension ColourChoice: ExpressibleByArgument {}
