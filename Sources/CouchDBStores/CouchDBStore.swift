import ExactJSON
import Foundation
import Journals
import Merging
import RevisionTrees
import StoreInterface
import Synchronization

/// A database of CouchDB or Cloudant, over HTTP.
///
/// Every document is a tree of revisions, in conflict while it has two live leaves or more. Nothing is made in the database
/// but revisions of the documents that are resolved: no design document, no index, no local document.
package final class CouchDBStore: ConflictStore {
  package enum Access: Sendable {
    case reading
    case writing
  }

  let server: CouchDBServer
  private let facts: DatabaseFacts
  private let lastIdentity: Mutex<DatabaseIdentity>
  package let ruleBook: RuleBook
  var rules: MergeRules { ruleBook.rules.forDocuments }
  package let log: Journal
  let known: KnownConflicts
  private let watch: ChangesWatch
  private let opened: Access
  private let ancestors: (any RevisionSource)?
  private let signsTombstones: Bool
  package let info: StoreInfo

  /// Asks the server for the database, to know that it is there.
  ///
  /// - Parameters:
  ///   - finishing: whether a write of an earlier run that was interrupted is finished now.
  ///   - ancestors: who may still have what the server has compacted.
  ///   - signsTombstones: whether the deletions of a write tell who resolved the conflict, and what lost.
  ///   - environment: says where journal and cache lie.
  ///   - clock: the time now, in nanoseconds since 1970.
  /// - Throws: ``StoreError`` that names the database, and never who asks.
  package static func open(
    _ server: CouchDBServer, access: Access = .reading, finishing: Bool = true,
    rules: MergeRules = MergeRules(), ancestors: (any RevisionSource)? = nil,
    signsTombstones: Bool = false,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    clock: @escaping @Sendable () -> Int64 = WallClock.now
  ) throws -> CouchDBStore {
    let store = try CouchDBStore(
      server, try DatabaseFacts(server), access: access, rules: rules, ancestors: ancestors,
      signsTombstones: signsTombstones, environment: environment, clock: clock)
    if finishing, access == .writing { try store.finishInterruptedWrites() }
    return store
  }

  private init(
    _ server: CouchDBServer, _ facts: DatabaseFacts, access: Access, rules: MergeRules,
    ancestors: (any RevisionSource)?, signsTombstones: Bool, environment: [String: String],
    clock: @escaping @Sendable () -> Int64
  ) throws {
    (self.server, self.facts, opened, self.ancestors) = (server, facts, access, ancestors)
    self.signsTombstones = signsTombstones
    lastIdentity = Mutex(facts.identity)
    ruleBook = RuleBook(rules)
    log = Journal(
      kind: "CouchDB", url: server.path, environment: environment, reading: .ofAppends, clock: clock)
    known = try KnownConflicts(path: KnownConflicts.path(ofURL: server.path, environment: environment))
    watch = ChangesWatch(server, since: facts.newest, in: facts.identity)
    info = StoreInfo(server, facts, signsTombstones: signsTombstones)
  }

  deinit {
    watch.end()
    log.close()
  }

  /// One number, which grows with every change that the database tells of.
  package func traces() -> [Int64] { [watch.count()] }

  package func deafness() -> String? { watch.deafness }

  package func access() -> StoreAccess {
    opening == .writable ? accessToFinish() : opening
  }

  /// How it was opened.
  var opening: StoreAccess { opened == .reading ? .openedForReading : .writable }

  /// Whoever may read a database may write it, as far as its validation functions let them; so all there is to see is whether it
  /// answers.
  func accessToFinish() -> StoreAccess {
    do {
      _ = try server.get([])
      return .writable
    } catch {
      return .readOnly(reason: StoreError.detail(of: error))
    }
  }
}

extension CouchDBStore {
  /// Who the deletions of a write name; nil where they are plain.
  var signature: String? { signsTombstones ? facts.user ?? "nobody whom the server knows by name" : nil }

