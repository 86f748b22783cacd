import Foundation
import GRDB
import TerminalTestSupport

@testable import SQLiteFiles
@testable import Samples
@testable import parley

/// What attacks ask of a store when they are through with it.
enum AttackedStore {
  static let kinds: [DemoKind] = [.sqlitedata, .cloudant, .android, .smsync]

  /// A database of a store, as an app has it open.
  static func database(_ path: String) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try DatastoreBuilder.addCollations(to: db)
      db.add(function: DatabaseFunction("sqlitedata_icloud_currentTime", argumentCount: 0) { _ in 0 })
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  static func change<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
    let queue = try database(path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction(body)
  }

  /// The files in a folder of which the name ends so.
  static func files(in folder: String, _ endings: String...) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { name in endings.contains(where: name.hasSuffix) }.sorted().map { folder + "/" + $0 }
  }

  static func databases(in folder: String) -> [String] { files(in: folder, ".sqlite", ".touchdb", "db.sync") }

  static func expectSound(in folder: String, _ moment: String) throws {
    for path in databases(in: folder) {
      let check = try change(path) { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
      try hold(check == "ok", "\(path): \(check ?? ""): \(moment)")
    }
  }

  /// What is in conflict, and how far it is decided, whether a rehearsal on the way there was refused or not; and what is found.
  static func told(_ path: String, _ options: [String] = []) throws -> [String] {
    let conflicts = try Live.run(["list", path, "--json"] + options).objects()
    let findings = try Live.run(["doctor", path, "--json"] + options).objects()
    let state = { (conflict: [String: Any]) in
      let state = conflict["state"] as? String ?? ""
      return state == "refused" ? "ready" : state
    }
    return conflicts.map { "\($0["id"] ?? "") \(state($0)) \($0["undecided"] ?? "")" }.sorted()
      + findings.compactMap { $0["finding"] as? String }.sorted()
  }
}

extension Binary.Result {
  /// It ended by itself, with a status of the list in OUTPUT.md, and with words where something was not to be had.
  func expectSound(_ moment: @autoclosure () -> String) throws {
    try hold((0...6).contains(status), "ended with \(status): \(moment()): \(errors)")
    try hold(status < 3 || !errors.isEmpty || !output.isEmpty, "no word: \(moment())")
  }
}
