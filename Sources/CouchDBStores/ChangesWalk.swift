import ExactJSON
import HTTP
import Journals
import Merging
import RevisionTrees
import StoreInterface
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Walks a database once: first the documents that an earlier pass knows to be in conflict, then what the feed of changes tells since.
/// Documents with more than one leaf are read in groups while the feed goes on; nothing of the others is kept.
final class ChangesWalk: ConflictWalk {
  fileprivate struct Position {
    /// Up to where the known ones were read.
    var place: Int64 = 0
    /// Whether the feed has begun: then those that it brings become known, and are told already.
    var isFed = false
    /// From where the feed goes on.
    var mark: KnownConflicts.Mark
    var seen = 0
  }

  private struct State {
    var position: Position
    /// Which database it is about.
    var identity: DatabaseIdentity
    var feed: ChangesFeed?
    var isOver = false
  }

  /// What was read to its end.
  private struct Reached {
    var state: State
    /// What was told from the list of the known ones, or by the feed: rows may come twice on a cluster.
    var told: Set<JSONText> = []
  }

  private let store: CouchDBStore
  private let reached: Mutex<Reached>
  private let ahead: DocumentsAhead

  init(store: CouchDBStore) {
    self.store = store
    ahead = DocumentsAhead(store)
    let identity = store.identity
    reached = Mutex(Reached(state: State(position: store.start(identity), identity: identity)))
  }

  func next(limit: Int) throws -> ConflictPage? {
    try page(
      limit, known: { try self.store.knownDocuments(behind: $0, limit: $1) },
      as: { conflicts, seen in
        ConflictPage(
          summaries: try self.store.log.summaries(of: conflicts), seen: seen, conflicts: conflicts)
      })
  }

  /// Whoever needs all of them goes on at once, so the next are read meanwhile.
  func nextConflicts(limit: Int, of _: any ConflictStore) throws -> [RecordConflict]? {
    try page(limit, known: { try self.ahead.next(behind: $0, limit: $1) }, as: { conflicts, _ in conflicts })
  }

  /// - Parameter known: reads the documents that are known to be in conflict, behind a place among them.
  private func page<Page: Sendable>(
    _ limit: Int, known: @Sendable (Int64, Int) throws -> [KnownDocument],
    as made: @Sendable ([RecordConflict], _ seen: Int) throws -> Page
  ) throws -> Page? {
    try reached.withLock { reached -> Page? in
      if reached.state.isOver { return nil }
      // What could not be read to the end is read again.
      var state = reached.state
      reached.state.feed = nil
      let known = try knownPage(&state) { place in try known(place, max(1, limit)) }
      let found = try known ?? fedPage(max(1, limit), &state, reached.told)
      guard let conflicts = found else {
        reached.state = state
        return nil
      }
      let page = try made(conflicts, state.position.seen)
      reached.state = state
      // Not a part of the state, which is copied for each page.
      for conflict in conflicts { reached.told.insert(JSONText(conflict.id)) }
      return page
    }
  }

  /// nil behind the last of those that are known. None is forgotten here: what was resolved since the feed will tell.
  private func knownPage(
    _ state: inout State, _ read: (Int64) throws -> [KnownDocument]
  ) throws -> [RecordConflict]? {
    if state.position.isFed { return nil }
    let known: [KnownDocument]
    do { known = try read(state.position.place) } catch is KnownConflicts.Unreadable {
      beginAnew(&state)
      return nil
    }
    guard let last = known.last else { return nil }
    (state.position.place, state.position.seen) = (last.place, state.position.seen + known.count)
    return known.compactMap { $0.document.flatMap { store.conflict(of: $0) } }
  }

  /// With the feed from its beginning, as nobody knows which documents are in conflict. What was told already is not told again.
  private func beginAnew(_ state: inout State) {
    state.position = store.firstStart(state.identity)
    state.position.isFed = true
  }

  /// nil at the end of the feed.
  private func fedPage(
    _ limit: Int, _ state: inout State, _ told: Set<JSONText>
  ) throws -> [RecordConflict]? {
    let feed = try state.feed ?? begun(&state)
    (state.feed, state.position.isFed) = (feed, true)
    let seen = state.position.seen
    let rows = try candidates(limit, feed, &state)
    if state.isOver { try store.checkBirth(state.identity.birth) }
    state.position.mark.since = feed.since
    let conflicts = try conflicts(rows, state.position.mark)
    return state.isOver && state.position.seen == seen
      ? nil : conflicts.filter { !told.contains(JSONText($0.id)) }
  }

