import Foundation
import SQLiteFiles
import StoreInterface
import Synchronization
import Telling

/// What the program did, for a bug report: which calls, how long they took, how many things they were about, and of what kind
/// their errors were. Never a value, a title, a key, a path, or what somebody typed: a record is a hash, as with `--redact`.
///
/// `2026-11-20T13:00:02.250Z +0.4ms conflict #615e016f: 7 fields`
final class LogBook: Sendable {
  private let file = Mutex<FileHandle?>(nil)

  /// Goes on at the end of a log that is there.
  ///
  /// - Throws: ``CommandError/cannotWrite(path:detail:)``, ``CommandError/notALog(path:detail:)``
  func begin(_ path: String) throws {
    if let detail = LogBook.whyNotLog(path) { throw CommandError.notALog(path: path, detail: detail) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandError.cannotWrite(path: path, detail: systemError()) }
    file.withLock { $0 = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
  }

  /// Why nothing is put behind what is there, which may be the store itself; nil where a log can be. What is no regular file, or was
  /// opened by who began Parley, is for them to know.
  private static func whyNotLog(_ path: String) -> String? {
    if path.hasSuffix(".parley.sqlite") { return "a journal of decisions is called so" }
    if isOfDatabase(path) { return "SQLite would take it for a part of the database beside it" }
    guard !isDescriptor(path), let status = FileStatus(path: path), status.isRegular, status.size > 0 else {
      return nil
    }
    guard let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: firstTime.utf8.count) else {
      return "it cannot be read, so nobody can tell whether it is a log"
    }
    return isTime(head) ? nil : "what is there does not begin like a log of Parley"
  }

  /// Also a file that is empty, or not there yet.
  private static func isOfDatabase(_ path: String) -> Bool {
    ["-wal", "-shm", "-journal"].contains { suffix in
      path.hasSuffix(suffix) && FileStatus(path: String(path.dropLast(suffix.count)))?.isRegular == true
    }
  }

  /// Whether it is a name for what is open already.
  private static func isDescriptor(_ path: String) -> Bool {
    ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
      || ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(path)
  }

  private static let firstTime = "0000-00-00T00:00:00"

  /// As far as it goes: a full disk may have cut the first line off.
  private static func isTime(_ head: Data) -> Bool {
    zip(head, firstTime.utf8).allSatisfy { byte, meant in
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      return digits.contains(meant) ? digits.contains(byte) : byte == meant
    }
  }

  /// Each line is in the file when this returns, as nobody knows which is the last. A full disk is no reason to stop.
  func note(_ words: @autoclosure () -> String) {
    file.withLock { file in
      guard let file else { return }
      let line = "\(TimeText.full(WallClock.now())) \(words())\n"
      try? file.write(contentsOf: Data(line.utf8))
    }
  }

  /// Notes how a call ended.
  func timed<Result>(
    _ call: @autoclosure () -> String, _ count: (Result) -> String = { _ in "" }, _ body: () throws -> Result
  ) rethrows -> Result {
    let start = ContinuousClock.now
    do {
      let result = try body()
      note("\(LogBook.passed(since: start)) \(call())\(count(result))")
      return result
    } catch {
      note("\(LogBook.passed(since: start)) \(call()): failed, \(LogBook.name(of: error))")
      throw error
    }
  }

  private static func passed(since start: ContinuousClock.Instant) -> String {
    let passed = (ContinuousClock.now - start).components
    let microseconds = passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
    return "+\(microseconds / 1000).\(microseconds % 1000 / 100)ms"
  }

  /// The case of an enum without what it holds, else the type.
  static func name(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let type = "\(type(of: value))"
    guard mirror.displayStyle == .enum else { return type }
    return "\(type).\(mirror.children.first?.label ?? "\(value)")"
  }

  /// The options that were given, by their names: what stands behind them may be a path or a value, and behind `--` is none.
  static func heading(_ arguments: [String], _ environment: [String: String]) -> String {
    let command = arguments.first.flatMap { Parley.commandNames.contains($0) ? $0 : nil } ?? "open"
    let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map {
      $0.prefix { $0 != "=" }
    }
    let known = ["TERM", "COLORTERM", "LANG", "LC_ALL"].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    let version = Parley.configuration.version
    return (["parley", version, command] + options.map(String.init) + known).joined(separator: " ")
  }
}
