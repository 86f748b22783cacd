import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import parley

/// A word that stands in every value, key and title of a store, and in what other programs keep beside it, is in no redacted report.
struct RedactionTests {
  @Test(arguments: AttackedStore.kinds)
  func nothingIsTold(kind: DemoKind) throws {
    let attack = Attack("privacy", short: 1, seed: 11)
    let failures = attack.failures { random in
      let secret = "Secret" + String(random.next(), radix: 36)
      try withTemporaryFolder { folder in
        let path = try SampleStores.make(kind, in: folder + "/store")
        try hide(secret, in: path, folder)
        try hold(Live.run("show", path).output.contains(secret), "it is nowhere")
        Live.run("resolve", path, "--accept", random.oneOf(["sure", "all"]), "--note", secret)
        if Bool.random(using: &random) { Live.run("write", path, "--yes", "--note", secret) }
        for command in ["list", "show", "doctor", "log"] {
          try expectHidden(secret, [command, path, "--redact", "--json"])
          try expectHidden(secret, [command, path, "--redact"])
        }
        try expectHidden(secret, ["doctor", path, "--log", folder + "/log", "--redact"])
        let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
        try hold(!log.localizedCaseInsensitiveContains(secret), "the log: \(log)")
      }
    }
    #expect(failures == [])
  }

  private func expectHidden(_ secret: String, _ command: [String]) throws {
    let run = Live.run(command)
    let line = (run.output + run.errors).split(separator: "\n").first {
      $0.localizedCaseInsensitiveContains(secret)
    }
    try hold(line == nil, "\(command): \(line ?? "")")
    try hold(run.status.rawValue <= 1, "\(command): \(run.errors)")
  }

  private func hide(_ secret: String, in path: String, _ folder: String) throws {
    switch kind(of: path) {
    case .sqlitedata: try hideInRecords(secret, path, folder)
    case .smsync: try hideInFiles(secret, path)
    case .cloudant, .android, .couchdb: try hideInDocuments(secret, path)
    }
  }

  private func kind(of path: String) -> DemoKind {
    if path.hasSuffix("Reminders.sqlite") { return .sqlitedata }
    return path.hasSuffix(".xcappdata") ? .smsync : .cloudant
  }

  private func hideInRecords(_ secret: String, _ path: String, _ folder: String) throws {
    try AttackedStore.change(path) { db in
      try db.execute(
        sql: "UPDATE reminders SET title = ? || title, notes = ? || id", arguments: [secret, secret])
      try db.execute(sql: "UPDATE remindersLists SET title = ? || title", arguments: [secret])
      try db.execute(sql: "UPDATE tags SET title = ? || title", arguments: [secret])
      try db.execute(
        sql: """
          INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
          VALUES (? || ':reminders', ?, ?, 'reminders', 1795176540000000000, 'fetch', x'00')
          """, arguments: [secret, secret, secret])
    }
    try AttackedStore.change(AttackedStore.files(in: folder, ".Reminders.sqlite")[0]) { db in
      try db.execute(
        sql: """
          INSERT INTO sqlitedata_icloud_metadata (recordPrimaryKey, recordType, zoneName, ownerName, userModificationTime)
          VALUES (?, 'reminders', ?, ?, 1)
          """, arguments: [secret, secret, secret])
      try db.execute(
        sql: "INSERT INTO sqlitedata_icloud_unsyncedRecordIDs VALUES (? || ':reminders', ?, ?)",
        arguments: [secret, secret, secret])
      try db.execute(
        sql: "INSERT INTO sqlitedata_icloud_stateSerialization VALUES (?, ?)", arguments: [secret, secret])
    }
  }

  private func hideInDocuments(_ secret: String, _ path: String) throws {
    try AttackedStore.change(path) { db in
      try db.execute(
        sql: "UPDATE revs SET json = CAST(replace(CAST(json AS TEXT), '\":\"', '\":\"' || ?) AS BLOB)",
        arguments: [secret])
      try db.execute(sql: "UPDATE docs SET docid = ? || docid", arguments: [secret])
      try db.execute(sql: "UPDATE attachments SET filename = ? || filename", arguments: [secret])
    }
  }

  private func hideInFiles(_ secret: String, _ path: String) throws {
    try AttackedStore.change(AttackedStore.files(in: path, "Model.sqlite")[0]) {
      try $0.execute(
        sql: "UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = ? || ZREMOTEFILENAME", arguments: [secret])
    }
    for file in AttackedStore.files(in: path, ".dat") { try write(secret + "\n", to: file) }
  }
}