  /// A sequence that the server does not understand is none. That of another database it would take without a sign.
  private func begun(_ state: inout State) throws -> ChangesFeed {
    let now = try store.identityNow()
    if now.birth != state.identity.birth {
      (state.identity, state.position) = (now, store.firstStart(now))
    }
    do {
      return try ChangesFeed(store.server, since: state.position.mark.since)
    } catch StoreError.server(_, .refused(400, _)) where state.position.mark.since != "0" {
      state.position = store.firstStart(state.identity)
      return try ChangesFeed(store.server, since: "0")
    }
  }

  /// What is in conflict of these is known from now on; so is what the server does not tell as the feed did, which may be a moment
  /// behind.
  private func conflicts(_ rows: [ChangesFeed.Row], _ mark: KnownConflicts.Mark) throws -> [RecordConflict] {
    let documents = try store.documents(rows.map(\.id))
    let found = Dictionary(documents.map { (JSONText($0.id), $0) }) { first, _ in first }
    let (settled, others) = (
      rows.filter { found[JSONText($0.id)]?.isSettled(as: $0.leaves) ?? false }.map(\.id),
      rows.filter { !(found[JSONText($0.id)]?.isSettled(as: $0.leaves) ?? false) }.map(\.id)
    )
    store.known.note(inConflict: others, others: settled, mark)
    return documents.compactMap { store.conflict(of: $0) }
  }

  /// What a page has to look at. It ends early where much was passed over, so that somebody sees how far the walk is.
  private func candidates(
    _ limit: Int, _ feed: ChangesFeed, _ state: inout State
  ) throws -> [ChangesFeed.Row] {
    var candidates: [ChangesFeed.Row] = []
    var rows = 0
    while candidates.count < limit, rows < 20_000 {
      guard let row = try feed.next() else {
        (state.isOver, state.feed) = (true, nil)
        break
      }
      rows += 1
      state.position.seen += 1
      if row.leaves.count > 1 { candidates.append(row) }
    }
    return candidates
  }
}

extension ServerDocument {
  /// Whether it is in no conflict, and all the leaves are known here that a feed told.
  fileprivate func isSettled(as leaves: [String]) -> Bool {
    let known = Set(tree.revisions.map(\.id))
    return !tree.isConflict && leaves.allSatisfy(known.contains)
  }
}

extension CouchDBStore {
  /// Where a walk over all of it begins: the first one begins with nothing that is known.
  fileprivate func start(_ identity: DatabaseIdentity) -> ChangesWalk.Position {
    known.mark(of: identity.text).map { ChangesWalk.Position(mark: $0) } ?? firstStart(identity)
  }

  /// Nothing is known.
  fileprivate func firstStart(_ identity: DatabaseIdentity) -> ChangesWalk.Position {
    let first = KnownConflicts.Mark(identity: identity.text)
    known.begin(first)
    return ChangesWalk.Position(mark: first)
  }
}

/// The rows of `_changes`, one after the other, as they come.
final class ChangesFeed {
  /// One document, as the feed tells it.
  struct Row {
    var id = ""
    /// Its leaves, deleted ones too, if there are several: of others nobody wants to know.
    var leaves: [String] = []
  }

  private let server: CouchDBServer
  private let connection: HTTPConnection
  private var lines = LineSplitter()
  /// From where the feed could go on.
  private(set) var since: String

  /// - Parameter since: a sequence of this very database.
  init(_ server: CouchDBServer, since: String) throws {
    self.server = server
    self.since = since
    connection = try server.streaming()
    // Sequences are long, and cost most of the bytes: one for each thousand rows will do.
    try server.begin(
      server.url(["_changes"], ["style": "all_docs", "seq_interval": "1000", "since": since]),
      on: connection)
  }

  /// nil at the end of the feed.
  func next() throws -> Row? {
    while true {
      guard let line = try nextLine() else { throw server.trouble(.cut("the feed of changes has no end")) }
      if line.starts(with: ChangesFeed.end) { return try finish(line) }
      if let row = try row(line) { return row }
    }
  }

