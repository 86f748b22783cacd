import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import Journals
@testable import parley

/// Every command comes by the place where a journal of an older Parley is brought up.
struct OldJournalTests {
  /// A store with a journal of version 1, in which something was decided and something written.
  private static let old = MadeStore { folder in
    let path = try SampleStores.make(in: folder)
    let journal = try DatabaseQueue(path: JournalPath.beside(path))
    try journal.writeWithoutTransaction { try $0.execute(sql: version1) }
    try journal.close()
    return path
  }

  private static let version1 = """
    PRAGMA journal_mode = WAL;
    BEGIN;
    CREATE TABLE decisions (
      id INTEGER PRIMARY KEY, record TEXT NOT NULL, field TEXT, choice TEXT, value ANY, opaqueKind TEXT,
      fingerprint TEXT NOT NULL, decidedAt INTEGER NOT NULL, note TEXT
    ) STRICT;
    CREATE TABLE intents (
      id INTEGER PRIMARY KEY, undoes INTEGER REFERENCES intents(id), startedAt INTEGER NOT NULL, note TEXT
    ) STRICT;
    CREATE TABLE receipts (
      intent INTEGER NOT NULL REFERENCES intents(id), record TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT,
      finishedAt INTEGER NOT NULL, PRIMARY KEY (intent, record)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE changes (
      intent INTEGER NOT NULL REFERENCES intents(id), ordinal INTEGER NOT NULL, record TEXT NOT NULL,
      title TEXT NOT NULL, file TEXT NOT NULL, tableName TEXT NOT NULL, key TEXT NOT NULL, before TEXT, after TEXT,
      PRIMARY KEY (intent, ordinal)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO decisions VALUES (1, 'x:reminders', 'title', 'edit', 'Milk', NULL, '00ff', 5, 'why not');
    INSERT INTO intents VALUES (1, NULL, 6, 'ticket 7');
    INSERT INTO changes VALUES (1, 0, 'x:reminders', 'Feed the cat', 'app', 'reminders', '{"id":"x"}',
      '{"title":"\(String(repeating: "dog ", count: 9_000))"}', '{"title":"Feed the cat"}');
    INSERT INTO receipts VALUES (1, 'x:reminders', 'written', NULL, 7);
    PRAGMA user_version = 1;
    COMMIT;
    """

  private func version(_ path: String) throws -> Int? {
    let journal = try DatabaseQueue(path: JournalPath.beside(path))
    defer { try? journal.close() }
    return try journal.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  @Test(arguments: ["list", "show", "log", "doctor"])
  func aReadingCommandBringsItUpAndSaysNothingOfIt(command: String) throws {
    try withTemporaryFolder { folder in
      let path = try Self.old.copy(to: folder)
      #expect(Live.run(command, path).errors.isEmpty)
      #expect(try version(path) == JournalSchema.version)
      #expect(Live.run("log", path).output.contains("written: Feed the cat"))
    }
  }

  /// Of a change that could not be read when it was brought up no checksum fits.
  @Test func theLogSaysThatNobodyKnowsWhatAWriteChangedThatCannotBeRead() throws {
    try withTemporaryFolder { folder in
      let path = try Self.old.copy(to: folder)
      let journal = try DatabaseQueue(path: JournalPath.beside(path))
      try journal.write { try $0.execute(sql: "UPDATE changes SET before = '[]'") }
      try journal.close()
      let log = Live.run("log", path, "x:reminders")
      #expect(log.status == .nothingLeft && log.output.contains("written: Feed the cat"))
      let words =
        "  what it changed cannot be told: what the journal holds of it is not what was written there "
      #expect(log.output.contains(words + "(its checksum differs)"), "\(log.output)")
      let json = Live.run("log", path, "x:reminders", "--json").output
      let why = #""damage":"its checksum differs""#
      #expect(json.contains(#""changes":null"#) && json.contains(why), "\(json)")
    }
  }

  /// Killed, or without power, at points all along the way: what is there is the old journal or the new one.
  @Test(.enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"))
  func whoeverIsEndedInTheMiddleLeavesItWhole() throws {
    try withTemporaryFolder { folder in
      func run(_ variables: String) throws -> (path: String, status: Int32) {
        try? FileManager.default.removeItem(atPath: folder + "/store")
        let path = try Self.old.copy(to: folder + "/store")
        let shim = "LD_PRELOAD='\(Fault.shim ?? "")' FAULTS_FOLDER='\(folder)/store/' \(variables)"
        return (path, try Binary.shell("\(shim) \"$PARLEY\" log '\(path)'").status)
      }
      #expect(try run("FAULTS_COUNT='\(folder)/count'").status == 0)
      let calls = try Int(String(contentsOfFile: folder + "/count", encoding: .utf8)) ?? 0
      #expect(calls > 20)
      var found: Set<Int?> = []
      for call in stride(from: 1, through: calls, by: calls / 6) {
        let (path, status) = try run("FAULTS_AT=\(call) FAULTS_DO=\(call % 2 == 0 ? "kill" : "power")")
        #expect(status > 128)
        try? FileManager.default.removeItem(atPath: JournalPath.beside(path) + "-shm")
        found.insert(try version(path))
        let log = Live.run("log", path).output
        #expect(log.contains("written: Feed the cat") && log.contains("title: edited to"), "call \(call)")
      }
      #expect(found == [1, JournalSchema.version])
    }
  }

  /// A disk that is full: it is read, and a decision is refused with the way out.
  @Test(.enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"))
  func whereItCannotBeWrittenItIsReadAndThatIsTold() throws {
    try withTemporaryFolder { folder in
      let path = try Self.old.copy(to: folder + "/store")
      let shim =
        "LD_PRELOAD='\(Fault.shim ?? "")' FAULTS_FOLDER='\(folder)/store/' FAULTS_AT=1 FAULTS_DO=\(ENOSPC) "
        + "FAULTS_ON=1"
      let log = try Binary.shell("\(shim) \"$PARLEY\" log '\(path)'")
      #expect(log.status == 0 && log.output.contains("written: Feed the cat"))
      #expect(log.errors.hasPrefix("parley: Nothing can be decided now, as the journal is an older Parley's"))
      let decided = try Binary.shell("\(shim) \"$PARLEY\" resolve '\(path)' --accept all")
      #expect(decided.status == Status.cannotOpen.rawValue)
      #expect(decided.errors.contains("The journal \(JournalPath.beside(path)) "))
      #expect(try version(path) == 1)
    }
  }

  /// Where the folder may not be written, decisions go elsewhere.
  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func aJournalThatIsPassedOverIsTold() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/store")
      Live.run("resolve", path, "--accept", "all")
      #expect(chmod(folder + "/store", 0o555) == 0)
      defer { chmod(folder + "/store", 0o755) }
      for command in ["list", "log", "doctor"] {
        let errors = Live.run(command, path).errors
        #expect(
          errors.hasPrefix("parley: The journal \(folder)/store/Reminders.parley.sqlite is passed over"))
      }
    }
  }
}
