import Foundation
import Testing

@testable import parley

/// Which rules under `stores:` are a store's.
@Suite struct StoreNamesTests {
  /// What can be typed for a sample, from the folder that it was made in, and its names.
  static let places: [(kind: DemoKind, typed: [String], names: [String])] = [
    (.sqlitedata, ["", "/Reminders.sqlite"], ["Reminders.sqlite", "demo"]),
    (.cloudant, ["", "/bookshop.touchdb"], ["bookshop.touchdb", "demo"]),
    (.android, ["", "/bookshop", "/bookshop/db.sync"], ["bookshop", "demo", "db.sync"]),
    (
      .smsync,
      [
        "", "/Notes.xcappdata", "/Notes.xcappdata/", "/Notes.xcappdata/AppData",
        "/Notes.xcappdata/AppData/Documents", "/Notes.xcappdata/AppData/Documents/SMSyncServerModel.sqlite",
      ],
      ["Notes.xcappdata", "demo", "SMSyncServerModel.sqlite", "Documents", "AppData"]
    ),
  ]

  @Test(arguments: places)
  func aStoreHasTheSameNamesWhicheverIsTyped(kind: DemoKind, typed: [String], names: [String]) throws {
    try withTemporaryFolder { folder in
      _ = try SampleStores.make(kind, in: folder + "/demo")
      // Beside the sample, the folder around both would be opened for the store, too.
      try FileManager.default.createDirectory(atPath: folder + "/links", withIntermediateDirectories: false)
      for end in typed {
        let path = folder + "/demo" + end
        #expect(StoreNames(opening: path).all == names, "\(end)")
        let link = folder + "/links/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(StoreNames(opening: link).all == names, "a link to \(end)")
        try FileManager.default.removeItem(atPath: link)
      }
    }
  }

  @Test func theHiddenDatabaseHasTheNamesOfItsStore() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/demo")
      let hidden = try #require(
        files.first { $0.hasPrefix(".Reminders.metadata") && $0.hasSuffix(".sqlite") })
      #expect(StoreNames(opening: folder + "/demo/" + hidden).all == StoreNames(opening: path).all)
    }
  }

  /// A folder with several is opened for none of them.
  @Test func aFolderWithSeveralStoresNamesNone() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/demo")
      try FileManager.default.copyItem(atPath: path, toPath: folder + "/demo/other.touchdb")
      #expect(StoreNames(opening: path).all == ["bookshop.touchdb"])
    }
  }

  @Test func aDocumentIsMergedBySuchRulesHoweverItsStoreIsOpened() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/demo")
      let environment = ["XDG_CONFIG_HOME": folder]
      for name in ["bookshop.touchdb", "demo"] {
        try write(
          "stores:\n  \(name):\n    policies:\n      docs.stock: counter\n",
          to: folder + "/parley/config.yaml")
        let runs = [path, folder + "/demo"].map { Live.run("list", $0, environment: environment) }
        #expect(runs[0].output.contains("policy counter") && runs[0].output == runs[1].output, "\(runs)")
        let told = Live.run("config", "--rules", path, environment: environment)
        #expect(told.output.contains("docs.stock: counter") && told.errors.isEmpty, "\(told)")
      }
    }
  }

  @Test func rulesThatAreNotInForceAreTold() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let link = folder + "/link.sqlite"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      func told(_ names: String..., opening path: String) throws -> String {
        let stores = names.map { "  \($0):\n    tie: server\n" }.joined()
        try write("stores:\n" + stores, to: folder + "/parley/config.yaml")
        return Live.run("list", path, environment: ["XDG_CONFIG_HOME": folder]).errors
      }
      #expect(try told("Other.sqlite", opening: path) == "")
      #expect(
        try told("demo", "Reminders.sqlite", opening: path) == """
          parley: The configuration has rules for demo under stores:, and they are not in force: the store has those \
          for Reminders.sqlite.

          """)
      for (name, typed) in [("link.sqlite", link), ("reminders.sqlite", path)] {
        #expect(
          try told(name, opening: typed) == """
            parley: The configuration has rules for \(name) under stores:, and they are not in force: the store that \
            was opened is called Reminders.sqlite.

            """)
      }
    }
  }

  @Test func configTellsANameThatIsMissing() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try write("stores:\n  Other.sqlite:\n    tie: server\n", to: folder + "/parley/config.yaml")
      let told = Live.run("config", "--rules", path, environment: ["XDG_CONFIG_HOME": folder])
      #expect(
        told.errors == "parley: Of the names under stores: none is this store's, which is Reminders.sqlite.\n"
      )
      #expect(told.output.contains("tie: client"), "\(told)")
    }
  }
}
