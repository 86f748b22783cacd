import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import parley

/// A format that Parley reads, and how its bytes are damaged.
enum MutantFormat: String, CaseIterable {
  case appDatabase, metadatabase, datastore, androidDatastore, container
  case attachment, androidAttachment, upload, preferences
  case journal, datastoreJournal, containerJournal
  case requests, index, ancestor, copyMark
  case archive, archiveAsXML, cloudKitJSON, inboxRow, outboxRow, metadataRow, revisionRow
  case configuration, keys, theme, netrc, decisions

  /// What is damaged, and what is run on it. Some of the commands are run, in this order.
  struct Bench {
    var file: String
    var commands: [[String]]
    /// Of rows: their table.
    var table: String?
  }

  /// Everything lies in `folder`.
  func make(in folder: String) throws -> Bench {
    switch self {
    case .appDatabase: try store(.sqlitedata, folder) { path, _ in path }
    case .metadatabase: try store(.sqlitedata, folder) { _, files in files(".Reminders.sqlite") }
    case .datastore: try store(.cloudant, folder) { path, _ in path }
    case .androidDatastore: try store(.android, folder) { path, _ in path }
    case .container: try store(.smsync, folder) { _, files in files("Model.sqlite") }
    case .attachment: try store(.cloudant, folder) { _, files in files(".blob") }
    case .androidAttachment:
      try store(.android, folder) { _, files in files("b6c565f87a027cee941040ce684740257ba710af") }
    case .upload: try store(.smsync, folder) { _, files in files(".000005.dat") }
    case .preferences: try store(.smsync, folder) { _, files in files(".plist") }
    case .journal: try written(.sqlitedata, folder, ".parley.sqlite")
    case .datastoreJournal: try written(.cloudant, folder, ".parley.sqlite")
    case .containerJournal: try written(.smsync, folder, ".parley.sqlite")
    case .requests: try written(.smsync, folder, "-outbox.json")
    case .copyMark: try copied(folder)
    case .index: try beside(folder, "/FileIndex.json", "--index")
    case .ancestor: try beside(folder, "/earlier/5EED0000-0000-4000-8000-000000000003", "--ancestors")
    case .archive, .archiveAsXML, .cloudKitJSON: try imported(folder)
    case .inboxRow: try rows(.sqlitedata, "parley_inbox", folder) { path, _ in path }
    case .outboxRow: try outbox(folder)
    case .metadataRow:
      try rows(.sqlitedata, "sqlitedata_icloud_metadata", folder) { _, files in files("Reminders.sqlite") }
    case .revisionRow: try rows(.cloudant, "revs", folder) { path, _ in path }
    case .configuration, .keys, .theme, .netrc: try settings(folder)
    case .decisions: try decisions(folder)
    }
  }
}

extension MutantFormat {
  private typealias Choice = (_ path: String, _ files: (String) -> String) throws -> String

  private static func commands(on path: String, _ options: [String] = []) -> [[String]] {
    [
      ["list", path], ["show", path, "--json"], ["doctor", path], ["list", path, "--redact", "--json"],
      ["resolve", path, "--accept", "all"], ["write", path], ["write", path, "--yes"], ["log", path],
      ["undo", path, "--yes"], ["doctor", path, "--mend", "--yes"], ["resolve", path, "--export"],
    ].map { $0 + options }
  }

  private func store(_ kind: DemoKind, _ folder: String, _ choice: Choice) throws -> Bench {
    let path = try SampleStores.make(kind, in: folder + "/store")
    let file = try choice(path) { AttackedStore.files(in: folder, $0).first { $0 != path } ?? "" }
    return Bench(file: file, commands: Self.commands(on: path))
  }

  private func written(_ kind: DemoKind, _ folder: String, _ ending: String) throws -> Bench {
    let path = try SampleStores.make(kind, in: folder + "/store")
    Live.run("resolve", path, "--accept", "all")
    Live.run("write", path, "--yes")
    let file = try #require(AttackedStore.files(in: folder, ending).first)
    return Bench(file: file, commands: Self.commands(on: path))
  }

  private func copied(_ folder: String) throws -> Bench {
    let path = try SampleStores.make(.smsync, in: folder + "/store")
    Live.run("resolve", path, "--accept", "all")
    Live.run("write", path, "--copy", folder + "/copy", "--yes")
    return Bench(file: folder + "/copy/parley-copy.txt", commands: Self.commands(on: folder + "/copy"))
  }