  private func nextLine() throws -> [UInt8]? {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      if let line = lines.next() { return line }
      // Empty lines come for as long as a server likes.
      if ContinuousClock.now > end { throw server.trouble(.silent("no change for a minute")) }
      guard let bytes = try server.translating({ try connection.next() }) else { return lines.rest() }
      lines.take(bytes)
      if lines.isTooLong { throw server.trouble(.tooLong(limit: LineSplitter.limit)) }
    }
  }

  private static let end = Array(#""last_seq""#.utf8)
  private static let sequence = Array(#"{"seq":null"#.utf8)
  private static let revision = Array(#""rev""#.utf8)

  private func finish(_ line: [UInt8]) throws -> Row? {
    let json = try self.json(Array("{".utf8) + line)
    since = json?["last_seq"]?.sequence ?? since
    connection.end()
    return nil
  }

  /// nil for what is no JSON.
  private func json(_ text: [UInt8]) throws -> JSONValue? {
    do { return try server.json(text) } catch is JSONProblem { return nil }
  }

  /// nil for a line that is no row. Most rows are of one leaf: they are not even read.
  private func row(_ line: [UInt8]) throws -> Row? {
    guard line.first == UInt8(ascii: "{"), line.last != UInt8(ascii: "[") else { return nil }
    let isConflict = line.count(of: ChangesFeed.revision, upTo: 2) > 1
    if !isConflict, line.starts(with: ChangesFeed.sequence) { return Row() }
    let text = line.last == UInt8(ascii: ",") ? Array(line.dropLast()) : line
    let json = try self.json(text)
    if let error = json?["error"]?.string {
      throw server.trouble(.refused(status: 200, json?["reason"]?.string ?? error))
    }
    guard let json, let id = json["id"]?.string else {
      throw server.trouble(.notJSON(status: 200, "a row of changes that is none"))
    }
    if let seq = json["seq"]?.sequence { since = seq }
    return Row(id: id, leaves: (json["changes"]?.elements ?? []).compactMap { $0["rev"]?.string })
  }
}

/// Cuts what comes into lines, wherever the pieces begin and end.
struct LineSplitter {
  /// In bytes. No row is as long, unless a document has a hundred thousand leaves.
  static let limit = 16 << 20

  /// Of a line whose end has not come.
  private var begun: [UInt8] = []
  /// What came last, and how much of it is cut.
  private var piece: [UInt8] = []
  private var place = 0
  var isTooLong: Bool { begun.count > LineSplitter.limit }

  /// - Precondition: all that came before is cut.
  mutating func take(_ bytes: [UInt8]) { (piece, place) = (bytes, 0) }

  /// The next line whose end has come, without it; nil if none has. Empty ones are passed over.
  mutating func next() -> [UInt8]? {
    while let end = endOfLine {
      var line = begun.isEmpty ? Array(piece[place..<end]) : begun + piece[place..<end]
      (begun, place) = ([], end + 1)
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if !line.isEmpty { return line }
    }
    begun += piece[place...]
    (piece, place) = ([], 0)
    return nil
  }

  private var endOfLine: Int? {
    piece.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let end = memchr(start + place, Int32(UInt8(ascii: "\n")), bytes.count - place)
      else { return nil }
      return UnsafeRawPointer(end) - start
    }
  }

  /// What follows the last end of a line.
  mutating func rest() -> [UInt8]? {
    defer { begun = [] }
    return begun.isEmpty ? nil : begun
  }
}

extension [UInt8] {
  /// How often these bytes occur, as far as it matters.
  fileprivate func count(of part: [UInt8], upTo limit: Int) -> Int {
    withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        var (found, rest) = (0, bytes[...])
        while found < limit, let place = rest.place(of: part) {
          found += 1
          rest = rest[(place + part.count)...]
        }
        return found
      }
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Where these bytes begin; nil if they are nowhere. `memchr` is fast, and a first byte that is rare makes it all there is to do.
  fileprivate func place(of part: UnsafeRawBufferPointer) -> Int? {
    let bytes = base
    guard let start = bytes.baseAddress, let wanted = part.baseAddress else { return nil }
    var from = startIndex
    while endIndex - from >= part.count,
      let hit = memchr(start + from, Int32(part[0]), endIndex - from - part.count + 1)
    {
      let place = UnsafeRawPointer(hit) - start
      if memcmp(start + place, wanted, part.count) == 0 { return place }
      from = place + 1
    }
    return nil
  }
}
