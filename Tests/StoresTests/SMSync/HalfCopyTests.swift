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
    let folder = try NewFolder(container.copy, of: ContainerFiles(path: container.path))
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
    let folder = try NewFolder(container.folder.path("next"), of: ContainerFiles(path: container.path))
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

  /// As SQLite makes it, and has or has not begun to write to it.
  @Test(arguments: [[], [0x18, 0xE2, 0x2D]]) func whatIsLeftBesideTheStoreGoesWithIt(version: [UInt8]) throws
  {
    let index = Data(version) + Data(count: (32 << 10) - version.count)
    try index.write(to: URL(filePath: container.copy + "/" + store + "-shm"))
    try ContainerCopy.make(of: container.path, in: container.copy)
    #expect(try container.openCopy().isCopy)
    #expect(try !names().contains { $0.hasSuffix("-shm") })
  }

  /// It has one of Parley's names.
  @Test(arguments: [
    "AppData/Documents/x.dat", "AppData/Documents/\(ContainerFiles.databaseName)",
    "AppData/Documents/\(ContainerFiles.databaseName)-wal",
    "AppData/Documents/\(ContainerFiles.databaseName)-shm",
    CopyMark.name + DurableFile.suffix,
  ])
  func whatIsWrittenIntoAFileOfItStays(name: String) throws {
    try Data("mine".utf8).write(to: URL(filePath: container.copy + "/" + name))
    try expectRefusal("\(name) in it is not as the container has it now")
    #expect(FileManager.default.contents(atPath: container.copy + "/" + name) == Data("mine".utf8))
  }

  /// It has the first of the container's bytes, and others behind them.
  @Test func whatIsAddedToAFileOfItStays() throws {
    let place = URL(filePath: container.copy + "/" + store)
    try (Data(contentsOf: URL(filePath: container.database)) + Data("mine".utf8)).write(to: place)
    try expectRefusal("\(store) in it is not as the container has it now")
  }

  /// A mark that nothing is written in yet lies beside another's.
  @Test func whatIsBesideAnEmptyMarkStays() throws {
    let folder = container.folder.path("begun")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: folder + "/" + CopyMark.name))
    let own = folder + "/" + CopyMark.name + DurableFile.suffix
    try Data("mine".utf8).write(to: URL(filePath: own))
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: folder) }
    #expect(FileManager.default.contents(atPath: own) == Data("mine".utf8))
  }

  /// What is written into the mark would be in the container.
  @Test func aMarkWithASecondNameIsNone() throws {
    let empty = container.documents + "/empty.txt"
    try Data().write(to: URL(filePath: empty))
    let folder = container.folder.path("linked")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(link(empty, folder + "/" + CopyMark.name) == 0)
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: folder) }
    #expect(FileManager.default.contents(atPath: empty) == Data())
    let mark = container.copy + "/" + CopyMark.name
    #expect(link(mark, container.folder.path("second")) == 0)
    let before = FileManager.default.contents(atPath: mark)
    try expectRefusal("whose mark was changed")
    #expect(FileManager.default.contents(atPath: mark) == before)
  }

  /// The copy there would be refused, so that is not the way out.
  @Test func ofOneThatWasMovedTheWayOutIsToDeleteIt() throws {
    let moved = container.folder.path("moved")
    #expect(rename(container.copy, moved) == 0)
    for refused in [
      #expect(throws: StoreError.self) { try SMSyncStore.open(path: moved) },
      #expect(throws: StoreError.self) { try SMSyncStore.open(path: moved + "/AppData/Documents") },
      #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: moved) },
    ] {
      let words = "\(refused.debugDescription)"
      #expect(
        words.contains("half of a copy that was made elsewhere") && words.contains("elete it"), "\(words)")
      #expect(!words.contains("to this place"), "\(words)")
    }
  }
}
