import Foundation
import GRDB
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// The cache of what earlier passes have found: with it gone or broken, nothing is missed.
extension CouchDBHarmTests {
  @Test(arguments: ["garbage", "CREATE TABLE conflicts (a); CREATE TABLE mark (b)"])
  func aCacheThatIsUselessIsDoneWithout(contents: String) throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let path = KnownConflicts.path(ofURL: bench.url, environment: bench.environment)
    _ = try KnownConflicts(path: path)
    unlink(path)
    if contents.hasPrefix("CREATE") {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: contents) }
      try queue.close()
    } else {
      try Data(String(repeating: contents, count: 999).utf8).write(to: URL(filePath: path))
    }
    #expect(try summaries(of: try bench.open(.reading)).map(\.id) == ["d"])
  }

  /// The next start reads again what could not be kept.
  @Test func aCacheThatBreaksKeepsNoLaterMark() throws {
    let path = KnownConflicts.path(ofURL: bench.url, environment: bench.environment)
    let known = try KnownConflicts(path: path)
    let mark = KnownConflicts.Mark(identity: "x")
    known.begin(mark)
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON conflicts BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
    known.note(inConflict: ["a"], others: [], KnownConflicts.Mark(identity: "x", since: "5"))
    try queue.write { try $0.execute(sql: "DROP TRIGGER full") }
    known.note(inConflict: ["b"], others: [], KnownConflicts.Mark(identity: "x", since: "9"))
    #expect(known.mark(of: "x") == mark)
  }
}

/// A file of which something is gone.
extension CouchDBHarmTests {
  enum Damage: CaseIterable, Sendable {
    /// The page with which the names begin.
    case names
    /// Of several pages with names the last one.
    case lastNames
    /// A part of the page that SQLite reads as rows without an error.
    case sector
    /// A byte of a name, which no page tells.
    case letter
    /// The table of names, without which the mark says that there are none.
    case table
    /// Half of the file.
    case cut
  }

  private var cache: String { KnownConflicts.path(ofURL: bench.url, environment: bench.environment) }

  /// Found in conflict by an earlier pass, with names that are too long to lie in one page.
  private func known() throws -> [String] {
    let names = (10...69).map { "d\($0)" + String(repeating: "x", count: 200) }
    for name in names { try graft(name, [#""n":1"#, #""n":2"#]) }
    #expect(try summaries(of: bench.open(.reading)).count == names.count)
    return names
  }

  @Test(arguments: Damage.allCases, [false, true])
  func whereTheCacheIsDamagedAllIsReadAgainAndItIsMadeAnew(damage: Damage, isAhead: Bool) throws {
    let names = try known()
    try harmCache(damage)
    let store = try bench.open(.reading)
    let found = try isAhead ? conflicts(of: store, limit: 7).map(\.id) : summaries(of: store).map(\.id)
    #expect(found.sorted() == names)
    #expect(try summaries(of: bench.open(.reading)).count == names.count)
    #expect(try KnownConflicts(path: cache).count() == names.count)
  }

  @Test func whereTheCacheCannotBeCountedAllIsStillToBeLookedAt() throws {
    let names = try known()
    try harmCache(.names)
    let store = try bench.open(.reading)
    #expect(try store.estimatedCount() == names.count)
    #expect(try summaries(of: store).map(\.id).sorted() == names)
  }

  private func harmCache(_ damage: Damage) throws {
    if damage == .table { return try change("DROP TABLE conflicts") }
    let (size, root) = try cachePages()
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: cache)))
    func zero(_ place: Int, _ count: Int) {
      bytes.replaceSubrange(place..<place + count, with: repeatElement(0, count: count))
    }
    // The last child of a page that has children (sqlite.org/fileformat.html, section 1.6).
    let start = (root - 1) * size
    let last = (bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) } - 1) * size
    switch damage {
    case .names: zero(start, size)
    case .lastNames: zero(last, size)
    case .sector: zero(last + size - 512, 512)
    case .letter:
      // In the table and in the index of it, so that both are of one mind.
      while let place = bytes.firstRange(of: Array("d42x".utf8)) {
        bytes[place.lowerBound + 1] = UInt8(ascii: "9")
      }
    case .table: break
    case .cut: bytes.removeLast(bytes.count / 2)
    }
    try Data(bytes).write(to: URL(filePath: cache))
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: cache)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// How long a page is, and with which one the names begin.
  private func cachePages() throws -> (size: Int, root: Int) {
    let queue = try DatabaseQueue(path: cache)
    defer { try? queue.close() }
    return try queue.read { db in
      let root = "SELECT rootpage FROM sqlite_master WHERE name = 'conflicts'"
      return (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0, try Int.fetchOne(db, sql: root) ?? 0)
    }
  }
}