  /// As ``CouchDBServer/documents(_:ancestors:)``, with what others have kept.
  func documents(_ ids: [String]) throws -> [ServerDocument] {
    try server.documents(ids, ancestors: ancestors)
  }

  /// Which database it was when that was last asked.
  var identity: DatabaseIdentity { lastIdentity.withLock(\.self) }

  /// Which one it is now: another may have been made under its name since it was opened.
  ///
  /// - Throws: ``StoreError``
  func identityNow() throws -> DatabaseIdentity {
    let now = DatabaseIdentity(try server.get([]))
    // What is purged while it is open harms nothing before the next start, which reads all again.
    return lastIdentity.withLock { last in
      if now.birth != last.birth { last = now }
      return last
    }
  }

  /// A feed of a database that was deleted ends like one that is through.
  ///
  /// - Parameter birth: of the database whose feed it was.
  /// - Throws: ``StoreError/server(path:_:)`` if this is not that database any more.
  func checkBirth(_ birth: String) throws {
    guard try identityNow().birth == birth else {
      throw server.trouble(.cut("the database was made anew meanwhile"))
    }
  }

  /// As many as a walk has rows to look at.
  package func estimatedCount() throws -> Int? {
    let (since, count) = earlier ?? ("0", 0)
    let feed = try server.get(["_changes"], ["limit": "0", "since": since])
    return feed["pending"]?.integer.map { $0 &+ count }
  }

  /// How far an earlier pass came, and how many it knows to be in conflict; nil where all is read again.
  private var earlier: (since: String, count: Int)? {
    guard let mark = known.mark(of: identity.text), let count = try? known.count() else { return nil }
    return (mark.since, count)
  }

  package func conflicts() -> any ConflictWalk { ChangesWalk(store: self) }

  package func findings() -> any FindingWalk {
    InterruptedFirst(self, then: DatabaseFindings(store: self))
  }

  package func conflict(_ id: String) throws -> RecordConflict {
    guard let conflict = try documents([id]).first.flatMap({ conflict(of: $0) }) else {
      throw StoreError.noSuchRecord(id: id)
    }
    return conflict
  }

  package func conflicts(_ ids: [String]) throws -> [RecordConflict] {
    try documents(ids).compactMap { conflict(of: $0) }
  }

  /// As it can be decided in this database.
  func conflict(of document: ServerDocument) -> RecordConflict? {
    var conflict = document.conflict(rules)
    if info.notBoth != nil { conflict?.details.alternatives.removeAll { $0.id == KeptApart.id } }
    return conflict
  }

  package func tree(_ id: String) throws -> RevisionTreePicture? { try documents([id]).first?.tree.picture }
}

/// Which of all databases that ever had its name: a sequence of changes is worth nothing without it.
struct DatabaseIdentity: Sendable, Equatable {
  /// As its server tells it.
  let birth: String
  /// How much was purged of it. What a cluster adds to that number tells who answered, and differs from answer to answer.
  let purges: String

  init(_ database: JSONValue) {
    birth = database["instance_start_time"]?.text ?? ""
    purges = String((database["purge_seq"]?.sequence ?? "").prefix(while: { $0 != "-" }))
  }

  /// What it is kept as.
  var text: String { birth + " " + purges }
}

/// What a server says of itself and of one database.
struct DatabaseFacts: Sendable {
  let version: String
  let isCloudant: Bool
  /// How many shards there are, and how many copies of each; nil where the server does not say.
  let cluster: (shards: Int, copies: Int)?
  let identity: DatabaseIdentity
  /// Of the server. Whoever is none can know no more than to be a member.
  let isAdministrator: Bool
  /// Who asks, as the server calls them; nil where it knows no names.
  let user: String?
  /// The newest change there was.
  let newest: String

