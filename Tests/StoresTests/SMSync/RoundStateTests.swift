import Foundation
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Whether a round is in flight where its preferences say so, or cannot be read: nothing is copied, and nothing written.
@Suite("State of a round") struct RoundStateTests {
  private let container: TestContainer

  init() throws { container = try TestContainer() }

  enum Harm: String, CaseIterable, Sendable {
    case long, truncated, empty, link, folder, linkedFolder, linkedLibrary, file
    /// Nothing is said of a round where there is nothing that would say it.
    case missing, missingLibrary
  }

  private func harm(_ harm: Harm, _ data: String) throws {
    let (manager, folder) = (FileManager.default, data + "/Library/Preferences")
    let (list, elsewhere) = (folder + "/com.example.notes.plist", container.folder.path("elsewhere"))
    let stored = ContainerBuilder.preferences(operation: "57B3")
    func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: list)) }
    func link(_ path: String) throws {
      try manager.moveItem(atPath: path, toPath: elsewhere)
      try manager.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    }
    switch harm {
    case .long: try put(stored + [UInt8](repeating: 0, count: 4 << 20))
    case .truncated: try put(Array(stored.dropLast(stored.count / 2)))
    case .empty: try put([])
    case .link: try link(list)
    case .folder:
      try manager.removeItem(atPath: list)
      try manager.createDirectory(atPath: list, withIntermediateDirectories: true)
    case .linkedFolder: try link(folder)
    case .linkedLibrary: try link(data + "/Library")
    case .file:
      try manager.removeItem(atPath: folder)
      try Data().write(to: URL(filePath: folder))
    case .missing: try manager.removeItem(atPath: folder)
    case .missingLibrary: try manager.removeItem(atPath: data + "/Library")
    }
  }

  @Test(arguments: Harm.allCases) func whatCannotBeReadIsFoundAndNoCopyIsMade(harm: Harm) throws {
    try self.harm(harm, container.path + "/AppData")
    #expect(try findings(of: container.open()).contains { $0.what == "preferences cannot be read" })
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
    #expect(!FileManager.default.fileExists(atPath: container.copy))
  }

  /// That of a store's file alone never had any.
  @Test(arguments: Harm.allCases.filter { ![.missing, .missingLibrary].contains($0) })
  func whatCannotBeReadInACopyIsNotWrittenOver(harm: Harm) throws {
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy()
    let write = try #require(try plan(ContainerDemoStore.uuid(1), in: store))
    #expect(try store.check([write]).map(\.outcome) == [.fine])
    try self.harm(harm, container.copy + "/AppData")
    let words = "preferences cannot be read, so a round may be in flight: copy the container again"
    #expect(try store.conflict(ContainerDemoStore.uuid(1)).details.notWritable == words)
    #expect(try store.write([write], note: nil).map(\.outcome) == [.refused(field: nil, words)])
    #expect(
      try store.mend(["half-way:" + ContainerDemoStore.uuid(22)], note: nil).allSatisfy {
        $0.outcome != .fine
      }
    )
  }

  /// As `plutil -convert xml1` writes them, of an app that keeps when it was opened.
  @Test(arguments: ["", "57B3"]) func preferencesInXMLMayHoldDates(operation: String) throws {
    let list = container.path + "/AppData/Library/Preferences/com.example.notes.plist"
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>opened</key><date>2016-09-03T12:00:00Z</date>
      <key>SMSyncControl.Mode</key><string>Idle</string><key>SMUploadFiles.OperationId</key><string>\(operation)</string></dict></plist>
      """
    try Data(xml.utf8).write(to: URL(filePath: list))
    let state = RoundState(try container.open().files)
    #expect(state.unreadable.isEmpty && !state.isUnknown)
    #expect(state.operations == (operation.isEmpty ? [] : ["SMUploadFiles.OperationId"]))
  }

  /// The app's own are gone, and others lie there: nobody says whether a round is in flight.
  @Test(arguments: [nil, "com.apple.other.plist", "com.example.notes.plist"])
  func aListOfAnotherIsNotTheAppsOwn(name: String?) throws {
    let folder = container.path + "/AppData/Library/Preferences/"
    try FileManager.default.removeItem(atPath: folder + "com.example.notes.plist")
    let other = #"<?xml version="1.0"?><plist version="1.0"><dict><key>opened</key><true/></dict></plist>"#
    if let name { try Data(other.utf8).write(to: URL(filePath: folder + name)) }
    let error = #expect(throws: StoreError.self) {
      try ContainerCopy.make(of: container.path, in: container.copy)
    }
    #expect("\(error.debugDescription)".contains("none holds SMSyncControl.Mode"))
    #expect(!FileManager.default.fileExists(atPath: container.copy))
    #expect(try findings(of: container.open()).contains { $0.what == "preferences cannot be read" })
    // Beside it another one does no harm.
    try Data(ContainerBuilder.preferences()).write(to: URL(filePath: folder + "z.plist"))
    try ContainerCopy.make(of: container.path, in: container.copy)
  }

  @Test func aRoundInFlightIsNotCopied() throws {
    let list = container.path + "/AppData/Library/Preferences/com.example.notes.plist"
    let whole = try Data(contentsOf: URL(filePath: list))
    try Data(ContainerBuilder.preferences(operation: "57B3")).write(to: URL(filePath: list))
    let error = #expect(throws: StoreError.self) {
      try ContainerCopy.make(of: container.path, in: container.copy)
    }
    #expect(
      error
        == .writeFailed(
          path: container.copy,
          detail: """
            an operation of the server is not ended (SMUploadFiles.OperationId): the app has to end its round first
            """))
    try whole.write(to: URL(filePath: list))
    try container.run("UPDATE ZSMQUEUES SET ZBEINGUPLOADED = 2")
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
    #expect(!FileManager.default.fileExists(atPath: container.copy))
    try container.run("UPDATE ZSMQUEUES SET ZBEINGUPLOADED = NULL")
    try ContainerCopy.make(of: container.path, in: container.copy)
  }

  /// Whatever fails, before the copy is whole or while decisions are taken over.
  @Test func aCopyThatFailsTakesAwayWhatItMade() throws {
    struct Failure: Error {}
    let (deep, empty) = (container.folder.path("a/b/c"), container.folder.path("empty"))
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let before = try FileManager.default.subpathsOfDirectory(atPath: container.folder.path).sorted()
    for place in [deep, deep + "/", empty] {
      #expect(throws: Failure.self) {
        try ContainerCopy.make(of: container.path, in: place) { files in
          #expect(try SMSyncStore.open(files).isCopy)
          throw Failure()
        }
      }
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: container.folder.path).sorted() == before)
    }
  }
}
