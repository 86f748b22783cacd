import Foundation
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// What makes a container one that is written: nothing but the copy that was made, there, with the store that was copied.
@Suite("Mark of a copy") struct CopyMarkTests {
  private let container: TestContainer

  init() throws {
    container = try TestContainer()
    try ContainerCopy.make(of: container.path, in: container.copy)
  }

  private var mark: String { container.copy + "/" + CopyMark.name }
  private func text() throws -> String { try String(contentsOfFile: mark, encoding: .utf8) }
  private func isCopy(_ path: String) throws -> Bool { try SMSyncStore.open(path: path).isCopy }

  @Test func theCopyIsOneHoweverItIsNamed() throws {
    for path in ["", "/", "/AppData", "/AppData/Documents", "/AppData/../."] {
      #expect(try isCopy(container.copy + path), "\(path)")
    }
  }

  /// Each is the mark with one thing of it missing.
  @Test func aMarkThatIsNotWholeIsNone() throws {
    let whole = try text()
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let damaged = lines.indices.dropLast().map { index in
      lines.enumerated().filter { $0.offset != index }.map(\.element).joined(separator: "\n")
    }
    for text in damaged + ["", "\n", "\n\(container.copy)\n", whole + "\n"] {
      try Data(text.utf8).write(to: URL(filePath: mark))
      #expect(try !isCopy(container.copy), "\(text)")
    }
    try Data(whole.utf8).write(to: URL(filePath: mark))
    #expect(try isCopy(container.copy))
  }

  @Test func theMarkOfOneMakesNoOtherACopy() throws {
    let words = try text().replacing(container.copy, with: container.path)
    let before = try container.contents()
    for text in ["", try text(), words] {
      try Data(text.utf8).write(to: URL(filePath: container.path + "/" + CopyMark.name))
      #expect(try !isCopy(container.path), "\(text)")
      let store = try container.open()
      let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
      #expect(try store.write([write], note: nil).map(\.outcome) == [.fine])
      _ = try store.undoLastWrite()
    }
    try FileManager.default.removeItem(atPath: container.path + "/" + CopyMark.name)
    #expect(try container.contents() == before)
  }

  /// A live container's store was put into the folder that once was a copy's.
  @Test func withAnotherStoreItIsNoneAnyMore() throws {
    let database = container.copy + "/AppData/Documents/" + ContainerFiles.databaseName
    let other = container.folder.path("other")
    try FileManager.default.copyItem(atPath: container.database, toPath: other)
    #expect(rename(other, database) == 0)
    #expect(try !isCopy(container.copy))
  }

  @Test func anotherStoreInACopyIsNone() throws {
    let other = container.copy + "/AppData/Documents/~Old.sqlite"
    try FileManager.default.copyItem(atPath: container.database, toPath: other)
    #expect(try !isCopy(other))
    #expect(try isCopy(container.copy))
  }

  @Test func aLinkIsNoMark() throws {
    let elsewhere = container.folder.path("mark")
    try FileManager.default.moveItem(atPath: mark, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: mark, withDestinationPath: elsewhere)
    #expect(try !isCopy(container.copy))
  }
}
