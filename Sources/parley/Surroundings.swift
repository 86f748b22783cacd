import ExactJSON
import Merging
import SQLiteDataStores
import StoreInterface
import Terminal

/// Everything outside that a command may touch, so that a test can stand in for all of it.
struct Surroundings {
  /// The command line that is carried out, without the program's name.
  var arguments: [String] = []
  var output: LineWriter
  var errors: LineWriter
  /// Whether standard error is a terminal, where somebody waits.
  var isWatched: Bool
  /// The columns of the terminal that standard output is; nil if it is none, and lines are not cut.
  var width: Int?
  var environment: [String: String]
  /// Nanoseconds since 1970.
  var now: @Sendable () -> Int64
  var open: (StoreRequest) throws -> any ConflictStore
  /// Makes a sample store in a folder, and returns the path of its database.
  var makeDemo: (_ kind: DemoKind, _ folder: String, _ now: Int64) throws -> String
}

/// Which sample store is wanted.
enum DemoKind: String, CaseIterable {
  case sqlitedata, cloudant, android
}

/// A store somebody asked for.
struct StoreRequest: Equatable {
  enum Access {
    /// Never writes to the store.
    case reading
    case writing
  }

  var path: String
  /// The metadatabase, where the one beside the database is not the one.
  var metadatabase: String?
  /// Which side a tie suggests; nil leaves it to the configuration.
  var tie: TieRule?
  var access: Access
  /// How drafts are written; nil leaves it to the store.
  var route: WriteRoute?

  /// How another command names the same store.
  var quoted: String {
    ([path] + (metadatabase.map { ["--metadata", $0] } ?? [])).map(shellQuoted).joined(separator: " ")
  }
}

/// Lines of text on their way out, in blocks. The one place through which names and values reach a terminal or a pipe.
final class LineWriter {
  private var pending: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void
  private static let blockSize = 32 * 1024

  /// - Parameter sink: takes all of its bytes, or throws.
  init(sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  /// One line, made safe: nothing in it can move a cursor, hide, or turn the writing direction.
  func print(_ line: String) throws { try printExactly(DisplayText.safe(line)) }

  /// A text of several lines, each made safe.
  func print(lines text: String) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try print(String(line)) }
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

  /// A line that is shown at once and written over by the next.
  func show(overwriting text: String) throws {
    pending += Array(("\r" + DisplayText.safe(text)).utf8)
    try flush()
  }

  func flush() throws {
    guard !pending.isEmpty else { return }
    defer { pending.removeAll(keepingCapacity: true) }
    try sink(pending)
  }
}
