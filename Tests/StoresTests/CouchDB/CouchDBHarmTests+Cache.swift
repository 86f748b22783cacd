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
    let (size, root) = try cachePages()
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: cache)))
    func zero(_ page: Int) {
      bytes.replaceSubrange((page - 1) * size..<page * size, with: repeatElement(0, count: size))
    }
    switch damage {
    case .names: zero(root)
    case .lastNames:
      // The last child of a page that has children (sqlite.org/fileformat.html, section 1.6).
      let start = (root - 1) * size
      zero(bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) })
    case .cut: bytes.removeLast(bytes.count / 2)
    }
    try Data(bytes).write(to: URL(filePath: cache))
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
