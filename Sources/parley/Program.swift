import ArgumentParser
import Foundation
import SQLiteFiles
import StoreInterface
import Telling
import Terminal

/// A command of the program, after its arguments were read.
protocol ParleyCommand: ParsableCommand {
  /// Whether the arguments can be meant together. Not the parser's `validate()`, which is asked before an option that nobody
  /// knows is told: whoever mistyped one would be told what is missing.
  ///
  /// - Throws: `ValidationError`
  func check() throws
  /// Every change is durable before the first byte is printed, so that a closed pipe cannot stop one half way.
  func perform(in surroundings: Surroundings) throws -> ExitStatus
}

extension ParleyCommand {
  func check() throws {}
}

/// From arguments to an exit status; nothing is thrown, and nothing ends the process.
enum Program {
  /// - Parameter check: whether the arguments are as they were typed.
  static func run(
    _ arguments: [String], in surroundings: Surroundings, check: () throws -> Void = {}
  ) -> ExitStatus {
    var surroundings = surroundings
    surroundings.typed = arguments
    surroundings.open = { [open = surroundings.open, opened = surroundings.opened] request in
      opened.take(request)
      let store = try open(request)
      opened.take(store)
      return store
    }
    defer { Interruption.release() }
    let letters = [surroundings.output.letters, surroundings.errors.letters]
    let status = LineWriter.Letters.$sent.withValue(letters) { outcome(arguments, in: surroundings, check) }
    surroundings.log.note(
      "\(LogBook.heading(arguments, surroundings.environment)): ends with \(status.rawValue)")
    return status
  }

  private static func outcome(
    _ arguments: [String], in surroundings: Surroundings, _ check: () throws -> Void
  ) -> ExitStatus {
    do {
      try check()
      let status = try perform(arguments, in: surroundings)
      try surroundings.output.flush()
      return status
    } catch {
      surroundings.log.note("failed, \(LogBook.name(of: error))")
      return report(error, surroundings)
    }
  }

  private static func report(_ error: any Error, _ surroundings: Surroundings) -> ExitStatus {
    switch error {
    case StoreError.stopped: report(surroundings.opened.unchanged, .interrupted, surroundings)
    // One line, whatever a path or a record's name has in it.
    case let error as StoreError:
      report(DisplayText.safe(surroundings.opened.told(error).words), ExitStatus(error), surroundings)
    case let error as CommandError: report(error.words, error.status, surroundings)
    default: report(parsing: error, surroundings)
    }
  }

  private static func perform(_ arguments: [String], in surroundings: Surroundings) throws -> ExitStatus {
    if arguments.isEmpty { throw CommandError.misused(words: Parley.start) }
    let output = surroundings.output
    if let text = try Parley.text(
      asked: arguments, isBroken: output.width != nil, isASCII: output.isASCII)
    {
      try output.print(whole: text)
      return .nothingLeft
    }
    try Parley.checkCommand(arguments)
    try DashedWord.check(arguments)
    var surroundings = surroundings
    surroundings.arguments = arguments.map(ServerOpening.hidingLogin)
    switch try Parley.command(of: arguments) {
    case .own(let command):
      try check(command, arguments)
      try OpenFileLimit.check()
      return try surroundings.tellingWaits { try command.perform(in: surroundings) }
    case .parsers(var command):
      try command.run()
      return .nothingLeft
    }
  }

  private static func check(_ command: any ParleyCommand, _ arguments: [String]) throws {
    do {
      try StoreOptions.checkGivenOnce(in: arguments)
      try command.check()
    } catch let error as ValidationError {
      throw CommandError.misused(words: "\(error.message)\n\(Parley.usage(of: type(of: command)))")
    }
  }

  /// What the argument parser throws: a usage error, or a help text or version somebody asked for. Anything else is an
  /// error that no layer below put into words, and is told as it is.
  private static func report(parsing error: any Error, _ surroundings: Surroundings) -> ExitStatus {
    let text = Spelling.corrected(Parley.fullMessage(for: error), of: surroundings.typed.first ?? "")
    switch Parley.exitCode(for: error) {
    case .success: return printHelp(text, surroundings)
    case .validationFailure:
      let label = "Error: "
      return report(text.hasPrefix(label) ? String(text.dropFirst(label.count)) : text, .usage, surroundings)
    default: return report("\(error)", .cannotOpen, surroundings)
    }
  }

  private static func printHelp(_ text: String, _ surroundings: Surroundings) -> ExitStatus {
    do {
      try surroundings.output.print(lines: text)
      try surroundings.output.flush()
      return .nothingLeft
    } catch let error as CommandError {
      return report(error.words, error.status, surroundings)
    } catch {
      return report("\(error)", .cannotOpen, surroundings)
    }
  }

  /// A failing standard error leaves nobody to tell, but the status still does. What was printed before and is lost is told in
  /// place of the rest: nobody should confirm what they have not seen.
  private static func report(_ words: String, _ status: ExitStatus, _ surroundings: Surroundings)
    -> ExitStatus
  {
    var (words, status) = (words, status)
    do {
      try surroundings.output.flush()
    } catch {
      let lost = error as? CommandError ?? .cannotPrint(detail: "\(error)")
      (words, status) = (lost.words, lost.status)
    }
    let told = ServerOpening.withoutPasswords(surroundings.opened.filling(words), surroundings.typed)
    try? surroundings.errors.print(lines: "parley: " + told)
    try? surroundings.errors.flush()
    return status
  }
}

/// The program. Everything it does is in ``Program``, which tests call with surroundings of their own.
@main
struct Main {
  @MainActor static func main() {
    // A reader that has seen enough (`parley list | head -1`) ends us quietly, whatever our parent had set.
    signal(SIGPIPE, SIG_DFL)
    // What is larger than this user may make a file is told like a full disk, and nothing stays by half.
    signal(SIGXFSZ, SIG_IGN)
    holdStandardDescriptors()
    SQLiteMemory.leaveUncounted()
    let typed = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let status = Program.run(Array(CommandLine.arguments.dropFirst()), in: .live()) {
      try TypedBytes.check(Array(typed))
    }
    leave(status)
  }

  /// Without what `exit` does at the end, but for what is still to be printed: it takes libraries apart while the desk's
  /// background may be reading a store by them.
  private static func leave(_ status: ExitStatus) -> Never {
    // Nor while it is in the middle of a commit, which whoever leaves the desk twice, or closes its terminal, does not wait for.
    CommitGate.close()
    fflush(nil)
    _exit(status.rawValue)
  }

  /// The next file that is opened takes the lowest free number: with standard output closed, that would be a database. The
  /// place is held in the direction that nobody uses, so that printing still fails, and is told.
  private static func holdStandardDescriptors() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }
}
