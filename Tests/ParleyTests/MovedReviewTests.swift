import CloudantStores
import Foundation
import GRDB
import Merging
import SMSyncStores
import SQLiteDataStores
import StoreInterface
import Terminal
import Testing

@testable import Desk
@testable import parley

/// What is decided in a store, and changed by its app behind the desk's back before the review.
@Suite struct MovedReviewTests {
  private static let names: [DemoKind: String] = [
    .sqlitedata: "5eed0000-0000-4000-8000-000000000012:reminders", .android: "book-emma",
    .smsync: "5EED0000-0000-4000-8000-000000000001",
  ]

  /// It went without a word, and the list called it ready for ever.
  @Test(arguments: [DemoKind.sqlitedata, .android, .smsync])
  func whatNobodyToldOfIsNamedByTheReview(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      let name = try #require(Self.names[kind])
      let options = kind == .smsync ? ["--set", "record=client"] : ["--accept", "all"]
      #expect(Live.run(["resolve", path, name] + options).status == .nothingLeft)
      var desk = try UnwatchedDesk(Self.open(kind, path))
      #expect(desk.state.list.summary(name)?.isReady == true)
      try Self.edit(kind, path)
      try desk.take(.terminal(.key(.character("w"))))
      let screen = desk.state.draw().description
      #expect(screen.contains("it moved: what was decided about"), "\(screen)")
      #expect(screen.contains("no longer holds") && !screen.contains("nothing moved"), "\(screen)")
      #expect(desk.state.list.summary(name)?.isReady == false, "\(screen)")
    }
  }

  private static func open(_ kind: DemoKind, _ path: String) throws -> any ConflictStore {
    switch kind {
    case .sqlitedata: try SQLiteDataStore.open(path: path)
    case .smsync: try SMSyncStore.open(path: path)
    case .cloudant, .android, .couchdb: try CloudantStore.open(path: path)
    }
  }

  private static func edit(_ kind: DemoKind, _ path: String) throws {
    switch kind {
    case .sqlitedata: try change(path, "UPDATE reminders SET title = 'Oat milk' WHERE title = 'Milk 2%'")
    case .smsync: try editFiles(of: path)
    case .cloudant, .android, .couchdb: try change(path, revisionOfEmma)
    }
  }

  private static func change(_ path: String, _ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  private static let revisionOfEmma = """
    INSERT INTO revs (doc_id, revid, parent, current, deleted, available, json)
      SELECT doc_id, '4-aaaa', sequence, 1, 0, 1, x'7b227469746c65223a2258227d' FROM revs
      WHERE current = 1 AND doc_id = (SELECT doc_id FROM docs WHERE docid = 'book-emma');
    UPDATE revs SET current = 0
      WHERE revid <> '4-aaaa' AND doc_id = (SELECT doc_id FROM docs WHERE docid = 'book-emma');
    """

  /// One of them is the text of the file that is decided.
  private static func editFiles(of container: String) throws {
    let folder = container + "/AppData/Documents/Temporary"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".dat") {
      let file = try #require(FileHandle(forWritingAtPath: folder + "/" + name))
      try file.seekToEnd()
      try file.write(contentsOf: Data("more\n".utf8))
      try file.close()
    }
  }
}

/// A desk on a store, to which nobody tells what others do.
private struct UnwatchedDesk {
  private(set) var state: DeskState
  private let store: any ConflictStore
  private static let now = Samples.time(20000)

  init(_ store: any ConflictStore) throws {
    self.store = store
    state = DeskState(
      store: store.info, access: .writable, size: Size(columns: 160, rows: 50), now: Self.now)
    try take(.interrupted([]))
    let walk = store.conflicts()
    while let page = try walk.next(limit: 100) { try take(.found(page)) }
    try take(.walkEnded)
    try take(.findingsEnded)
  }

  mutating func take(_ event: DeskEvent) throws {
    for effect in state.update(event, now: Self.now) { try perform(effect) }
  }

  /// As the program does, as far as a review is asked for.
  private mutating func perform(_ effect: DeskEffect) throws {
    switch effect {
    case .open(let id): try take(.opened(store.conflict(id), store.journal.decisions(for: [id])))
    case .readDrafts(let ids): try take(.drafts(store.journal.decided(store.conflicts(ids))))
    case .check(let planned):
      let checked = planned.map { CheckedWrite(id: $0.seen.id, title: $0.seen.title, outcome: .fine) }
      try take(.checked(checked, .writable))
    default: break
    }
  }
}
