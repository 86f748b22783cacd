import CouchDBStores
import ExactJSON
import Foundation
import Merging
import SMSyncStores
import SQLiteDataStores
import SQLiteFiles
import Samples
import StoreInterface
import Telling
import Terminal

/// Everything outside that a command may touch, so that a test can stand in for all of it.
struct Surroundings {
  /// The command line that is carried out, without the program's name, and without what is secret in it.
  var arguments: [String] = []
  /// As it was typed: never to be shown.
  var typed: [String] = []
  var output: LineWriter
  var errors: LineWriter
  var input = LineReader(source: LineReader.standardInput)
  var log = LogBook()
  var redaction: Redaction
  /// Whether standard error is a terminal, where somebody waits.
  var isWatched: Bool
  /// The columns of the terminal that standard output is; nil if it is none, and lines are not cut.
  var width: Int?
  var environment: [String: String]
  /// Nanoseconds since 1970.
  var now: @Sendable () -> Int64
  var open: (StoreRequest) throws -> any ConflictStore
  /// The store that was opened, for the ways out that are offered.
  var opened = OpenedStore()
  /// Makes a sample store in a folder, and returns the path of its database.
  var makeDemo: (_ kind: DemoKind, _ folder: String, _ now: Int64) throws -> String
  /// Throws for what is no container, before anything else is asked of it.
  var checkIsContainer: (StoreRequest) throws -> Void
  /// Throws where ``copyContainer`` could not make one in this folder now; makes nothing.
  var checkCopy: (StoreRequest, _ folder: String) throws -> Void
  /// Copies a container into a new folder, and returns how the copy is opened, what is told about it, and what was made.
  var copyContainer:
    (StoreRequest, _ folder: String) throws -> (request: StoreRequest, told: [String], made: MadeInFolder?)
}

extension Surroundings {
  /// Asks which of several is meant; nil if nobody is there to say so, or says something else.
  func choose(_ names: [String], _ question: String) throws -> String? {
    guard isWatched, isatty(STDIN_FILENO) == 1, !names.isEmpty else { return nil }
    try errors.print(question)
    for (index, name) in names.enumerated() { try errors.print("  \(index + 1)  \(name)") }
    try errors.print("Which number?")
    try errors.flush()
    guard let line = readLine(), let number = Int(line), names.indices.contains(number - 1) else {
      return nil
    }
    return names[number - 1]
  }
}

enum DemoKind: String, CaseIterable {
  case sqlitedata, cloudant, android, couchdb, smsync

  /// What makes one that stays, but for its folder; nil for a server, which ends with the desk.
  var command: String? {
    switch self {
    case .sqlitedata: "parley demo --write"
    case .cloudant, .android, .smsync: "parley demo --store \(rawValue) --write"
    case .couchdb: nil
    }
  }
}

struct StoreRequest: Equatable {
  enum Access {
    /// Never writes to the store.
    case reading
    case writing
  }

  var path: String
  /// The metadatabase that is used instead of the one beside the database.
  var metadatabase: String?
  /// Which side a tie suggests; nil leaves it to the configuration.
  var tie: TieRule?
  var access: Access
  /// The certificates to trust, of a store on a server; nil: the system's.
  var authorities: String?
  /// Who asks the server; nil: as the path, the environment or a person tells.
  var login: ServerAddress.Login?
  /// Where what is kept of a server's store lies, if not where it does for everybody.
  var home: String?
  /// Another replica, which may have the ancestors that a server has compacted; of SMSyncServer a folder of texts.
  var ancestors: String?
  /// The server's own index, saved as a file.
  var index: String?
  /// The file of the log; nil leaves it to the configuration.
  var log: String?
  /// How drafts are written; nil leaves it to the store.
  var route: WriteRoute?
  /// What it is opened for.
  var use = Use.command

  /// Each has its own way to finish what was interrupted. A screen tells of that by itself, and that it is finished.
  enum Use { case command, lines, screen }

  /// Before anything is said of what it is not.
  ///
  /// - Throws: ``StoreError/notFound(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``
  func checkIsThere() throws {
    if FileStatus(path: path) == nil { throw StoreError.missing(path) }
  }

  /// How another command names the same store.
  var quoted: String {
    let others = [
      ("--ca", authorities), ("--ancestors", ancestors.map(ServerOpening.hidingLogin)), ("--index", index),
      ("--metadata", metadatabase),
    ]
    let options = others.compactMap { name, path in path.map { "\(name) \(shellQuotedPath($0))" } }
    return ([shellQuotedPath(shownPath)] + options).joined(separator: " ")
  }
}

