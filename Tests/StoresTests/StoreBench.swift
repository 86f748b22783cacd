import CouchDBServers
import Foundation
import GRDB
import Merging
import Testing

@testable import CloudantStores
@testable import CouchDBStores
@testable import Journals
@testable import MemoryStores
@testable import SMSyncStores
@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

/// A store of some kind with the demo's contents, and what a test needs to do to it from outside.
struct StoreBench: Sendable {
  let store: any ConflictStore
  /// The same store, opened once more.
  let reopened: @Sendable () throws -> any ConflictStore
  let readOnly: @Sendable () throws -> any ConflictStore
  /// Changes the title of a record behind the store's back.
  let retitle: @Sendable (_ id: String, _ title: String) throws -> Void
  var contents = Contents.reminders

  /// What is in it.
  struct Contents: Sendable {
    /// Two records with a title that can be merged.
    var milk: String
    var milkTitle: String
    var bread: String
    var breadTitle: String
    /// The newest of all, where a walk tells that one first.
    var newest: String?
    var conflicts: Int
    var findings: Int
    /// Choices that decide all of `milk`.
    var choices: [(Subject, Choice)]
    /// A value that a field of `milk` does not take, and what is said of it.
    var wrong: FieldDraft
    var refusal: String
    /// What is said of `milk` once its title is another one.
    var moved = "title changed on the client"
    /// How many of the findings can be mended, and one that nobody can mend.
    var mendable: Int
    var beyondMending: String

    static let reminders = Contents(
      milk: Demo.reminder(12), milkTitle: "Milk 2%", bread: Demo.reminder(13), breadTitle: "Bread",
      newest: Demo.reminder(42), conflicts: 25, findings: 11,
      choices: [
        (.field("title"), .take(.client)), (.field("priority"), .edit(.integer(9_007_199_254_740_993))),
      ],
      wrong: FieldDraft(name: "priority", value: .text("high"), source: .edited),
      refusal: "it takes a value of the type integer", mendable: 4,
      beyondMending: "no-row:\(Demo.reminder(207))")

    static let bookshop = Contents(
      milk: "book-emma", milkTitle: "Emma", bread: "book-persuasion", breadTitle: "Persuasion",
      conflicts: 12, findings: 4,
      choices: [
        (.field("title"), .take(.client)), (.field("stock"), .edit(.integer(9_007_199_254_740_993))),
      ],
      wrong: FieldDraft(name: "stock", value: .blob(Blob(bytes: [1])), source: .edited),
      refusal: "a document holds JSON, and no bytes; bytes go into an attachment",
      mendable: 3, beyondMending: "two-roots:book-twice")

    static let container = Contents(
      milk: ContainerDemoStore.uuid(1), milkTitle: "shopping.txt", bread: ContainerDemoStore.uuid(10),
      breadTitle: "books.txt", conflicts: 10, findings: 6,
      choices: [(.field("content"), .edit(.text("Milk\n")))],
      wrong: FieldDraft(name: "content", value: .integer(1), source: .edited),
      refusal: "a file holds text or bytes", moved: "remoteFileName changed on the client", mendable: 3,
      beyondMending: "upload-then-deletion:" + ContainerDemoStore.uuid(4))

    /// The same on a server, which has no flags, and tells every edit by a new leaf.
    static var onServer: Contents {
      var contents = bookshop
      (contents.findings, contents.mendable, contents.moved) = (3, 2, "its leaves are others now")
      return contents
    }

    /// The same, with the flag that Android does not set.
    static var onAndroid: Contents {
      var contents = bookshop
      (contents.findings, contents.mendable) = (3, 2)
      return contents
    }
  }
}

enum StoreKind: String, CaseIterable, Sendable {
  case sqliteData, memory, cloudant, android, couchDB
  /// A copy of a container: of the container itself nothing is written but its outbox.
  case smsync
  /// The one that `PARLEY_COUCHDB_URL` names.
  case realCouchDB

  static let allCases: [StoreKind] = [.sqliteData, .memory, .cloudant, .android, .smsync] + ofServers
  /// Those whose data lie in files.
  static let ofFiles: [StoreKind] = [.sqliteData, .cloudant, .android, .smsync]
  private static let ofServers: [StoreKind] = [.couchDB] + (RealCouchDB.url == nil ? [] : [.realCouchDB])
  /// Those of documents, whose history is a tree.
  static let ofDocuments: [StoreKind] = [.cloudant, .android] + ofServers
  /// Those with a journal on the disk.
  static let withJournal: [StoreKind] = ofFiles + ofServers

  func bench() throws -> StoreBench {
    switch self {
    case .sqliteData: try .sqliteData()
    case .memory: try .memory()
    case .cloudant: try .cloudant(isAndroid: false)
    case .android: try .cloudant(isAndroid: true)
    case .couchDB: try .couchDB()
    case .realCouchDB: try .realCouchDB()
    case .smsync: try .smsync()
    }
  }
}

extension StoreBench {
  /// As if every Parley had died just before them.
  func forgetReceipts() throws {
    let queue = try DatabaseQueue(path: journalPath)
    try queue.write { try $0.execute(sql: "DELETE FROM receipts") }
    try queue.close()
  }

