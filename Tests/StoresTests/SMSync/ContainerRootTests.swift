import Foundation
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// What belongs to a container, whichever way it is named: journal and outbox lie outside of it, and no copy is made inside.
@Suite("Root of a container") struct ContainerRootTests {
  private static let layouts = ["Notes.xcappdata/AppData", "Notes/AppData", "Notes", "AppData"]

  private let folder: TestFolder
  private let links: TestFolder

  init() throws { (folder, links) = (try TestFolder(), try TestFolder()) }

  /// A container of which nothing but Documents and its store is left.
  private func container(_ layout: String) throws -> (root: String, documents: String) {
    let made = try TestContainer([])
    let documents = folder.path(layout) + "/Documents"
    try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: made.database, toPath: documents + "/" + ContainerFiles.databaseName)
    return (folder.path(layout.replacing(".xcappdata/AppData", with: ".xcappdata")), documents)
  }

  /// From where the tests run, with every `..` that it takes.
  private func relative(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath.split(separator: "/").count
    return String(repeating: "../", count: here) + path.dropFirst()
  }

  private func ways(into root: String, _ documents: String) throws -> [String] {
    let targets = [root, documents, documents + "/" + ContainerFiles.databaseName]
    let named = try targets.enumerated().map { number, target in
      let link = links.path("\(number)")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      return link
    }
    let parts = targets + [folderAndName(documents).folder, documents + "/", documents + "/../Documents/."]
    return named + parts + parts.map(relative)
  }

  @Test(arguments: layouts) func everyWayInMeansOneJournalOutsideOfIt(layout: String) throws {
    let (root, documents) = try container(layout)
    let journal = JournalPaths.beside(root)
    for way in try ways(into: root, documents) {
      let store = try SMSyncStore.open(path: way)
      #expect(store.log.path == journal && store.files.root == root, "\(way)")
      #expect(folderAndName(store.outboxPath).folder == folderAndName(root).folder, "\(way)")
    }
  }

  @Test(arguments: layouts) func noCopyIsMadeAnywhereInside(layout: String) throws {
    let (root, documents) = try container(layout)
    let (link, dangling) = (links.path("inside"), links.path("dangling"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: documents)
    try FileManager.default.createSymbolicLink(
      atPath: dangling, withDestinationPath: documents + "/not-there")
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let places = [
      root, root + "/copy", root + "/a/b/", documents + "/copy", documents + "/Temporary", link + "/copy",
      dangling, dangling + "/copy", links.path("gone/../inside/copy"), relative(root + "/copy"),
    ]
    for way in [root, documents] {
      for place in places {
        #expect(throws: StoreError.self, "\(place)") { try ContainerCopy.make(of: way, in: place) }
      }
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: links.path).sorted() == ["dangling", "inside"])
  }

  /// There everything else of a person's lies, too.
  @Test func aPersonsOwnDocumentsAreNoContainer() {
    let root = { ContainerFiles.root(ofDocuments: $0, home: "/home/ann") }
    #expect(root("/home/ann/Documents") == nil && root("/Documents") == nil && root("/home/ann/x") == nil)
    #expect(root("/home/ann/AppData/Documents") == "/home/ann/AppData")
    #expect(root("/home/ann/Notes/Documents") == "/home/ann/Notes")
    #expect(root("/home/ann/Notes.xcappdata/AppData/Documents") == "/home/ann/Notes.xcappdata")
  }

  /// As what was unpacked among everything that was downloaded.
  @Test func anAppDataTakesNothingBesideIt() throws {
    let (root, _) = try container("Downloads/AppData")
    try ContainerBuilder.addPreferences(to: root)
    try Data("mine".utf8).write(to: URL(filePath: folder.path("Downloads/mine.txt")))
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    for (number, way) in ["", "/AppData", "/AppData/Documents"].enumerated() {
      let copy = folder.path("Downloads/copy\(number)")
      try ContainerCopy.make(of: folder.path("Downloads") + way, in: copy)
      let copied = try FileManager.default.subpathsOfDirectory(atPath: copy).sorted()
      #expect(copied == (names + [CopyMark.name]).sorted(), "\(way)")
    }
  }

  /// The folder of a copy may have any name.
  @Test func aCopyThatWasMovedIsAContainerAsAWhole() throws {
    let (root, _) = try container("Notes.xcappdata/AppData")
    try ContainerBuilder.addPreferences(to: root + "/AppData")
    try ContainerCopy.make(of: root, in: folder.path("copy"))
    #expect(rename(folder.path("copy"), folder.path("moved")) == 0)
    let files = try ContainerFiles(path: folder.path("moved/AppData/Documents"))
    #expect(files.root == folder.path("moved") && !files.isCopy)
  }

  /// As the store of before a migration, which the framework keeps beside.
  @Test func anotherStoreInItHasItsOwnJournalAndIsCopiedAlone() throws {
    let (root, documents) = try container("Notes.xcappdata/AppData")
    let (main, other) = (documents + "/" + ContainerFiles.databaseName, documents + "/~Old.sqlite")
    try FileManager.default.copyItem(atPath: main, toPath: other)
    let stores = try [main, other].map { try SMSyncStore.open(path: $0) }
    #expect(Set(stores.map(\.log.path)).count == 2)
    #expect(stores.allSatisfy { !$0.log.path.hasPrefix(root + "/") && !$0.outboxPath.hasPrefix(root + "/") })
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: other, in: root + "/copy") }
    try ContainerCopy.make(of: other, in: folder.path("copy"))
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path("copy")).sorted()
        == ["Documents", "Documents/" + ContainerFiles.databaseName, CopyMark.name])
  }

  /// Its name is that of the folder in an `.xcappdata`.
  @Test func aCopyNamedAppDataIsOne() throws {
    let (root, _) = try container("Notes")
    try ContainerBuilder.addPreferences(to: root)
    var made: ContainerFiles?
    try ContainerCopy.make(of: root, in: folder.path("copies/AppData")) { made = $0 }
    #expect(try made == ContainerFiles(path: folder.path("copies/AppData")))
    #expect(try SMSyncStore.open(path: folder.path("copies/AppData")).isCopy)
  }
}

extension ContainerBuilder {
  fileprivate static func addPreferences(to root: String) throws {
    let folder = root + "/Library/Preferences"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(preferences()).write(to: URL(filePath: folder + "/com.example.notes.plist"))
  }
}

/// Where a journal lies that is beside something.
private enum JournalPaths {
  static func beside(_ path: String) -> String {
    let (folder, name) = folderAndName(path)
    return folder + "/" + stem(name) + ".parley.sqlite"
  }
}
