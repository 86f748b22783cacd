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
