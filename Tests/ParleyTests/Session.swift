import Foundation
import Merging
import SQLiteDataStores
import StoreInterface
import Synchronization
import Telling

@testable import parley

/// Swift Testing has an `ExitStatus` of its own.
typealias Status = parley.ExitStatus

/// The program, run inside the test with surroundings of the test's own.
struct Session {
  var store: WatchedStore
  var width: Int?
  var openError: StoreError?
  var environment: [String: String] = [:]
  /// Whether standard error is a terminal.
  var isWatched = false
  /// Nanoseconds since 1970.
  var now = Samples.time(20000)
  /// In its place, where each look at it has to be another.
  var clock: (@Sendable () -> Int64)?
  /// What standard input has.
  var input = ""
  /// In its place.
  var reader: LineReader?
  var redaction = Redaction.fixed
  /// Called with the folder of a sample store.
  var onDemo: (String) -> Void = { _ in }

  init(_ conflicts: [RecordConflict] = [Samples.dentist, Samples.milk, Samples.invoice]) {
    store = WatchedStore(conflicts)
  }

  init(store: WatchedStore) { self.store = store }

  /// - Parameter arguments: as on a command line; words are parted by one space.
  func run(_ arguments: String) -> Run { run(arguments.split(separator: " ").map(String.init)) }

  func run(_ arguments: [String]) -> Run {
    Run(arguments) { output, errors in
      Surroundings(
        output: output, errors: errors, input: reader ?? .of(input), redaction: redaction,
        isWatched: isWatched, width: width,
        environment: environment, now: { [now, clock] in clock?() ?? now },
        open: { [store, openError] _ in
          if let openError { throw openError }
          return store
        },
        makeDemo: { [onDemo] _, folder, _ in
          onDemo(folder)
          return folder + "/demo.sqlite"
        },
        checkIsContainer: { _ in }, checkCopy: { _, _ in },
        copyContainer: { request, _ in (request, [], nil) })
    }
  }
}

/// The program, run inside the test on stores on the disk. What it prints, its exit status and the files it leaves are those
/// of the built program, which ``Binary`` starts where the process itself is the fact.
enum Live {
  @discardableResult
  static func run(_ arguments: String..., environment: [String: String] = [:]) -> Run {
    run(arguments, environment: environment)
  }

  @discardableResult
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "", width: Int? = nil,
    isWatched: Bool = false, redaction: Redaction? = .fixed
  ) -> Run {
    Run(arguments) { output, errors in
      let inherited = ProcessInfo.processInfo.environment
      var surroundings = Surroundings.live(
        output: output, errors: errors, environment: inherited.merging(environment) { $1 },
        isWatched: isWatched, pause: 1_000, redaction: redaction)
      // Not that of whoever runs the tests.
      surroundings.width = width
      surroundings.input = .of(input)
      return surroundings
    }
  }
}

/// A clock that is a second later with each look at it.
final class Ticks: Sendable {
  private let time = Mutex(Samples.time(20000))

  func next() -> Int64 {
    time.withLock { time in
      time += 1_000_000_000
      return time
    }
  }
}

extension Redaction {
  /// Not by the key of whoever runs the tests.
  static let fixed = by(1)

  /// - Parameter first: byte of a key, so that two persons have two.
  static func by(_ first: UInt8) -> Redaction {
    // Its size is a key's, because that is what it is made by.
    Redaction { RedactionKey([UInt8](repeating: first, count: RedactionKey.size))! }
  }
}

struct Run: Equatable {
  var status: Status
  var output: String
  var errors: String

  init(status: Status, output: String, errors: String) {
    (self.status, self.output, self.errors) = (status, output, errors)
  }

  /// Of a command, in surroundings that print to `output` and `errors`.
  init(
    _ arguments: [String], in surroundings: (_ output: LineWriter, _ errors: LineWriter) -> Surroundings
  ) {
    let (output, errors) = (Captured(), Captured())
    status = Program.run(arguments, in: surroundings(output.writer, errors.writer))
    (self.output, self.errors) = (output.text, errors.text)
  }

  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The lines as JSON objects.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return object as? [String: Any] ?? [:]
    }
  }
}

private final class Captured {
  var bytes: [UInt8] = []
  var writer: LineWriter { LineWriter { self.bytes += $0 } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension LineReader {
  static func of(_ text: String) -> LineReader {
    var blocks = [Array(text.utf8), []]
    return LineReader { blocks.isEmpty ? [] : blocks.removeFirst() }
  }
}

extension Configuration {
  /// As whoever opens the store at `path` gets them.
  func rules(forStore path: String, tie: TieRule?) -> MergeRules {
    rules(for: names(ofStore: path), tie: tie)
  }
}
