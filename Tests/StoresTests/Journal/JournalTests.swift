import Foundation
import GRDB
import GRDBSQLite
import Merging
import Telling
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteFiles
@testable import StoreInterface

struct JournalTests {
  let folder: TestFolder
  let journal: Journal

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.path("Reminders.parley.sqlite"), clock: { Demo.now })
  }

  @Test(arguments: [
    (ResultCode.SQLITE_FULL, true, "the disk is full"), (.SQLITE_CANTOPEN, true, "permissions"),
    (.SQLITE_READONLY, true, "permissions"), (.SQLITE_READONLY, false, "permissions"),
    (.SQLITE_CORRUPT, false, "a new one"), (.SQLITE_BUSY, false, "once that is done or closed"),
    (.SQLITE_IOERR_SHMSIZE, true, "permissions"), (.SQLITE_IOERR_SHMSIZE, false, "the disk is full"),
  ])
  func theWayOutFitsTheCause(code: ResultCode, hasRoom: Bool, words: String) {
    let error = StoreError.journal("j", DatabaseError(resultCode: code)) { _ in hasRoom }
    #expect(error.words.contains(words))
    #expect(error.words.contains("move it away") == (code == .SQLITE_CORRUPT))
  }

  /// /proc tells no size.
  @Test func thereIsRoomWhereTheTestsRun() {
    #expect(FileStatus.hasRoom(beside: journal.path) && FileStatus.hasRoom(beside: "/proc/nothing"))
  }

  /// What is left where the disk was full when it was made.
  @Test(arguments: ["", "CREATE TABLE begun (at); DROP TABLE begun"])
  func aJournalThatWasNeverBegunIsNone(sql: String) throws {
    try Data().write(to: URL(filePath: journal.path))
    let queue = try DatabaseQueue(path: journal.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    #expect(try journal.decisions(for: ["a:b"]).isEmpty && journal.entries(limit: 1).isEmpty)
    let decision = Decision(
      id: "a:b", subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
    try journal.append([decision])
    #expect(try journal.decisions(for: ["a:b"]) == [decision])
  }

  /// Of many records at once, of each subject the last; the names are told apart by their bytes.
  @Test func whatStoodAtAMomentIsFoundOfManyRecords() throws {
    let names = (0..<120).map { "\($0):t" } + ["caf\u{E9}:t", "cafe\u{301}:t"]
    func decision(_ id: String, _ field: String, _ side: Side?, at time: Int64) -> Decision {
      Decision(
        id: id, subject: .field(field), choice: side.map { .take($0) }, fingerprint: "00ff", decidedAt: time)
    }
    let first = names.flatMap { [decision($0, "a", .client, at: 1), decision($0, "b", .client, at: 1)] }
    let second = names.map { decision($0, "a", .server, at: 2) }
    // The clock was set back meanwhile.
    let third = names.map { decision($0, "a", nil, at: 0) }
    for decisions in [first, second, third] { try journal.append(decisions) }
    let others = first.filter { $0.subject == .field("b") }
    #expect(try journal.decisions(for: names) == others + third)
    #expect(try journal.decisions(for: names.reversed(), before: third[0]) == others + second)
    #expect(try journal.decisions(for: names + names, before: second[0]) == first)
    #expect(try journal.decisions(for: [names[121]], before: third[121]) == [others[121], second[121]])
    #expect(try journal.decisions(for: names, before: first[0]).isEmpty)
  }

  private func remove() throws {
    for name in try folder.contents().keys {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
  }

  /// Nobody would ever find it again, and a new one would lack what was decided before.
  @Test(arguments: [true, false], [true, false])
  func nothingIsKeptOnceTheFileIsGoneOrAnother(wasOnlyRead: Bool, isReplaced: Bool) throws {
    let decision = Decision(
      id: "a:b", subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
    let other = Journal(path: journal.path, clock: { Demo.now })
    try other.append([decision])
    other.close()
    if wasOnlyRead { _ = try journal.decisions(for: ["a:b"]) } else { try journal.append([decision]) }
    try remove()
    if isReplaced { try Data("another file".utf8).write(to: URL(filePath: journal.path)) }
    let files = try folder.contents()
    #expect(throws: StoreError.journalGone(path: journal.path)) { try journal.append([decision]) }
    #expect(throws: StoreError.journalGone(path: journal.path)) { try journal.decisionsOfOthers() }
    #expect(try folder.contents() == files)
  }

  @Test func openedAnewItBeginsAnew() throws {
    let decision = Decision(
      id: "a:b", subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
    try journal.append([decision])
    try remove()
    let later = Journal(path: journal.path, clock: { Demo.now })
    try later.append([decision])
    #expect(try later.decisions(for: ["a:b"]) == [decision])
  }

  /// Who tries something asks about it in a store that is opened for that, with each part of it anew.
  @Test func whatIsSupposedIsSharedAndStandsOverWhatIsKept() throws {
    let decision = { (field: String, side: Side) in
      Decision(
        id: "a:b", subject: .field(field), choice: .take(side), fingerprint: "00ff", decidedAt: 1)
    }
    try journal.append([decision("a", .client), decision("b", .client), decision("c", .client)])
    let asked = Journal(path: journal.path, clock: { Demo.now })
    journal.suppose([decision("b", .server)])
    asked.share(journal.supposals)
    journal.suppose([decision("c", .server)])
    let all = [decision("a", .client), decision("b", .server), decision("c", .server)]
    #expect(try asked.decisions(for: ["a:b"]) == all)
    let other = Journal(path: journal.path, clock: { Demo.now })
    #expect(try other.decisions(for: ["a:b"]).compactMap(\.choice?.side) == [.client, .client, .client])
  }

  @Test func readingMakesNoFile() throws {
    #expect(try journal.decisions(for: ["a:b"]).isEmpty)
    #expect(try journal.entries(limit: 5).isEmpty)
    #expect(try folder.contents().isEmpty)
  }

  @Test func whatAnotherProgramDecidedIsHeardOnceAndNothingOfOnesOwn() throws {
    let other = Journal(path: journal.path, clock: { Demo.now })
    let decision = { (record: String) in
      Decision(id: record, subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
    }
    // Nothing is there yet, then something is that was there before anybody listened.
    #expect(try journal.decisionsOfOthers().isEmpty)
    try other.append([decision("a:b")])
    let late = Journal(path: journal.path, clock: { Demo.now })
    #expect(try late.decisionsOfOthers().isEmpty)
    #expect(try journal.decisionsOfOthers().map(\.id) == ["a:b"])

    try journal.append([decision("own:b")])
    try other.append([decision("c:b"), decision("d:b")])
    try journal.append([decision("own:c")])
    #expect(try journal.decisionsOfOthers().map(\.id) == ["c:b", "d:b"])
    #expect(try journal.decisionsOfOthers().isEmpty)
    #expect(try late.decisionsOfOthers().map(\.id) == ["own:b", "c:b", "d:b", "own:c"])
  }

  /// By their times they were decided the other way round, as the clock was set back.
  @Test func whatWasThereBeforeIsKnownByItsPlace() throws {
    let decision = { (record: String, time: Int64) in
      Decision(id: record, subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: time)
    }
    #expect(journal.placeAtStart == nil)
    try Journal(path: journal.path, clock: { Demo.now }).append([decision("a:b", 9)])
    #expect(try journal.decisionsOfOthers().isEmpty)
    try journal.append([decision("c:b", 5)])
    #expect(try journal.decisionsOfOthers().isEmpty)
    let places = try journal.entries(limit: 9).compactMap(\.place)
    #expect(places.last == journal.placeAtStart)
    #expect(places.count == 2 && places == places.sorted(by: >))
  }

  /// As a bulk act appends, while keys ask what others decided.
  @Test func whatIsAppendedMeanwhileIsOnesOwn() async throws {
    let journal = journal
    #expect(try journal.decisionsOfOthers().isEmpty)
    async let appending: Void = {
      for number in 0..<200 {
        try journal.append([
          Decision(
            id: "\(number):b", subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)
        ])
      }
    }()
    for _ in 0..<400 { #expect(try journal.decisionsOfOthers().isEmpty) }
    try await appending
    #expect(try journal.decisionsOfOthers().isEmpty)
  }

  @Test(
    arguments: HardValues.all + [
      .real(.nan), .real(.signalingNaN), .blob(Blob(sha256: Array(repeating: 7, count: 32))),
      .opaque(kind: "CLLocation", bytes: [1, 2]), .text("quoted \u{1B}[31m"),
    ])
  func aDecisionComesBackExactly(value: Value) throws {
    let decisions = [Choice.edit(value), .merged(value)].enumerated().map { index, choice in
      Decision(
        id: "a:b", subject: .field("field \(index)"), choice: choice, fingerprint: "00ff",
        decidedAt: .max - Int64(index))
    }
    try journal.append(decisions)
    journal.close()
    #expect(try journal.decisions(for: ["a:b"]) == decisions)
  }

  /// What was put together by half, and all of it. A Parley that knows no parts reads a decision without a choice.
  @Test(
    arguments: [
      nil, .text("x\0\u{1B}e\u{301}\n"), .opaque(kind: Value.jsonKind, bytes: Array(#"{"a":1.10}"#.utf8)),
    ] as [Value?])
  func aFieldPutTogetherOfPartsComesBackExactly(value: Value?) throws {
    let choices: [FieldPart.ID: PartChoice] = [
      "0+5": .take(.client), "7+0": .both(first: .server), "/a~1b/\"": .edit("\u{0}\"quoted\" {}"),
    ]
    let decision = Decision(
      id: "a:b", subject: .field("notes"), choice: .parts(PartChoices(choices: choices, value: value)),
      fingerprint: "00ff", decidedAt: 1)
    try journal.append([decision])
    #expect(try journal.decisions(for: ["a:b"]) == [decision])
    let choice = try journal.read(or: .null) { db in
      var choice = Value.null
      try db.forEachRow("SELECT choice FROM decisions") { choice = $0.value(0) }
      return choice
    }
    #expect(choice == .null)
  }

  @Test func closedItIsOneFileInWALMode() throws {
    try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    journal.close()
    let contents = try folder.contents()
    #expect(contents.keys.sorted() == ["Reminders.parley.sqlite"])
    #expect(contents.values.first.map { $0[18] } == 2)
    _ = try journal.entries(limit: 5)
    #expect(try folder.contents() == contents)
  }

  @Test func aJournalOfANewerParleyIsRefused() throws {
    try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    try journal.write { db in try db.run("PRAGMA user_version = 99") }
    journal.close()
    let error = StoreError.journalTooNew(path: journal.path, version: 99)
    #expect(throws: error) { try journal.entries(limit: 1) }
    #expect(throws: error) {
      try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    }
  }

  @Test func somethingElseOfItsNameIsNotTouched() throws {
    let text = Data("my shopping list, not a database at all".utf8)
    try text.write(to: URL(filePath: journal.path))
    #expect(throws: StoreError.self) {
      try journal.append([Decision(id: "a:b", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)])
    }
    #expect(try Data(contentsOf: URL(filePath: journal.path)) == text)
  }

  @Test func itLiesBesideTheDatabaseOrWhereTheUserKeepsState() throws {
    let database = folder.path("My.App.db")
    #expect(JournalPath.beside(database) == folder.path("My.App.parley.sqlite"))
    let elsewhere = JournalPath.beside(
      "/proc/nowhere/Reminders.sqlite", environment: ["XDG_STATE_HOME": "/state"])
    #expect(elsewhere.hasPrefix("/state/parley/Reminders-"))
    let other = JournalPath.beside(
      "/proc/elsewhere/Reminders.sqlite", environment: ["XDG_STATE_HOME": "/state"])
    #expect(other != elsewhere)
    #expect(
      JournalPath.beside("/proc/nowhere/R.db", environment: ["HOME": "/home/blob"])
        .hasPrefix("/home/blob/.local/state/parley/R-"))
    // An empty home is none, and not the root of all files.
    #expect(!JournalPath.beside("/proc/nowhere/R.db", environment: ["HOME": ""]).hasPrefix("/.local"))
  }

  @Test func theJournalOfAURLLiesUnderTheStateFolderByAKeyWithoutCredentials() {
    let key = JournalPath.key(ofURL:)
    let plain = "https://db.example.com/shop/items"
    #expect(key(plain) == plain)
    for same in [
      "https://me:secret@db.example.com/shop/items", "https://other@db.example.com/shop/items?token=secret",
      "HTTPS://DB.Example.com:443/shop/items/#secret", "https://me:s%40cret@db.example.com//shop/items",
    ] {
      #expect(key(same) == plain)
      #expect(JournalPath.of(url: same) == JournalPath.of(url: plain))
    }
    let others = [
      "http://db.example.com/shop/items", "https://db.example.com:6984/shop/items",
      "https://db.example.com/shop", "https://example.com/shop/items", "https://db.example.com/shop/Items",
      "not a url with secret", "https://me:secret@", "",
    ]
    #expect(Set((others + [plain]).map(key)).count == others.count + 1)
    let path = JournalPath.of(url: "https://me:secret@h/db?secret", environment: ["XDG_STATE_HOME": "/state"])
    #expect(path.hasPrefix("/state/parley/https---h-db-") && path.hasSuffix(".parley.sqlite"))
    for url in others {
      #expect(!JournalPath.of(url: url).contains("secret") && !key(url).contains("secret"))
    }
  }

  private func write(_ records: [RecordChanges], outcome: Receipt.Outcome = .written) throws {
    var intent = journal.intent(undoes: nil, note: nil)
    for record in records { try intent.append(record) }
    let id = try #require(try intent.flush())
    try journal.append(records.map { Receipt($0.record, outcome) }, of: id)
  }

  private func change(_ number: Int, cover: [UInt8] = []) -> RecordChanges {
    let row: RowImage = ["id": .integer(Int64(number)), "cover": .blob(Blob(bytes: cover))]
    let after = row.merging(["title": .text("Milk")]) { $1 }
    return RecordChanges(
      record: "\(number):reminders", title: "Milk \(number)",
      changes: [
        StoredChange(
          file: .app, table: "reminders", key: ["id": .integer(Int64(number))],
          before: row.merging(["title": .null]) { $1 }, after: after)
      ])
  }

  /// A receipt is found by its index, and its title by a key: a log of ten thousand records is as quick as one of ten.
  @Test func theLogReadsNoMoreThanItTells() throws {
    try write((1...3).map { change($0) })
    var plan: [String] = []
    try journal.write { db in
      try db.forEachRow("EXPLAIN QUERY PLAN \(Journal.newestReceipts)", [.integer(2)]) {
        plan.append($0.text(3))
      }
    }
    // Whether one was taken back is asked for each that is told.
    #expect(
      plan.allSatisfy {
        !$0.contains("TEMP B-TREE") && (!$0.contains("SUBQUERY") || $0.hasPrefix("CORRELATED"))
      }, "\(plan)")
    #expect(plan.filter { $0.hasPrefix("SCAN") } == ["SCAN receipts USING INDEX receipts_newest"])
    #expect(
      plan.contains {
        $0.hasPrefix("SEARCH records USING INDEX sqlite_autoindex_records_1 (intent=? AND record=?)")
      })
    #expect(try journal.entries(limit: 2).map(\.text) == ["written: Milk 1", "written: Milk 2"])
  }

  @Test func readingBetweenWritesKeepsTheCompiledSQL() throws {
    try write([change(1)])
    let sql = "INSERT INTO intents (startedAt) VALUES (?)"
    let compiled: [Int32] = try (1...5).map { number in
      try journal.write { try $0.run(sql, [.integer(Int64(number))]) }
      _ = try journal.entries(limit: 1)
      return try journal.write { db in
        sqlite3_stmt_status(try db.cachedStatement(sql: sql).sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
      }
    }
    #expect(compiled == [0, 0, 0, 0, 0])
  }

  /// Before and after of three records, and an undo of them: one copy.
  @Test func aLongValueLiesInTheJournalOnce() throws {
    let cover = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
    try write((1...3).map { change($0, cover: cover) })
    try write((1...3).map { change($0, cover: cover) })
    let kept: [Int64] = try journal.read(or: []) { db in
      var sizes: [Int64] = []
      try db.forEachRow("SELECT length(bytes) FROM blobs") { sizes.append($0.integer(0)) }
      return sizes
    }
    #expect(kept == [100_000])
    let write = try #require(try journal.newestWrite()?.intent)
    #expect(
      try write.records.map { try journal.changes(of: $0, in: write.id) }
        == (1...3).map { change($0, cover: cover) })
  }

  @Test func whatNoChangeTouchesIsKeptByItsHashWhereThatIsEnough() throws {
    var intent = journal.intent(undoes: nil, note: nil)
    let record = change(1, cover: Array(repeating: 7, count: 100_000))
    try intent.append(record, hashing: true)
    let id = try #require(try intent.flush())
    let open = try #require(try journal.openIntents().first)
    #expect(open.records == [Intent.Record(id: "1:reminders", title: "Milk 1")])
    let kept = try journal.changes(of: open.records[0], in: id)
    #expect(kept == record && kept.changes[0].before?["cover"]?.isAtHand == false)
    #expect(try journal.read(or: 1) { try $0.firstRow("SELECT count(*) FROM blobs") { $0.integer(0) } } == 0)
  }

  /// More than waits in memory: it comes in parts, and is one intent.
  @Test func anIntentOfAnySizeIsOne() throws {
    var intent = journal.intent(undoes: nil, note: nil)
    for number in 1...5 {
      try intent.append(change(number, cover: Array(repeating: UInt8(number), count: IntentWriter.limit / 2)))
    }
    #expect(intent.id != nil)
    let id = try #require(try intent.flush())
    let open = try journal.openIntents()
    #expect(open.map(\.id) == [id] && open[0].records.map(\.id) == (1...5).map { "\($0):reminders" })
  }
}