  init(_ server: CouchDBServer) throws {
    let database = try server.get([])
    let root = try server.fine(try server.ask("GET", server.address.server + "/"))
    version = root["version"]?.string ?? "of an unknown version"
    isCloudant = root["vendor"]?["name"]?.string?.contains("Cloudant") ?? false
    let cluster = database["cluster"]
    self.cluster = cluster?["q"]?.integer.flatMap { shards in
      cluster?["n"]?.integer.map { (shards, $0) }
    }
    let session = try server.ask("GET", server.address.server + "/_session")
    let roles = session.json["userCtx"]?["roles"]?.elements ?? []
    user = session.json["userCtx"]?["name"]?.string
    isAdministrator = session.isFine && roles.contains(.string("_admin"))
    identity = DatabaseIdentity(database)
    newest = database["update_seq"]?.sequence ?? "now"
  }

  var kind: String { (isCloudant ? "Cloudant " : "CouchDB ") + version }

  /// For a header.
  var banner: String {
    let cluster = cluster.map { ", q=\($0.shards) n=\($0.copies)" } ?? ""
    return
      "\(kind)\(cluster), \(isAdministrator ? "administrator" : "member"); validation functions may refuse"
  }

  var settings: String {
    cluster.map {
      "\($0.shards) \($0.shards == 1 ? "shard" : "shards"), \($0.copies) \($0.copies == 1 ? "copy" : "copies") of each. "
    }
      ?? ""
  }
}

extension StoreInfo {
  fileprivate init(_ server: CouchDBServer, _ facts: DatabaseFacts, signsTombstones: Bool) {
    let signature = signsTombstones ? ", which tells who resolved it and what lost" : ""
    self.init(
      name: server.address.database ?? server.path, path: server.path, kind: facts.kind, banner: facts.banner,
      writing: """
        \(facts.settings)For each document first the new ones in which a version is kept, then the draft as a new revision on the \
        winner; once the server has accepted that, a deletion on every other live leaf\(signature); then it is read again. The \
        database's own validation functions may refuse any of it.
        """,
      mending: "A tombstone on a leaf; no revision is removed.",
      can: [.tellTrees, .tellContent],
      words: Words(
        record: "document", table: "kind", field: "field", rules: nil, finding: "finding",
        findings: "findings", lastColumn: "Leaves", settled: "winner; the other leaves end",
        nothingElse: "the other leaves end",
        nothingBack: "no field of the winner comes back; the leaves that ended are live again"))
    isAskedOnce = true
    tellLimits(ofDatabase: server.address.database ?? "")
  }

  /// What a database of the server's own takes otherwise than others.
  private mutating func tellLimits(ofDatabase name: String) {
    switch ServerDatabase(name) {
    case .users:
      notBoth = "Both versions cannot be kept: a user has one document, which is called as the user is."
      notUndone = "CouchDB's own function for users refuses what follows a deletion"
      writing += """
         Here CouchDB's own function refuses another name or type than the document's user has, roles that are no list of texts \
        or begin with _, and of who is no administrator all but their own document with its roles as they are; a password is kept \
        as its hash. What is written here is written for good: \(notUndone ?? "").
        """
    case .replicator:
      notBoth = "Both versions cannot be kept: the server would run the copy as another replication."
      writing += """
         Here the server notes in each document, deletions too, who wrote it (owner) where that does not stand there, runs the \
        replication as the draft has it, and refuses one that it cannot read.
        """
    case nil: break
    }
  }
}

/// Those that a server reads for itself, be they its own or of a namespace (`jobs/_replicator`).
private enum ServerDatabase: String {
  case users = "_users"
  case replicator = "_replicator"

  init?(_ name: String) {
    guard let last = name.split(separator: "/").last else { return nil }
    self.init(rawValue: String(last))
  }
}

extension CouchDBStore {
  /// What the server will likely say to this where it reads the database for itself; nil where it will not.
  func objection(to appends: DocumentAppends) -> String? {
    guard server.address.database.flatMap({ ServerDatabase($0) }) == .users else { return nil }
    return UserDocument(appends)?.note
  }
}