  var journalPath: String { (store.journal as? Journal)?.path ?? "" }

  static let time = Demo.now + 1_000_000_000

  static func sqliteData() throws -> StoreBench {
    let folder = try TestFolder()
    let path = try Demo.make(in: folder)
    // The clock holds on to the folder, which so stays as long as the store does.
    let open: @Sendable (SQLiteDataStore.Access) throws -> SQLiteDataStore = { access in
      try SQLiteDataStore.open(path: path, access: access, clock: { withExtendedLifetime(folder) { time } })
    }
    let files = try StoreFilesInspector(path)
    return StoreBench(
      store: try open(.writing), reopened: { try open(.writing) }, readOnly: { try open(.reading) },
      retitle: { id, title in
        let key = String(id.prefix { $0 != ":" })
        try files.run("UPDATE reminders SET title = ? WHERE id = ?", [.text(title), .text(key)])
      })
  }

  static func cloudant(isAndroid: Bool) throws -> StoreBench {
    let folder = try TestFolder()
    let path = try Demo.makeDatastore(in: folder, isAndroid: isAndroid)
    let open: @Sendable (CloudantStore.Access) throws -> CloudantStore = { access in
      try CloudantStore.open(path: path, access: access, clock: { withExtendedLifetime(folder) { time } })
    }
    return StoreBench(
      store: try open(.writing), reopened: { try open(.writing) }, readOnly: { try open(.reading) },
      retitle: { id, title in
        try Datastore.retitle(try open(.reading).conflict(id).liveLeaves[0].id, of: id, title, in: path)
      }, contents: isAndroid ? .onAndroid : .bookshop)
  }

  static func smsync() throws -> StoreBench {
    let container = try TestContainer()
    try ContainerCopy.make(of: container.path, in: container.copy)
    return StoreBench(
      store: try container.openCopy(), reopened: { try container.openCopy() },
      readOnly: { try container.openCopy(.reading) },
      retitle: { id, title in
        try container.run(
          "UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = ? WHERE ZUUID = ?", [.text(title), .text(id)])
      }, contents: .container)
  }

  static func couchDB() throws -> StoreBench {
    let bench = try CouchDBBench()
    try CouchDBDemo.fill(bench.database, now: Demo.now)
    return StoreBench(
      store: try bench.open(), reopened: { try bench.open() }, readOnly: { try bench.open(.reading) },
      retitle: { id, title in
        let winner = try bench.open(.reading).conflict(id).liveLeaves[0].id
        try bench.database.edit(#"{"_id":"\#(id)","_rev":"\#(winner)","title":"\#(title)"}"#)
      }, contents: .onServer)
  }

  static func realCouchDB() throws -> StoreBench {
    let real = try RealCouchDB()
    try CouchDBDemo.fill(now: Demo.now) { try real.graft($0) }
    return StoreBench(
      store: try real.open(), reopened: { try real.open() }, readOnly: { try real.open(.reading) },
      retitle: { id, title in
        let winner = try real.open(.reading).conflict(id).liveLeaves[0].id
        try real.edit(#"{"_id":"\#(id)","_rev":"\#(winner)","title":"\#(title)"}"#)
      }, contents: .onServer)
  }

  static func memory() throws -> StoreBench {
    let demo = try sqliteData().store
    let both = Alternative(id: "both", words: "keep both", outcome: .own)
    let conflicts = try summaries(of: demo).map {
      var conflict = try demo.conflict($0.id)
      conflict.details.alternatives.append(both)
      return conflict
    }
    let found = try findings(of: demo)
    let journal = MemoryJournal()
    let make: @Sendable (String?) -> MemoryStore = { reason in
      MemoryStore(
        conflicts: conflicts, findings: found, readOnlyReason: reason, journal: journal, clock: { time })
    }
    let store = make(nil)
    return StoreBench(
      store: store, reopened: { make(nil) }, readOnly: { make("the store was opened read-only") },
      retitle: { id, title in store.replace(try store.conflict(id).retitled(title)) })
  }
}

extension ConflictStore {
  func undoLastWrite() throws -> [CheckedWrite] { try undo(.lastWrite) }

  /// Whether its traces are others now. A server tells of a change when it has heard of it: soon.
  func leavesOther(than before: [Int64]) -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while traces() == before, ContinuousClock.now < end { sched_yield() }
    return traces() != before
  }

  /// Whether what it says of its hearing is so, soon.
  func becomesDeaf(_ isSo: (String?) -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while !isSo(deafness()), ContinuousClock.now < end { sched_yield() }
    return isSo(deafness())
  }
}

extension RecordConflict {
  fileprivate func retitled(_ title: String) -> RecordConflict {
    var fields = versions.client.fields ?? [:]
    fields["title"]?.value = .text(title)
    let versions = ThreeWay(ancestor: versions.ancestor, client: .present(fields), server: versions.server)
    return RecordConflict(
      id: id, table: table, primaryKey: primaryKey, title: title, fields: self.fields.map(\.field),
      versions: versions,
      details: details)
  }
}
