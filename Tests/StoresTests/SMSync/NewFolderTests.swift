import Foundation
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Two that make a copy at one place: one has it, whole, and the other leaves nothing and takes nothing of it.
@Suite("A place that two copies want") struct NewFolderTests {
  private let container: TestContainer

  init() throws { container = try TestContainer() }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  /// Both have looked before either has made anything.
  @Test(arguments: [false, true]) func whoComesLaterTakesNothingOfTheFirst(isThere: Bool) throws {
    let place = container.folder.path("deep/copy")
    if isThere { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }
    let two = try (1...2).map { _ in try NewFolder(place, outside: container.path) }
    try two[0].claim()
    try two[0].makeFolder("Documents")
    try two[0].makeFile("Documents/a") { close($0) }
    let whole = try names(place)
    let error = #expect(throws: StoreError.self) { try two[1].claim() }
    #expect("\(error.debugDescription)".contains("somebody else makes something there"))
    two[1].remove()
    #expect(try names(place) == whole && whole.count == 3)
    two[0].remove()
    #expect(FileManager.default.fileExists(atPath: place) == isThere)
  }

  /// A folder around it that the other has made stays, as the other is in it.
  @Test func whoFailsLeavesTheOthersPlace() throws {
    let two = try ["x/a", "x/b"].map { try NewFolder(container.folder.path($0), outside: container.path) }
    for one in two { try one.claim() }
    two[0].remove()
    #expect(try names(container.folder.path("x")) == ["b", "b/" + CopyMark.name])
    two[1].remove()
  }

  @Test func whatSomebodyElsePutThereStays() throws {
    let place = container.folder.path("copy")
    let folder = try NewFolder(place, outside: container.path)
    try folder.claim()
    try folder.makeFolder("Documents")
    for name in ["/theirs", "/Documents/theirs"] { try Data().write(to: URL(filePath: place + name)) }
    folder.remove()
    #expect(try names(place) == ["Documents", "Documents/theirs", "theirs"])
  }

  /// The one that came second, while the first was not done.
  @Test func aCopyIsWholeAlsoIfAnotherTriedMeanwhile() throws {
    try ContainerCopy.make(of: container.path, in: container.copy) {
      let before = try names(container.copy)
      #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
      #expect(try names(container.copy) == before)
    }
    #expect(try container.openCopy().isCopy)
  }
}
