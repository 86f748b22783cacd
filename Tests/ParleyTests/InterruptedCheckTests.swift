import BenchmarkStores
import Foundation
import GRDB
import SQLiteFiles
import TerminalTestSupport
import Testing

@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What checks many drafts is a transaction that is taken back, and a part of it is in the files before that. Who copies those then has
/// what nobody wrote.
@Suite("A check of many drafts that is interrupted")
struct InterruptedCheckTests {
  /// With rollback journals, so that what is not taken back is in the databases themselves.
  static let decided = MadeStore { folder in
    let path = try LargeStore.make(in: folder, records: 1500, conflicts: 1500)
    for file in files(of: path) {
      let queue = try DatabaseQueue(path: file)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
    }
    #expect(Live.run("resolve", path, "--accept", "all").status == .nothingLeft)
    return path
  }

  /// On a busy machine the check may have come to its end before anybody looks.
  @Test("its files are as they were", arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["--sql"]])
  func files(signal: Int32, options: [String]) throws {
    for _ in 0..<10 where try isInterrupted(by: signal, options) { return }
    Issue.record("no check was told to be interrupted")
  }

  private func isInterrupted(by signal: Int32, _ options: [String]) throws -> Bool {
    var isTold = false
    try withTemporaryFolder { folder in
      let path = try Self.decided.copy(to: folder)
      let before = try Self.bytes(of: path)
      let process = try Binary.start(["write", path] + options, environment: [], printingTo: folder)
      try Self.wait(forChangeOf: path)
      _ = kill(process, signal)
      let status = Binary.wait(for: process)
      let told = try String(contentsOfFile: folder + "/errors", encoding: .utf8)
      isTold = told.hasPrefix("parley: Interrupted")
      #expect(!isTold || [128 + signal, ExitStatus.interrupted.rawValue].contains(status))
      try Self.expectUntouched(path, before)
    }
    return isTold
  }

  static func files(of path: String) -> [String] { [path, LargeStore.metadata(of: path)] }

  /// What is half done stands in the files, or beside them.
  static func expectUntouched(_ path: String, _ before: [Data]) throws {
    #expect(!files(of: path).contains { FileManager.default.fileExists(atPath: $0 + "-journal") })
    #expect(try bytes(of: path) == before)
  }

  static func bytes(of path: String) throws -> [Data] {
    try files(of: path).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
  }

  static func wait(forChangeOf path: String, meanwhile: () -> Void = { _ = sched_yield() }) throws {
    let (before, deadline) = (files(of: path).map(changed), ContinuousClock.now + .seconds(120))
    while files(of: path).map(changed) == before {
      try #require(.now < deadline, "no part of it ever came to the disk")
      meanwhile()
    }
  }

  /// When it was changed last, in nanoseconds of its second.
  private static func changed(_ path: String) -> Int {
    var status = stat()
    stat(path, &status)
    #if os(Linux)
      return status.st_mtim.tv_nsec
    #else
      return status.st_mtimespec.tv_nsec
    #endif
  }
}
