import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// A folder with texts of earlier versions: what of it is used, and what is told not to be.
@Suite("A folder of ancestors") struct AncestorTextsTests {
  private let container: TestContainer
  private let folder: String

  init() throws {
    container = try TestContainer()
    folder = container.folder.path("texts")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func put(_ names: String...) throws {
    for name in names { try Data("\(name)\n".utf8).write(to: URL(filePath: folder + "/" + name)) }
  }

  private func open(isIndexed: Bool = false) throws -> SMSyncStore {
    try SMSyncStore.open(
      path: container.path, index: isIndexed ? container.folder.path("FileIndex.json") : nil,
      ancestors: folder)
  }

  @Test func whatIsOfUseIsNotCounted() throws {
    try put(ContainerDemoStore.uuid(1), "diary.txt", "\(ContainerDemoStore.uuid(5))-4", ".DS_Store")
    #expect(try open().warnings.isEmpty)
  }

  @Test func whatIsPassedOverIsCountedWithItsReason() throws {
    try put(
      ContainerDemoStore.uuid(1), "5EED", "\(ContainerDemoStore.uuid(5))-four",
      "\(ContainerDemoStore.uuid(5))-04")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/diary.txt", withDestinationPath: folder + "/5EED")
    try FileManager.default.createDirectory(atPath: folder + "/trip.txt", withIntermediateDirectories: true)
    #expect(
      try open().warnings == [
        """
        Of 6 entries in the folder of ancestors \(folder) 5 are passed over: 3 are called like no file here: UUID-VERSION, UUID, or the \
        file's name; 2 are no file, or a symbolic link, which is not followed.
        """
      ])
    #expect(try open().conflict(ContainerDemoStore.uuid(3)).versions.ancestor?.isUnknown == true)
  }

  /// Of a file that the app has met the number is overwritten: a version may be the ancestor, and nobody can tell.
  @Test func aVersionThatMayBeTheAncestorIsToldAndNotTaken() throws {
    let trip = ContainerDemoStore.uuid(5)
    try put("\(trip)-3", "\(trip)-4")
    let conflict = try open().conflict(trip)
    #expect(conflict.versions.ancestor?.isUnknown == true)
    #expect(
      conflict.details.notes.contains(
        """
        Of the file the folder that was named has versions 3, 4, and none is taken: of the ancestor only that it is a version before 5 is \
        known. If one of them is it, call it by the UUID alone.
        """), "\(conflict.details.notes)")
    try put(trip)
    let taken = try open().conflict(trip)
    #expect(taken.versions.ancestor?.isPresent == true)
    #expect(
      taken.details.notes.contains {
        $0.hasSuffix(
          "; nothing proves that it is a version before 5. The folder has versions 3, 4 of the file, too, and nothing of it is used."
        )
      }, "\(taken.details.notes)")
  }

  @Test func aVersionThatIsNotTheAncestorIsToldToo() throws {
    let diary = ContainerDemoStore.uuid(3)
    try put("\(diary)-1")
    #expect(
      try open().conflict(diary).details.notes.contains {
        $0.hasSuffix("has version 1, and none is taken: the ancestor is version 2.")
      })
    try put("\(diary)-2")
    let text = try open().conflict(diary).versions.ancestor?.fields?["content"]?.value
    #expect(text == .text("\(diary)-2\n"))
    #expect(
      try open().conflict(diary).details.notes.contains {
        $0.contains("only its name tells that it is version 2. The folder has version 1 of the file, too")
      })
  }

  /// The text is that of the next name then, of which its own name tells no version.
  @Test func aVersionThatCannotBeReadProvesNothingOfTheTextThatIsTaken() throws {
    let diary = ContainerDemoStore.uuid(3)
    try put(diary)
    for name in ["\(diary)-1", "\(diary)-2"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + name, withDestinationPath: folder + "/" + diary)
    }
    let notes = try open().conflict(diary).details.notes
    let told = "The ancestor's text is from --ancestors; nothing proves that it is version 2."
    #expect(notes.contains(told), "\(notes)")
  }
}