/// Lines of text on their way out, in blocks. The one place through which names and values reach a terminal or a pipe.
final class LineWriter {
  private var pending: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void
  private static let blockSize = 32 * 1024
  private(set) var letters: Letters
  private let measure: () -> Int?
  /// Of the terminal it leads to as that is now, which would break a longer line within a word; nil elsewhere.
  var width: Int? { measure() }

  /// - Parameters:
  ///   - width: asked for with each line, as somebody may make the terminal narrower meanwhile.
  ///   - sink: takes all of its bytes, or throws.
  init(
    _ letters: Letters = .all, width: @escaping @autoclosure () -> Int? = nil,
    sink: @escaping ([UInt8]) throws -> Void
  ) {
    (self.letters, self.measure, self.sink) = (letters, width, sink)
  }

  /// What is sent of all characters there are.
  enum Letters {
    case all
    /// All but the signs that Parley has itself, in whose place ASCII goes, also where they stand in a value.
    case allButSigns
    case ascii

    /// Of all that the command that runs prints with.
    @TaskLocal static var sent: [Letters] = []

    /// Whether a word is sent with all that it has.
    func keep(_ word: String) -> Bool {
      switch self {
      case .all: true
      case .allButSigns: ASCII.signs(in: word) == word
      case .ascii: word.utf8.allSatisfy { $0 < 0x80 }
      }
    }
  }

  func sendASCII() { letters = .ascii }

  var isASCII: Bool { letters == .ascii }

  /// What stands before the end of a name that is cut, and is typed again: what stands for … elsewhere is a redirection to a shell.
  var cutSign: String { letters == .all ? "…" : ".." }

  /// One line, made safe: nothing in it can move a cursor, hide, or turn the writing direction.
  func print(_ line: String) throws {
    let line = shown(line)
    for line in width.map({ BrokenLine.lines(line, width: $0) }) ?? [line] { try printExactly(line) }
  }

  private func shown(_ line: String) -> String {
    switch letters {
    case .all: DisplayText.safe(line)
    case .allButSigns: ASCII.signs(in: DisplayText.safe(line))
    case .ascii: ASCII.text(line)
    }
  }

  /// A text of several lines, each made safe.
  func print(lines text: String) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try print(String(line)) }
  }

  /// A text of Parley's own. A file has it with all its signs, whatever the locale: it is kept, packed and read elsewhere.
  func print(whole text: String) throws {
    if letters == .allButSigns { try printExactly(text) } else { try print(lines: text) }
  }

  /// JSON escapes by itself what is not safe.
  func print(_ json: JSON) throws {
    try json.forEachPiece { [self] piece in
      pending += piece
      if pending.count > LineWriter.blockSize { try flush() }
    }
    try printExactly("")
  }

  /// What another program reads, byte for byte: SQL, YAML, a recording. Whoever prints it answers for what is in it.
  func printExactly(_ text: String) throws {
    pending += Array(text.utf8)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > LineWriter.blockSize { try flush() }
  }

  /// What somebody asked for as it is, such as the bytes of an attachment.
  func write(_ bytes: [UInt8]) throws {
    try flush()
    try sink(bytes)
  }

  /// A line that is shown at once and written over by the next.
  ///
  /// - Parameter blanks: how many columns behind it are cleared. The cursor goes back to the text's end: what a terminal shows of a Ctrl-C
  ///   comes there, where the next line clears it.
  func show(overwriting text: String, clearing blanks: Int) throws {
    let line = "\r" + shown(text)
    pending += Array((line + String(repeating: " ", count: blanks) + line).utf8)
    try flush()
  }

  func flush() throws {
    guard !pending.isEmpty else { return }
    defer { pending.removeAll(keepingCapacity: true) }
    try sink(pending)
  }
}

extension Surroundings {
  /// The real ones: standard output and error, the system's clock, stores on the disk.
  static func live(
    output: LineWriter? = nil, errors: LineWriter? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    isWatched: Bool = isatty(STDERR_FILENO) == 1, pause: UInt32 = 50_000, redaction: Redaction? = nil
  ) -> Surroundings {
    let log = LogBook()
    let output = output ?? .to(STDOUT_FILENO, environment)
    let errors = errors ?? .to(STDERR_FILENO, environment)
    let redaction = redaction ?? .kept(environment)
    let opening = StoreOpening(
      errors: errors, log: log, redaction: redaction, environment: environment, isWatched: isWatched,
      pause: pause)
    return Surroundings(
      output: output, errors: errors, log: log, redaction: redaction, isWatched: isWatched,
      width: terminalWidth(STDOUT_FILENO), environment: environment, now: WallClock.now,
      open: opening.open, makeDemo: { try makeDemo($0, in: $1, now: $2) },
      checkIsContainer: ContainerOpening.checkIsContainer,
      checkCopy: { try ContainerOpening.checkCopy($0, into: $1) },
      copyContainer: { try copy($0, into: $1, errors, isWatched: isWatched) })
  }

