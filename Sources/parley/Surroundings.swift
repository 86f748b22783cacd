import Merging
import Stores

/// Everything outside that a command may touch, so that a test can stand in for all of it.
struct Surroundings {
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
}

/// Lines of text on their way out, in blocks.
final class LineWriter {
  private var pending: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void
  private static let blockSize = 32 * 1024

  /// - Parameter sink: takes all of its bytes, or throws.
  init(sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  func print(_ line: String) throws {
    pending += Array(line.utf8)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > LineWriter.blockSize { try flush() }
  }

  /// Writes at once, and no end of a line.
  func show(_ text: String) throws {
    pending += Array(text.utf8)
    try flush()
  }

  func flush() throws {
    guard !pending.isEmpty else { return }
    defer { pending.removeAll(keepingCapacity: true) }
    try sink(pending)
  }
}
