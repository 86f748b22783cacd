import Foundation
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Half of a copy, as a kill leaves it, into which a person has put something before the next copy takes its place.
@Suite("Half of a copy with something of a person's") struct HalfCopyTests {
  private let container: TestContainer
  private let store = "AppData/Documents/" + ContainerFiles.databaseName

  init() throws {
    container = try TestContainer()
    let folder = try NewFolder(container.copy, outside: container.path)
    try folder.claim()
    for name in ["AppData", "AppData/Documents"] { try folder.makeFolder(name) }
    for name in [store, "AppData/Documents/x.dat"] { try folder.makeFile(name) { close($0) } }
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: container.copy).sorted()
  }

  private func expectRefusal(_ words: String) throws {
    let before = try (names(), container.contents())
    let error = #expect(throws: StoreError.self) {
      try ContainerCopy.make(of: container.path, in: container.copy)
    }
    #expect("\(error.debugDescription)".contains(words))
    #expect(try (names(), container.contents()) == before)
  }

  @Test(arguments: ["AppData", "AppData/Documents"]) func nothingIsDeletedThroughALink(name: String) throws {
    let place = container.copy + "/" + name
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createSymbolicLink(
      atPath: place, withDestinationPath: container.path + "/" + name)
    try expectRefusal("\(name) in it is nothing that Parley has made")
  }

  /// After it was looked at, while it is taken away.
  @Test func alsoNotThroughOneThatComesMeanwhile() throws {
    let folder = try NewFolder(container.folder.path("next"), outside: container.path)
    try folder.claim()
    for name in ["AppData", "AppData/Documents"] { try folder.makeFolder(name) }
    try folder.makeFile(store) { close($0) }
    let before = try container.contents()
    #expect(rename(folder.path + "/AppData", folder.path + "/moved") == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/AppData", withDestinationPath: container.path + "/AppData")
    folder.remove()
    #expect(try container.contents() == before)
  }

  @Test(arguments: ["../victim", "AppData/../../victim", "/victim", "AppData//../../victim"])
  func aMarkNamesNothingElsewhere(name: String) throws {
    let victim = container.folder.path("victim")
    try Data("theirs".utf8).write(to: URL(filePath: victim))
    let mark = try #require(FileHandle(forWritingAtPath: container.copy + "/" + CopyMark.name))
    try mark.seekToEnd()
    try mark.write(contentsOf: Data((name + "\n").utf8))
    try mark.close()
    try expectRefusal("not an empty folder")
    #expect(FileManager.default.contents(atPath: victim) == Data("theirs".utf8))
  }

  @Test(arguments: ["x.dat-wal", "x.dat-shm"]) func onlyTheStoreHasFilesBesideIt(name: String) throws {
    try Data("mine".utf8).write(to: URL(filePath: container.copy + "/AppData/Documents/" + name))
    try expectRefusal("\(name) in it is nothing that Parley has made")
  }

  /// It is decided before anything is taken away.
  @Test(arguments: [
    "AppData/Documents/" + ContainerFiles.databaseName + "-shm", CopyMark.name + DurableFile.suffix,
    "AppData/Documents/x.dat",
  ])
  func aFolderInThePlaceOfAFileIsAPersons(name: String) throws {
    unlink(container.copy + "/" + name)
    #expect(mkdir(container.copy + "/" + name, 0o700) == 0)
    try expectRefusal("\(name) in it is nothing that Parley has made")
  }

  @Test func whatIsLeftBesideTheStoreGoesWithIt() throws {
    try Data("shm".utf8).write(to: URL(filePath: container.copy + "/" + store + "-shm"))
    try ContainerCopy.make(of: container.path, in: container.copy)
    #expect(try container.openCopy().isCopy)
    #expect(try !names().contains { $0.hasSuffix("-shm") })
  }
}