  /// A container may have gigabytes of pictures.
  private static func copy(
    _ request: StoreRequest, into folder: String, _ errors: LineWriter, isWatched: Bool
  ) throws -> (request: StoreRequest, told: [String], made: MadeInFolder?) {
    // Not checked, because what is told on the way is told by this thread.
    nonisolated(unsafe) let line = ProgressLine(errors, isShown: isWatched)
    let outer = StoreCall.current
    let result = Interruption.heard { isWanted in
      let call = StoreCall(
        // Where a command listens around this it alone hears of the signal.
        isWanted: { isWanted() && outer.end(of: folder) == nil },
        hear: { progress in
          let percent = progress.done * 100 / max(1, progress.all)
          try? line.show("Copying the container: \(percent) %. Ctrl-C leaves nothing of the copy.")
        })
      return Result { try call.answered { try ContainerOpening.copy(request, into: folder) } }
    }
    try line.end()
    return try result.get()
  }

  private static func makeDemo(_ kind: DemoKind, in folder: String, now: Int64) throws -> String {
    switch kind {
    case .sqlitedata: try DemoStore.make(in: folder, now: now)
    case .cloudant: try CloudantDemoStore.make(in: folder, now: now)
    case .android: try CloudantDemoStore.make(in: folder, now: now, isAndroid: true)
    case .couchdb: throw CommandError.serverNotWritten
    case .smsync: try ContainerDemoStore.make(in: folder)
    }
  }

  static func terminalWidth(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  fileprivate static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        waitForRoom(in: descriptor)
      } else if errno != EINTR {
        throw CommandError.cannotPrint(detail: systemError())
      }
    }
  }

  /// Whoever gave us the descriptor may have made it non-blocking, for its own end of a pipe or terminal: a slow reader is then
  /// waited for like any other.
  private static func waitForRoom(in descriptor: Int32) {
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&room, 1, -1)
  }
}

extension Surroundings {
  /// Of a store that keeps no conflicts, or of which not all is here, it is no answer that there are none: who reads that from a pipe is
  /// told, too.
  func tellUnseen(in store: StoreInfo) throws {
    guard let unseen = store.unseen else { return }
    try errors.print("parley: \(unseen)")
    try errors.flush()
  }
}

/// How another command names the store that this one has opened, or tried to, and how its errors name records.
final class OpenedStore {
  private var request: StoreRequest?
  private var info: StoreInfo?
  /// What an error may tell.
  var privacy = Privacy.open
  /// Whether this command has finished what was interrupted before.
  var isFinished = false
  /// Those that are offered where the store is not at hand, with `PATH` in its place.
  private static let offered = ["list", "doctor", "log", "undo", "show", "resolve", "write", "capture"]

  func take(_ request: StoreRequest) { self.request = request }
  func take(_ store: any ConflictStore) { info = store.info }

  /// What is told where Ctrl-C stopped what was asked for, and nothing of that was done.
  var unchanged: String { isFinished ? Interruption.unchangedElse : Interruption.unchanged }

  /// A store that was never opened has told of no record.
  func told(_ error: StoreError) -> StoreError { info.map { privacy.told(error, in: $0) } ?? error }

  /// Words with the store in the place of `PATH`.
  func filling(_ words: String) -> String { filling()(words) }

  /// The same for another thread, as the store is called now.
  func filling() -> @Sendable (String) -> String {
    let (quoted, offered) = (request?.quoted, OpenedStore.offered)
    return { words in
      guard let quoted else { return words }
      return offered.reduce(words) { $0.replacing("parley \($1) PATH", with: "parley \($1) \(quoted)") }
    }
  }
}

extension LineWriter {
  /// Standard output or error. Into a pipe letters go as they are whatever the locale is: another program may read them.
  fileprivate static func to(_ descriptor: Int32, _ environment: [String: String]) -> LineWriter {
    let isUTF8 = !ASCII.isAllThatIsShown(in: environment)
    let isTerminal = isatty(descriptor) == 1
    let letters: Letters = isUTF8 ? .all : isTerminal ? .ascii : .allButSigns
    return LineWriter(letters, width: isTerminal ? Surroundings.terminalWidth(descriptor) : nil) {
      try Surroundings.write($0, to: descriptor)
    }
  }
}

/// The name `write` is taken inside the type.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