  private func beside(_ folder: String, _ name: String, _ option: String) throws -> Bench {
    let path = try SampleStores.make(.smsync, in: folder + "/store")
    let argument = option == "--index" ? folder + "/store" + name : folder + "/store/earlier"
    return Bench(file: folder + "/store" + name, commands: Self.commands(on: path, [option, argument]))
  }

  private func rows(_ kind: DemoKind, _ table: String, _ folder: String, _ choice: Choice) throws -> Bench {
    var bench = try store(kind, folder, choice)
    bench.table = table
    return bench
  }

  private func outbox(_ folder: String) throws -> Bench {
    let path = try FaultyCommand(kind: .sqlitedata, mode: "delete", act: .outbox, number: 0).make(
      in: folder + "/store")
    Live.run("write", path, "--yes")
    return Bench(file: path, commands: Self.commands(on: path), table: "parley_outbox")
  }

  private func imported(_ folder: String) throws -> Bench {
    let path = try FaultyCommand(kind: .sqlitedata, mode: "delete", act: .importing, number: 0).make(
      in: folder + "/store")
    let archives = AttackedStore.files(in: folder + "/store/server", ".plist")
    let file = folder + "/given"
    try write(source(Data(contentsOf: URL(filePath: archives[archives.count / 2]))), to: file)
    return Bench(
      file: file,
      commands: [["import", path, file, "--dry-run"], ["import", path, file]] + Self.commands(on: path))
  }

  private func source(_ archive: Data) throws -> Data {
    switch self {
    case .archiveAsXML:
      let list = try PropertyListSerialization.propertyList(from: archive, format: nil)
      return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    case .cloudKitJSON: return Data(Self.cloudKitRecord.utf8)
    default: return archive
    }
  }

  private static let cloudKitRecord = """
    {"records":[{"recordName":"5eed0000-0000-4000-8000-000000000012:reminders","recordType":"reminders","recordChangeTag":"k2",
    "zoneID":{"zoneName":"co.pointfree.SQLiteData.defaultZone","ownerRecordName":"_d"},"modified":{"timestamp":1795176540000},
    "fields":{"title":{"value":"Milk","type":"STRING"},"isCompleted":{"value":1,"type":"INT64"},
    "estimate":{"value":0.5,"type":"DOUBLE"},"list":{"value":{"recordName":"a","action":"NONE"},"type":"REFERENCE"}}}]}
    """

  private func decisions(_ folder: String) throws -> Bench {
    let path = try FaultyCommand(kind: .sqlitedata, mode: "delete", act: .apply, number: 0).make(
      in: folder + "/store")
    let file = folder + "/store/decisions"
    return Bench(
      file: file,
      commands: [["apply", path, file, "--dry-run"], ["apply", path, file], ["write", path, "--yes"]])
  }

  private func settings(_ folder: String) throws -> Bench {
    let path = try SampleStores.make(.cloudant, in: folder + "/store")
    let (file, text, commands) = try setting(folder + "/config/parley", path)
    try write(text, to: file)
    return Bench(file: file, commands: commands)
  }

  private func setting(_ folder: String, _ path: String) throws -> (String, String, [[String]]) {
    switch self {
    case .theme:
      (folder + "/themes/mine.yaml", Live.run("themes", "night").output, [["themes", "mine"], ["themes"]])
    case .netrc:
      (
        folder + "/.netrc",
        "machine 127.0.0.1 login admin password \"se cret\"\ndefault login a password b\n",
        [["list", "http://127.0.0.1:1/db"]]
      )
    case .keys: (folder + "/config.yaml", Self.ownKeys, [["keys"], ["list", path]])
    default: (folder + "/config.yaml", Self.everySetting, [["list", path], ["config", "--rules", path]])
    }
  }

  private static let ownKeys =
    "keys:\n  list:\n    accept: [z, F11]\n    filter: ctrl-f\n  record:\n    client: \"1\"\n"
  private static let everySetting = """
    theme: night
    color: never
    tie: server
    margin: 2s
    policies:
      default: latest
      books.price: maximum   # of a field
    stores:
      bookshop.touchdb: {tie: client, policies: {"books.title": text}}

    """
}
