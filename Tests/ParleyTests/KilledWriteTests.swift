import BenchmarkStores
import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import SQLiteFiles
@testable import Samples
@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The name `kill` is taken inside the suite.
private func end(_ process: pid_t) { _ = kill(process, SIGKILL) }

/// `parley write` ended by SIGKILL while it writes hundreds of documents, each in its own transaction.
@Suite("A write of many documents that is killed")
struct KilledWriteTests {
  static let documents = 300

  /// A datastore whose documents are all decided.
  static let decided = MadeStore { folder in
    let path = try CloudantBenchmark.make(in: folder, documents: documents, every: 1)
    #expect(Live.run("resolve", path, "--accept", "all").status == .nothingLeft)
    return path
  }

  /// The moment is counted in pages that the datastore has grown by: each holds about a dozen documents.
  @Test("the journal tells truly what was written, and undo takes back just that", arguments: [1, 4, 9])
  func killed(pages: Int) throws {
    try withTemporaryFolder { folder in
      let path = try Self.decided.copy(to: folder)
      let journal = ["log", path, "--json", "--limit", "100000"]
      let revisions = try count("revs", in: path)
      try kill(writeOf: path, pages: pages)

      // Listing mends nothing: it finds what the killed one left. Each document is written whole, or not at all.
      let open = try Set(Live.run("list", path, "--json").objects().compactMap { $0["id"] as? String })
      let written = Self.documents - open.count
      #expect(written > 0 && written < Self.documents, "\(written) were written")
      #expect(try Live.run(journal).objects().allSatisfy { $0["kind"] as? String == "decision" })
      #expect(try count("revs", in: path) == revisions + 2 * written)

      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      let told = try Live.run(journal).objects().filter { $0["kind"] as? String == "interrupted" }
      let completed = told.filter { ($0["text"] as? String)?.contains("completed") == true }
      #expect(completed.count == written)
      #expect(open.isDisjoint(with: completed.compactMap { $0["record"] as? String }))
      let others = told.count - completed.count
      #expect(others <= 1, "at most the one that it was at had an intent")
      #expect(try Live.run("list", path, "--json").objects().count == Self.documents)
      #expect(try integrity(of: path) == "ok")
    }
  }

  /// On a busy machine the write may have come to its end before anybody looks.
  @Test("whoever interrupts it is told what becomes of it")
  func interrupted() throws {
    for _ in 0..<20 {
      var wasInTime = false
      try withTemporaryFolder { wasInTime = try interruptWrite(in: $0) }
      if wasInTime { return }
    }
    Issue.record("no write was ended by the signal")
  }

  private func interruptWrite(in folder: String) throws -> Bool {
    let path = try Self.decided.copy(to: folder)
    let size = try #require(FileStatus(path: path)).size
    // Not SIGINT: a shell without job control ignores that for what it starts behind itself.
    let result = try Binary.shell(
      """
      "$PARLEY" write '\(path)' --yes > '\(folder)/told' & process=$!
      while kill -0 $process 2>/dev/null && [ "$(wc -c < '\(path)')" -le \(size) ]; do :; done
      kill -TERM $process; wait $process; echo $?
      """)
    guard result.output == "143\n" else { return false }
    #expect(result.errors.hasPrefix("parley: \(Interruption.words)\n"))
    #expect(Live.run("list", path).status == .left)
    return true
  }

  private func kill(writeOf path: String, pages: Int) throws {
    let start = try #require(FileStatus(path: path)).size
    let process = try Binary.start("write", path, "--yes")
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if let size = FileStatus(path: path)?.size, size >= start + Int64(pages) * 4096 {
        end(process)
        #expect(Binary.wait(for: process) == 128 + SIGKILL)
        return
      }
      sched_yield()
    }
    Issue.record("it ended before it was killed")
  }

  private func count(_ table: String, in path: String) throws -> Int {
    try #require(try query("SELECT count(*) FROM \(table)", in: path).flatMap { Int($0) })
  }

  private func integrity(of path: String) throws -> String? { try query("PRAGMA integrity_check", in: path) }

  private func query(_ sql: String, in path: String) throws -> String? {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase(DatastoreBuilder.addCollations)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { try String.fetchOne($0, sql: sql) }
  }
}
